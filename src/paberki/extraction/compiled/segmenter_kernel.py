# mypy: ignore-errors
"""The compiled half of segmentation: one pass over the bytes of a page, from tokens to blocks.

This is :func:`paberki.extraction.html.segmenter.segment` (read that first) together with the tokenizer of the HTML standard
(§13.2.5), collapsing of white space, resolution of character references and tag paths. All results go to arrays that
the caller has made: see :mod:`paberki.extraction.compiled.harvest`, which also turns them into Arrow columns.

Some functions are long and pass state in an array of numbers instead of objects: in compiled code every Python object
would cost more than the work itself. Nothing recurses, no loop looks twice at a byte for more than a constant number of
times, and every write is preceded by a check of the room that is left: :data:`ROOM_ENDS` asks for larger arrays.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from paberki.extraction.compiled.bits_kernel import zeros_below
from paberki.extraction.compiled.kernel_layout import (
    ATTRIBUTES,
    BASE,
    BLOCK_COUNT,
    CANONICAL,
    CHARS,
    DESCRIPTION,
    DOCTYPE,
    DONE,
    ELEMENT,
    ELEMENT_COUNT,
    ELEMENT_PATH,
    ELEMENT_TAG,
    ELEMENTS_GROW,
    END,
    EVERY_TAG,
    FIRST_BLOCK,
    FIRST_CHAR,
    HEAD_AT,
    HREF_AT,
    HREF_END,
    KEYWORDS,
    LANGUAGE,
    LAST_CHAR,
    LINK_CHARS,
    LINK_COUNT,
    LINK_END,
    LINK_START,
    LINK_TEXT_AT,
    LINK_TEXT_END,
    MARK,
    MARKS,
    MARKUP,
    PAGE_ENDS,
    PARENT,
    PATH,
    PATH_AT,
    PATH_COUNT,
    PATH_END,
    PATH_HASH,
    PATH_RUN,
    PATHS_GROW,
    REL_AT,
    REL_END,
    ROOM_ENDS,
    RUN,
    SHORT_PATHS,
    STACK_DEPTH,
    STACK_ROWS,
    START,
    STATE_FIELDS,
    TAG,
    TAG_COUNT,
    TEXT_AT,
    TEXT_END,
    TITLE,
    WORDS,
)  # fmt: skip
from paberki.extraction.compiled.tag_tables import (
    CLOSED,
    CONTENT,
    FIRST_LETTERS,
    HASH,
    HOLDS_NOTHING,
    KIND,
    NAME,
    NAME_LENGTH,
    OWN_BIT,
    PART,
    PLAINTEXT,
    RCDATA,
    SCRIPT,
    SLOTS,
    WALL,
    WALL_OR_PART,
)  # fmt: skip
from paberki.extraction.html.collector import BLOCK_LIMIT, LINK_LIMIT
from paberki.extraction.html.elements import Kind
from paberki.extraction.html.open_elements import _SEARCH_LIMIT as _CLOSE_LIMIT
from paberki.extraction.html.tag_paths import _TAIL_CHARS as _PATH_TAIL
from paberki.extraction.html.tag_paths import PATH_CHARS as _PATH_CHARS
from paberki.kernels import kernel, part
from paberki.kernels.byte_names import (
    AMPERSAND,
    APOSTROPHE,
    BLANK,
    CARRIAGE_RETURN,
    COLON,
    COMMA,
    CONTINUATION,
    CONTINUATION_MASK,
    DASH,
    EQUALS,
    EXCLAMATION,
    FIRST_NOT_ASCII,
    FIRST_OF_FOUR,
    FIRST_OF_THREE,
    FIRST_SURROGATE,
    FORM_FEED,
    GREATER,
    LAST_CHARACTER,
    LAST_SURROGATE,
    LESS,
    LINE_FEED,
    LOWER_A,
    LOWER_D,
    LOWER_F,
    LOWER_X,
    NUMBER_SIGN,
    QUESTION,
    QUOTE,
    SEMICOLON,
    SLASH,
    TAB,
)
from paberki.kernels.characters_kernel import is_digit, is_letter, is_space, small
from paberki.kernels.hash_constants import FNV_PRIME, FNV_START_SIGNED
from paberki.kernels.utf8_kernel import character

# Fields of the state that last as long as a page; those of a batch come before them (see layout).
(
    _CHARS, _SPACES, _GAP, _FIRST, _LAST, _LINK_OPEN, _LINK_CHARS, _LINK_FIRST, _LINK_GAP, _LINK_FROM, _TOKEN_GAP,
    _TOKEN_ANY, _SEEN, _HREF_END, _REL_END, _TAG_COUNT, _LINK_LIMIT_AT, _BLOCK_LIMIT_AT, _SELF_CLOSING, _PATH_BYTES,
    _LINK_PIECE, _LINK_BEST_FIRST, _LINK_BEST_LAST, _MARKUP, _MARKUP_BEFORE, _MARKUP_WITHIN, _MARKUP_DONE, _NEXT,
) = range(13, 41)  # fmt: skip
assert STATE_FIELDS == _NEXT + 1

# A page whose paths take more than this and four times its size is read again with paths of at most 64 characters.
_PATH_BYTES_MOST: Final = 1 << 22
_SHORT_CHARS, _SHORT_TAIL = 64, 40

# Rows of the stack.
_TAG, _HIDDEN, _PATH, _ELEMENT, _ID_FROM, _ID_TO, _CLASS_FROM, _CLASS_TO, _MARK = range(STACK_ROWS)

# Attributes that matter, by number.
(
    _A_ID, _A_CLASS, _A_STYLE, _A_HIDDEN, _A_HREF, _A_REL, _A_LANG, _A_XML_LANG, _A_NAME, _A_EQUIV, _A_CONTENT,
    _A_ROLE, _A_ITEMPROP,
) = range(ATTRIBUTES)  # fmt: skip


def _pack_name(name: str) -> int:
    return int.from_bytes(name.encode(), "big")


_P_ID, _P_REL, _P_HREF, _P_LANG, _P_NAME = (_pack_name(name) for name in ("id", "rel", "href", "lang", "name"))
_P_CLASS, _P_STYLE, _P_HIDDEN, _P_CONTENT = (_pack_name(name) for name in ("class", "style", "hidden", "content"))
_P_XML_LANG, _P_EQUIV_END = _pack_name("xml:lang"), _pack_name("tp-equiv")
_P_ROLE, _P_ITEMPROP = _pack_name("role"), _pack_name("itemprop")

_K_BLOCK, _K_BREAK, _K_ANCHOR, _K_RAW = int(Kind.BLOCK), int(Kind.BREAK), int(Kind.ANCHOR), int(Kind.RAW)
_K_TRANSPARENT, _K_TITLE, _K_HEAD, _K_SPACE = (
    int(Kind.TRANSPARENT), int(Kind.TITLE), int(Kind.HEAD), int(Kind.SPACE),
)  # fmt: skip

_UNTIL_FOUND = np.frombuffer(b"until-found", np.uint8)
_DISPLAY, _NONE = np.frombuffer(b"display", np.uint8), np.frombuffer(b"none", np.uint8)
_W_KEYWORDS, _W_DESCRIPTION = np.frombuffer(b"keywords", np.uint8), np.frombuffer(b"description", np.uint8)
_W_LANGUAGE, _W_CANONICAL = np.frombuffer(b"content-language", np.uint8), np.frombuffer(b"canonical", np.uint8)
_W_HTML, _W_BASE = np.frombuffer(b"html", np.uint8), np.frombuffer(b"base", np.uint8)
_W_LINK, _W_META = np.frombuffer(b"link", np.uint8), np.frombuffer(b"meta", np.uint8)
_W_DOCTYPE = np.frombuffer(b"doctype", np.uint8)


def _words_in_rows(words: list[str]) -> Any:
    rows = np.zeros((len(words), 16), np.uint8)
    for row, word in zip(rows, words, strict=True):
        row[: len(word)] = np.frombuffer(word.encode(), np.uint8)
    return rows


_MARK_WORDS: Final = _words_in_rows([word for _, word in MARKS])
_MARK_LENGTHS: Final = np.array([len(word) for _, word in MARKS], np.int64)
_MARK_ATTRIBUTES: Final = np.array([{"itemprop": _A_ITEMPROP, "role": _A_ROLE}[name] for name, _ in MARKS], np.int64)

# References to 0x80 .. 0x9F mean windows-1252 (HTML standard, numeric character reference end state).
_C1 = np.array(
    [0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
     0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
     0x017E, 0x0178], np.int32,
)  # fmt: skip

# Classes of bytes of text: what ends a stretch that can be copied as it is.
_COPY, _SPACE, _AMPERSAND, _LESS, _NUL, _LEAD = range(6)


def _byte_classes() -> Any:
    classes = np.zeros(256, np.uint8)
    classes[[9, 10, 11, 12, 13, 28, 29, 30, 31, 32]] = _SPACE
    classes[ord("&")], classes[ord("<")], classes[0] = _AMPERSAND, _LESS, _NUL
    classes[[0xC2, 0xE1, 0xE2, 0xE3]] = _LEAD  # white space outside ASCII begins with one of these
    return classes


def _crc_table() -> Any:
    rows = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        rows = np.where(rows & 1, (rows >> 1) ^ np.uint32(0xEDB88320), rows >> 1).astype(np.uint32)
    return rows.astype(np.int64)


_CLASSES: Final = _byte_classes()
_CRC: Final = _crc_table()

_BLANK, _DOT, _UNDERSCORE = np.int64(32), np.int64(46), np.int64(95)
_ZERO: Final = np.int64(0)  # typed, since a plain 0 would make numba compile a function once more
_ONES: Final = np.uint64(0x0101010101010101)
_HIGH_BITS: Final = np.uint64(0x8080808080808080)
_UNKNOWN: Final = 1 << 62  # numbers of tags that are in no table have this bit

_BYTES = types.Array(types.uint8, 1, "C")
_SOURCE = types.Array(types.uint8, 1, "C", readonly=True)
_INTS = types.Array(types.int32, 1, "C")
_INTS_2 = types.Array(types.int32, 2, "C")
_LONGS = types.Array(types.int64, 1, "C")
_LONGS_2 = types.Array(types.int64, 2, "C")


@part
def _is_blank(byte):
    """White space between attributes; narrower than white space of texts."""
    return byte == BLANK or byte == LINE_FEED or byte == TAB or byte == CARRIAGE_RETURN or byte == FORM_FEED


@intrinsic
def _eight_bytes(typing, source, at):
    """Eight bytes of the page from an offset on, as one number; numba itself reads numbers at multiples of eight only."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        place = builder.bitcast(place, ir.IntType(64).as_pointer())
        number = builder.load(place)
        number.align = 1
        return number

    return types.uint64(source, types.int64), generate


@part
def _find(source, at, byte):
    """Offset of the next such byte, or the end of the page: eight bytes at a time, since most of a page is passed over.

    A byte is zero where it equals the one looked for; the lowest zero byte is the lowest high bit that stays.
    """
    n = len(source)
    pattern = np.uint64(byte) * _ONES
    while at + 8 <= n:
        differs = _eight_bytes(source, at) ^ pattern
        zero = (differs - _ONES) & ~differs & _HIGH_BITS
        if zero != 0:
            return at + np.int64(zeros_below(zero) >> np.uint64(3))
        at += 8
    while at < n and source[np.uint64(at)] != byte:
        at += 1
    return at


@part
def _characters(source, begin, end):
    """Number of characters from one offset to another: bytes that do not go on with a character."""
    count = np.int64(0)
    at = begin
    while at + 8 <= end:
        word = _eight_bytes(source, at)
        going_on = (word & ~(word << np.uint64(1)) & _HIGH_BITS) >> np.uint64(7)
        if going_on == 0:
            count += 8
        else:
            count += 8 - np.int64((going_on * _ONES) >> np.uint64(56))
        at += 8
    while at < end:
        count += (source[np.uint64(at)] & CONTINUATION_MASK) != CONTINUATION
        at += 1
    return count


@part
def _put(buffer, at, char):
    """Write a character as UTF-8; the caller has made sure of four bytes of room."""
    if char < FIRST_NOT_ASCII:
        buffer[at] = char
        return at + 1
    if char < FIRST_OF_THREE:
        buffer[at] = 0xC0 | (char >> 6)
        buffer[at + 1] = 0x80 | (char & 0x3F)
        return at + 2
    if char < FIRST_OF_FOUR:
        buffer[at] = 0xE0 | (char >> 12)
        buffer[at + 1] = 0x80 | ((char >> 6) & 0x3F)
        buffer[at + 2] = 0x80 | (char & 0x3F)
        return at + 3
    buffer[at] = 0xF0 | (char >> 18)
    buffer[at + 1] = 0x80 | ((char >> 12) & 0x3F)
    buffer[at + 2] = 0x80 | ((char >> 6) & 0x3F)
    buffer[at + 3] = 0x80 | (char & 0x3F)
    return at + 4


@part
def _numeric_reference(source, at, end):
    """The reference that begins with ``&#`` at ``at``: offset after it (``at`` if it is none) and its character."""
    i = at + 2
    value = np.int64(0)
    base = 10
    if i < end and (source[np.uint64(i)] | 32) == LOWER_X:
        base = 16
        i += 1
    first = i
    while i < end:
        byte = np.int64(source[np.uint64(i)])
        if is_digit(byte):
            digit = byte - 48
        elif base == 16 and LOWER_A <= (byte | 32) <= LOWER_F:
            digit = (byte | 32) - 87
        else:
            break
        if value <= LAST_CHARACTER:
            value = value * base + digit
        i += 1
    if i == first:
        return at, np.int64(0)
    if i < end and source[np.uint64(i)] == SEMICOLON:
        i += 1
    if value == 0 or value > LAST_CHARACTER or FIRST_SURROGATE <= value <= LAST_SURROGATE:
        value = np.int64(0xFFFD)
    elif FIRST_NOT_ASCII <= value <= 0x9F:
        value = np.int64(_C1[value - 0x80])
    return i, value


@part
def _reference(source, at, end, in_attribute, trie):
    """The character reference at an ampersand: offset after it (``at`` if it is none), one or two characters."""
    i = at + 1
    none = _ZERO
    if i >= end:
        return at, none, none
    if source[np.uint64(i)] == NUMBER_SIGN:
        after, char = _numeric_reference(source, at, end)
        return after, char, none
    byte = source[np.uint64(i)]
    if byte >= FIRST_LETTERS or trie[1 + byte, 2] != byte or byte == 0:
        return at, none, none
    node = 1 + np.int64(byte)  # no name has one letter
    i += 1
    longest_match = -1
    found_end = at
    while i < end:
        byte = source[np.uint64(i)]
        node = np.int64(trie[node, 0])
        while node > 0 and trie[node, 2] != byte:
            node = np.int64(trie[node, 1])
        if node == 0:
            break
        i += 1
        if trie[node, 3] > 0:
            longest_match = node
            found_end = i
    if longest_match < 0:
        return at, none, none
    if in_attribute and source[np.uint64(found_end - 1)] != SEMICOLON and found_end < end:
        byte = source[np.uint64(found_end)]
        if byte == EQUALS or is_digit(byte) or is_letter(byte):
            return at, none, none
    return found_end, np.int64(trie[longest_match, 3]), np.int64(trie[longest_match, 4])


@part
def _value_char(source, at, end, trie):
    """Next character or two of an attribute value and the offset after them, as the standard reads values."""
    byte = source[np.uint64(at)]
    none = np.int64(0)
    if byte == AMPERSAND:
        after, char, second = _reference(source, at, end, True, trie)
        if after > at:
            return after, char, second
        return at + 1, np.int64(38), none
    if byte == CARRIAGE_RETURN:
        if at + 1 < end and source[np.uint64(at + 1)] == LINE_FEED:
            return at + 2, np.int64(10), none
        return at + 1, np.int64(10), none
    if byte == 0:
        return at + 1, np.int64(0xFFFD), none
    char, after = character(source, at, end)
    return after, char, none


@part
def _put_value(source, begin, end, buffer, at, trie):
    """Write an attribute value, references resolved; the new end of the buffer, or -1 when it is full."""
    limit = len(buffer) - 8
    i = begin
    while i < end:
        if at > limit:
            return -1
        byte = source[np.uint64(i)]
        if byte != AMPERSAND and byte != CARRIAGE_RETURN and byte != 0:
            buffer[at] = byte
            at += 1
            i += 1
        else:
            i, char, second = _value_char(source, i, end, trie)
            at = _put(buffer, at, char)
            if second > 0:
                at = _put(buffer, at, second)
    return at


@part
def _put_words(source, begin, end, buffer, at, trie, state, joint, arrows, edges):
    """Write a value, stretches of white space as one ``joint``; leaves its first and last offset in the state.

    With ``arrows`` a ``>``, which divides the steps of a path, counts as white space; with ``edges`` it leaves a joint
    at the ends too, where white space leaves none. -1 when the buffer is full.
    """
    limit = len(buffer) - 16
    start = at
    gap = after_markup = False
    i = begin
    while i < end:
        if at > limit:
            return -1
        here = i
        i, char, second = _value_char(source, i, end, trie)
        for turn in range(2):
            if turn == 1:
                if second == 0:
                    break
                char = second
            if is_space(char) or (arrows and char == GREATER):
                gap = True
                after_markup = after_markup or (edges and char == GREATER)
                continue
            if at == start:
                state[_NEXT] = here
            if gap and (at > start or after_markup):
                buffer[at] = joint
                at += 1
            gap = after_markup = False
            at = _put(buffer, at, char)
            state[_SEEN] = i
    if after_markup:
        buffer[at] = joint
        at += 1
    return at


@part
def _skip_spaces(buffer, at, end):
    while at < end:
        char, after = character(buffer, at, end)
        if not is_space(char):
            break
        at = after
    return at


@part
def _strip(buffer, begin, end):
    """Offsets of a text without white space around it."""
    begin = _skip_spaces(buffer, begin, end)
    while end > begin:
        at = end - 1
        while at > begin and (buffer[at] & CONTINUATION_MASK) == CONTINUATION:
            at -= 1
        char, _ = character(buffer, at, end)
        if not is_space(char):
            break
        end = at
    return begin, end


@part
def _says(buffer, begin, end, word):
    """Whether a stretch is this word, in capitals or not."""
    if end - begin != len(word):
        return False
    for i in range(len(word)):
        if small(buffer[begin + i]) != word[i]:
            return False
    return True


@part
def _has_word(buffer, begin, end, word):
    """Whether one of the words between white space is this one."""
    i = begin
    while i < end:
        char, after = character(buffer, i, end)
        if is_space(char):
            i = after
            continue
        first = i
        while i < end:
            char, after = character(buffer, i, end)
            if is_space(char):
                break
            i = after
        if _says(buffer, first, i, word):
            return True
    return False


@part
def _display_none(buffer, end):
    """Whether a style says display:none."""
    for i in range(end - 11):
        if (buffer[i] | 32) == LOWER_D and _says(buffer, i, i + 7, _DISPLAY):
            at = _skip_spaces(buffer, i + 7, end)
            if at < end and buffer[at] == COLON:
                at = _skip_spaces(buffer, at + 1, end)
                if at + 4 <= end and _says(buffer, at, at + 4, _NONE):
                    return True
    return False


@part
def _hides(source, attributes, spans, scratch, trie):
    """Whether the attributes of the tag take its element off the screen."""
    if attributes & (1 << _A_HIDDEN):
        end = _put_value(source, spans[_A_HIDDEN, 0], spans[_A_HIDDEN, 1], scratch, _ZERO, trie)
        same = end == len(_UNTIL_FOUND)
        if same:
            for i in range(end):
                if scratch[i] != _UNTIL_FOUND[i]:
                    same = False
        if not same:
            return True
    if attributes & (1 << _A_STYLE):
        end = _put_value(source, spans[_A_STYLE, 0], spans[_A_STYLE, 1], scratch, _ZERO, trie)
        return _display_none(scratch, end)
    return False


@part
def _attribute_number(key, length, first):
    """Number of an attribute from its packed name; -1 for all that do not matter."""
    if length == 2:
        if key == _P_ID:
            return _A_ID
    elif length == 3:
        if key == _P_REL:
            return _A_REL
    elif length == 4:
        if key == _P_HREF:
            return _A_HREF
        if key == _P_LANG:
            return _A_LANG
        if key == _P_NAME:
            return _A_NAME
        if key == _P_ROLE:
            return _A_ROLE
    elif length == 5:
        if key == _P_CLASS:
            return _A_CLASS
        if key == _P_STYLE:
            return _A_STYLE
    elif length == 6:
        if key == _P_HIDDEN:
            return _A_HIDDEN
    elif length == 7:
        if key == _P_CONTENT:
            return _A_CONTENT
    elif length == 8:
        if key == _P_XML_LANG:
            return _A_XML_LANG
        if key == _P_ITEMPROP:
            return _A_ITEMPROP
    elif length == 10 and key == _P_EQUIV_END and first == 104 * 256 + 116:
        return _A_EQUIV
    return -1


@part
def _read_attributes(source, at, state, spans):
    """Attributes from behind the name of a tag on. The offset behind the tag, or -1 when the page ends before.

    Which attributes were seen goes to the state, where their values are to ``spans``; the first of a name counts.
    """
    n = len(source)
    attributes = 0
    self_closing = 0
    i = at
    while i < n:
        byte = source[np.uint64(i)]
        if byte == GREATER:
            state[_SEEN] = attributes
            state[_SELF_CLOSING] = self_closing
            return i + 1
        if byte == SLASH:
            self_closing = 1  # holds if the tag ends right here
            i += 1
            continue
        self_closing = 0
        if _is_blank(byte):
            i += 1
            continue
        key = np.int64(0)
        first = i
        while i < n:
            byte = source[np.uint64(i)]
            if byte == GREATER or byte == SLASH or (byte == EQUALS and i > first) or _is_blank(byte):
                break
            key = (key << 8) | np.int64(small(byte))
            i += 1
        length = i - first
        number = -1
        if length <= 10:
            head = 0
            if length == 10:
                head = (np.int64(source[np.uint64(first)]) | 32) * 256 + (np.int64(source[np.uint64(first + 1)]) | 32)
            number = _attribute_number(key, length, head)
        while i < n and _is_blank(source[np.uint64(i)]):
            i += 1
        if i >= n:
            return -1
        begin = end = i
        if source[np.uint64(i)] == EQUALS:
            i += 1
            while i < n and _is_blank(source[np.uint64(i)]):
                i += 1
            if i >= n:
                return -1
            quote = source[np.uint64(i)]
            if quote == QUOTE or quote == APOSTROPHE:
                i += 1
                begin = i
                i = _find(source, i, quote)
                if i >= n:
                    return -1
                end = i
                i += 1
            else:
                begin = i
                while i < n and source[np.uint64(i)] != GREATER and not _is_blank(source[np.uint64(i)]):
                    i += 1
                end = i
        if number >= 0 and not attributes & (1 << number):
            attributes |= 1 << number
            spans[number, 0] = begin
            spans[number, 1] = end
    return -1


@part
def _tag_number(source, begin, end, key, tags, slots):
    """Number of a tag in the table, or a hash of its name with a bit that no number has."""
    slot = key & (SLOTS - 1)
    while True:
        number = np.int64(slots[slot])
        if number < 0:
            return (key & (_UNKNOWN - 1)) | _UNKNOWN
        if tags[number, HASH] == key and tags[number, NAME_LENGTH] == end - begin:
            same = True
            for i in range(end - begin):
                if tags[number, NAME + i] != small(source[np.uint64(begin + i)]):
                    same = False
            if same:
                return number
        slot = (slot + 1) & (SLOTS - 1)


@part
def _text_end(source, at):
    """Where the text ends that begins here: at the next markup that makes a token, or at the end of the page."""
    n = len(source)
    i = at
    while i < n:
        i = _find(source, i, 60)
        if i + 1 >= n:
            return n
        byte = source[np.uint64(i + 1)]
        if is_letter(byte) or byte == EXCLAMATION or byte == QUESTION:
            return i
        if byte == SLASH:
            if i + 2 >= n:
                return n
            if source[np.uint64(i + 2)] != GREATER:
                return i
            i += 3
        else:
            i += 1
    return n


@part
def _after_markup(source, at):
    """Offset behind the comment, document type or processing instruction that begins at ``at`` with ``<``."""
    n = len(source)
    i = at + 2
    if (
        source[np.uint64(at + 1)] == EXCLAMATION
        and i + 1 < n
        and source[np.uint64(i)] == DASH
        and source[np.uint64(i + 1)] == DASH
    ):
        i += 2
        if i < n and source[np.uint64(i)] == GREATER:
            return i + 1
        if i + 1 < n and source[np.uint64(i)] == DASH and source[np.uint64(i + 1)] == GREATER:
            return i + 2
        i = _find(source, i + 2, 62) - 2
        while i + 2 < n:
            if source[np.uint64(i)] == DASH and source[np.uint64(i + 1)] == DASH:
                return i + 3
            if (
                source[np.uint64(i + 1)] == EXCLAMATION
                and i - 1 >= at + 4
                and source[np.uint64(i)] == DASH
                and source[np.uint64(i - 1)] == DASH
            ):
                return i + 3
            i = _find(source, i + 3, 62) - 2
        return n
    return min(_find(source, i, 62) + 1, n)


@part
def _names_tag(source, at, tags, tag):
    """Whether a tag name is here, in capitals or not, with something behind it that ends a name."""
    length = tags[tag, NAME_LENGTH]
    if at + length >= len(source):
        return False
    for i in range(length):
        if small(source[np.uint64(at + i)]) != tags[tag, NAME + i]:
            return False
    byte = source[np.uint64(at + length)]
    return byte == GREATER or byte == SLASH or _is_blank(byte)


@part
def _raw_end(source, at, tags, tag):
    """Where the end tag of an element with raw content begins; the end of the page when there is none."""
    n = len(source)
    i = _find(source, at, 60)
    while i < n:
        if i + 1 < n and source[np.uint64(i + 1)] == SLASH and _names_tag(source, i + 2, tags, tag):
            return i
        i = _find(source, i + 1, 60)
    return n


@part
def _script_end(source, at, tags, tag):
    """The same for a script, where ``<!--<script>`` protects an end tag (script data escaped states)."""
    n = len(source)
    escape = 0
    i = at
    while i < n:
        if escape == 0:
            i = _find(source, i, 60)
            if i >= n:
                return n
        byte = source[np.uint64(i)]
        if byte == LESS and i + 1 < n:
            following = source[np.uint64(i + 1)]
            if following == SLASH:
                if _names_tag(source, i + 2, tags, tag):
                    if escape < 2:
                        return i
                    escape = 1
                    i += 8
                    continue
            elif escape == 0:
                if (
                    following == EXCLAMATION
                    and i + 3 < n
                    and source[np.uint64(i + 2)] == DASH
                    and source[np.uint64(i + 3)] == DASH
                ):
                    escape = 1
                    i += 2
                    continue
            elif escape == 1 and _names_tag(source, i + 1, tags, tag):
                escape = 2
                i += 7
                continue
        elif (
            byte == DASH
            and escape
            and i + 2 < n
            and source[np.uint64(i + 1)] == DASH
            and source[np.uint64(i + 2)] == GREATER
        ):
            escape = 0
            i += 2
        i += 1
    return n


@part
def _last_end_tag(source, tags, tag):
    """Offset of the last ``</name`` or ``</NAME``, -1 for none."""
    length = tags[tag, NAME_LENGTH]
    for i in range(len(source) - length - 2, -1, -1):
        if source[np.uint64(i)] == LESS and source[np.uint64(i + 1)] == SLASH:
            small = capital = True
            for k in range(length):
                byte = source[np.uint64(i + 2 + k)]
                if byte != tags[tag, NAME + k]:
                    small = False
                if byte != tags[tag, NAME + k] - 32:
                    capital = False
            if small or capital:
                return i
    return -1


@part
def _begin_piece(state, text, link_text, here):
    """Spaces before a piece of text that is not white space."""
    state[_MARKUP_WITHIN] = state[_MARKUP]
    if state[_CHARS] == 0:
        state[_FIRST] = here
        state[_MARKUP_BEFORE] = state[_MARKUP]
    elif state[_GAP]:
        text[state[TEXT_AT]] = 32
        state[TEXT_AT] += 1
        state[_CHARS] += 1
        state[_SPACES] += 1
    state[_GAP] = 0
    if state[_LINK_OPEN]:
        if state[LINK_TEXT_AT] == state[_LINK_PIECE]:
            state[_LINK_FIRST] = here
        elif state[_LINK_GAP]:
            link_text[state[LINK_TEXT_AT]] = 32
            state[LINK_TEXT_AT] += 1
        state[_LINK_GAP] = 0
        if state[_TOKEN_GAP] and state[_TOKEN_ANY]:
            state[_LINK_CHARS] += 1
    state[_TOKEN_GAP] = 0
    state[_TOKEN_ANY] = 1


@part
def _put_char(state, text, link_text, char, here, after):
    """One character that came from a reference, or one that may be white space."""
    if is_space(char):
        state[_GAP] = state[_LINK_GAP] = state[_TOKEN_GAP] = 1
        return
    _begin_piece(state, text, link_text, here)
    state[TEXT_AT] = _put(text, state[TEXT_AT], char)
    state[_CHARS] += 1
    if state[_LINK_OPEN]:
        state[LINK_TEXT_AT] = _put(link_text, state[LINK_TEXT_AT], char)
        state[_LINK_CHARS] += 1
    state[_LAST] = after


@part
def _put_text(source, begin, end, content, state, text, link_text, trie):
    """One text token: to the text of the block and, inside an anchor, to that of the link. False when a buffer is full.

    ``content`` is how the tokenizer reads it: 0 for text between tags, where ``</>`` vanishes.
    """
    state[_TOKEN_GAP] = state[_TOKEN_ANY] = 0
    text_limit, link_limit = len(text) - 16, len(link_text) - 16
    i = begin
    while i < end:
        if state[TEXT_AT] > text_limit or state[LINK_TEXT_AT] > link_limit:
            return False
        what = _CLASSES[source[np.uint64(i)]]
        if what == _SPACE:
            state[_GAP] = state[_LINK_GAP] = state[_TOKEN_GAP] = 1
            i += 1
            while i < end and _CLASSES[source[np.uint64(i)]] == _SPACE:
                i += 1
        elif what == _AMPERSAND and (content == 0 or content == RCDATA):
            after, char, second = _reference(source, i, end, False, trie)
            if after == i:
                after, char = i + 1, np.int64(38)
            _put_char(state, text, link_text, char, i, after)
            if second > 0:
                _put_char(state, text, link_text, second, i, after)
            i = after
        elif (
            what == _LESS
            and content == 0
            and i + 2 < end
            and source[np.uint64(i + 1)] == SLASH
            and source[np.uint64(i + 2)] == GREATER
        ):
            i += 3
        elif what == _LEAD:
            char, after = character(source, i, end)
            _put_char(state, text, link_text, char, i, after)
            i = after
        elif what == _NUL and content != 0:
            _put_char(state, text, link_text, np.int64(0xFFFD), i, i + 1)
            i += 1
        else:
            _begin_piece(state, text, link_text, i)
            first = at = state[TEXT_AT]
            room = min(end, i + text_limit + 8 - at)
            if state[_LINK_OPEN]:
                room = min(room, i + link_limit + 8 - state[LINK_TEXT_AT])
            count = 0
            while True:
                byte = source[np.uint64(i)]
                text[at] = byte
                at += 1
                count += (byte & CONTINUATION_MASK) != CONTINUATION
                i += 1
                if i >= room:
                    break
                what = _CLASSES[source[np.uint64(i)]]
                if what != _COPY:
                    if what != _SPACE or i + 1 >= room or _CLASSES[source[np.uint64(i + 1)]] != _COPY:
                        break
                    text[at] = 32  # the usual space between two words
                    at += 1
                    i += 1
                    count += 1
                    state[_SPACES] += 1
            state[TEXT_AT] = at
            state[_CHARS] += count
            state[_LAST] = i
            if state[_LINK_OPEN]:
                link_at = state[LINK_TEXT_AT]
                for k in range(first, at):
                    link_text[link_at] = text[k]
                    link_at += 1
                state[LINK_TEXT_AT] = link_at
                state[_LINK_CHARS] += count
    return True


@part
def _shorten(buffer, end, most, tail):
    """A path of too many characters becomes a checksum and its last ones (see :func:`paberki.extraction.html.tag_paths.path_below`); its new end."""
    count = 0
    for i in range(end):
        count += (buffer[i] & CONTINUATION_MASK) != CONTINUATION
    if count <= most:
        return end
    checksum = np.int64(0xFFFFFFFF)
    for i in range(end):
        checksum = _CRC[(checksum ^ np.int64(buffer[i])) & 0xFF] ^ (checksum >> 8)
    checksum ^= 0xFFFFFFFF
    begin = end
    remaining = tail
    while remaining > 0:
        begin -= 1
        remaining -= (buffer[begin] & CONTINUATION_MASK) != CONTINUATION
    buffer[0] = 126
    for k in range(8):
        digit = (checksum >> (28 - 4 * k)) & 15
        buffer[1 + k] = digit + 48 if digit < 10 else digit + 87
    at = _put(buffer, np.int64(9), np.int64(0x2026))
    for i in range(begin, end):  # towards the front: at least 24 bytes are left out, 12 come instead
        buffer[at] = buffer[i]
        at += 1
    return at


@part
def _known_path(buffer, length, hashed_size, key, state, path_bytes, paths, path_slots):
    """Number of a path, a new one if it was never met; -1 when there is no room for it.

    ``key`` is the hash of the first ``hashed_size`` bytes: those of the path of the parent.
    """
    for i in range(hashed_size, length):
        key = (key ^ np.int64(buffer[i])) * FNV_PRIME
    mask = len(path_slots) - 1
    slot = (key ^ (key >> 32)) & mask
    while True:
        number = np.int64(path_slots[slot])
        if number < 0:
            break
        if paths[PATH_HASH, number] == key:
            begin = np.int64(paths[PATH_END, number])
            if paths[PATH_END, number + 1] - begin == length:
                same = True
                for i in range(length):
                    if path_bytes[begin + i] != buffer[i]:
                        same = False
                        break
                if same:
                    return number
        slot = (slot + 1) & mask
    number = state[PATH_COUNT]
    at = state[PATH_AT]
    if 2 * (number + 1) > len(path_slots) or number + 1 >= paths.shape[1] or at + length > len(path_bytes):
        return np.int64(-1)
    for i in range(length):
        path_bytes[at + i] = buffer[i]
    paths[PATH_HASH, number] = key
    paths[PATH_END, number + 1] = at + length
    path_slots[slot] = number
    state[PATH_COUNT] = number + 1
    state[PATH_AT] = at + length
    return number


@part
def _resolve_path(source, stack, depth, tags, trie, scratch, state, path_bytes, paths, path_slots):
    """Number of the path of an open element; paths above it are made first.

    -1 when there is no room, -2 when the paths of the page take far more room than the page.
    """
    level = depth
    while stack[_PATH, level] < 0:
        level -= 1
    while level < depth:
        parent = stack[_PATH, level]
        level += 1
        begin, end = np.int64(paths[PATH_END, parent]), np.int64(paths[PATH_END, parent + 1])
        at = np.int64(0)
        for i in range(begin, end):
            scratch[at] = path_bytes[i]
            at += 1
        hashed_size = at
        key = paths[PATH_HASH, parent]
        if at:
            scratch[at] = 62
            at += 1
        tag = stack[_TAG, level]
        for i in range(tags[tag, NAME_LENGTH]):
            scratch[at] = tags[tag, NAME + i]
            at += 1
        begin, end = stack[_ID_FROM, level], stack[_ID_TO, level]
        if end > begin:
            scratch[at] = 35
            at = _put_words(source, begin, end, scratch, at + 1, trie, state, _UNDERSCORE, True, True)
        begin, end = stack[_CLASS_FROM, level], stack[_CLASS_TO, level]
        if at > 0 and end > begin:
            if at > len(scratch) - 16:
                return np.int64(-1)
            scratch[at] = 46
            at = _put_words(source, begin, end, scratch, at + 1, trie, state, _DOT, True, False)
        if at < 0:
            return np.int64(-1)
        most, tail = _PATH_CHARS, _PATH_TAIL
        if state[SHORT_PATHS]:
            most, tail = _SHORT_CHARS, _SHORT_TAIL
        if at > most:
            length = _shorten(scratch, at, most, tail)
            if length != at:
                at, hashed_size, key = length, _ZERO, np.int64(FNV_START_SIGNED)
        number = _known_path(scratch, at, hashed_size, key, state, path_bytes, paths, path_slots)
        if number < 0:
            return number
        stack[_PATH, level] = number
        if paths[PATH_RUN, number] != state[RUN]:  # new to this page
            paths[PATH_RUN, number] = state[RUN]
            state[_PATH_BYTES] += at
            if state[_PATH_BYTES] > _PATH_BYTES_MOST + 4 * len(source) and not state[SHORT_PATHS]:
                return np.int64(-2)
    return stack[_PATH, depth]


@part
def _end_link_piece(state, link_text):
    """Something hidden begins inside the anchor. Its text, which has one span, is the longest piece between such."""
    begin, end, piece = state[_LINK_FROM], state[LINK_TEXT_AT], state[_LINK_PIECE]
    if end - piece > piece - begin:
        for i in range(end - piece):
            link_text[begin + i] = link_text[piece + i]
        piece = begin + end - piece
        state[_LINK_BEST_FIRST], state[_LINK_BEST_LAST] = state[_LINK_FIRST], state[_LAST]
    state[_LINK_PIECE] = state[LINK_TEXT_AT] = piece
    state[_LINK_GAP] = 0


@part
def _end_link(state, links, link_text):
    """Record the open anchor. False when the array is full."""
    number = state[LINK_COUNT]
    _end_link_piece(state, link_text)
    if number >= state[_LINK_LIMIT_AT]:
        state[LINK_TEXT_AT] = state[_LINK_FROM]
        return True
    if number >= links.shape[1]:
        return False
    if state[LINK_TEXT_AT] > state[_LINK_FROM]:
        links[LINK_START, number] = state[_LINK_BEST_FIRST]
        links[LINK_END, number] = state[_LINK_BEST_LAST]
    else:
        links[LINK_START, number] = links[LINK_END, number] = 0
    links[LINK_TEXT_END, number] = state[_LINK_FROM] = state[LINK_TEXT_AT]
    links[HREF_END, number] = state[HREF_AT] = state[_HREF_END]
    links[REL_END, number] = state[REL_AT] = state[_REL_END]
    state[LINK_COUNT] = number + 1
    return True


@part
def _open_link(source, attributes, spans, state, href, rel, trie):
    """Begin an anchor that has a target; anchors without one hold no link. False when a buffer is full."""
    state[_LINK_OPEN] = 0
    if not attributes & (1 << _A_HREF):
        return True
    state[_LINK_OPEN] = 1
    state[_LINK_FROM] = state[_LINK_PIECE] = state[LINK_TEXT_AT]
    state[_LINK_GAP] = 0
    end = _put_value(source, spans[_A_HREF, 0], spans[_A_HREF, 1], href, state[HREF_AT], trie)
    if end < 0:
        return False
    state[_HREF_END] = end
    end = state[REL_AT]
    if attributes & (1 << _A_REL):
        end = _put_value(source, spans[_A_REL, 0], spans[_A_REL, 1], rel, end, trie)
        if end < 0:
            return False
    state[_REL_END] = end
    return True


@part
def _keep_value(source, number, slot, attributes, spans, state, head, head_bytes, trie):
    """Fill a slot of the head with an attribute's value, without white space around it. False when there is none."""
    if not attributes & (1 << number):
        return False
    at = state[HEAD_AT]
    end = _put_value(source, spans[number, 0], spans[number, 1], head_bytes, at, trie)
    if end < 0:
        return False
    begin, end = _strip(head_bytes, at, end)
    if begin == end:
        return False
    head[slot, 0], head[slot, 1] = begin, end
    head[slot, 2], head[slot, 3] = spans[number, 0], spans[number, 1]
    state[HEAD_AT] = end
    return True


@part
def _read_meta(source, attributes, spans, state, head, head_bytes, scratch, trie):
    """Keywords, description or language of a meta element."""
    if not attributes & (1 << _A_CONTENT):
        return
    begin = end = np.int64(0)
    if attributes & (1 << _A_NAME):
        end = _put_value(source, spans[_A_NAME, 0], spans[_A_NAME, 1], scratch, _ZERO, trie)
        begin, end = _strip(scratch, _ZERO, end)
    if begin >= end and attributes & (1 << _A_EQUIV):
        end = _put_value(source, spans[_A_EQUIV, 0], spans[_A_EQUIV, 1], scratch, _ZERO, trie)
        begin, end = _strip(scratch, _ZERO, end)
    first, last = spans[_A_CONTENT, 0], spans[_A_CONTENT, 1]
    slot = -1
    if _says(scratch, begin, end, _W_KEYWORDS):
        slot = KEYWORDS
    elif _says(scratch, begin, end, _W_DESCRIPTION):
        slot = DESCRIPTION
    elif _says(scratch, begin, end, _W_LANGUAGE):
        if head[LANGUAGE, 0] < 0:
            end = _put_value(source, first, last, scratch, _ZERO, trie)
            begin, end = _strip(scratch, _ZERO, end)
            for i in range(begin, end):
                if scratch[i] == COMMA:
                    begin, end = _strip(scratch, begin, i)
                    break
            at = state[HEAD_AT]
            if begin < end and at + end - begin <= len(head_bytes):
                for i in range(begin, end):
                    head_bytes[at + i - begin] = scratch[i]
                head[LANGUAGE, 0], head[LANGUAGE, 1] = at, at + end - begin
                head[LANGUAGE, 2], head[LANGUAGE, 3] = first, last
                state[HEAD_AT] = at + end - begin
        return
    if slot >= 0 and head[slot, 0] < 0:
        at = state[HEAD_AT]
        end = _put_words(source, first, last, head_bytes, at, trie, state, _BLANK, False, False)
        if end > at:
            head[slot, 0], head[slot, 1] = at, end
            head[slot, 2], head[slot, 3] = state[_NEXT], state[_SEEN]
            state[HEAD_AT] = end


@part
def _read_head_element(source, begin, end, attributes, spans, state, head, head_bytes, scratch, trie):
    """What html, meta, link and base say (see :mod:`paberki.extraction.html.page_head`); the first value counts."""
    if _says(source, begin, end, _W_META):
        _read_meta(source, attributes, spans, state, head, head_bytes, scratch, trie)
    elif _says(source, begin, end, _W_LINK):
        if head[CANONICAL, 0] < 0 and attributes & (1 << _A_REL):
            stop = _put_value(source, spans[_A_REL, 0], spans[_A_REL, 1], scratch, _ZERO, trie)
            if _has_word(scratch, _ZERO, stop, _W_CANONICAL):
                _keep_value(
                    source, np.int64(_A_HREF), np.int64(CANONICAL), attributes, spans, state, head, head_bytes, trie
                )
    elif _says(source, begin, end, _W_BASE):
        if head[BASE, 0] < 0:
            _keep_value(source, np.int64(_A_HREF), np.int64(BASE), attributes, spans, state, head, head_bytes, trie)
    elif _says(source, begin, end, _W_HTML):
        if head[LANGUAGE, 0] < 0 and not _keep_value(
            source, np.int64(_A_LANG), np.int64(LANGUAGE), attributes, spans, state, head, head_bytes, trie
        ):
            _keep_value(
                source, np.int64(_A_XML_LANG), np.int64(LANGUAGE), attributes, spans, state, head, head_bytes, trie
            )


@part
def _end_title(state, text, text_from, head, head_bytes):
    """The first title moves from the text to the head; others vanish."""
    if state[_CHARS] and head[TITLE, 0] < 0:
        at = state[HEAD_AT]
        length = state[TEXT_AT] - text_from
        if at + length <= len(head_bytes):
            for i in range(length):
                head_bytes[at + i] = text[text_from + i]
            head[TITLE, 0], head[TITLE, 1] = at, at + length
            head[TITLE, 2], head[TITLE, 3] = state[_FIRST], state[_LAST]
            state[HEAD_AT] = at + length
    state[TEXT_AT] = text_from
    state[_CHARS] = state[_SPACES] = state[_GAP] = 0


@part
def _marks(source, attributes, spans):
    """What role and itemprop say, as bits."""
    marks = np.int64(0)
    for k in range(len(_MARK_LENGTHS)):
        number = _MARK_ATTRIBUTES[k]
        if attributes & (1 << number):
            begin = spans[number, 0]
            if spans[number, 1] - begin == _MARK_LENGTHS[k]:
                same = True
                for i in range(_MARK_LENGTHS[k]):
                    if (source[np.uint64(begin + i)] | 32) != _MARK_WORDS[k, i]:
                        same = False
                if same:
                    marks |= 1 << k
    return marks


@part
def _resolve_element(stack, depth, state, elements):
    """Number of an open element among those that hold blocks; its ancestors come first. -1 when there is no room."""
    level = depth
    while stack[_ELEMENT, level] < 0:
        level -= 1
    number = state[ELEMENT_COUNT]
    if number + depth - level > elements.shape[1]:
        return np.int64(-1)
    while level < depth:
        parent = stack[_ELEMENT, level]
        level += 1
        elements[PARENT, number] = parent
        elements[FIRST_BLOCK, number] = state[BLOCK_COUNT]
        elements[ELEMENT_PATH, number] = stack[_PATH, level]
        elements[ELEMENT_TAG, number] = stack[_TAG, level]
        elements[MARK, number] = stack[_MARK, level]
        stack[_ELEMENT, level] = number
        number += 1
    state[ELEMENT_COUNT] = number
    return stack[_ELEMENT, depth]


@part
def _end_block(
    source, stack, depth, tags, trie, scratch, state, path_bytes, paths, path_slots, text, text_from, blocks, elements
):
    """Record the open block, which is in the innermost open element. Answers like :func:`read_page`."""
    if state[BLOCK_COUNT] >= state[_BLOCK_LIMIT_AT]:
        state[TEXT_AT] = text_from
        return PAGE_ENDS
    path = _resolve_path(source, stack, depth, tags, trie, scratch, state, path_bytes, paths, path_slots)
    number = state[BLOCK_COUNT]
    if path < 0 or number >= blocks.shape[1]:
        return PATHS_GROW if path == -2 else ROOM_ENDS
    element = _resolve_element(stack, depth, state, elements)
    if element < 0:
        return ELEMENTS_GROW
    end = state[TEXT_AT]
    at = end - 1
    while at > text_from and (text[at] & CONTINUATION_MASK) == CONTINUATION:
        at -= 1
    char, _ = character(text, at, end)
    blocks[START, number] = state[_FIRST]
    blocks[END, number] = state[_LAST]
    blocks[PATH, number] = path
    blocks[TEXT_END, number] = end
    blocks[CHARS, number] = state[_CHARS]
    blocks[WORDS, number] = state[_SPACES] + 1
    blocks[LINK_CHARS, number] = min(state[_LINK_CHARS], state[_CHARS])
    blocks[TAG_COUNT, number] = state[_TAG_COUNT]
    blocks[MARKUP, number] = 2 * (state[_MARKUP_WITHIN] - state[_MARKUP_BEFORE])
    if state[BLOCK_COUNT] > state[_BLOCK_LIMIT_AT] - BLOCK_LIMIT:
        between = state[_MARKUP_BEFORE] - state[_MARKUP_DONE]
        blocks[MARKUP, number] += between
        blocks[MARKUP, number - 1] += between
    state[_MARKUP_DONE] = state[_MARKUP_WITHIN]
    blocks[LAST_CHAR, number] = char
    char, _ = character(text, text_from, end)
    blocks[FIRST_CHAR, number] = char
    blocks[TAG, number] = stack[_TAG, depth]
    blocks[ELEMENT, number] = element
    state[BLOCK_COUNT] = number + 1
    state[_CHARS] = state[_SPACES] = state[_GAP] = 0
    return DONE


@part
def _closed_depth(stack, depth, tag, tags):
    """Depth after the nearest open element of that name is closed with all it holds (see :mod:`~paberki.extraction.html.open_elements`)."""
    is_part = tag < _UNKNOWN and (tags[tag, WALL_OR_PART] & PART) != 0
    lowest = max(0, depth + 1 - _CLOSE_LIMIT)
    level = depth
    while level > lowest:
        name = stack[_TAG, level]
        if name == tag:
            return level - 1
        if not is_part and name < _UNKNOWN and tags[name, WALL_OR_PART] & WALL:
            return depth
        level -= 1
    return depth


@kernel(
    _SOURCE, _LONGS_2, _INTS, _INTS_2,  # the page and the tables
    _LONGS, _INTS_2, _INTS_2, _INTS_2, _INTS_2,  # state, blocks, elements, links, head
    _BYTES, _BYTES, _BYTES, _BYTES, _BYTES,  # text, link text, href, rel, head bytes
    _BYTES, _LONGS_2, _INTS,  # paths
    _BYTES, _LONGS_2, _LONGS_2, _LONGS,  # scratch, stack, spans of attributes, last end tags
    returns=types.int64,
)  # fmt: skip
def read_page(
    source, tags, slots, trie, state, blocks, elements, links, head, text, link_text, href, rel, head_bytes,
    path_bytes, paths, path_slots, scratch, stack, spans, last_ends,
):  # fmt: skip
    """Cut a page (UTF-8) into blocks; results are appended to the arrays. DONE, or ROOM_ENDS when one is too small,
    or PATHS_GROW when the page must be read with short paths, or PAGE_ENDS when it has more blocks than a page may have.

    The order of the decisions is that of :func:`segment`, and so are the names. The path of an element is made only
    when a block is found in it.
    """
    n = len(source)
    for k in range(_CHARS, STATE_FIELDS):
        state[k] = 0
    state[_LINK_LIMIT_AT] = state[LINK_COUNT] + LINK_LIMIT
    state[_BLOCK_LIMIT_AT] = state[BLOCK_COUNT] + BLOCK_LIMIT
    state[_LINK_FROM] = state[LINK_TEXT_AT]
    if state[ELEMENT_COUNT] >= elements.shape[1]:
        return ELEMENTS_GROW
    for k in range(len(last_ends)):
        last_ends[k] = -2
    depth = np.int64(0)
    stack[_TAG, 0] = stack[_HIDDEN, 0] = stack[_PATH, 0] = 0
    root = stack[_ELEMENT, 0] = state[ELEMENT_COUNT]
    elements[PARENT, root] = root
    elements[FIRST_BLOCK, root] = state[BLOCK_COUNT]
    elements[ELEMENT_PATH, root] = elements[ELEMENT_TAG, root] = elements[MARK, root] = 0
    state[ELEMENT_COUNT] = root + 1
    top_tag = np.int64(0)
    is_hidden = quiet = raw = in_title = False
    skipped_tag = np.int64(-1)
    skipped_depth = 0
    text_from = state[TEXT_AT]
    content = np.int64(0)  # how the tokenizer reads what follows
    content_tag = np.int64(0)
    i = np.int64(0)
    while i < n:
        # Text up to the next token.
        if content == 0:
            end = _text_end(source, i)
        elif content == SCRIPT:
            end = _script_end(source, i, tags, content_tag)
        elif content == PLAINTEXT:
            end = n
        else:
            end = _raw_end(source, i, tags, content_tag)
        if raw:
            state[_MARKUP] += _characters(source, i, end)
        if end > i and not quiet and not _put_text(source, i, end, content, state, text, link_text, trie):
            return ROOM_ENDS
        content = np.int64(0)
        if end >= n:
            break
        i = end

        # Comments, document types, processing instructions.
        byte = source[np.uint64(i + 1)]
        closing = byte == SLASH
        if not is_letter(byte) and not (closing and i + 2 < n and is_letter(source[np.uint64(i + 2)])):
            after = _after_markup(source, i)
            if byte == EXCLAMATION and head[DOCTYPE, 0] < 0 and i + 9 <= n and _says(source, i + 2, i + 9, _W_DOCTYPE):
                head[DOCTYPE, 0] = head[DOCTYPE, 1] = 0
                head[DOCTYPE, 2], head[DOCTYPE, 3] = i, after
            state[_MARKUP] += _characters(source, i, after)
            i = after
            continue

        # A tag: its name and attributes.
        begin = i + 1
        if closing:
            begin += 1
        key = np.int64(FNV_START_SIGNED)
        k = begin
        while k < n:
            byte = source[np.uint64(k)]
            if byte == GREATER or byte == SLASH or _is_blank(byte):
                break
            key = (key ^ np.int64(small(byte))) * FNV_PRIME
            k += 1
        name_end = k
        after = _read_attributes(source, k, state, spans)
        if after < 0:
            break  # the page ends inside a tag
        tag_at = i
        i = after
        state[_MARKUP] += _characters(source, tag_at, after)
        attributes = state[_SEEN]
        tag = _tag_number(source, begin, name_end, key, tags, slots)
        is_known = tag < _UNKNOWN
        what = tags[tag, KIND] if is_known else np.int64(0)
        inline = what == 0 or what == _K_SPACE

        if state[EVERY_TAG] and state[_CHARS] and (inline or what == _K_ANCHOR) and skipped_tag < 0 and not raw:
            answer = _end_block(
                source, stack, depth, tags, trie, scratch, state, path_bytes, paths, path_slots, text, text_from,
                blocks, elements,
            )  # fmt: skip
            if answer != DONE:
                return answer
            text_from = state[TEXT_AT]
            state[_GAP] = state[_LINK_CHARS] = state[_TAG_COUNT] = 0
        if what == _K_SPACE and skipped_tag < 0 and not raw:
            state[_GAP] = state[_LINK_GAP] = 1

        if not closing:
            if is_known and tags[tag, CONTENT]:
                content, content_tag = tags[tag, CONTENT], tag
            if skipped_tag >= 0:
                if tag == skipped_tag and not state[_SELF_CLOSING]:
                    skipped_depth += 1
                continue
            if inline:
                state[_TAG_COUNT] += 1
                if is_hidden:
                    if tag != top_tag:
                        continue
                elif (
                    not attributes & ((1 << _A_STYLE) | (1 << _A_HIDDEN))
                    or (is_known and tags[tag, HOLDS_NOTHING])
                    or not _hides(source, attributes, spans, scratch, trie)
                ):
                    continue
            elif what == _K_ANCHOR:
                state[_TAG_COUNT] += 1
                if state[_LINK_OPEN] and not _end_link(state, links, link_text):
                    return ROOM_ENDS
                if not _open_link(source, attributes, spans, state, href, rel, trie):
                    return ROOM_ENDS
                if is_hidden or not _hides(source, attributes, spans, scratch, trie):
                    continue
            elif what == _K_RAW:
                raw = quiet = True
                continue
            elif what == _K_TRANSPARENT:
                if not state[_SELF_CLOSING]:
                    if last_ends[tag] == -2:
                        last_ends[tag] = _last_end_tag(source, tags, tag)
                    if last_ends[tag] > tag_at:
                        skipped_tag, skipped_depth, quiet = tag, 1, True
                continue
            elif what == _K_HEAD:
                _read_head_element(source, begin, name_end, attributes, spans, state, head, head_bytes, scratch, trie)
                if not _says(source, begin, name_end, _W_HTML):
                    continue

            # A block-level element, or one that is skipped: the paragraph ends here.
            if state[_CHARS]:
                answer = _end_block(
                    source, stack, depth, tags, trie, scratch, state, path_bytes, paths, path_slots, text,
                    text_from, blocks, elements,
                )  # fmt: skip
                if answer != DONE:
                    return answer
                text_from = state[TEXT_AT]
            state[_GAP] = state[_LINK_CHARS] = state[_TAG_COUNT] = 0
            state[_LINK_GAP] = 1
            if what == _K_BREAK or what == _K_HEAD:
                continue
            if what == _K_TITLE:
                in_title = True
                continue
            if is_known:
                closing_tags = tags[tag, CLOSED]
                while top_tag < _UNKNOWN and tags[top_tag, OWN_BIT] & closing_tags:
                    depth -= 1
                    top_tag = stack[_TAG, depth]
                    is_hidden = stack[_HIDDEN, depth] != 0
            if depth + 1 >= STACK_DEPTH:
                continue
            depth += 1
            stack[_PATH, depth] = stack[_ELEMENT, depth] = -1
            stack[_ID_FROM, depth] = stack[_ID_TO, depth] = 0
            stack[_CLASS_FROM, depth] = stack[_CLASS_TO, depth] = 0
            stack[_MARK, depth] = 0
            if attributes & ((1 << _A_ROLE) | (1 << _A_ITEMPROP)):
                stack[_MARK, depth] = _marks(source, attributes, spans)
            if what == _K_BLOCK:
                if attributes & (1 << _A_ID):
                    stack[_ID_FROM, depth], stack[_ID_TO, depth] = spans[_A_ID, 0], spans[_A_ID, 1]
                if attributes & (1 << _A_CLASS):
                    stack[_CLASS_FROM, depth], stack[_CLASS_TO, depth] = spans[_A_CLASS, 0], spans[_A_CLASS, 1]
                if attributes & ((1 << _A_STYLE) | (1 << _A_HIDDEN)) and _hides(
                    source, attributes, spans, scratch, trie
                ):
                    is_hidden = True
            else:
                is_hidden = True
            if is_hidden and state[_LINK_OPEN]:
                _end_link_piece(state, link_text)
            top_tag = tag
            quiet = is_hidden
            stack[_TAG, depth] = tag
            stack[_HIDDEN, depth] = is_hidden

        else:
            if skipped_tag >= 0:
                if tag == skipped_tag:
                    skipped_depth -= 1
                    if skipped_depth == 0:
                        skipped_tag, quiet = np.int64(-1), is_hidden
                continue
            if raw:
                raw, quiet = False, is_hidden
                continue
            if what == _K_ANCHOR and state[_LINK_OPEN]:
                if not _end_link(state, links, link_text):
                    return ROOM_ENDS
                state[_LINK_OPEN] = 0
            elif what == _K_TITLE and in_title:
                _end_title(state, text, text_from, head, head_bytes)
                in_title = False
                continue
            elif what == _K_BLOCK or what == _K_BREAK:
                if state[_CHARS]:
                    answer = _end_block(
                        source, stack, depth, tags, trie, scratch, state, path_bytes, paths, path_slots, text,
                        text_from, blocks, elements,
                    )  # fmt: skip
                    if answer != DONE:
                        return answer
                    text_from = state[TEXT_AT]
                state[_GAP] = state[_LINK_CHARS] = state[_TAG_COUNT] = 0
                state[_LINK_GAP] = 1
            elif not is_hidden:
                continue
            if tag == top_tag:
                if depth > 0:
                    depth -= 1
            elif what == _K_BLOCK or is_hidden:
                depth = _closed_depth(stack, depth, tag, tags)
            top_tag = stack[_TAG, depth]
            is_hidden = stack[_HIDDEN, depth] != 0
            quiet = is_hidden

    if state[_LINK_OPEN] and not _end_link(state, links, link_text):
        return ROOM_ENDS
    if state[_CHARS]:
        if in_title:  # a title that nobody closes has swallowed the rest of the page
            state[TEXT_AT] = text_from
        else:
            return _end_block(
                source, stack, depth, tags, trie, scratch, state, path_bytes, paths, path_slots, text,
                text_from, blocks, elements,
            )  # fmt: skip
    return DONE


@kernel(_LONGS_2, types.int64, _INTS, returns=types.void)
def index_paths(paths, count, path_slots):
    """Fill a new hash table with the paths known so far."""
    mask = len(path_slots) - 1
    for i in range(len(path_slots)):
        path_slots[i] = -1
    for number in range(count):
        key = paths[PATH_HASH, number]
        slot = (key ^ (key >> 32)) & mask
        while path_slots[slot] >= 0:
            slot = (slot + 1) & mask
        path_slots[slot] = number


@part
def _put_origins(source, begin, end, content, trie, count, chars, begins, ends):
    """Characters of one text token that are not white space, read as :func:`_put_text` reads them; how many there are now."""
    i = begin
    while i < end:
        here = i
        second = _ZERO
        byte = source[np.uint64(i)]
        if byte == AMPERSAND and (content == 0 or content == RCDATA):
            i, char, second = _reference(source, i, end, False, trie)
            if i == here:
                i, char = here + 1, np.int64(38)
        elif (
            byte == LESS
            and content == 0
            and i + 2 < end
            and source[np.uint64(i + 1)] == SLASH
            and source[np.uint64(i + 2)] == GREATER
        ):
            i += 3
            continue
        elif byte == 0 and content != 0:
            i, char = here + 1, np.int64(0xFFFD)
        else:
            char, i = character(source, i, end)
        for turn in range(2):
            if turn == 1:
                if second == 0:
                    break
                char = second
            if not is_space(char) and count < len(chars):
                chars[count] = char
                begins[count] = here
                ends[count] = i
                count += 1
    return count


@kernel(
    _SOURCE, _LONGS_2, _INTS, _INTS_2, _LONGS, _LONGS_2, types.int64, _INTS, _INTS, _INTS, returns=types.int64
)  # fmt: skip
def read_origins(source, tags, slots, trie, state, spans, content_tag, chars, begins, ends):
    """The source of one block (UTF-8) once more: its characters that are not white space, and where each begins and ends.

    Tags inside of a block change nothing but how what follows them is read, so that the rest of :func:`read_page` has no
    part here. ``content_tag`` is the element whose content the block begins in, where its tags are text; -1 for none.
    The arrays have room for as many characters as the source has bytes; the answer is how many there are.
    """
    n = len(source)
    count = np.int64(0)
    quiet = raw = False
    skipped_tag = np.int64(-1)
    skipped_depth = 0
    content = tags[content_tag, CONTENT] if content_tag >= 0 else np.int64(0)
    i = np.int64(0)
    while i < n:
        if content == 0:
            end = _text_end(source, i)
        elif content == SCRIPT:
            end = _script_end(source, i, tags, content_tag)
        elif content == PLAINTEXT:
            end = n
        else:
            end = _raw_end(source, i, tags, content_tag)
        if not quiet:
            count = _put_origins(source, i, end, content, trie, count, chars, begins, ends)
        content = np.int64(0)
        if end >= n:
            break
        i = end
        byte = source[np.uint64(i + 1)]
        closing = byte == SLASH
        if not is_letter(byte) and not (closing and i + 2 < n and is_letter(source[np.uint64(i + 2)])):
            i = _after_markup(source, i)
            continue
        begin = i + 2 if closing else i + 1
        key = np.int64(FNV_START_SIGNED)
        k = begin
        while k < n:
            byte = source[np.uint64(k)]
            if byte == GREATER or byte == SLASH or _is_blank(byte):
                break
            key = (key ^ np.int64(small(byte))) * FNV_PRIME
            k += 1
        after = _read_attributes(source, k, state, spans)
        if after < 0:
            break
        tag_at = i
        i = after
        tag = _tag_number(source, begin, k, key, tags, slots)
        is_known = tag < _UNKNOWN
        what = tags[tag, KIND] if is_known else np.int64(0)
        if closing:
            if skipped_tag >= 0:
                if tag == skipped_tag:
                    skipped_depth -= 1
                    if skipped_depth == 0:
                        skipped_tag, quiet = np.int64(-1), False
            elif raw:
                raw = quiet = False
            continue
        if is_known and tags[tag, CONTENT]:
            content, content_tag = tags[tag, CONTENT], tag
        if skipped_tag >= 0:
            if tag == skipped_tag and not state[_SELF_CLOSING]:
                skipped_depth += 1
        elif what == _K_RAW:
            raw = quiet = True
        elif what == _K_TRANSPARENT and not state[_SELF_CLOSING] and _last_end_tag(source, tags, tag) > tag_at:
            skipped_tag, skipped_depth, quiet = tag, 1, True
    return count
