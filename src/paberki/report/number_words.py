"""Numbers as people read them."""

from __future__ import annotations


def number(value: float) -> str:
    """``15,747,585``; one decimal unless the number is whole."""
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.1f}"


def percent(value: float) -> str:
    """``71.67 %`` with two decimals, as in P5 Table 2; ``< 0.01 %`` for smaller shares."""
    if 0 < value < 0.00005:
        return "< 0.01 %"
    return f"{100 * value:.2f} %"


def short_number(value: int) -> str:
    """``1.19 G``, ``380 M``, ``12.5 k``: a size at a glance."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}" if value < 999.5 * size else f"{value / size:.0f} {letter}"
    return str(value)
