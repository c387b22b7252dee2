"""Documents of corpora that others made: vertical files, JSONL, plain text; plain or compressed, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final, Literal

from paberki.archive.reading.numbered_lines import OnError, json_objects, numbered_lines, open_stream
from paberki.errors import InputError

Format = Literal["auto", "vert", "jsonl", "text"]
FORMATS: Final = ("auto", "vert", "jsonl", "text")
_SUFFIXES: Final = {".vert": "vert", ".vrt": "vert", ".vertical": "vert", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_DOCUMENT: Final = re.compile(r"<(doc|text|document|page|article)\b([^>]*)>\s*$", re.IGNORECASE)
_STRUCTURE: Final = re.compile(r"</?[A-Za-z][^>\t]*>\s*$")
_ID: Final = re.compile(r'\b(?:id|key|url)="([^"]*)"')
_CONTROLS: Final = bytes(one for one in range(1, 32) if one not in b"\t\n\r\f\x1a\x1b")
_TEXT: Final = ("text", "content", "raw_content", "body")
_NAMED: Final = ("id", "key", "url")


class ForeignDocument:
    """One document: what it is called, its text and its number of words."""

    __slots__ = ("name", "text", "words")

    def __init__(self, name: str, text: str, words: int) -> None:
        self.name, self.text, self.words = name, text, words


def documents(path: Path, form: str, on_error: OnError) -> Iterator[ForeignDocument]:
    """The documents of a file in order. Plain text has one on each line, or, where it has blank lines, between these."""
    form = _format(path) if form == "auto" else form
    if form not in FORMATS:
        raise InputError(f"unknown format {form!r}; known: {', '.join(FORMATS)}")
    _refuse_binary(path)
    with open_stream(path) as stream:
        lines = numbered_lines(stream, path.name, on_error)
        if form == "vert":
            yield from _vertical(lines)
        elif form == "jsonl":
            yield from _json(lines, path.name, on_error)
        else:
            yield from _plain(lines, _has_blank_lines(path, on_error))


def _refuse_binary(path: Path) -> None:
    """Refuse files with NUL bytes or many control characters: they are not text."""
    with open_stream(path) as stream:
        begin = stream.read(1 << 16)
    odd = sum(begin.count(byte) for byte in _CONTROLS)
    if begin.count(0) or odd > len(begin) // 100:
        raise InputError(f"{path}: is not text but something else, perhaps a binary file; give vert, jsonl or text")


def _format(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    by_suffix = next((form for suffix, form in _SUFFIXES.items() if name.endswith(suffix)), None)
    if by_suffix:
        return by_suffix
    with open_stream(path) as stream:
        begin = stream.read(1 << 16).lstrip()
    if begin[:1] == b"{":
        return "jsonl"
    first = begin.split(b"\n", 1)[0].decode("utf-8", "replace")
    return "vert" if _DOCUMENT.match(first) else "text"


def _vertical(lines: Iterator[tuple[int, bytes]]) -> Iterator[ForeignDocument]:
    """Each ``<doc>`` is one; the first column of every line that is no structure is a word."""
    name, tag, words = "", "", list[str]()
    is_inside = False
    for number, line in lines:
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        opening = _DOCUMENT.match(text)
        if opening and (not tag or opening[1].lower() == tag):
            if is_inside:
                yield ForeignDocument(name, " ".join(words), len(words))
            tag, is_inside, words = opening[1].lower(), True, []
            identifier = _ID.search(opening[2])
            name = unescape(identifier[1]) if identifier else str(number)
        elif text and not _STRUCTURE.match(text):
            words.append(unescape(text.split("\t", 1)[0]))
    if is_inside or words:
        yield ForeignDocument(name, " ".join(words), len(words))


def _json(lines: Iterator[tuple[int, bytes]], name: str, on_error: OnError) -> Iterator[ForeignDocument]:
    for number, row in json_objects(lines, name, on_error):
        text = next((value for key in _TEXT if isinstance(value := row.get(key), str)), None)
        if text is None:
            on_error(f"{name}:{number}", f"has none of the fields {', '.join(_TEXT)}")
            continue
        document_name = next((str(row[key]) for key in _NAMED if row.get(key) is not None), str(number))
        yield ForeignDocument(document_name, text, len(text.split()))


def _has_blank_lines(path: Path, on_error: OnError) -> bool:
    with open_stream(path) as stream:
        return b"\n\n" in stream.read(1 << 20).replace(b"\r", b"").strip()


def _plain(lines: Iterator[tuple[int, bytes]], blank: bool) -> Iterator[ForeignDocument]:
    some: list[str] = []
    first = 1
    for number, line in lines:
        text = line.decode("utf-8", "replace").strip()
        if text:
            first = first if some else number
            some.append(text)
        if some and (not blank or not text):
            yield ForeignDocument(str(first), "\n".join(some), sum(len(one.split()) for one in some))
            some = []
    if some:
        yield ForeignDocument(str(first), "\n".join(some), sum(len(one.split()) for one in some))
