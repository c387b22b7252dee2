"""Labels of all blocks of a batch, as arrays: :func:`paberki.extraction.tagpath.tagpath` on a harvest."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.fast import Harvest
from paberki.extraction.layout import CHARS, FIRST_CHAR, LAST_CHAR, LINK_CHARS, PATH, TEXT_END, WORDS
from paberki.extraction.tagpath import _CLOSERS, TagPathConfig, _starts_sentence, well_formed

LABELS: Final = ("boilerplate", "text")
REASONS: Final = ("not a well-formed paragraph", "nothing but links", "other path", "winning path", "plain text")
_UNFIT, _ONLY_LINKS, _OTHER_PATH, _WINNING, _PLAIN = range(5)


@dataclass(slots=True)
class Labels:
    """One value per block of a harvest: number in :data:`REASONS`, score, and whether the block is kept as text."""

    reason: npt.NDArray[np.int8]
    score: npt.NDArray[np.float64]
    kept: npt.NDArray[np.bool_]


def label(harvest: Harvest, plain: list[int], config: TagPathConfig) -> Labels:
    """Label every block; pages in ``plain`` are plain text and kept whole."""
    count = harvest.block_count
    found = Labels(np.zeros(count, np.int8), np.zeros(count), np.zeros(count, np.bool_))
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
    found.reason[paragraphs], found.score[paragraphs] = reasons, scores
    found.kept[:] = found.reason == _WINNING
    for page in plain:
        blocks = slice(first_blocks[page], first_blocks[page + 1])
        found.reason[blocks], found.score[blocks], found.kept[blocks] = _PLAIN, 1.0, True
    return found


def _well_formed(harvest: Harvest, config: TagPathConfig) -> npt.NDArray[np.intp]:
    """The blocks that :func:`well_formed` accepts. Most are told by their first and last character and their words."""
    rows = harvest.blocks[:, : harvest.block_count]
    ends, begins = rows[TEXT_END], np.roll(rows[TEXT_END], 1)
    begins[:1] = 0
    long = rows[WORDS] >= config.min_words
    ended = np.isin(rows[LAST_CHAR], [ord(char) for char in config.enders])
    closed = np.isin(rows[LAST_CHAR], [ord(char) for char in _CLOSERS])
    unspaced = ends - begins > rows[CHARS]  # scripts without spaces are not ASCII: more bytes than characters
    begun = np.ones(harvest.block_count, np.bool_)
    if config.capital_start:
        chars, which = np.unique(rows[FIRST_CHAR], return_inverse=True)
        begun = np.array([_starts_sentence(chr(char)) for char in chars.tolist()], np.bool_)[which]
    sure = ended & long & begun
    open_questions = np.flatnonzero(begun & (ended | closed) & (long | unspaced) & ~sure)
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
