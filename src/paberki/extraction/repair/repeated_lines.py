"""Lines that are the same as the line before them: one of them stays (P5 §3.1 [24]).

A line is a block as a rule: tags and ``br`` end both. The first kept one of a run of equal blocks stays, the others are
labelled :data:`REPEAT`. The lines of a preformatted element, and those of a paragraph of plain text, are inside one
block: there the repaired text goes without the repeats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from paberki.extraction.compiled.kernel_layout import CHARS, FIRST_CHAR, LAST_CHAR, TEXT_END
from paberki.extraction.html.html_tokens import TEXT, tokens
from paberki.extraction.html.page_blocks import Block
from paberki.extraction.repair.edits import Edit

if TYPE_CHECKING:
    from paberki.extraction.compiled.harvest import Harvest
    from paberki.extraction.methods.block_labels import BlockLabels

REPEAT: Final = "repeat"
REASON: Final = "the same as the line before"
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


def label_repeats(blocks: Sequence[Block]) -> None:
    """Label the kept blocks of a page in place that repeat the kept block right before them."""
    text, kept_before = "", False
    for block in blocks:
        if block.text != text:
            text, kept_before = block.text, False
        if block.kept and kept_before:
            block.kept, block.label, block.reason = False, REPEAT, REASON
        kept_before = kept_before or block.kept


def label_repeats_of(harvest: Harvest, labels: BlockLabels) -> BlockLabels:
    """The same for all pages of a harvest."""
    repeats = _repeats(harvest, labels)
    if repeats:
        labels.labels, labels.reasons = [*labels.labels, REPEAT], [*labels.reasons, REASON]
        labels.label[repeats], labels.reason[repeats] = len(labels.labels) - 1, len(labels.reasons) - 1
        labels.kept[repeats] = False
    return labels


def _repeats(harvest: Harvest, labels: BlockLabels) -> list[int]:
    rows = harvest.blocks[:, : harvest.block_count]
    ends = rows[TEXT_END].astype(np.int64)
    lengths = np.diff(ends, prepend=0)
    same = np.zeros(harvest.block_count, np.bool_)
    for values in (rows[CHARS], rows[FIRST_CHAR], rows[LAST_CHAR], lengths):
        same[1:] |= values[1:] != values[:-1]
    same = ~same
    firsts = np.array([0, *harvest.block_ends])
    same[firsts[firsts < harvest.block_count]] = False
    for blocks in harvest.exact_blocks:
        same[blocks] = False
    repeats: list[int] = []
    text, last, kept_before = harvest.text.data, -1, False
    for number in np.flatnonzero(same).tolist():
        end, length = int(ends[number]), int(lengths[number])
        if text[end - length : end] != text[end - 2 * length : end - length]:
            continue
        kept_before = bool(labels.kept[number - 1]) or (kept_before and last == number - 1)
        if kept_before and labels.kept[number]:
            repeats.append(number)
        last = number
    return repeats


def lines_once(source: str, text: str) -> tuple[Edit, ...]:
    """What takes repeated lines out of the text of an element that keeps its line ends; nothing where there are none.

    ``source`` is its HTML. Nothing also where something in it is not shown, so that its lines are not those of the text.
    """
    visible = "".join(token.data for token in tokens(source) if token.type is TEXT)
    lines = _words(_LINE_END.split(visible))
    return _once(lines) if " ".join(lines) == text else ()


def plain_lines_once(paragraph: str) -> tuple[Edit, ...]:
    """The same for a paragraph of plain text."""
    return _once(_words(paragraph.splitlines()))


def _words(lines: Iterable[str]) -> list[str]:
    return [words for words in (" ".join(line.split()) for line in lines) if words]


def _once(lines: list[str]) -> tuple[Edit, ...]:
    """Each repeat goes with the space before it."""
    ends = accumulate(len(line) + 1 for line in lines)
    return tuple(
        Edit(end - len(line) - 2, end - 1, "")
        for before, line, end in zip(["", *lines], lines, ends, strict=False)
        if line == before
    )
