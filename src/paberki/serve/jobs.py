"""Searches that go on in the background: counted, watched, stopped.

A job counts the hits of a question while the reader looks at the first of them. Equal questions to the same edition share
a job. Threads that count have a lower priority, so that first pages of others do not wait for them.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from paberki.errors import PaberkiError
from paberki.serve.json_answers import CountState, Refusal, not_found

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits
    from paberki.serve.library import Edition
    from paberki.serve.question import Question
    from paberki.serve.server_settings import ServerSettings

__all__ = ["Job", "Jobs", "be_nice"]

_NICENESS = 5
"""Low, but not so low that a thread that holds Python's lock waits long for a core."""
_LONG_WAIT = 1.0
_KEPT_TABLE_BYTES = 64 << 20
"""Hits of a job that take more memory are not kept for the next pages."""


class Job:
    """One search: how many hits there are so far, and the hits once all of them are there."""

    def __init__(self, question: Question, edition: Edition, again: Callable[[], Hits]) -> None:
        self.id, self._creation_time, self._again = uuid4().hex, time.monotonic(), again
        hits = again()
        self.is_submitted = False
        """Whether it counts, or waits to."""
        self.question, self.edition = question, edition
        self._hits: Hits | None = hits
        self._search = hits.search
        self._counts_directly = not hits.steps
        self._lower_bound = 0
        self._result: CountState | None = None
        self._cancelled = False
        self.error: PaberkiError | None = None
        self.end_event = threading.Event()
        self.pages: dict[Any, Any] = {}
        """Pages of lines that were shown."""
        self._watchers: list[Callable[[], object]] = []

    def run(self) -> None:
        """Count; to be called in a thread of the background."""
        if self.end_event.is_set():
            return
        if not self._cancelled and time.monotonic() - self._creation_time > _LONG_WAIT:
            self._hits = self._again()  # the time of the first one began when the job was made
            self._search = self._hits.search
        try:
            value = 0 if self._cancelled or self._hits is None else self._hits.count()
            progress = self._search.progress()
            state = "stopped" if self._cancelled or progress.state == "stopped" else "done"
            self._result = CountState(value, state, progress.searched if state == "stopped" else 1.0)
            self._forget_large_table()
        except PaberkiError as error:
            self.error = error
        except MemoryError:
            self.error = Refusal(503, "there is no memory for so many hits; ask for fewer", retry_after=5)
        finally:
            self._end(self._result or CountState(self._lower_bound, "stopped", self._search.progress().searched))

    def _end(self, result: CountState) -> None:
        self._result = result
        self.end_event.set()
        for watcher in self._watchers:
            watcher()

    def finish(self, result: CountState) -> None:
        """The count is known already: a first page was all there is."""
        if not self.is_submitted:
            self.is_submitted, self._hits = True, None
            self._end(result)

    def _forget_large_table(self) -> None:
        table = None if self._hits is None else self._hits.__dict__.get("table")
        if table is None or table.size_bytes > _KEPT_TABLE_BYTES:
            self._hits = None

    @property
    def size_bytes(self) -> int:
        """Memory that its hits take."""
        table = None if self._hits is None else self._hits.__dict__.get("table")
        return 0 if table is None else int(table.size_bytes)

    def count(self) -> CountState:
        """How far the count is."""
        if self._result is not None:
            return self._result
        progress = self._search.progress()
        # The search counts before hits are filtered by steps: then what was shown is all that is sure.
        value = progress.value if self._counts_directly else 0
        return CountState(max(value, self._lower_bound), "running", progress.searched)

    def saw(self, rows: int) -> None:
        """So many hits there are at least: somebody has seen them."""
        self._lower_bound = max(self._lower_bound, rows)

    def cancel(self) -> None:
        """Stop counting, within 100 ms."""
        self._cancelled = True
        self._search.cancel()

    def wait(self, seconds: float) -> CountState:
        """The count after some time at most."""
        self.end_event.wait(seconds)
        return self.count()

    @property
    def hits(self) -> Hits | None:
        """All hits, if the job has ended and still has them."""
        return self._hits if self.end_event.is_set() and self.count().state == "done" else None

    def watch(self, watcher: Callable[[], object]) -> None:
        """Call a function at the end; at once if that is over."""
        self._watchers.append(watcher)
        if self.end_event.is_set():
            watcher()


class Jobs:
    """All jobs of a server. Those that ended first are forgotten first."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._by_question: dict[Any, Job] = {}
        self._pool = ThreadPoolExecutor(settings.running_jobs, "count", initializer=be_nice)

    def start(self, edition: Edition, question: Question, *, count: bool = True) -> Job:
        """The job of a question, which runs now or has run already; errors of the query are raised here.

        Without ``count`` it waits for :meth:`count`: a first page comes first, so that one question takes one core.
        """
        key = (id(edition), question)
        with self._lock:
            job = self._by_question.get(key)
            if job is not None and job.error is None and job.count().state != "stopped":
                self._jobs.move_to_end(job.id)
        if job is not None and job.error is None and job.count().state != "stopped":
            if count:
                self.count(job)
            return job
        job = Job(question, edition, lambda: question.hits(edition, self._settings))
        with self._lock:
            self._make_room(edition)
            self._jobs[job.id] = job
            self._by_question[key] = job
        if count:
            self.count(job)
        return job

    def count(self, job: Job) -> None:
        """Begin to count, unless that was done."""
        with self._lock:
            if job.is_submitted:
                return
            job.is_submitted = True
        self._pool.submit(job.run)

    def _make_room(self, edition: Edition) -> None:
        """Forget jobs of earlier states of the corpus, and the oldest ones where there are many."""
        finished_jobs = [job for job in self._jobs.values() if job.end_event.is_set()]
        running = len(self._jobs) - len(finished_jobs)
        if running >= self._settings.waiting_jobs:
            raise Refusal(429, f"{running} searches are running or waiting; wait for one, or stop one", retry_after=2)
        size = sum(job.size_bytes for job in finished_jobs)
        for job in finished_jobs:
            is_old = job.edition is not edition and job.edition.root == edition.root
            if is_old or len(self._jobs) >= self._settings.jobs or size > self._settings.jobs_memory_bytes:
                size -= job.size_bytes
                self._remove(job)

    def _remove(self, job: Job) -> None:
        del self._jobs[job.id]
        for key in [key for key, one in self._by_question.items() if one is job]:
            del self._by_question[key]

    def get(self, job_id: str) -> Job:
        """The job of that id."""
        with self._lock:
            if job_id not in self._jobs:
                raise not_found(f"no job {job_id[:80]!r}; it may be forgotten: ask the question again")
            return self._jobs[job_id]

    def running(self) -> int:
        """How many jobs run now."""
        with self._lock:
            return sum(not job.end_event.is_set() for job in self._jobs.values())

    def stop(self) -> None:
        """Stop all jobs and take no more."""
        with self._lock:
            for job in self._jobs.values():
                job.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)


def be_nice() -> None:
    """Give this thread a low priority; where the system has none for threads, nothing happens."""
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
