"""Web Standard Format (P4 §2): a page is ``<StandardFormat>``, its sentences are ``<S>`` with ``<RawString>`` and ``<Annotation>``.

Annotation in CoNLL-U, as our own exports have it, gives tokens; sentences without any are text. The first scheme counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from paberki.archive.adding.annotated.conllu_file import _TreeReader
from paberki.archive.adding.annotated.page_builder import PageBuilder
from paberki.archive.adding.annotated.xml_events import events
from paberki.archive.annotated_page import ImportedPage
from paberki.archive.reading.lines import OnError

_ATTRIBUTES: Final = {
    "Id": "id",
    "Url": "url",
    "Time": "crawl_date",
    "Language": "lang",
    "OriginalEncoding": "encoding",
}
_COLUMNS: Final = 10


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

    def take(self, kind: str, name: str, value: Any) -> ImportedPage | None:
        """Take an event; a page that ended with it."""
        if kind == "text":
            self._pieces.append(value)
            return None
        if kind == "start":
            self._path.append(name)
            self._pieces = []
            if name == "StandardFormat":
                given = [
                    (own, _time(value[key]) if key == "Time" else value[key])
                    for key, own in _ATTRIBUTES.items()
                    if value.get(key)
                ]
                self._builder = PageBuilder(self._name, self._count, given)
            elif name == "Text" and self._builder is not None:
                self._builder.paragraph()
            elif name == "S":
                self._raw = self._annotation = ""
            return None
        page = self._end(name) if self._builder is not None else None
        self._path.pop()
        return page

    def _end(self, name: str) -> ImportedPage | None:
        assert self._builder is not None
        text = "".join(self._pieces)
        if name == "RawString" and self._path[-2:-1] == ["Title"]:
            self._builder.attributes.append(("title", text))
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
            builder.sentence()
            for _, cells in rows:
                self._trees._word(builder, cells)
            builder.end_sentence()
        elif self._raw.strip():
            builder.text(" ".join(self._raw.split()))
            builder.paragraph()


def _time(text: str) -> str:
    """``2008-05-28 10:00:00`` as WARC has it."""
    return f"{text.replace(' ', 'T')}Z" if text and "T" not in text else text
