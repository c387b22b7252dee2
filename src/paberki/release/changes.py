"""What changed between two releases, page by page: by key, and by address where a page was captured again."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from paberki.store.files import replacing
from paberki.store.sql.quoting import quote
from paberki.store.taken_down.tombstones import read_tombstones

if TYPE_CHECKING:
    from paberki.corpus import Corpus

PAGES: Final = "pages.parquet"
"""The kept pages of a release, with a digest of each text."""
_SCHEMA: Final = pa.schema([("key", pa.string()), ("url", pa.string()), ("host", pa.string()), ("text", pa.binary(16))])
_ROWS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Changes:
    """Pages of a release compared with the one before."""

    since: str
    """Version of the release before; empty for the first."""
    pages_in: int
    pages_out: int
    changed: int
    taken_down: int

    def as_json(self) -> dict[str, Any]:
        """The names that people know them by."""
        return {
            "since": self.since or None,
            "in": self.pages_in,
            "out": self.pages_out,
            "changed": self.changed,
            "taken_down": self.taken_down,
        }


def write_pages(corpus: Corpus, path: Path) -> int:
    """Write the kept pages of a corpus with a digest of each text; their number."""
    count, waiting = 0, list[dict[str, Any]]()
    with replacing(path) as beside, pq.ParquetWriter(beside, _SCHEMA, compression="zstd") as writer:
        for page in corpus.pages("key", "url", "host", "text"):
            digest = hashlib.blake2b(page["text"].encode("utf-8", "surrogatepass"), digest_size=16).digest()
            waiting.append({**page, "text": digest})
            count += 1
            if len(waiting) == _ROWS:
                writer.write_table(pa.Table.from_pylist(waiting, _SCHEMA))
                waiting = []
        writer.write_table(pa.Table.from_pylist(waiting, _SCHEMA))
    return count


def changes_since(before: Path | None, now: Path, version_before: str, earlier_keys: Collection[str] = ()) -> Changes:
    """Compare the folders of two releases; ``earlier_keys`` are keys of pages that were taken down before the first of them."""
    tombstone_keys = {stone.key for stone in read_tombstones(now) if stone.key}
    if before is None:
        return Changes("", pq.read_metadata(now / PAGES).num_rows, 0, 0, len(tombstone_keys))
    tombstone_keys.difference_update(earlier_keys)
    connection = duckdb.connect(":memory:")
    try:
        connection.execute(f"CREATE VIEW a AS SELECT * FROM read_parquet({quote(str(before / PAGES))})")
        connection.execute(f"CREATE VIEW b AS SELECT * FROM read_parquet({quote(str(now / PAGES))})")
        return Changes(version_before, *_counts(connection), taken_down=len(tombstone_keys))
    finally:
        connection.close()


def _counts(connection: duckdb.DuckDBPyConnection) -> tuple[int, int, int]:
    """Pages in, out and changed. A page that was captured again has another key, but the same address."""
    (other_text,) = connection.execute(
        "SELECT count(*) FROM a JOIN b USING (key) WHERE a.text <> b.text"
    ).fetchone() or (0,)
    connection.execute("CREATE TEMP TABLE gone AS SELECT url FROM a WHERE key NOT IN (SELECT key FROM b)")
    connection.execute("CREATE TEMP TABLE new AS SELECT url FROM b WHERE key NOT IN (SELECT key FROM a)")
    missing_pages, new, again = (
        int((connection.execute(f"SELECT count({what}").fetchone() or (0,))[0])
        for what in (
            "*) FROM gone",
            "*) FROM new",
            "DISTINCT url) FROM gone WHERE url <> '' AND url IN (SELECT url FROM new)",
        )
    )
    return new - again, missing_pages - again, int(other_text) + again
