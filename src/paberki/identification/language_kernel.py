# mypy: ignore-errors
"""The compiled part of identification: characters and words of many texts hashed where they lie, weights added up.

A text is seen as small letters with one space between words; all that is no letter is a space, addresses are left out.
Its features are the runs of ``fewest`` to ``most`` characters and the whole words, each hashed to a row of the weights.
Letters of different scripts have columns of their own (*homes*), so that a quotation in Cyrillic letters says nothing
about the Latin text around it. Weights and sums are whole numbers: what blocks add up to does not depend on the order.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Final

import numpy as np
from numba import uint64

from paberki.identification.language_records import (
    GROUP_COLUMN,
    NO_LANGUAGE_COLUMN,
    UNUSED,
    WORD_BITS,
    FeatureReader,
    LanguageEvidence,
    LanguageTables,
    SiblingTables,
    Texts,
    Workspace,
)
from paberki.identification.scripts import NAMES
from paberki.kernels import kernel, part
from paberki.kernels.byte_names import (
    AT_SIGN,
    BLANK,
    CLOSING_BRACKET,
    COLON,
    DASH,
    DOT,
    FIRST_NOT_ASCII,
    FIRST_OF_FOUR,
    GREATER,
    LAST_ASCII,
    LESS,
    LOWER_A,
    LOWER_Z,
    OPENING_BRACKET,
    QUOTE,
    SLASH,
    UNDERSCORE,
)
from paberki.kernels.characters_kernel import is_digit, is_letter
from paberki.kernels.hash_constants import GOLDEN, MIXER
from paberki.kernels.kernel_types import FLAG, INT, reads, record, types, writes
from paberki.kernels.utf8_kernel import character

ROW_BITS: Final = 26
"""A feature is one number: its row in these low bits, its home above them."""
LONGEST_WORD: Final = 40
LONGEST_RUN: Final = 6
LONGEST_NAME: Final = 64
"""A stretch without a sign of an address within so many characters is not an address."""
_WORD_SEED: Final = 0x2545F4914F6CDD1D
_SPACE: Final = 32
BLOCK: Final = 32
"""Columns that are added at a time: a cache line holds two rows."""
TOGETHER: Final = 256
"""Bytes that can be added in 16 bits."""
_POSITIVE: Final = 0x8080808080808080
_EVEN: Final = 0x00FF00FF00FF00FF
NO_LIMIT: Final = 1 << 62
FEWEST_LETTERS: Final = 3
REACH: Final = 10.0
"""A group of close languages is looked at if it is at most so many nats behind the best language."""
KANA_SHARE: Final = 0.05
SHORT_HAN: Final = 20
CYRILLIC: Final = NAMES.index("Cyrl") + 1
HIRAGANA: Final = NAMES.index("Hira") + 1
KATAKANA: Final = NAMES.index("Kana") + 1
HAN: Final = NAMES.index("Hani") + 1
HANGUL: Final = NAMES.index("Hang") + 1
PARTICLE: Final = len(NAMES) + 1

BYTES: Final = reads(types.uint8)
TABLE: Final = reads(types.uint16)
HOMES: Final = reads(types.int8)
NUMBERS: Final = reads(types.int32)
FLOATS: Final = reads(types.float64)
COUNTS: Final = writes(types.int32)
WEIGHTS: Final = reads(types.int8, 2)
TEXTS: Final = record(Texts, data=BYTES, offsets=NUMBERS, limits=NUMBERS, pages=NUMBERS)
READER: Final = record(
    FeatureReader, letters=TABLE, seconds=TABLE, homes=HOMES, fewest=INT, most=INT, words=FLAG, bits=INT
)
WORKSPACE: Final = record(Workspace, last=writes(types.int64), rows=COUNTS, word_pages=COUNTS, run_pages=COUNTS)
_MODEL: Final = record(
    LanguageTables, scripts=BYTES, weights=reads(types.uint64, 2), columns=reads(types.int32, 2), home_of_class=HOMES,
    alone=NUMBERS, east_asian=NUMBERS, members=NUMBERS, knots=FLOATS, values=reads(types.float64, 2),
    sibling_values=reads(types.float64, 2), scales=FLOATS,
)  # fmt: skip
_SIBLINGS: Final = record(SiblingTables, word_reader=READER, run_reader=READER, words=WEIGHTS, runs=WEIGHTS)
_EVIDENCE: Final = record(
    LanguageEvidence, letters=writes(types.int32, 2), sums=writes(types.int32, 3), counts=writes(types.int32, 2),
    words=writes(types.int32, 3), runs=writes(types.int32, 3), run_counts=writes(types.int32, 2),
)  # fmt: skip


@part
def _row(hashed, bits):
    hashed ^= hashed >> uint64(29)
    hashed *= uint64(MIXER)
    return np.int64(hashed >> uint64(64 - bits))


@part
def _in_name(byte):
    return is_digit(byte) or is_letter(byte) or byte == DASH or byte == UNDERSCORE or byte == DOT


@part
def _after_address(data, at, end):
    """End of the address that begins at ``at`` (http://…, www.…, name@host, host.tld), or ``at`` if there is none."""
    stop = at
    dots = 0
    signs = 0
    while stop < end:
        byte = data[stop]
        if (
            byte <= BLANK
            or byte >= LAST_ASCII
            or byte == QUOTE
            or byte == LESS
            or byte == GREATER
            or byte == OPENING_BRACKET
            or byte == CLOSING_BRACKET
        ):
            break
        following = data[stop + 1] if stop + 1 < end else 0
        if byte == AT_SIGN or (byte == COLON and following == SLASH and stop + 2 < end and data[stop + 2] == SLASH):
            signs += 1
        elif (
            byte == DOT
            and stop > at
            and LOWER_A <= following <= LOWER_Z
            and stop + 2 < end
            and LOWER_A <= data[stop + 2] <= LOWER_Z
        ):
            dots += 1
        elif signs + dots == 0 and (stop - at > LONGEST_NAME or not _in_name(byte)):
            return at
        stop += 1
    if stop < end and data[stop] >= LAST_ASCII:
        return at
    return stop if signs > 0 or dots > 0 else at


@part
def _put(rows, count, row, home):
    rows[count] = np.int32(row | (home << ROW_BITS))
    return count + 1


@part
def gather(data, at, end, reader, last, rows):
    """Features of a text from ``at`` on until it ends or ``rows`` is full; their number, and where to go on.

    ``last`` is room for :data:`LONGEST_RUN` letters.
    """
    count = 0
    room = len(rows) - 2 * (reader.most + 2)
    length = 0
    home = np.int64(0)
    word = uint64(_WORD_SEED)
    for place in range(LONGEST_RUN):
        last[place] = _SPACE
    run = 1
    again = np.int64(0)
    while count < room:
        letter = np.int64(0)
        if again:
            letter = again
            again = np.int64(0)
        elif at < end:
            if length == 0 and data[at] < LAST_ASCII and data[at] > BLANK:
                at = _after_address(data, at, end)
                if at >= end:
                    if last[0] == _SPACE:
                        break
                    continue
            char, at = character(data, at, end)
            if char < FIRST_OF_FOUR:
                letter = np.int64(reader.letters[char])
                if letter:
                    mine = np.int64(reader.homes[char])
                    if mine < 0:
                        letter = np.int64(0)
                    else:
                        home = mine
                        again = np.int64(reader.seconds[char])
        elif last[0] == _SPACE:
            break
        if letter == 0:
            if last[0] == _SPACE:
                continue
            letter = np.int64(_SPACE)
        for place in range(LONGEST_RUN - 1, 0, -1):
            last[place] = last[place - 1]
        last[0] = letter
        run = min(run + 1, LONGEST_RUN)
        hashed = uint64(0)
        for size in range(1, min(reader.most, run) + 1):
            hashed = (hashed ^ uint64(last[size - 1])) * uint64(GOLDEN)
            hashed ^= hashed >> uint64(32)
            if size >= reader.fewest and not (size == 1 and letter == _SPACE):
                count = _put(rows, count, _row(hashed + uint64(size), reader.bits), home)
        if letter == _SPACE:
            if reader.words and length <= LONGEST_WORD:
                count = _put(rows, count, _row(word, reader.bits), home)
            word = uint64(_WORD_SEED)
            length = 0
        else:
            word = (word ^ uint64(letter)) * uint64(GOLDEN)
            word ^= word >> uint64(31)
            length += 1
    return count, at


@part
def add_rows(rows, count, weights, sums, counts, text):
    """Add the weights of features to the sums of their homes; rows of weights have a multiple of 32 columns.

    Eight weights lie in one number of ``weights``: their bytes, made positive, are added two by two in 16 bits each,
    which holds :data:`TOGETHER` of them. That takes half as long as to add them one by one.
    """
    mask = (1 << ROW_BITS) - 1
    for first in range(0, weights.shape[1], BLOCK // 8):
        at = 0
        while at < count:
            begin = at
            home = np.int64(rows[at]) >> ROW_BITS
            stop = min(count, at + TOGETHER)
            even0 = even1 = even2 = even3 = odd0 = odd1 = odd2 = odd3 = uint64(0)
            while at < stop and np.int64(rows[at]) >> ROW_BITS == home:
                row = np.int64(rows[at]) & mask
                eight = weights[row, first] ^ uint64(_POSITIVE)
                even0 += eight & uint64(_EVEN)
                odd0 += (eight >> uint64(8)) & uint64(_EVEN)
                eight = weights[row, first + 1] ^ uint64(_POSITIVE)
                even1 += eight & uint64(_EVEN)
                odd1 += (eight >> uint64(8)) & uint64(_EVEN)
                eight = weights[row, first + 2] ^ uint64(_POSITIVE)
                even2 += eight & uint64(_EVEN)
                odd2 += (eight >> uint64(8)) & uint64(_EVEN)
                eight = weights[row, first + 3] ^ uint64(_POSITIVE)
                even3 += eight & uint64(_EVEN)
                odd3 += (eight >> uint64(8)) & uint64(_EVEN)
                at += 1
            mine = sums[text, home]
            _add_eight(even0, odd0, at - begin, mine, 8 * first)
            _add_eight(even1, odd1, at - begin, mine, 8 * first + 8)
            _add_eight(even2, odd2, at - begin, mine, 8 * first + 16)
            _add_eight(even3, odd3, at - begin, mine, 8 * first + 24)
            if first == 0:
                counts[text, home] += at - begin


@part
def _add_eight(even, odd, count, sums, first):
    """Add what ``count`` positive bytes made up to, two by two, without what made them positive."""
    for place in range(4):
        shift = uint64(16 * place)
        sums[first + 2 * place] += np.int64((even >> shift) & uint64(0xFFFF)) - 128 * count
        sums[first + 2 * place + 1] += np.int64((odd >> shift) & uint64(0xFFFF)) - 128 * count


@part
def add_sibling_rows(rows, count, weights, pages, page, sums, text):
    """The same for the four columns of close languages, which have one home; the number of features that were added.

    A feature counts once on a page: between languages as close as these, ten times the same "read more" would outvote
    the text. ``pages`` holds the page in which each feature was last met.
    """
    added_count = 0
    for number in range(count):
        row = rows[number]
        if pages[row] != page:
            pages[row] = page
            for column in range(4):
                sums[text, 0, column] += weights[row, column]
            added_count += 1
    return added_count


@kernel(
    TEXTS, READER, reads(types.uint64, 2), WORKSPACE, writes(types.int32, 3), writes(types.int32, 2), returns=types.void
)
def add_up(texts, reader, weights, room, sums, counts):
    """Weights and number of the features of each text, per home."""
    for text in range(len(texts.offsets) - 1):
        at = np.int64(texts.offsets[text])
        end = np.int64(texts.offsets[text + 1])
        while at < end:
            count, at = gather(texts.data, at, end, reader, room.last, room.rows)
            add_rows(room.rows, count, weights, sums, counts, text)


@kernel(TEXTS, READER, WEIGHTS, WORKSPACE, COUNTS, writes(types.int32, 3), COUNTS, returns=types.void)
def add_up_siblings(texts, reader, weights, room, pages, sums, counts):
    """The same for close languages; ``pages`` has a zero for each row of weights."""
    for text in range(len(texts.offsets) - 1):
        at = np.int64(texts.offsets[text])
        end = np.int64(texts.offsets[text + 1])
        while at < end:
            count, at = gather(texts.data, at, end, reader, room.last, room.rows)
            counts[text] += add_sibling_rows(room.rows, count, weights, pages, text + 1, sums, text)


@kernel(TEXTS, READER, WORKSPACE, COUNTS, writes(types.int64), returns=types.int64)
def list_features(texts, reader, room, out, edges):
    """Rows of the features of all texts one after the other, and where each text begins among them; their number.

    There is room for words alone if ``out`` is half as long as the texts are in bytes, and two longer for each text; for runs
    if it is so many times as long as the longest run has characters.
    """
    place = np.int64(0)
    for text in range(len(texts.offsets) - 1):
        edges[text] = place
        at = np.int64(texts.offsets[text])
        end = np.int64(texts.offsets[text + 1])
        while at < end:
            count, at = gather(texts.data, at, end, reader, room.last, room.rows)
            for number in range(count):
                out[place] = room.rows[number] & ((1 << ROW_BITS) - 1)
                place += 1
    edges[len(texts.offsets) - 1] = place
    return place


@part
def _count_letters(data, at, end, scripts, counts):
    while at < end:
        byte = data[at]
        if byte < FIRST_NOT_ASCII:
            counts[scripts[byte]] += 1
            at += 1
        else:
            char, at = character(data, at, end)
            if char < FIRST_OF_FOUR:
                counts[scripts[char]] += 1


@part
def _near(sums, counts, columns, scale):
    """Whether the group of close languages may be the answer: not far behind the best in any home."""
    for home in range(len(columns)):
        best = -1e300
        group = -1e300
        for column in range(columns.shape[1]):
            if columns[home, column] != UNUSED:
                best = max(best, float(sums[home, column]))
            if columns[home, column] == GROUP_COLUMN:
                group = float(sums[home, column])
        if counts[home] > 0 and group >= best - REACH * sqrt(counts[home] + 1.0) / scale:
            return True
    return False


@part
def _collect_siblings(texts, text, end, siblings, evidence, room):
    """Evidence for close languages in a text that ends, or is looked at no further, at ``end``."""
    page = texts.pages[text]
    at = np.int64(texts.offsets[text])
    while at < end:
        count, at = gather(texts.data, at, end, siblings.word_reader, room.last, room.rows)
        add_sibling_rows(room.rows, count, siblings.words, room.word_pages, page, evidence.words, text)
    at = np.int64(texts.offsets[text])
    while at < end:
        count, at = gather(texts.data, at, end, siblings.run_reader, room.last, room.rows)
        added_count = add_sibling_rows(room.rows, count, siblings.runs, room.run_pages, page, evidence.runs, text)
        evidence.run_counts[text, 0] += added_count


@kernel(TEXTS, READER, _MODEL, _SIBLINGS, _EVIDENCE, WORKSPACE, FLAG, returns=types.void, slices=True)
def collect(texts, reader, model, siblings, evidence, room, always):
    """All evidence about each text: letters, weights of features and, where they may matter, of close languages.

    ``evidence`` begins with zeros. ``always``: look for signs of close languages even in texts that are in none of them.
    """
    for text in range(len(texts.offsets) - 1):
        begin = np.int64(texts.offsets[text])
        end = np.int64(texts.offsets[text + 1])
        _count_letters(texts.data, begin, end, model.scripts, evidence.letters[text])
        at = begin
        feature_count = np.int64(0)
        limit = np.int64(texts.limits[text]) if len(texts.limits) > 0 else NO_LIMIT
        while at < end and feature_count < limit:
            rows = room.rows[: min(len(room.rows), limit - feature_count + 2 * LONGEST_RUN)]
            count, at = gather(texts.data, at, end, reader, room.last, rows)
            add_rows(rows, count, model.weights, evidence.sums, evidence.counts, text)
            feature_count += count
        if len(siblings.words) == 1 << WORD_BITS and (
            always or _near(evidence.sums[text], evidence.counts[text], model.columns, model.scales[2])
        ):
            _collect_siblings(texts, text, at, siblings, evidence, room)


@part
def warmth(count, knots, values):
    """Calibration factor for a text with so many features: linear in the logarithm between knots."""
    if count <= 0:
        return values[0]
    place = log(float(count))
    if place <= knots[0]:
        return values[0]
    for index in range(1, len(knots)):
        if place < knots[index]:
            share = (place - knots[index - 1]) / (knots[index] - knots[index - 1])
            return values[index - 1] + share * (values[index] - values[index - 1])
    return values[len(knots) - 1]


@part
def _scale_by_length(score, count, knots, values):
    return score * warmth(count, knots, values)


@part
def _share_out(words, runs, count, script, model, allowed, whole, out):
    """Share a group's probability out among its members: Bosnian, Croatian, Serbian.

    Where Bosnian may not be answered, a model of the other two decides, which knows more texts of these.
    """
    members = model.members
    bosnian = allowed[members[0]]
    croatian = allowed[members[1]] and (script != CYRILLIC or not (bosnian or allowed[members[2]]))
    serbian = allowed[members[2]]
    if not bosnian:
        share = 0.5
        if croatian and serbian:
            lead = model.scales[0] * words[3] + model.scales[1] * runs[3]
            share = 1.0 / (
                1.0 + exp(-max(min(_scale_by_length(lead, count, model.knots, model.sibling_values[0]), 700.0), -700.0))
            )
        elif croatian:
            share = 1.0
        else:
            share = 0.0
        if croatian:
            out[members[1]] += whole * share
        if serbian:
            out[members[2]] += whole * (1.0 - share)
        return
    best = -1e300
    for member in range(3):
        if (member == 0) or (member == 1 and croatian) or (member == 2 and serbian):
            best = max(best, _member_score(words, runs, count, member, model))
    total = 0.0
    for turn in range(2):
        for member in range(3):
            if (member == 0) or (member == 1 and croatian) or (member == 2 and serbian):
                score = _member_score(words, runs, count, member, model)
                if turn == 0:
                    total += exp(score - best)
                else:
                    out[members[member]] += whole * exp(score - best) / total


@part
def _member_score(words, runs, count, member, model):
    """Score of one of three close languages."""
    score = model.scales[0] * words[member] + model.scales[1] * runs[member]
    return _scale_by_length(score, count, model.knots, model.sibling_values[1])


@part
def _east_asian(letters, languages, allowed, out):
    """Kana is Japanese, Hangul is Korean, Han alone is Chinese, though a short headline may be Japanese."""
    kana = letters[HIRAGANA] + letters[KATAKANA] + letters[PARTICLE]
    han = letters[HAN]
    japanese = allowed[languages[0]]
    chinese = allowed[languages[1]]
    if letters[HANGUL] > kana + han:
        if allowed[languages[2]]:
            out[languages[2]] = 1.0
        return HANGUL
    if kana > KANA_SHARE * (kana + han):
        if japanese:
            out[languages[0]] = 1.0
        return HIRAGANA
    if japanese and not chinese:
        out[languages[0]] = 1.0
        return HIRAGANA
    if chinese:
        out[languages[1]] = 1.0
        if han < SHORT_HAN and japanese:
            out[languages[1]] = 0.6
            out[languages[0]] = 0.4
    return HAN


@part
def _main_script(letters):
    """Class of letters that a text has most of, 0 for too few; East Asian ones count together, as Hiragana."""
    main = 0
    most = 0
    for script in range(1, len(letters)):
        if script != PARTICLE and letters[script] > most:
            main = script
            most = letters[script]
    east = 2 * (letters[HIRAGANA] + letters[KATAKANA] + letters[HAN] + letters[HANGUL] + letters[PARTICLE])
    if east > most:
        most = east // 2
        main = HIRAGANA
    if most < FEWEST_LETTERS and not (east > 1):
        return 0
    return main


@part
def _is_possible(language, script, members, allowed, nothing_allowed):
    """Whether a column of weights may be the answer."""
    if language == GROUP_COLUMN:
        return allowed[members[0]] + allowed[members[2]] > 0 or (allowed[members[1]] > 0 and script != CYRILLIC)
    return (language >= 0 and allowed[language] > 0) or (language == NO_LANGUAGE_COLUMN and nothing_allowed)


@part
def _by_weights(evidence, text, script, home, model, allowed, nothing_allowed, out):
    """Probabilities of the languages of a home.

    Sums are divided by the root of the number of features, as in learning, and multiplied by the
    calibration factor for texts of that length.
    """
    count = np.int64(evidence.counts[text, home])
    factor = model.scales[2] * warmth(count, model.knots, model.values[home]) / sqrt(count + 1.0)
    best = -1e300
    total = 0.0
    for turn in range(3):
        for column in range(model.columns.shape[1]):
            language = model.columns[home, column]
            if not _is_possible(language, script, model.members, allowed, nothing_allowed):
                continue
            score = evidence.sums[text, home, column] * factor
            if turn == 0:
                best = max(best, score)
            elif turn == 1:
                total += exp(score - best)
            elif language == GROUP_COLUMN:
                _share_out(
                    evidence.words[text, 0], evidence.runs[text, 0], np.int64(evidence.run_counts[text, 0]), script,
                    model, allowed, exp(score - best) / total, out,
                )  # fmt: skip
            else:
                out[len(out) - 1 if language == NO_LANGUAGE_COLUMN else language] += exp(score - best) / total


@kernel(_EVIDENCE, _MODEL, BYTES, FLAG, writes(types.float64, 2), COUNTS, returns=types.void, slices=True)
def decide(evidence, model, allowed, nothing_allowed, shares, scripts):
    """Probability of each language for each text, and the class of its main script.

    ``allowed`` tells which languages may be answered, ``nothing_allowed`` whether "in no language" may be: its
    probability is the last column of ``shares``, which begins with zeros.
    """
    for text in range(len(evidence.letters)):
        letters = evidence.letters[text]
        main = _main_script(letters)
        scripts[text] = main
        if main == HIRAGANA:
            scripts[text] = _east_asian(letters, model.east_asian, allowed, shares[text])
        elif main > 0 and model.alone[main] >= 0:
            if allowed[model.alone[main]]:
                shares[text, model.alone[main]] = 1.0
        elif main > 0:
            home = np.int64(model.home_of_class[main])
            if home >= 0 and evidence.counts[text, home] > 0:
                _by_weights(evidence, text, main, home, model, allowed, nothing_allowed, shares[text])
