"""How one page can fail."""

from __future__ import annotations

from paberki.errors import FetchError


class PageError(FetchError):
    """A page that could not be fetched; ``kind`` is counted, ``transient`` ones are tried again."""

    def __init__(self, kind: str, message: str = "", *, transient: bool = False) -> None:
        super().__init__(message or kind)
        self.kind = kind
        self.transient = transient
