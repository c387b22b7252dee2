"""What training says on the way."""

from __future__ import annotations

from collections.abc import Callable

Log = Callable[[str], None]


def silent(line: str) -> None:
    """Say nothing."""
