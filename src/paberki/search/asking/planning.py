"""A tree of a search as a query of the engine, for one set of pages.

Score (P4 [69e]): (1 − α) times the BM25 of the words plus α times the BM25 of dependency pairs. Pairs are made of words that
stand side by side in the search, in both directions; a search is not parsed, since two or three words are no sentence. BM25 is
the engine's (k1 = 1.2, b = .75; TSUBAKI's manual has 1 and .6, its code 2 and .75).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.search.asking.column_conditions import value_query
from paberki.search.asking.relation_terms import PAIR_SIGN
from paberki.search.asking.search_tree import NearWords, Negation, Node, TermGroup, Value, Words
from paberki.search.asking.thesaurus import Thesaurus
from paberki.search.engine import Kind, Query, SearchIndex, all_of, any_of, best_of, weight_query, without_score
from paberki.search.page_fields import LABEL_SIGN, word_field

ALPHA: Final = 0.2
"""Weight of dependency pairs."""
_DEFAULT: Final = ("body", "title")
_MOST_PAIRED: Final = 8
_BESIDE: Final = 2
"""Words so far apart in a search can be a pair."""


@dataclass(slots=True)
class SearchPlan:
    """A query of the engine, and what else must be checked or shown."""

    query: Query
    terms: list[list[str]] = field(default_factory=list)
    """Tokens to show in snippets."""
    checks: list[NearWords] = field(default_factory=list)
    """Windows that the engine finds too many documents for."""
    columns: bool = False
    """Conditions on columns are part of it, which hold for all sets."""


@dataclass(slots=True)
class Planner:
    """Makes queries for one set of pages."""

    engine: SearchIndex
    of: str
    kinds: dict[str, Kind]
    aliases: dict[str, str]
    split: Callable[[str], list[list[str]]]
    """Tokens of what was typed: one list, or several where the index may have it in more than one way."""
    lemma: Callable[[str], str] | None = None
    """The lemma of a form, where the index has lemmas."""
    alpha: float = ALPHA
    force_pairs: bool = False
    thesaurus: Thesaurus = field(default_factory=Thesaurus)
    block_types: tuple[str, ...] = ()
    """Labels of blocks that words must stand in."""
    forms: Callable[[str], list[str]] | None = None
    """Forms of a lemma, where words that are not in quotes are looked for by their base forms (P4 §3)."""
    _plan: SearchPlan = field(init=False)

    def plan(self, node: Node) -> SearchPlan:
        """The query of a tree."""
        self._plan = SearchPlan(Query.empty_query())
        query = self._query(node, positive=True)
        pairs = self._pair_queries(node) if self.lemma and self.alpha > 0 else []
        if pairs:
            query = all_of(
                [weight_query(query, 1 - self.alpha)], better=[weight_query(one, self.alpha) for one in pairs]
            )
            if self.force_pairs:
                query = all_of([query, without_score(any_of(pairs))])
        elif self.force_pairs and self.lemma and len(_words(node)) > 1:
            query = Query.empty_query()
        self._plan.query = query
        return self._plan

    def _query(self, node: Node, *, positive: bool) -> Query:
        match node:
            case Words():
                return self._words(node, positive)
            case NearWords():
                return self._near(node, positive)
            case Value():
                self._plan.columns = True
                return value_query(self.engine, self.kinds[self._column(node.column)], self._resolve_column(node))
            case Negation():
                self._plan.columns = True
                return all_of([], never=[self._query(node.part, positive=False)])
            case TermGroup():
                return self._group(node, positive)

    def _group(self, node: TermGroup, positive: bool) -> Query:
        never = [self._query(one.part, positive=False) for one in node.parts if isinstance(one, Negation)]
        parts = [self._query(one, positive=positive) for one in node.parts if not isinstance(one, Negation)]
        if node.operator == "OR":
            if never:
                self._plan.columns = True
            return any_of([*parts, *(all_of([], never=[one]) for one in never)])
        if not parts:
            self._plan.columns = True
        query = all_of(parts, never=never)
        if node.related and self.lemma:
            pairs = self._pair_queries(TermGroup("AND", node.parts))
            query = all_of([query, without_score(any_of(pairs))])
        return query

    def _words(self, node: Words, positive: bool) -> Query:
        spellings = (
            [(node.text, 1.0), *self.thesaurus.related_words(node.text).items()]
            if not node.field
            else [(node.text, 1.0)]
        )
        queries = []
        for text, weight in spellings:
            for tokens in self.split(text):
                if tokens:
                    queries.append(weight_query(self._in_fields(node, tokens), weight))
                    if positive:
                        self._plan.terms.append(tokens)
                    queries += [weight_query(one, weight) for one in self._by_base_form(node, tokens, positive)]
        if not queries:
            raise QueryError(f"{node.text!r} holds no word", position=node.position, length=len(node.text))
        return best_of(queries)

    def _by_base_form(self, node: Words, tokens: Sequence[str], positive: bool) -> list[Query]:
        """Pages with any form of the lemma of a word."""
        if self.forms is None or self.lemma is None or node.phrase or node.field or self.block_types or len(tokens) > 1:
            return []
        lemma = self.lemma(tokens[0])
        if positive:
            self._plan.terms += [[form] for form in self.forms(lemma) if form != tokens[0]]
        return [self.engine.term(word_field("lemma", self.of), lemma)]

    def _in_fields(self, node: Words, tokens: Sequence[str]) -> Query:
        name = node.field
        if name == "lemma":
            return all_of([self.engine.term(word_field("lemma", self.of), one) for one in tokens])
        if not name and not self.block_types:
            return any_of([self.engine.phrase(word_field(one, self.of), tokens) for one in _DEFAULT])
        if name in ("title", "anchor", "body"):
            return self.engine.phrase(word_field(name, self.of), tokens)
        labels = (name,) if name else self.block_types
        return any_of([self._in_blocks(label, tokens) for label in labels])

    def _in_blocks(self, label: str, tokens: Sequence[str]) -> Query:
        if label == "text":
            return self.engine.phrase(word_field("body", self.of), tokens)
        field_name = word_field("typed", self.of)
        return all_of([self.engine.term(field_name, f"{label}{LABEL_SIGN}{one}") for one in tokens])

    def _near(self, node: NearWords, positive: bool) -> Query:
        words = [tokens for word in node.words for tokens in self.split(word.text)[:1] if tokens]
        singles = [token for tokens in words for token in tokens]
        name = node.words[0].field or "body"
        if name not in ("body", "title", "anchor") or any((one.field or "body") != name for one in node.words):
            raise QueryError("a window has words of one field: the text, title or anchor")
        if positive:
            self._plan.terms += [[token] for token in singles]
        own = word_field(name, self.of)
        if len(singles) < 2:
            return self.engine.phrase(own, singles) if singles else Query.empty_query()
        close = [self._pair(own, *pair, node) for pair in pairwise(singles)]
        if len(singles) > 2:
            flat = tuple(Words(token, node.words[0].field) for token in singles)
            self._plan.checks.append(NearWords(flat, node.window, node.ordered))
        return all_of([all_of([self.engine.term(own, one) for one in singles]), *(without_score(one) for one in close)])

    def _pair(self, own: str, first: str, second: str, node: NearWords) -> Query:
        in_order = self.engine.in_order(own, first, second, node.window)
        return in_order if node.ordered else any_of([in_order, self.engine.in_order(own, second, first, node.window)])

    def _pair_queries(self, node: Node) -> list[Query]:
        assert self.lemma is not None
        forms = [token for text in _words(node) for tokens in self.split(text)[:1] for token in tokens][:_MOST_PAIRED]
        lemmas = [self.lemma(form) for form in forms]
        terms = dict.fromkeys(
            f"{one}{PAIR_SIGN}{other}"
            for at, first in enumerate(lemmas)
            for second in lemmas[at + 1 : at + 1 + _BESIDE]
            for one, other in ((first, second), (second, first))
        )
        name = word_field("pairs", self.of)
        return [self.engine.term(name, term) for term in terms if self.engine.frequency(name, term)]

    def _column(self, name: str) -> str:
        name = self.aliases.get(name, name)
        if name not in self.kinds:
            raise QueryError(f"there is no field {name!r}{nearest(name, self.kinds)}")
        return name

    def _resolve_column(self, node: Value) -> Value:
        return Value(self._column(node.column), node.text, node.position)


def _words(node: Node) -> list[str]:
    """Words of the text that must be there, in their order."""
    return list(_each_word(node))


def _each_word(node: Any) -> Iterator[str]:
    match node:
        case Words(field=""):
            yield node.text
        case NearWords():
            for word in node.words:
                yield from _each_word(word)
        case TermGroup():
            for part in node.parts:
                yield from _each_word(part)
