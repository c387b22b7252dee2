"""The crawl's database: one SQLite file.

All changes since the last commit are in one open transaction, so that a killed crawl finds its frontier exactly as it
was when its WARC files were last committed.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from paberki.errors import StoreError

FORMAT = "3"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS host (
    id INTEGER PRIMARY KEY, name TEXT UNIQUE, delay REAL, next REAL, waiting INTEGER, site TEXT);
CREATE TABLE IF NOT EXISTS template (
    host INTEGER, id INTEGER, name TEXT, waiting INTEGER, tally TEXT, PRIMARY KEY (host, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS queue (
    host INTEGER, template INTEGER, rank INTEGER, id INTEGER, form INTEGER, depth INTEGER, done INTEGER, paths TEXT,
    PRIMARY KEY (host, template, rank, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mark (host INTEGER, id INTEGER, hashes BLOB, PRIMARY KEY (host, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS retry (
    id INTEGER PRIMARY KEY, host INTEGER, template INTEGER, form INTEGER, depth INTEGER, path TEXT,
    tries INTEGER, due REAL);
CREATE TABLE IF NOT EXISTS fate (host INTEGER, form INTEGER, path TEXT, outcome TEXT, time REAL);
CREATE TABLE IF NOT EXISTS file (url TEXT PRIMARY KEY, status INTEGER, body BLOB, time REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS page (
    key INTEGER PRIMARY KEY, host INTEGER, form INTEGER, path TEXT, template INTEGER, digest INTEGER, time REAL,
    etag TEXT, modified TEXT, checks INTEGER, changes INTEGER, good INTEGER, depth INTEGER);
CREATE INDEX IF NOT EXISTS digests ON page (digest);
CREATE TABLE IF NOT EXISTS twin (key INTEGER PRIMARY KEY, page INTEGER);
CREATE TABLE IF NOT EXISTS source (
    host INTEGER, form INTEGER, path TEXT, depth INTEGER, PRIMARY KEY (host, form, path)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS optout (url TEXT, time REAL, source TEXT, name TEXT, value TEXT);
CREATE TABLE IF NOT EXISTS cdxj (warc TEXT, lines TEXT);
CREATE TABLE IF NOT EXISTS warc (name TEXT PRIMARY KEY, committed INTEGER, complete INTEGER) WITHOUT ROWID;
"""


class CrawlDatabase:
    """A connection to ``frontier.sqlite`` in which a transaction is always open."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        path = directory / "frontier.sqlite"
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.execute("PRAGMA journal_mode = WAL")
        # FULL: the sidecars of the WARC files are published right after a commit, so the commit must be durable.
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("PRAGMA cache_size = -64000")
        self.db.execute("PRAGMA mmap_size = 1073741824")
        # Pages that change in every commit are copied from the log to the file only now and then.
        self.db.execute("PRAGMA wal_autocheckpoint = 16384")
        self.db.execute("PRAGMA journal_size_limit = 67108864")
        self._check(path)
        # One transaction for tables and format: a crawl killed between them could not be continued.
        self.db.executescript(f"BEGIN; {_SCHEMA} INSERT OR REPLACE INTO meta VALUES ('format', '{FORMAT}'); COMMIT;")
        self.db.execute("BEGIN")

    def _check(self, path: Path) -> None:
        tables = {name for (name,) in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and ("meta" not in tables or self.get("format") != FORMAT):
            raise StoreError(f"{path}: was written by another version of paberki; move it away to crawl anew")

    def commit(self) -> None:
        """Commit all changes and open the next transaction."""
        self.db.execute("COMMIT")
        self.db.execute("BEGIN")

    def get(self, key: str) -> str | None:
        """A stored value; None if there is none."""
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, value: str) -> None:
        """Store a value."""
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def close(self) -> None:
        """Roll back uncommitted changes and close the file."""
        with contextlib.suppress(sqlite3.DatabaseError):  # damaged; closing rolls back too
            self.db.execute("ROLLBACK")
        self.db.close()
