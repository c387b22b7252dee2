"""A query compiled for an index: names looked up, errors found, automata built. Segments come later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from paberki.errors import QueryError
from paberki.query.index.reader import Index
from paberki.query.matching.automata.automaton import Automaton, compile_pattern
from paberki.query.matching.automata.thompson import TagMark, tag_marks
from paberki.query.matching.combining.constraints import DISTANCES
from paberki.query.matching.conditions.label_conditions import with_label_conditions
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import ReferenceTest
from paberki.query.matching.labels import check_labels, parts_of
from paberki.query.matching.nodes import check_nodes
from paberki.query.matching.outline import Outline, is_plain, outline, simplify
from paberki.query.syntax.dialects import Dialect
from paberki.query.syntax.tree import (
    Both,
    Complement,
    Constrained,
    Cut,
    Expand,
    Filter,
    Limit,
    Look,
    Meet,
    Pattern,
    Region,
    Relation,
    Root,
    Span,
)
from paberki.record import Record

__all__ = ["DISTANCES", "MatchScope", "Program", "prepare"]


class MatchScope(Record):
    """What a match may not leave: some regions, a number of regions in a row, or a number of tokens."""

    marks: tuple[TagMark, ...]
    count: int | None = None


@dataclass(slots=True)
class Program:
    """A query, or a part of one, ready to run on segments."""

    names: Names
    dialect: Dialect
    strategy: str
    outline: Outline
    scopes: list[MatchScope]
    automaton: Automaton | None
    """None where the core is more than a pattern of tokens."""
    looks: list[Program]
    filters: dict[int, Program]
    """Programs of the patterns that steps filter by, by number of the step."""

    @property
    def enumerates(self) -> bool:
        """Whether all ways of a match matter: constraints, references to labels, or labels that count."""
        if self.automaton is None:
            return False
        return bool(
            self.outline.constraints
            or self.automaton.tags
            or (self.dialect.captures_count and self.automaton.labels)
            or any(isinstance(test, ReferenceTest) for state in self.automaton.states for test in state.term)
        )


def prepare(pattern: Pattern, index: Index, dialect: Dialect, strategy: str) -> Program:
    """Compile a query; everything that can be wrong with it is found here."""
    program = _program(pattern, Names(index), dialect, strategy)
    page = index.page_structure
    if dialect.in_documents and page is not None and _is_long(program) and _all_in(index, page):
        program.scopes.append(_scope(Region(page), program.names))
    return program


def _all_in(index: Index, structure: str) -> bool:
    """Whether every token is in a region; tokens between pages could match nothing otherwise."""
    return all(
        int((one.structure(structure).ends - one.structure(structure).starts).sum()) >= one.tokens
        for one in index.segments
    )


def _is_long(program: Program) -> bool:
    """Whether matches may have several tokens that no tree holds together."""
    if program.automaton is None:
        return not isinstance(program.outline.core, Relation | Root | Span)
    return program.automaton.lengths()[1] != 1


def _program(pattern: Pattern, names: Names, dialect: Dialect, strategy: str, *, inner: bool = False) -> Program:
    parts = outline(pattern)
    if not inner or parts.constraints:
        check_labels(parts, names, dialect)
    automaton: Automaton | None = None
    looks: list[Program] = []
    if is_plain(parts.core):
        parts.core = with_label_conditions(parts.core, parts.constraints, names)
        automaton, looks = _automaton(parts.core, names, dialect)
        if automaton.matches_nothing() and not dialect.empty_matches:
            raise QueryError(
                "the query can match nothing at all, and would do so everywhere; make one of its tokens obligatory",
                position=0,
                length=1,
            )
    else:
        _check(parts.core, names, dialect)
    program = Program(names, dialect, strategy, parts, [], automaton, looks, {})
    program.scopes = [_scope(scope, names) for scope in parts.scopes]
    for number, step in enumerate(parts.steps):
        if isinstance(step, Filter):
            program.filters[number] = _filter(step, names, dialect)
        else:
            _check_step(step, names)
    return program


def _check(pattern: Pattern, names: Names, dialect: Dialect) -> None:
    """Find errors in a core that is matched part by part."""
    if is_plain(pattern):
        compile_pattern(simplify(pattern), names, nested=names.nested)
        return
    if isinstance(pattern, Relation | Root):
        check_nodes(pattern, names)
        return
    if isinstance(pattern, Complement) or (isinstance(pattern, Both) and _only_complements(pattern)):
        _lonely_complement(pattern)
    if isinstance(pattern, Meet) and pattern.structure is not None:
        names.structure(pattern.structure, pattern.at)
    if isinstance(pattern, Constrained | Filter | Limit | Cut | Expand):
        _program(pattern, names, dialect.changed(empty_matches=True), "all", inner=True)
        return
    for part in parts_of(pattern):
        beside = part.part if isinstance(pattern, Both) and isinstance(part, Complement) else part
        _check(beside, names, dialect)


def _only_complements(pattern: Both) -> bool:
    return all(isinstance(part, Complement) for part in pattern.parts)


def _lonely_complement(pattern: Pattern) -> NoReturn:
    place = pattern.at if isinstance(pattern, Complement) else pattern.parts[0].at  # type: ignore[union-attr]
    raise QueryError(
        "'!' before a pattern needs a single token after it, or another pattern beside it: A & !(B C)"
        f" (character {place[0] + 1})",
        position=max(place[0], 0),
        length=place[1],
    )


def compile_part(pattern: Pattern, program: Program) -> Program:
    """A part of a program's core as a program of its own, with every span that it matches."""
    dialect = program.dialect.changed(empty_matches=True)
    return _program(pattern, program.names, dialect, "all", inner=True)


def _automaton(pattern: Pattern, names: Names, dialect: Dialect) -> tuple[Automaton, list[Program]]:
    automaton = compile_pattern(pattern, names, nested=names.nested)
    looks = [_look(look, names, dialect) for look in automaton.looks]
    return automaton, looks


def _look(look: Look, names: Names, dialect: Dialect) -> Program:
    program = _program(look.part, names, dialect.changed(empty_matches=True), "all")
    if program.automaton is None or program.outline.steps or program.outline.constraints or program.scopes:
        raise QueryError("look-around needs a pattern of tokens")
    if look.behind and program.automaton.lengths()[1] is None:
        raise QueryError("look-behind needs a pattern of limited length; use {0,n} in place of * and +")
    return program


def _scope(scope: Region | Limit, names: Names) -> MatchScope:
    if isinstance(scope, Region):
        return MatchScope(tuple(tag_marks(scope, names)))
    if scope.structure is None:
        return MatchScope((), scope.count)
    return MatchScope((TagMark(names.structure(scope.structure, scope.at), True),), scope.count)


def _filter(step: Filter, names: Names, dialect: Dialect) -> Program:
    """Of a pattern that has no steps of its own, one end per start is enough."""
    parts = outline(step.scope)
    strategy = "all"
    if is_plain(parts.core) and not parts.steps and not parts.constraints:
        strategy = {"containing": "traditional", "within": "furthest", "overlap": "furthest"}[step.relation]
    return _program(step.scope, names, dialect, strategy)


def _check_step(step: Cut | Expand, names: Names) -> None:
    if isinstance(step, Expand) and step.structure is not None:
        names.structure(step.structure, step.at)
