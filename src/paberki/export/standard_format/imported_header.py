"""Header and places of a page that was imported from Web Standard Format: written again as the file had them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from paberki.export.standard_format.standard_xml import Passage, StandardLink

_HEADER: Final = "Header/"
_BYTES: Final = re.compile(r"^# bytes = (\d{1,15}):(\d{1,15})$", re.MULTILINE)


class ImportedHeader:
    """What the attributes of a page say about its header."""

    def __init__(self, pairs: Sequence[Mapping[str, str]]) -> None:
        self._pairs = [(one["name"], one["value"]) for one in pairs]
        self._single = dict(self._pairs)

    def passage(self, name: str, text: str | None) -> Passage | None:
        """Title, keywords or description; None where the file did not say where it stood."""
        own = text or self._single.get(name.lower())
        offset, length = (self._single.get(f"{_HEADER}{name}/{key}", "") for key in ("Offset", "Length"))
        if not own or not (offset.isdigit() and length.isdigit()):
            return None
        return Passage(own, int(offset), int(length))

    def about_text(self) -> dict[str, str]:
        """Author and date of the text, where the file had them."""
        values = (("Author", self._single.get("author")), ("Date", self._single.get("published")))
        return {name: value for name, value in values if value}

    def links(self, kind: str) -> list[StandardLink]:
        """``InLink`` or ``OutLink`` with the pages at their other ends."""
        links: list[tuple[str, list[tuple[str, str]], list[str]]] = []
        for name, value in self._pairs:
            match name.removeprefix(f"{_HEADER}{kind}") if name.startswith(f"{_HEADER}{kind}") else None:
                case "":
                    links.append((value, [], []))
                case "/Url" if links:
                    links[-1][2].append(value)
                case "/DocID" if links:
                    links[-1][1].append((value, ""))
                case "/DocID/Url" if links and links[-1][1]:
                    links[-1][1][-1] = (links[-1][1][-1][0], value)
        return [StandardLink(text, pages, "".join(urls[:1])) for text, pages, urls in links]


def imported_header(page: Mapping[str, Any]) -> ImportedHeader | None:
    """The header of a page that was imported from this format; None for any other page."""
    pairs = page.get("attributes") or ()
    return ImportedHeader(pairs) if any(one["name"].startswith(_HEADER) for one in pairs) else None


def given_place(comments: str | None) -> tuple[int, int] | None:
    """Offset and length of a sentence, where the file had them."""
    match = _BYTES.search(comments) if comments else None
    return (int(match[1]), int(match[2]) - int(match[1])) if match else None
