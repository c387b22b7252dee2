"""How scores of pages are distributed, so that a cut can be chosen (P3 §6: users set the cuts; P5 §3.3)."""

from __future__ import annotations

from typing import Any, Final

from paberki.markup.charts import histogram
from paberki.report.page_counts import Counter
from paberki.report.section import Figure, Section

SCORES: Final = (
    "badness", "ngram3", "ngram12", "perplexity", "diacr_perc", "lang_p", "close_p", "dup_similarity", "passage_share",
    "linear_score", "kenlm_perplexity", "punctuation_share", "letter_share", "outlier_count", "spam_marks",
)  # fmt: skip
_QUANTILES: Final = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_BINS: Final = 20
_DRAWN: Final = 4


def scores_section(counter: Counter) -> Section:
    """Quantiles of each score of the kept pages, and histograms of the first of them."""
    names = [name for name in SCORES if counter.has(name)]
    if not names:
        return Section("scores", "Scores", missing="No stage scores pages; see: paberki stages quality")
    rows = [row for name in names if (row := _row(counter, name))["pages"]]
    figures = [_figure(counter, row) for row in rows[:_DRAWN] if row["max"] > row["min"]]
    caption = "Scores of kept pages. To choose a cut and see what it takes away: paberki tune DIR SCORE"
    return Section("scores", "Scores", caption, {}, rows, figures)


def _row(counter: Counter, name: str) -> dict[str, Any]:
    [(pages, mean, quantiles)] = counter.rows(
        f"""SELECT count({name}), avg({name}), quantile_cont({name}, {list(_QUANTILES)}) FROM pages
            WHERE keep AND isfinite({name}::DOUBLE)"""
    )
    labels = ("min", "p5", "p25", "median", "p75", "p95", "max")
    numbers = dict(zip(labels, map(float, quantiles), strict=True)) if pages else {}
    return {"score": name, "pages": int(pages), "mean": None if mean is None else float(mean), **numbers}


def _figure(counter: Counter, row: dict[str, Any]) -> Figure:
    """A histogram between the fifth and the ninety-fifth percentile and beyond; ends hold what is farther out."""
    name = row["score"]
    reach = (row["p95"] - row["p5"]) or (row["max"] - row["min"])
    low, high = max(row["min"], row["p5"] - reach / 4), min(row["max"], row["p95"] + reach / 4)
    step = (high - low) / _BINS or 1.0
    rows = counter.rows(
        f"""SELECT least({_BINS - 1}, greatest(0, floor(({name} - {low!r}) / {step!r})))::INTEGER AS bin, count(*)
            FROM pages WHERE keep AND isfinite({name}::DOUBLE) GROUP BY bin"""
    )
    counts = {int(at): int(pages) for at, pages in rows}
    digits = 3 if step > abs(high) / 500 else 5
    bins = [(f"{low + at * step:.{digits}g}" if at % 4 == 0 else "", counts.get(at, 0)) for at in range(_BINS)]
    about = f"{row['pages']:,} kept pages by {name}; the first and the last bar hold all values beyond them."
    svg = histogram(f"score_{name}", f"Pages by {name}", about, bins, axis=f"{name} (lower end of each bin)")
    return Figure(f"score_{name}", svg)
