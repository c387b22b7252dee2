# mypy: ignore-errors
"""Everything that document rules measure, in one pass over the bytes of many texts, compiled: see
:mod:`paberki.quality.rules.document_rules`, which names the measures and holds the tables.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.characters_kernel import is_digit, is_letter, small
from paberki.kernels.kernel_types import reads, types, writes
from paberki.kernels.utf8_kernel import basic_character, character
from paberki.quality.rules.rule_characters import (
    ALONE,
    DIACRITIC,
    DIGIT,
    LETTER,
    LINE_END,
    LOWER,
    MARK,
    PUNCTUATION,
    RUN,
    SPACE,
    TERMINAL,
    UPPER,
    WORD,
)

(
    CHARS, SOLID, LETTERS, MARKED, DIACRITICS, PUNCTUATIONS, TOKENS, WORDS, WORD_CHARS, ALPHA_WORDS, HASHES, ELLIPSES,
    LINES, BULLET_LINES, ELLIPSIS_LINES, STOP_WORDS, PARTS, DUP_PARTS, DUP_PART_CHARS, PARAS, DUP_PARAS,
    DUP_PARA_CHARS, FULL_LINES, TERMINAL_LINES, SHORT_LINES, DUP_LINE_CHARS, NEWLINES, LONG_LINES, C4_LINES,
    C4_SENTENCES, C4_LOREM, C4_BRACKETS, C4_JAVASCRIPT, C4_POLICY, OSCAR_LINES, OSCAR_SHORT, OSCAR_HEAD, OSCAR_TAIL,
    TOP_2, TOP_3, TOP_4, DUP_5, DUP_6, DUP_7, DUP_8, DUP_9, DUP_10,
) = range(47)  # fmt: skip
COUNTS: Final = 47
SHORT_LINE: Final = 30
LONG_LINE: Final = 200
LONG_WORD: Final = 1000
OSCAR_SHORT_BYTES: Final = 400
OSCAR_EDGE_BYTES: Final = 100

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_BASE: Final = np.uint64(0xD6E8FEB86659FD93)
MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_PARAGRAPH: Final = np.uint64(0x5BD1E9955BD1E995)
SEED: Final = np.uint64(0xCBF29CE484222325)
_ONE: Final = np.uint64(1)
_SHIFT: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_NEWLINE: Final = 10
_BULLET: Final = 0x2022
_ELLIPSIS: Final = 0x2026
_LOREM: Final = 0
_JAVASCRIPT: Final = 1


@part
def _hash_char(hash_, char):
    hash_ = (hash_ ^ np.uint64(char)) * GOLDEN
    return hash_ ^ (hash_ >> _SHIFT)


@part
def _mix(x):
    x = (x ^ (x >> _SHIFT)) * MIX
    return x ^ (x >> _SHIFT)


@part
def _room(most, table):
    """Places of the table, less one, that so many keys need: a text that is short stays in the nearest memory."""
    places = 8
    while places < 2 * most and 2 * places < len(table):
        places *= 2
    return np.uint64(places - 1)


@part
def _slot(key, table, age, room):
    """Place of a key in the table, where it is or may be put: the key, then its age and count in one number.

    Keys of another age are not there any more, which saves clearing the table.
    """
    slot = _mix(key) & room
    while table[slot + slot + _ONE] >> _SHIFT == age and table[slot + slot] != key:
        slot = (slot + _ONE) & room
    return slot + slot


@part
def _count_key(key, table, age, room):
    """Place of a key in the table, which counts it."""
    slot = _slot(key, table, age, room)
    if table[slot + _ONE] >> _SHIFT != age:
        table[slot] = key
        table[slot + _ONE] = age << _SHIFT
    table[slot + _ONE] += _ONE
    return slot


@part
def _is_repeated(key, table, age, room):
    """Whether the key was there; it is afterwards."""
    return table[_count_key(key, table, age, room) + _ONE] & _LOW > _ONE


@part
def _class_at(data, at, end, classes):
    """Class of the character at an offset, without its value; 0 at the end."""
    if at >= end:
        return np.int64(SPACE)
    char, _ = character(data, at, end)
    return np.int64(classes[char]) if char < 0x10000 else np.int64(LETTER | WORD)


@part
def _sticks(char):
    """Signs that hang on to a word at its beginning or end, as in -x, /usr, .bashrc, a-"""
    return char == 45 or char == 46 or char == 47 or char == 92 or char == 124 or char == 94 or char == 64 or char == 43


@part
def _glues(char, before, after):
    """Whether a sign belongs to the word before it: 3.14, example.com, me@home, AT&T, covid-19, and/or-"""
    if before & WORD == 0:
        return False
    if after & SPACE:
        return char != 46 and _sticks(char)
    if after & WORD == 0:
        return False
    if before & DIGIT and after & DIGIT:
        return char == 46 or char == 44 or char == 58 or char == 47
    if char == 46:
        return not (before & LOWER and after & UPPER)
    if char == 45:
        return before & DIGIT != 0 or after & DIGIT != 0
    return char == 64 or char == 38


@part
def _address(data, at, end):
    """Whether an address begins here: http, https or www."""
    if at + 8 > end:
        return False
    if data[at] == 119:
        return data[at + 1] == 119 and data[at + 2] == 119 and data[at + 3] == 46
    if data[at] != 104 or data[at + 1] != 116 or data[at + 2] != 116 or data[at + 3] != 112:
        return False
    colon = at + 5 if data[at + 4] == 115 else at + 4
    return data[colon] == 58 and data[colon + 1] == 47


@part
def _word_follows(data, at, end, classes):
    """Whether a space and a word that begins with a letter of one or two bytes stand here, and no address."""
    if at + 3 > end or data[at] != 32:
        return False
    byte = np.int64(data[at + 1])
    if byte < 0x80:
        return is_letter(byte) and not ((byte == 104 or byte == 119) and _address(data, at + 1, end))
    letter, _ = basic_character(data, at + 1, end)
    return 0xC3 <= byte < 0xE0 and classes[letter] & LETTER != 0


@part
def _stop_bit(key, stop_keys, stop_numbers):
    """The bit of a stop word, 0 for others."""
    if len(stop_keys) > 1:
        place = np.int64(_mix(key) & np.uint64(len(stop_keys) - 1))
        while stop_keys[place] != 0:
            if stop_keys[place] == key:
                return _ONE << np.uint64(stop_numbers[place])
            place = (place + 1) & (len(stop_keys) - 1)
    return np.uint64(0)


@part
def _holds(data, first, last, phrases, edges, phrase):
    """Whether a stretch of bytes holds a phrase, whatever its case."""
    begin = edges[phrase]
    length = edges[phrase + 1] - begin
    for at in range(first, last - length + 1):
        same = True
        for step in range(length):
            if small(np.int64(data[at + step])) != phrases[begin + step]:
                same = False
                break
        if same:
            return True
    return False


@part
def _without_citations(data, first, last):
    """End of a line without [1], [edit] or [citation needed] after it."""
    while last > first and data[last - 1] == 93:
        at = last - 2
        digits = True
        while at >= first and last - at < 20 and data[at] != 91:
            digits = digits and is_digit(data[at])
            at -= 1
        if at < first or data[at] != 91:
            break
        length = last - at - 2
        word = (length == 4 and data[at + 1] == 101) or (length == 15 and data[at + 1] == 99)
        if not (digits or word):
            break
        last = at
    return last


@part
def _judge_line(data, first, last, words, sentences, long_word, suspect, phrases, edges, counts):
    """C4's rules for lines; ``first`` and ``last`` are the ends of the line without white space."""
    if long_word or last <= first:
        return
    whole = last
    last = _without_citations(data, first, last)
    if last <= first:
        return
    if last < whole and sentences > 1:
        sentences -= 1  # the citation after the full stop was taken for one
    end = data[last - 1]
    if not (end == 46 or end == 63 or end == 33 or end == 34 or end == 39):
        return
    if last - first >= 3 and end == 46 and data[last - 2] == 46 and data[last - 3] == 46:
        return
    if words < 3:
        return
    if suspect and _holds(data, first, last, phrases, edges, _LOREM):
        counts[C4_LOREM] += 1
    if suspect and _holds(data, first, last, phrases, edges, _JAVASCRIPT):
        counts[C4_JAVASCRIPT] += 1
        return
    for at in range(first, last):
        if data[at] == 123:
            counts[C4_BRACKETS] += 1
            break
    if suspect:
        for phrase in range(2, len(edges) - 1):
            if _holds(data, first, last, phrases, edges, phrase):
                counts[C4_POLICY] += 1
                return
    counts[C4_LINES] += 1
    counts[C4_SENTENCES] += sentences


@part
def _edges_of(lengths, count, counts):
    """Short lines in the first and the last fifth (OSCAR)."""
    edge = count // 5
    for line in range(edge):
        counts[OSCAR_HEAD] += lengths[line] < OSCAR_EDGE_BYTES
        counts[OSCAR_TAIL] += lengths[count - 1 - line] < OSCAR_EDGE_BYTES


@part
def _power(size):
    power = _ONE
    for _ in range(size):
        power *= _BASE
    return power


@part
def _count_grams(size, count, sums, chars, again, slots, table, age, room):
    """Mark in ``again`` the runs of ``size`` tokens that occur twice; characters of the most frequent one, times it.

    Only runs whose beginning occurs twice are looked at, which are few: ``again`` holds that of the size before.
    """
    power = _power(size)
    for at in range(count - size + 1):
        if again[at]:
            slots[at] = _count_key(sums[at + size] - sums[at] * power, table, age, room)
    best = np.int64(1)
    where = 0
    for at in range(count):
        if again[at] and at <= count - size:
            tally = np.int64(table[slots[at] + _ONE] & _LOW)
            if tally > best:
                best = tally
                where = at
            again[at] = tally > 1
        else:
            again[at] = 0
    return best * (chars[where + size] - chars[where] + size - 1) if count >= size else 0


@part
def _count_repeats(size, count, sums, chars, again, table, age, room):
    """Characters in runs of ``size`` tokens that were seen before, none counted twice."""
    power = _power(size)
    at = 0
    repeated_chars = 0
    while at <= count - size:
        step = 1
        if again[at] and _is_repeated(sums[at + size] - sums[at] * power, table, age, room):
            repeated_chars += chars[at + size] - chars[at]
            step = size
        at += step
    return repeated_chars


@part
def _repetition(count, sums, chars, again, slots, table, age, counts):
    """Gopher's shares of repeated runs; the last age that was used."""
    room = _room(count, table)
    for at in range(count):
        again[at] = 1
    for size in range(2, 5):
        age += _ONE
        counts[TOP_2 + size - 2] = _count_grams(size, count, sums, chars, again, slots, table, age, room)
    age += _ONE
    _count_grams(5, count, sums, chars, again, slots, table, age, room)
    some = False
    for at in range(count):
        some = some or again[at] != 0
    if some:
        for size in range(5, 11):
            age += _ONE
            counts[DUP_5 + size - 5] = _count_repeats(size, count, sums, chars, again, table, age, room)
    return age


@kernel(
    reads(types.uint8), reads(types.int32), reads(types.uint16), reads(types.uint64), reads(types.int8),
    reads(types.uint64), reads(types.boolean), reads(types.uint8), reads(types.int64), writes(types.uint64),
    writes(types.int32), writes(types.int8), writes(types.uint64), writes(types.int32), writes(types.uint64),
    writes(types.int64, 2),
    returns=types.void, slices=True,
)  # fmt: skip
def measure(
    data, offsets, classes, stop_keys, stop_numbers, salts, suspects, phrases, edges, sums, chars, again, slots,
    lengths, table, counts,
):  # fmt: skip
    """The counts of each text.

    ``stop_keys`` and ``stop_numbers`` are a table of stop words, each word's key mixed with the salt of its list;
    ``salts`` has that of each text's list. ``sums`` to ``table`` are room to work in.
    """
    age = np.uint64(0)
    most = len(again)
    for text in range(len(offsets) - 1):
        numbers = counts[text]
        age += _ONE
        first = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        room = _room(end - first, table)
        at = first
        count = 0
        entries = 0
        sums[0] = np.uint64(0)
        chars[0] = 0
        stops = np.uint64(0)
        token = SEED
        token_chars = 0
        token_alpha = False
        token_solid = False
        token_char = np.int64(0)
        tokens = 0
        words = 0
        word_chars = 0
        alpha_words = 0
        all_chars = 0
        solid = 0
        letters = 0
        prefix = False
        kind = 0  # 0 none, 1 word, 2 run of one sign, 3 address
        last_class = np.int64(SPACE)
        last_char = np.int64(_NEWLINE)
        seen_stop = False
        # the line as splitlines has it
        line_chars = 0
        line_solid_first = np.int64(-1)
        line_solid_end = first
        line_words = 0
        line_sentences = 0
        line_word_chars = 0
        line_long = False
        line_bullet = False
        dots = 0
        # the line between newlines
        part_hash = SEED
        part_chars = 0
        part_solid = False
        part_bytes = first
        part_last = np.int64(0)
        bare_lines = 0
        newline_run = False
        para_hash = SEED
        para_chars = 0
        para_solid = False
        going = True
        while going:
            here = at
            if at >= end:
                going = False
                char = np.int64(_NEWLINE)
                what = np.int64(SPACE | LINE_END)
            else:
                char, at = character(data, at, end)
                if char < 0x10000:
                    what = np.int64(classes[char])
                elif 0x1F000 <= char < 0x20000:
                    what = np.int64(PUNCTUATION)
                else:
                    what = np.int64(LETTER | WORD | (ALONE if char >= 0x20000 else 0))
                all_chars += 1

            # ---- tokens ----
            before = last_class
            joins = False
            if what & SPACE == 0:
                if kind == 3:
                    joins = True
                elif what & WORD:
                    joins = (kind == 1 or prefix) and what & ALONE == 0 and last_class & ALONE == 0
                    if joins:
                        kind = 1
                        prefix = False
                elif kind == 1:
                    joins = _glues(char, last_class, _class_at(data, at, end, classes))
                elif kind == 2:
                    joins = what & RUN != 0 and char == last_char
            if kind != 0 and not joins:
                if count < most:
                    sums[count + 1] = sums[count] * _BASE + _mix(token)
                    chars[count + 1] = chars[count] + token_chars
                    count += 1
                part_hash = _hash_char(part_hash, token)
                tokens += 1
                if token_solid:
                    words += 1
                    word_chars += token_chars
                alpha_words += token_alpha
                stop = token_chars == 1 and token_char < 0x10000 and classes[token_char] & TERMINAL != 0
                if stop:
                    seen_stop = True
                if line_sentences == 0 or (seen_stop and token_solid):
                    line_sentences += 1
                    seen_stop = stop
                if token_solid:
                    stops |= _stop_bit(token ^ salts[text], stop_keys, stop_numbers)
                kind = 0
            if what & SPACE == 0:
                if kind == 0:
                    token = SEED
                    token_chars = 0
                    token_alpha = False
                    token_solid = False
                    token_char = char
                    kind = 1
                    prefix = False
                    if what & WORD == 0:
                        kind = 2
                        prefix = before & WORD == 0 and _sticks(char)
                        # an apostrophe belongs to what follows: it 's
                        if (char == 39 or char == 0x2019) and last_class & LETTER:
                            if _class_at(data, at, end, classes) & LETTER:
                                kind = 1
                    elif (char == 104 or char == 119) and _address(data, here, end):
                        kind = 3
                token = _hash_char(token, char)
                token_chars += 1
                token_alpha = token_alpha or what & LETTER != 0
                token_solid = token_solid or what & PUNCTUATION == 0
            last_class = what

            # ---- characters ----
            if going:
                if what & SPACE == 0:
                    solid += 1
                    if what & LETTER:
                        letters += 1
                        if what & DIACRITIC:
                            numbers[DIACRITICS] += 1
                    elif what & PUNCTUATION:
                        numbers[PUNCTUATIONS] += 1
                        if char == 35:
                            numbers[HASHES] += 1
                        elif char == _ELLIPSIS:
                            numbers[ELLIPSES] += 1
                    elif what & MARK:
                        numbers[MARKED] += 1
                        if 0x300 <= char < 0x370:
                            numbers[DIACRITICS] += 1
                if char == 46:
                    dots += 1
                    if dots == 3:
                        numbers[ELLIPSES] += 1
                        dots = 0
                else:
                    dots = 0

            # ---- lines as splitlines has them ----
            if what & LINE_END:
                if line_word_chars > 0:
                    line_words += 1
                    line_long = line_long or line_word_chars > LONG_WORD
                    line_word_chars = 0
                if (going or line_chars > 0) and not (char == _NEWLINE and last_char == 13 and going):
                    numbers[LINES] += 1
                    if line_solid_first >= 0:
                        numbers[BULLET_LINES] += line_bullet
                        close = line_solid_end
                        has_dots = (
                            close - line_solid_first >= 3
                            and data[close - 1] == 46 and data[close - 2] == 46 and data[close - 3] == 46
                        )  # fmt: skip
                        lone = (
                            close - line_solid_first >= 3
                            and data[close - 1] == 0xA6 and data[close - 2] == 0x80 and data[close - 3] == 0xE2
                        )  # fmt: skip
                        numbers[ELLIPSIS_LINES] += has_dots or lone
                        _judge_line(
                            data, line_solid_first, line_solid_end, line_words, line_sentences, line_long,
                            suspects[text], phrases, edges, numbers,
                        )  # fmt: skip
                line_chars = 0
                line_solid_first = np.int64(-1)
                line_words = 0
                line_sentences = 0
                seen_stop = False
                line_long = False
            else:
                line_chars += 1
                if what & SPACE:
                    if line_word_chars > 0:
                        line_words += 1
                        line_long = line_long or line_word_chars > LONG_WORD
                        line_word_chars = 0
                else:
                    if line_solid_first < 0:
                        line_solid_first = here
                        line_bullet = char == _BULLET or char == 45
                    line_solid_end = at
                    line_word_chars += 1

            # ---- lines between newlines, paragraphs ----
            if char == _NEWLINE:
                if going:
                    numbers[NEWLINES] += 1
                if part_solid:
                    numbers[FULL_LINES] += 1
                    numbers[SHORT_LINES] += part_chars <= SHORT_LINE
                    numbers[TERMINAL_LINES] += part_last < 0x10000 and classes[part_last] & TERMINAL != 0
                numbers[LONG_LINES] += part_chars >= LONG_LINE
                if going or here > part_bytes:
                    length = here - part_bytes
                    numbers[OSCAR_LINES] += 1
                    numbers[OSCAR_SHORT] += length < OSCAR_SHORT_BYTES
                    if bare_lines < len(lengths):
                        lengths[bare_lines] = length
                        bare_lines += 1
                if not newline_run or (not going and part_chars == 0 and newline_run):
                    numbers[PARTS] += 1
                    if entries < most:
                        entries += 1
                        if _is_repeated(part_hash, table, age, room):
                            numbers[DUP_PARTS] += 1
                            numbers[DUP_PART_CHARS] += part_chars
                            if part_solid:
                                numbers[DUP_LINE_CHARS] += part_chars
                if part_chars > 0:
                    para_hash = _hash_char(para_hash, part_hash)
                    para_chars += part_chars + (para_chars > 0)
                    para_solid = para_solid or part_solid
                if para_solid and (newline_run or not going):
                    numbers[PARAS] += 1
                    if entries < most:
                        entries += 1
                        if _is_repeated(para_hash ^ _PARAGRAPH, table, age, room):
                            numbers[DUP_PARAS] += 1
                            numbers[DUP_PARA_CHARS] += para_chars
                if newline_run or not going:
                    para_hash = SEED
                    para_chars = 0
                    para_solid = False
                newline_run = True
                part_hash = SEED
                part_chars = 0
                part_solid = False
                part_bytes = at
            else:
                newline_run = False
                if what & SPACE:
                    part_hash = _hash_char(part_hash, char)
                part_chars += 1
                part_solid = part_solid or what & SPACE == 0
                part_last = char
            last_char = char

            # ---- words in letters of one or two bytes with one space between them, which most of a text is ----
            plain = kind == 1 and what & ALONE == 0 and going
            while plain:
                more = 0
                while at < end:
                    byte = np.int64(data[at])
                    if is_letter(byte):
                        last_char = byte
                        at += 1
                    elif 0xC3 <= byte < 0xE0 and at + 2 <= end:
                        letter, _ = character(data, at, end)
                        if classes[letter] & LETTER == 0:
                            break
                        numbers[DIACRITICS] += classes[letter] & DIACRITIC != 0
                        last_char = letter
                        at += 2
                    else:
                        break
                    token = _hash_char(token, last_char)
                    more += 1
                if more:
                    last_class = np.int64(classes[last_char])
                    token_chars += more
                    token_alpha = True
                    token_solid = True
                    all_chars += more
                    solid += more
                    letters += more
                    dots = 0
                    line_chars += more
                    line_solid_end = at
                    line_word_chars += more
                    part_chars += more
                    part_last = last_char
                plain = token_alpha and _word_follows(data, at, end, classes)
                if plain:
                    if count < most:
                        sums[count + 1] = sums[count] * _BASE + _mix(token)
                        chars[count + 1] = chars[count] + token_chars
                        count += 1
                    part_hash = _hash_char(_hash_char(part_hash, token), 32)
                    tokens += 1
                    words += 1
                    word_chars += token_chars
                    alpha_words += 1
                    if line_sentences == 0 or seen_stop:
                        line_sentences += 1
                        seen_stop = False
                    stops |= _stop_bit(token ^ salts[text], stop_keys, stop_numbers)
                    all_chars += 1
                    line_chars += 1
                    line_words += 1
                    line_long = line_long or line_word_chars > LONG_WORD
                    line_word_chars = 0
                    part_chars += 1
                    at += 1
                    token = SEED
                    token_chars = 0
                    token_char = np.int64(0)  # a letter, whichever: it ends no sentence

        numbers[TOKENS] = tokens
        numbers[WORDS] = words
        numbers[WORD_CHARS] = word_chars
        numbers[ALPHA_WORDS] = alpha_words
        numbers[CHARS] = all_chars
        numbers[SOLID] = solid
        numbers[LETTERS] = letters
        number = 0
        while stops != 0:
            number += 1
            stops &= stops - _ONE
        numbers[STOP_WORDS] = number
        _edges_of(lengths, bare_lines, numbers)
        age = _repetition(count, sums, chars, again, slots, table, age, numbers)
