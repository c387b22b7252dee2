"""A corpus that can be searched, or a part of it: queries, and lists that are counted from all of it.

Corpora of our own and indexes of foreign ones have the same methods; lists are Arrow tables, the value first.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from paberki.errors import QueryError

if TYPE_CHECKING:
    from paberki.query import Budget
    from paberki.query.counting.places import PagePlaces
    from paberki.query.counting.token_scope import TokenScope
    from paberki.query.hits.hits import Hits
    from paberki.query.index.reader import Index
    from paberki.query.index.selection import Selection

_MOST_SCOPES: Final = 32

__all__ = ["Concordancer", "CorpusPart", "OpenIndex", "Rest"]


class Concordancer:
    """What can be asked of an index."""

    _is_part = False
    """Whether a condition leaves some of its pages out."""

    @property
    def reader(self) -> Index:
        """The open index."""
        raise NotImplementedError

    @property
    def _places(self) -> PagePlaces:
        """Pages and hosts, found out once per index."""
        from paberki.query.counting.places import PagePlaces

        memory: dict[str, Any] = self.reader.__dict__
        if "_places_of_index" not in memory:
            memory["_places_of_index"] = PagePlaces(self.reader)
        places: PagePlaces = memory["_places_of_index"]
        return places

    def _selection(self, set: str | None = None) -> Selection | None:  # noqa: A002 - as on the command line
        """The blocks that are asked: the kept ones by default."""
        name = set or ("kept" if "kept" in self.reader.selections else None)
        return self.reader.selection(None if name == "all" else name)

    def _scope(self, where: str | None = None, set: str | None = None) -> TokenScope:  # noqa: A002
        """The part that is asked: some blocks, of the pages for which a condition holds."""
        from paberki.query.hits.page_conditions import scope_of

        memory: dict[Any, TokenScope] = self.reader.__dict__.setdefault("_scopes", {})
        scope_key = (set, where, self.reader.tombstones)  # pages may be taken down at any time
        scope = memory.get(scope_key)
        if scope is None:
            while len(memory) >= _MOST_SCOPES:  # a server is asked for many different parts
                memory.pop(next(iter(memory)), None)
            scope = memory[scope_key] = scope_of(self._places, self._selection(set), where)
        return scope

    def part(self, where: str | None = None, *, set: str | None = None) -> CorpusPart:  # noqa: A002
        """The pages for which a condition holds, or a set of blocks: kept, dropped, all."""
        return CorpusPart(self, where, set)

    def without(self, where: str) -> Rest:
        """All pages but those for which a condition holds."""
        return Rest(self, where)

    def query(
        self,
        cql: str,
        *,
        strategy: str | None = None,
        dialect: str = "cqp",
        where: str | None = None,
        set: str | None = None,  # noqa: A002
        seconds: float | None = None,
        budget: Budget | None = None,
    ) -> Hits:
        """The hits of a CQL query, lazily; ``seconds`` ends the search and leaves what it has by then.

        ``budget`` says the same and more: how many hits are kept, how much memory may be used.
        """
        from paberki.query import Budget, run
        from paberki.query.hits.hits import Hits
        from paberki.query.hits.steps import keep_scope

        scope, selection, limits = self._scope(where, set), self._selection(set), budget or Budget(seconds=seconds)

        def search(text: str) -> Any:
            return run(self.reader, text, strategy=strategy, dialect=dialect, budget=limits, selection=selection)

        return Hits(scope, search(cql), (keep_scope(scope),) if where or self._is_part else (), search)

    def wordlist(self, attribute: str = "word", *, limit: int | None = None, **options: Any) -> Any:
        """How often each value occurs; options: include, exclude, regex, min."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.wordlist import wordlist

        return wordlist(self._scope(), attribute, ListOptions.of(options), limit=limit)

    def ngrams(
        self,
        attribute: str = "word",
        n: int = 2,
        *,
        within: str | None = None,
        limit: int | None = 10_000,
        **options: Any,
    ) -> Any:
        """The most frequent runs of n tokens; they end at the edges of pages, or of the structure ``within``."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.ngrams import ngrams

        return ngrams(self._scope(), attribute, n, within=within, limit=limit, options=ListOptions.of(options))

    def keywords(
        self,
        other: Concordancer | Path | str,
        attribute: str = "lemma",
        *,
        measure: str = "simplemaths",
        n: float = 1.0,
        limit: int | None = 1000,
        **options: Any,
    ) -> Any:
        """What is typical of this corpus, compared with another one or with a part."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.keywords import keywords

        reference = (other if isinstance(other, Concordancer) else OpenIndex(other))._scope()
        list_options = ListOptions.of(options)
        return keywords(self._scope(), reference, attribute, by=measure, n=n, limit=limit, options=list_options)

    def sketch(self, lemma: str, *, grammar: Path | str | None = None, limit: int | None = 25, **options: Any) -> Any:
        """With which words a lemma stands in which relations; ``A..B`` compares two lemmas."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.sketch import sketch, sketch_difference

        list_options = ListOptions.of(options)
        if grammar is not None:
            from paberki.query.statistics.grammar import grammar_sketch

            return grammar_sketch(self._scope(), lemma, grammar, self._run_all, limit=limit, options=list_options)
        first, dots, second = lemma.partition("..")
        if dots and first and second:
            return sketch_difference(self._scope(), first, second, limit=limit, options=list_options)
        return sketch(self._scope(), lemma, limit=limit, options=list_options)

    def _run_all(self, cql: str) -> Any:
        from paberki.query import run

        return run(self.reader, cql, strategy="all", dialect="manatee").all()

    def similar(self, lemma: str, *, limit: int | None = 50, **options: Any) -> Any:
        """Lemmas that stand in the same relations with the same words."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.similar import similar

        return similar(self._scope(), lemma, limit=limit, options=ListOptions.of(options))

    def trend(self, attribute: str = "lemma", *, by: str = "year", limit: int | None = 1000, **options: Any) -> Any:
        """Values that become more or less frequent over time."""
        from paberki.query.counting.list_table import ListOptions
        from paberki.query.statistics.trend import trend

        list_options = ListOptions.of(options) if options else None
        return trend(self._scope(), attribute, by=by, limit=limit, options=list_options)


class OpenIndex(Concordancer):
    """An index without a corpus of ours: made from a vertical or a CoNLL-U file. A corpus directory does as well."""

    def __init__(self, path: Path | str | Index) -> None:
        from paberki.query.index.reader import open_index

        self._reader = open_index(path) if isinstance(path, Path | str) else path

    @property
    def reader(self) -> Index:
        """The open index."""
        return self._reader

    def __repr__(self) -> str:
        return f"<index of {self.reader.name!r} with {self.reader.tokens:,} tokens>"


class PartOfCorpus(Concordancer):
    """What all parts of a corpus share: its index and its places."""

    _corpus: Concordancer
    _is_part = True

    @property
    def reader(self) -> Index:
        """The index of the whole corpus."""
        return self._corpus.reader

    @property
    def _places(self) -> PagePlaces:
        return self._corpus._places


class CorpusPart(PartOfCorpus):
    """A part of a corpus: the same questions, asked of some of its pages or blocks."""

    def __init__(self, corpus: Concordancer, where: str | None, set: str | None) -> None:  # noqa: A002
        self._corpus, self._where, self._set = corpus, where, set
        self._part_scope  # noqa: B018 - a wrong condition is an error now and not later

    @property
    def _is_part(self) -> bool:  # type: ignore[override]
        return self._where is not None or self._corpus._is_part

    @cached_property
    def _part_scope(self) -> TokenScope:
        return self._corpus._scope(self._where, self._set)

    def _selection(self, set: str | None = None) -> Selection | None:  # noqa: A002
        if set is not None and set != self._set:
            raise QueryError(f"a part of {self._set or 'the corpus'} has no set {set!r}; ask the whole corpus for it")
        return self._corpus._selection(self._set)

    def _scope(self, where: str | None = None, set: str | None = None) -> TokenScope:  # noqa: A002
        self._selection(set)
        if where is None:
            return self._part_scope
        from paberki.query.hits.page_conditions import pages_where

        return self._part_scope.of_pages(pages_where(self._places, where), where)


class Rest(PartOfCorpus):
    """What a condition leaves out: the pages for which it does not hold, or cannot be decided."""

    def __init__(self, corpus: Concordancer, where: str) -> None:
        from paberki.query.hits.page_conditions import pages_where

        self._corpus = corpus
        others = ~pages_where(corpus._places, where)
        self._rest = corpus._scope().of_pages(others, f"not ({where})")

    def _selection(self, set: str | None = None) -> Selection | None:  # noqa: A002
        return self._corpus._selection(set)

    def _scope(self, where: str | None = None, set: str | None = None) -> TokenScope:  # noqa: A002
        if where is None:
            return self._rest
        from paberki.query.hits.page_conditions import pages_where

        return self._rest.of_pages(pages_where(self._places, where), where)
