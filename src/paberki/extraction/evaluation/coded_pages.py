"""Coded pages: the one plain format that methods are trained and evaluated on (docs/training-data.md).

A file has one JSON object per line, a page each, with its blocks and the label that a coder gave each of them. A
set of pages with gold text instead (``gold.jsonl`` beside ``html/``, as a folder or ``.tar.xz``) is read as well: a
block is text if its words are in the gold text.
"""

from __future__ import annotations

import io
import json
import lzma
import tarfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from paberki.errors import ConfigError
from paberki.extraction.evaluation.text_measures import tokens
from paberki.extraction.html.elements import cut_for
from paberki.extraction.html.page_blocks import Block
from paberki.extraction.html.segmenter import segment

LABELS: Final = ("text", "header", "boilerplate")
"""text and headings of text are kept, everything else is boilerplate (P5 §3.2; header as in P2 §3)."""
_GRAM: Final = 3
_SHARE: Final = 0.6
"""Share of a block's 3-grams in the gold text from which it counts as text."""


@dataclass(slots=True)
class CodedPage:
    """A page with labelled blocks. ``blocks[n].label`` is what ``coder`` said."""

    id: str
    blocks: list[Block]
    url: str | None = None
    lang: str | None = None
    coder: str = ""
    type: str | None = None
    set: str = ""
    html: str = field(default="", repr=False)


def read_coded(path: Path, method: str = "") -> Iterator[CodedPage]:
    """All pages of a file, a gold set, or a folder of either; pages with gold text are cut as ``method`` wants it."""
    if path.is_dir():
        if (path / "gold.jsonl").exists():
            yield from _gold_pages(
                path.name, (path / "gold.jsonl").read_bytes(), lambda n: (path / "html" / n).read_bytes(), method
            )
            return
        files = sorted(
            [*path.glob("*.jsonl*"), *path.glob("*.tar.xz"), *(one.parent for one in path.glob("*/gold.jsonl"))]
        )
        if not files:
            raise ConfigError(f"{path}: no coded pages (*.jsonl) and no gold sets (gold.jsonl, *.tar.xz)")
        for one in files:
            yield from read_coded(one, method)
    elif not path.exists():
        raise ConfigError(f"{path}: there is no such file")
    elif path.name.endswith(".tar.xz"):
        yield from _pages_in_archive(path, method)
    else:
        yield from _lines(path)


def write_coded(path: Path, pages: Iterator[CodedPage]) -> int:
    """Write pages in the plain format; the result is their number."""
    count = 0
    with path.open("w", encoding="utf-8", errors="replace") as out:
        for page in pages:
            row = {key: value for key, value in asdict(page).items() if value not in ("", None)}
            row["blocks"] = [
                {key: getattr(block, key) for key in _BLOCK_FIELDS} | {"coder": page.coder} for block in page.blocks
            ]
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


_BLOCK_FIELDS: Final = ("text", "start", "end", "path", "tag", "link_chars", "tag_count", "markup", "label")


def _lines(path: Path) -> Iterator[CodedPage]:
    with path.open("rb") as raw:
        lines = lzma.open(raw) if path.suffix == ".xz" else raw  # noqa: SIM115 - closed with the file below it
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield _page(json.loads(line), path.stem)
            except (ValueError, KeyError, TypeError) as error:
                raise ConfigError(f"{path}, line {number}: not a coded page ({error})") from error


def _page(row: dict[str, Any], name: str) -> CodedPage:
    blocks = []
    for one in row["blocks"]:
        text, label = str(one["text"]), str(one["label"])
        if label not in LABELS:
            raise ValueError(f"label {label!r} is none of {', '.join(LABELS)}")
        block = Block(
            text, int(one.get("start", 0)), int(one.get("end", len(text))), str(one.get("path", "")),
            str(one.get("tag", "p")), int(one.get("link_chars", 0)), int(one.get("tag_count", 0)), label,
        )  # fmt: skip
        block.kept = label != "boilerplate"
        block.markup = float(one.get("markup", 0.0))
        blocks.append(block)
    coder = str(row.get("coder") or next((one["coder"] for one in row["blocks"] if one.get("coder")), ""))
    return CodedPage(
        str(row["id"]), blocks, row.get("url"), row.get("lang"), coder, row.get("type"), str(row.get("set") or name),
        str(row.get("html", "")),
    )  # fmt: skip


def _pages_in_archive(path: Path, method: str) -> Iterator[CodedPage]:
    with lzma.open(path) as xz_file, tarfile.open(fileobj=io.BytesIO(xz_file.read())) as archive:

        def member(name: str) -> bytes:
            file = archive.extractfile(name)
            if file is None:
                raise ConfigError(f"{path}: no file {name} in the archive")
            return file.read()

        try:
            gold = member("gold.jsonl")
        except KeyError as error:
            raise ConfigError(f"{path}: no gold.jsonl in the archive") from error
        yield from _gold_pages(path.name.removesuffix(".tar.xz"), gold, lambda name: member(f"html/{name}"), method)


def _gold_pages(name: str, gold: bytes, reader: Any, method: str) -> Iterator[CodedPage]:
    for line in gold.decode("utf-8").splitlines():
        row = json.loads(line) if line.strip() else {}
        if not row.get("gold"):
            continue
        html = reader(row["file"]).decode(row.get("enc") or "utf-8", "replace")
        blocks = segment(html).blocks
        align(blocks, row["gold"])
        if cut_for(method).every_tag:
            pieces = segment(html, cut_for(method)).blocks
            inherit(pieces, blocks)
            blocks = pieces
        yield CodedPage(str(row["id"]), blocks, row.get("url"), row.get("lang"), "gold", row.get("type"), name, html)


def align(blocks: list[Block], gold: str) -> None:
    """Label blocks in place by a gold text: text where the words of a block are in it, header if it is a heading."""
    words = tokens(gold)
    grams = {tuple(words[at : at + _GRAM]) for at in range(len(words) - _GRAM + 1)}
    lines = {tuple(tokens(line)) for line in gold.splitlines()}
    for block in blocks:
        own = tokens(block.text)
        if len(own) >= _GRAM:
            mine = [tuple(own[at : at + _GRAM]) for at in range(len(own) - _GRAM + 1)]
            block.kept = sum(gram in grams for gram in mine) >= _SHARE * len(mine)
        else:
            block.kept = bool(own) and tuple(own) in lines
        heading = block.tag in ("h1", "h2", "h3", "h4", "h5", "h6")
        block.label = ("header" if heading else "text") if block.kept else "boilerplate"


def inherit(pieces: list[Block], blocks: list[Block]) -> None:
    """Label pieces of blocks in place by the block that each is a part of: a word alone is in no gold text."""
    around = iter(blocks)
    block = next(around, None)
    for piece in pieces:
        while block is not None and block.end <= piece.start:
            block = next(around, None)
        if block is not None and block.start <= piece.start:
            piece.label, piece.kept = block.label, block.kept
        else:
            piece.label, piece.kept = "boilerplate", False
