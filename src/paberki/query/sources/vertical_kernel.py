# mypy: ignore-errors
"""Vertical text taken apart, compiled: lines into columns and tags, tags into names and attributes, tags into regions.

Invariants: ``data`` ends with a line feed; all spans are offsets into it; nothing is written beyond the length of an array.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel, part
from paberki.kernels.kernel_types import reads, types, writes

_TAB: Final = np.uint8(ord("\t"))
_LINE_FEED: Final = np.uint8(ord("\n"))
_RETURN: Final = np.uint8(ord("\r"))
_SPACE: Final = np.uint8(ord(" "))
_LESS: Final = np.uint8(ord("<"))
_GREATER: Final = np.uint8(ord(">"))
_SLASH: Final = np.uint8(ord("/"))
_EQUALS: Final = np.uint8(ord("="))
_QUOTE: Final = np.uint8(ord('"'))
_APOSTROPHE: Final = np.uint8(ord("'"))
_BANG: Final = np.uint8(ord("!"))
_QUESTION: Final = np.uint8(ord("?"))
_UNDERSCORE: Final = np.uint8(ord("_"))
_GLUE: Final = np.uint8(ord("g"))
_CASE: Final = np.uint8(0x20)
_FIRST_LETTER: Final = np.uint8(ord("a"))
_LETTERS: Final = np.uint8(26)
_ZERO: Final = np.uint8(ord("0"))
_DIGITS: Final = 10
_BEYOND_ASCII: Final = np.uint8(0x80)

# Places in the array of what one call of split_lines did, and of what it must know from the last.
TOKENS: Final = 0
TAGS: Final = 1
FAULTS: Final = 2
SHORT: Final = 3
LINES: Final = 4
DEPTH: Final = 5
GLUED: Final = 6
STATES: Final = 7

OPEN: Final = 0
CLOSE: Final = 1
EMPTY: Final = 2


@inner
def _begins_name(byte):
    return np.uint8((byte | _CASE) - _FIRST_LETTER) < _LETTERS or byte == _UNDERSCORE or byte >= _BEYOND_ASCII


@inner
def _blank(byte):
    return byte == _SPACE or byte == _TAB


@part
def _end_of_line(data, at):
    while data[np.uint64(at)] != _LINE_FEED:
        at += 1
    return at


@part
def _split(data, low, high, token, starts, ends):
    """Write the columns of a line; how many it has. Columns that it lacks are empty."""
    columns = len(starts)
    column, begin = 0, low
    for at in range(low, high + 1):
        if at == high or data[np.uint64(at)] == _TAB:
            if column < columns:
                starts[column, token] = begin
                ends[column, token] = at
            column += 1
            begin = at + 1
    for missing in range(column, columns):
        starts[missing, token] = 0
        ends[missing, token] = 0
    return column


@part
def _kind_of_line(data, low, high, columns):
    """0 token, 1 tag, 2 glue, 3 comment, 4 neither: it begins like a tag and does not end like one."""
    if data[low] != _LESS or high - low < 2:
        return 0
    first = data[low + 1]
    if data[high - 1] != _GREATER or not (
        _begins_name(first) or first == _SLASH or first == _BANG or first == _QUESTION
    ):
        for at in range(low, high):
            if data[at] == _TAB:
                return 0
        return 4 if columns > 1 and (_begins_name(first) or first == _SLASH) else 0
    in_quotes = False
    for at in range(low, high):
        in_quotes ^= data[at] == _QUOTE
        if data[at] == _TAB and not in_quotes:
            return 0
    if first == _BANG or first == _QUESTION:
        return 3
    if first == _GLUE and (data[low + 2] == _SLASH or data[low + 2] == _GREATER or data[low + 2] == _SPACE):
        return 2
    return 1


@kernel(
    reads(types.uint8), types.boolean, writes(types.int32, 2), writes(types.int32, 2), writes(types.uint8),
    writes(types.int32, 2), writes(types.int64), writes(types.int64),
    returns=types.int64,
)  # fmt: skip
def split_lines(data, stop_outside, starts, ends, glue, tags, faults, state):
    """Take lines apart until an array is full; the result is the offset of the first line that is not done.

    ``starts`` and ``ends`` get the span of every column of every token; ``tags`` the span of a tag and the number of
    tokens before it; ``faults`` the number of lines that are no token and no tag. With ``stop_outside`` the end is also
    where no structure is open.
    """
    tokens, number, fault = 0, 0, state[FAULTS]
    at, lines, depth, glued = 0, state[LINES], state[DEPTH], state[GLUED]
    while at < len(data) and tokens < len(glue) and number < len(tags):
        if stop_outside and depth <= 0:
            break
        line_end = _end_of_line(data, at)
        high = line_end - 1 if line_end > at and data[line_end - 1] == _RETURN else line_end
        lines += 1
        kind = _kind_of_line(data, at, high, len(starts)) if high > at else 3
        if kind == 0:
            if data[at] == _TAB:
                kind = 4
            else:
                state[SHORT] += _split(data, at, high, tokens, starts, ends) < len(starts)
                glue[tokens] = glued
                glued = 0
                tokens += 1
        elif kind == 1:
            tags[number, 0] = at
            tags[number, 1] = high
            tags[number, 2] = tokens
            number += 1
            if data[at + 1] == _SLASH:
                depth = max(depth - 1, 0)
            elif data[high - 2] != _SLASH:
                depth += 1
        elif kind == 2:
            glued = 1
        if kind == 4:
            if fault < len(faults):
                faults[fault] = lines
            fault += 1
        at = line_end + 1
    state[TOKENS], state[TAGS], state[FAULTS], state[LINES] = tokens, number, fault, lines
    state[DEPTH], state[GLUED] = depth, glued
    return at


@part
def _end_of_name(data, at, high):
    while at < high and not (_blank(data[at]) or data[at] == _SLASH or data[at] == _GREATER or data[at] == _EQUALS):
        at += 1
    return at


@part
def _value(data, at, high):
    """Span of the value that begins at an offset, in quotes or up to the next blank, and the offset behind it."""
    quote = data[at]
    if quote == _QUOTE or quote == _APOSTROPHE:
        end = at + 1
        while end < high and data[end] != quote:
            end += 1
        return at + 1, end, end + 1
    end = at
    while end < high and not _blank(data[end]):
        end += 1
    return at, end, end


@kernel(
    reads(types.uint8), reads(types.int32, 2), writes(types.uint8), writes(types.int32, 2), writes(types.int32, 2),
    returns=types.int64,
)  # fmt: skip
def split_tags(data, tags, kinds, names, pairs):
    """Kind and span of the name of each tag; ``pairs`` gets the tag, the span of a name and that of a value.

    The result is the number of pairs; those for which there is no room are left out.
    """
    count = 0
    for number in range(len(tags)):
        low, high = np.int64(tags[number, 0]) + 1, np.int64(tags[number, 1]) - 1
        kind = OPEN
        if data[low] == _SLASH:
            kind, low = CLOSE, low + 1
        elif data[high - 1] == _SLASH:
            kind, high = EMPTY, high - 1
        at = _end_of_name(data, low, high)
        kinds[number] = kind
        names[number, 0] = low
        names[number, 1] = at
        while at < high:
            if _blank(data[at]):
                at += 1
                continue
            begin = at
            at = _end_of_name(data, at, high)
            if at == begin:
                at += 1
                continue
            end = at
            while at < high and _blank(data[at]):
                at += 1
            low, value_end = at, at
            if at < high and data[at] == _EQUALS:
                at += 1
                while at < high and _blank(data[at]):
                    at += 1
                low, value_end, at = _value(data, at, high) if at < high else (at, at, at)
            if count < len(pairs):
                pairs[count, 0] = number
                pairs[count, 1], pairs[count, 2] = begin, end
                pairs[count, 3], pairs[count, 4] = low, value_end
                count += 1
    return count


@kernel(
    reads(types.uint32), reads(types.uint8), types.int64, writes(types.int64), writes(types.uint32), types.int64,
    writes(types.int64), writes(types.int64),
    returns=types.int64,
)  # fmt: skip
def match_tags(names, kinds, first, stack, stack_names, depth, opened_regions, closed_regions):
    """Which region each tag opens or closes, −1 for none; the number of regions that are open afterwards.

    New regions are numbered from ``first``. An end tag closes the last region of its name that is open. A tag that is
    both, or for which the stack has no room, opens nothing.
    """
    for tag in range(len(names)):
        opened_regions[tag] = closed_regions[tag] = -1
        if kinds[tag] == OPEN and depth < len(stack):
            stack[depth] = first
            stack_names[depth] = names[tag]
            depth += 1
            opened_regions[tag] = first
            first += 1
        elif kinds[tag] == CLOSE:
            at = depth - 1
            while at >= 0 and stack_names[at] != names[tag]:
                at -= 1
            if at >= 0:
                closed_regions[tag] = stack[at]
                for k in range(at, depth - 1):
                    stack[k] = stack[k + 1]
                    stack_names[k] = stack_names[k + 1]
                depth -= 1
    return depth


@kernel(reads(types.uint8), reads(types.int32), reads(types.int32), writes(types.int32), returns=types.void)
def numbers(data, starts, ends, out):
    """Whole numbers in these spans; 0 for what is none, or has more than nine digits."""
    for at in range(len(starts)):
        low, high = starts[at], ends[at]
        number = 0
        for place in range(low, high):
            digit = np.uint8(data[place] - _ZERO)
            if digit >= _DIGITS or high - low >= _DIGITS:
                number = 0
                break
            number = number * _DIGITS + digit
        out[at] = number
