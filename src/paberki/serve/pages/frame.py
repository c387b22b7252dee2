"""What every page has around it: head, navigation, settings, the list of keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from paberki.markup.html import Safe, element, join_html, void
from paberki.serve.assets import SCRIPTS, STATIC, STYLES, asset
from paberki.serve.pages.languages import LANGUAGES

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["SCRIPT_WORDS", "document"]

_PLACES: Final = (
    ("/concordance", "Concordance"),
    ("/search", "Documents"),
    ("/words", "Words"),
    ("/select", "Select"),
    ("/report", "Report"),
    ("/crawl", "Crawl"),
    ("/code", "Code"),
    ("/saved", "Saved"),
    ("/help", "Help"),
)
_TABS: Final = {
    "/concordance": ("/frequency", "/collocations", "/distribution", "/dispersion", "/trend"),
    "/words": ("/ngrams", "/keywords", "/sketch", "/similar"),
    "/select": ("/rubbish",),
}
"""Addresses that belong to another part than their name says."""
_KEYS: Final = (
    ("/", "to the query"), ("Ctrl Enter", "run it"), ("j k", "next, previous line"), ("Enter", "where this line comes from"),
    ("o", "the original page"), ("t", "tree of the sentence"), ("x", "wider context"), ("e", "explain the page"),
    ("Space", "tick the line"), ("1–9", "category of the line"), ("0", "no category"),
    ("f c d p", "frequency, collocations, distribution, dispersion"), ("[ ]", "sort by the left, by the right"),
    ("n b", "next, previous page of lines"), ("s", "stop counting"), ("y", "copy the link"), ("u", "undo the last step"),
    ("?", "this list"), ("Esc", "close"),
)  # fmt: skip

SCRIPT_WORDS: Final = (
    "tint kept and left-out blocks", "by itself", "text", "blocks", "bytes", "The rule is written. Now type:",
    "This server only reads: categories stay in this browser.", "is", "is not", "is literally", "contains", "value", "attribute",
    "operator", "remove condition", "remove token", "add condition", "and", "or", "and, or", "at least times", "at most times", "label",
    "token {n}", "relation", "any", "any depth", "none", "token", "gap", "add a token", "add a gap", "add a relation", "anywhere", "within",
    "remove", "times", "The server does not answer.", "Copied:",
)  # fmt: skip
"""Texts that scripts show; :func:`document` brings their translations."""


@cache
def _icon() -> str:
    """The icon in the address itself, which saves a request."""
    return "data:image/svg+xml," + quote((STATIC / "icon.svg").read_text("utf-8").strip())


def _script_words(visit: Visit) -> list[Safe]:
    """Texts of scripts in the language of the visitor; English ones are in the scripts."""
    if visit.language == "en":
        return []
    words = {text: visit.say(text) for text in SCRIPT_WORDS}
    return [void("meta", name="paberki-words", content=json.dumps(words, ensure_ascii=False))]


def document(visit: Visit, title: str, *inside: object, kind: str = "", banner: object = "") -> str:
    """A whole page."""
    edition, say = visit.edition, visit.say
    content = element("main", *inside, id="content", class_=kind or None, tabindex="-1")
    name = element("title", f"{title} · {edition.name} · paberki")
    if visit.is_part:
        return f"<!doctype html>{name}{content}"
    head = [
        void("meta", charset="utf-8"),
        name,
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="paberki-token", content=visit.service.settings.token),
        void("meta", name="paberki-corpus", content=visit.values.get("corpus", "")),
        void("meta", name="paberki-build", content=edition.build),
        void("meta", name="paberki-edit", content="1" if visit.service.settings.edit else ""),
        *_script_words(visit),
        void("meta", name="htmx-config", content='{"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,'
             '"historyCacheSize":20,"scrollBehavior":"instant","selfRequestsOnly":true,"defaultSettleDelay":0}'),
        void("link", rel="icon", href=_icon(), type="image/svg+xml"),
        void("link", rel="stylesheet", href=asset(STYLES)),
        element("script", src=asset(SCRIPTS), defer=True),
    ]  # fmt: skip
    body = [
        element("a", say("Skip to the content"), href="#content", class_="skip"),
        _top(visit),
        element("div", banner, id="banner", class_="banner", role="status"),
        content,
        _foot(visit),
        _keys(visit),
    ]
    page = element("html", element("head", *head), element("body", *body), lang=visit.language, data_theme=visit.theme)
    return f"<!doctype html>\n{page}"


def _top(visit: Visit) -> Safe:
    say = visit.say
    links = [
        element("a", say(name), href=visit.here(path), aria_current="page" if _is_in(visit.path, path) else None)
        for path, name in _PLACES
    ]
    return element(
        "header",
        element("a", element("b", visit.edition.name), " · paberki", href=visit.here("/"), class_="brand"),
        element("nav", *links, aria_label=say("Parts")),
        element("div", _corpora(visit), _languages(visit), _switches(visit), class_="settings"),
        class_="top",
    )


def _is_in(path: str, part: str) -> bool:
    """Whether an address belongs to a part of the interface."""
    return any(path.startswith(one) for one in (part, *_TABS.get(part, ())))


def _corpora(visit: Visit) -> object:
    """A choice of corpora where the server has several."""
    names: Sequence[str] = visit.service.library.names
    if len(names) < 2:
        return ""
    now = visit.values.get("corpus") or names[0]
    options = [element("option", name, value=name, selected=name == now) for name in names]
    choice = element("select", *options, name="corpus", aria_label=visit.say("Corpus"), data_submit="change")
    return element("form", choice, element("noscript", element("button", "→")), action="/", method="get", class_="row")


def _languages(visit: Visit) -> Safe:
    pairs = [(name, value) for name, value in visit.call.request.query_params.multi_items() if name != "ui"]
    links = [
        element("a", code.upper(), href=f"{visit.path}?{urlencode([*pairs, ('ui', code)])}", lang=code, hreflang=code, title=name,
                aria_label=name, aria_current="true" if code == visit.language else None)
        for code, name in LANGUAGES.items()
    ]  # fmt: skip
    return element("span", *links, class_="languages", role="group", aria_label=visit.say("Language of the interface"))


def _switches(visit: Visit) -> Safe:
    say = visit.say
    return join_html(
        [
            element("button", "◐", type="button", class_="quiet", id="theme", aria_label=say("Light or dark"), title=say("Light or dark")),
            element("button", "?", type="button", class_="quiet", id="show-keys", aria_label=say("Keys"), title=say("Keys")),
        ]
    )  # fmt: skip


def _foot(visit: Visit) -> Safe:
    edition = visit.edition
    return element(
        "footer",
        element("span", visit.say("build"), " ", element("code", edition.build)),
        element("span", edition.index.lang or ""),
        element("a", "JSON", href="/api/v1/openapi.json"),
        class_="foot",
    )


def _keys(visit: Visit) -> Safe:
    say = visit.say
    items = [
        element("li", join_html(join_html([element("kbd", one), " "]) for one in keys.split()), say(what))
        for keys, what in _KEYS
    ]
    switch = element(
        "label", void("input", type="checkbox", id="single-keys", checked=True), say("single letters are keys")
    )
    close = element("button", say("Close"), type="button", class_="quiet", data_close="dialog")
    return element(
        "dialog",
        element("div", element("h2", say("Keys")), element("ul", *items, class_="keys"), switch, close, class_="stack"),
        id="keys",
        data_testid="keys",
        aria_label=say("Keys"),
    )
