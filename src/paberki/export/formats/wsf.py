"""Web Standard Format (P4 §2): a set of pages, each with sentences, byte offsets, links and annotation.

The file has the root ``PageSet``; what stands in it is what ``paberki page DIR ID --format xml`` gives for each page.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from paberki.archive.page_payload import page_payload
from paberki.export.export_format import Counts, ExportHead, ExportPiece, Form
from paberki.export.standard_format.linked_pages import LinkedPages
from paberki.export.standard_format.page_rows import page_rows
from paberki.export.standard_format.standard_page import COLUMNS, standard_page
from paberki.export.standard_format.standard_xml import DECLARATION, page_xml
from paberki.store.directory import Directory


def head(about: ExportHead, counts: Counts) -> bytes:
    """What stands before the first page."""
    del about, counts
    return f"{DECLARATION}<PageSet>\n".encode()


def foot(about: ExportHead, counts: Counts) -> bytes:
    """What stands after the last page."""
    del about, counts
    return b"</PageSet>\n"


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """Some pages, one after the other."""
    linked_pages = None
    if about.root is not None:
        directory = Directory(about.root)
        linked_pages = _linked_pages(about.root, directory.manifest().pages, directory.tombstones())
    data = []
    for page in page_rows(pages):
        document = standard_page(page, linked_pages, lambda page=page: _payload(about.root, page))  # type: ignore[misc]
        data.append(page_xml(document).encode("utf-8", "replace"))
    return ExportPiece(b"".join(data), Counter(pages=pages.num_rows))


@lru_cache(maxsize=1)
def _linked_pages(root: Path, _pages: int, _tombstones: frozenset[str]) -> LinkedPages:
    """Made once for an export."""
    return LinkedPages(Directory(root))


def _payload(root: Path | None, page: dict[str, Any]) -> bytes:
    return page_payload(Directory(root).warc, page).data if root is not None else b""


FORM = Form(render, COLUMNS, ".xml", head=head, foot=foot, full_blocks=True, attributes=False)
