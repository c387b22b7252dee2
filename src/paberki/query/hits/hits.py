"""The hits of a query: nothing is searched before it is needed, and every step gives new hits.

import paberki
hits = paberki.open("hr").query('[lemma="grad"]')
hits.sort("right").page(0)[0].node              # 'grad'
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from paberki.query.counting.token_scope import TokenScope
from paberki.query.hits import steps as made_steps
from paberki.query.hits.lines import CONTEXT, Line, label_spans, lines_of
from paberki.query.hits.steps import HitStep
from paberki.query.matching.conditions.remembered import Remembered

if TYPE_CHECKING:
    from paberki.query.hits.edges import Edge
    from paberki.query.matching import HitTable, Search

__all__ = ["PAGE", "Hits"]

PAGE: Final = 200
"""Lines of a page."""
_lists: Remembered[Any] = Remembered(64 << 20)
"""Lists that were made before, by what they were made from: asked for again, they are there at once."""


class Hits:
    """What a query finds in a part of a corpus, after some steps."""

    def __init__(
        self, scope: TokenScope, search: Search, steps: Sequence[HitStep] = (), search_again: Any = None
    ) -> None:
        self.scope = scope
        self.search = search
        self.steps = tuple(steps)
        self._search_again: Callable[[str], Search] = search_again
        self._before: Callable[[], Hits | None] = lambda: None

    def _then(self, step: HitStep) -> Hits:
        later = Hits(self.scope, self.search, (*self.steps, step), self._search_again)
        later._before = weakref.ref(self)
        return later

    # What there is

    @cached_property
    def table(self) -> HitTable:
        """Arrays of all hits."""
        before = self._before()
        if before is not None and "table" in before.__dict__:
            return self.steps[-1].apply(before.table)
        return self._apply_steps(_contiguous(self.search.all()))

    def _apply_steps(self, table: HitTable) -> HitTable:
        for step in self.steps:
            table = step.apply(table)
        return table

    def count(self) -> int:
        """How many hits there are."""
        return len(self.table.starts) if self.steps else int(self.search.count().value)

    def __len__(self) -> int:
        return self.count()

    @property
    def is_complete(self) -> bool:
        """Whether the whole corpus was searched: a budget may have ended the search before."""
        return bool(self.search.progress().state != "stopped")

    def first_table(self, size: int) -> HitTable:
        """The first hits, without a search for all where that is possible."""
        if "table" in self.__dict__ or not all(step.keeps_order for step in self.steps):
            return self.table.take(np.arange(min(size, len(self.table.starts))))
        ask = size
        while True:
            raw = _contiguous(self.search.first(ask))
            table = self._apply_steps(raw)
            if len(table.starts) >= size or len(raw.starts) < ask:
                return table.take(np.arange(min(size, len(table.starts))))
            ask *= 4

    def page(self, number: int, size: int = PAGE, context: int | str = CONTEXT) -> list[Line]:
        """One page of lines; the first one is number 0."""
        low = max(number, 0) * size
        table = self.first_table(low + size)
        return list(
            lines_of(self.scope.places, table.take(np.arange(low, max(low, len(table.starts)))), context=context)
        )

    def __iter__(self) -> Iterator[Line]:
        return lines_of(self.scope.places, self.table)

    def spans(self) -> list[tuple[int, int]]:
        """First token and end of every hit, half-open."""
        return list(zip(self.table.starts.tolist(), self.table.ends.tolist(), strict=True))

    def labels(self) -> list[dict[str, tuple[int, int]]]:
        """For every hit: name of each label, and first token and end of what it stands for."""
        return label_spans(self.table)

    def edges(self) -> list[list[Edge]]:
        """For every hit of a query for relations: source, target and name of each relation."""
        from paberki.query.hits.edges import edge_lists

        return edge_lists(self.scope.places.index, self.table)

    def kwic(self, context: int | str = CONTEXT, first: int | None = None) -> Any:
        """Lines as an Arrow table: left, node, right, start, end, and what is known of the page."""
        import pyarrow as pa

        table = self.table if first is None else self.first_table(first)
        lines = list(lines_of(self.scope.places, table, context=context))
        names = ("left", "node", "right", "start", "end")
        columns = {name: [getattr(line, name) for line in lines] for name in names}
        for name in dict.fromkeys(key for line in lines for key in line.reference):
            columns[f"doc.{name}"] = [line.reference.get(name) for line in lines]
        return pa.table(columns)

    # Steps

    def sort(self, *keys: str) -> Hits:
        """By left, right, node, an attribute, ``LABEL.attribute``, ``doc.column``; several keys count in their order."""
        from paberki.query.hits.sorting import sorted_order

        name = ",".join(keys)
        return self._then(
            HitStep(f"sorted by {name}", lambda table: table.take(sorted_order(self.scope, table, name)), False)
        )

    def good(self) -> Hits:
        """Good examples first."""
        from paberki.query.hits.good import good_order

        return self._then(
            HitStep("good examples first", lambda table: table.take(good_order(self.scope, table)), False)
        )

    def filter(self, cql: str, *, keep: bool = True, window: tuple[int, int] | str | None = None) -> Hits:
        """Hits with a match of another query near them (without one: ``keep=False``): in the same sentence, in the same
        structure of a name, or in a window of tokens."""
        matches = self._search_again(cql).all()
        place = "" if window is None else f" within {window}"
        name = f"{'with' if keep else 'without'} {cql}{place}"
        return self._then(made_steps.filter_by(self.scope, matches, keep, window, name))

    def per_page(self, most: int = 1) -> Hits:
        """At most so many hits of each page."""
        return self._then(made_steps.per_page(self.scope, most))

    def no_overlap(self) -> Hits:
        """From left to right, no hit that overlaps the one before it."""
        return self._then(made_steps.no_overlap())

    def fold(self) -> Hits:
        """Near-copies once."""
        return self._then(made_steps.fold(self.scope))

    def sample(self, size: int, seed: int = 1) -> Hits:
        """A random sample, in the order that the hits have."""
        return self._then(made_steps.sample(size, seed))

    # Lists

    @cached_property
    def _in_corpus_order(self) -> HitTable:
        table = self.table
        if np.any(table.starts[1:] < table.starts[:-1]):
            return table.take(np.argsort(table.starts, kind="stable"))
        return table

    def _remembered_list(self, question: Hashable, make: Callable[[], Any]) -> Any:
        """A list of the hits, remembered where the whole corpus was searched for them."""
        search, steps = self.search, tuple(step.name for step in self.steps)
        key = (self.scope.identity, str(search.query), search.query.dialect, search.strategy, steps, question)
        table = _lists.get(key)
        if table is None:
            table = make()
            if self.is_complete:
                _lists.put(key, table, table.nbytes + 1000)
        return table

    def freq(self, attributes: str = "word", **options: Any) -> Any:
        """How often each value or combination of values is the hit; see :mod:`paberki.query.statistics.frequency`."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.frequency import frequency

        list_options = ListOptions.of(options)
        return self._remembered_list(
            ("freq", attributes, list_options),
            lambda: frequency(self.scope, self._in_corpus_order, attributes, list_options),
        )

    def collocations(
        self,
        attribute: str = "lemma",
        window: tuple[int, int] = (-5, 5),
        measure: str = "logdice",
        *,
        within: str | None = None,
        limit: int | None = 1000,
        **options: Any,
    ) -> Any:
        """What stands around the hits; see :mod:`paberki.query.statistics.collocations`."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.collocations import collocations

        low, high = window
        question = (attribute, (low, high), measure, within, limit, ListOptions.of(options))
        return self._remembered_list(
            ("collocations", question), lambda: collocations(self.scope, self._in_corpus_order, *question)
        )

    def distribution(self, column: str = "host", **options: Any) -> Any:
        """Hits by host, year, month or any attribute of pages."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.distribution import distribution

        list_options = ListOptions.of(options)
        return self._remembered_list(
            ("distribution", column, list_options),
            lambda: distribution(self.scope, self._in_corpus_order, column, list_options),
        )

    def dispersion(self) -> dict[str, Any]:
        """How evenly the hits are spread."""
        from paberki.query.statistics.distribution import dispersion

        return dispersion(self.scope, self._in_corpus_order)

    # Showing

    def __repr__(self) -> str:
        steps = "".join(f", {step.name}" for step in self.steps if step.name)
        return f"<hits of {str(self.search.query)!r} in {self.scope.name}{steps}>"

    def _repr_html_(self) -> str:
        from paberki.query.hits.notebook_html import html_table

        return html_table(self)


def _contiguous(table: HitTable) -> HitTable:
    """The same hits as kernels take them; those that were written to disk are not."""
    if table.starts.flags.c_contiguous and table.ends.flags.c_contiguous:
        return table
    return replace(table, starts=np.ascontiguousarray(table.starts), ends=np.ascontiguousarray(table.ends))
