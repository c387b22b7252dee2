"""Queries that can be stopped: by ctrl-C, by SIGTERM and by the clock.

A query runs in a thread of its own, because Python handles signals only in the main thread and only between its own
instructions: during an endless query there, it could not.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import duckdb

from paberki.errors import QueryError

T = TypeVar("T")
_TICK: Final = 0.05


class Interruptible:
    """Runs pieces of work on a connection, all of them together within some seconds."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, seconds: float | None = None) -> None:
        self.connection = connection
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def run(self, work: Callable[[], T]) -> T:
        """What the work returns; what ends the waiting ends the work."""
        answer: list[Any] = []
        failure: list[BaseException] = []
        done = threading.Event()  # Thread.join would call a thread ended where a signal ends the waiting

        def target() -> None:
            try:
                answer.append(work())
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                failure.append(error)
            finally:
                done.set()

        threading.Thread(target=target, daemon=True).start()
        try:
            while not done.wait(_TICK):
                if self._end is not None and time.monotonic() > self._end and not done.is_set():
                    self._stop(done)
                    raise QueryError(f"the query took more than {self._seconds:g} s and was stopped; give it more time")
        except BaseException:
            self._stop(done)
            raise
        if failure:
            raise failure[0]
        result: T = answer[0]
        return result

    def _stop(self, done: threading.Event) -> None:
        while not done.is_set():
            self.connection.interrupt()
            done.wait(_TICK)
