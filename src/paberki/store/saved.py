"""Queries that people have saved with a corpus, by name: ``saved.json`` in its directory."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from paberki.errors import ConfigError
from paberki.store.files import read_json, write_json
from paberki.store.lock import hold

__all__ = ["SavedQueries"]

FILE: Final = "saved.json"
_MOST: Final = 10_000
_LONGEST_NAME: Final = 200


class SavedQueries:
    """Saved queries of one corpus.

    >>> import tempfile
    >>> saved = SavedQueries(Path(tempfile.mkdtemp()))
    >>> _ = saved.save("towns", {"q": '[lemma="grad"]'})
    >>> [one["name"] for one in saved.all()]
    ['towns']
    """

    def __init__(self, root: Path) -> None:
        self._path, self._lock = root / FILE, root / ".paberki" / "saved.lock"

    def all(self) -> list[dict[str, Any]]:
        """All saved queries, the last one first."""
        try:
            content = read_json(self._path)
        except FileNotFoundError:
            return []
        rows = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
        return sorted(rows, key=lambda one: str(one.get("time")), reverse=True)

    def save(self, name: str, content: dict[str, Any]) -> dict[str, Any]:
        """Save a query under a name; one that has the name already is replaced."""
        if not name.strip() or len(name) > _LONGEST_NAME:
            raise ConfigError(f"a name has between 1 and {_LONGEST_NAME} characters")
        entry = {"name": name.strip(), **content, "time": datetime.now(UTC).isoformat(timespec="microseconds")}
        with hold(self._lock, doing="saving a query", wait=True):
            others = [one for one in self.all() if one.get("name") != entry["name"]]
            if len(others) >= _MOST:
                raise ConfigError(f"{_MOST} queries are saved; remove one first")
            write_json(self._path, [entry, *others])
        return entry

    def remove(self, name: str) -> bool:
        """Remove a saved query; whether there was one."""
        with hold(self._lock, doing="removing a query", wait=True):
            rows = self.all()
            others = [one for one in rows if one.get("name") != name]
            if len(others) < len(rows):
                write_json(self._path, others)
            return len(others) < len(rows)
