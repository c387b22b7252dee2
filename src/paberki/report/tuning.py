"""Tune: the distribution of a score, texts along the scale, and what a cut would keep and lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from paberki.amounts import number, percent, several
from paberki.engine.plan import Plan
from paberki.errors import QueryError
from paberki.markup.charts import histogram
from paberki.markup.html import Safe, element, link, table
from paberki.nearest import nearest
from paberki.report.one_page.facts import beginning
from paberki.report.one_page.row import read_row
from paberki.report.page_counts import Counter, counting, share
from paberki.report.report_page import document
from paberki.store.columns import Column
from paberki.store.directory import Directory
from paberki.store.files import write_text
from paberki.store.reading import open_table, read_chunks
from paberki.store.selection.condition import Condition, parse
from paberki.store.sql.quoting import quote_name

PERCENTILES: Final = (1, 5, 10, 25, 50, 75, 90, 95, 99)
BINS: Final = 20
SAMPLES: Final = 2
_SAMPLE_CHARS: Final = 240
_WORDS: Final = "selected_word_count"
_NOT_SCORES: Final = frozenset({"warc_offset", "warc_length", "capture", "status"})


@dataclass(frozen=True, slots=True)
class TextSample:
    """A page at some place of the distribution."""

    id: str
    url: str
    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Percentile:
    """A percentile: its value, what is below it, and texts that stand there."""

    percent: int
    value: float
    pages_below: int
    words_below: int
    samples: tuple[TextSample, ...]


@dataclass(frozen=True, slots=True)
class CutEffect:
    """What a condition keeps of the pages that are in the corpus now, and what it loses."""

    condition: str
    kept_pages: int
    kept_words: int
    lost_pages: int
    lost_words: int
    undecided: int
    """Pages without the score; they stay."""

    @property
    def kept_share(self) -> float:
        """Of pages."""
        return share(self.kept_pages, self.kept_pages + self.lost_pages)

    @property
    def kept_word_share(self) -> float:
        """Of words."""
        return share(self.kept_words, self.kept_words + self.lost_words)


@dataclass(frozen=True, slots=True)
class Tuning:
    """A score in a corpus."""

    score: str
    meaning: str
    pages: int
    """Kept pages that have the score."""
    missing: int
    """Kept pages that have it not."""
    words: int
    mean: float
    places: tuple[Percentile, ...]
    bins: tuple[tuple[float, int], ...]
    """Lower end and pages of each bin; the first and last bin include everything beyond."""
    cut: CutEffect | None


def scores(plan: Plan) -> list[Column]:
    """Numeric columns of pages, on which a cut can be made."""
    kinds = (pa.types.is_floating, pa.types.is_integer)
    return [
        column
        for column in plan.columns.values()
        if any(kind(column.type) for kind in kinds) and column.name not in _NOT_SCORES
    ]


def score_column(plan: Plan, name: str) -> Column:
    """The score of that name, or of that name in a paper (``3graph``)."""
    columns = scores(plan)
    for column in columns:
        if name in (column.name, column.attribute):
            return column
    names = [column.name for column in columns]
    raise QueryError(f"there is no score {name!r}{nearest(name, names)}; the corpus has {', '.join(names)}")


def tune(directory: Directory, plan: Plan, name: str, *, cut: str | None = None) -> Tuning:
    """Distribution and percentiles of a score over the pages that are kept now, and the effect of a cut."""
    column = score_column(plan, name)
    with counting(directory, plan) as counter:
        return _tuning(directory, plan, counter, column, parse(cut) if cut else None)


def _tuning(directory: Directory, plan: Plan, counter: Counter, column: Column, cut: Condition | None) -> Tuning:
    name = quote_name(column.name)
    [(pages, missing, words, mean)] = counter.rows(
        f"SELECT count({name}), count(*) - count({name}), coalesce(sum({_WORDS}), 0), coalesce(avg({name}), 0) "
        "FROM pages WHERE keep"
    )
    shares = [one / 100 for one in PERCENTILES]
    values = counter.rows(f"SELECT quantile_disc({name}, {shares}) FROM pages WHERE keep")[0][0] or []
    places = tuple(
        _place(directory, plan, counter, name, percent, float(value))
        for percent, value in zip(PERCENTILES, values, strict=False)
    )
    return Tuning(
        column.name,
        column.meaning,
        int(pages),
        int(missing),
        int(words),
        float(mean),
        places,
        _bins(counter, name, places),
        measure_cut(directory, plan, cut) if cut else None,
    )


def _place(directory: Directory, plan: Plan, counter: Counter, name: str, percent: int, value: float) -> Percentile:
    [(pages, words)] = counter.rows(
        f"SELECT count(*), coalesce(sum({_WORDS}), 0) FROM pages WHERE keep AND {name} < ?", [value]
    )
    near = counter.rows(
        f"SELECT id, url, {name} FROM pages WHERE keep AND {name} IS NOT NULL ORDER BY abs({name} - ?), key "
        f"LIMIT {SAMPLES}",
        [value],
    )
    samples = tuple(
        TextSample(str(page), str(url or ""), float(score), _text(directory, plan, str(page)))
        for page, url, score in near
    )
    return Percentile(percent, value, int(pages), int(words), samples)


def _text(directory: Directory, plan: Plan, page: str) -> str:
    """The beginning of the selected text; nothing of pages that were taken down."""
    return beginning(" ".join(read_row(directory, plan, int(page)).selected_texts()), _SAMPLE_CHARS)


def _bins(counter: Counter, name: str, places: Sequence[Percentile]) -> tuple[tuple[float, int], ...]:
    if not places:
        return ()
    low, high = places[0].value, places[-1].value
    step = (high - low) / BINS if high > low else 1.0
    rows = counter.rows(
        f"SELECT least(greatest(floor(({name} - ?) / ?), 0), {BINS - 1})::INTEGER AS bin, count(*) FROM pages "
        f"WHERE keep AND {name} IS NOT NULL AND NOT isnan({name}::DOUBLE) GROUP BY bin",
        [low, step],
    )
    pages_by_bin = {int(at): int(count) for at, count in rows}
    return tuple((low + at * step, pages_by_bin.get(at, 0)) for at in range(BINS if high > low else 1))


def measure_cut(directory: Directory, plan: Plan, condition: Condition) -> CutEffect:
    """What a condition keeps; pages where the condition is null are kept, as with a rule."""
    table = open_table(directory, plan)
    sums = np.zeros(3, np.int64)
    words = np.zeros(2, np.int64)
    for chunk in read_chunks(table, [*condition.names, _WORDS], kept=True):
        holds = condition.evaluate(lambda name, chunk=chunk: chunk.column(name).combine_chunks())  # type: ignore[misc]
        if isinstance(holds, pa.Scalar):
            holds = pa.array([holds.as_py()] * chunk.num_rows, pa.bool_())
        unknown = holds.is_null().to_numpy(zero_copy_only=False)
        stays = holds.fill_null(True).to_numpy(zero_copy_only=False)
        count = chunk.column(_WORDS).combine_chunks().fill_null(0).to_numpy(zero_copy_only=False)
        sums += (int(stays.sum()), int((~stays).sum()), int(unknown.sum()))
        words += (int(count[stays].sum()), int(count[~stays].sum()))
    return CutEffect(condition.source, int(sums[0]), int(words[0]), int(sums[1]), int(words[1]), int(sums[2]))


def _tick(value: float) -> str:
    """A number that fits under a bar."""
    return f"{value:.2g}" if abs(value) < 1 else f"{value:.3g}"


def tuning_page(tuning: Tuning, corpus: str) -> str:
    """The same as a page."""
    bins = [(_tick(start), pages) for start, pages in tuning.bins]
    caption = (
        f"{tuning.meaning[:1].upper()}{tuning.meaning[1:]}. {number(tuning.pages)} kept pages have it, {number(tuning.missing)} have not; "
        f"mean {tuning.mean:.4g}. Pages beyond the 1st and 99th percentile are in the outermost bars."
    )
    figure = histogram(
        "distribution", f"Distribution of {tuning.score}", caption, bins, axis=f"{tuning.score} (lower ends)"
    )
    head = ("percentile", "value", "pages below", "% of pages", "words below", "% of words")
    rows = [
        (
            f"{one.percent} %",
            f"{one.value:.4g}",
            number(one.pages_below),
            percent(share(one.pages_below, tuning.pages + tuning.missing)),
            number(one.words_below),
            percent(share(one.words_below, tuning.words)),
        )
        for one in tuning.places
    ]
    cells = [
        (f"{one.percent} %", f"{sample.value:.4g}", Safe(f"{link(sample.url, sample.id)}"), sample.text)
        for one in tuning.places
        for sample in one.samples
    ]
    inside = [
        element("p", caption),
        element("figure", Safe(figure)),
        *_cut_section(tuning.cut),
        element("h2", "What is below"),
        table(head, rows),
        element("h2", "Texts along the way"),
        table(("percentile", tuning.score, "page", "text"), cells, words=4),
    ]
    return document(f"{corpus}: {tuning.score}", element("main", element("h1", f"{corpus}: {tuning.score}"), *inside))


def _cut_section(cut: CutEffect | None) -> list[Safe]:
    if cut is None:
        return []
    caption = (
        f"keeps {several(cut.kept_pages, 'page')} ({percent(cut.kept_share)}) with {several(cut.kept_words, 'word')} "
        f"({percent(cut.kept_word_share)}) and loses {several(cut.lost_pages, 'page')} with {several(cut.lost_words, 'word')}; "
        f"{several(cut.undecided, 'page')} without the score stay."
    )
    return [element("h2", "The cut"), element("p", element("code", cut.condition), " ", caption)]


def write_page(tuning: Tuning, corpus: str, folder: Path) -> Path:
    """The page, into a folder."""
    path = folder / f"tune-{tuning.score}.html"
    write_text(path, tuning_page(tuning, corpus))
    return path
