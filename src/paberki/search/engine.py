"""The search engine under document search; the only module that knows tantivy.

Texts arrive as tokens of the pipeline, joined by spaces, and the engine splits them at spaces and nowhere else: so the words of
the index are those of the concordancer, and no object is made for a token. A space inside a token is stored as another sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import tantivy

from paberki.errors import QueryError, StoreError

Kind = Literal["words", "string", "integer", "float", "date", "boolean"]
Query = tantivy.Query
INNER_SPACE: Final = "\x1f"
"""Stands for a space inside a token."""
HEAP_BYTES: Final = 128 << 20
NUMBER, STORED = "number", "stored"
_TYPES: Final = {
    "integer": tantivy.FieldType.Integer,
    "float": tantivy.FieldType.Float,
    "date": tantivy.FieldType.Date,
}
_INDEXED: Final = {"indexed": True, "fast": True}


@dataclass(frozen=True, slots=True)
class EngineField:
    """A field of documents; ``positions`` are needed for phrases."""

    name: str
    kind: Kind
    positions: bool = False


@dataclass(slots=True)
class EngineDocument:
    """A document on its way into the index."""

    number: int
    stored_page: bytes
    """What comes back with a hit."""
    words: dict[str, str] = field(default_factory=dict)
    """Tokens, joined by spaces, by field."""
    values: list[tuple[str, Kind, Any]] = field(default_factory=list)
    """Field, kind and value of everything else."""


@dataclass(frozen=True, slots=True)
class EngineHit:
    """A document that matches."""

    score: float
    number: int
    place: Any


def make_schema(fields: Iterable[EngineField]) -> tantivy.Schema:
    """The fields as the library describes them."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(NUMBER, **_INDEXED)
    builder.add_bytes_field(STORED, stored=True)
    for one in fields:
        match one.kind:
            case "words":
                option = "position" if one.positions else "freq"
                builder.add_text_field(one.name, tokenizer_name="whitespace", index_option=option)
            case "string":
                builder.add_text_field(one.name, tokenizer_name="raw", index_option="basic")
            case "integer":
                builder.add_integer_field(one.name, **_INDEXED)
            case "float":
                builder.add_float_field(one.name, **_INDEXED)
            case "date":
                builder.add_date_field(one.name, **_INDEXED)
            case "boolean":
                builder.add_boolean_field(one.name, **_INDEXED)
    return builder.build()


class EngineWriter:
    """Adds documents to an index; what is committed survives whatever happens afterwards."""

    def __init__(self, path: Path, fields: Iterable[EngineField]) -> None:
        path.mkdir(parents=True, exist_ok=True)
        with _faults(path):
            index = tantivy.Index(make_schema(fields), str(path))
            self._writer = index.writer(HEAP_BYTES, 1)
        self._path = path

    def add(self, document: EngineDocument) -> None:
        """Add a document; it is there after the next commit."""
        entry = tantivy.Document()
        entry.add_unsigned(NUMBER, document.number)
        entry.add_bytes(STORED, document.stored_page)
        for name, words in document.words.items():
            entry.add_text(name, words)
        for name, kind, value in document.values:
            _ADD[kind](entry, name, value)
        with _faults(self._path):
            self._writer.add_document(entry)

    def commit(self) -> None:
        """Make everything so far durable and visible."""
        with _faults(self._path):
            self._writer.commit()

    def close(self) -> None:
        """Wait for segments that are being merged, and end."""
        with _faults(self._path):
            self._writer.wait_merging_threads()


_ADD: Final[dict[Kind, Any]] = {
    "words": tantivy.Document.add_text,
    "string": tantivy.Document.add_text,
    "integer": tantivy.Document.add_integer,
    "float": tantivy.Document.add_float,
    "date": tantivy.Document.add_date,
    "boolean": tantivy.Document.add_boolean,
}


class SearchIndex:
    """An open index: makes queries and runs them. Statistics of words are those of all segments together."""

    def __init__(self, path: Path) -> None:
        with _faults(path):
            self._index = tantivy.Index.open(str(path))
            self._index.config_reader("manual", 0)
            self._index.reload()
            self._searcher = self._index.searcher()
        self._schema = self._index.schema
        self._path = path

    @property
    def documents(self) -> int:
        """Number of documents."""
        return int(self._searcher.num_docs)

    @property
    def segments(self) -> int:
        """Number of parts that the index consists of."""
        return int(self._searcher.num_segments)

    def frequency(self, name: str, word: str) -> int:
        """Documents with a word in a field."""
        return int(self._searcher.doc_freq(name, word))

    def term(self, name: str, value: Any, *, positions: bool = True) -> Query:
        """Documents with a word or a value in a field."""
        return Query.term_query(self._schema, name, value, "freq" if isinstance(value, str) and positions else "basic")

    def phrase(self, name: str, words: Sequence[str]) -> Query:
        """Documents in which the words follow each other."""
        if len(words) == 1:
            return self.term(name, words[0])
        return Query.phrase_query(self._schema, name, list(words))

    def in_order(self, name: str, first: str, second: str, window: int) -> Query:
        """Documents with the second word after the first, both within so many words.

        The library allows distances from g − s to g + s for an expected distance g and a slop s.
        """
        farthest = window - 1
        if farthest < 1:
            return Query.empty_query()
        middle = (farthest + 1) // 2
        queries = [Query.phrase_query(self._schema, name, [(0, first), (middle, second)], middle - 1)]
        if 2 * middle - 1 < farthest:
            queries.append(Query.phrase_query(self._schema, name, [(0, first), (farthest, second)]))
        return any_of(queries)

    def between(self, name: str, kind: Kind, low: Any, high: Any, *, with_low: bool, with_high: bool) -> Query:
        """Documents with a value in a range; None is no bound."""
        query = Query.range_query(self._schema, name, _TYPES[kind], low, high, with_low, with_high)
        return without_score(query)

    def numbers(self, numbers: Sequence[int]) -> Query:
        """The documents with these numbers."""
        return without_score(Query.term_set_query(self._schema, NUMBER, list(numbers)))

    def search(
        self, query: Query, limit: int, *, order: str | None = None, ascending: bool = False
    ) -> tuple[list[EngineHit], int]:
        """The best hits, and the number of all."""
        if limit < 1:
            return [], self._count(query)
        way = tantivy.Order.Asc if ascending else tantivy.Order.Desc
        with _faults(self._path):
            result: Any = self._searcher.search(query, limit, True, order, 0, way)
            places = [place for _, place in result.hits]
            numbers: list[Any] = self._searcher.fast_field_values(NUMBER, places) if places else []
        scores = [0.0 if order else float(score) for score, _ in result.hits]
        hits = [EngineHit(*row) for row in zip(scores, numbers, places, strict=True)]
        return hits, int(result.count)

    def _count(self, query: Query) -> int:
        with _faults(self._path):
            result: Any = self._searcher.search(query, 1, True)
            return int(result.count)

    def stored_page(self, hit: EngineHit) -> bytes:
        """What was stored with a document."""
        with _faults(self._path):
            return bytes(self._searcher.doc(hit.place)[STORED][0])

    def values(self, name: str, hits: Sequence[EngineHit]) -> list[Any]:
        """Values of a field for these hits; None where there is none."""
        with _faults(self._path):
            return list(self._searcher.fast_field_values(name, [hit.place for hit in hits]))


def any_of(queries: Sequence[Query]) -> Query:
    """Documents that match at least one; scores are added."""
    if not queries:
        return Query.empty_query()
    return queries[0] if len(queries) == 1 else Query.boolean_query([(tantivy.Occur.Should, one) for one in queries])


def best_of(queries: Sequence[Query]) -> Query:
    """Documents that match at least one, with the best of the scores."""
    return queries[0] if len(queries) == 1 else Query.disjunction_max_query(list(queries))


def all_of(queries: Sequence[Query], *, never: Sequence[Query] = (), better: Sequence[Query] = ()) -> Query:
    """Documents that match all, and none of ``never``; ``better`` only adds to the score."""
    if len(queries) == 1 and not never and not better:
        return queries[0]
    parts = [(tantivy.Occur.Must, one) for one in queries or [without_score(Query.all_query())]]
    parts += [(tantivy.Occur.MustNot, one) for one in never]
    return Query.boolean_query(parts + [(tantivy.Occur.Should, one) for one in better])


def weight_query(query: Query, weight: float) -> Query:
    """The same documents with scores multiplied."""
    return query if weight == 1 else Query.boost_query(query, weight)


def without_score(query: Query) -> Query:
    """The same documents; the score is zero."""
    return Query.const_score_query(query, 0.0)


def as_word(token: str) -> str:
    """A token as it stands in the index."""
    return INNER_SPACE.join(token.split()) if len(token.split()) > 1 else token.strip()


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    """Errors of the library in one line: it raises ValueError for everything, a full disk included."""
    try:
        yield
    except BaseException as error:  # its panics have no other base
        if not isinstance(error, ValueError | OSError | RuntimeError) and type(error).__name__ != "PanicException":
            raise
        if "query" in str(error).lower() and "corrupt" not in str(error).lower():
            raise QueryError(f"the search engine cannot run this query ({error})") from error
        raise StoreError(
            f"{path}: the index of documents cannot be used ({error}); type: paberki index {path.parents[1]}"
        ) from error


Fields = Mapping[str, EngineField]
