"""Erase pages for good: overwrite their records, and remove them from everything that was made of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from paberki.archive.blank_record import blank_record
from paberki.archive.reading.warc import Archive
from paberki.store import layer
from paberki.store.directory import Directory
from paberki.store.files import explain, read_json, replacing, write_json
from paberki.store.sql.failed import forget_failed
from paberki.store.taken_down.hiding import hide_in_saved

_PLACE: Final = ("key", "warc_file", "warc_offset", "warc_length")
_COMPANIONS: Final = ("request", "metadata")
"""Records behind a page that belong to it."""
_MOST_COMPANIONS: Final = 3
_INTERMEDIATE: Final = ("join", "fit", "scan")


def erase_pages(directory: Directory, rows: Mapping[int, Collection[int]], ids: Collection[str]) -> list[str]:
    """Erase these rows of these shards from archives and intermediate files; notes for whoever asked.

    The rows are hidden in the layers already. Call it with the lock of the layers.
    """
    notes: list[str] = []
    places = [place for shard, mine in rows.items() for place in _places(directory, shard, mine)]
    for name in sorted({place["warc_file"] for place in places}):
        mine = [place for place in places if place["warc_file"] == name]
        try:
            notes += _overwrite(directory, name, mine)
        except OSError as error:
            raise explain(error, f"erasing in {directory.warc / name}") from error
    for shard, some in rows.items():
        hide_in_saved(directory, shard, some, ids)
    for folder in _INTERMEDIATE:
        shutil.rmtree(directory.private / folder, ignore_errors=True)
    forget_failed(directory)
    return notes


def _places(directory: Directory, shard: int, rows: Collection[int]) -> list[dict[str, Any]]:
    with layer.LayerFile(directory.layer("archive", shard)) as file:
        columns = file.read_all(list(_PLACE))
    return [{name: columns[name][row].as_py() for name in _PLACE} for row in sorted(rows)]


def _overwrite(directory: Directory, name: str, places: Sequence[dict[str, Any]]) -> list[str]:
    """Overwrite records of one archive. A linked archive belongs to somebody else: the corpus gets a copy of its own."""
    path = directory.warc / name
    if not path.exists():
        return [f"{path} is missing; if it comes back, type the same again"]
    _expect_change(directory, name)
    if not path.is_symlink():
        _blank(path, places)
        return []
    original = path.resolve()
    with replacing(path) as beside:
        shutil.copyfile(original, beside)
        _blank(beside, places)
    return [
        f"{original} lies outside of the corpus and still holds what was erased; the corpus has a copy without it now"
    ]


def _expect_change(directory: Directory, name: str) -> None:
    """The digest stays, so that the file is not imported a second time, but the content need not match it any more."""
    sidecar = directory.warc / f"{name}.json"
    facts = read_json(sidecar)
    if facts.get("sha256") and facts.get("modified") is not None:
        write_json(sidecar, {**facts, "modified": None, "erased": True})


def _blank(path: Path, places: Sequence[dict[str, Any]]) -> None:
    with Archive(path) as archive:
        form = archive.format
        records = [(place["key"], place["warc_offset"], place["warc_length"]) for place in places]
        for place in places:
            records += _companions(archive, place["key"], place["warc_offset"] + place["warc_length"])
    with open(path, "r+b") as file:
        for key, offset, length in records:
            file.seek(offset)
            file.write(blank_record(form, key, length))
        file.flush()
        os.fsync(file.fileno())


def _companions(archive: Archive, key: str, at: int) -> list[tuple[str, int, int]]:
    """Positions of the request and the metadata of the page before them."""
    records: list[tuple[str, int, int]] = []
    while at < archive.size and len(records) < _MOST_COMPANIONS:
        record = archive.read(at)
        if record.type not in _COMPANIONS:
            break
        records.append((key, at, record.length))
        at += record.length
    return records
