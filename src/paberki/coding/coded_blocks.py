"""Labelled blocks as training data: a coding file of blocks becomes coded pages for ``paberki train`` (P5's *textrain*).

Labels hang on byte spans. The page is read again from the archive, so that all features of its blocks are there; a block gets
the label whose span covers most of it. Pages on which a block has no label are left out: methods look at neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paberki.archive.page_payload import page_payload
from paberki.coding.coding_file import CodingFile
from paberki.extraction import extract
from paberki.extraction.evaluation.coded_pages import CodedPage, write_coded
from paberki.extraction.html.page_blocks import Block
from paberki.store.reading import LayerTable, read_chunks

_COLUMNS = ("id", "key", "url", "lang", "encoding", "warc_file", "warc_offset", "warc_length")


def write_coded_blocks(table: LayerTable, coding: CodingFile, out: Path) -> tuple[int, int]:
    """Write coded pages; how many there are, and how many pages were left out because a block has no label."""
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for place, label in coding.labels("label").items():
        if place.start is not None and place.end is not None:
            spans.setdefault(place.key, []).append((place.start, place.end, label))
    pages = [_coded_page(table, row, spans[row["key"]], coding.coder) for row in _rows(table, set(spans))]
    whole = [page for page in pages if page is not None]
    write_coded(out, iter(whole))
    return len(whole), len({place.key for place in coding.rows}) - len(whole)


def _rows(table: LayerTable, keys: set[str]) -> Iterator[dict[str, Any]]:
    names = [name for name in _COLUMNS if name in table.columns]
    for chunk in read_chunks(table, names, kept=False):
        yield from (row for row in chunk.to_pylist() if row["key"] in keys)


def _coded_page(
    table: LayerTable, row: dict[str, Any], spans: list[tuple[int, int, str]], coder: str
) -> CodedPage | None:
    payload = page_payload(table.directory.warc, row).data
    blocks = extract(payload, url=row["url"], method="tagpath", encoding=row.get("encoding")).blocks
    for block in blocks:
        label = _label(block, spans)
        if label is None:
            return None
        block.label, block.kept = label, label != "boilerplate"
    return CodedPage(row["id"], blocks, row["url"], row.get("lang"), coder)


def _label(block: Block, spans: list[tuple[int, int, str]]) -> str | None:
    """The label of the span that covers most of a block; None where none touches it."""
    overlaps = [(min(block.end, end) - max(block.start, start), label) for start, end, label in spans]
    best = max(overlaps, default=(0, ""))
    return best[1] if best[0] > 0 else None
