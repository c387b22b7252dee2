"""Labels of all blocks of a batch, as arrays: what every method gives for a harvest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.kernel_layout import CHARS, FIRST_CHAR, LAST_CHAR, LINK_CHARS, PATH, TEXT_END, WORDS
from paberki.extraction.compiled.page_objects import page_blocks
from paberki.extraction.html.collector import BLOCK_LIMIT
from paberki.extraction.html.page_blocks import Block
from paberki.extraction.methods.tagpath import _CLOSERS, TagPathConfig, _starts_sentence, well_formed

LABELS: Final = ("boilerplate", "text")
REASONS: Final = ("not a well-formed paragraph", "nothing but links", "other path", "winning path", "plain text")
TRUNCATED: Final = "truncated"
TRUNCATED_REASON: Final = f"the page has more than {BLOCK_LIMIT:,} blocks; the rest was not read"
_UNFIT, _ONLY_LINKS, _OTHER_PATH, _WINNING, _PLAIN = range(5)


@dataclass(slots=True)
class BlockLabels:
    """One value per block of a harvest, labels and reasons as numbers of words; and one page type per page."""

    label: npt.NDArray[np.int8]
    reason: npt.NDArray[np.int8]
    score: npt.NDArray[np.float64]
    kept: npt.NDArray[np.bool_]
    labels: Sequence[str] = LABELS
    reasons: Sequence[str] = REASONS
    page_types: list[str | None] = field(default_factory=list)
    posts: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """Number of the post that a comment belongs to, 0 for other blocks; empty where the method does not look for posts."""
    fallbacks: list[str | None] | None = None
    """Of each page how its text was found where the usual way gave next to none; None for methods that look once."""


def label(harvest: Harvest, plain: list[int], config: TagPathConfig) -> BlockLabels:
    """P1's method (:func:`paberki.extraction.methods.tagpath.tagpath`); pages in ``plain`` are plain text and kept whole."""
    count = harvest.block_count
    reason, score = np.zeros(count, np.int8), np.zeros(count)
    first_blocks = [0, *harvest.block_ends]
    paragraphs = _well_formed(harvest, config)
    rows = harvest.blocks[:, paragraphs]
    paths, weights = rows[PATH].tolist(), (rows[CHARS] - rows[LINK_CHARS]).tolist()
    reasons: list[int] = []
    scores: list[float] = []
    cuts = np.searchsorted(paragraphs, first_blocks).tolist()
    for begin, end in pairwise(cuts):
        if begin < end:
            _weigh(paths[begin:end], weights[begin:end], reasons, scores)
    reason[paragraphs], score[paragraphs] = reasons, scores
    is_text = reason == _WINNING
    for page in plain:
        blocks = slice(first_blocks[page], first_blocks[page + 1])
        reason[blocks], score[blocks], is_text[blocks] = _PLAIN, 1.0, True
    return BlockLabels(is_text.astype(np.int8), reason, score, is_text, page_types=[None] * len(harvest))


def label_truncated(harvest: Harvest, labels: BlockLabels) -> BlockLabels:
    """Label the last block of pages that were not read to their end; what was decided about it stays."""
    if harvest.truncated_pages:
        last = [harvest.block_ends[page] - 1 for page in harvest.truncated_pages]
        labels.labels, labels.reasons = [*labels.labels, TRUNCATED], [*labels.reasons, TRUNCATED_REASON]
        labels.label[last], labels.reason[last] = len(labels.labels) - 1, len(labels.reasons) - 1
    return labels


def apply(labels: BlockLabels, blocks: Sequence[Block]) -> None:
    """Write the labels of the only page of a harvest into its blocks."""
    rows = zip(
        blocks, labels.label.tolist(), labels.reason.tolist(), labels.score.tolist(), labels.kept.tolist(), strict=True
    )
    for block, word, reason, score, is_text in rows:
        block.label, block.reason = labels.labels[word], labels.reasons[reason]
        block.score, block.kept = score, is_text


def label_with(harvest: Harvest, plain: list[int], method: Callable[[Sequence[Block]], None]) -> BlockLabels:
    """The labels that a method gives which works on the blocks of one page as objects."""
    pages = [page_blocks(harvest, page) for page in range(len(harvest))]
    for number, blocks in enumerate(pages):
        if number in plain:
            for block in blocks:
                block.label, block.score, block.kept, block.reason = "text", 1.0, True, REASONS[_PLAIN]
        elif blocks:
            method(blocks)
    every = [block for blocks in pages for block in blocks]
    labels = sorted({block.label for block in every})
    reasons = sorted({block.reason for block in every})
    return BlockLabels(
        np.array([labels.index(block.label) for block in every], np.int8),
        np.array([reasons.index(block.reason) for block in every], np.int8),
        np.array([block.score for block in every], np.float64),
        np.array([block.kept for block in every], np.bool_),
        labels, reasons, [None] * len(harvest),
    )  # fmt: skip


def _well_formed(harvest: Harvest, config: TagPathConfig) -> npt.NDArray[np.intp]:
    """The blocks that :func:`well_formed` accepts. Most can be decided by their first and last character and their words."""
    rows = harvest.blocks[:, : harvest.block_count]
    ends, begins = rows[TEXT_END], np.roll(rows[TEXT_END], 1)
    begins[:1] = 0
    long = rows[WORDS] >= config.min_words
    ends_sentence = np.isin(rows[LAST_CHAR], [ord(char) for char in config.enders])
    ends_closing = np.isin(rows[LAST_CHAR], [ord(char) for char in _CLOSERS])
    unspaced = ends - begins > rows[CHARS]  # scripts without spaces are not ASCII: more bytes than characters
    sentence_start = np.ones(harvest.block_count, np.bool_)
    if config.capital_start:
        chars, which = np.unique(rows[FIRST_CHAR], return_inverse=True)
        sentence_start = np.array([_starts_sentence(chr(char)) for char in chars.tolist()], np.bool_)[which]
    sure = ends_sentence & long & sentence_start
    open_questions = np.flatnonzero(sentence_start & (ends_sentence | ends_closing) & (long | unspaced) & ~sure)
    text = harvest.text.data
    for number, begin, end in zip(
        open_questions.tolist(), begins[open_questions].tolist(), ends[open_questions].tolist(), strict=True
    ):
        sure[number] = well_formed(str(text[begin:end], "utf-8", "replace"), config)
    return np.flatnonzero(sure)


def _weigh(paths: list[int], lengths: list[int], reasons: list[int], scores: list[float]) -> None:
    """Weigh the paths of the well-formed paragraphs of one page (P1 eq. 1); adds a reason and a score for each."""
    weights: dict[int, float] = {}
    for path, length in zip(paths, lengths, strict=True):
        before = weights.setdefault(path, 0.0)
        weights[path] = before + length / len(weights)
    total = sum(weights.values())
    if total <= 0.0:
        reasons += [_ONLY_LINKS] * len(paths)
        scores += [0.0] * len(paths)
        return
    winner = max(weights, key=weights.__getitem__)
    reasons += [_WINNING if path == winner else _OTHER_PATH for path in paths]
    scores += [weights[path] / total for path in paths]
