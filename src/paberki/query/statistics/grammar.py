"""Sketch grammars of Sketch Engine: relations that are defined by queries, for corpora without trees.

A file has relations (``=subject/subject_of``), each followed by queries in which ``1:`` marks the word that is asked about
and ``2:`` its collocate. Directives before a relation: ``*DUAL`` (the second name is the relation seen from the other
word), ``*SYMMETRIC`` (both words change places), ``*UNARY`` (no collocate), ``*TRINARY`` (``%(3.lemma)`` in the name is the
third word), ``*STRUCTLIMIT s`` (within sentences), ``*DEFAULTATTR tag``; ``*SEPARATEPAGE``, ``*UNIMAP``, ``*WSPOSLIST``,
``*FIXORDER`` and other directives concern the display and are read over. ``define(`name', `text')`` replaces a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from paberki.errors import InputError, QueryError
from paberki.query.counting.list_table import ListOptions
from paberki.query.counting.spread import Spread, number_rows, occurrences_of, spread_of
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of
from paberki.query.statistics.association_measures import measure

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["GrammarRelation", "grammar_sketch", "read_grammar"]

_DEFINE: Final = re.compile(r"^define\(\s*`([^']+)'\s*,\s*`([^']*)'\s*\)\s*(?:dnl)?\s*$")
_THIRD: Final = re.compile(r"%\((\d)\.(\w+)\)")
_KINDS: Final = ("DUAL", "SYMMETRIC", "UNARY", "TRINARY")


@dataclass(frozen=True, slots=True)
class GrammarRelation:
    """One query of a relation."""

    name: str
    query: str
    word: str = "1"
    collocate: str = "2"
    line: int = 0


def read_grammar(file: Path | str) -> list[GrammarRelation]:
    """All relations of a grammar file."""
    try:
        text = Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read ({error}); give a sketch grammar in UTF-8") from error
    relations = list(_relations(text))
    if not relations:
        raise InputError(f"{file}: no relations; a sketch grammar has lines such as  =object  and a query below each")
    return relations


def _relations(text: str) -> Iterator[GrammarRelation]:
    macros: dict[str, str] = {}
    settings = {"STRUCTLIMIT": "", "DEFAULTATTR": ""}
    names: list[str] = []
    kind = next_kind = ""
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        word, _, rest = line.removeprefix("*").partition(" ")
        if not line or line.startswith("#"):
            continue
        if define := _DEFINE.match(line):
            macros[define[1]] = define[2]
        elif line.startswith("*") and word in settings:
            settings[word] = rest.strip()
        elif line.startswith("*"):
            next_kind = word if word in _KINDS else next_kind
        elif line.startswith("="):
            names, kind, next_kind = [name.strip() for name in line[1:].split("/")], next_kind, ""
        elif names:
            query = _complete(_expand_macros(line, macros), settings["STRUCTLIMIT"], settings["DEFAULTATTR"])
            yield from _sides(names, kind, query, number)


def _sides(names: list[str], kind: str, query: str, line: int) -> Iterator[GrammarRelation]:
    """A query, and the same seen from the other word where the relation says so."""
    is_unary = "2:" not in query
    yield GrammarRelation(names[0], query, "1", "1" if is_unary else "2", line)
    if len(names) > 1 and not is_unary:
        yield GrammarRelation(names[1], query, "2", "1", line)
    elif kind == "SYMMETRIC" and not is_unary:
        yield GrammarRelation(names[0], query, "2", "1", line)


def _expand_macros(line: str, macros: dict[str, str]) -> str:
    """Names of macros replaced by their texts, also within these texts."""
    for _ in range(len(macros) + 1):
        before = line
        for name, text in macros.items():
            line = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _, text=text: text, line)  # type: ignore[misc]
        if line == before:
            break
    return line


def _complete(query: str, limit: str, default: str) -> str:
    if default:
        query = re.sub(
            r'(^|[\s(|:])("(?:[^"\\]|\\.)*")(?=[\s)|?*+{]|$)', lambda match: f"{match[1]}[{default}={match[2]}]", query
        )
    return f"{query} within <{limit}/>" if limit and " within " not in query else query


def restrict(query: str, label: str, attribute: str, lemma: str) -> str:
    """The query with a condition on the lemma of a labelled token."""
    mark = f"{label}:["
    at = query.find(mark)
    if at < 0:
        raise QueryError(f"the query {query!r} has no token {label}:[…]")
    escaped_lemma = re.sub(r"([\\.^$*+?()\[\]{}|\"])", r"\\\1", lemma)
    begin, end = at + len(mark), _closing(query, at + len(mark))
    inside = query[begin:end].strip()
    condition = f'{attribute}="{escaped_lemma}"'
    return (
        f"{query[:begin]}{condition} & ({inside}){query[end:]}"
        if inside
        else f"{query[:begin]}{condition}{query[end:]}"
    )


def _closing(query: str, at: int) -> int:
    """Where the bracket closes that was opened before ``at``."""
    while at < len(query) and query[at] != "]":
        if query[at] == '"':
            at += 1
            while at < len(query) and query[at] != '"':
                at += 2 if query[at] == "\\" else 1
        at += 1
    return at


def grammar_sketch(
    scope: TokenScope,
    lemma: str,
    file: Path | str,
    run: Callable[[str], HitTable],
    *,
    attribute: str = "lemma",
    limit: int | None = 25,
    options: ListOptions | None = None,
) -> Any:
    """The best collocates in each relation of a grammar."""
    import pyarrow as pa

    lemmas, options = values_of(scope.places.index, attribute), options or ListOptions()
    by_name: dict[str, list[tuple[Any, Any]]] = {}
    for relation in read_grammar(file):
        try:
            hits = run(restrict(relation.query, relation.word, attribute, lemma))
        except QueryError as error:
            raise QueryError(f"{file}, line {relation.line}: {error}") from error
        if len(hits.starts):
            inside = scope.holds(hits.starts, hits.ends) & (hits.labels[relation.collocate] >= 0)
            for name, mine in _by_name(scope, relation.name, hits.take(np.flatnonzero(inside))):
                by_name.setdefault(name, []).append((mine.labels[relation.word], mine.labels[relation.collocate]))
    tables = [_relation_table(scope, lemmas, name, pairs, limit, options) for name, pairs in by_name.items()]
    tables = tables or [_relation_table(scope, lemmas, "", [], limit, options)]
    tables.sort(key=lambda table: -int(table["hits"].to_numpy().sum()))
    return pa.concat_tables(tables)


def _by_name(scope: TokenScope, name: str, hits: HitTable) -> Iterator[tuple[str, HitTable]]:
    """Hits by the name of their relation, which may have a third word in it."""
    third = _THIRD.search(name)
    if third is None or third[1] not in hits.labels:
        yield name, hits
        return
    values = values_of(scope.places.index, third[2])
    numbers = values.at(np.maximum(hits.labels[third[1]], 0))
    for number in np.unique(numbers):
        full_name = _THIRD.sub(lambda _, number=number: values.texts(np.array([number]))[0], name)  # type: ignore[misc]
        yield full_name, hits.take(np.flatnonzero(numbers == number))


def _relation_table(
    scope: TokenScope,
    lemmas: AttributeValues,
    name: str,
    pairs: list[tuple[Any, Any]],
    limit: int | None,
    options: ListOptions,
) -> Any:
    import pyarrow as pa

    none = np.zeros(0, np.int64)
    words, others = (np.concatenate([none, *(pair[side] for pair in pairs)]) for side in (0, 1))
    distinct = np.unique(np.stack([words, others]), axis=1) if len(words) else np.zeros((2, 0), np.int64)
    words, others = np.ascontiguousarray(distinct[0]), np.ascontiguousarray(distinct[1])
    numbers = lemmas.at(others)
    rows, firsts = number_rows(numbers.astype(np.uint64))
    spread: Spread = spread_of(rows, len(firsts), occurrences_of(scope, words), scope)
    strings = lemmas.strings.take(pa.array(numbers[firsts])).cast(pa.string())
    scores = measure("logdice", spread.hits, len(words), lemmas.counts[numbers[firsts]], scope.tokens)
    pair_rows = options.rows(strings, spread.hits)
    pair_rows = pair_rows[np.lexsort((-spread.hits[pair_rows], -scores[pair_rows]))][:limit]
    columns = spread.take(pair_rows).columns(scope.tokens)
    relation = pa.array([name] * len(pair_rows), pa.string())
    return pa.table(
        {"relation": relation, "collocate": strings.take(pair_rows), **columns, "logdice": scores[pair_rows]}
    )
