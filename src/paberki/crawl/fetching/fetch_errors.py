"""The error for one page that cannot be fetched."""

from __future__ import annotations

from paberki.errors import FetchError


class PageError(FetchError):
    """Raised for a page that could not be fetched; ``kind`` is counted, ``transient`` errors are tried again."""

    def __init__(self, kind: str, message: str = "", *, transient: bool = False) -> None:
        super().__init__(message or kind)
        self.kind = kind
        self.transient = transient
