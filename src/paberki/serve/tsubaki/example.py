"""One answer of the API without a socket, for those who want to see what it looks like."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from paberki.corpus import Corpus
from paberki.search.opening import open_documents

__all__ = ["example_answer"]


def example_answer(root: Path, parameters: dict[str, Any]) -> str:
    """The body of the answer to ``/api`` with these parameters; the index of documents is made first where there is none."""
    open_documents(Corpus(root))
    return asyncio.run(_response_body(root, urlencode(parameters))).decode("utf-8", "replace")


async def _response_body(root: Path, question: str) -> bytes:
    from paberki.serve.asgi_app import create_app

    app, parts = create_app(root), []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http", "path": "/api", "raw_path": b"/api",
        "query_string": question.encode(), "root_path": "", "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 0), "server": ("localhost", 80),
    }  # fmt: skip
    async with app.router.lifespan_context(app):
        await app(scope, receive, send)
    return b"".join(parts)
