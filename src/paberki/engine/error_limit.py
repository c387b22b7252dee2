"""When too many records fail: how many of how many, why, and where they can be looked at."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow.compute as pc

from paberki.engine.build_state import BuildState
from paberki.errors import TooManyErrors
from paberki.store import layer
from paberki.store.sql.failed import QUERY, write_failed

DEFAULT_MAX_ERRORS = 0.01
GRACE = 10
"""Failed records that are always tolerated under the default limit: one in a corpus of fifty pages is not 2 %."""
MOST = 100_000
"""Failed records that are written down."""
Chunk = tuple[int, int, tuple[str, ...]]
"""A shard, a chunk of it, and the layers whose parts of it may hold errors."""


@dataclass(slots=True)
class Failures:
    """Failed records of one pass."""

    state: BuildState
    title: str
    failed_count: int = 0
    record_count: int = 0
    """Records that were worked on, failed or not."""
    chunks: list[Chunk] = field(default_factory=list)

    def add(self, shard: int, chunk: int, layers: tuple[str, ...], errors: int, rows: int) -> None:
        """A chunk is done."""
        self.failed_count, self.record_count = self.failed_count + errors, self.record_count + rows
        if errors:
            self.chunks.append((shard, chunk, layers))

    def too_many(self, pages: int) -> bool:
        """Whether more have failed than the user allows of so many pages."""
        return too_many(self.state, self.failed_count, pages)

    def check(self, pages: int) -> None:
        """Give up if there are too many."""
        if self.too_many(pages):
            raise give_up(
                self.state, self.title, self.failed_count, self.record_count, failed_records(self.state, self.chunks)
            )


def too_many(state: BuildState, failed_count: int, pages: int) -> bool:
    """Whether more records failed, of so many, than the user allows."""
    limit = state.options.max_errors
    return failed_count > (limit * pages if limit is not None else max(DEFAULT_MAX_ERRORS * pages, GRACE))


def give_up(
    state: BuildState, stage: str, failed_count: int, pages: int, records: Iterable[dict[str, Any]]
) -> TooManyErrors:
    """What to raise; the records are written where the query that it suggests finds them."""
    rows = list(itertools.islice(records, MOST))
    write_failed(state.directory, rows)
    first = f"; the first: {rows[0]['detail'] or rows[0]['code']} ({rows[0]['url'] or rows[0]['id']})" if rows else ""
    return TooManyErrors(
        f"{failed_count} of {pages} records failed in {stage}, more than --max-errors allows{first}; look at them with: "
        f"paberki sql {shlex.quote(str(state.directory.root))} {shlex.quote(QUERY)}"
    )


def failed_records(state: BuildState, chunks: Sequence[Chunk]) -> Iterator[dict[str, Any]]:
    """Failed rows of finished chunks, in the order of pages."""
    for shard, chunk, names in sorted(chunks):
        with layer.LayerFile(state.directory.layer("archive", shard)) as archive:
            pages = archive.read(chunk, ["id", "url"])
        for name in names:
            part = state.directory.part(name, shard, chunk)
            path, group = (part, 0) if part.exists() else (state.directory.layer(name, shard), chunk)
            if path.exists():
                with layer.LayerFile(path) as file:
                    yield from _rows(pages, file.read(group, ["error"])["error"])


def failed_in_archive(state: BuildState, first: int) -> Iterator[dict[str, Any]]:
    """Records that could not be read, of all shards from one on."""
    for shard in range(first, len(state.manifest.shards)):
        with layer.LayerFile(state.directory.layer("archive", shard)) as archive:
            columns = archive.read_all(["id", "url", "error"])
        yield from _rows(columns, columns["error"])


def failed_count(state: BuildState, name: str, shard: int, chunk: int) -> int:
    """Failed rows in the part of a finished chunk."""
    about = layer.part_footer(path := state.directory.part(name, shard, chunk))
    if about is None or not about.failed:
        return 0
    with layer.LayerFile(path) as part:
        return int(pc.count(part.read(0, ["error"])["error"]).as_py())


def _rows(pages: Any, errors: Any) -> Iterator[dict[str, Any]]:
    for identifier, url, error in zip(
        pages["id"].to_pylist(), pages["url"].to_pylist(), errors.to_pylist(), strict=True
    ):
        if error is not None:
            yield {"id": identifier, "url": url, **error}
