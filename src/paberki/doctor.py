"""Checks: what this machine can do, which optional parts are installed, whether a corpus is complete."""

from __future__ import annotations

import importlib
import os
import platform
import shutil
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from paberki.errors import PaberkiError
from paberki.store.directory import Directory

MIN_PYTHON = (3, 11)
MIN_MEMORY = 1 << 30
MIN_DISK = 1 << 30
PARTS = ("pyarrow", "duckdb", "numpy", "turbohtml", "isal", "zstandard", "brotli")
EXTRAS = {"ray": "ray"}


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; ``fine`` is None where something optional is absent."""

    what: str
    fine: bool | None
    detail: str


def machine_checks() -> list[Check]:
    """Python, cores, memory, disk, loopback, installed parts."""
    import psutil

    from paberki.demo.addresses import range_usable

    memory, disk = psutil.virtual_memory(), shutil.disk_usage(Path.cwd())
    range_there = range_usable()
    checks = [
        Check("Python", sys.version_info >= MIN_PYTHON, f"{platform.python_version()} on {platform.platform()}"),
        Check("cores", True, str(os.cpu_count())),
        Check("memory", memory.total >= MIN_MEMORY, f"{memory.available >> 20} of {memory.total >> 20} MB free"),
        Check("disk", disk.free >= MIN_DISK, f"{disk.free >> 20} MB free here"),
        Check(
            "loopback 127.64.0.0/16",
            True if range_there else None,
            "usable" if range_there else "not usable; the demo uses one port per host",
        ),
    ]
    checks += [_part(name) for name in PARTS]
    checks += [_extra(name, extra) for name, extra in EXTRAS.items()]
    return checks + annotation_checks()


def annotation_checks() -> list[Check]:
    """What can be said about the words of each language."""
    from paberki.annotation.files.model_catalogue import LAYERS, languages, layers_of

    checks = []
    for lang in languages():
        there = layers_of(lang)
        missing = [word for word in LAYERS.values() if word not in there]
        note = (
            f"; no {', no '.join(missing)}, which its training data lack: paberki train can add them" if missing else ""
        )
        checks.append(Check(f"annotation of {lang}", None if missing else True, ", ".join(there) + note))
    return checks


def _part(name: str) -> Check:
    try:
        importlib.import_module(name)
        return Check(name, True, version(name))
    except (ImportError, OSError, PackageNotFoundError) as error:
        return Check(name, False, f"{error}; type: pip install --force-reinstall paberki")


def _extra(name: str, extra: str) -> Check:
    try:
        return Check(f"{name} (optional)", True, version(name))
    except PackageNotFoundError:
        return Check(f"{name} (optional)", None, f"not installed; type: pip install 'paberki[{extra}]'")


def warm_up() -> Check:
    """Compile the kernels of all stages into the cache."""
    from paberki.kernels import compile_all

    start = time.monotonic()
    names = compile_all()
    return Check("kernels", True, f"{len(names)} ready in {time.monotonic() - start:.1f} s: {', '.join(names)}")


def corpus_checks(root: Path, *, deep: bool = False) -> list[Check]:
    """Recipe, archives, shards and layers of a corpus; ``deep`` reads all archives."""
    from paberki.corpus import Corpus
    from paberki.store.completeness import complete_layers

    try:
        corpus = Corpus(root)
        plan = corpus.plan()
    except PaberkiError as error:
        return [Check("recipe", False, str(error))]
    checks = [Check("recipe", True, f"preset {corpus.recipe.preset}, {len(plan.steps)} stages")]
    checks += _archives(corpus.directory, deep=deep)
    try:
        manifest = corpus.directory.manifest()
        layers = complete_layers(corpus.directory, plan.layers)
    except PaberkiError as error:
        return [*checks, Check("layers", False, str(error))]
    checks.append(Check("pages", True, f"{manifest.pages:,} in {len(manifest.shards)} shards"))
    missing = [name for name in plan.layers if name not in layers]
    note = f"; not built: {', '.join(missing)}" if missing and manifest.shards else ""
    return [*checks, Check("layers", True if not note else None, ", ".join(layers) + note or "none yet")]


def _archives(directory: Directory, *, deep: bool) -> list[Check]:
    from paberki.archive.unchanged import changed_files

    bad = [Check(source.name, False, fault) for source, fault in changed_files(directory, deep=deep)]
    read = "all there and unchanged" if deep else "all there"
    return bad or [Check("archives", True, f"{len(directory.sources())} files, {read}")]
