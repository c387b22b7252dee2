"""Documents and paragraphs that repeat what stands on earlier pages (onion's rule), as join stages.

Both are walks over the pages that count, in their order (:mod:`paberki.dedup.repeats.word_runs`): emit names the pages, solve
goes over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.dedup.repeats.surviving_pages import alive, columns_of
from paberki.dedup.repeats.walk_file import WALKED, Part, places_of, writing
from paberki.dedup.repeats.walk_memory import EarlierDecisions, WalkMemory
from paberki.dedup.repeats.word_runs import LIMIT, Marks, RunIndex
from paberki.dedup.signatures.shingles import Ints
from paberki.dedup.signatures.signature_stage import TEXT, texts_of_pages
from paberki.dedup.signatures.spelling_folds import fold_letters
from paberki.languages import Language
from paberki.stage import Columns, Memory, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.blocks import lengths_of
from paberki.store.columns import builtin
from paberki.store.portions import Portions
from paberki.store.selection.copy_choice import rule_columns, survivors
from paberki.store.selection.select import SelectConfig, judge

BATCH_BYTES = 8 << 20
"""Text that is looked at in one go."""


def pages_that_count(batch: Batch, counts: Any) -> pa.Table:
    """The pages that a walk goes over."""
    return pa.table({"page": pa.array(np.asarray(batch.pages)[counts], pa.int64())})


def _in_order(portions: Portions) -> Ints:
    pages: Ints = np.concatenate([rows.column("page").to_numpy() for rows in portions])
    return pages


def batches_of_text(batches: Iterable[Batch]) -> Iterator[list[Batch]]:
    """Batches until there is some text to walk over."""
    some: list[Batch] = []
    size = 0
    for batch in batches:
        some.append(batch)
        size += batch.arrow(TEXT[0]).nbytes
        if size > BATCH_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsConfig:
    """When a page repeats earlier ones."""

    width: int = 5
    """Words in a run."""
    threshold: float = 0.5
    """Pages with a larger share of words in runs seen before do not count as seen themselves."""
    fold: bool = False
    """Compare without diacritics, and Serbian Cyrillic as Latin."""
    ignore: tuple[str, ...] = ()
    """Conditions for more pages that do not count; they get no share."""
    lang: tuple[Language, ...] = ()
    """Languages of the corpus, as $lang in the condition."""
    select: SelectConfig = field(default_factory=SelectConfig)
    """The rules of [select] whose columns are there by now, which pages that count survive; the recipe fills this in."""


def _documents_needs(config: DocumentsConfig, columns: Mapping[str, str]) -> Sequence[str]:
    ignored = columns_of(config.ignore, columns, "documents")
    return tuple(dict.fromkeys(("archive.key", TEXT[1], *ignored, *rule_columns(config, columns))))


@join_stage(
    "dedup.documents.v1", layer="documents", needs=_documents_needs, solve_needs=TEXT, adds=builtin("documents"),
    config=DocumentsConfig, behaviour="survivors",
)  # fmt: skip
class DocumentRepeats:
    """Share of each page that repeats earlier pages, in page order (P3 §3: onion on documents).

    Only pages that are not mostly repeated themselves count as seen, so that of copies the first one stays. Deviation:
    a page is labelled with its share; which share is too much is a rule of select.
    """

    @staticmethod
    def emit(batch: Batch, config: DocumentsConfig) -> pa.Table:
        """The pages that count."""
        return pages_that_count(batch, alive(batch, config.ignore, config.lang) & survivors(batch, config.select))

    @staticmethod
    def solve(portions: Portions, read: Read, config: DocumentsConfig, memory: Memory) -> pa.Table:
        """Walk over the pages in order."""
        pages = _in_order(portions)
        shares = [np.empty(0, np.float32)]
        with RunIndex(config.width, config.threshold, 0, LIMIT) as index:
            for some in batches_of_text(read(pages, TEXT)):
                texts = _spell(pa.concat_arrays([texts_of_pages(batch) for batch in some]), config.fold)
                marks = index.walk(texts, np.arange(len(texts) + 1))
                shares.append((marks.covered_words / np.maximum(marks.lengths, 1)).astype(np.float32))
        return pa.table({"page": pa.array(pages, pa.int64()), "dup_share": pa.array(np.concatenate(shares))})

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: DocumentsConfig) -> Columns:
        """The decisions are the column; pages that do not count have none."""
        return {"dup_share": decisions.column("dup_share")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphsConfig:
    """When a block repeats earlier ones."""

    width: int = 5
    """Words in a run."""
    threshold: float = 0.5
    """Blocks with a larger share of words in runs seen before are near-duplicates."""
    select: SelectConfig = field(default_factory=SelectConfig)
    """The rules of [select] whose columns are there by now, for a walk before select; the recipe fills this in."""
    stub: int = 20
    """So many words between near-duplicate blocks of a page count as part of them; 0 switches this off."""
    fold: bool = False
    """Compare without diacritics, and Serbian Cyrillic as Latin."""


_SELECTED = ("select.keep", "select.block_keep")


def _paragraphs_needs(config: ParagraphsConfig, columns: Mapping[str, str]) -> Sequence[str]:
    block_columns = _SELECTED if "keep" in columns else rule_columns(config, columns)
    return tuple(dict.fromkeys(("archive.id", *block_columns)))


def _walk_needs(config: ParagraphsConfig, columns: Mapping[str, str]) -> Sequence[str]:
    """The text and what says which blocks are kept. Which pages are kept is known from the pages to walk over, so that a
    page which is no longer kept does not make its chunk another one."""
    block_columns = _SELECTED[1:] if "keep" in columns else rule_columns(config, columns)
    return ("extract.blocks.text", *block_columns)


@join_stage(
    "dedup.paragraphs.v1", layer="paragraphs", needs=_paragraphs_needs, solve_needs=_walk_needs,
    adds=builtin("paragraphs"), config=ParagraphsConfig,
)  # fmt: skip
class Paragraphs:
    """Label blocks that mostly repeat blocks of earlier pages, among the pages and blocks that select kept (P3 §3).

    Runs of words, threshold and the smoothing of short pieces are onion's. Nothing is removed: who uses the corpus
    chooses. Deviation: a piece at the edge of a page is smoothed only beside a near-duplicate. Before select, for rules
    that use the labels, the pages and blocks are those that survive all other rules.
    """

    @staticmethod
    def emit(batch: Batch, config: ParagraphsConfig) -> pa.Table:
        """The kept pages."""
        return pages_that_count(batch, _kept_pages(batch, config))

    @staticmethod
    def solve(portions: Portions, read: Read, config: ParagraphsConfig, memory: Memory) -> Iterator[pa.Table]:
        """Walk over the kept pages in order; pages without a near-duplicate block need no decision."""
        pages = _in_order(portions)
        earlier_walk = WalkMemory(memory.folder, memory.chunks)
        with RunIndex(config.width, config.threshold, config.stub, LIMIT) as index:
            parts = _walk(index, pages, read, earlier_walk.resume(index, pages), config)
            name = index.next_name("walked")
            with writing(memory.folder, name) as put:
                for table, tuples in parts:
                    put(table, tuples)
                    yield _decisions(table)
            earlier_walk.save(index, name)

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: ParagraphsConfig) -> Columns:
        """1 and 0 for kept blocks of kept pages, null for all others."""
        block_keep, page_kept = _block_keep(batch, config), _kept_pages(batch, config)
        lengths = lengths_of(block_keep)
        offsets = np.r_[0, np.cumsum(lengths)]
        block = block_keep.flatten().fill_null(False).to_numpy(zero_copy_only=False)
        labels, repeats = np.zeros(len(block), np.int8), np.full(len(block), -1, np.int64)
        for row, (marked_blocks, of) in enumerate(
            zip(decisions.column("marked").to_pylist(), decisions.column("repeats").to_pylist(), strict=True)
        ):
            if marked_blocks:
                labels[offsets[row] + np.array(marked_blocks)] = 1
                repeats[offsets[row] + np.array(marked_blocks)] = of
        in_text = block & np.repeat(page_kept, lengths)
        originals = [f"{page >> 20:09d}:{page & 0xFFFFF}" if page >= 0 else None for page in repeats.tolist()]
        shape, mask = pa.array(offsets, pa.int32()), block_keep.is_null()
        return {
            "neardupe": pa.ListArray.from_arrays(shape, pa.array(labels, pa.int8(), mask=~in_text), mask=mask),
            "neardupe_of": pa.ListArray.from_arrays(shape, pa.array(originals, pa.string()), mask=mask),
        }


def _spell(texts: pa.StringArray, fold: bool) -> pa.StringArray:
    return pa.array([fold_letters(text) for text in texts.to_pylist()], pa.string()) if fold else texts


def _kept_pages(batch: Batch, config: ParagraphsConfig) -> npt.NDArray[np.bool_]:
    """The pages that select kept, or that survive so far."""
    if _SELECTED[0] not in batch.names():
        return survivors(batch, config.select)
    keep: npt.NDArray[np.bool_] = batch.arrow(_SELECTED[0]).fill_null(False).to_numpy(zero_copy_only=False)
    return keep


def _block_keep(batch: Batch, config: ParagraphsConfig) -> pa.ListArray:
    """The blocks that select kept, or that survive so far."""
    if _SELECTED[1] in batch.names():
        return batch.arrow(_SELECTED[1])
    reasons = judge(batch, config.select).block_reason
    return pa.ListArray.from_arrays(reasons.offsets, reasons.values.is_null(), mask=reasons.is_null())


def _kept_blocks(batches: Sequence[Batch], config: ParagraphsConfig) -> tuple[pa.StringArray, Ints]:
    """Texts of all blocks of the pages, those that select left out empty, and where those of each page begin."""
    texts, lengths = [], []
    for batch in batches:
        blocks, keep = batch.arrow("extract.blocks.text"), _block_keep(batch, config)
        stays = keep.flatten().fill_null(False)
        texts.append(pc.if_else(stays, blocks.flatten(), ""))
        lengths.append(lengths_of(blocks))
    return pa.concat_arrays(texts), np.r_[0, np.cumsum(np.concatenate(lengths))].astype(np.int64)


def _walk(
    index: RunIndex, pages: Ints, read: Read, before: EarlierDecisions, config: ParagraphsConfig
) -> Iterator[Part]:
    """All pages with what was decided about them, some at a time."""
    yield WALKED.empty_table(), np.empty(0, np.uint64)
    yield from before.parts()
    position = len(before.blocks)
    first = np.empty(len(pages), np.int64)
    first[:position] = before.blocks
    for some in batches_of_text(read(pages[position:])):
        texts, edges = _kept_blocks(some, config)
        first[position : position + len(edges) - 1] = edges[:-1] + index.blocks
        marks = index.walk(_spell(texts, config.fold), edges)
        last = position + len(edges) - 1
        yield _decision_rows(pages[:last], first[:last], edges, marks), marks.tuples
        position = last


def _decision_rows(pages: Ints, first: Ints, edges: Ints, marks: Marks) -> pa.Table:
    """What was found on the last of these pages; a block elsewhere is page × 2²⁰ + its number."""
    hit = np.flatnonzero(marks.flags)
    owner = np.searchsorted(edges, hit, side="right") - 1
    counts = np.bincount(owner, minlength=len(edges) - 1)
    offsets, none = pa.array(np.r_[0, np.cumsum(counts)].astype(np.int32)), pa.array(counts == 0)
    words = pa.ListArray.from_arrays(pa.array(edges, pa.int32()), pa.array(marks.lengths, pa.int32()))
    lists = [
        pa.ListArray.from_arrays(offsets, pa.array(one, pa.int64()), mask=none)
        for one in (hit - edges[owner], places_of(marks.repeats[hit], pages, first))
    ]
    mine = slice(len(pages) - len(counts), None)
    return pa.table([pages[mine], first[mine], words, *lists], schema=WALKED)


def _decisions(walk: pa.Table) -> pa.Table:
    """The pages with a near-duplicate block."""
    return walk.filter(walk.column("marked").is_valid()).select(["page", "marked", "repeats"])
