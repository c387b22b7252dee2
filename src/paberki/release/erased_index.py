"""Indexes after an erasure: parts that were made of erased pages are made again from the layers."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Collection
from typing import Final

from paberki.errors import PaberkiError
from paberki.query.index.manifest import SegmentEntry, write_manifest
from paberki.query.index.reader import DIRECTORY
from paberki.query.index.writing.building import manifest_before
from paberki.store.directory import Directory
from paberki.store.lock import hold

_DOCUMENTS: Final = "search"
"""Index of documents; statistics of words count what was erased, so it is made again as a whole."""


def erase_from_indexes(directory: Directory, shards: Collection[int], make_index: Callable[[], object]) -> list[str]:
    """Make segments of these shards again, with ``make_index``; notes for whoever asked."""
    out = directory.root / DIRECTORY
    shutil.rmtree(directory.root / _DOCUMENTS, ignore_errors=True)
    with hold(directory.lock("index"), doing="indexing", wait=True):
        manifest = manifest_before(out)
        if manifest is None:
            shutil.rmtree(out, ignore_errors=True)
            return []
        stale = tuple(_stale(entry, shards) for entry in manifest.segments)
        write_manifest(out, dataclasses.replace(manifest, segments=stale))
    try:
        make_index()
    except PaberkiError as error:
        shutil.rmtree(out, ignore_errors=True)
        return [f"the index was removed, since it could not be made without what was erased: {error}"]
    return []


def _stale(entry: SegmentEntry, shards: Collection[int]) -> SegmentEntry:
    """The segment with keys that no shard has, if it holds one of these."""
    if not any(int(shard) in shards for shard in entry.shards):
        return entry
    return dataclasses.replace(entry, shards=dict.fromkeys(entry.shards, ""), columns_key="")
