"""Test sets in the corpus: passages of pages that stand in a given test set, as labels (map stage).

Whoever trains a language model on the corpus and tests it on a published set must know which pages contain its answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from paberki.corpus_file import CorpusFile, path_of
from paberki.dedup.near.foreign_documents import documents
from paberki.dedup.near.input_texts import batches
from paberki.dedup.near.spool import StringFile
from paberki.dedup.repeats.word_runs import tokens_of, tuples_of
from paberki.dedup.signatures.shingles import Hashes, Ints
from paberki.dedup.signatures.signature_stage import TEXT
from paberki.dedup.signatures.word_places import word_spans
from paberki.errors import ConfigError
from paberki.lexicon import texts_of
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

_SHOWN: Final = 300
"""Characters of a passage that are kept in the label."""
_ITEMS: Final = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ContaminationConfig:
    """Which test sets, and how much of them."""

    tests: tuple[CorpusFile, ...] = ()
    """Files with test sets, JSONL or text."""
    words: int = 13
    """Runs of so many words are looked for; shorter items are looked for as a whole, down to five words."""

    def __post_init__(self) -> None:
        if self.words < 5:
            raise ValueError(f"contamination: words = {self.words} is less than 5")


@map_stage(
    "dedup.contamination.v1", layer="contamination", needs=TEXT, adds=builtin("contamination"),
    config=ContaminationConfig, behaviour="items by name",
)  # fmt: skip
def contamination(batch: Batch, config: ContaminationConfig) -> Columns:
    """Passages of the kept text that share runs of 13 words with an item of a test set (no paper; Brown et al. 2020)."""
    sets = [_test_set(*_identity(path_of(file)), config.words) for file in config.tests]
    passages: list[Any] = [[] for _ in range(len(batch))]
    inside = np.zeros(len(batch), np.int64)
    words = np.zeros(len(batch), np.int64)
    if sets:
        kept_blocks = kept_texts(batch.arrow(TEXT[0]), batch.arrow(TEXT[1]))
        tokens = tokens_of(kept_blocks.texts)
        starts = np.r_[0, tokens.ends]
        words = starts[kept_blocks.edges[1:]] - starts[kept_blocks.edges[:-1]]
        is_copy = np.zeros(len(tokens.values), bool)
        for one in sets:
            for block, low, high, item in one.runs_in(tokens.values, starts):
                is_copy[starts[block] + low : starts[block] + high] = True
                passages[kept_blocks.pages[block]].append(_passage(kept_blocks, block, low, high, one.item_name(item)))
        inside = np.add.reduceat(np.r_[is_copy, False], np.minimum(starts[kept_blocks.edges[:-1]], len(is_copy)))
        inside[words == 0] = 0
    return {
        "contaminated": pa.array([one or None for one in passages], builtin("contamination")[0].type),
        "contaminated_share": pa.array(inside / np.maximum(words, 1), pa.float32()),
    }


def _passage(kept_blocks: Any, block: int, low: int, high: int, of: str) -> dict[str, Any]:
    text = kept_blocks.texts[block].as_py()
    spans = word_spans(text)
    start, end = spans[low][0], spans[high - 1][1]
    place = {"block": int(kept_blocks.numbers[block]), "start": start, "end": end, "words": high - low, "of": of}
    return {**place, "text": text[start:end][:_SHOWN]}


def _identity(path: Path) -> tuple[Path, str]:
    """A file and what makes it another one, so that it is read once in the life of a worker."""
    try:
        about = path.stat()
    except OSError as error:
        raise ConfigError(f"contamination: {path}: cannot be read ({error.strerror})") from error
    return path, f"{about.st_mtime_ns}:{about.st_size}"


@dataclass(frozen=True, eq=False, slots=True)
class _TestSet:
    """Hashes of runs of words of a test set, by their number of words, with the item each is from."""

    name: str
    items: StringFile
    """What each item is called: by its id, or by the line that it begins on."""
    runs: tuple[tuple[int, Hashes, Ints], ...]

    def item_name(self, item: int) -> str:
        """How an item is reported."""
        return f"{self.name}:{self.items.take(np.array([item]))[0].as_py()}"

    def runs_in(self, tokens: Hashes, starts: Ints) -> list[tuple[int, int, int, int]]:
        """Where texts share runs with it: text, first and last word, item. Neighbouring hits of one item are one."""
        hits: list[tuple[int, int, int, int]] = []
        for width, values, items in self.runs:
            mine = tuples_of(tokens, starts[1:], width)
            at = np.minimum(np.searchsorted(values, mine), len(values) - 1)
            for end in np.flatnonzero((values[at] == mine) & (mine != 0)).tolist():
                text = int(np.searchsorted(starts, end, side="right")) - 1
                high = end + 1 - int(starts[text])
                hits.append((text, high - width, high, int(items[at[end]])))
        return _merge(sorted(hits))


def _merge(hits: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    passages: list[tuple[int, int, int, int]] = []
    for text, low, high, item in hits:
        if passages and passages[-1][0] == text and low <= passages[-1][2]:
            before = passages[-1]
            passages[-1] = (text, before[1], max(high, before[2]), before[3])
        else:
            passages.append((text, low, high, item))
    return passages


@lru_cache(maxsize=16)
def _test_set(path: Path, version: str, words: int) -> _TestSet:
    """Runs of a test set; an item that is shorter gives one run, whatever its length, if it has five words."""
    runs_by_length: dict[int, list[tuple[Hashes, Ints]]] = {}
    names, count = StringFile(), 0
    for some in batches(documents(path, "auto", lambda *_: None), lambda item: item.text):
        _add_runs(runs_by_length, [item.text for item in some], count, words)
        names.append(texts_of([item.name for item in some]))
        count += len(some)
        if count > _ITEMS:
            raise ConfigError(f"contamination: {path}: has more than {_ITEMS} items")
    runs = []
    for width, parts in sorted(runs_by_length.items()):
        values, items = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        values, place = np.unique(values, return_index=True)
        runs.append((width, values, items[place]))
    return _TestSet(path.name, names, tuple(runs))


def _add_runs(runs_by_length: dict[int, list[tuple[Hashes, Ints]]], texts: list[str], first: int, words: int) -> None:
    tokens = tokens_of(texts)
    lengths = np.diff(np.r_[0, tokens.ends])
    owner = np.repeat(np.arange(len(texts)) + first, lengths)
    for width in (words, *(length for length in np.unique(lengths).tolist() if 5 <= length < words)):
        hashes = tuples_of(tokens.values, tokens.ends, width)
        mine = hashes != 0
        if width < words:
            mine &= np.repeat(lengths == width, lengths)
        if mine.any():
            runs_by_length.setdefault(width, []).append((hashes[mine], owner[mine]))
