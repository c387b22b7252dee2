"""The numbers of a card, each counted once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paberki.engine.plan import Plan
from paberki.recipe.corpus_recipe import Recipe
from paberki.report.figures.attrition import AttritionRow, attrition_in
from paberki.report.figures.crawl_summary import CrawlFacts, crawl_facts
from paberki.report.figures.documents_per_host import HostSummary, hosts_in
from paberki.report.figures.language_shares import LanguageShare, languages_in
from paberki.report.figures.text_lengths import Lengths, lengths_in
from paberki.report.page_counts import Counter, counting
from paberki.store.directory import TAKEN_DOWN, Directory
from paberki.store.taken_down.tombstones import read_tombstones

SCORES = ("badness", "ngram3_rank", "ngram12_rank", "perplexity", "punctuation_share", "dup_share", "diacr_perc")
"""Scores of quality whose distribution is shown where the corpus has them."""
Table = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class CardFacts:
    """All that a card tells in numbers; they are about kept pages unless the name says otherwise."""

    attrition: Sequence[AttritionRow]
    hosts: HostSummary
    languages: Sequence[LanguageShare]
    lengths: Lengths
    crawl: CrawlFacts | None
    tokens: int | None
    annotated: int | None
    """Kept pages with annotation; None where the corpus has none."""
    dates: tuple[Any, Any, int]
    """First and last capture, and pages without a date."""
    years: Table
    licences: Table
    """Open licences and kept pages under each; the name is None for pages without."""
    opted_out: int | None
    """Kept pages whose owners speak against keeping them."""
    personal: Table
    """Types of personal data with the number of spans and of pages."""
    scores: Table
    """Score, five quantiles."""
    archives: int
    taken_down: int

    @property
    def pages(self) -> int:
        """Kept pages."""
        return self.attrition[-1].pages

    @property
    def words(self) -> int:
        """Words of the kept pages."""
        return self.attrition[-1].words

    @property
    def largest_reasons(self) -> list[AttritionRow]:
        """Reasons for which most pages were left out."""
        drop_rows = [row for row in self.attrition if row.kind == "dropped" and row.pages and row.reason != TAKEN_DOWN]
        return sorted(drop_rows, key=lambda row: -row.pages)[:5]


def card_facts(directory: Directory, plan: Plan, recipe: Recipe) -> CardFacts:
    """Count."""
    with counting(directory, plan) as counter:
        return CardFacts(
            attrition=attrition_in(counter, recipe),
            hosts=hosts_in(counter),
            languages=languages_in(counter),
            lengths=lengths_in(counter),
            crawl=crawl_facts(directory.crawl),
            tokens=_one(counter, "sum(token_count)", "token_count"),
            annotated=_one(counter, "count(annotated)", "annotated"),
            dates=counter.rows("SELECT min(date), max(date), count(*) FILTER (date IS NULL) FROM pages WHERE keep")[0],
            years=counter.rows(
                "SELECT year(date), count(*) FROM pages WHERE keep AND date IS NOT NULL GROUP BY 1 ORDER BY 1"
            ),
            licences=_licences(counter),
            opted_out=_one(counter, "count(*) FILTER (opted_out)", "opted_out"),
            personal=_personal(counter),
            scores=[row for name in SCORES if counter.has(name) for row in _quantiles(counter, name)],
            archives=len(directory.sources()),
            taken_down=sum(1 for stone in read_tombstones(directory.root) if stone.key),
        )


def _one(counter: Counter, what: str, *needs: str) -> int | None:
    return int(counter.rows(f"SELECT {what} FROM pages WHERE keep")[0][0] or 0) if counter.has(*needs) else None


def _licences(counter: Counter) -> Table:
    if not counter.has("open_licence"):
        return []
    return counter.rows("SELECT open_licence, count(*) FROM pages WHERE keep GROUP BY 1 ORDER BY 2 DESC, 1")


def _personal(counter: Counter) -> Table:
    if not counter.has("personal"):
        return []
    return counter.rows(
        "SELECT one.type, count(*), count(DISTINCT key) FROM (SELECT key, unnest(personal) AS one FROM pages WHERE keep) "
        "GROUP BY 1 ORDER BY 2 DESC, 1"
    )


def _quantiles(counter: Counter, name: str) -> Table:
    shares = "[0.05, 0.25, 0.5, 0.75, 0.95]"
    rows = counter.rows(f'SELECT quantile_cont("{name}", {shares}) FROM pages WHERE keep AND "{name}" IS NOT NULL')
    return [(name, *rows[0][0])] if rows and rows[0][0] else []
