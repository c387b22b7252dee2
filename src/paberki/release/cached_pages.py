"""Files for people that were made before a take-down, such as reports: those that show the page are removed."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from paberki.store import layer
from paberki.store.directory import Directory

_LEAST: Final = 25
"""Characters of a text that hardly stand on another page by chance."""
_MOST: Final = 80
_BLOCKS: Final = 40
"""Beginnings of so many blocks are looked for."""
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_OTHER_PAGES: Final = 5_000
"""A word that none of so many other pages has is the page's own."""


@dataclass(frozen=True, slots=True)
class Traces:
    """By what a file shows that it quotes some pages."""

    strings: frozenset[str]
    """Titles and beginnings of blocks."""
    urls: frozenset[str]
    words: frozenset[str]
    """Their words in small letters; those that other pages have too are traces of nothing."""


def traces_of(directory: Directory, rows: Mapping[int, Collection[int]], urls: Collection[str] = ()) -> Traces:
    """What is looked for in files, to be asked while the pages are still there."""
    texts = texts_of(directory, rows)
    beginnings = texts_of(directory, rows, most=_BLOCKS)
    return Traces(
        frozenset(text[:_MOST] for text in beginnings if len(text) >= _LEAST),
        frozenset(url for url in urls if url),
        frozenset(word for text in texts for word in _WORD.findall(text.lower())),
    )


def texts_of(directory: Directory, rows: Mapping[int, Collection[int]], *, most: int | None = None) -> list[str]:
    """Titles and texts of the blocks of these pages, of so many blocks on each."""
    texts_of_pages: list[str] = []
    for shard, mine in rows.items():
        path = directory.layer("extract", shard)
        if path.is_file():
            with layer.LayerFile(path) as file:
                for row in sorted(mine):
                    group, place = divmod(row, layer.CHUNK)
                    columns = file.read(group, ["title", "blocks.text"])
                    texts = [columns["title"][place].as_py(), *(columns["blocks.text"][place].as_py() or ())[:most]]
                    texts_of_pages += [text for text in texts if text]
    return texts_of_pages


def remove_cached(directory: Directory, folder: Path, traces: Traces) -> list[Path]:
    """Remove files in a folder that quote the pages, which are hidden by now; what was removed."""
    files = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    words = {path: _words(content) & traces.words for path, content in files.items()}
    own_words = _on_no_page(directory, {word for some in words.values() for word in some})
    needles = [form.encode() for text in traces.strings for form in _forms(text)]
    addresses = [
        re.compile(re.escape(form.encode()) + rb"(?![\w/?#=&%.-])") for url in traces.urls for form in _forms(url)
    ]
    removed_files = []
    for path, content in files.items():
        if (
            words[path] & own_words
            or any(one in content for one in needles)
            or any(one.search(content) for one in addresses)
        ):
            path.unlink(missing_ok=True)
            removed_files.append(path)
    return removed_files


def _forms(text: str) -> set[str]:
    """A text as it stands in HTML, JSON and anything else."""
    return {text, html.escape(text), json.dumps(text)[1:-1]}


def _words(content: bytes) -> set[str]:
    text = content.decode("utf-8", "replace")
    if "\\u" in text:
        text = re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)
    return set(_WORD.findall(text.lower()))


def _on_no_page(directory: Directory, words: Collection[str]) -> set[str]:
    """Which of these words stand on none of some other pages."""
    remaining = set(words)
    for number, text in enumerate(_texts(directory)):
        if not remaining or number >= _OTHER_PAGES:
            break
        remaining.difference_update(_WORD.findall(text.lower()))
    return remaining


def _texts(directory: Directory) -> Iterator[str]:
    for shard in range(len(directory.manifest().shards)):
        if directory.layer("extract", shard).is_file():
            with layer.LayerFile(directory.layer("extract", shard)) as file:
                for group in range(file.groups):
                    columns = file.read(group, ["title", "blocks.text"])
                    for title, blocks in zip(
                        columns["title"].to_pylist(), columns["blocks.text"].to_pylist(), strict=True
                    ):
                        yield "\n".join([title or "", *(text or "" for text in blocks or ())])
