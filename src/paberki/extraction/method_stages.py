"""Any method as a stage: to extract with it, or to log what it would decide beside another one's labels.

``extract.method.v1`` writes the layer ``extract`` with the method that its settings name. ``decisions.method.v1`` acts on
nothing: it writes down what a method would keep, block by block, so that a cut-off can be chosen or two methods
compared before one is put in force (P5 §3.2, footnote 3). ``justext.words.v1`` and ``decisions.justext.v1`` are jusText with
stop words learnt from a first pass over the crawl itself (P3 §3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np
import pyarrow as pa

from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.page_objects import page_blocks
from paberki.extraction.extract_stage import BEHAVIOUR, COLUMNS, NEEDS, _harvest, extracted
from paberki.extraction.html.elements import ElementsConfig, cut_for
from paberki.extraction.html.page_blocks import Block
from paberki.extraction.learned.comment_blocks import label_named
from paberki.extraction.methods.block_labels import BlockLabels
from paberki.extraction.methods.bte import BteConfig, bte
from paberki.extraction.methods.justext import _WORD, JustextConfig, justext
from paberki.extraction.methods.perceptron import MODEL as WEIGHTS
from paberki.extraction.methods.perceptron import PerceptronConfig, perceptron
from paberki.extraction.methods.tagpath import TagPathConfig, tagpath
from paberki.extraction.methods.victor import MODEL as CRF
from paberki.extraction.methods.victor import VictorConfig, victor
from paberki.extraction.methods.whole_page import WholeConfig, whole
from paberki.model import Model
from paberki.stage import Columns, fit_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

WORD_COUNTS = pa.schema([("word", pa.string()), ("pages", pa.int64())])
_KEPT_PER_PAGE: Final = 20_000
"""Characters of a page that stop words are learnt from."""
_TABLE_LIMIT: Final = 200_000
"""Words that a shard may pass on: rare ones become no stop words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractMethodConfig:
    """A method with the settings of each."""

    method: Literal["tagpath", "bte", "justext", "perceptron", "victor", "whole"] = "justext"
    """Which method labels the blocks."""
    views: bool = True
    """Whether the text of blocks is repaired; what the page has is then in ``source``."""
    script: Literal["as written", "latin"] = "as written"
    """``latin``: Serbian in Cyrillic letters is transliterated before anything else looks at it (P3 §3); needs views."""
    elements: ElementsConfig = field(default_factory=ElementsConfig)
    """Which tags end a paragraph and which elements are skipped (P5 §3.1, P4 §2.2)."""
    tagpath: TagPathConfig = field(default_factory=TagPathConfig)
    """Settings of tagpath (P1)."""
    bte: BteConfig = field(default_factory=BteConfig)
    """Settings of BTE."""
    justext: JustextConfig = field(default_factory=JustextConfig)
    """Settings of jusText."""
    perceptron: PerceptronConfig = field(default_factory=PerceptronConfig)
    """Settings of the perceptron (P5)."""
    victor: VictorConfig = field(default_factory=VictorConfig)
    """Settings of Victor (P2)."""
    whole: WholeConfig = field(default_factory=WholeConfig)
    """Nothing to set: every block is text (P4)."""

    def __post_init__(self) -> None:
        if self.script == "latin" and not self.views:
            raise ValueError("extract: script = 'latin' is a view of the text, and views = false allows none")


@dataclass(frozen=True, slots=True, kw_only=True)
class StopWordsConfig:
    """How stop words are learnt from the crawl."""

    count: int = 300
    """Words in the list: those that occur on most pages."""


_METHODS: Final[dict[str, Callable[[Sequence[Block], Any], None]]] = {
    "tagpath": tagpath, "bte": bte, "justext": justext, "perceptron": perceptron, "victor": victor,
    "whole": whole,
}  # fmt: skip


def _models(config: ExtractMethodConfig) -> tuple[str, ...]:
    """The model of the package that the method reads."""
    if config.method == "perceptron" and not config.perceptron.weights:
        return (WEIGHTS,)
    return (CRF,) if config.method == "victor" and not config.victor.model else ()


@map_stage(
    "extract.method.v1",
    layer="extract",
    needs=NEEDS,
    adds=builtin("extract", *COLUMNS),
    config=ExtractMethodConfig,
    reads=_models,
    behaviour=BEHAVIOUR,
)
def extract_method(batch: Batch, config: ExtractMethodConfig) -> Columns:
    """Blocks labelled by a method of the papers: tag paths (P1 §2.2), BTE, jusText (P3 §3), perceptron (P5 §3.2), Victor (P2 §3)."""
    return _extracted(batch, config, lambda _, labels: labels)


@map_stage(
    "extract.method.v2",
    layer="extract",
    needs=NEEDS,
    adds=builtin("extract"),
    config=ExtractMethodConfig,
    reads=_models,
    behaviour=BEHAVIOUR,
)
def extract_method_with_comments(batch: Batch, config: ExtractMethodConfig) -> Columns:
    """As ``extract.method.v1`` (P5 §3.2: any paragraph with coherent full sentences is text, whoever wrote it), and kept
    blocks in elements that are named for comments are labelled ``comment``."""
    return _extracted(batch, config, label_named)


def _extracted(
    batch: Batch, config: ExtractMethodConfig, change: Callable[[Harvest, BlockLabels], BlockLabels]
) -> Columns:
    """What the method of the settings keeps, after a change of its labels."""
    return extracted(
        batch,
        lambda harvest, plain: change(harvest, _labels(harvest, plain, _method(config))),
        views=config.views,
        latin=config.script == "latin",
        elements=cut_for(config.method, config.elements),
    )


@map_stage(
    "decisions.method.v1",
    layer="decisions",
    needs=NEEDS,
    adds=builtin("decisions"),
    config=ExtractMethodConfig,
    reads=_models,
    behaviour=BEHAVIOUR,
)
def log_decisions(batch: Batch, config: ExtractMethodConfig) -> Columns:
    """What a method would decide, logged and not acted upon (P5 §3.2, footnote 3).

    Blocks are those of ``extract``. Where a method cuts finer, as Victor does, a block has the label of most of its
    characters and the mean of their scores.
    """
    return _log_missing(batch, _method(config), config.elements, cut_for(config.method, config.elements))


@fit_stage(
    "justext.words.v1",
    layer="justext.words",
    needs=("extract.blocks.text", "extract.blocks.kept"),
    config=StopWordsConfig,
)
class StopWords:
    """Words that occur on most pages of a crawl, in the text that a first pass kept (P3 §3).

    Deviation: P3 brought lists of stop words in both scripts along. Both scripts of Serbian come in by themselves.
    """

    @staticmethod
    def observe(batch: Batch, config: StopWordsConfig, seen: pa.Table | None = None) -> pa.Table:
        """On how many pages of the batch each word occurs."""
        kept_blocks = kept_texts(batch.arrow("extract.blocks.text"), batch.arrow("extract.blocks.kept"))
        counts: Counter[str] = Counter()
        for page in range(len(batch)):
            counts.update(set(_WORD.findall("\n".join(kept_blocks.of_page(page))[:_KEPT_PER_PAGE].lower())))
        return _count_table(counts)

    @staticmethod
    def merge(tables: list[pa.Table], config: StopWordsConfig) -> pa.Table:
        """Sums, sorted; the rarest words are left out when there are too many."""
        table = pa.concat_tables(tables).group_by("word", use_threads=False).aggregate([("pages", "sum")])
        table = table.rename_columns(["word", "pages"]).cast(WORD_COUNTS)
        return table.sort_by([("pages", "descending"), ("word", "ascending")]).slice(0, _TABLE_LIMIT).combine_chunks()

    @staticmethod
    def finish(table: pa.Table, config: StopWordsConfig) -> pa.Table:
        """The most frequent words."""
        return table.sort_by([("pages", "descending"), ("word", "ascending")]).slice(0, config.count).combine_chunks()


@map_stage(
    "decisions.justext.v1",
    layer="decisions",
    needs=NEEDS,
    adds=builtin("decisions"),
    config=JustextConfig,
    models=("justext.words",),
)
def justext_decisions(batch: Batch, config: JustextConfig, model: Model) -> Columns:
    """What jusText decides with the stop words of this crawl (P3 §3). Select may go by ``block_decision``."""
    words = _stop_words(model)
    return _log_missing(batch, lambda blocks: justext(blocks, config, words))


@lru_cache(maxsize=4)
def _stop_words(model: Model) -> frozenset[str]:
    return frozenset(model.table.column("word").to_pylist())


def _method(config: ExtractMethodConfig) -> Callable[[Sequence[Block]], None]:
    return lambda blocks: _METHODS[config.method](blocks, getattr(config, config.method))


def _labels(harvest: Harvest, plain: Sequence[int], method: Callable[[Sequence[Block]], None]) -> BlockLabels:
    """Labels of all blocks of a harvest, page by page; plain text is kept whole."""
    labelled_blocks: list[Block] = []
    for page in range(len(harvest)):
        blocks = page_blocks(harvest, page)
        if page in plain:
            for block in blocks:
                block.label, block.score, block.kept, block.reason = "text", 1.0, True, "plain text"
        elif blocks:
            method(blocks)
        labelled_blocks += blocks
    labels, reasons = (
        list(dict.fromkeys(getattr(block, name) for block in labelled_blocks)) for name in ("label", "reason")
    )
    return BlockLabels(
        np.array([labels.index(block.label) for block in labelled_blocks], np.int8),
        np.array([reasons.index(block.reason) for block in labelled_blocks], np.int8),
        np.array([block.score for block in labelled_blocks], np.float64),
        np.array([block.kept for block in labelled_blocks], np.bool_),
        labels,
        reasons,
        [None] * len(harvest),
    )


def _log_missing(
    batch: Batch,
    method: Callable[[Sequence[Block]], None],
    elements: ElementsConfig | None = None,
    cut: ElementsConfig | None = None,
) -> Columns:
    harvest, plain, missing = _harvest(batch, elements)
    if cut == elements:
        labels = _labels(harvest, plain, method)
        names, scores = [labels.labels[number] for number in labels.label.tolist()], labels.score.tolist()
    else:
        pieces, _, _ = _harvest(batch, cut)
        names, scores = _gather_labels(harvest, pieces, _labels(pieces, plain, method))
    edges = [0, *harvest.block_ends]
    missing_words = set(missing)
    pages = [None if page in missing_words else slice(edges[page], edges[page + 1]) for page in range(len(harvest))]
    return {
        "block_decision": [None if page is None else names[page] for page in pages],
        "block_decision_score": [None if page is None else scores[page] for page in pages],
    }


def _gather_labels(harvest: Harvest, pieces: Harvest, labels: BlockLabels) -> tuple[list[str], list[float]]:
    """Label and score of every block, from those of the pieces that it was cut into."""
    names: list[str] = []
    scores: list[float] = []
    first = block = 0
    for page in range(len(harvest)):
        starts = pieces.blocks[kernel_layout.START, first : pieces.block_ends[page]]
        ends = harvest.blocks[kernel_layout.END, block : harvest.block_ends[page]]
        edges = first + np.searchsorted(starts, ends)
        for last in edges.tolist():
            chars = pieces.blocks[kernel_layout.CHARS, first:last].astype(np.float64)
            own = np.bincount(labels.label[first:last], chars, len(labels.labels)) if last > first else [0.0]
            names.append(labels.labels[int(np.argmax(own))] if last > first else "other")
            scores.append(float(labels.score[first:last] @ chars / chars.sum()) if last > first else 0.0)
            first = last
        first, block = pieces.block_ends[page], harvest.block_ends[page]
    return names, scores


def _count_table(counts: Counter[str]) -> pa.Table:
    words = sorted(counts, key=lambda word: (-counts[word], word))[:_TABLE_LIMIT]
    columns = [pa.array(words, pa.string()), pa.array([counts[word] for word in words], pa.int64())]
    return pa.table(columns, schema=WORD_COUNTS)
