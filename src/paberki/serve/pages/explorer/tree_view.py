"""The tree of a sentence, with a table of the same for those who cannot see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.responses import Response

from paberki.errors import QueryError
from paberki.markup.html import Safe, element, join_html
from paberki.serve.json_answers import Refusal, not_found
from paberki.serve.pages.explorer.likeness import like_form
from paberki.serve.pages.explorer.page_source import page_of_index
from paberki.serve.pages.explorer.tree_svg import Word, tree_svg
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import text_attributes

if TYPE_CHECKING:
    from paberki.serve.library import Edition
    from paberki.serve.pages.visit import Visit

__all__ = ["sentence_of", "span_of", "tree_at", "tree_figure", "tree_of_page"]

_LONGEST = 400


def sentence_of(edition: Edition, start: int, end: int) -> tuple[int, int]:
    """First token and end of the sentence around some tokens."""
    from paberki.query.counting.places import partition

    index = edition.index
    if "s" not in index.structures:
        return start, end
    edges = partition(index, "s")
    low = int(edges[np.searchsorted(edges, start, "right") - 1])
    high = int(edges[np.searchsorted(edges, max(end - 1, start), "right")])
    return low, min(high, low + _LONGEST)


def words_between(edition: Edition, low: int, high: int, start: int, end: int) -> list[Word]:
    """The tokens of a sentence with their heads."""
    from paberki.query.counting.values import values_of
    from paberki.query.statistics.relation_pairs import heads_at

    index, positions = edition.index, np.arange(low, high)

    def column(*names: str) -> list[str]:
        name = next((one for one in names if one in index.attributes or one in index.aliases), None)
        if name is None:
            return [""] * len(positions)
        values = values_of(index, name)
        return [str(text) for text in values.texts(values.at(positions))]

    if "deprel" not in index.attributes:
        raise QueryError("this corpus has no trees: it was annotated without a parser")
    distances: Any = heads_at(edition.concordancer._scope(set="all"), positions)
    forms, lemmas, tags, names = column(index.default), column("lemma"), column("upos", "tag", "xpos"), column("deprel")
    return [
        Word(form, lemma, tag, _local(position, int(distance), low, high), name, start <= position < end)
        for form, lemma, tag, name, distance, position in zip(
            forms, lemmas, tags, names, distances.tolist(), positions.tolist(), strict=True
        )
    ]


def _local(position: int, distance: int, low: int, high: int) -> int:
    """The head counted from 1 within the sentence; 0 for the root."""
    head = position + distance
    return head - low + 1 if distance and low <= head < high else 0


def tree_figure(visit: Visit, start: int, end: int) -> Safe:
    """Drawing and table."""
    edition, say = visit.edition, visit.say
    low, high = sentence_of(edition, start, end)
    words = words_between(edition, low, high, start, end)
    text = " ".join(word.form for word in words)
    head = [say("number"), say("word"), "lemma", "upos", say("head"), say("relation")]
    rows = [
        element(
            "tr",
            *(element("td", str(value)) for value in (at, word.form, word.lemma, word.upos, word.head, word.deprel)),
        )
        for at, word in enumerate(words, 1)
    ]
    table = element(
        "table",
        element("caption", say("The same as a table"), class_="unseen"),
        element("thead", element("tr", *(element("th", name, scope="col") for name in head))),
        element("tbody", *rows),
        data_testid="tree-table",
    )
    direction = text_attributes(edition.index.lang)["dir"]
    drawing = element(
        "div",
        Safe(tree_svg(words, text, direction == "rtl")),
        class_="tree-scroll",
        dir=direction,
        tabindex="0",
        role="region",
        aria_label=say("Tree"),
    )
    twin = element("details", element("summary", say("as a table")), element("div", table, class_="table"))
    return join_html([drawing, twin, like_form(visit, words, low, high)])


def span_of(visit: Visit) -> tuple[int, int]:
    """The tokens of an address; those of pages that were taken down are not there."""
    start, end = visit.number("start", 0), visit.number("end", 1)
    if not 0 <= start < end <= visit.edition.index.tokens or end - start > _LONGEST:
        raise not_found("there are no such tokens")
    scope = visit.edition.concordancer._scope(set="all")
    if (scope.runs_of(np.array([start, end - 1])) < 0).any():
        raise Refusal(410, "the page of these words was taken down")
    return start, end


def tree_at(visit: Visit) -> Response:
    """``/tree?start=&end=``: the tree around some tokens."""
    start, end = span_of(visit)
    return visit.answer(
        document(
            visit,
            visit.say("Tree"),
            element(
                "section",
                element("h2", visit.say("Tree")),
                tree_figure(visit, start, end),
                id="fragment",
                class_="card stack",
            ),
        )
    )


def tree_of_page(visit: Visit) -> Response:
    """``/page/ID/tree/S``: the tree of the sentence with a number, from 0."""
    from paberki.query.counting.places import partition

    parameters = visit.call.request.path_params
    page, number = page_of_index(visit.edition, str(parameters["id"])), parameters["s"]
    if page is None or "s" not in visit.edition.index.structures:
        raise not_found("no sentence of this page is indexed")
    places: Any = visit.edition.concordancer._places
    edges = partition(visit.edition.index, "s")
    first = int(np.searchsorted(edges, places.starts[page]))
    at = first + int(number)
    if at + 1 >= len(edges) or edges[at] >= places.edges[page + 1]:
        raise not_found(f"this page has no sentence {number}")
    low = int(edges[at])
    if (visit.edition.concordancer._scope(set="all").runs_of(np.array([low])) < 0).any():
        raise Refusal(410, "this page was taken down")
    back = element("a", visit.say("the page"), href=visit.here(f"/page/{parameters['id']}"))
    title = visit.say("Tree")
    return visit.answer(
        document(
            visit,
            title,
            element("h1", title),
            back,
            element("section", tree_figure(visit, low, low), id="fragment", class_="card stack"),
        )
    )
