"""The Ray engine: the same tasks on a cluster that somebody else runs.

Ray gives placement, retries of lost nodes and the cluster itself. The guard is in the task, so a bad page costs one
record here as it does on one machine; files are the only channel, so the corpus must lie on a file system that all
nodes see.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from paberki.engine.task import Follow, Limits, Task, nothing_follows
from paberki.errors import ContractError, MissingExtra, StoreError

RETRIES = 10
"""How often a task is placed again when its node is lost."""
AHEAD = 4
"""Tasks in flight for each worker: enough to keep all busy, few enough to stop soon."""

_supervisors: dict[Limits, Any] = {}
"""In a Ray worker process: its one guarded child, which lives as long as the worker does."""


def run_remote(task: Task, limits: Limits, version: str) -> Any:
    """What runs on a node: check that it is fit for this build, then the task under guard."""
    from paberki import __version__
    from paberki.engine.guard import Supervisor

    if __version__ != version:
        raise ContractError(
            f"a node has paberki {__version__}, the build runs {version}; install the same on all nodes"
        )
    root = getattr(task, "root", None)
    if isinstance(root, Path) and not root.exists():
        raise StoreError(f"{root} is not visible on node {os.uname().nodename}; a cluster needs a shared file system")
    if limits not in _supervisors:
        _supervisors[limits] = Supervisor(limits)
    return _supervisors[limits].run(task)


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

    def __init__(self, jobs: int, limits: Limits, address: str | None = None) -> None:
        try:
            import ray
        except ImportError as error:
            raise MissingExtra("the Ray engine", "ray") from error
        from paberki import __version__

        self._ray, self._limits, self._version = ray, limits, __version__
        self._ours = not ray.is_initialized()
        if self._ours:
            self._connect(jobs, address)
        self._remote = ray.remote(num_cpus=1, max_retries=RETRIES)(run_remote)

    def _connect(self, jobs: int, address: str | None) -> None:
        known = address or os.environ.get("RAY_ADDRESS")
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if known:
            _reach(known)
            settings["address"] = known
        else:
            settings |= {"num_cpus": jobs, "include_dashboard": False, "object_store_memory": 100 << 20}
        try:
            self._ray.init(**settings)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise StoreError(
                f"no Ray cluster at {known or 'this machine'}: {error}; start one with: ray start --head"
            ) from error

    def run(self, tasks: Sequence[Task], follow: Follow = nothing_follows) -> Iterator[tuple[Task, Any]]:
        """Yield every task with its result as it finishes."""
        waiting = list(reversed(tasks))
        running: dict[Any, Task] = {}
        while waiting or running:
            limit = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            while waiting and len(running) < limit:
                task = waiting.pop()
                running[self._remote.remote(task, self._limits, self._version)] = task
            done, _ = self._ray.wait(list(running), num_returns=1, timeout=1.0)
            for reference in done:
                task, result = running.pop(reference), self._result(reference)
                waiting += follow(task, result)
                yield task, result

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
