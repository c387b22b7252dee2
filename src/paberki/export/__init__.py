"""Export: the kept pages of a corpus in formats that other tools read.

All formats read the same stream of pages, so that they hold the same pages in the same order; the same corpus gives
the same bytes. A file appears whole or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paberki.export.format_list import FORMATS, SIGNATURES

if TYPE_CHECKING:
    from paberki.export.writing import export

__all__ = ["FORMATS", "SIGNATURES", "export"]


def __getattr__(name: str) -> Any:
    """Import the writer only on use: it loads Arrow and the engine, which help texts do not need."""
    if name == "export":
        from paberki.export.writing import export

        return export
    raise AttributeError(name)
