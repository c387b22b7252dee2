"""Arrow, imported when it is first used: that takes a fifth of a second, and a first page often does without it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["pa", "pc"]


class _Later:
    """A module that is imported when somebody asks for something in it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)
        return value


pa: Any = _Later("pyarrow")
pc: Any = _Later("pyarrow.compute")
