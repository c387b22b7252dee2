"""How good is a method? Every page of some sets is extracted and compared with its gold text.

Decisions can be logged block by block, beside the gold label. The number to quote is
the mean over sets of the mean F of their pages (P1's measure [28]); sets with snippets only count these. Comments of
readers are compared with those of the gold, where it has some, and with nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Final

from paberki.extraction import extract
from paberki.extraction.evaluation.coded_pages import align, inherit
from paberki.extraction.evaluation.gold_pages import GoldPage
from paberki.extraction.evaluation.text_measures import (
    ConfidenceInterval,
    CutoffPoint,
    PageScores,
    Score,
    best_cutoff,
    bootstrap,
    cutoff_curve,
    lcs,
    page_scores,
    tokens,
)
from paberki.extraction.html.elements import cut_for
from paberki.extraction.html.page_blocks import Block

GROUPINGS: Final = ("set", "lang", "type")


@dataclass(slots=True)
class JudgedBlocks:
    """One page: how near the text came to gold, or which snippets it has, and the CPU time it took."""

    page: GoldPage
    seconds: float
    scores: PageScores | None
    hits: int = 0
    wrong: int = 0
    blocks: list[tuple[Block, bool]] = field(default_factory=list)
    """Blocks as labelled by the method, and whether gold has them."""
    comments: Score | None = None

    @property
    def f(self) -> float:
        """F of the page, by subsequence or by snippets."""
        if self.scores is not None:
            return self.scores.lcs.f
        total = self.hits + self.wrong + len(self.page.good_snippets)
        return 2 * self.hits / total if total else 1.0


@dataclass(frozen=True, slots=True)
class MethodSummary:
    """Means over the pages of a group; None where no page has whole gold text."""

    name: str
    pages: int
    precision: float | None
    recall: float | None
    f: ConfidenceInterval
    bag: float | None
    shingles: float | None
    comments: float | None = None
    """Mean F of the comments of the pages that have some."""


@dataclass(slots=True)
class Evaluation:
    """All pages judged, and what follows from them."""

    method: str
    judged: list[JudgedBlocks]

    def by(self, grouping: str) -> list[MethodSummary]:
        """One summary for each set, language or page type."""
        groups: dict[str, list[JudgedBlocks]] = {}
        for one in self.judged:
            name = getattr(one.page, grouping)
            if name:
                groups.setdefault(str(name), []).append(one)
        return [summary(name, groups[name]) for name in sorted(groups)]

    @property
    def mean(self) -> float:
        """Mean over sets."""
        sets = self.by("set")
        return fmean(one.f.mean for one in sets) if sets else 0.0

    @property
    def milliseconds(self) -> float:
        """CPU time per page."""
        return 1000 * fmean(one.seconds for one in self.judged) if self.judged else 0.0

    def curve(self) -> list[CutoffPoint]:
        """Precision, recall and F of characters in blocks against the cut-off of the score (P5 Fig. 4)."""
        blocks = [pair for one in self.judged for pair in one.blocks]
        if not blocks:
            return []
        return cutoff_curve(
            [block.score for block, _ in blocks], [gold for _, gold in blocks], [len(block.text) for block, _ in blocks]
        )

    def best(self) -> CutoffPoint | None:
        """Where F is highest."""
        curve = self.curve()
        return best_cutoff(curve) if curve else None


def evaluate(
    pages: Iterable[GoldPage], method: str, *, model: str = "", notify: Callable[[JudgedBlocks], None] | None = None
) -> Evaluation:
    """Extract every page by a method, with a model of its own if one is given; ``notify`` hears of each page."""
    evaluation = Evaluation(method, [])
    for page in pages:
        if not evaluation.judged:
            extract(page.html, method=method, model=model)  # loading models does not count as a page's time
        one = judge(page, method, model)
        evaluation.judged.append(one)
        if notify:
            notify(one)
    return evaluation


def judge(page: GoldPage, method: str, model: str = "") -> JudgedBlocks:
    """Extract one page and compare."""
    begin = time.process_time()
    result = extract(page.html, url=page.url, method=method, model=model)
    text = result.text
    seconds = time.process_time() - begin
    comments = lcs(tokens(result.comments), tokens(page.comments)) if page.comments else None
    if page.gold is None:
        flat = " ".join(text.split())
        hits, wrong = (
            sum(" ".join(one.split()) in flat for one in many) for many in (page.good_snippets, page.bad_snippets)
        )
        return JudgedBlocks(page, seconds, None, hits, wrong, comments=comments)
    labelled_blocks = [replace(block) for block in result.blocks]
    align(labelled_blocks, page.gold)
    if cut_for(method).every_tag:
        around = extract(page.html, method="tagpath").blocks
        align(around, page.gold)
        inherit(labelled_blocks, around)
    pairs = [(block, gold.kept) for block, gold in zip(result.blocks, labelled_blocks, strict=True)]
    return JudgedBlocks(page, seconds, page_scores(text, page.gold), blocks=pairs, comments=comments)


def summary(name: str, judged: Sequence[JudgedBlocks]) -> MethodSummary:
    """Means of some pages, F with its interval. Snippets are counted over all pages together."""
    whole = [one.scores for one in judged if one.scores is not None]
    interval = bootstrap([one.f for one in judged])
    comments = _mean(one.comments.f for one in judged if one.comments is not None)
    if not whole:
        hits, wrong = sum(one.hits for one in judged), sum(one.wrong for one in judged)
        total = hits + wrong + sum(len(one.page.good_snippets) for one in judged)
        both = 2 * hits / total if total else 1.0
        shift = both - interval.mean
        interval = ConfidenceInterval(both, interval.low + shift, min(1.0, interval.high + shift))
        return MethodSummary(name, len(judged), None, None, interval, None, None, comments)
    return MethodSummary(
        name, len(judged), _mean(one.lcs.precision for one in whole), _mean(one.lcs.recall for one in whole), interval,
        _mean(one.bag.f for one in whole), _mean(one.shingles.f for one in whole), comments,
    )  # fmt: skip


def decisions(one: JudgedBlocks) -> Iterator[dict[str, Any]]:
    """What was decided about each block of a page, and what gold says."""
    for block, gold in one.blocks:
        yield {
            "set": one.page.set, "page": one.page.id, "start": block.start, "end": block.end, "label": block.label,
            "score": round(float(block.score), 4), "kept": block.kept, "reason": block.reason, "gold": gold,
        }  # fmt: skip


def _mean(values: Iterable[float | None]) -> float | None:
    scores = [value for value in values if value is not None]
    return fmean(scores) if scores else None
