"""Answers about the corpus itself: sizes, the query language, rules and cuts, the crawl."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from paberki.errors import QueryError
from paberki.serve.api.address import Address
from paberki.serve.api.bodies import body_of
from paberki.serve.api.results import CorpusFacts, CrawlAnswer, ParsedQuery, SelectAnswer, SelectBody, TreeBody
from paberki.serve.json_answers import Refusal, json_answer
from paberki.serve.library import Edition
from paberki.serve.parameters import read
from paberki.serve.question import Question
from paberki.serve.security import require_edit
from paberki.serve.service import ServiceCall

__all__ = ["ADDRESSES", "about", "crawl_status"]


def about(call: ServiceCall) -> dict[str, Any]:
    """What every answer says."""
    edition = call.edition
    return {"corpus": edition.name, "build": edition.build, "selection": edition.selection, "took_ms": call.took_ms}


def corpus(call: ServiceCall) -> Response:
    """Sizes, languages, what can be asked."""
    edition, index = call.edition, call.edition.index
    everything, kept_sizes = edition.sizes["all"], edition.sizes["kept"]
    facts = CorpusFacts(
        **about(call),
        name=edition.name,
        lang=index.lang,
        tokens=everything["tokens"],
        pages=everything["pages"],
        kept_tokens=kept_sizes["tokens"],
        kept_pages=kept_sizes["pages"],
        hosts=everything["hosts"],
        attributes=list(index.attributes),
        structures={name: list(names) for name, names in index.structures.items()},
        selections=dict(index.selections),
        corpora=call.service.library.names,
        edit=call.service.settings.edit,
    )
    return json_answer(facts)


def parse(call: ServiceCall) -> Response:
    """A query as a tree, and as the parser prints it."""
    question = Question(**read(call.parameters, ("q", "dialect")))
    query = question.query(call.edition)
    return json_answer(
        ParsedQuery(
            **about(call),
            query=question.q,
            canonical=str(query),
            strategy=query.strategy,
            dialect=query.dialect,
            tree=query.tree,
        )
    )


def print_tree(call: ServiceCall) -> Response:
    """A tree as a query."""
    from paberki.query import from_json
    from paberki.query import parse as parse_text

    body = body_of(call, TreeBody)
    try:
        canonical = str(from_json(body.tree, body.dialect))
    except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as error:
        raise QueryError("this is not the tree of a query; see GET parse") from error
    query = parse_text(canonical, body.dialect)
    facts: dict[str, Any] = {
        "query": canonical,
        "canonical": str(query),
        "strategy": query.strategy,
        "dialect": query.dialect,
    }
    return json_answer(ParsedQuery(**about(call), **facts, tree=query.tree))


def select(call: ServiceCall) -> Response:
    """What the rules leave out; with a cut, what it would change."""
    values = read(call.parameters, ("cut", "q", "where"))
    return json_answer(_selection_answer(call, values["cut"], Question(q=values["q"], where=values["where"])))


def change_selection(call: ServiceCall) -> Response:
    """The same, and with ``write`` the cut becomes a rule of the recipe."""
    body = body_of(call, SelectBody)
    if body.write:
        require_edit(call)
    answer = _selection_answer(call, body.cut, Question())
    if not body.write:
        return json_answer(answer)
    from dataclasses import replace

    from paberki.report.rule_writing import write_rule
    from paberki.store.selection.condition import parse as parse_condition

    corpus = call.edition.pages
    names = parse_condition(body.cut).names
    if not names:
        raise Refusal(400, f"cut {body.cut[:80]!r} names no column")
    default = f"{'high' if '<' in body.cut else 'low'}-{names[0]}".replace("_", "-")
    drop = write_rule(corpus.directory.recipe, body.reason or answer.replaces or default, body.cut)
    command = f"paberki build {call.edition.root}"
    return json_answer(replace(answer, written=drop, next_command=command))


def _selection_answer(call: ServiceCall, cut: str | None, question: Question) -> SelectAnswer:
    from paberki.query.hits.what_if import replaced_rule
    from paberki.store.selection.condition import parse as parse_condition

    edition = call.edition
    parts: dict[str, Any] = {"then": None, "lost": None, "won": None}
    if cut is not None:
        for name, set_name in (("then", "kept"), ("lost", "lost"), ("won", "won")):
            parts[name] = _set_figures(call, question, cut, set_name)
    return SelectAnswer(
        **about(call),
        rows=_reasons(edition),
        cut=cut,
        replaces=None if cut is None else replaced_rule(edition.rules, parse_condition(cut)),
        now=_set_figures(call, question, None, None),
        **parts,
    )


def _set_figures(call: ServiceCall, question: Question, cut: str | None, set_name: str | None) -> dict[str, Any]:
    from dataclasses import replace

    part_question = replace(question, cut=cut, set=set_name)
    figures: dict[str, Any] = dict(part_question.part(call.edition)._scope().sizes)
    if question.q:
        hits = call.service.hits(call.edition, part_question)
        figures |= {"hits": len(hits.table), "complete": hits.is_complete}
    return figures


def _reasons(edition: Edition) -> list[dict[str, Any]]:
    """Indexed pages and tokens by the reason why they were left out; null for those that were kept."""
    places = edition.concordancer._places
    attributes = edition.index.structures.get(places.structure or "", ())
    if "reason" not in attributes:
        return []
    column, names = places.attribute("reason")
    tokens = edition.concordancer._scope(set="all").page_tokens
    meanings = {reason: condition.source for reason, condition in edition.rules.rules}
    rows = []
    for number, name in enumerate(names):
        mine = column == number
        row = {"reason": name or None, "rule": meanings.get(name or ""), "pages": int((mine & (tokens > 0)).sum())}
        rows.append({**row, "tokens": int(tokens[mine].sum())})
    return sorted(rows, key=lambda row: -int(row["tokens"]))


def crawl_status(edition: Edition) -> tuple[bool, dict[str, Any] | None]:
    """Whether a crawl runs, and what it says about itself."""
    from paberki.store.lock import holder

    if edition.corpus is None:
        return False, None
    from paberki.report.figures.crawl_summary import crawl_state

    directory = edition.corpus.directory
    return holder(directory.lock("crawl")) is not None, crawl_state(directory.crawl)


def crawl(call: ServiceCall) -> Response:
    """What the crawl says about itself."""
    running, status = crawl_status(call.edition)
    return json_answer(CrawlAnswer(**about(call), running=running, status=status))


ADDRESSES = (
    Address("/corpus", corpus, "sizes, languages, what can be asked", (), (), CorpusFacts),
    Address("/parse", parse, "a query as a tree", ("q", "dialect"), ("q",), ParsedQuery),
    Address("/parse", print_tree, "a tree as a query", (), (), ParsedQuery, method="POST", body=TreeBody),
    Address("/select", select, "rules and cuts", ("cut", "q", "where"), (), SelectAnswer, slow=True),
    Address(
        "/select", change_selection, "write a cut", (), (), SelectAnswer, method="POST", body=SelectBody, slow=True
    ),
    Address("/crawl", crawl, "state of the crawl", (), (), CrawlAnswer),
)
