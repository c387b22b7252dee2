"""Identify as stages: ``identify.general.v1``, the default, and ``identify.method.v1`` with a method of your choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from paberki.corpus_file import NO_FILE, CorpusFile, path_of
from paberki.identification.answer import Identification, choice
from paberki.identification.methods import classic
from paberki.identification.methods.general import MODEL, SHIPPED, General, load_general
from paberki.identification.methods.method_registry import Method, find_method
from paberki.identification.stages.language_columns import BlockLanguages, page_columns
from paberki.identification.written_letters import SOURCE, letters_written
from paberki.languages import Language
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import KeptTexts, kept_texts
from paberki.store.columns import builtin

NEEDS = ("extract.blocks.text", "extract.blocks.kept")
_STRANGER: Final = 0.1
"""How likely a block is in another language than its page, before anything is known about it."""
_NEIGHBOUR: Final = 0.02
"""The same for the nearest languages, between which the page knows better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralConfig:
    """How languages are told apart."""

    min_block_chars: int = 25
    """Kept blocks with fewer characters get no language of their own."""
    languages: tuple[Language, ...] = ()
    """Languages to choose from; empty for all but Bosnian, which has to be named (or be decided by site: siblings)."""
    features: int = 600
    """Character runs and words of a block that are looked at; some 150 characters, which a page makes up for."""
    enough_chars: int = 1500
    """Characters after which a page is well known: of the blocks that follow, a third as much is looked at."""
    model: CorpusFile = NO_FILE
    """File made by ``paberki train langid``, to be used instead of the model in the package."""


@map_stage(
    "identify.general.v1", layer="identify", needs=(*NEEDS, SOURCE), adds=builtin("identify"), config=GeneralConfig,
    reads=lambda config: () if config.model else (MODEL,), behaviour="letters as written",
)  # fmt: skip
def identify_pages(batch: Batch, config: GeneralConfig) -> Columns:
    """Language by weights of character runs and words, per page and per block.

    A block leans to the language of its page as far as its own letters leave doubt, so that a short one follows the
    page and a quotation keeps its own language. References: P1 §2.3 (per paragraph), P3 §3, §5 (``langdistr``,
    ``cyrillic_num``, ``cyrillic_perc``), P4 §3.2 (particles).
    """
    texts = batch.arrow(NEEDS[0])
    kept_blocks = kept_texts(texts, batch.arrow(NEEDS[1]))
    model = load_general(path_of(config.model) if config.model else SHIPPED)
    choices = choice(config.languages or None, model.languages)
    chars = kept_blocks.char_counts()
    evidence = model.identify_arrow(kept_blocks.texts, _limits(kept_blocks, chars, config), kept_blocks.pages)
    whole = evidence.of_groups(kept_blocks.edges)
    shares, scripts = model.posteriors(whole, choices)
    long = np.flatnonzero(chars >= config.min_block_chars)
    blocks, _ = model.posteriors(evidence.take(long), choices)
    leaning = _leaning(blocks, shares[kept_blocks.pages[long]], model)
    answers = model.answers(shares, scripts)
    letters = letters_written(
        model, evidence, kept_blocks, kept_texts(batch.arrow(SOURCE), batch.arrow(NEEDS[1])).texts
    )
    return page_columns(texts, kept_blocks, letters, answers, _languages(leaning, long, model))


def _limits(kept_blocks: KeptTexts, chars: npt.NDArray[np.int64], config: GeneralConfig) -> npt.NDArray[np.int32]:
    """How much of each block is looked at: less where the blocks before it have told enough about the page."""
    upto = np.r_[0, np.cumsum(chars)]
    before = upto[:-1] - upto[kept_blocks.edges[:-1]][kept_blocks.pages]
    return np.where(before < config.enough_chars, config.features, config.features // 3).astype(np.int32)


def _leaning(
    blocks: npt.NDArray[np.float64], pages: npt.NDArray[np.float64], model: General
) -> npt.NDArray[np.float64]:
    """Probabilities of blocks, given those of their pages: Bayes' rule with a page's languages as the prior."""
    prior = (1.0 - _STRANGER) * pages + _STRANGER / pages.shape[1]
    near = model.near_columns
    if len(near):
        group = pages[:, near].sum(axis=1, keepdims=True)
        inside = pages[:, near] / np.maximum(group, 1e-12)
        prior[:, near] = ((1.0 - _STRANGER) * group + _STRANGER * len(near) / pages.shape[1]) * (
            (1.0 - _NEIGHBOUR) * inside + _NEIGHBOUR / len(near)
        )
    leaning = blocks * prior
    shares: npt.NDArray[np.float64] = leaning / np.maximum(leaning.sum(axis=1, keepdims=True), 1e-300)
    return shares


def _languages(shares: npt.NDArray[np.float64], rows: npt.NDArray[np.int64], model: General) -> BlockLanguages:
    best = shares.argmax(axis=1)
    probs = shares[np.arange(len(best)), best]
    names = [*model.languages, None]
    langs = [names[place] if share else None for place, share in zip(best.tolist(), probs.tolist(), strict=True)]
    return BlockLanguages(
        rows, langs, [share if lang else None for share, lang in zip(probs.tolist(), langs, strict=True)]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyMethodConfig:
    """Which method tells languages apart."""

    method: Literal["general", "words", "markov", "ngram", "vote", "fasttext"] = "markov"
    """``markov``: P1's chain and function words; ``ngram``: P2's ranks; ``vote``: the mean of several."""
    min_block_chars: int = 80
    """Kept blocks with fewer characters get no language of their own."""
    max_chars: int = 20_000
    """Characters of a page or block that are looked at."""
    languages: tuple[Language, ...] = ()
    """Languages to choose from; empty for all that the method knows."""
    model: CorpusFile = NO_FILE
    """Model file for the method; ``fasttext`` needs one."""


@map_stage(
    "identify.method.v1", layer="identify", needs=(*NEEDS, SOURCE), adds=builtin("identify"), config=IdentifyMethodConfig,
    reads=(MODEL, classic.MODEL), behaviour="letters as written",
)  # fmt: skip
def identify_by_method(batch: Batch, config: IdentifyMethodConfig) -> Columns:
    """Language by the method that the settings name, per page and per block, each for itself.

    References: P1 §2.3 (``markov``, per paragraph), P2 §3 step 1 (``ngram``).
    """
    texts = batch.arrow(NEEDS[0])
    kept_blocks = kept_texts(texts, batch.arrow(NEEDS[1]))
    method = find_method(config.method, path_of(config.model) if config.model else None)
    model = load_general()
    evidence = model.identify_arrow(kept_blocks.texts, np.ones(len(kept_blocks.texts), np.int32))
    letters = letters_written(
        model, evidence, kept_blocks, kept_texts(batch.arrow(SOURCE), batch.arrow(NEEDS[1])).texts
    )
    whole = ["\n".join(kept_blocks.of_page(page))[: config.max_chars] for page in range(len(batch))]
    long = np.flatnonzero(kept_blocks.char_counts() >= config.min_block_chars)
    pieces = [text[: config.max_chars] for text in kept_blocks.texts.take(_indices(long)).to_pylist()]
    pages, blocks = (_identify(method, some, config.languages) for some in (whole, pieces))
    block_languages = BlockLanguages(
        long, [one.lang for one in blocks], [one.probs.get(one.lang or "") for one in blocks]
    )
    return page_columns(texts, kept_blocks, letters, pages, block_languages)


def _indices(rows: npt.NDArray[np.int64]) -> Any:
    import pyarrow as pa

    return pa.array(rows, pa.int64())


def _identify(method: Method, texts: Sequence[str], languages: tuple[str, ...]) -> list[Identification]:
    return method.identify(texts, languages or None)
