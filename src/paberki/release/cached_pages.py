"""Files for people that were made before a take-down, such as reports: those that show the page are removed."""

from __future__ import annotations

import html
import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from paberki.store import layer
from paberki.store.directory import Directory

_LEAST: Final = 25
"""Characters of a text that hardly stand on another page by chance."""
_MOST: Final = 80
_BLOCKS: Final = 40
"""Beginnings of so many blocks are looked for."""


def traces_of(directory: Directory, rows: Mapping[int, Collection[int]]) -> list[str]:
    """Strings by which a file shows that it quotes one of these pages: its title and the beginnings of its blocks."""
    texts = texts_of(directory, rows, most=_BLOCKS)
    return list(dict.fromkeys(text[:_MOST] for text in texts if len(text) >= _LEAST))


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


def remove_cached(folder: Path, traces: Iterable[str]) -> list[Path]:
    """Remove files in a folder that hold one of these strings; what was removed."""
    needles = {form.encode() for text in traces for form in (text, html.escape(text), json.dumps(text)[1:-1])}
    removed_files = []
    for path in sorted(folder.rglob("*")) if needles else ():
        if path.is_file() and any(needle in content for content in [path.read_bytes()] for needle in needles):
            path.unlink(missing_ok=True)
            removed_files.append(path)
    return removed_files
