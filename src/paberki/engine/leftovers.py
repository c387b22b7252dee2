"""What killed builds leave behind, removed when the next one starts."""

from __future__ import annotations

import shutil

from paberki.store.directory import Directory
from paberki.store.files import sweep
from paberki.store.scratch import sweep_scratch


def remove_leftovers(directory: Directory) -> None:
    """Remove half-written files and files for tasks that are over. Only call it while no other build can run."""
    for folder in (directory.layers, directory.private, directory.models, directory.runs):
        sweep(folder)
    for name in ("scan", "fit"):
        shutil.rmtree(directory.private / name, ignore_errors=True)
    for path in directory.private.glob("build-*-of-*.json"):
        path.unlink(missing_ok=True)
    sweep_scratch()
