"""A statement of a site owner about the use of a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """One statement about use: where it was made, its name, its value."""

    source: str
    """``robots``, ``header``, ``meta``, ``tdmrep`` or ``ai.txt``."""
    name: str
    """In lower case: ``noindex``, ``noai``, ``tdm-reservation``, ``train-ai`` …"""
    value: str = ""
    """``1``, ``y``, ``n``, a date or address; empty where the name says it all."""

    def __str__(self) -> str:
        return f"{self.source}:{self.name}={self.value}" if self.value else f"{self.source}:{self.name}"
