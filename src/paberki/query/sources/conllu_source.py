"""CoNLL-U as vertical text: words are tokens, comments become structures.

``newdoc`` and ``newpar`` begin ``doc`` and ``p``; every sentence is an ``s`` with its ``sent_id`` as ``id`` and its other comments as
attributes. A multiword token is a region ``mwt`` over its words, with its ``form``; empty nodes are left out. No space
stands before a word within a multiword token, and after ``SpaceAfter=No``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final

from paberki.query.sources.input_blocks import LineBlocks
from paberki.query.sources.vertical import Account, index_text, schema_of

ATTRIBUTES: Final = ("word", "lemma", "upos", "xpos", "feats*", "head", "deprel")
_COLUMNS: Final = 10
_ID, _FORM, _HEAD, _DEPREL, _MISC = 0, 1, 6, 7, 9
_COMMENT: Final = re.compile(r"#\s*([\w.:-]+)\s*(?:=\s*(.*))?$")
_NO_SPACE: Final = re.compile(r"(?:^|\|)SpaceAfter=No(?:\||$)")
_NOT_KEPT: Final = frozenset({"text", "newdoc", "newpar", "sent_id"})
_FAULTS: Final = 100
_MOST_WORDS: Final = 1 << 30
"""Ids above it are no numbers of words."""


@dataclass(slots=True)
class Converter:
    """Sentences as vertical lines, and what was wrong with the others."""

    lines: int = 0
    broken_count: int = 0
    broken_lines: list[int] = field(default_factory=list)
    _inside: list[str] = field(default_factory=list)
    """Structures that are open: doc, p."""
    _glued: bool = False

    def convert(self, text: str) -> str:
        """Vertical text of whole sentences."""
        out: list[str] = []
        sentence: list[tuple[int, str]] = []
        for line in text.split("\n"):
            self.lines += 1
            line = line.rstrip("\r")
            if line:
                sentence.append((self.lines, line))
            elif sentence:
                self._sentence(sentence, out)
                sentence = []
        if sentence:
            self._sentence(sentence, out)
        self.lines -= 1  # what follows the last line feed is no line
        return "\n".join([*out, ""]) if out else ""

    def end(self) -> str:
        """End tags of what is still open."""
        tags = "".join(f"</{name}>\n" for name in reversed(self._inside))
        self._inside = []
        return tags

    def _sentence(self, lines: list[tuple[int, str]], out: list[str]) -> None:
        comments, words = {}, []
        for number, line in lines:
            if line.startswith("#"):
                if comment := _COMMENT.match(line):
                    comments[comment[1].lower()] = (comment[2] or "").strip()
                elif line.startswith(("# newdoc id", "# newpar id")):
                    comments[line[2:8]] = line.partition("=")[2].strip()
                continue
            cells = line.split("\t")
            if len(cells) != _COLUMNS or not cells[_FORM]:
                self._fault(number)
                continue
            words.append((number, cells))
        self._begin(comments, out)
        values = {"id": comments.get("sent_id", "")} if comments.get("sent_id") else {}
        values |= {key: value for key, value in comments.items() if key not in _NOT_KEPT and value}
        out.append(_tag("s", values))
        self._words(words, out)
        out.append("</s>")

    def _begin(self, comments: dict[str, str], out: list[str]) -> None:
        for name, mark in (("doc", "newdoc"), ("p", "newpar")):
            if mark in comments:
                while name in self._inside:
                    out.append(f"</{self._inside.pop()}>")
                out.append(_tag(name, {"id": comments[mark]} if comments[mark] else {}))
                self._inside.append(name)

    def _rising(self, words: list[tuple[int, list[str]]]) -> Iterator[list[str]]:
        """The lines whose ids are right: those of words rise, though that of a broken line may be missing."""
        last = 0
        for number, cells in words:
            name = cells[_ID]
            first, _, end = name.partition("-")
            if name.isdecimal() and last < int(name) <= _MOST_WORDS:
                last = int(name)
                yield cells
            elif first.isdecimal() and end.isdecimal():
                yield cells
            elif name.isdecimal() or not name.replace(".", "", 1).isdecimal():
                self._fault(number)

    def _words(self, words: list[tuple[int, list[str]]], out: list[str]) -> None:
        rows = list(self._rising(words))
        places = {"0": "0"} | {name: str(at) for at, name in enumerate(_word_ids(rows), 1)}
        until, space_after = 0, True
        for cells in rows:
            first, span, end = cells[_ID].partition("-")
            if span:
                until, space_after = int(end), not _NO_SPACE.search(cells[_MISC])
                out.append(_tag("mwt", {"form": cells[_FORM]}))
                continue
            if until and int(first) > until:  # the last word of the multiword token is missing
                out.append("</mwt>")
                self._glued, until = not space_after, 0
            if self._glued:
                out.append("<g/>")
            cells[_HEAD] = places.get(cells[_HEAD], "_")
            out.append("\t".join(cells[_FORM : _DEPREL + 1]))
            if int(first) < until:
                self._glued = True
            elif until:
                out.append("</mwt>")
                self._glued, until = not space_after, 0
            else:
                self._glued = bool(_NO_SPACE.search(cells[_MISC]))
        if until:
            out.append("</mwt>")

    def _fault(self, number: int) -> None:
        self.broken_count += 1
        if len(self.broken_lines) < _FAULTS:
            self.broken_lines.append(number)


def _word_ids(rows: list[list[str]]) -> Iterator[str]:
    return (cells[_ID] for cells in rows if "-" not in cells[_ID])


def _tag(name: str, values: dict[str, str]) -> str:
    pairs = (f' {key.replace("::", "_")}="{escape(value)}"' for key, value in values.items())
    return f"<{name}{''.join(pairs)}>".replace("\t", " ")


class ConlluBlocks:
    """Blocks of vertical text made of a CoNLL-U file."""

    def __init__(self, path: Path) -> None:
        self._source = LineBlocks(path)
        self.converter = Converter()

    def check(self) -> None:
        """Say at once that a file is not there."""
        self._source.check()

    @property
    def share(self) -> float | None:
        """How much of the file is read."""
        return self._source.share

    def __iter__(self) -> Iterator[bytes]:
        rest = b""
        for block in self._source:
            block = rest + block.replace(b"\r\n", b"\n")
            cut = block.rfind(b"\n\n") + 2
            if cut < 2:
                rest = block
                continue
            rest = block[cut:]
            yield from self._convert(block[:cut])
        yield from self._convert(rest)
        if tags := self.converter.end():
            yield tags.encode()

    def _convert(self, block: bytes) -> Iterator[bytes]:
        if vertical_text := self.converter.convert(block.decode("utf-8", "replace")):
            yield vertical_text.encode()


def index_conllu(
    path: Path,
    out: Path,
    *,
    lang: str | None = None,
    name: str | None = None,
    listen: Callable[[Account], None] | None = None,
) -> Account:
    """Make an index of a CoNLL-U file."""
    schema = schema_of(ATTRIBUTES, lang=lang, escaped=False)
    columns = [column.rstrip("*") for column in ATTRIBUTES]
    pieces = ConlluBlocks(path)
    account = index_text(pieces, out, columns, schema, "conllu", name or out.name, listen)
    account.lines, account.broken_count = pieces.converter.lines, pieces.converter.broken_count
    account.broken_lines = pieces.converter.broken_lines
    return account
