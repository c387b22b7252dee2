"""XML as a stream of events, safely: no entity of a document is expanded, nothing is fetched, nothing grows without bounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.parsers import expat

from paberki.archive.reading.numbered_lines import OnError, open_stream
from paberki.errors import InputError

_PIECE: Final = 1 << 18
_DEEPEST: Final = 500
_LONGEST_TEXT: Final = 64 << 20
XML_ID: Final = "xml:id"
Event = tuple[str, str, Any]
"""``start`` with name and attributes, ``end`` with name and text. Names have no prefix but ``xml:``."""


def events(path: Path, on_error: OnError) -> Iterator[Event]:
    """The events of a file; where it is not well-formed, the rest is reported and passed over."""
    reader = _EventReader(path.name)
    with open_stream(path) as stream:
        while True:
            piece = stream.read(_PIECE)
            try:
                reader.parser.Parse(piece, not piece)
            except expat.ExpatError as error:
                yield from reader.take()
                on_error(
                    f"{path.name}:{error.lineno}",
                    f"not well-formed XML ({expat.ErrorString(error.code)}); the rest cannot be read",
                )
                return
            yield from reader.take()
            if not piece:
                return


class _EventReader:
    def __init__(self, name: str) -> None:
        self._name = name
        self.parser = expat.ParserCreate()
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse
        self.parser.ExternalEntityRefHandler = self._refuse
        self._events: list[Event] = []
        self._pieces: list[str] = []
        self._size = self._depth = 0

    def take(self) -> list[Event]:
        """Events since last time."""
        events, self._events = self._events, []
        return events

    def _refuse(self, *_: Any) -> Any:
        raise InputError(
            f"{self._name}, line {self.parser.CurrentLineNumber}: declares an entity, which is not expanded; "
            "remove the document type from the file"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise InputError(f"{self._name}, line {self.parser.CurrentLineNumber}: elements are nested too deeply")
        self._flush()
        self._events.append(("start", name.rpartition(":")[2], attributes))

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._flush()
        self._events.append(("end", name.rpartition(":")[2], None))

    def _flush(self) -> None:
        if self._pieces:
            self._events.append(("text", "", "".join(self._pieces)))
            self._pieces, self._size = [], 0

    def _text(self, text: str) -> None:
        self._size += len(text)
        if self._size > _LONGEST_TEXT:
            raise InputError(f"{self._name}, line {self.parser.CurrentLineNumber}: a text without end")
        self._pieces.append(text)
