"""Which modules hold kernels, and which of them a stage may call: read off the sources, nothing is imported.

A stage may call every kernel that its module, or one that it imports, names in a string, as ``load`` takes it. That may
be more than it does call; compiling these once per machine costs less than a list that has to be kept by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

__all__ = ["kernel_modules", "kernels_behind", "source_of"]

_PACKAGE: Final = Path(__file__).parents[1]
_IMPORT: Final = re.compile(r"^\s*from (paberki[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_NAMED: Final = re.compile(r'"(paberki[\w.]*kernel)"')
_NOT_FOLLOWED: Final = ("paberki", "paberki.kernels", "paberki.stage")
"""They name no kernel, or all stages."""
_LEARNING: Final = ("learning_kernel", "training_kernel")
"""Kernels for ``paberki train``: no stage calls them, though they are beside those that stages call."""


@lru_cache(maxsize=1)
def kernel_modules() -> tuple[str, ...]:
    """Modules that hold kernels, the largest first: these take longest to compile."""
    files = [path for path in _PACKAGE.rglob("*kernel.py") if "\n@kernel(" in path.read_text("utf-8")]
    files.sort(key=lambda path: (-path.stat().st_size, path))
    return tuple(".".join(path.relative_to(_PACKAGE.parent).with_suffix("").parts) for path in files)


def kernels_behind(modules: Iterable[str]) -> list[str]:
    """Modules with kernels that these modules may call."""
    kernels = {name for module in modules for name in _kernels_of(module) if not name.endswith(_LEARNING)}
    return [name for name in kernel_modules() if name in kernels]


@lru_cache
def _kernels_of(module: str) -> frozenset[str]:
    visited_modules: set[str] = set()
    kernels: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in visited_modules or name in _NOT_FOLLOWED or not (path := source_of(name)).is_file():
            continue
        visited_modules.add(name)
        source = path.read_text("utf-8")
        kernels.update(_NAMED.findall(source))
        waiting += _imports(source)
    return frozenset(kernels)


def _imports(source: str) -> Iterator[str]:
    """Modules of ours that a module imports, and names that may be modules."""
    for module, names in _IMPORT.findall(source):
        yield module
        yield from (f"{module}.{name.split(' as ')[0].strip()}" for name in names.strip("()").split(","))


def source_of(module: str) -> Path:
    """The file of a module of ours."""
    place = _PACKAGE.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
