"""Routes of a part that is imported when somebody first asks for it: the server starts without it."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module

from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

__all__ = ["Later"]


class Later(BaseRoute):
    """The routes of a module under some paths."""

    def __init__(self, module: str, *paths: str) -> None:
        self._module, self._paths = module, frozenset(paths)

    @cached_property
    def routes(self) -> list[BaseRoute]:
        """The routes, imported now."""
        return list(import_module(self._module).routes())

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether one of the routes answers this request."""
        if scope["type"] != "http" or scope["path"].rstrip("/") not in self._paths:
            return Match.NONE, {}
        answers = [
            (match, {**child, "later": route}) for route in self.routes for match, child in [route.matches(scope)]
        ]
        return max(answers, key=lambda one: one[0].value, default=(Match.NONE, {}))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the route answer."""
        await scope["later"].handle(scope, receive, send)
