"""The header of a page in Web Standard Format as attributes of the page, in the order of the file.

``<Title Offset="69" Length="9"><RawString>Naslovnica</RawString>`` gives ``Header/Title/Offset``, ``Header/Title/Length`` and ``title``; a link
gives ``Header/OutLink`` with its words, ``Header/OutLink/Url``, and for each page at its other end ``Header/OutLink/DocID`` and
``Header/OutLink/DocID/Url``. Names with a stroke are written by no other format than this one and Parquet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

HEADER: Final = "Header/"
LINKS: Final = ("InLink", "OutLink")
PASSAGES: Final = {"Title": "title", "Keywords": "keywords", "Description": "description"}
Pairs = list[tuple[str, str]]


class HeaderReader:
    """Elements of a header, one after the other."""

    def __init__(self) -> None:
        self._link, self._url = "", ""

    def start(self, name: str, attributes: dict[str, str]) -> Pairs:
        """Attributes that are known where an element begins."""
        if name in PASSAGES:
            return [(f"{HEADER}{name}/{key}", attributes[key]) for key in ("Offset", "Length") if attributes.get(key)]
        if name in LINKS:
            self._link = name
        self._url = attributes.get("Url", "") if name in (*LINKS, "DocID") else self._url
        return []

    def end(self, path: Sequence[str], text: str) -> Pairs:
        """Attributes that are known where the last element of a path ends."""
        name, parent = path[-1], path[-2]
        if name == "RawString" and parent in PASSAGES:
            return [(PASSAGES[parent], text)]
        if name == "RawString" and parent in LINKS:
            return [(f"{HEADER}{parent}", text), *self._address(f"{HEADER}{parent}")]
        if name == "DocID" and self._link:
            own = f"{HEADER}{self._link}/DocID"
            return [(own, text.strip()), *self._address(own)]
        return []

    def _address(self, name: str) -> Pairs:
        return [(f"{name}/Url", self._url)] if self._url else []
