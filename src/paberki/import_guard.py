"""Keep a package from being imported by another one that uses it only if it is installed.

pyarrow looks for pandas when it makes its first array, numba for scipy when it compiles: a third of a second and some
tens of megabytes in every process, for nothing that is used here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder

__all__ = ["leave_pandas_alone", "without"]


@contextmanager
def without(package: str) -> Iterator[None]:
    """Inside, ``import package`` fails; a package that was imported before stays as it is."""
    finder = _Missing(package)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def leave_pandas_alone() -> None:
    """Let pyarrow look for pandas in vain; it looks once. Whoever imports pandas themselves still can."""
    import pyarrow as pa

    with without("pandas"):
        pa.array([None])


class _Missing(MetaPathFinder):
    """Finds that there is no such package."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname == self.package:
            raise ModuleNotFoundError(f"{fullname} is left alone", name=fullname)
