"""Web Standard Format (P4 §2): a page is ``<StandardFormat>``, its sentences are ``<S>`` with ``<RawString>`` and ``<Annotation>``.

Annotation in CoNLL-U, as our own exports have it, gives tokens; sentences without any are text. The first scheme counts. What
the header says of title, keywords, description and links is kept as attributes of the page, whose names begin with ``Header/``
(:mod:`paberki.archive.adding.annotated.standard_header`); where a sentence stood in the page as it was received is its comment
``# bytes = START:END``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from paberki.archive.adding.annotated.conllu_file import _TreeReader
from paberki.archive.adding.annotated.page_builder import PageBuilder
from paberki.archive.adding.annotated.standard_header import HeaderReader
from paberki.archive.adding.annotated.xml_events import events
from paberki.archive.annotated_page import ImportedPage
from paberki.archive.reading.numbered_lines import OnError

_ATTRIBUTES: Final = {
    "Id": "id",
    "Url": "url",
    "Time": "crawl_date",
    "Language": "lang",
    "OriginalEncoding": "encoding",
}
_OF_TEXT: Final = {"Author": "author", "Date": "published"}
_COLUMNS: Final = 10
_NO_TIME: Final = "0000"


def pages(path: Path, on_error: OnError) -> Iterator[ImportedPage]:
    """The pages of a file in order."""
    reader = _StandardReader(path.name, on_error)
    for kind, name, value in events(path, on_error):
        page = reader.take(kind, name, value)
        if page is not None:
            yield page


class _StandardReader:
    def __init__(self, name: str, on_error: OnError) -> None:
        self._name, self._trees = name, _TreeReader(name, on_error)
        self._builder: PageBuilder | None = None
        self._count = 0
        self._path: list[str] = []
        self._pieces: list[str] = []
        self._raw, self._annotation = "", ""
        self._header = HeaderReader()
        self._place, self._paragraph = "", _paragraph({})

    def take(self, kind: str, name: str, value: Any) -> ImportedPage | None:
        """Take an event; a page that ended with it."""
        if kind == "text":
            self._pieces.append(value)
            return None
        if kind == "start":
            self._path.append(name)
            self._pieces = []
            self._start(name, value)
            return None
        page = self._end(name) if self._builder is not None else None
        self._path.pop()
        return page

    def _start(self, name: str, value: dict[str, str]) -> None:
        if name == "StandardFormat":
            self._builder = PageBuilder(self._name, self._count, _of_page(value))
        elif self._builder is None:
            return
        elif name == "Text":
            own = [(_OF_TEXT[key], text) for key, text in value.items() if key in _OF_TEXT and text]
            self._builder.attributes.extend(own)
            self._paragraph = _paragraph(value)
            self._builder.paragraph(self._paragraph)
        elif name == "S":
            self._raw = self._annotation = ""
            self._place = _place(value)
        elif "Header" in self._path[:-1]:
            self._builder.attributes.extend(self._header.start(name, value))

    def _end(self, name: str) -> ImportedPage | None:
        assert self._builder is not None
        text = "".join(self._pieces)
        if "Header" in self._path[:-1]:
            self._builder.attributes.extend(self._header.end(self._path, text))
        elif name == "RawString" and self._path[-2:-1] == ["S"]:
            self._raw = text
        elif name == "Annotation" and self._path[-2:-1] == ["S"]:
            self._annotation = self._annotation or text
        elif name == "S":
            self._sentence(self._builder)
        elif name == "StandardFormat":
            page, self._builder = self._builder.finish(), None
            self._count += page is not None
            return page
        return None

    def _sentence(self, builder: PageBuilder) -> None:
        lines = [(0, line) for line in self._annotation.split("\n") if line.count("\t") == _COLUMNS - 1]
        rows = self._trees._rows(lines) if lines else []
        if rows:
            builder.sentence([f"# bytes = {self._place}"] if self._place else [])
            for _, cells in rows:
                self._trees._word(builder, cells)
            builder.end_sentence()
        elif self._raw.strip():
            builder.text(" ".join(self._raw.split()), self._paragraph)
            builder.paragraph(self._paragraph)


def _of_page(attributes: dict[str, str]) -> list[tuple[str, str]]:
    """Attributes of a page under our names."""
    own = [
        (column, _time(attributes[key]) if key == "Time" else attributes[key])
        for key, column in _ATTRIBUTES.items()
        if attributes.get(key)
    ]
    return [(column, value) for column, value in own if column != "crawl_date" or not value.startswith(_NO_TIME)]


def _paragraph(attributes: dict[str, str]) -> list[tuple[str, str]]:
    return [("type", "comment")] if attributes.get("Type") == "comment" else []


def _place(attributes: dict[str, str]) -> str:
    """First byte of a sentence and the one after its last; nothing where they are no numbers."""
    offset, length = attributes.get("Offset", ""), attributes.get("Length", "")
    is_known = all(one.isascii() and one.isdigit() and len(one) < 16 for one in (offset, length))
    return f"{offset}:{int(offset) + int(length)}" if is_known else ""


def _time(text: str) -> str:
    """``2008-05-28 10:00:00`` as WARC has it."""
    return f"{text.replace(' ', 'T')}Z" if text and "T" not in text else text
