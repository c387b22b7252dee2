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
from numba import carray, uint64
from numba.core import cgutils
from numba.extending import intrinsic

from paberki.identification.scripts import NAMES
from paberki.kernels import kernel, part
from paberki.kernels.kernel_types import given, types
from paberki.kernels.utf8_kernel import character

ROW_BITS: Final = 26
"""Features are kept as row and, above these bits, home."""
LONGEST_WORD: Final = 40
LONGEST_RUN: Final = 6
LONGEST_NAME: Final = 64
"""What has no sign of an address within so many characters is none."""
_MULTIPLIER: Final = 0x9E3779B97F4A7C15
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
"""Nats behind the best that a group of languages may be and still be looked at."""
KANA_SHARE: Final = 0.05
SHORT_HAN: Final = 20
CYRILLIC: Final = NAMES.index("Cyrl") + 1
HIRAGANA: Final = NAMES.index("Hira") + 1
KATAKANA: Final = NAMES.index("Kana") + 1
HAN: Final = NAMES.index("Hani") + 1
HANGUL: Final = NAMES.index("Hang") + 1
PARTICLE: Final = len(NAMES) + 1
COLLECT: Final = 1
DECIDE: Final = 2


BYTES: Final = given(types.uint8, 1)
TABLE: Final = given(types.uint16, 1)
HOMES: Final = given(types.int8, 1)
SCRIPTS: Final = given(types.uint8, 1)
OFFSETS: Final = given(types.int32, 1)
FEATURES: Final = types.Array(types.int32, 1, "C")


@part
def _row(hashed, bits):
    hashed ^= hashed >> uint64(29)
    hashed *= uint64(0xBF58476D1CE4E5B9)
    return np.int64(hashed >> uint64(64 - bits))


@part
def _in_name(byte):
    return 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122 or byte == 45 or byte == 95 or byte == 46


@part
def _after_address(data, at, end):
    """Where an address that begins here ends, or where we are: http://…, www.…, name@host, host.tld."""
    stop = at
    dots = 0
    signs = 0
    while stop < end:
        byte = data[stop]
        if byte <= 32 or byte >= 127 or byte == 34 or byte == 60 or byte == 62 or byte == 40 or byte == 41:
            break
        following = data[stop + 1] if stop + 1 < end else 0
        if byte == 64 or (byte == 58 and following == 47 and stop + 2 < end and data[stop + 2] == 47):
            signs += 1
        elif byte == 46 and stop > at and 97 <= following <= 122 and stop + 2 < end and 97 <= data[stop + 2] <= 122:
            dots += 1
        elif signs + dots == 0 and (stop - at > LONGEST_NAME or not _in_name(byte)):
            return at
        stop += 1
    if stop < end and data[stop] >= 127:
        return at
    return stop if signs > 0 or dots > 0 else at


@part
def _put(rows, count, row, home):
    rows[count] = np.int32(row | (home << ROW_BITS))
    return count + 1


@part
def gather(data, at, end, letters, seconds, homes, fewest, most, words, bits, last, rows):
    """Features of a text from ``at`` on until it ends or ``rows`` is full; their number, and where to go on.

    ``letters``: small letter of each character of the first plane, 0 for all else; ``seconds``: a letter that follows
    it (љ becomes lj); ``homes``: of each character, −1 for none. ``last`` is room for :data:`LONGEST_RUN` letters.
    """
    count = 0
    room = len(rows) - 2 * (most + 2)
    length = 0
    home = np.int64(0)
    word = uint64(_WORD_SEED)
    for place in range(LONGEST_RUN):
        last[place] = _SPACE
    known = 1
    again = np.int64(0)
    while count < room:
        letter = np.int64(0)
        if again:
            letter = again
            again = np.int64(0)
        elif at < end:
            if length == 0 and data[at] < 127 and data[at] > 32:
                at = _after_address(data, at, end)
                if at >= end:
                    if last[0] == _SPACE:
                        break
                    continue
            char, at = character(data, at, end)
            if char < 0x10000:
                letter = np.int64(letters[char])
                if letter:
                    mine = np.int64(homes[char])
                    if mine < 0:
                        letter = np.int64(0)
                    else:
                        home = mine
                        again = np.int64(seconds[char])
        elif last[0] == _SPACE:
            break
        if letter == 0:
            if last[0] == _SPACE:
                continue
            letter = np.int64(_SPACE)
        for place in range(LONGEST_RUN - 1, 0, -1):
            last[place] = last[place - 1]
        last[0] = letter
        known = min(known + 1, LONGEST_RUN)
        hashed = uint64(0)
        for size in range(1, min(most, known) + 1):
            hashed = (hashed ^ uint64(last[size - 1])) * uint64(_MULTIPLIER)
            hashed ^= hashed >> uint64(32)
            if size >= fewest and not (size == 1 and letter == _SPACE):
                count = _put(rows, count, _row(hashed + uint64(size), bits), home)
        if letter == _SPACE:
            if words and length <= LONGEST_WORD:
                count = _put(rows, count, _row(word, bits), home)
            word = uint64(_WORD_SEED)
            length = 0
        else:
            word = (word ^ uint64(letter)) * uint64(_MULTIPLIER)
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
def add_sibling_rows(rows, count, weights, seen, group, sums, text):
    """The same for the four columns of close languages, which have one home; the number of features that were added.

    A feature counts once in its group of texts, a page: between languages as close as these, ten times the same "read
    more" would outvote the text. ``seen`` holds the group in which each feature was last met.
    """
    added = 0
    for number in range(count):
        row = rows[number]
        if seen[row] != group:
            seen[row] = group
            for column in range(4):
                sums[text, 0, column] += weights[row, column]
            added += 1
    return added


@kernel(
    BYTES, OFFSETS, TABLE, TABLE, HOMES, types.int64, types.int64, types.boolean, types.int64,
    given(types.uint64, 2),
    types.Array(types.int64, 1, "C"), FEATURES, types.Array(types.int32, 3, "C"), types.Array(types.int32, 2, "C"),
    returns=types.void,
)  # fmt: skip
def add_up(data, offsets, letters, seconds, homes, fewest, most, words, bits, weights, last, rows, sums, counts):
    """Weights and number of the features of each text, per home."""
    for text in range(len(offsets) - 1):
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        while at < end:
            count, at = gather(data, at, end, letters, seconds, homes, fewest, most, words, bits, last, rows)
            add_rows(rows, count, weights, sums, counts, text)


@kernel(
    BYTES, OFFSETS, TABLE, TABLE, HOMES, types.int64, types.int64, types.boolean, types.int64,
    given(types.int8, 2), types.Array(types.int64, 1, "C"), FEATURES, types.Array(types.int32, 1, "C"),
    types.Array(types.int32, 3, "C"), types.Array(types.int32, 1, "C"),
    returns=types.void,
)  # fmt: skip
def add_up_siblings(
    data, offsets, letters, seconds, homes, fewest, most, words, bits, weights, last, rows, seen, sums, counts
):
    """The same for close languages; ``seen`` is room for as many as there are rows of weights, cleared."""
    for text in range(len(offsets) - 1):
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        while at < end:
            count, at = gather(data, at, end, letters, seconds, homes, fewest, most, words, bits, last, rows)
            counts[text] += add_sibling_rows(rows, count, weights, seen, text + 1, sums, text)


@kernel(
    BYTES, OFFSETS, TABLE, TABLE, HOMES, types.int64, types.int64, types.boolean, types.int64, OFFSETS,
    types.Array(types.int64, 1, "C"), FEATURES, types.Array(types.int32, 1, "C"), types.Array(types.int32, 2, "C"),
    returns=types.void,
)  # fmt: skip
def count_features(
    data, offsets, letters, seconds, homes, fewest, most, words, bits, columns, last, rows, seen, counts
):
    """Count the features of each text in its column, each once, as they are added up; of those in the first home.

    ``seen`` is room for a number for each row of ``counts``, cleared.
    """
    for text in range(len(offsets) - 1):
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        while at < end:
            found, at = gather(data, at, end, letters, seconds, homes, fewest, most, words, bits, last, rows)
            for number in range(found):
                row = np.int64(rows[number])
                if row >> ROW_BITS == 0 and seen[row] != text + 1:
                    seen[row] = text + 1
                    counts[row, columns[text]] += 1


@kernel(
    BYTES, OFFSETS, TABLE, TABLE, HOMES, types.int64, types.Array(types.int64, 1, "C"), FEATURES, FEATURES,
    types.Array(types.int64, 1, "C"),
    returns=types.int64,
)  # fmt: skip
def list_words(data, offsets, letters, seconds, homes, bits, last, rows, out, edges):
    """Rows of the words of all texts one after the other, and where each text begins among them; their number.

    There is room for them if ``out`` is half as long as the texts are in bytes, and two longer for each text.
    """
    place = np.int64(0)
    for text in range(len(offsets) - 1):
        edges[text] = place
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        while at < end:
            count, at = gather(data, at, end, letters, seconds, homes, 1, 0, True, bits, last, rows)
            for number in range(count):
                out[place] = rows[number] & ((1 << ROW_BITS) - 1)
                place += 1
    edges[len(offsets) - 1] = place
    return place


@part
def _count_letters(data, at, end, scripts, counts):
    while at < end:
        byte = data[at]
        if byte < 0x80:
            counts[scripts[byte]] += 1
            at += 1
        else:
            char, at = character(data, at, end)
            if char < 0x10000:
                counts[scripts[char]] += 1


@part
def _near(sums, counts, columns, scale):
    """Whether the group of close languages may be the answer: not far behind the best in any home."""
    for home in range(len(columns)):
        best = -1e300
        group = -1e300
        for column in range(columns.shape[1]):
            if columns[home, column] != -1:
                best = max(best, float(sums[home, column]))
            if columns[home, column] == -3:
                group = float(sums[home, column])
        if counts[home] > 0 and group >= best - REACH * sqrt(counts[home] + 1.0) / scale:
            return True
    return False


@part
def _collect(
    data, offsets, scripts, letters, seconds, homes, form, weights, columns, scale, sibling_letters, sibling_seconds,
    sibling_homes, sibling_form, sibling_words, sibling_runs, always, limits, last, rows, letter_counts, sums, counts,
    words, runs, run_counts, groups, seen_words, seen_runs,
):  # fmt: skip
    """All evidence about each text: letters, weights of features and, where they may matter, of close languages.

    ``form``: fewest, most, whether words count, bits; ``sibling_form``: bits of words, fewest, most, bits of runs, or
    nothing where the model knows no close languages. ``limits``: about how many features of each text, if any are given;
    ``groups``: the number of the page that each text is part of, from 1 on.
    """
    for text in range(len(offsets) - 1):
        begin = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        _count_letters(data, begin, end, scripts, letter_counts[text])
        at = begin
        done = np.int64(0)
        limit = np.int64(limits[text]) if len(limits) > 0 else NO_LIMIT
        while at < end and done < limit:
            room = rows[: min(len(rows), limit - done + 2 * LONGEST_RUN)]
            count, at = gather(
                data, at, end, letters, seconds, homes, form[0], form[1], form[2] > 0, form[3], last, room
            )
            add_rows(room, count, weights, sums, counts, text)
            done += count
        if len(sibling_form) == 0 or not (always or _near(sums[text], counts[text], columns, scale)):
            continue
        group = groups[text]
        stop = at
        at = begin
        while at < stop:
            count, at = gather(
                data, at, stop, sibling_letters, sibling_seconds, sibling_homes, 1, 0, True, sibling_form[0], last, rows
            )
            add_sibling_rows(rows, count, sibling_words, seen_words, group, words, text)
        at = begin
        while at < stop:
            count, at = gather(
                data, at, stop, sibling_letters, sibling_seconds, sibling_homes, sibling_form[1], sibling_form[2],
                False, sibling_form[3], last, rows,
            )  # fmt: skip
            run_counts[text, 0] += add_sibling_rows(rows, count, sibling_runs, seen_runs, group, runs, text)


@part
def warmth(count, knots, values):
    """What scores of a text with so many features are multiplied with: linear in the logarithm between knots."""
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
def _heated(score, count, knots, values):
    return score * warmth(count, knots, values)


@part
def _siblings(words, runs, count, script, members, allowed, knots, values, scales, whole, out):
    """Share a group's probability out among its members: Bosnian, Croatian, Serbian.

    Where Bosnian may not be answered, a model of the other two decides, which knows more texts of these.
    """
    bosnian = allowed[members[0]]
    croatian = allowed[members[1]] and (script != CYRILLIC or not (bosnian or allowed[members[2]]))
    serbian = allowed[members[2]]
    if not bosnian:
        share = 0.5
        if croatian and serbian:
            lead = scales[0] * words[3] + scales[1] * runs[3]
            share = 1.0 / (1.0 + exp(-max(min(_heated(lead, count, knots, values[0]), 700.0), -700.0)))
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
            score = _heated(scales[0] * words[member] + scales[1] * runs[member], count, knots, values[1])
            best = max(best, score)
    total = 0.0
    for turn in range(2):
        for member in range(3):
            if (member == 0) or (member == 1 and croatian) or (member == 2 and serbian):
                score = _heated(scales[0] * words[member] + scales[1] * runs[member], count, knots, values[1])
                if turn == 0:
                    total += exp(score - best)
                else:
                    out[members[member]] += whole * exp(score - best) / total


@part
def _east_asian(letters, first, languages, allowed, out):
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
def _posteriors(
    letters, sums, counts, words, runs, run_counts, home_of_class, columns, alone, east_asian, members,
    allowed, nothing_allowed, knots, values, sibling_values, scales, out, scripts,
):  # fmt: skip
    """Probability of each language for each text, and the class of its main script.

    ``columns``: language of each column of a home, −1 for unused ones, −2 for what is in no language, −3 for the group
    of close languages whose ``members`` are then told apart; ``alone``: the one language of a class of letters, or −1.
    The last column of ``out`` is the probability that the text is in no language. Sums are divided by the root of the
    number of features, as in learning, and multiplied by what makes probabilities right for texts of that length.
    """
    nothing = out.shape[1] - 1
    for text in range(len(letters)):
        mine = letters[text]
        main = 0
        most = 0
        for script in range(1, letters.shape[1]):
            if script != PARTICLE and mine[script] > most:
                main = script
                most = mine[script]
        east = 2 * (mine[HIRAGANA] + mine[KATAKANA] + mine[HAN] + mine[HANGUL] + mine[PARTICLE])
        if east > most:
            most = east // 2
            main = HIRAGANA
        if most < FEWEST_LETTERS and not (east > 1):
            scripts[text] = 0
            continue
        if east > 0 and main == HIRAGANA:
            scripts[text] = _east_asian(mine, main, east_asian, allowed, out[text])
            continue
        scripts[text] = main
        if alone[main] >= 0:
            if allowed[alone[main]]:
                out[text, alone[main]] = 1.0
            continue
        home = np.int64(home_of_class[main])
        if home < 0 or counts[text, home] == 0:
            continue
        count = np.int64(counts[text, home])
        factor = scales[2] * warmth(count, knots, values[home]) / sqrt(count + 1.0)
        best = -1e300
        total = 0.0
        for turn in range(3):
            for column in range(columns.shape[1]):
                language = columns[home, column]
                possible = (language >= 0 and allowed[language]) or (language == -2 and nothing_allowed)
                if language == -3:
                    possible = allowed[members[0]] or allowed[members[2]] or (allowed[members[1]] and main != CYRILLIC)
                if not possible:
                    continue
                score = sums[text, home, column] * factor
                if turn == 0:
                    best = max(best, score)
                elif turn == 1:
                    total += exp(score - best)
                elif language == -3:
                    _siblings(
                        words[text, 0], runs[text, 0], np.int64(run_counts[text, 0]), main, members, allowed, knots,
                        sibling_values, scales, exp(score - best) / total, out[text],
                    )  # fmt: skip
                else:
                    out[text, nothing if language == -2 else language] += exp(score - best) / total


@intrinsic
def _pointer(typing, address):
    """An address as a pointer."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(address), generate


@kernel(given(types.int64, 1), returns=types.void, slices=True)
def work(places):
    """Evidence, probabilities or both, as the last number says; the numbers are
    :data:`paberki.identification.methods.general.PLACES`, addresses for arrays.

    To take thirty arrays apart costs more than to identify a sentence; one array of numbers costs nothing.
    """
    texts, homes, width, classes, languages, knots = (
        places[3], places[13], places[11], places[35], places[41], places[44],
    )  # fmt: skip
    if places[49] & COLLECT:
        _collect(
            carray(_pointer(places[0]), places[1], np.uint8), carray(_pointer(places[2]), texts + 1, np.int32),
            carray(_pointer(places[4]), 0x10000, np.uint8), carray(_pointer(places[5]), 0x10000, np.uint16),
            carray(_pointer(places[6]), 0x10000, np.uint16), carray(_pointer(places[7]), 0x10000, np.int8),
            carray(_pointer(places[8]), 4, np.int64), carray(_pointer(places[9]), (places[10], width // 8), np.uint64),
            carray(_pointer(places[12]), (homes, width), np.int32), carray(_pointer(places[14]), 3, np.float64)[2],
            carray(_pointer(places[15]), 0x10000, np.uint16), carray(_pointer(places[16]), 0x10000, np.uint16),
            carray(_pointer(places[17]), 0x10000, np.int8), carray(_pointer(places[18]), places[19], np.int64),
            carray(_pointer(places[20]), (places[21], 4), np.int8), carray(_pointer(places[22]), (places[23], 4), np.int8),
            places[24] > 0, carray(_pointer(places[25]), texts if places[25] else 0, np.int32),
            carray(_pointer(places[26]), LONGEST_RUN, np.int64), carray(_pointer(places[27]), places[28], np.int32),
            carray(_pointer(places[29]), (texts, classes), np.int32),
            carray(_pointer(places[30]), (texts, homes, width), np.int32),
            carray(_pointer(places[31]), (texts, homes), np.int32), carray(_pointer(places[32]), (texts, 1, 4), np.int32),
            carray(_pointer(places[33]), (texts, 1, 4), np.int32), carray(_pointer(places[34]), (texts, 1), np.int32),
            carray(_pointer(places[50]), texts, np.int32), carray(_pointer(places[51]), places[21], np.int32),
            carray(_pointer(places[52]), places[23], np.int32),
        )  # fmt: skip
    if places[49] & DECIDE:
        _posteriors(
            carray(_pointer(places[29]), (texts, classes), np.int32),
            carray(_pointer(places[30]), (texts, homes, width), np.int32),
            carray(_pointer(places[31]), (texts, homes), np.int32), carray(_pointer(places[32]), (texts, 1, 4), np.int32),
            carray(_pointer(places[33]), (texts, 1, 4), np.int32), carray(_pointer(places[34]), (texts, 1), np.int32),
            carray(_pointer(places[36]), classes, np.int8), carray(_pointer(places[12]), (homes, width), np.int32),
            carray(_pointer(places[37]), classes, np.int32), carray(_pointer(places[38]), 3, np.int32),
            carray(_pointer(places[39]), 3, np.int32), carray(_pointer(places[40]), languages, np.uint8),
            places[42] > 0, carray(_pointer(places[43]), knots, np.float64),
            carray(_pointer(places[45]), (homes, knots), np.float64), carray(_pointer(places[46]), (2, knots), np.float64),
            carray(_pointer(places[14]), 3, np.float64),
            carray(_pointer(places[47]), (texts, languages + 1), np.float64), carray(_pointer(places[48]), texts, np.int32),
        )  # fmt: skip
