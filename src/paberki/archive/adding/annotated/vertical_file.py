"""Vertical files: a token per line, its columns between tabs, structures as tags on lines of their own.

``<doc>`` (or ``<text>``) is a page, ``<p>`` a paragraph, ``<s>`` a sentence, ``<g/>`` a missing space; other structures are passed
over. Columns are named by a registry file beside the vertical (``NAME.registry``); without one, eight or more columns are
those of our own exports, and of fewer the one that mostly repeats the word is the lemma and the first other one the tag.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Final

from paberki.archive.adding.annotated.page_builder import PageBuilder
from paberki.archive.annotated_page import NOTHING, ImportedPage
from paberki.archive.reading.numbered_lines import OnError, numbered_lines, open_stream

OWN: Final = ("word", "xpos", "lemma", "upos", "feats", "head", "deprel", "ner")
_ALIASES: Final = {"tag": "xpos", "pos": "upos", "msd": "xpos", "lc": "", "lempos": ""}
_LAYERS: Final = frozenset(("xpos", "lemma", "upos", "feats", "deprel", "ner", "frame", "misc"))
_TAG: Final = re.compile(r"<(/?)([A-Za-z_][\w.-]*)((?:\s+[\w.:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>\s*")
_ATTRIBUTE: Final = re.compile(r"([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_PAGES: Final = ("doc", "text")
_PARAGRAPHS: Final = ("p", "par", "head")
_SAMPLE: Final = 2000
_REGISTRY: Final = re.compile(r"^\s*ATTRIBUTE\s+\"?([\w-]+)\"?", re.MULTILINE)
_STRUCTURE: Final = re.compile(r"^\s*STRUCTURE\b", re.MULTILINE)
_LARGEST_REGISTRY: Final = 1 << 20
Line = tuple[int, str]


def pages(path: Path, on_error: OnError) -> Iterator[ImportedPage]:
    """The pages of a file in order."""
    with open_stream(path) as stream:
        lines = _text_lines(numbered_lines(stream, path.name, on_error), path.name, on_error)
        sample = list(islice(lines, _SAMPLE))
        columns = _registry(path) or guess_columns([line for _, line in sample])
        yield from _VerticalReader(path.name, columns, on_error).pages(chain(sample, lines))


def _text_lines(lines: Iterator[tuple[int, bytes]], name: str, on_error: OnError) -> Iterator[Line]:
    for number, line in lines:
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            on_error(f"{name}:{number}", "the line is not UTF-8")
            continue
        if "\0" in text:
            on_error(f"{name}:{number}", "the line holds a zero byte")
            continue
        yield number, text


def _registry(path: Path) -> list[str]:
    """Names of columns from a registry file beside the vertical."""
    for name in (f"{path.name}.registry", f"{path.name}.cwb", f"{path.name.split('.')[0]}.registry"):
        beside = path.with_name(name)
        if beside.is_file() and beside.stat().st_size <= _LARGEST_REGISTRY:
            text = beside.read_text("utf-8", "replace")
            names = _REGISTRY.findall(_STRUCTURE.split(text)[0])
            if names:
                return [_ALIASES.get(one, one) for one in names]
    return []


def guess_columns(lines: Sequence[str]) -> list[str]:
    """Names of the columns of some lines. Broken lines among them have other numbers of columns than most."""
    rows = [line.split("\t") for line in lines if line.strip() and not _TAG.fullmatch(line)]
    widths = Counter(map(len, rows))
    width = max(widths, key=lambda one: (widths[one], one), default=1)
    rows = [row for row in rows if len(row) == width]
    if width >= len(OWN):
        return [*OWN, *(f"c{number}" for number in range(len(OWN) + 1, width + 1))]
    same = [sum(row[at].casefold() == row[0].casefold() for row in rows) for at in range(1, width)]
    lemma = max(range(1, width), key=lambda at: same[at - 1]) if width > 1 and max(same) * 5 > len(rows) else 0
    names = ["word"]
    rest = iter(("xpos", "lemma", "upos") if not lemma else ("xpos", "upos"))
    names += ["lemma" if at == lemma else next(rest, f"c{at + 1}") for at in range(1, width)]
    return names


class _VerticalReader:
    """Reads lines and makes pages of them."""

    def __init__(self, name: str, columns: Sequence[str], on_error: OnError) -> None:
        self._name, self._columns, self._report = name, columns, on_error
        self._count = 0
        self._builder: PageBuilder | None = None
        self._page_tag = ""

    def pages(self, lines: Iterator[Line]) -> Iterator[ImportedPage]:
        """Pages as they end."""
        for number, line in lines:
            if not line.strip():
                continue
            tag = _TAG.fullmatch(line) if line[0] == "<" else None
            if tag is None:
                self._token(number, line)
            elif not tag[1] and tag[2] in _PAGES and self._page_tag in ("", tag[2]):
                yield from self._end()
                self._page_tag = tag[2]
                self._builder = PageBuilder(self._name, self._count, _attributes(tag[3]))
            else:
                self._structure(bool(tag[1]), tag[2], tag[3])
            if (
                self._builder is not None
                and self._builder.is_full
                and tag is not None
                and tag[1]
                and tag[2] in ("s", "p")
            ):
                attributes, part = self._builder.attributes, self._builder.part + 1
                yield from self._end()
                self._builder = PageBuilder(self._name, self._count, attributes, part)
        yield from self._end()

    def _end(self) -> Iterator[ImportedPage]:
        if self._builder is not None and (page := self._builder.finish()) is not None:
            self._count += 1
            yield page
        self._builder = None

    def _open(self) -> PageBuilder:
        if self._builder is None:
            self._builder = PageBuilder(self._name, self._count)
        return self._builder

    def _structure(self, closes: bool, name: str, attributes: str) -> None:
        builder = self._open() if name in (*_PARAGRAPHS, "s", "g") else None
        if builder is None:
            return
        if name in _PARAGRAPHS:
            builder.end_paragraph() if closes else builder.paragraph(_attributes(attributes))
        elif name == "s":
            comments = [f"# {key} = {value}" for key, value in _attributes(attributes)]
            builder.end_sentence() if closes else builder.sentence(comments)
        else:
            builder.glue()

    def _token(self, number: int, line: str) -> None:
        cells = [_plain(cell) for cell in line.split("\t")]
        if line[0] == "<" and len(cells) == 1 and len(self._columns) > 1:
            self._report(f"{self._name}:{number}", "is neither a token nor a tag")
            return
        if not cells[0].strip():
            self._report(f"{self._name}:{number}", "has no word")
            return
        if len(cells) != len(self._columns):
            self._report(f"{self._name}:{number}", f"has {len(cells)} columns, not {len(self._columns)}")
            return
        layers = dict(zip(self._columns, cells, strict=True))
        more = [f"{name}={value}" for name, value in layers.items() if _is_more(name, value)]
        known_layers = {name: value for name, value in layers.items() if name in _LAYERS}
        more = [known_layers["misc"], *more] if known_layers.get("misc", NOTHING) != NOTHING else more
        head = layers.get("head", "")
        self._open().token(
            cells[0],
            {**known_layers, "misc": "|".join(more)},
            head=int(head) if head.isdecimal() and len(head) < 9 else -1,
        )


def _is_more(name: str, value: str) -> bool:
    return bool(name) and name not in _LAYERS and name not in ("word", "head") and value not in ("", NOTHING)


def _plain(cell: str) -> str:
    return html.unescape(cell) if "&" in cell else cell


def _attributes(text: str) -> list[tuple[str, str]]:
    return [(name, html.unescape(first or second)) for name, first, second in _ATTRIBUTE.findall(text)]
