"""Decorators that register stages and ephemeral values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from paberki.stage.contract import Ephemeral, Fit, Join, Map, NeedsOf, NoConfig, Outside, Stage
from paberki.stage.registry import register, register_ephemeral

if TYPE_CHECKING:
    from paberki.store.columns import Column

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)
_JOIN_FUNCTIONS = ("emit", "apply", "resolve", "check", "solve", "other_corpora")


def map_stage(
    name: str,
    *,
    layer: str,
    needs: Sequence[str] | NeedsOf,
    adds: Sequence[Column],
    config: type = NoConfig,
    models: Sequence[str] = (),
    provides: Sequence[str] = (),
    reads: Sequence[str] | Callable[[Any], Sequence[str]] = (),
    outside: Callable[[Any], Outside] | None = None,
    behaviour: str | Callable[[Any], str] = "",
) -> Callable[[F], F]:
    """Register ``f(batch, config, *models)`` → {column: values} as a map stage; see :class:`~paberki.stage.Map`."""

    def decorate(function: F) -> F:
        register(
            Stage(
                name,
                layer,
                config,
                _as_needs(needs),
                tuple(adds),
                Map(function),
                models=tuple(models),
                provides=tuple(provides),
                reads=reads if callable(reads) else tuple(reads),
                outside=outside,
                behaviour=behaviour,
                doc=inspect.getdoc(function) or "",
            )
        )
        return function

    return decorate


def fit_stage(
    name: str,
    *,
    layer: str,
    needs: Sequence[str] | NeedsOf,
    config: type = NoConfig,
    behaviour: str | Callable[[Any], str] = "",
) -> Callable[[C], C]:
    """Register a class with static ``observe``, ``merge`` and ``finish`` as a fit stage; see :class:`~paberki.stage.Fit`."""

    def decorate(cls: C) -> C:
        functions: Any = cls
        parts = Fit(functions.observe, functions.merge, functions.finish)
        doc = inspect.getdoc(cls) or ""
        register(Stage(name, layer, config, _as_needs(needs), (), parts, behaviour=behaviour, doc=doc))
        return cls

    return decorate


def join_stage(
    name: str,
    *,
    layer: str,
    needs: Sequence[str] | NeedsOf,
    adds: Sequence[Column],
    config: type = NoConfig,
    solve_needs: Sequence[str] | NeedsOf = (),
    revisits: bool = False,
    behaviour: str | Callable[[Any], str] = "",
) -> Callable[[C], C]:
    """Register a class with static ``emit``, ``apply`` and ``resolve``, ``solve`` or both as a join stage.

    It may also have ``check`` and ``other_corpora``. :class:`~paberki.stage.Join` says what each function is given and
    returns.
    """

    def decorate(cls: C) -> C:
        functions = {one: getattr(cls, one) for one in _JOIN_FUNCTIONS if hasattr(cls, one)}
        parts = Join(**functions, solve_needs=_as_needs(solve_needs), revisits=revisits)
        doc = inspect.getdoc(cls) or ""
        register(Stage(name, layer, config, _as_needs(needs), tuple(adds), parts, behaviour=behaviour, doc=doc))
        return cls

    return decorate


def ephemeral(name: str, *, needs: Sequence[str]) -> Callable[[F], F]:
    """Register the provider of an ephemeral value: ``f(batch)`` → one value for each row."""

    def decorate(function: F) -> F:
        register_ephemeral(Ephemeral(name, tuple(needs), function))
        return function

    return decorate


def _as_needs(needs: Sequence[str] | NeedsOf) -> tuple[str, ...] | NeedsOf:
    return needs if callable(needs) else tuple(needs)
