"""Like this sentence: some words of a tree are ticked, and what must hold for them; out comes the query (GrETEL's idea)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import RedirectResponse, Response

from paberki.errors import QueryError
from paberki.markup.html import Safe, element, void
from paberki.serve.pages.explorer.tree_svg import Word
from paberki.serve.pages.words.wordlists import literal

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["like_form", "like_page", "query_like"]

_HOLDS: Final = (("lemma", "lemma"), ("word", "word"), ("upos", "part of speech"), ("relation", "relation"))
_CHOSEN: Final = ("upos", "relation")
_MOST: Final = 12


def like_form(visit: Visit, words: Sequence[Word], low: int, high: int) -> Safe:
    """A tick for every word, one for every property, a button."""
    say = visit.say
    ticks = [
        element("label", void("input", type="checkbox", name="w", value=str(at), checked=word.matched, data_testid="like-word"), word.form)
        for at, word in enumerate(words)
    ]  # fmt: skip
    holds = [
        element("label", void("input", type="checkbox", name="hold", value=key, checked=key in _CHOSEN, data_testid=f"like-{key}"), say(name))
        for key, name in _HOLDS
    ]  # fmt: skip
    hidden_fields = [
        void("input", type="hidden", name=name, value=str(value)) for name, value in (("start", low), ("end", high))
    ]
    corpus = visit.value("corpus")
    hidden_fields += [void("input", type="hidden", name="corpus", value=corpus)] if corpus else []
    form = element(
        "form",
        *hidden_fields,
        element("fieldset", element("legend", say("these words")), element("div", *ticks, class_="row ticks")),
        element("fieldset", element("legend", say("what must hold")), element("div", *holds, class_="row")),
        element("button", say("make a query"), class_="primary", data_testid="like"),
        action="/like", method="get", class_="stack", hx_boost="false",
    )  # fmt: skip
    return element("details", element("summary", say("Like this sentence …")), form, class_="stack")


def like_page(visit: Visit) -> Response:
    """``/like?start=&end=&w=&hold=``: to the concordance of the query."""
    from paberki.serve.pages.explorer.tree_view import span_of, words_between

    low, high = span_of(visit)
    pairs = visit.call.request.query_params.multi_items()
    words = words_between(visit.edition, low, high, low, low)
    positions = sorted(
        {int(value) for name, value in pairs if name == "w" and value.isdecimal() and int(value) < len(words)}
    )
    holds = [value for name, value in pairs if name == "hold"]
    return RedirectResponse(
        visit.here("/concordance", q=query_like(words, positions[:_MOST], holds), mode="builder"), 303
    )


def query_like(words: Sequence[Word], positions: Sequence[int], holds: Sequence[str]) -> str:
    """The query: trees where relations hold and the words are in one tree, else a sequence with gaps.

    >>> words = [Word("A", "a", "X", 2, "obj", False), Word("B", "b", "Y", 0, "root", False)]
    >>> query_like(words, [0, 1], ["upos", "relation"])
    '[upos="Y"] -obj-> [upos="X"]'
    >>> query_like(words, [0, 1], ["lemma"])
    '[lemma="a"] [lemma="b"]'
    """
    if not positions:
        raise QueryError("tick at least one word of the sentence")
    tokens = {at: _token(words[at], holds) for at in positions}
    if "relation" in holds and len(positions) > 1:
        roots = [at for at in positions if words[at].head - 1 not in tokens]
        if len(roots) == 1:
            return _tree(words, tokens, roots[0])
    parts: list[str] = []
    for place, at in enumerate(positions):
        gap = at - positions[place - 1] - 1 if place else 0
        parts += [*([f"[]{{0,{gap}}}"] if gap else []), tokens[at]]
    return " ".join(parts) + (" within <s/>" if len(parts) > len(positions) else "")


def _token(word: Word, holds: Sequence[str]) -> str:
    values = {"lemma": word.lemma, "word": word.form, "upos": word.upos}
    conditions = [
        f'{name}="{literal(values[name])}"' for name in ("lemma", "word", "upos") if name in holds and values[name]
    ]
    return f"[{' & '.join(conditions)}]"


def _tree(words: Sequence[Word], tokens: dict[int, str], at: int) -> str:
    """A word with its ticked dependents, and theirs."""
    children: list[Any] = [child for child in tokens if words[child].head - 1 == at and child != at]
    parts = []
    for child in children:
        inner = _tree(words, tokens, child)
        target = f"({inner})" if inner != tokens[child] else inner
        parts.append(f"-{words[child].deprel}-> {target}")
    return " ".join([tokens[at], " ; ".join(parts)]) if parts else tokens[at]
