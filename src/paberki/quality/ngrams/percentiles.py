"""Where a page stands among the others: ranks of scores in the corpus and in its language (P3 §6), and measures beyond
what is usual. Only pages that survive the rules of the recipe count, except for rules about the ranks themselves.

Published thresholds are those of English; here the corpus says what is usual in each language, as percentiles of every
measure that its recipe has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.model import Model
from paberki.quality.rules.document_rules import PUBLISHED, Bound
from paberki.stage import Columns, fit_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin
from paberki.store.selection.copy_choice import rule_columns, survivors
from paberki.store.selection.select import SelectConfig

RANKED: Final = ("ngram3", "ngram12")
_ALL: Final = ""
"""Stands for all languages together, in which P3 ranks."""
_BOUNDS: Final = {bound.measure: bound for bound in (*PUBLISHED, Bound("badness", high=10.0))}
DISTRIBUTION: Final = pa.schema(
    [("measure", pa.string()), ("lang", pa.string()), ("value", pa.float32()), ("pages", pa.uint64())]
)
_DIGITS: Final = 3

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionConfig:
    """Which pages count."""

    select: SelectConfig = field(default_factory=SelectConfig)
    """The rules of [select] whose columns are there by now, which pages that count survive; the recipe fills this in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentilesConfig:
    """What counts as unusual."""

    tail: float = 2.5
    """Per hundred of a language's pages that are unusual by one measure: beyond this percentile, on the side where the
    published rule has its threshold."""
    min_pages: int = 100
    """Languages with fewer pages have no outliers."""


def needs(config: Any, columns: Mapping[str, str]) -> Sequence[str]:
    """The scores and measures that stages before have, and the language."""
    return ("identify.lang", *(columns[name] for name in (*RANKED, *_BOUNDS) if name in columns))


def _needs_of_survivors(config: DistributionConfig, columns: Mapping[str, str]) -> Sequence[str]:
    return tuple(dict.fromkeys((*needs(config, columns), *rule_columns(config, columns))))


@fit_stage(
    "quality.distribution.v1",
    layer="quality.distribution",
    needs=_needs_of_survivors,
    config=DistributionConfig,
    behaviour="survivors",
)
class LearnDistribution:
    """How many surviving pages have which value of each score and measure, by language (P3 §6: cumulative ranks).

    Scores are rounded where they are made, so their ranks are exact; other measures are kept to three digits.
    """

    @staticmethod
    def observe(batch: Batch, config: DistributionConfig, seen: pa.Table | None = None) -> pa.Table:
        """Values and their pages."""
        lang, alive = batch.arrow("identify.lang"), pa.array(survivors(batch, config.select))
        parts = [DISTRIBUTION.empty_table()]
        for full in batch.names():
            name = full.partition(".")[2]
            if name in RANKED or name in _BOUNDS:
                values = pa.array(_significant_digits(name, batch.arrow(full)), pa.float32())
                table = pa.table({"lang": lang, "value": values, "row": pa.array(range(len(batch)))})
                there = pc.and_(table["lang"].is_valid(), pc.invert(pc.is_nan(table["value"])))
                table = table.filter(pc.and_(there, alive))
                parts.append(
                    _count_values(table.append_column("measure", pa.array([name] * table.num_rows, pa.string())))
                )
        return pa.concat_tables(parts)

    @staticmethod
    def merge(tables: list[pa.Table], config: DistributionConfig) -> pa.Table:
        """Pages added up, in the order of values."""
        table = pa.concat_tables(tables)
        return _sort(table.group_by(["measure", "lang", "value"]).aggregate([("pages", "sum")]), "pages_sum")

    @staticmethod
    def finish(table: pa.Table, config: DistributionConfig) -> pa.Table:
        """Ranked measures once more for all languages together."""
        ranked_rows = table.filter(pc.is_in(table["measure"], value_set=pa.array(RANKED)))
        place = ranked_rows.schema.get_field_index("lang")
        together = ranked_rows.set_column(place, "lang", pa.array([_ALL] * ranked_rows.num_rows, pa.string()))
        return LearnDistribution.merge([table, together], config)


def _significant_digits(name: str, column: pa.Array) -> Floats:
    values: Floats = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    if name in RANKED:
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = 10.0 ** (_DIGITS - 1 - np.floor(np.log10(np.abs(values))))
        short: Floats = np.where(values == 0, 0.0, np.round(values * steps) / steps)
    return short


def _count_values(table: pa.Table) -> pa.Table:
    return _sort(table.group_by(["measure", "lang", "value"]).aggregate([("row", "count")]), "row_count")


def _sort(table: pa.Table, count_column: str) -> pa.Table:
    table = table.sort_by([(name, "ascending") for name in ("measure", "lang", "value")])
    return pa.table([table[name] for name in ("measure", "lang", "value", count_column)], DISTRIBUTION.names).cast(
        DISTRIBUTION
    )


@dataclass(frozen=True, slots=True)
class Distribution:
    """Values of one measure in one language, in order, with the share of pages that have at most each."""

    values: npt.NDArray[np.float32]
    shares: Floats
    pages: int

    def ranks(self, values: Any) -> Floats:
        """Pages per hundred with an equal or lower value."""
        at = np.searchsorted(self.values, values.astype(np.float32), side="right")
        ranks: Floats = np.where(at > 0, 100.0 * self.shares[np.maximum(at - 1, 0)], 0.0)
        return ranks

    def percentile(self, percent: float) -> float:
        """The value that so many pages per hundred do not exceed."""
        at = int(np.searchsorted(self.shares, percent / 100.0 - 1e-12))
        return float(self.values[min(at, len(self.values) - 1)])


@lru_cache(maxsize=4)
def distributions(model: Model) -> dict[tuple[str, str], Distribution]:
    """All distributions of a model, by measure and language; an empty language stands for all."""
    columns = [model.table.column(name).to_pylist() for name in ("measure", "lang")]
    values, pages = (model.table.column(name).to_numpy() for name in ("value", "pages"))
    keys = list(zip(*columns, strict=True))
    by_column: dict[tuple[str, str], Distribution] = {}
    first = 0
    for row in range(1, len(keys) + 1):
        if row == len(keys) or keys[row] != keys[first]:
            running = np.cumsum(pages[first:row].astype(np.float64))
            by_column[keys[first]] = Distribution(values[first:row], running / running[-1], int(running[-1]))
            first = row
    return by_column


@map_stage(
    "quality.percentiles.v1",
    layer="percentiles",
    needs=needs,
    adds=builtin("percentiles"),
    config=PercentilesConfig,
    models=("quality.distribution",),
    behaviour="in the corpus and in the language",
)
def percentiles(batch: Batch, config: PercentilesConfig, model: Model) -> Columns:
    """Cumulative ranks of 3graph and 12graph (P3 §6), and the rules' measures that are unusual in the page's language.

    Ranks are those among the pages that survive all rules that do not use them: in the whole corpus, as in P3, and in
    the page's language. ``ngram12_rank`` ranks redundancy rather than quality. Columns of stages that the recipe does not
    have are null.
    """
    by_column = distributions(model)
    langs = np.array(batch["identify.lang"], object)
    everywhere = np.array([lang and _ALL for lang in langs.tolist()], object)
    names = [f"{name}_{of}" for name in RANKED for of in ("rank", "lang_rank")]
    columns: dict[str, Any] = dict.fromkeys(names, pa.nulls(len(batch), pa.float32()))
    outliers: list[list[str]] = [[] for _ in range(len(batch))]
    is_measured = np.zeros(len(batch), bool)
    for full in batch.names():
        name = full.partition(".")[2]
        if name in RANKED:
            columns[f"{name}_rank"] = _ranks(batch.arrow(full), everywhere, name, by_column)
            columns[f"{name}_lang_rank"] = _ranks(batch.arrow(full), langs, name, by_column)
        elif name in _BOUNDS:
            values = _significant_digits(name, batch.arrow(full))
            is_measured |= ~np.isnan(values)
            for row in _unusual(values, langs, name, by_column, config):
                outliers[row].append(name)
    return {
        **columns,
        "outliers": [names if one else None for names, one in zip(outliers, is_measured, strict=True)],
        "outlier_count": [len(names) if one else None for names, one in zip(outliers, is_measured, strict=True)],
    }


def _ranks(column: pa.Array, langs: Any, name: str, by_column: Mapping[tuple[str, str], Distribution]) -> pa.Array:
    values = column.to_numpy(zero_copy_only=False)
    ranks = np.full(len(values), np.nan)
    for lang in {lang for lang in langs.tolist() if lang is not None}:
        rows = np.flatnonzero((langs == lang) & ~np.isnan(values))
        if (name, lang) in by_column and len(rows):
            ranks[rows] = by_column[name, lang].ranks(values[rows])
    return pa.array(np.nan_to_num(ranks), pa.float32(), mask=np.isnan(ranks))


def _unusual(
    values: Floats,
    langs: Any,
    name: str,
    by_column: Mapping[tuple[str, str], Distribution],
    config: PercentilesConfig,
) -> list[int]:
    """Rows beyond the percentile on the side of the published threshold; those at it are not."""
    bound, rows = _BOUNDS[name], []
    for lang in {lang for lang in langs.tolist() if lang is not None}:
        usual = by_column.get((name, lang))
        if usual is None or usual.pages < config.min_pages:
            continue
        beyond = np.zeros(len(values), bool)
        with np.errstate(invalid="ignore"):
            if bound.low is not None:
                beyond |= values < usual.percentile(config.tail)
            if bound.high is not None:
                beyond |= values > usual.percentile(100.0 - config.tail)
        rows += np.flatnonzero(beyond & (langs == lang)).tolist()
    return sorted(rows)
