"""A question as the address of a page holds it: the query, the chain of steps behind it, and how lines are shown.

The address is the whole state of a page: reloaded, sent to a colleague or opened in a second tab, it gives the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from paberki.serve.parameters import read
from paberki.serve.question import Question

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits
    from paberki.serve.library import Edition
    from paberki.serve.server_settings import ServerSettings

__all__ = ["PER_PAGE", "Ask"]

PER_PAGE: Final = 50
_MOST_STEPS: Final = 20
_WIDEST: Final = 25
_LISTS: Final = ("conditions", "filters", "picks", "nears")
_SPELLING: Final = {"conditions": "where", "filters": "filter", "picks": "is", "nears": "near", "start": "from"}
"""Names in the address where they differ from those of the fields."""
_SHOWN: Final = ("view", "width", "show", "start", "size", "mode", "simple", "build", "corpus", "count")
"""Fields that say how lines are shown; they do not change which hits there are."""


@dataclass(frozen=True, kw_only=True)
class Ask(Question):
    """What is asked and how it is shown."""

    conditions: tuple[str, ...] = ()
    """Conditions over columns of pages; each is a chip."""
    filters: tuple[str, ...] = ()
    """``+CQL`` or ``-CQL``: hits with, without a match of another query in their sentence."""
    picks: tuple[str, ...] = ()
    """``attribute:value``: hits that are this value."""
    nears: tuple[str, ...] = ()
    """``attribute:-5..5:value``: hits with this value in a window around them."""
    one: int = 0
    """At most so many hits of each page; 0 is all."""
    good: bool = False
    """Good examples first."""
    side: str = ""
    """``lost`` or ``won``: only what the cut changes."""
    state: str = ""
    """``COMMIT-SELECTION``: the corpus as it was then."""
    view: str = "kwic"
    width: int = 0
    """Words on each side; 0 is as many as fit."""
    show: str = ""
    """Attributes shown under the words of the hit."""
    start: int = 0
    size: int = PER_PAGE
    mode: str = ""
    simple: str = ""
    build: str = ""
    corpus: str = ""
    count: str = ""
    """How many hits the link promised."""

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[str, str]]) -> Ask:
        """From the pairs of an address; a wrong number or an unknown view is ignored."""
        lists: dict[str, list[str]] = {name: [] for name in _LISTS}
        single: dict[str, str] = {}
        names = {_SPELLING.get(name, name): name for name in _LISTS}
        for name, value in pairs:
            value = value[:8000]
            if name in names:
                if value.strip() and len(lists[names[name]]) < _MOST_STEPS:
                    lists[names[name]].append(value.strip())
            else:
                single[name] = value
        shared_names = {one.name for one in fields(Question)} - {"where", "q", "fold"}
        values: dict[str, Any] = read(single, sorted(shared_names))
        values |= {name: tuple(texts) for name, texts in lists.items()}
        q, simple = single.get("q", "").strip(), single.get("simple", "").strip()
        return cls(
            **values,
            q=simple or q, simple=simple, where=" and ".join(f"({one})" for one in lists["conditions"]) or None,
            fold=single.get("fold", "") in ("1", "true", "on"), one=_number(single.get("one"), 0, 0, 1000),
            good=single.get("good") in ("1", "true", "on"), state=single.get("state", "")[:80], side=_choice(single.get("side"), ("", "lost", "won")),
            view=_choice(single.get("view"), ("kwic", "sentence", "table")), width=_number(single.get("width"), 0, 0, _WIDEST),
            show=single.get("show", "")[:200], start=_number(single.get("from"), 0, 0, 10**9),
            size=_number(single.get("per_page"), PER_PAGE, 1, 200), mode=_choice(single.get("mode"), ("", "simple", "builder", "cql")),
            build=single.get("build", "")[:80], corpus=single.get("corpus", "")[:200], count=single.get("count", "")[:12],
        )  # fmt: skip

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The address; parameters with their default value are left out."""
        out: list[tuple[str, str]] = []
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name == "where" or value == one.default or (one.name == "simple" and value):
                continue
            name = "per_page" if one.name == "size" else _SPELLING.get(one.name, one.name)
            texts = value if isinstance(value, tuple) else (str(int(value)) if isinstance(value, bool) else str(value),)
            out += [(name, text) for text in texts]
        return out

    def at(self, path: str, **changes: Any) -> str:
        """The address of this question under a path, with some fields changed."""
        pairs = (self.but(**changes) if changes else self).pairs
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def but(self, **changes: Any) -> Ask:
        """The same question with some fields changed; another set of hits begins with its first line."""
        if any(name not in _SHOWN for name in changes):
            changes = {"start": 0, "count": "", **changes}
        if "conditions" in changes:
            changes["where"] = " and ".join(f"({one})" for one in changes["conditions"]) or None
        if "q" in changes:
            changes = {"simple": "", **changes}
        return replace(self, **changes)

    @property
    def as_search(self) -> Ask:
        """What decides which hits there are, and nothing else: equal questions share their search."""
        defaults: dict[str, Any] = {one.name: one.default for one in fields(self) if one.name in _SHOWN}
        return replace(self, **{**defaults, "corpus": self.corpus})

    def hits(self, edition: Edition, settings: ServerSettings) -> Hits:
        """The hits after all steps, in the order of the chain. Nothing is searched yet."""
        from paberki.serve.as_it_was import as_it_was, hits_in
        from paberki.serve.pages.concordance.applied_steps import with_steps

        own_set = self.side or self.set if self.cut else self.set
        plain_question = Question(
            q=self.q, where=self.where, set=own_set, cut=self.cut, strategy=self.strategy, dialect=self.dialect
        )
        if self.state:
            hits = hits_in(edition, plain_question, as_it_was(edition, self.state), settings)
        else:
            hits = plain_question.hits(edition, settings)
        return with_steps(hits, self, edition)


def _number(text: str | None, default: int, least: int, most: int) -> int:
    digits = (text or "").strip()
    return (
        min(max(int(digits), least), most) if digits.isascii() and digits.isdecimal() and len(digits) < 12 else default
    )


def _choice(text: str | None, choices: tuple[str, ...]) -> str:
    return text if text in choices and text is not None else choices[0]
