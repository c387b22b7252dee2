"""The learned method: boosted trees decide for every block how likely it is to be text of the page.

Two stages. The first sees the features of a block (:mod:`paberki.extraction.learned.features`); the second sees what the first thinks of the block,
of its neighbours, of the elements around it and of all blocks with the same path; the mean of both is better than
either. A block is text when its chance reaches a cut-off that depends on the page: keeping what is likelier than half
the F that can be expected maximises that F (Lipton et al. 2014), so more is kept of a page about which the model is unsure,
such as a shop or a list of links; how much more depends on the type of the page (:mod:`paberki.extraction.learned.page_type`).

The model is a file of the package, ``learned.npz``; ``paberki train extract`` makes one. It holds no text and knows
no language, and says which sets of pages it was trained on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.corpus_file import NO_FILE, CorpusFile, path_of, place_of, shipped
from paberki.errors import ConfigError
from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.html.block_parts import LABELS, label_parts
from paberki.extraction.learned.boosted_trees import Forest, likelihood
from paberki.extraction.learned.comment_blocks import comment_blocks, post_numbers
from paberki.extraction.learned.features import CONTEXT, NAMES, Floats, Measure
from paberki.extraction.learned.furniture_rules import furniture
from paberki.extraction.learned.headings import headings_of_text
from paberki.extraction.learned.page_type import FORUM, PAGE_TYPES, page_type
from paberki.extraction.learned.second_look import (
    LITTLE_CHARS,
    POOR_CHARS,
    PROSE,
    STATED,
    changed_payload,
    much_more,
    other_readings,
    prose_left_out,
    stated_reading,
)
from paberki.extraction.learned.type_hints import type_hints
from paberki.extraction.methods.block_labels import BlockLabels
from paberki.kernels.preparation import prepared
from paberki.model_files.npz import read_npz

REASONS: Final = (
    "unlikely to be text", "likely to be text", "comment of a reader", "plain text", "who wrote a comment, and when",
    "furniture of the page", "heading of the text",
)  # fmt: skip
_UNLIKELY, _LIKELY, _COMMENT, _PLAIN, _BYLINE, _FURNITURE, _HEADING = range(7)
FORMAT: Final = 2

_CUTOFFS: Final = {
    "article": (0.5, 0.5), "forum": (1.0, 0.5), "product": (0.5, 0.5), "listing": (2.5, 0.5),
    "documentation": (0.0, 0.15), "other": (1.0, 0.5),
}  # fmt: skip
"""Page type -> power of the expected F, and highest cut-off where the setting is one half."""
_LIKELY_ENOUGH: Final = 0.3
"""Least probability of the blocks that decide the type of a page."""

_LEAST: Final = 0.1
"""No cut-off is below this; and a page without a single piece of prose has the highest."""

_PROSE_BLOCKS: Final = NAMES.index("page_prose_blocks")


MODEL: Final = "extraction/learned.npz"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedConfig:
    """Which blocks are kept; every block keeps its chance as score, so that a rule can decide otherwise."""

    cutoff: float = 0.5
    """Chance from which on a block is text on a page of which the model is sure; less on others."""
    comments: bool = False
    """Whether comments of readers are kept. They are labelled ``comment`` either way."""
    views: bool = True
    """Whether the text of blocks is repaired: mojibake, references, literal tags, torn words and so on; what the page has is
    then in ``source``."""
    model: CorpusFile = NO_FILE
    """File of another model, as ``paberki train extract`` makes it."""


@dataclass(frozen=True, slots=True)
class BlockModel:
    """Both stages and what is known about them."""

    first: Forest
    second: Forest
    about: dict[str, Any]

    def chances(self, measure: Measure, page: int, features: Floats) -> Floats:
        """How likely each block of a page is to be text: the mean of what both stages say, as logits."""
        first = self.first.logits(features)
        second = self.second.logits(measure.context(page, likelihood(first)))
        return likelihood(np.float32(0.5) * (first + second))

    def save(self, path: Path) -> None:
        """Write the model to a file."""
        about = json.dumps({"format": FORMAT, "features": NAMES, "context": CONTEXT, **self.about}, ensure_ascii=False)
        arrays = {**self.first.arrays("first"), **self.second.arrays("second")}
        with path.open("wb") as file:
            np.savez_compressed(file, about=np.frombuffer(about.encode(), np.uint8), **arrays)  # type: ignore[arg-type]


@lru_cache(maxsize=4)
@prepared
def model(path: str = "") -> BlockModel:
    """A model from its file; the one that comes with the package without a name."""
    place = path_of(path) if path else shipped(MODEL)
    try:
        arrays = read_npz(place)
        about = json.loads(arrays["about"].tobytes())
        same = (
            about.get("format") == FORMAT and tuple(about["features"]) == NAMES and tuple(about["context"]) == CONTEXT
        )
        if same:
            forests = (
                Forest.from_arrays("first", arrays, len(NAMES)),
                Forest.from_arrays("second", arrays, len(CONTEXT)),
            )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigError(
            f"{place} is not an extraction model: {error}; make one with: paberki train extract DATA -o FILE"
        ) from error
    if not same:
        raise ConfigError(
            f"{place} is a model of another version; make it again: paberki train extract DATA -o {place}"
        )
    return BlockModel(*forests, about)


def label_learned(
    harvest: Harvest, plain: Sequence[int], config: LearnedConfig, pages: Sequence[tuple[str | None, str | None]] = ()
) -> BlockLabels:
    """Label every block of a harvest; pages in ``plain`` are plain text and kept whole.

    ``pages`` are the decoded pages with their addresses: they help to decide the type of a page.
    """
    trees = model(place_of(config.model))
    count = harvest.block_count
    labels = BlockLabels(
        np.zeros(count, np.int8), np.zeros(count, np.int8), np.zeros(count), np.zeros(count, np.bool_),
        LABELS, REASONS, [None] * len(harvest), posts=np.zeros(count, np.int32), fallbacks=[None] * len(harvest),
    )  # fmt: skip
    measure = Measure(harvest)
    begin = 0
    for page, end in enumerate(harvest.block_ends):
        if end > begin:
            blocks = slice(begin, end)
            if page in plain:
                labels.kept[blocks], labels.score[blocks] = True, 1.0
                labels.label[blocks], labels.reason[blocks] = LABELS.index("text"), _PLAIN
            else:
                html, url = pages[page] if pages else (None, None)
                labels.page_types[page] = _label_page(labels, blocks, measure, page, trees, harvest, config, html, url)
        begin = end
    return labels


Page = tuple[bytes, str, str, str | None]
"""Payload, decoded text, encoding and address of a page."""


def read_again(
    harvest: Harvest, labels: BlockLabels, pages: Mapping[int, Page], config: LearnedConfig
) -> dict[int, tuple[str, Page]]:
    """Of the pages that gave next to no text those that another reading helps: what it does, and the page read so."""
    ends = [0, *harvest.block_ends]
    better: dict[int, tuple[str, Page]] = {}
    for number, (payload, text, encoding, url) in pages.items():
        blocks = slice(ends[number], ends[number + 1])
        before = _free_chars(harvest, blocks, labels)
        if before >= LITTLE_CHARS:
            continue
        readings = [*other_readings(text, harvest, number)] if before < POOR_CHARS else []
        stated_page = stated_reading(text, before)
        best = before
        for name, other_text in readings + ([(STATED, stated_page)] if stated_page else []):
            page = (changed_payload(payload, other_text, encoding), other_text, encoding, url)
            chars = _kept_chars(page, config)
            if chars > best and much_more(chars, before):
                best, better[number] = chars, (name, page)
    return better


def _kept_chars(page: Page, config: LearnedConfig) -> int:
    """Characters that a reading gives; none if the page has no prose."""
    payload, text, encoding, url = page
    harvest = Harvest()
    harvest.add_page(payload, text, encoding)
    labels = label_learned(harvest, (), config, [(text, url)])
    if not labels.kept.any() or Measure(harvest).features(0)[0, _PROSE_BLOCKS] == 0:
        return 0
    return _free_chars(harvest, slice(0, harvest.block_count), labels)


def _free_chars(harvest: Harvest, blocks: slice, labels: BlockLabels) -> int:
    """Characters of the text that are in no link: of a page that hides its text, the menu may be what is left."""
    chars, links = (harvest.blocks[row, blocks] for row in (kernel_layout.CHARS, kernel_layout.LINK_CHARS))
    return int(np.maximum(chars - links, 0)[labels.kept[blocks]].sum())


def _label_page(
    labels: BlockLabels, blocks: slice, measure: Measure, page: int, trees: BlockModel, harvest: Harvest, config: LearnedConfig,
    html: str | None, url: str | None,
) -> str:  # fmt: skip
    features = measure.features(page, type_hints(html or "", url))
    chances = trees.chances(measure, page, features)
    lengths = harvest.blocks[kernel_layout.CHARS, blocks]
    kind = page_type(features, chances >= _LIKELY_ENOUGH, lengths)
    prose = features[0, _PROSE_BLOCKS] > 0
    is_text = chances >= (cutoff(chances, lengths, kind, config.cutoff) if prose else config.cutoff)
    prose = prose_left_out(features, lengths, is_text)
    if prose is not None and labels.fallbacks is not None:
        is_text, labels.fallbacks[page] = is_text | prose, PROSE
    headings = headings_of_text(features, chances, is_text)
    is_text = is_text | headings
    unwanted, code = furniture(harvest, blocks, features, is_text, kind)
    is_text &= ~unwanted
    comment, byline = comment_blocks(harvest, blocks, features, is_text, html or "")
    if kind == FORUM:  # its posts are the text
        is_text = is_text | comment
        comment, byline = np.zeros_like(comment), np.zeros_like(byline)
    label = label_parts(features, is_text, comment | byline)
    label[code & ~comment] = LABELS.index("code")
    reason = np.where(is_text, np.where(headings, _HEADING, _LIKELY), np.where(unwanted, _FURNITURE, _UNLIKELY))
    if comment.any():
        reason[comment], reason[byline] = _COMMENT, _BYLINE
        labels.posts[blocks] = post_numbers(harvest, blocks, comment)
        is_text = (is_text | comment if config.comments else is_text & ~comment) & ~byline
    labels.score[blocks], labels.kept[blocks], labels.label[blocks], labels.reason[blocks] = (
        chances,
        is_text,
        label,
        reason,
    )
    return PAGE_TYPES[kind]


def cutoff(chances: Floats, lengths: npt.NDArray[np.int32], kind: int, most: float) -> float:
    """The chance from which on blocks are text: ``most`` times a power of the best F that can be expected.

    With blocks in order of their chances p and their lengths n, keeping the first k gives an expected F of
    2 Σ n p (of the first k) / (Σ n (of the first k) + Σ n p (of all)). Half of the best is the best cut-off where
    chances are true; types of pages that the model has seen little of deserve less, articles more.
    """
    order = np.argsort(-chances, kind="stable")
    mass = lengths[order].astype(np.float64)
    hits = np.cumsum(mass * chances[order])
    best = float((2 * hits / (np.cumsum(mass) + hits[-1])).max())
    power, highest = _CUTOFFS[PAGE_TYPES[kind]]
    return float(max(most * min(best**power, 2 * highest), _LEAST))
