"""Files that are whole or not there: written beside, synced, renamed."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paberki.errors import ConfigError, StoreError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
"""A scheme; :class:`~pathlib.Path` folds the second slash. Letters of drives are single."""
TEMPORARY = ".tmp-"


def local(path: Path | str) -> Path:
    """A path on this machine; the address of something elsewhere is an error and not the name of a directory."""
    if _ADDRESS.match(str(path)):
        raise ConfigError(f"{path}: is an address; only files and directories of this machine can be read and written")
    return Path(path)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name beside ``path`` to write to; on success it becomes ``path`` durably, on failure it vanishes.

    Left-overs of a killed process begin with ``.tmp-`` and are swept by :func:`sweep`.
    """
    local(path).parent.mkdir(parents=True, exist_ok=True)
    beside = path.parent / f"{TEMPORARY}{path.name}-{secrets.token_hex(4)}"
    try:
        yield beside
        with open(beside, "rb") as file:
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a small text file atomically."""
    with replacing(path) as beside:
        beside.write_text(text, "utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write a small JSON file atomically, keys in the order given."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON file that we wrote; damage is an error that names the file."""
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: cannot be read ({error}); restore it from a backup or remove it") from error


def read_memory(path: Path) -> dict[str, Any]:
    """Read a JSON object that may be lost at any time; empty where it is missing or damaged."""
    try:
        memory = read_json(path)
    except (OSError, StoreError):
        return {}
    return memory if isinstance(memory, dict) else {}


def sweep(directory: Path) -> None:
    """Remove what killed writers left behind. Only call it while holding the lock of the directory."""
    for leftover in directory.rglob(f"{TEMPORARY}*"):
        leftover.unlink(missing_ok=True)


def explain(error: OSError, doing: str) -> StoreError:
    """One line for the usual reasons why a disk says no."""
    where = f" {error.filename}" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError(f"no space left on the disk while {doing}{where}; free some and run the same command again")
    if error.errno == errno.EFBIG:
        return StoreError(f"a file grew over the size limit while {doing}{where}; raise ulimit -f and run again")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreError(f"no permission while {doing}{where}; is the directory read-only?")
    return StoreError(f"{error.strerror or error} while {doing}{where}")
