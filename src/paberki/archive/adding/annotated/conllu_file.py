"""CoNLL-U files: pages by ``# newdoc``, paragraphs by ``# newpar``; comments, empty nodes and multiword tokens are kept.

Comments between ``# newdoc`` and the first of ``# newpar``, ``# sent_id`` and ``# text`` are attributes of the page. A sentence with a
broken line is passed over as a whole: its tree would not be one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from paberki.archive.adding.annotated.page_builder import PageBuilder
from paberki.archive.annotated_page import NOTHING, ImportedPage
from paberki.archive.reading.numbered_lines import OnError, numbered_lines, open_stream

_COLUMNS: Final = 10
_OWN: Final = ("NER=", "OOV=", "Frame=", "Scheme=", "SpaceAfter=")
_OF_SENTENCES: Final = ("newpar", "sent_id", "text")
_PARAGRAPH: Final = "newpar id"
_OF_PARAGRAPH: Final = "par_"
_LATER: Final = "scheme"
Row = tuple[int, list[str]]


def pages(path: Path, on_error: OnError) -> Iterator[ImportedPage]:
    """The pages of a file in order."""
    reader = _TreeReader(path.name, on_error)
    with open_stream(path) as stream:
        lines: list[tuple[int, str]] = []
        for number, raw in numbered_lines(stream, path.name, on_error):
            line = reader.text(number, raw).rstrip("\r\n")
            if line.strip():
                lines.append((number, line))
                continue
            yield from reader.sentence(lines)
            lines = []
        yield from reader.sentence(lines)
        yield from reader.end()


class _TreeReader:
    """Puts sentences into pages."""

    def __init__(self, name: str, on_error: OnError) -> None:
        self._name, self._report = name, on_error
        self._builder: PageBuilder | None = None
        self._count = 0
        self._scheme = ""
        self._damaged_lines: set[int] = set()
        """Lines of the sentence that are not UTF-8."""

    def text(self, number: int, line: bytes) -> str:
        """A line as text."""
        try:
            return line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            self._damaged_lines.add(number)
            return line.decode("utf-8", "replace")

    def end(self) -> Iterator[ImportedPage]:
        """The page that was read last."""
        if self._builder is not None and (page := self._builder.finish()) is not None:
            self._count += 1
            yield page
        self._builder = None

    def sentence(self, lines: list[tuple[int, str]]) -> Iterator[ImportedPage]:
        """Take a sentence; the page before it, if it begins a new one."""
        comments = [line for _, line in lines if line[0] == "#" and "\t" not in line[:3]]
        attributes, own = _of_page(comments)
        if attributes is not None:
            yield from self.end()
            self._builder = PageBuilder(self._name, self._count, attributes)
        elif self._builder is not None and self._builder.is_full:
            page_attributes, part = self._builder.attributes, self._builder.part + 1
            yield from self.end()
            self._builder = PageBuilder(self._name, self._count, page_attributes, part)
        rows = self._rows([one for one in lines if one[1] not in comments])
        if not rows or self._is_further(own):
            return
        if self._builder is None:
            self._builder = PageBuilder(self._name, self._count)
        paragraph, own = _of_paragraph(own)
        if paragraph is not None or attributes is not None:
            self._builder.paragraph(paragraph or ())
        self._builder.sentence([line for line in own if _name_of(line) != _LATER])
        for _, cells in rows:
            self._word(self._builder, cells)

    def _is_further(self, comments: list[str]) -> bool:
        """The sentence is there once more, from another tagger than the first."""
        scheme = next((line.partition("=")[2].strip() for line in comments if _name_of(line) == _LATER), "")
        self._scheme = self._scheme or scheme
        return bool(scheme) and scheme != self._scheme

    def _rows(self, lines: list[tuple[int, str]]) -> list[Row]:
        rows: list[Row] = []
        next_number = 1
        for number, line in lines:
            cells = line.split("\t")
            problem = "is not UTF-8" if number in self._damaged_lines else _problem(cells, next_number)
            if problem:
                self._report(f"{self._name}:{number}", f"{problem}; the sentence is passed over")
                return []
            next_number += cells[0].isdecimal()
            rows.append((number, cells))
        return rows if next_number > 1 else []

    def _word(self, builder: PageBuilder, cells: list[str]) -> None:
        if not cells[0].isdecimal():
            builder.node("\t".join(cells))
            return
        _, form, lemma, upos, xpos, feats, head, deprel, deps, misc = cells
        misc_values = dict(one.partition("=")[::2] for one in misc.split("|"))
        layers = {"lemma": lemma, "upos": upos, "xpos": xpos, "feats": feats, "deprel": deprel, "deps": deps}
        layers |= {"ner": misc_values.get("NER", NOTHING), "frame": misc_values.get("Frame", NOTHING)}
        layers["misc"] = "|".join(one for one in misc.split("|") if one != NOTHING and not one.startswith(_OWN))
        builder.token(form, layers, head=int(head) if head.isdecimal() else -1, oov=misc_values.get("OOV") == "Yes")
        if misc_values.get("SpaceAfter") == "No":
            builder.glue()


def _problem(cells: list[str], next_number: int) -> str:
    """What is wrong with a line."""
    if len(cells) != _COLUMNS:
        return f"has {len(cells)} columns, not {_COLUMNS}"
    if not cells[1].strip():
        return "has no word"
    number = cells[0]
    if number.isdecimal():
        if int(number[:9]) != next_number:
            return f"has the number {number[:20]}, not {next_number}"
        return "" if cells[6] == NOTHING or (cells[6].isdecimal() and len(cells[6]) < 9) else "its head is no number"
    first, sign, last = number.partition("-") if "-" in number else number.partition(".")
    return "" if sign and first.isdecimal() and last.isdecimal() else f"begins with {number[:20]!r}, not with a number"


def _name_of(comment: str) -> str:
    return comment[1:].partition("=")[0].strip()


def _of_page(comments: list[str]) -> tuple[list[tuple[str, str]] | None, list[str]]:
    """Attributes of a page that begins here, and the other comments."""
    begin = next((at for at, line in enumerate(comments) if _name_of(line).split(" ")[0] == "newdoc"), None)
    if begin is None:
        return None, comments
    attributes = [("id", value)] if (value := comments[begin].partition("=")[2].strip()) else []
    at = begin + 1
    while at < len(comments) and "=" in comments[at] and _name_of(comments[at]).split(" ")[0] not in _OF_SENTENCES:
        attributes.append((_name_of(comments[at]), comments[at].partition("=")[2].strip()))
        at += 1
    return attributes, [*comments[:begin], *comments[at:]]


def _of_paragraph(comments: list[str]) -> tuple[list[tuple[str, str]] | None, list[str]]:
    """Attributes of a paragraph that begins here, and the other comments."""
    begin = next((line for line in comments if _name_of(line).split(" ")[0] == "newpar"), None)
    if begin is None:
        return None, comments
    pairs = [(_name_of(line), line.partition("=")[2].strip()) for line in comments]
    attributes = [(_PARAGRAPH, begin.partition("=")[2].strip())]
    attributes += [(name.removeprefix(_OF_PARAGRAPH), value) for name, value in pairs if name.startswith(_OF_PARAGRAPH)]
    others = [line for line in comments if line != begin and not _name_of(line).startswith(_OF_PARAGRAPH)]
    return attributes, others
