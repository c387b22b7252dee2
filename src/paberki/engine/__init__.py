"""Run it: tasks over files, guarded workers, on this machine or on a Ray cluster."""

from __future__ import annotations

from paberki.engine.task import Engine, RecordBudget
from paberki.errors import ConfigError
from paberki.nearest import nearest

ENGINES = ("local", "ray")


def make_engine(name: str, jobs: int, limits: RecordBudget, address: str | None = None) -> Engine:
    """The engine of that name."""
    if name == "local":
        from paberki.engine.workers.local import LocalEngine

        return LocalEngine(jobs, limits)
    if name == "ray":
        from paberki.engine.workers.ray import RayEngine

        return RayEngine(jobs, limits, address)
    raise ConfigError(f"no engine {name!r}{nearest(name, ENGINES)}; known: {', '.join(ENGINES)}")
