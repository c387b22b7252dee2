"""Numbering: committed records of the archive become pages with ids, in shards that never change again.

Files are scanned in ranges side by side. A range begins at something that looks like a record, and content can look
like one, so the end of each range must meet the beginning of the next; where it does not, the next range is scanned
again from the right place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from paberki.archive.archive_rows import is_page, page_row, revisit_row
from paberki.archive.reading.archived_record import RecordLimits
from paberki.archive.reading.warc import Archive
from paberki.engine.task import Engine, Work
from paberki.errors import InputError
from paberki.store import layer
from paberki.store.columns import TIME, builtin, schema
from paberki.store.directory import ArchiveSource, Directory, Manifest, Shard
from paberki.store.files import replacing
from paberki.store.group_hashes import hashes

RANGE = 64 << 20
SCHEMA = schema(builtin("archive"))
SCANNED = pa.schema([field for field in SCHEMA if field.name != "id"])
REVISITS = pa.schema([("url", pa.string()), ("date", TIME), ("since", TIME)])
MAX_SHARDS = 100_000
"""Nine digits of page id: shards of 10,000 pages up to number 99,999."""


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a scan found: where it began and stopped, and how many rows it wrote."""

    begin: int
    stop: int
    rows: int
    errors: int


@dataclass(frozen=True, slots=True)
class ScanTask:
    """Scan the records that start in one range of an archive file."""

    path: Path
    name: str
    start: int
    end: int
    exact: bool
    out: Path

    @property
    def title(self) -> str:
        """For error messages."""
        return f"reading {self.name} from byte {self.start}"

    def run(self, work: Work) -> ScanResult:
        """Write the rows in file order."""
        limits, rows, errors = RecordLimits(), 0, 0
        revisits: list[dict[str, Any]] = []
        if not self.path.exists():
            raise InputError(f"{self.path}: the archive file is missing; put it back or import it again")
        archive = Archive(self.path, limits)
        with archive, replacing(self.out) as beside:
            records = archive.scan(self.start, self.end, exact=self.exact)
            with pq.ParquetWriter(beside, SCANNED, compression="zstd", compression_level=1) as writer:
                for chunk in _chunks(self._pages(records, limits, revisits)):
                    writer.write_table(_table(chunk))
                    rows += len(chunk)
                    errors += sum(row["error"] is not None for row in chunk)
            pq.write_table(pa.Table.from_pylist(revisits, REVISITS), revisits_of(self.out))
            return ScanResult(records.begin, records.stop, rows, errors)

    def _pages(self, records: Any, limits: RecordLimits, revisits: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for record in records:
            if is_page(record):
                yield page_row(record, self.name, limits)
            elif (row := revisit_row(record)) is not None:
                revisits.append(row)


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    """Column by column, which takes half the time of ``Table.from_pylist``."""
    return pa.table([pa.array([row[one.name] for row in rows], one.type) for one in SCANNED], schema=SCANNED)


def revisits_of(scan_file: Path) -> Path:
    """The file beside a scan that holds its revisit records."""
    return scan_file.with_suffix(".revisits")


def _chunks(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    chunk: list[dict[str, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == layer.CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def unsealed(directory: Directory, manifest: Manifest) -> list[tuple[ArchiveSource, int]]:
    """Archive files with committed records that are not numbered yet, and from which byte on."""
    sources = []
    for source in directory.sources():
        covered_bytes = manifest.covered.get(source.name, 0)
        if source.committed > covered_bytes:
            sources.append((source, covered_bytes))
    return sources


def seal(directory: Directory, engine: Engine, on_bytes: Callable[[int, int], None]) -> tuple[Manifest, int]:
    """Number all committed records that are new; the new manifest and the number of damaged records."""
    manifest = directory.manifest()
    new = unsealed(directory, manifest)
    if not new:
        return manifest, 0
    scans = _scan(directory, engine, new, on_bytes)
    errors = sum(scan.errors for _, scan in scans)
    shards = list(manifest.shards)
    for table in _shards(task.out for task, _ in scans):
        if len(shards) >= MAX_SHARDS:
            raise InputError("a corpus holds at most 1,000,000,000 pages; start another one")
        shards.append(_write_shard(directory, len(shards), table))
    revisits = list(manifest.revisits)
    if name := _write_revisits(directory, len(revisits), [revisits_of(task.out) for task, _ in scans]):
        revisits.append(name)
    covered_bytes = manifest.covered | {source.name: source.committed for source, _ in new}
    manifest = Manifest(manifest.format, shards, covered_bytes, revisits)
    directory.seal(manifest)
    for task, _ in scans:
        task.out.unlink(missing_ok=True)
        revisits_of(task.out).unlink(missing_ok=True)
    return manifest, errors


def _scan(
    directory: Directory, engine: Engine, new: list[tuple[ArchiveSource, int]], on_bytes: Callable[[int, int], None]
) -> list[tuple[ScanTask, ScanResult]]:
    tasks = [_range(directory, source, start, end, start == first)
             for source, first in new
             for start, end in _ranges(first, source.committed)]  # fmt: skip
    total, scanned_bytes = sum(task.end - task.start for task in tasks), 0
    results: dict[ScanTask, ScanResult] = {}
    for task, scan in engine.run(tasks):
        results[task] = scan
        scanned_bytes += task.end - task.start
        on_bytes(scanned_bytes, total)
    scans: list[tuple[ScanTask, ScanResult]] = []
    for task in tasks:
        before = scans[-1] if scans and scans[-1][0].name == task.name else None
        if before and results[task].begin != before[1].stop:
            start = before[1].stop
            again = _range(directory, task, start, max(task.end, start), True)
            results[again] = next(iter(engine.run([again])))[1]
            scans.append((again, results[again]))
        else:
            scans.append((task, results[task]))
    return scans


def _ranges(first: int, last: int) -> Iterator[tuple[int, int]]:
    for start in range(first, last, RANGE):
        yield start, min(start + RANGE, last)


def _range(directory: Directory, source: ArchiveSource | ScanTask, start: int, end: int, exact: bool) -> ScanTask:
    out = directory.private / "scan" / f"{source.name}-{start}-{end}.parquet"
    return ScanTask(source.path, source.name, start, end, exact, out)


def _shards(files: Iterable[Path]) -> Iterator[pa.Table]:
    """Rows of all files in order, as tables of one shard each; at most one shard is in memory."""
    waiting: list[pa.Table] = []
    rows = 0
    for path in files:
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, use_threads=False)
                while rows + table.num_rows >= layer.SHARD:
                    fits = layer.SHARD - rows
                    yield pa.concat_tables([*waiting, table.slice(0, fits)])
                    table, waiting, rows = table.slice(fits), [], 0
                waiting.append(table)
                rows += table.num_rows
    if rows:
        yield pa.concat_tables(waiting)


def _write_shard(directory: Directory, number: int, table: pa.Table) -> Shard:
    ids = [f"{number * layer.SHARD + row:09d}" for row in range(table.num_rows)]
    table = table.add_column(0, "id", pa.array(ids, pa.string()))
    keys = hashlib.blake2b("\n".join(table.column("key").to_pylist()).encode(), digest_size=16).hexdigest()
    groups = [table.slice(at, layer.CHUNK) for at in range(0, table.num_rows, layer.CHUNK)]
    layer.write(directory.layer("archive", number), SCHEMA, groups, key=keys, keys=keys)
    return Shard(table.num_rows, keys)


def _write_revisits(directory: Directory, number: int, files: list[Path]) -> str | None:
    """Revisit records in the shape that the join of captures takes them; None when there were none."""
    table = pa.concat_tables([pq.ParquetFile(path).read() for path in files])
    if not table.num_rows:
        return None
    rows = pa.table(
        {
            "group": hashes(table.column("url").combine_chunks()),
            "page": pa.array([-1] * table.num_rows, pa.int64()),
            "date": table.column("date").cast(pa.int64()),
            "since": table.column("since").cast(pa.int64()),
        }
    ).sort_by([("group", "ascending"), ("date", "ascending")])
    name = f"revisits-{number:05d}.parquet"
    with replacing(directory.layers / "archive" / name) as beside:
        pq.write_table(rows, beside, compression="zstd")
    return name
