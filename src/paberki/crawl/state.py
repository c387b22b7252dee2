"""The crawl's memory: one SQLite file and the moment at which everything in it becomes true.

All changes since the last commit live in one open transaction, so that a killed crawl finds its frontier
exactly as it was when its WARC files were last made safe.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS host (id INTEGER PRIMARY KEY, name TEXT UNIQUE, delay REAL, next REAL);
CREATE TABLE IF NOT EXISTS url (
    id INTEGER PRIMARY KEY, url TEXT UNIQUE, host INTEGER, depth INTEGER,
    state INTEGER DEFAULT 0, tries INTEGER DEFAULT 0, next REAL DEFAULT 0, outcome TEXT);
CREATE INDEX IF NOT EXISTS queue ON url (host, depth, id) WHERE state = 0;
CREATE TABLE IF NOT EXISTS template (name TEXT PRIMARY KEY, urls INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS robots (origin TEXT PRIMARY KEY, status INTEGER, body BLOB, time REAL);
CREATE TABLE IF NOT EXISTS warc (name TEXT PRIMARY KEY, committed INTEGER, complete INTEGER) WITHOUT ROWID;
"""


class State:
    """Connection to ``frontier.sqlite`` with a transaction always open."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(directory / "frontier.sqlite", isolation_level=None, check_same_thread=False)
        self.db.execute("PRAGMA journal_mode = WAL")
        # FULL: the sidecars of the WARC files are published right after a commit, which must therefore last.
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("PRAGMA cache_size = -100000")
        self.db.executescript(_SCHEMA)
        self.db.execute("BEGIN")

    def commit(self) -> None:
        """Make everything since the last commit last."""
        self.db.execute("COMMIT")
        self.db.execute("BEGIN")

    def get(self, key: str) -> str | None:
        """A remembered value."""
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, value: str) -> None:
        """Remember a value from the next commit on."""
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def close(self) -> None:
        """Forget what was not committed and let go of the file."""
        self.db.execute("ROLLBACK")
        self.db.close()
