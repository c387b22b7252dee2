"""Compiled Python in our own cache, where people forbid to write it beside the sources.

``PYTHONDONTWRITEBYTECODE`` keeps source trees clean, but then every start compiles all modules again, which takes longer
than most queries. The first start after that takes some seconds more, all later ones less.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

__all__ = ["keep_bytecode"]

_OTHERS_WRITE: Final = 0o022


def keep_bytecode() -> None:
    """Keep the bytecode of modules that are imported from now on, unless that is done already or cannot be done safely."""
    if not sys.dont_write_bytecode or sys.pycache_prefix or _has_own():
        return
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    place = Path(caches) / "paberki" / "bytecode"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = place.stat()
    except OSError:
        return
    if about.st_uid == os.getuid() and not about.st_mode & _OTHERS_WRITE:  # what is in it will be executed
        sys.pycache_prefix, sys.dont_write_bytecode = str(place), False


def _has_own() -> bool:
    """Whether this package was compiled when it was installed."""
    from importlib.util import cache_from_source

    return Path(cache_from_source(__file__)).is_file()
