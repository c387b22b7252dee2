"""Pages with the text that an extractor should find, for evaluation and training.

Three forms are read (docs/training-data.md): a *set*, ``gold.jsonl`` beside ``html/`` as a folder or as one ``.tar.xz``;
coded pages, one JSON object per line with the page and its labelled blocks; and a folder of such sets and files. A line
of ``gold.jsonl`` has ``id``, ``file``, ``enc`` and either ``gold``, the whole text, or ``with`` and ``without``, snippets
that must and must not be in it; ``gold_comments``, ``url``, ``lang`` and ``type`` if they are known.
"""

from __future__ import annotations

import io
import json
import lzma
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paberki.errors import InputError
from paberki.extraction.evaluation.coded_pages import read_coded


@dataclass(slots=True)
class GoldPage:
    """A page and its text; ``gold`` is None where only snippets are known."""

    set: str
    id: str
    html: str = field(repr=False)
    gold: str | None
    good_snippets: list[str] = field(default_factory=list)
    bad_snippets: list[str] = field(default_factory=list)
    url: str | None = None
    lang: str | None = None
    type: str | None = None
    comments: str | None = None
    """What readers wrote below it, where that is known; scored apart."""
    spans: list[tuple[int, int, str]] = field(default_factory=list)
    """Of coded pages the blocks with their labels, by place in the UTF-8 of the page."""


def read_gold(path: Path) -> Iterator[GoldPage]:
    """All pages of a set, a file of coded pages, or a folder of either."""
    if not path.exists():
        raise InputError(f"{path}: no such file or directory")
    if path.is_file():
        yield from _archive(path) if path.name.endswith(".tar.xz") else _coded_pages(path)
    elif (path / "gold.jsonl").is_file():
        yield from _pages(
            path.name, (path / "gold.jsonl").read_bytes(), lambda name: (path / "html" / name).read_bytes()
        )
    else:
        files = sorted(
            [*path.glob("*.tar.xz"), *path.glob("*.jsonl*"), *(one.parent for one in path.glob("*/gold.jsonl"))]
        )
        if not files:
            raise InputError(f"{path}: no sets here (*.tar.xz, */gold.jsonl) and no coded pages (*.jsonl)")
        for one in files:
            yield from read_gold(one)


def _archive(path: Path) -> Iterator[GoldPage]:
    try:
        with lzma.open(path) as xz_file, tarfile.open(fileobj=io.BytesIO(xz_file.read())) as archive:
            files = {member.name: member for member in archive.getmembers() if member.isfile()}

            def read(name: str) -> bytes:
                file = archive.extractfile(files[name])
                assert file is not None  # only files are in the table
                return file.read()

            yield from _pages(path.name.removesuffix(".tar.xz"), read("gold.jsonl"), lambda name: read(f"html/{name}"))
    except (KeyError, lzma.LZMAError, tarfile.TarError, EOFError) as error:
        raise InputError(f"{path} is not a set of pages with gold.jsonl and html/: {error}") from error


def _pages(name: str, lines: bytes, reader: Callable[[str], bytes]) -> Iterator[GoldPage]:
    for number, line in enumerate(lines.decode("utf-8", "replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row: dict[str, Any] = json.loads(line)
            html = reader(str(row["file"])).decode(row.get("enc") or "utf-8", "replace")
            page = GoldPage(
                str(row.get("set") or name), str(row.get("id") or row["file"]), html, row.get("gold") or None,
                list(row.get("with") or ()), list(row.get("without") or ()), row.get("url"), row.get("lang"),
                row.get("type"), row.get("gold_comments") or None,
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, LookupError, OSError) as error:
            raise InputError(f"{name}: line {number} of gold.jsonl is not a page of a set: {error!r}") from error
        yield page


def _coded_pages(path: Path) -> Iterator[GoldPage]:
    for page in read_coded(path):
        if not page.html:
            raise InputError(f"{path}: page {page.id} has no html; evaluation and training need the page itself")
        text = "\n".join(block.text for block in page.blocks if block.kept)
        spans = [(block.start, block.end, block.label) for block in page.blocks]
        yield GoldPage(page.set, page.id, page.html, text, [], [], page.url, page.lang, page.type, spans=spans)
