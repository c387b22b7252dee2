"""How near is a whole corpus to what it should be? Text, lost pages, wrong languages and copies, against gold.

Recall, precision and F of a page are those of the longest common subsequence of words (P1 §2.2 [28]), and a corpus has
their means over its wanted pages. A page that is not in the corpus has recall and F of 0 and no precision. Of a page and
its copies any one may stay. Comments of readers are judged apart: against ``gold_comments`` where gold has them; as text
where the gold text has them; and not at all elsewhere, for nobody said that they are unwanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from paberki.extraction.evaluation.corpus_gold import GoldDocument, groups_of_copies
from paberki.extraction.evaluation.text_measures import lcs, tokens

_GRAM = 3
_SHARE = 0.5
"""Share of a comment's 3-grams in the gold text from which on it counts as part of that text."""


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """What a corpus has of a page: blocks of text in order, and which of them are comments."""

    blocks: Sequence[str] = field(default=(), repr=False)
    comments: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """One wanted page: which of its copies is in the corpus, and how near it is to gold."""

    url: str
    corpus_url: str | None
    recall: float
    precision: float | None
    f: float
    comments: float | None = None
    """F of the comments, where gold has some."""
    reason: str = ""
    """Why the page is not in the corpus."""


@dataclass(frozen=True, slots=True)
class CorpusScores:
    """All wanted pages judged, and what is in the corpus that should not be."""

    judged: list[JudgedPage]
    wrong_language: list[str]
    duplicates: list[str]
    foreign: int
    """Pages in other languages that gold has."""
    copies: int
    """Copies that gold has, originals not counted."""

    @property
    def missing_pages(self) -> list[JudgedPage]:
        """Pages of which the corpus has nothing."""
        return [one for one in self.judged if one.recall == 0]

    @property
    def recall(self) -> float:
        """Mean over pages."""
        return _mean([one.recall for one in self.judged])

    @property
    def precision(self) -> float:
        """Mean over the pages that are in the corpus."""
        return _mean([one.precision for one in self.judged if one.precision is not None])

    @property
    def f(self) -> float:
        """Mean over pages."""
        return _mean([one.f for one in self.judged])

    @property
    def comments(self) -> float | None:
        """Mean F of the comments of pages that have some; None where no page has."""
        scores = [one.comments for one in self.judged if one.comments is not None]
        return fmean(scores) if scores else None


def judge_corpus(
    gold: Sequence[GoldDocument], pages: Mapping[str, CorpusPage], lang: str, reasons: Mapping[str, str] | None = None
) -> CorpusScores:
    """Compare the pages of a corpus, by address, with gold; ``reasons`` tell why others were left out."""
    gold_in_language = [one for one in gold if one.text and one.lang in ("", lang)]
    foreign = [one.url for one in gold if one.lang not in ("", lang)]
    judged: list[JudgedPage] = []
    duplicates: list[str] = []
    groups = groups_of_copies(gold_in_language)
    for group in groups:
        present = [one for one in group if one.url in pages]
        duplicates += [one.url for one in present[1:]]
        judged.append(_judge(group[0], present, pages, reasons or {}))
    wrong = [url for url in foreign if url in pages]
    return CorpusScores(judged, wrong, duplicates, len(foreign), sum(len(group) - 1 for group in groups))


def _judge(
    original: GoldDocument, present: Sequence[GoldDocument], pages: Mapping[str, CorpusPage], reasons: Mapping[str, str]
) -> JudgedPage:
    if not present:
        nothing = 0.0 if original.comments else None
        return JudgedPage(original.url, None, 0.0, None, 0.0, nothing, reasons.get(original.url, ""))
    page, gold = pages[present[0].url], present[0]
    words = tokens(gold.text)
    score = lcs(tokens("\n".join(_judged_blocks(page, gold, words))), words)
    comments = None
    if gold.comments:
        texts = [page.blocks[number] for number in sorted(page.comments)]
        comments = lcs(tokens("\n".join(texts)), tokens(gold.comments)).f
    return JudgedPage(original.url, gold.url, score.recall or 0.0, score.precision, score.f, comments)


def _judged_blocks(page: CorpusPage, gold: GoldDocument, words: Sequence[str]) -> Iterator[str]:
    """The blocks that are compared with the gold text."""
    grams = {tuple(words[at : at + _GRAM]) for at in range(len(words) - _GRAM + 1)} if page.comments else set()
    for number, block in enumerate(page.blocks):
        if number not in page.comments or (not gold.comments and _is_in(block, grams)):
            yield block


def _is_in(block: str, grams: set[tuple[str, ...]]) -> bool:
    own = tokens(block)
    mine = [tuple(own[at : at + _GRAM]) for at in range(len(own) - _GRAM + 1)]
    return bool(mine) and sum(gram in grams for gram in mine) >= _SHARE * len(mine)


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
