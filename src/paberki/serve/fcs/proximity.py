"""``prox`` of contextual queries as queries of ours: so many words apart, or in the same sentence or paragraph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from paberki.serve.fcs.contextual import Modifier
from paberki.serve.fcs.diagnostics import SruError, sru

_UNITS: Final = {"sentence": "s", "paragraph": "p"}
_FARTHEST: Final = 100
_COMPARISONS: Final = ("<", "<=", "=", "==")
_ORDERS: Final = ("ordered", "unordered")


def near_each_other(left: str, right: str, modifiers: Sequence[Modifier], structures: Collection[str]) -> str:
    """Both queries near each other; without modifiers side by side, in any order."""
    values = {one.name.lower().removeprefix("cql."): one for one in modifiers}
    for name in values:
        if name not in ("unit", "distance", *_ORDERS):
            raise SruError(sru(46, f"prox/{name[:80]}"))
    if all(name in values for name in _ORDERS):
        raise SruError(sru(43, "ordered and unordered"))
    unit = values["unit"].value.lower() if "unit" in values else "word"
    between, within = _between(values.get("distance"), unit, structures)
    ways = [f"({left}) {between} ({right})"]
    if "ordered" not in values:
        ways.append(f"({right}) {between} ({left})")
    return f"(({' | '.join(ways)}){within})"


def _between(distance: Modifier | None, unit: str, structures: Collection[str]) -> tuple[str, str]:
    """What may stand between two hits, and in what both must stand."""
    if unit == "word":
        return _words(distance), " within <s/>" if "s" in structures else ""
    if _UNITS.get(unit) not in structures:
        raise SruError(sru(42, unit[:80]))
    if distance is not None and distance.value != "0":
        raise SruError(sru(41, f"{distance.value[:20]} {unit}s"))
    return "[]*", f" within <{_UNITS[unit]}/>"


def _words(distance: Modifier | None) -> str:
    """Words side by side have the distance 1."""
    comparison, value = (distance.comparison, distance.value) if distance else ("<=", "1")
    if comparison not in _COMPARISONS:
        raise SruError(sru(40, comparison[:10]))
    if not value.isdecimal() or not 1 <= int(value) <= _FARTHEST:
        raise SruError(sru(41, value[:20]))
    most = int(value) - (comparison == "<") - 1
    if most < 0:
        raise SruError(sru(41, f"{comparison}{value}"))
    return f"[]{{{most},{most}}}" if comparison in ("=", "==") else f"[]{{0,{most}}}"
