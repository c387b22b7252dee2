"""The alphabet of Serbian in both scripts: who transliterates, identifies or annotates reads it from here."""

from __future__ import annotations

from typing import Final

__all__ = ["LATIN"]

LATIN: Final = dict(
    zip(
        "абвгдђежзијклљмнњопрстћуфхцчџш",
        [
            "a",
            "b",
            "v",
            "g",
            "d",
            "đ",
            "e",
            "ž",
            "z",
            "i",
            "j",
            "k",
            "l",
            "lj",
            "m",
            "n",
            "nj",
            "o",
            "p",
            "r",
            "s",
            "t",
            "ć",
            "u",
            "f",
            "h",
            "c",
            "č",
            "dž",
            "š",
        ],
        strict=True,
    )
)
"""Small Cyrillic letter -> Latin letter or letters."""
