"""The JSON API under ``/api/v1``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from paberki.serve.api import background, corpus_facts, counted_lists, notes, pages, queries
from paberki.serve.api.address import PREFIX, route_of
from paberki.serve.json_answers import json_answer

__all__ = ["ADDRESSES", "routes"]

ADDRESSES = (
    *corpus_facts.ADDRESSES,
    *queries.ADDRESSES,
    *counted_lists.ADDRESSES,
    *pages.ADDRESSES,
    *background.ADDRESSES,
    *notes.ADDRESSES,
)
"""All addresses that answer in JSON."""


def routes() -> list[BaseRoute]:
    """Addresses of this part."""
    paths = dict.fromkeys(one.path for one in ADDRESSES)
    return [
        Route(f"{PREFIX}/openapi.json", _openapi),
        Route(f"{PREFIX}/hits/{{job}}/events", background.hit_events),
        Route(f"{PREFIX}/crawl/events", background.crawl_events),
        *(route_of(path, [one for one in ADDRESSES if one.path == path]) for path in paths),
    ]


async def _openapi(request: Request) -> Response:
    """The description of this API."""
    return json_answer(_document())


@lru_cache(maxsize=1)
def _document() -> dict[str, Any]:
    from importlib.metadata import version

    from paberki.serve.openapi import document

    return document((*ADDRESSES, background.EVENTS), version("paberki"))
