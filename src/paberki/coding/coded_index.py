"""Labels in queries: every labelled page or span is a region of the structure ``code``.

``[lemma="grad"] within <code aim="fiction"/>`` finds words of pages that were coded as fiction, ``<code label="3"/>`` the
lines of category 3. Attributes are the variables of all tasks, ``task`` and ``coder``; where two people coded a page, it is
a region twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from paberki.coding.coding_file import Coding
from paberki.coding.coding_store import FOLDER, CodingStore
from paberki.errors import PaberkiError
from paberki.query.sources.overlay import Overlay, OverlayRegion
from paberki.store.directory import Directory
from paberki.store.taken_down.tombstones import file_version
from paberki.store.token_bytes import TokenBytes

if TYPE_CHECKING:
    from paberki.query.index.reader import Index
    from paberki.query.index.segment import Segment

__all__ = ["NAME", "coded", "stamp_of"]

NAME: Final = "code"
_PAGE: Final = "doc"


def stamp_of(directory: Directory) -> str:
    """What changes with every label; empty where nothing was coded."""
    files = sorted((directory.root / FOLDER).glob("*/*.*"))
    return " ".join(f"{path.parent.name}/{path.name}:{_version(path)}" for path in files)


def _version(path: Path) -> str:
    return "-".join(map(str, file_version(path) or ()))


def coded(index: Index, directory: Directory) -> Index:
    """The index with the labels of its corpus; labels are read when a query asks for them."""
    stamp = stamp_of(directory)
    if not stamp or NAME in index.manifest.structures or "key" not in index.structures.get(_PAGE, ()):
        return index
    store = CodingStore(directory)
    variables = dict.fromkeys(name for task in _tasks(store) for name in store.scheme(task).names)
    names = tuple(name for name in variables if name not in ("task", "coder"))
    rows = cache(lambda: list(_rows(store)))
    places = TokenBytes(directory)
    return index.with_overlay(
        Overlay(NAME, (*names, "task", "coder"), lambda segment: _regions(segment, rows(), places), stamp)
    )


def _tasks(store: CodingStore) -> list[str]:
    """Tasks whose scheme can be read; for others, opening them gives the error."""
    tasks = []
    for task in store.tasks():
        try:
            store.scheme(task)
        except PaberkiError:
            continue
        tasks.append(task)
    return tasks


def _rows(store: CodingStore) -> Iterator[tuple[str, str, Coding]]:
    """Task, coder and codings that have a label."""
    for task in _tasks(store):
        for coder in store.coders(task):
            try:
                rows = store.read(task, coder).rows.values()
            except PaberkiError:
                continue
            yield from ((task, coder, row) for row in rows if row.labels)


def _regions(segment: Segment, rows: Sequence[tuple[str, str, Coding]], places: TokenBytes) -> list[OverlayRegion]:
    """The labelled pages and spans of a segment."""
    pages = segment.structure(_PAGE)
    keys, numbers = pages.attribute("key"), pages.attribute("id")
    regions = []
    for task, coder, row in rows:
        value = keys.id_of(row.place.key)
        if value < 0:
            continue
        for at in np.flatnonzero(np.asarray(keys.ids) == value).tolist():
            start, end = int(pages.starts[at]), int(pages.ends[at])
            if row.place.start is not None and row.place.end is not None:
                page = int(numbers.value(int(numbers.ids[at])) or -1)
                tokens = places.tokens(page, row.place.start, row.place.end, end - start)
                if tokens is None:
                    continue
                start, end = start + tokens[0], start + tokens[1]
            regions.append(OverlayRegion(start, end, {**row.labels, "task": task, "coder": coder}))
    return regions
