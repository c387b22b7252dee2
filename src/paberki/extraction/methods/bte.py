"""Body text extraction: the one window of the page with most text and fewest tags (WaCky; P1 §2.2, P5 §3.2 [29])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from paberki.extraction.evaluation.text_measures import tokens
from paberki.extraction.html.page_blocks import TAG_CHARS, Block, beginnings

_DEFAULT_TAG: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BteConfig:
    """What text and markup are measured in."""

    unit: Literal["tokens", "chars"] = "tokens"
    """tokens: words against tags, the classic form. chars: characters of text against characters of markup (P5)."""
    tag_weight: float = 1.0
    """How much a tag (or a character of markup) counts against a token (or a character of text)."""


def bte(blocks: Sequence[Block], config: BteConfig | None = None) -> None:
    """Label blocks in place: those inside the best window are the text.

    The best window has the largest sum of text tokens inside and tags outside, which is the largest sum of tokens minus
    tags inside; all windows are tried in one pass. It keeps boilerplate in the middle and loses text at the ends: a
    baseline (P1 §2.2). ``score`` is 1 inside and 0 outside. Deviation: a window begins and ends with a block, and tags
    between blocks are the steps between their paths.
    """
    config = config or BteConfig()
    begin, end = _window(_texts(blocks, config), _gaps(blocks, config))
    for number, block in enumerate(blocks):
        inside = begin <= number < end
        block.label, block.kept, block.score = "text" if inside else "boilerplate", inside, float(inside)
        block.reason = "inside the best window" if inside else "outside the best window"


def _window(texts: Sequence[float], gaps: Sequence[float]) -> tuple[int, int]:
    """Begin and end of the run of blocks with the largest sum of text minus the gaps between them."""
    best, best_window = 0.0, (0, 0)
    running, begin = 0.0, 0
    for number, (text, gap) in enumerate(zip(texts, gaps, strict=True)):
        if running - gap <= 0.0:
            running, begin = text, number
        else:
            running += text - gap
        if running > best:
            best, best_window = running, (begin, number + 1)
    return best_window


def _texts(blocks: Sequence[Block], config: BteConfig) -> list[float]:
    """Text minus tags of each block."""
    if config.unit == "chars":
        return [len(block.text) - config.tag_weight * TAG_CHARS * block.tag_count for block in blocks]
    return [
        len(tokens(begin)) * (len(block.text) / max(len(begin), 1)) - config.tag_weight * block.tag_count
        for block, begin in zip(blocks, beginnings(blocks), strict=True)
    ]


def _gaps(blocks: Sequence[Block], config: BteConfig) -> list[float]:
    """Markup before each block, seen from the block before it."""
    gaps = [0.0]
    for before, block in pairwise(blocks):
        if config.unit == "chars":
            gaps.append(config.tag_weight * max(0, block.start - before.end))
        else:
            gaps.append(config.tag_weight * _tags_between(before.path, block.path))
    return gaps if blocks else []


def _tags_between(before: str, path: str) -> int:
    """End tags and start tags that lead from one path to the other; two blocks in a row are one tag apart at least."""
    if before == path:
        return 2 if path else _DEFAULT_TAG
    left, right = before.split(">"), path.split(">")
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        shared += 1
    return max(_DEFAULT_TAG, len(left) + len(right) - 2 * shared)
