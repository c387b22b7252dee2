"""An external command with one token per line; see :mod:`paberki.annotation.adapters.command`."""

from __future__ import annotations

from paberki.annotation.adapters.command import Vertical


def open_tool(lang: str, detail: str) -> Vertical:
    """The adapter."""
    return Vertical(lang, detail)
