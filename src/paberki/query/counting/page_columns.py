"""Columns of all pages of an index, remembered with it: for facets, histograms and cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from paberki.query.counting.places import PagePlaces

__all__ = ["page_numbers", "page_strings"]


def page_strings(places: PagePlaces, name: str) -> tuple[NDArray[np.int64], list[str | None]]:
    """An attribute of all pages, remembered with the index."""
    memory: dict[str, Any] = places.index.__dict__.setdefault("_page_strings", {})
    if name not in memory:
        memory[name] = places.attribute(name)
    column: tuple[NDArray[np.int64], list[str | None]] = memory[name]
    return column


def page_numbers(places: PagePlaces, name: str) -> NDArray[np.float64]:
    """A score of all pages, remembered with the index; pages without it have none (NaN)."""
    memory: dict[str, Any] = places.index.__dict__.setdefault("_page_numbers", {})
    if name not in memory:
        ids, strings = page_strings(places, name)
        numbers = np.array([_float(text) for text in strings] + [np.nan])
        memory[name] = numbers[ids]
    column: NDArray[np.float64] = memory[name]
    return column


def _float(text: str | None) -> float:
    try:
        return float(text) if text else np.nan
    except ValueError:
        return np.nan
