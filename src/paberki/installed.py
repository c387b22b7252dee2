"""Versions of installed packages, read off file names: to import the library for it takes as long as a query."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

__all__ = ["installed_version"]


@lru_cache
def installed_version(name: str) -> str:
    """The version of a package; empty if it is not installed."""
    for place in map(Path, sys.path):
        for about in place.glob(f"{name}-*.dist-info"):
            return about.name.removeprefix(f"{name}-").removesuffix(".dist-info")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return ""
