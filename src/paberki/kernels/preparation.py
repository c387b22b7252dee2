"""Work that is done once per process and for no page in particular: compiling a kernel, loading a model.

CPU time and memory of a page are limited. Work that the first page of a process triggers for all others does not count:
code that does such work says so with :func:`preparing`, and the guard of a worker stops its clock meanwhile.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import ParamSpec, TypeVar

__all__ = ["prepared", "preparing", "watch_preparation"]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_watchers: list[Callable[[], AbstractContextManager[None]]] = []
"""Of this process; a worker has one, its heartbeat."""
_depth = 0


def watch_preparation(pause: Callable[[], AbstractContextManager[None]]) -> None:
    """Have ``pause()`` entered whenever preparation begins, and left when it ends."""
    _watchers.append(pause)


@contextmanager
def preparing() -> Iterator[None]:
    """Inside, nothing counts against the limits of a page."""
    global _depth
    with ExitStack() as stack:
        if _depth == 0:
            for pause in _watchers:
                stack.enter_context(pause())
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1


def prepared(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function that loads something large: what it does is preparation."""

    @functools.wraps(function)
    def load(*args: _P.args, **options: _P.kwargs) -> _R:
        with preparing():
            return function(*args, **options)

    return load
