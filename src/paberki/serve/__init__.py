"""The service: pages for people, JSON for programs, TSUBAKI's open API, CLARIN's federated search, in one ASGI application.

``create_app(corpora)`` runs under any ASGI server; ``paberki serve DIR`` runs it with uvicorn. Nothing is computed here:
the packages that own an answer make it, this one reads requests, writes answers and keeps strangers out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paberki.serve.asgi_app import create_app as create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    if name == "create_app":
        from paberki.serve.asgi_app import create_app

        return create_app
    raise AttributeError(f"module 'paberki.serve' has no attribute {name!r}")
