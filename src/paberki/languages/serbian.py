"""The alphabet of Serbian in both scripts, for transliteration, identification and annotation."""

from __future__ import annotations

from typing import Final

__all__ = ["LATIN"]

_LETTERS: Final = (*"abvgdđežzijkl", "lj", *"mn", "nj", *"oprstćufhcč", "dž", "š")
LATIN: Final = dict(zip("абвгдђежзијклљмнњопрстћуфхцчџш", _LETTERS, strict=True))
"""Latin letters of each Cyrillic one, in small letters."""
