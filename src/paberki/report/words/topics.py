"""Topics by latent Dirichlet allocation, as P1 §3 and Table 3 have them [80].

P1 takes MALLET with default settings, 20 topics, a tenth of the documents drawn at random, noun lemmas only; the size of a
topic is its share of these tokens, and up to ten words stand for it. Here tomotopy samples, with one worker and a fixed
seed, so that the same corpus gives the same topics. Of corpora under 10,000 pages 1,000 are taken (all where there are
fewer), which is stated. People name topics: the names go into a file and are found again by the words of a topic.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from paberki.amounts import several
from paberki.markup.plots import grouped_bars
from paberki.report.section import Figure, Section
from paberki.report.words.topic_names import TopicNames
from paberki.report.words.word_source import Ints, WordSource

TOPICS: Final = 20
SHARE: Final = 0.1
SEED: Final = 1
WORDS: Final = 10
PROFILE: Final = 100
"""Words by which topics of two corpora are compared."""
_LEAST_PAGES: Final = 1_000
_NOUNS: Final = frozenset(("NOUN", "PROPN", "N"))
_WORK: Final = 400_000_000
"""Tokens times rounds that a model may take: some minutes on one core."""
_ROUNDS: Final = (150, 1000)
"""Fewest and most rounds of sampling; MALLET's default is 1,000."""
NO_NOUNS: Final = (
    "Topics need lemmas and parts of speech. For a corpus: add = ['annotate.v1'] and build; a vertical file needs the "
    "columns word, lemma and tag."
)


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic: its share of the tokens and its words with their probabilities, the most probable first."""

    share: float
    words: tuple[str, ...]
    weights: tuple[float, ...]

    @property
    def first(self) -> list[str]:
        """The words that are shown."""
        return list(self.words[:WORDS])


@dataclass(frozen=True, slots=True)
class TopicModel:
    """The topics of a corpus, the largest first, and what they were learnt from."""

    topics: tuple[Topic, ...]
    pages: int
    all_pages: int
    tokens: int
    rounds: int
    seed: int

    @property
    def about(self) -> str:
        """The sample in words."""
        return (
            f"{self.tokens:,} noun lemmas of {self.pages:,} of {several(self.all_pages, 'page')}, seed {self.seed}, "
            f"{self.rounds} rounds of sampling."
        )


def learn_topics(
    source: WordSource,
    *,
    count: int = TOPICS,
    seed: int = SEED,
    listen: Callable[[int, int], None] | None = None,
) -> TopicModel | None:
    """Learn the topics of a corpus; None where tokens have no lemmas or parts of speech, or there are no nouns."""
    documents = _documents(source, seed)
    if documents is None or not documents.lemmas:
        return None
    tomotopy = _tomotopy()
    rare = 3 if documents.tokens > 20_000 else 1
    model = tomotopy.LDAModel(k=count, alpha=5 / count, eta=0.01, min_cf=rare, min_df=min(rare, 2), seed=seed)
    for lemmas in documents.lemmas:
        model.add_doc(lemmas)
    rounds = int(min(_ROUNDS[1], max(_ROUNDS[0], _WORK // max(documents.tokens, 1))))
    for round_number in range(0, rounds, 10):
        model.train(min(10, rounds - round_number), workers=1)
        if listen:
            listen(round_number + 10, rounds)
    sizes = np.asarray(model.get_count_by_topics(), np.float64)
    if not sizes.sum():
        return None
    topics = [_topic(model, number, sizes[number] / sizes.sum()) for number in range(count) if sizes[number]]
    by_share = tuple(sorted(topics, key=lambda one: (-one.share, one.words)))
    return TopicModel(by_share, len(documents.lemmas), documents.pages, documents.tokens, rounds, seed)


def _tomotopy() -> Any:
    """The library; what it warns about while it is loaded concerns its makers alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import tomotopy
    return tomotopy


def _topic(model: Any, number: int, share: float) -> Topic:
    pairs = model.get_topic_words(number, top_n=PROFILE)
    return Topic(float(share), tuple(word for word, _ in pairs), tuple(float(weight) for _, weight in pairs))


@dataclass(frozen=True, slots=True)
class _Documents:
    lemmas: list[list[str]]
    pages: int
    tokens: int


def _documents(source: WordSource, seed: int) -> _Documents | None:
    """Noun lemmas of a random sample of the pages."""
    if source.pos is None or not source.has("lemma"):
        return None
    attribute, classes = source.pos
    is_noun = np.array([one in _NOUNS for one in classes] or [False], np.bool_)
    is_lemma = _lemmas(source)
    pages = np.flatnonzero(np.asarray(source.scope.page_tokens) > 0)
    page_mask = np.zeros(len(source.pages), np.bool_)
    page_mask[_sample(pages, seed)] = True
    ids, owners = [], []
    for piece in source.pieces("lemma", attribute):
        page = np.searchsorted(source.pages, piece.positions, "right") - 1
        lemma = piece.ids["lemma"]
        nouns = is_noun[piece.ids[attribute]] & is_lemma[lemma] & page_mask[page]
        ids.append(lemma[nouns].astype(np.int64))
        owners.append(page[nouns])
    if not ids or not sum(map(len, ids)):
        return _Documents([], len(pages), 0)
    return _group_documents(source, np.concatenate(ids), np.concatenate(owners), len(pages))


def _sample(pages: Ints, seed: int) -> Ints:
    count = min(len(pages), max(_LEAST_PAGES, round(len(pages) * SHARE)))
    return np.sort(np.random.default_rng(seed).choice(pages, count, replace=False))


def _lemmas(source: WordSource) -> NDArray[np.bool_]:
    """Lemmas with at least two letters."""
    strings = source.values("lemma").strings
    return np.asarray(pc.match_substring_regex(strings, r"\p{L}.*\p{L}|^[\p{Han}]").to_numpy(zero_copy_only=False))


def _group_documents(source: WordSource, ids: Ints, owners: Ints, pages: int) -> _Documents:
    lemma_ids, codes = np.unique(ids, return_inverse=True)
    words = [one.lower() for one in source.values("lemma").strings.take(pa.array(lemma_ids)).to_pylist()]
    edges = np.flatnonzero(np.diff(owners, prepend=-1))
    parts = np.split(codes, edges[1:])
    return _Documents([[words[code] for code in part.tolist()] for part in parts], pages, len(ids))


def topics_section(name: str, model: TopicModel | None, names: TopicNames | None = None) -> Section:
    """The topics of one corpus in P1's form."""
    if model is None:
        return Section("topics", "Topics", missing=NO_NOUNS)
    names = names or TopicNames(())
    rows: list[dict[str, Any]] = [
        {"topic": number, "name": names.of(one.first), "share": one.share, "words": one.first}
        for number, one in enumerate(model.topics, 1)
    ]
    labels = [row["name"] or " ".join(str(word) for word in row["words"][:2]) for row in rows]
    series = [(name, [100 * one.share for one in model.topics])]
    about = "Share of each topic in the noun lemmas of the sample, in per cent; the table has ten words of each."
    svg = grouped_bars("topics", "Topics (P1 Table 3)", about, labels, series, axis="% of noun lemmas")
    notes = [model.about]
    if names.path:
        notes.append(f"Write names of topics into {names.path}; the next report shows them.")
    caption = "Topics of the nouns, each with its share and its most probable words (P1 Table 3)."
    return Section("topics", "Topics", caption, {"seed": model.seed}, rows, [Figure("topics", svg)], notes)


def topic_rows(models: Sequence[tuple[str, TopicModel]]) -> list[dict[str, Any]]:
    """Topics of several corpora below each other."""
    return [
        {"corpus": name, "topic": number, "share": one.share, "words": one.first}
        for name, model in models
        for number, one in enumerate(model.topics, 1)
    ]
