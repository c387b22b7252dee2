"""Searching the documents of a corpus."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from paberki.errors import QueryError, StoreError
from paberki.nearest import nearest
from paberki.search.asking.planning import ALPHA, Planner, SearchPlan
from paberki.search.asking.search_tree import Node, Operator, TermGroup
from paberki.search.asking.syntax import near_all, parse
from paberki.search.asking.thesaurus import Thesaurus
from paberki.search.document_tokens import split_words
from paberki.search.engine import EngineHit, Query, SearchIndex, all_of, any_of, without_score
from paberki.search.lemma_lexicon import LemmaLexicon
from paberki.search.page_fields import KEPT_COLUMN, SETS, column_field
from paberki.search.similar_pages import SimilarityFacts, dissimilar
from paberki.search.snippets import kwic_of, snippet_of
from paberki.search.stored_page import SearchedPage, unpack
from paberki.search.updating import folder_of, read_manifest
from paberki.search.word_windows import stands_near
from paberki.store.directory import Directory

TEXT_FIELDS: Final = ("title", "anchor", "lemma", "body")
_TIES: Final = 50
_FOLD_FACTOR: Final = 3
_MOST_CHECKED: Final = 20_000
"""Documents whose text is read to check windows of more than two words."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked for, apart from the words."""

    set: str = "kept"
    operator: Operator = "AND"
    first: int = 1
    """Rank of the first hit that comes back."""
    size: int | None = 20
    """Hits that come back; None for all."""
    fold: bool = False
    """Near-copies once."""
    snippets: bool = True
    sort: str = "score"
    """score, or a column with numbers or dates; with a minus sign smallest first."""
    alpha: float = ALPHA
    """Weight of dependency pairs."""
    force_pairs: bool = False
    near: int | None = None
    """All words within so many words."""
    base_forms: bool = False
    """Words that are not in quotes are found in all their forms."""
    block_types: tuple[str, ...] = ()
    thesaurus: Thesaurus = field(default_factory=Thesaurus)
    pages: tuple[int, ...] | None = None
    """Only these pages, by number."""
    also: tuple[Node, ...] = ()
    """Conditions beside the words; with them there need not be any words."""
    similar: bool = True
    """Also pages that resemble a better one: same address but for spelling, or same title and nearly the same score."""
    kwic: int | None = None
    """So many words beside the first hit, in place of a snippet."""


@dataclass(slots=True)
class DocumentHit:
    """A page that a search found."""

    rank: int
    score: float
    id: str
    key: str
    url: str
    host: str | None
    date: str | None
    title: str | None
    lang: str | None
    keep: bool | None
    reason: str | None
    bytes: int | None
    snippet: str = ""
    snippet_hits: list[tuple[int, int]] = field(default_factory=list)
    size: int | None = None
    """Bytes of the packed page in the archive."""
    copies: int = 0
    """Near-copies folded into it."""


@dataclass(slots=True)
class DocumentHits:
    """The answer to a search."""

    query: str
    total: int
    """Pages that match; at least so many where it is not exact."""
    exact: bool
    rows: list[DocumentHit]
    took_ms: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


class DocumentSearch:
    """The open document index of a corpus: the state of the moment it was opened, but for pages taken down since."""

    def __init__(self, root: Path | str) -> None:
        self.directory = Directory(root)
        manifest = read_manifest(self.directory.root)
        if manifest is None:
            raise StoreError(f"{root}: documents are not indexed; type: paberki index {root}")
        self.manifest = manifest
        self.path = folder_of(self.directory.root) / manifest.generation
        self.engine = SearchIndex(self.path)
        self._lexicon = LemmaLexicon(self.path)
        self._tombstone_query: tuple[object, Query | None] = (None, None)
        self._split = lru_cache(4096)(self._tokens)

    @property
    def is_replaced(self) -> bool:
        """Whether another index is in force by now."""
        now = read_manifest(self.directory.root)
        return now is None or now.generation != self.manifest.generation

    def search(self, words: str, request: SearchRequest | None = None, **options: Any) -> DocumentHits:
        """The best pages for some words; ``options`` are those of :class:`SearchRequest`."""
        request = request or SearchRequest(**options)
        start = time.perf_counter()
        if request.first < 1:
            raise QueryError(f"the first hit has the rank 1, not {request.first}")
        plan = self._plan(self._parse(words, request), request)
        query = self._restrict(plan, request)
        order = self._order(request.sort)
        hits, total, exact = self._hits(query, plan, request, order)
        rows = self._rows(hits, plan, request)
        return DocumentHits(words, total, exact, rows, round((time.perf_counter() - start) * 1000, 3))

    def _parse(self, words: str, request: SearchRequest) -> Node:
        labels = frozenset(request.block_types)

        def is_column(name: str) -> bool:
            return name not in TEXT_FIELDS and (name in self.manifest.columns or name in self.manifest.aliases)

        def is_field(name: str) -> bool:
            return name in TEXT_FIELDS or name in labels or name in _labels()

        def hint(name: str) -> str:
            return nearest(name, [*TEXT_FIELDS, *self.manifest.columns])

        if not words.strip() and request.also:
            return TermGroup("AND", request.also)
        node = parse(words, operator=request.operator, is_column=is_column, is_field=is_field, hint=hint)
        if request.near is not None:
            node = near_all(node, request.near)
        return TermGroup("AND", (node, *request.also)) if request.also else node

    def _plan(self, node: Node, request: SearchRequest) -> SearchPlan:
        """The plan for the set; of all pages those for kept and for dropped ones together."""
        if request.set not in (*SETS, "all"):
            raise QueryError(f"there is no set {request.set!r}; there are kept, dropped and all")
        plans = [self._planner(of, request).plan(node) for of in (SETS if request.set == "all" else (request.set,))]
        if len(plans) == 1:
            return plans[0]
        together = plans[0]
        together.query = any_of([one.query for one in plans]) if not together.columns else self._both(plans)
        return together

    def _both(self, plans: Sequence[SearchPlan]) -> Query:
        """Each plan for its own pages: conditions on columns and NOT hold for those of both."""
        queries = [all_of([one.query, self._of(of)]) for one, of in zip(plans, SETS, strict=True)]
        return any_of(queries)

    def _planner(self, of: str, request: SearchRequest) -> Planner:
        return Planner(
            self.engine,
            of,
            dict(self.manifest.columns),
            self.manifest.aliases,
            self._split,
            self._lexicon.lemma if len(self._lexicon) else None,
            request.alpha,
            request.force_pairs,
            request.thesaurus,
            request.block_types,
            self._lexicon.forms if request.base_forms else None,
        )

    def _tokens(self, text: str) -> list[list[str]]:
        """Tokens as the splitter of the corpus has them, and as that of any language has them if that differs."""
        ways = []
        for lang in (*self.manifest.languages[:1], ""):
            tokens = split_words(text, lang)
            if tokens not in ways:
                ways.append(tokens)
        if "ja" in self.manifest.languages and any(len(tokens) > 1 for tokens in ways):
            units = _japanese_units(text)
            ways = [units, *(one for one in ways if one != units)] if units else ways
        return ways

    def _of(self, of: str) -> Query:
        """The pages of a set."""
        if KEPT_COLUMN not in self.manifest.columns:
            return without_score(Query.all_query() if of == "kept" else Query.empty_query())
        kept_query = self.engine.term(column_field(KEPT_COLUMN), True)
        return without_score(kept_query if of == "kept" else all_of([], never=[kept_query]))

    def _restrict(self, plan: SearchPlan, request: SearchRequest) -> Query:
        queries = [plan.query]
        if plan.columns and request.set != "all":
            queries.append(self._of(request.set))
        if request.pages is not None:
            queries.append(self.engine.numbers(request.pages))
        tombstone_query = self._taken_down()
        return all_of(queries, never=[tombstone_query] if tombstone_query is not None else [])

    def _taken_down(self) -> Query | None:
        """Pages that were taken down since the index was made."""
        path = self.directory.root / "tombstones.jsonl"
        version = (about.st_mtime_ns, about.st_size) if path.exists() and (about := path.stat()) else None
        if self._tombstone_query[0] != version:
            keys = sorted(self.directory.tombstones() - set(self.manifest.gone))
            queries = [self.engine.term(column_field("key"), key, positions=False) for key in keys]
            self._tombstone_query = (version, any_of(queries) if queries else None)
        return self._tombstone_query[1]

    def _order(self, sort: str) -> tuple[str, bool] | None:
        if sort == "score":
            return None
        name, ascending = sort.lstrip("-"), sort.startswith("-")
        name = self.manifest.aliases.get(name, name)
        kinds = {one: kind for one, kind in self.manifest.columns.items() if kind in ("integer", "float", "date")}
        if name not in kinds:
            raise QueryError(f"documents cannot be sorted by {name!r}{nearest(name, kinds)}; there is score, too")
        return column_field(name), ascending

    def _hits(
        self, query: Query, plan: SearchPlan, request: SearchRequest, order: tuple[str, bool] | None
    ) -> tuple[list[tuple[EngineHit, int]], int, bool]:
        """The hits of the page with the number of their copies, how many there are of all, and whether that is exact."""
        last = self.engine.documents if request.size is None else request.first - 1 + request.size
        last = min(last, self.engine.documents)
        if plan.checks:
            every, total = self._search(query, _MOST_CHECKED, order)
            good = [hit for hit in every if self._is_near(hit, plan)]
            exact = total <= _MOST_CHECKED
            candidates, total = good, len(good)
        else:
            ahead = last * (_FOLD_FACTOR if request.fold or not request.similar else 1) + _TIES
            candidates, total = self._search(query, ahead, order)
            exact = True
        results = self._thin_out(candidates, request)
        while len(results) < last and len(candidates) < total and not plan.checks:
            ahead *= 2
            candidates, total = self._search(query, ahead, order)
            results = self._thin_out(candidates, request)
        return results[request.first - 1 : last], total, exact

    def _thin_out(self, hits: Sequence[EngineHit], request: SearchRequest) -> list[tuple[EngineHit, int]]:
        """Hits without near-copies and similar pages, where these are not wanted."""
        candidates = self._fold_copies(hits) if request.fold else [(hit, 0) for hit in hits]
        if request.similar:
            return candidates
        facts = [SimilarityFacts.of(hit.score, self._page(hit).about) for hit, _ in candidates]
        return [candidates[at] for at in dissimilar(facts)]

    def _search(self, query: Query, limit: int, order: tuple[str, bool] | None) -> tuple[list[EngineHit], int]:
        name, ascending = order or (None, False)
        hits, total = self.engine.search(
            query, min(limit, max(1, self.engine.documents)), order=name, ascending=ascending
        )
        if order is None:
            hits.sort(key=lambda hit: (-hit.score, hit.number))
        return hits, total

    def _is_near(self, hit: EngineHit, plan: SearchPlan) -> bool:
        tokens = self._page(hit).tokens
        return all(stands_near(tokens, one) for one in plan.checks)

    def _fold_copies(self, hits: Sequence[EngineHit]) -> list[tuple[EngineHit, int]]:
        """The best page of each cluster of near-copies, with the number of the others."""
        first: dict[str, int] = {}
        rows: list[tuple[EngineHit, int]] = []
        for hit in hits:
            about = self._page(hit).about
            cluster = about.get("cluster") or about["key"]
            if cluster in first:
                best_hit, copies = rows[first[cluster]]
                rows[first[cluster]] = (best_hit, copies + 1)
            else:
                first[cluster] = len(rows)
                rows.append((hit, 0))
        return rows

    def _page(self, hit: EngineHit) -> SearchedPage:
        return unpack(self.engine.stored_page(hit))

    def _rows(
        self, hits: Sequence[tuple[EngineHit, int]], plan: SearchPlan, request: SearchRequest
    ) -> list[DocumentHit]:
        rows = []
        for rank, (hit, copies) in enumerate(hits, request.first):
            page = self._page(hit)
            facts = {name: page.about.get(name) for name in _SHOWN}
            row = DocumentHit(rank, round(hit.score, 5), bytes=page.about.get("payload_bytes"), copies=copies, **facts)  # type: ignore[arg-type]
            row.size = page.about.get("warc_length")
            if request.snippets:
                snippet = (
                    snippet_of(page, plan.terms) if request.kwic is None else kwic_of(page, plan.terms, request.kwic)
                )
                row.snippet, row.snippet_hits = snippet.text, snippet.hits
            rows.append(row)
        return rows


_SHOWN: Final = ("id", "key", "url", "host", "date", "title", "lang", "keep", "reason")


@lru_cache(maxsize=1)
def _labels() -> frozenset[str]:
    """Labels of blocks that words can be asked for in."""
    from paberki.extraction.html.block_parts import LABELS

    return frozenset(LABELS)


def _japanese_units(text: str) -> list[str]:
    """Tokens of the annotation of Japanese; none where its dictionary is not installed."""
    from paberki.annotation.files.model_catalogue import annotator
    from paberki.errors import MissingExtra

    try:
        return [token.form.lower() for token in annotator("ja").annotate(text).tokens]
    except MissingExtra:
        return []
