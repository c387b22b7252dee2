"""The local engine: as many guarded children as jobs, fed by threads."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from paberki.engine.task import Follow, RecordBudget, Task, nothing_follows
from paberki.engine.workers.guard import Supervisor


class LocalEngine:
    """Default engine: this machine."""

    def __init__(self, jobs: int, limits: RecordBudget) -> None:
        self.jobs = jobs
        self._supervisors = [Supervisor(limits) for _ in range(jobs)]
        self._todo: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Task, Any, BaseException | None]] = queue.SimpleQueue()
        # The threads live as long as the engine: on Linux a child dies with the thread that started it.
        self._threads = [
            threading.Thread(target=self._feed, args=(supervisor,), daemon=True) for supervisor in self._supervisors
        ]
        for thread in self._threads:
            thread.start()

    def _feed(self, supervisor: Supervisor) -> None:
        while (task := self._todo.get()) is not None:
            try:
                self._results.put((task, supervisor.run(task), None))
            except BaseException as error:  # noqa: BLE001 - handed to the thread that waits for it
                self._results.put((task, None, error))

    def run(self, tasks: Sequence[Task], follow: Follow = nothing_follows) -> Iterator[tuple[Task, Any]]:
        """Yield every task with its result as it finishes."""
        for task in tasks:
            self._todo.put(task)
        running = len(tasks)
        while running:
            task, result, error = self._next()
            if error is not None:
                raise error
            more = follow(task, result)
            for one in more:
                self._todo.put(one)
            running += len(more) - 1
            yield task, result

    @property
    def cpu_seconds(self) -> float:
        """CPU time of all tasks so far."""
        return sum(supervisor.cpu_seconds for supervisor in self._supervisors)

    def take_peak(self) -> int:
        """Most memory that a task took since this was last asked."""
        most = max(supervisor.peak_bytes for supervisor in self._supervisors)
        for supervisor in self._supervisors:
            supervisor.peak_bytes = 0
        return most

    def _next(self) -> tuple[Task, Any, BaseException | None]:
        while True:
            try:
                # A wait without time-out would not let ctrl-C through on every platform.
                return self._results.get(timeout=0.2)
            except queue.Empty:
                continue

    def close(self) -> None:
        """Stop all workers now."""
        for supervisor in self._supervisors:
            supervisor.stop_event.set()
        for _ in self._threads:
            self._todo.put(None)
        for supervisor in self._supervisors:
            if supervisor.child is not None:
                supervisor.child.process.kill()
        for thread in self._threads:
            thread.join(timeout=2)
        for supervisor in self._supervisors:
            supervisor.close()
