"""A question to a corpus: the parameters that all addresses of queries share, and the hits that they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from paberki.serve.parameters import read

if TYPE_CHECKING:
    from paberki.query import Query
    from paberki.query.concordancer import Concordancer
    from paberki.query.hits.hits import Hits
    from paberki.serve.library import Edition
    from paberki.serve.server_settings import ServerSettings

__all__ = ["Question"]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, in the words of the address; defaults are not written into addresses."""

    q: str = ""
    where: str | None = None
    set: str | None = None
    fold: bool = False
    cut: str | None = None
    sample: int | None = None
    seed: int = 1
    sort: str | None = None
    strategy: str | None = None
    dialect: str = "cqp"

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> Question:
        """From the parameters of an address; a wrong value is refused (400)."""
        return cls(**read(parameters, [one.name for one in fields(cls)]))

    def address(self, path: str, **more: Any) -> str:
        """The address of this question under another path."""
        pairs = {one.name: getattr(self, one.name) for one in fields(self) if getattr(self, one.name) != one.default}
        pairs |= {name: value for name, value in more.items() if value is not None}
        texts = {name: str(int(value)) if isinstance(value, bool) else str(value) for name, value in pairs.items()}
        return f"{path}?{urlencode(texts)}" if texts else path

    def query(self, edition: Edition) -> Query:
        """The query; plain words are a query too."""
        from paberki.query import parse
        from paberki.query.syntax.plain_words import cql_of

        return parse(cql_of(self.q, edition.index), self.dialect)

    def part(self, edition: Edition) -> Concordancer:
        """The part of the corpus that is asked."""
        if self.cut is not None:
            whole = edition.what_if(self.cut, self.set or "kept")
            return whole.part(self.where) if self.where else whole
        return edition.concordancer.part(self.where, set=self.set) if self.where or self.set else edition.concordancer

    def hits(self, edition: Edition, settings: ServerSettings) -> Hits:
        """The hits after all steps: copies, sample, sort. Nothing is searched yet."""
        from paberki.query import Budget

        budget = Budget(settings.search_seconds, settings.table_hits, settings.search_memory_bytes)
        text = str(self.query(edition).text)
        hits = self.part(edition).query(text, strategy=self.strategy, dialect=self.dialect, budget=budget)
        hits = hits.fold() if self.fold else hits
        hits = hits.sample(self.sample, self.seed) if self.sample is not None else hits
        return hits.sort(self.sort) if self.sort else hits
