"""Concordance lines as text: hits in the middle of the terminal, or plain columns for pipes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from paberki.query.hits.lines import Line
from paberki.query.hits.width import cells, is_right_to_left, shorten, shorten_left
from paberki.terminal import visible, without_controls

__all__ = ["kwic_lines", "plain_line", "sentence_lines"]

_BOLD, _DIM, _END = "\x1b[1;31m", "\x1b[2m", "\x1b[0m"
_MARK: Final = "\u200e"
"""Left-to-right mark: keeps the columns in place in a line with letters that are written from right to left."""
_NARROWEST: Final = 20


def kwic_lines(lines: Sequence[Line], width: int, *, colour: bool) -> Iterator[str]:
    """Lines of one width; all hits begin in the same column, and the widest hit is in the middle."""
    width = max(width, _NARROWEST)
    nodes = [_middle(visible(line.node), width // 3) for line in lines]
    widest = max((cells(node) for node in nodes), default=0)
    left_room = (width - widest - 2) // 2
    right_room = width - widest - 2 - left_room
    for line, node in zip(lines, nodes, strict=True):
        left = shorten_left(visible(line.left), left_room)
        right = shorten(visible(line.right), right_room)
        yield _row(" " * (left_room - cells(left)) + left, node, " " * (widest - cells(node)), right, colour=colour)


def _middle(text: str, room: int) -> str:
    """A long hit without its middle."""
    if cells(text) <= room:
        return text
    half = (room - 1) // 2
    return f"{shorten(text, half)}…{shorten_left(text, room - 1 - half)}"


def _row(left: str, node: str, gap: str, right: str, *, colour: bool) -> str:
    mark = _MARK if is_right_to_left(left + node + right) else ""
    node_text = f"{_BOLD}{node}{_END}" if colour else node
    return f"{mark}{left}{mark} {mark}{node_text}{mark}{gap} {mark}{right}{mark}".rstrip(" ")


def sentence_lines(lines: Sequence[Line], *, colour: bool) -> Iterator[str]:
    """Whole sentences with the hit marked, each after the name of its page."""
    for line in lines:
        node = f"{_BOLD}{visible(line.node)}{_END}" if colour else f"[{visible(line.node)}]"
        name = visible(next(iter(line.reference.values()), ""))
        place = f"{_DIM}{name}{_END}" if colour and name else name
        text = " ".join(part for part in (visible(line.left), node, visible(line.right)) if part)
        yield f"{place}\t{text}" if place else text


def plain_line(line: Line) -> str:
    """Left, hit and right with tabs between them, for pipes: nothing is cut or aligned."""
    return "\t".join(_one_line(text) for text in (line.left, line.node, line.right))


def _one_line(text: str) -> str:
    return without_controls(text.replace("\t", " ").replace("\n", " "))
