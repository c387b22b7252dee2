"""Running text as vertical text: sentences and tokens by the splitter of the language, or of any language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final

from paberki.annotation.splitting.any_language import splitter_for

_BLOCK: Final = 1 << 20
_NOTED: Final = 100
_UNKNOWN: Final = "und"
_MOST_CHARS: Final = 5_000_000
"""Characters of one paragraph; a longer one is cut."""


class ForeignTexts:
    """The texts of a file, and which of its lines were not read."""

    def __init__(self, path: Path, read: Callable[[ForeignTexts], Iterator[str]]) -> None:
        self.path, self._read = path, read
        self.broken_count = 0
        self.broken_lines: list[int] = []

    def __iter__(self) -> Iterator[str]:
        return self._read(self)

    def fault(self, number: int) -> None:
        """Note a line or row that cannot be read."""
        self.broken_count += 1
        if len(self.broken_lines) < _NOTED:
            self.broken_lines.append(number)


class TokenBlocks:
    """Blocks of vertical text made of documents."""

    def __init__(self, documents: ForeignTexts, lang: str | None) -> None:
        self._documents, self._splitter = documents, splitter_for(lang or _UNKNOWN)
        self.share: float | None = None

    def check(self) -> None:
        """Say at once that a file is not there."""
        from paberki.query.sources.input_blocks import LineBlocks

        LineBlocks(self._documents.path).check()

    def __iter__(self) -> Iterator[bytes]:
        waiting: list[str] = []
        size = 0
        for text in self._documents:
            lines = "\n".join(["<doc>", *self._lines(text), "</doc>", ""])
            waiting.append(lines)
            size += len(lines)
            if size > _BLOCK:
                yield "".join(waiting).encode("utf-8", "replace")
                waiting, size = [], 0
        if waiting:
            yield "".join(waiting).encode("utf-8", "replace")

    def _lines(self, text: str) -> Iterator[str]:
        for paragraph in text.replace("\0", " ").split("\n"):
            for begin in range(0, len(paragraph), _MOST_CHARS):
                yield from self._paragraph(paragraph[begin : begin + _MOST_CHARS])

    def _paragraph(self, text: str) -> Iterator[str]:
        starts, ends, edges = self._splitter.split(text)
        last = -1
        for first, stop in pairwise(edges):
            yield "<s>"
            for at in range(first, stop):
                if starts[at] == last:
                    yield "<g/>"
                last = ends[at]
                yield escape("".join(text[starts[at] : last].split()) or "_", quote=False)
            yield "</s>"
