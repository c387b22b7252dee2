"""The corpus: what is here, how much of it, what can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.responses import Response

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element
from paberki.serve.pages.concordance.form import query_form
from paberki.serve.pages.concordance.then_now import remember_build
from paberki.serve.pages.examples import example_list
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import figure_card, no_annotation

if TYPE_CHECKING:
    from paberki.serve.library import Edition
    from paberki.serve.pages.visit import Visit

__all__ = ["front_page", "sizes"]


def sizes(edition: Edition) -> dict[str, int]:
    """Tokens and pages, kept and all; counted once for each state."""
    memory: dict[str, Any] = edition.index.__dict__
    if "_sizes" not in memory:
        every, kept_scope = edition.concordancer._scope(set="all"), edition.concordancer._scope()
        hosts = edition.concordancer._places.hosts
        memory["_sizes"] = {
            "tokens": every.tokens, "pages": int((every.page_tokens > 0).sum()),
            "kept_tokens": kept_scope.tokens, "kept_pages": int((kept_scope.page_tokens > 0).sum()),
            "hosts": len(np.unique(hosts[(kept_scope.page_tokens > 0) & (hosts >= 0)])),
        }  # fmt: skip
    numbers: dict[str, int] = memory["_sizes"]
    return numbers


def front_page(visit: Visit) -> Response:
    """``/``."""
    edition, say = visit.edition, visit.say
    remember_build(edition)
    numbers = sizes(edition)
    size = element(
        "p", say("{kept} tokens kept of {all}", kept=numbers["kept_tokens"], all=numbers["tokens"]),
        data_testid="corpus-size", data_value=str(numbers["kept_tokens"]), data_tokens=str(numbers["tokens"]),
    )  # fmt: skip
    hero = element("div", element("h1", edition.name), size, class_="hero")
    cards = [
        figure_card(
            say("pages kept"), visit.count(numbers["kept_pages"]), say("of {n} with annotation", n=numbers["pages"])
        ),
        figure_card(say("hosts"), visit.count(numbers["hosts"]), ""),
        figure_card(say("language"), edition.index.lang or "–", ""),
        figure_card(say("built"), _build_date(visit) or "–", edition.build),
    ]
    form = query_form(visit, visit.ask, visit.ask.q)
    examples = element("section", element("h2", say("Try")), example_list(visit), class_="stack tight")
    return visit.answer(
        document(
            visit,
            say("Corpus"),
            hero,
            no_annotation(visit),
            element("section", element("h2", say("Ask"), class_="unseen"), form, class_="card"),
            element("div", *cards, class_="cards"),
            element(
                "div",
                examples if edition.index.tokens else "",
                _attribute_list(visit),
                class_="two",
            ),
            kind="narrow",
        )
    )


def _build_date(visit: Visit) -> str:
    """When the corpus was last built."""
    if visit.edition.corpus is None:
        return ""
    try:
        runs = sorted(visit.edition.corpus.directory.runs.glob("*.json"))
    except (OSError, PaberkiError):
        return ""
    stamp = runs[-1].name if runs else ""
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}" if stamp else ""


def _attribute_list(visit: Visit) -> Safe:
    """What tokens, pages and blocks have that can be asked."""
    index, say = visit.edition.index, visit.say
    rows = [element("dt", say("tokens")), element("dd", element("code", ", ".join(index.attributes)))]
    for name, attributes in index.structures.items():
        rows += [
            element("dt", element("code", f"<{name}>")),
            element("dd", element("code", ", ".join(attributes[:12]) + (" …" if len(attributes) > 12 else ""))),
        ]
    return element(
        "section", element("h2", say("What can be asked")), element("dl", *rows, class_="facts"), class_="stack tight"
    )
