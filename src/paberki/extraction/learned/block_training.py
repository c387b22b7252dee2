"""Grow the trees of the learned method from pages with gold text.

Each block is text or not by an alignment of the page with its gold text. Both stages are grown by LightGBM; the second
one learns from what the first says of pages that it has not seen (:data:`FOLDS`, sites kept together), for that is what
it will get. Pages count the same whatever their length, and blocks by a power of their words.

Pages whose gold is a few snippets, and pages without gold, can help too (``hints``): their blocks are labelled softly by
the agreement of other extractors.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.errors import ConfigError, InputError, MissingExtra
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.page_objects import page_blocks
from paberki.extraction.evaluation.gold_pages import GoldPage
from paberki.extraction.evaluation.text_measures import tokens
from paberki.extraction.learned.block_classifier import BlockModel
from paberki.extraction.learned.boosted_trees import Forest
from paberki.extraction.learned.features import Floats, Measure
from paberki.extraction.learned.type_hints import type_hints
from paberki.web.registered_domains import split_url

FOLDS: Final = 4
TREES: Final = 160
"""Of the first stage; the second has half as many."""
SETTINGS: Final[dict[str, Any]] = {
    "objective": "cross_entropy", "learning_rate": 0.06, "num_leaves": 31, "min_data_in_leaf": 150,
    "feature_fraction": 0.35, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 63,
    "seed": 1, "deterministic": True, "force_row_wise": True, "verbose": -1,
}  # fmt: skip
FEWEST_PAGES: Final = 4

_GRAM: Final = 3
_LONG: Final = 5
_POWER: Final = 0.6
_CELLS: Final = 400_000_000
"""Largest product of lengths for which a page is aligned word by word."""

Log = Callable[[str], None]


@dataclass(slots=True)
class Example:
    """A page ready to learn from."""

    html: str = field(repr=False)
    fold: int
    features: Floats = field(repr=False)
    chances: Floats = field(repr=False)
    """What each block should get: 0 or 1, or something between where nobody knows for sure."""
    weights: npt.NDArray[np.float64] = field(repr=False)


def train(
    pages: Iterable[GoldPage], *, trees: int = TREES, sets: Sequence[str] = (), log: Log | None = None,
    hints: Mapping[tuple[str, str], Sequence[float]] | None = None, without: Sequence[str] = (),
    unlabelled: Sequence[str] = (),
) -> BlockModel:  # fmt: skip
    """A model of both stages. ``hints`` are soft labels of the blocks of pages without gold text, by set and id.

    ``without`` and ``unlabelled`` are patterns of ``set/id``: pages that are left out, and pages whose gold is not used.
    """
    _lightgbm()  # whether it is there is better known before pages are read
    labelled_pages = list(examples(pages, hints=hints, without=without, unlabelled=unlabelled))
    ready = [one for _, one, _ in labelled_pages]
    if len(ready) < FEWEST_PAGES or not sum(float(one.chances.sum()) for one in ready) > 0:
        raise ConfigError(f"{len(ready)} pages with text are too few to learn from; at least {FEWEST_PAGES} are needed")
    about = {
        "training_sets": sorted({*sets, *(page.set for page, _, has_labels in labelled_pages if has_labels)}),
        "unlabelled_sets": sorted({page.set for page, _, has_labels in labelled_pages if not has_labels}),
    }
    return learn(ready, trees=trees, log=log, about=about)


def examples(
    pages: Iterable[GoldPage], *, hints: Mapping[tuple[str, str], Sequence[float]] | None = None,
    without: Sequence[str] = (), unlabelled: Sequence[str] = (),
) -> Iterator[tuple[GoldPage, Example, bool]]:  # fmt: skip
    """The pages that can be learnt from, ready for it, and whether their own gold is used."""
    for page in pages:
        if not _matches(page, without):
            unused = _matches(page, unlabelled)
            one = example(_without_gold(page) if unused else page, (hints or {}).get((page.set, page.id)))
            if one is not None:
                yield page, one, not unused


def learn(
    examples: Sequence[Example], *, trees: int = TREES, log: Log | None = None, about: Mapping[str, Any] | None = None
) -> BlockModel:
    """A model of both stages from pages that are ready."""
    lightgbm = _lightgbm()
    tell = log or _nobody
    tell(f"{len(examples)} pages, {sum(len(one.chances) for one in examples)} blocks")
    unseen = _unseen_chances(lightgbm, examples, trees, tell)
    first = _grow(lightgbm, examples, [one.features for one in examples], trees, {})
    contexts = [_context(one, chances) for one, chances in zip(examples, unseen, strict=True)]
    second = _grow(lightgbm, examples, contexts, max(1, trees // 2), {"feature_fraction": 0.7})
    return BlockModel(first, second, {**(about or {}), "pages": len(examples), "trees": [len(first), len(second)]})


def _matches(page: GoldPage, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(f"{page.set}/{page.id}", pattern) for pattern in patterns)


def _without_gold(page: GoldPage) -> GoldPage:
    return replace(page, gold=None, good_snippets=[], bad_snippets=[])


def read_hints(path: Path) -> dict[tuple[str, str], list[float]]:
    """Soft labels from a file with one page per line: ``set``, ``id`` and ``chances``, one number per block."""
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return {(str(row["set"]), str(row["id"])): [float(value) for value in row["chances"]] for row in rows}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a file of soft labels: {error}") from error


def example(page: GoldPage, hints: Sequence[float] | None = None) -> Example | None:
    """Features and labels of a page; None for pages without blocks or labels."""
    harvest = Harvest()
    harvest.add_text(page.html)
    if not harvest.block_count:
        return None
    texts = [block.text for block in page_blocks(harvest, 0)]
    words = [tokens(text) for text in texts]
    if page.gold is not None:
        chances = (aligned(words, tokens(page.gold)) > 0.5).astype(np.float32)
    elif hints is not None and len(hints) == len(texts):
        chances = np.array(hints, np.float32)
        _use_snippets(page, texts, chances)
    else:
        return None
    features = Measure(harvest).features(0, type_hints(page.html, page.url)).copy()
    weights = np.maximum([len(own) for own in words], 1) ** _POWER
    return Example(page.html, fold(page), features, chances, weights / weights.sum())


def aligned(blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> npt.NDArray[np.float64]:
    """Share of the words of each block that an alignment with the gold text finds there, in order.

    Of longer blocks most 3-grams must be in the gold text as well: single words are found anywhere.
    """
    flat = [word for block in blocks for word in block]
    ends = np.cumsum([len(block) for block in blocks])
    counts = np.maximum(np.array([len(block) for block in blocks]), 1)
    hits = _share(_alignment(flat, gold), ends, counts)
    grams = {tuple(gold[at : at + _GRAM]) for at in range(len(gold) - _GRAM + 1)}
    in_gold = np.zeros(len(flat), np.bool_)
    for at in range(len(flat) - _GRAM + 1):
        if tuple(flat[at : at + _GRAM]) in grams:
            in_gold[at : at + _GRAM] = True
    aligned_share = _share(in_gold, ends, counts)
    return np.where((counts >= _LONG) & (aligned_share <= 0.3), np.minimum(hits, aligned_share), hits)


def _alignment(words: Sequence[str], gold: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which words are in a longest common subsequence with the gold text."""
    aligned_words = np.zeros(len(words), np.bool_)
    vocabulary = set(gold)
    places = [place for place, word in enumerate(words) if word in vocabulary]
    if not places or len(places) * len(gold) > _CELLS:
        aligned_words[places] = True
        return aligned_words
    for block in _rapidfuzz().LCSseq.opcodes([words[place] for place in places], gold):
        if block.tag == "equal":
            aligned_words[places[block.src_start : block.src_end]] = True
    return aligned_words


def _share(hits: npt.NDArray[np.bool_], ends: npt.NDArray[Any], counts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    sums = np.r_[0, np.cumsum(hits)]
    share: npt.NDArray[np.float64] = np.diff(np.r_[0, sums[ends]]) / counts
    return share


def _use_snippets(page: GoldPage, texts: Sequence[str], chances: Floats) -> None:
    for value, snippets in ((1.0, page.good_snippets), (0.0, page.bad_snippets)):
        plain_snippets = [" ".join(snippet.split()) for snippet in snippets]
        for number, text in enumerate(texts):
            if len(text) >= 20 and any(one in text or (len(text) > 30 and text in one) for one in plain_snippets):
                chances[number] = value


def _unseen_chances(lightgbm: Any, examples: Sequence[Example], trees: int, tell: Log) -> list[Floats]:
    """What a first stage says of pages of sites that it was not grown on."""
    chances: list[Floats] = [np.zeros(0, np.float32)] * len(examples)
    folds = {one.fold for one in examples}
    for fold in sorted(folds):
        others = [one for one in examples if one.fold != fold or len(folds) == 1]
        forest = _grow(lightgbm, others, [one.features for one in others], trees, {})
        tell(f"fold {fold + 1} of {FOLDS}")
        for number, one in enumerate(examples):
            if one.fold == fold:
                chances[number] = forest.chances(one.features)
    return chances


def _context(one: Example, chances: Floats) -> Floats:
    harvest = Harvest()
    harvest.add_text(one.html)
    measure = Measure(harvest)
    measure.features(0)
    return measure.context(0, chances).copy()


def _grow(
    lightgbm: Any, examples: Sequence[Example], tables: Sequence[Floats], trees: int, settings: Mapping[str, Any]
) -> Forest:
    weights = np.concatenate([one.weights for one in examples])
    data = lightgbm.Dataset(
        np.concatenate(tables), label=np.concatenate([one.chances for one in examples]),
        weight=weights * (len(weights) / weights.sum()),
    )  # fmt: skip
    fewest = min(SETTINGS["min_data_in_leaf"], max(2, len(weights) // 50))
    return Forest.from_lightgbm(
        lightgbm.train({**SETTINGS, "min_data_in_leaf": fewest, **settings}, data, num_boost_round=trees)
    )


def _nobody(line: str) -> None:
    """Log nothing."""


def fold(page: GoldPage) -> int:
    """Which of :data:`FOLDS` parts a page belongs to; pages of one site belong together."""
    site = ".".join((split_url(page.url).hostname or "").split(".")[-2:]) if page.url else f"{page.set}/{page.id}"
    return int(hashlib.sha1(site.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("LightGBM, which grows the trees,", "train") from error
    return lightgbm


def _rapidfuzz() -> Any:
    try:
        from rapidfuzz import distance
    except ImportError as error:
        raise MissingExtra("RapidFuzz, which aligns texts,", "train") from error
    return distance
