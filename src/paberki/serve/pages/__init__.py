"""The web interface: pages for people. Addresses, what each shows, and how errors look."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from paberki.serve.json_answers import Refusal
from paberki.serve.service import endpoint

if TYPE_CHECKING:
    from paberki.serve.json_answers import ErrorAnswer
    from paberki.serve.pages.visit import Visit
    from paberki.serve.service import ServiceCall

__all__ = ["no_such_page", "routes"]

Show = Callable[["Visit"], Response]
_SLOW = frozenset({
    "/narrow", "/frequency", "/collocations", "/distribution", "/dispersion", "/trend", "/export", "/words", "/ngrams", "/keywords", "/sketch",
    "/sketch/{lemma:path}", "/similar", "/similar/{lemma:path}", "/select", "/report", "/saved",
})  # fmt: skip
"""Pages that count all hits or all words: first lines of others do not wait behind them."""


def routes() -> list[BaseRoute]:
    """Addresses of this part."""
    from paberki.serve.pages import crawl, front, growth, help, page_list, search  # noqa: A004 - the page is called so
    from paberki.serve.pages.code import coding, tasks
    from paberki.serve.pages.concordance import (
        cards,
        categories,
        concordance_page,
        distribution_tab,
        estimate,
        exporting,
        list_tabs,
    )
    from paberki.serve.pages.explorer import copies, likeness, opened, original_view, taking_down, tree_view
    from paberki.serve.pages.explorer import explorer_page as explorer
    from paberki.serve.pages.report import overview_page as report
    from paberki.serve.pages.report import written
    from paberki.serve.pages.saved import history, watches
    from paberki.serve.pages.select import rubbish, selecting
    from paberki.serve.pages.words import keywords, sketches, wordlists

    shows: list[tuple[str, Show]] = [
        ("/", front.front_page), ("/concordance", concordance_page.concordance_page), ("/narrow", concordance_page.narrow_page),
        ("/frequency", list_tabs.frequency_page), ("/collocations", list_tabs.collocations_page), ("/distribution", distribution_tab.distribution_page),
        ("/dispersion", distribution_tab.dispersion_page), ("/trend", distribution_tab.trend_page), ("/export", exporting.export_page),
        ("/unfold", opened.unfold_page), ("/wider", opened.wider_page), ("/tree", tree_view.tree_at), ("/like", likeness.like_page),
        ("/page/{id}/original", original_view.original_page), ("/page/{id}/provenance", opened.provenance_page),
        ("/page/{id}/tree/{s:int}", tree_view.tree_of_page), ("/page/{id}", explorer.explorer_page),
        ("/compare/{id}/{other}", copies.compare_page), ("/cluster/{id}", copies.cluster_page),
        ("/words", wordlists.words_page), ("/ngrams", wordlists.ngrams_page), ("/keywords", keywords.keywords_page),
        ("/sketch/{lemma:path}", sketches.sketch_page), ("/sketch", sketches.sketch_page),
        ("/similar/{lemma:path}", sketches.similar_page), ("/similar", sketches.similar_page),
        ("/search", search.search_page), ("/select", selecting.select_page), ("/rubbish", rubbish.rubbish_page), ("/report", report.report_page), ("/report/file", written.report_file), ("/pages", page_list.pages_page),
        ("/crawl", crawl.crawl_page), ("/code", tasks.tasks_page), ("/code/{task}", coding.coding_page),
        ("/saved", history.saved_page), ("/help", help.help_page),
    ]  # fmt: skip
    plain = [Route(path, endpoint(_page_handler(show), _complaint, slow=path in _SLOW)) for path, show in shows]
    parts = [
        Route(f"/page/{{id}}/{part}", endpoint(_part(explorer.explorer_page, part), _complaint))
        for part in ("text", "blocks", "bytes", "tokens", "explain", "copies", "captures")
    ]
    writing = [
        Route("/lines/label", endpoint(lambda call: _store_answer(call, categories.set_label)), methods=["POST"]),
        Route("/code/tasks", endpoint(lambda call: _store_answer(call, tasks.draw_task)), methods=["POST"]),
        Route("/crawl/host", endpoint(lambda call: _store_answer(call, crawl.change_host)), methods=["POST"]),
        Route("/saved/pin", endpoint(lambda call: _store_answer(call, watches.pin)), methods=["POST"]),
        Route("/takedown", endpoint(lambda call: _store_answer(call, taking_down.take_down)), methods=["POST"]),
    ]
    facts = [
        Route("/growth", endpoint(lambda call: _store_answer(call, growth.growth))),
        Route("/builder", endpoint(lambda call: _store_answer(call, cards.builder_cards))),
        Route("/estimate", endpoint(lambda call: _store_answer(call, estimate.estimate))),
    ]
    return [*parts, *writing, *facts, *plain]


async def no_such_page(request: Request) -> Response:
    """An address that does not exist, for people."""
    return await endpoint(_missing, _complaint)(request)


def _missing(call: ServiceCall) -> Response:
    raise Refusal(404, f"no page has the address {call.request.url.path[:200]}")


def _page_handler(show: Show) -> Callable[[ServiceCall], Response]:
    def answer(call: ServiceCall) -> Response:
        from paberki.serve.pages.visit import Visit

        return show(Visit(call))

    return answer


def _part(show: Show, part: str) -> Callable[[ServiceCall], Response]:
    def answer(call: ServiceCall) -> Response:
        from paberki.serve.pages.visit import Visit

        call.request.path_params["part"] = part
        return show(Visit(call))

    return answer


def _store_answer(call: ServiceCall, store: Callable[[Visit], object]) -> Response:
    from paberki.serve.pages.visit import Visit

    return JSONResponse(store(Visit(call)))


def _complaint(call: ServiceCall, status: int, failure: ErrorAnswer, headers: dict[str, str]) -> Response:
    """An error as a page."""
    from paberki.serve.pages.trouble import trouble_page

    return trouble_page(call, status, failure, headers)
