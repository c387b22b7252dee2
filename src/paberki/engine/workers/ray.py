"""The Ray engine: the same tasks on a cluster that somebody else runs.

Ray gives placement, retries of lost nodes and the cluster itself. The guard is in the task, so a bad page costs one
record here as it does on one machine; files are the only channel, so the corpus must lie on a file system that all
nodes see.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from paberki import kernels
from paberki.engine.task import Follow, RecordBudget, Task, nothing_follows
from paberki.engine.workers.node_likeness import differences, traits
from paberki.errors import ContractError, MissingExtra, StoreError

RETRIES = 10
"""How often a task is placed again when its node is lost."""
AHEAD = 4
"""Tasks in flight for each worker: enough to keep all busy, few enough to stop soon."""

_supervisors: dict[RecordBudget, Any] = {}
"""In a Ray worker process: its one guarded child, which lives as long as the worker does."""


def run_remote(task: Task, limits: RecordBudget, expected_traits: Mapping[str, str]) -> tuple[Any, float, int]:
    """What runs on a node: check that it is fit for this build, have ready what the task needs, then run it under guard.

    The result of the task, its CPU seconds and the most memory that it took.
    """
    from paberki.engine.workers.guard import Supervisor

    if words := differences(expected_traits, _own_traits()):
        raise ContractError(
            f"node {os.uname().nodename} would not make the same bytes: {'; '.join(words)}. Install the same on all nodes"
        )
    root = getattr(task, "root", None)
    if isinstance(root, Path) and not root.exists():
        raise StoreError(f"{root} is not visible on node {os.uname().nodename}; a cluster needs a shared file system")
    kernels.compile_all(kernels.used_by(stages_of(task)))
    if limits not in _supervisors:
        _supervisors[limits] = Supervisor(limits)
    supervisor = _supervisors[limits]
    before, supervisor.peak_bytes = supervisor.cpu_seconds, 0
    result = supervisor.run(task)
    return result, supervisor.cpu_seconds - before, supervisor.peak_bytes


@lru_cache(maxsize=1)
def _own_traits() -> dict[str, str]:
    """Of a worker, which does not change while it lives."""
    return traits()


def stages_of(task: Any) -> list[str]:
    """Names of the stages that a task runs."""
    runs = getattr(task, "runs", ()) or [getattr(task, "stage", None)]
    return [run.name for run in runs if run is not None]


def _reach(address: str) -> None:
    """Ray waits for minutes for a cluster that is not there; a plain connection tells at once."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdigit():
        return  # "auto" and the like
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise StoreError(f"no Ray cluster at {address} ({error}); start one with: ray start --head") from error


class RayEngine:
    """Tasks as Ray core tasks."""

    def __init__(self, jobs: int, limits: RecordBudget, address: str | None = None) -> None:
        try:
            import ray
        except ImportError as error:
            raise MissingExtra("the Ray engine", "ray") from error
        self._ray, self._limits, self._traits = ray, limits, traits()
        self.cpu_seconds = 0.0
        self._peak_bytes = 0
        self._ours = not ray.is_initialized()
        if self._ours:
            self._connect(jobs, address)
        self._remote = ray.remote(num_cpus=1, max_retries=RETRIES)(run_remote)

    def _connect(self, jobs: int, address: str | None) -> None:
        cluster = address or os.environ.get("RAY_ADDRESS")
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if cluster:
            _reach(cluster)
            settings["address"] = cluster
        else:
            settings |= {"num_cpus": jobs, "include_dashboard": False, "object_store_memory": 100 << 20}
        try:
            self._ray.init(**settings)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise StoreError(
                f"no Ray cluster at {cluster or 'this machine'}: {error}; start one with: ray start --head"
            ) from error

    def run(self, tasks: Sequence[Task], follow: Follow = nothing_follows) -> Iterator[tuple[Task, Any]]:
        """Yield every task with its result as it finishes."""
        waiting = list(reversed(tasks))
        running: dict[Any, Task] = {}
        while waiting or running:
            limit = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            while waiting and len(running) < limit:
                task = waiting.pop()
                running[self._remote.remote(task, self._limits, self._traits)] = task
            ready_references, _ = self._ray.wait(list(running), num_returns=1, timeout=1.0)
            for reference in ready_references:
                task, (result, cpu, peak) = running.pop(reference), self._result(reference)
                self.cpu_seconds += cpu
                self._peak_bytes = max(self._peak_bytes, peak)
                waiting += follow(task, result)
                yield task, result

    def take_peak(self) -> int:
        """Most memory that a task took since this was last asked."""
        most, self._peak_bytes = self._peak_bytes, 0
        return most

    def _result(self, reference: Any) -> Any:
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else error) from None
        except self._ray.exceptions.RayError as error:
            raise StoreError(f"the cluster lost a task for good: {error}") from error

    def close(self) -> None:
        """Leave the cluster; one that we started ends with us."""
        if self._ours:
            self._ray.shutdown()
