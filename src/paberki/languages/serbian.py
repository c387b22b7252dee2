"""The alphabet of Serbian in both scripts: who transliterates, identifies or annotates reads it from here."""

from __future__ import annotations

from typing import Final

__all__ = ["LATIN"]

_LETTERS: Final = (*"abvgdđežzijkl", "lj", *"mn", "nj", *"oprstćufhcč", "dž", "š")
LATIN: Final = dict(zip("абвгдђежзијклљмнњопрстћуфхцчџш", _LETTERS, strict=True))
"""Latin letters of each Cyrillic one, in small letters."""
