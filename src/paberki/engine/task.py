"""A task: a piece of work over files that any engine can run anywhere.

Tasks are small, picklable and independent; files are the only channel between them. Running one twice does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Caution:
    """What the supervisor knows about dangerous rows of a chunk, from workers that died."""

    alone: frozenset[int] = frozenset()
    """Rows to be worked on one at a time."""
    banned_rows: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Rows not to be touched any more, with the code and detail of their error."""


@dataclass(slots=True)
class Work:
    """What a running task gets: rows to be careful with, and a function that reports which rows it works on."""

    caution: Caution
    beat: Callable[[int, int], None]


class Task(Protocol):
    """Anything with ``run``; the result is small and picklable."""

    @property
    def title(self) -> str:
        """What the task does, for error messages."""
        ...

    def run(self, work: Work) -> Any:
        """Do it."""
        ...


@dataclass(frozen=True, slots=True)
class RecordBudget:
    """What one record may cost before it is given up."""

    cpu_seconds: float = 10.0
    memory_mb: int = 1024
    idle_seconds: float = 30.0
    """Time without any use of CPU after which a record counts as blocked."""


Follow = Callable[[Any, Any], Sequence[Any]]
"""Tasks that become possible when a task has given its result."""


def nothing_follows(task: Any, result: Any) -> Sequence[Any]:
    """For tasks that are on their own."""
    return ()


class Engine(Protocol):
    """Runs independent tasks and yields each with its result, in any order."""

    @property
    def cpu_seconds(self) -> float:
        """CPU time of all tasks so far."""
        ...

    def take_peak(self) -> int:
        """Most memory in bytes that a task took since this was last asked."""
        ...

    def run(self, tasks: Sequence[Any], follow: Follow = nothing_follows) -> Iterator[tuple[Any, Any]]:
        """Iterate over (task, result); an exception in a task that is not about a record ends the run."""
        ...

    def close(self) -> None:
        """Stop all workers now."""
        ...
