"""Exports: hits or pages in a file, made in the background and fetched when ready.

A file belongs to the state of the corpus that it was made from. When that changes (a page was taken down, say), the file
is gone.
"""

from __future__ import annotations

import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from paberki.errors import PaberkiError, QueryError
from paberki.nearest import nearest
from paberki.serve.jobs import be_nice
from paberki.serve.json_answers import CountState, Refusal, not_found
from paberki.store.scratch import Scratch

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits
    from paberki.serve.library import Edition

__all__ = ["HIT_FORMATS", "Exports", "ServedExport", "page_formats", "write_hits_file"]

HIT_FORMATS: Final = {
    "csv": "text/csv", "tsv": "text/tab-separated-values", "jsonl": "application/x-ndjson", "text": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "conllu": "text/plain",
    "vert": "text/plain",
}  # fmt: skip
"""Formats of hits and their media types."""
_ENDINGS: Final = {"text": "txt"}
_MOST: Final = 16
_AT_ONCE: Final = 2


def page_formats() -> list[str]:
    """Formats of whole pages."""
    from paberki.export import FORMATS

    return sorted(FORMATS)


def write_hits_file(hits: Hits, form: str, path: Path, view: str = "kwic") -> int:
    """Hits into a file; how many."""
    from paberki.query.hits.hit_export import header_of, write_hits

    if form not in HIT_FORMATS:
        raise QueryError(
            f"no format {form[:40]!r}{nearest(form[:40], HIT_FORMATS)}; there are: {', '.join(HIT_FORMATS)}"
        )
    header = header_of(hits)
    with path.open("wb") if form == "xlsx" else path.open("w", encoding="utf-8", errors="replace") as file:
        write_hits(file, form, hits, first=None, view=view, header=header)
    return int(header["hits"])


class ServedExport:
    """One export."""

    def __init__(self, edition: Edition, form: str, folder: Path, make: Callable[[Path], int]) -> None:
        self.id, self.edition, self.form = uuid4().hex, edition, form
        self.path = folder / f"{self.id}.{_ENDINGS.get(form, form)}"
        self._make = make
        self.count = CountState(0, "running", 0.0)
        self.error: str | None = None
        self.cancelled = False

    @property
    def file_name(self) -> str:
        """How a browser calls the file."""
        safe = "".join(char if char.isalnum() and char.isascii() else "-" for char in self.edition.name)
        return f"{safe}-{self.edition.build}.{_ENDINGS.get(self.form, self.form)}"

    def run(self) -> None:
        """Make the file; to be called in a thread of the background."""
        try:
            number = 0 if self.cancelled else self._make(self.path)
            self.count = CountState(number, "stopped" if self.cancelled else "done", 1.0)
        except (PaberkiError, OSError, MemoryError) as error:
            self.error = str(error)
            self.count = CountState(0, "stopped", 0.0)
        if self.count.state == "stopped":
            self.remove()

    def cancel(self) -> None:
        """Throw the file away when it is there."""
        self.cancelled = True
        if self.count.state == "done":
            self.count = CountState(self.count.value, "stopped", 1.0)
            self.remove()

    def remove(self) -> None:
        """Remove the file."""
        if self.path.is_dir():
            shutil.rmtree(self.path, ignore_errors=True)
        else:
            self.path.unlink(missing_ok=True)


class Exports:
    """All exports of a server; files live as long as the process, in a folder of its own."""

    def __init__(self) -> None:
        self._scratch: Scratch | None = None
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, ServedExport] = OrderedDict()
        self._pool = ThreadPoolExecutor(_AT_ONCE, "export", initializer=be_nice)

    def folder(self) -> Path:
        """Where files are written."""
        with self._lock:
            if self._scratch is None:
                self._scratch = Scratch()
            return self._scratch.path

    def start(self, edition: Edition, form: str, make: Callable[[Path], int]) -> ServedExport:
        """Begin an export; ``make`` writes a file and says how many things are in it."""
        job = ServedExport(edition, form, self.folder(), make)
        with self._lock:
            while len(self._jobs) >= _MOST:
                oldest = next((one for one in self._jobs.values() if one.count.state != "running"), None)
                if oldest is None:
                    raise Refusal(429, f"{len(self._jobs)} exports are running; wait for one", retry_after=10)
                oldest.remove()
                del self._jobs[oldest.id]
            self._jobs[job.id] = job
        self._pool.submit(job.run)
        return job

    def find(self, job_id: str) -> ServedExport | None:
        """The export of that id, if there is one."""
        return self._jobs.get(job_id)

    def all(self) -> list[ServedExport]:
        """All exports, the last one first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def file(self, job_id: str, edition: Edition) -> ServedExport:
        """An export whose file can be fetched: it is ready, and made from the corpus as it is now."""
        job = self._jobs.get(job_id)
        if job is None or job.count.state == "stopped":
            raise not_found(f"no export {job_id[:80]!r}")
        if job.edition is not edition:
            job.cancel()
            raise not_found("the corpus has changed since this export was made; ask for it again")
        if job.count.state == "running":
            raise Refusal(409, "the export is not ready; ask for its job", retry_after=2)
        return job

    def stop(self) -> None:
        """Throw all files away."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._scratch is not None:
            self._scratch.close()
