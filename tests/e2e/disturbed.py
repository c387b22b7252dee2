"""Builds in processes of their own, so that they can be poisoned and killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq

from corpora import NO_INDEX

THIRD_PARTY = Path(__file__).parent.parent / "thirdparty"
POISON = {
    "00010-raise.html": b"<p>POISON-RAISE</p>",
    "00020-segfault.html": b"<p>POISON-SEGFAULT</p>",
    "00030-hang.html": b"<p>POISON-HANG</p>",
    "00035-memory.html": b"<p>POISON-MEMORY</p>",
}
RECIPE = """
[build]
record_cpu_seconds = 1.5
record_memory_mb = 300
record_idle_seconds = 3.0
"""
STAGES = """stages = ["captures.v1", "decode.declared.v1", "poison.test.v1", "extract.tagpath.v1", "identify.words.v1",
          "quality.profile.v2", "quality.connected.v2", "dedup.exact.v1", "select.v1"]
"""


def poisoned_recipe(path: Path) -> None:
    """Put the poisonous stage between decode and extract, with tight limits."""
    text = path.read_text("utf-8").removesuffix(NO_INDEX)  # the limits are in a table of the same name
    path.write_text(STAGES + text + RECIPE, "utf-8")


def start(*words: str) -> subprocess.Popen[bytes]:
    """A paberki command as the leader of its own process group."""
    search = os.pathsep.join(part for part in (str(THIRD_PARTY), os.environ.get("PYTHONPATH", "")) if part)
    return subprocess.Popen(
        [sys.executable, "-m", "paberki", *words],
        env={**os.environ, "PYTHONPATH": search},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def run(*words: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a finished command."""
    process = start(*words)
    out, err = process.communicate(timeout=300)
    return process.returncode, out.decode(), err.decode()


def errors(root: Path) -> dict[str, str]:
    """Error codes by the last part of the URL, over all layers."""
    urls = pq.read_table(root / "layers/archive/00000.parquet").column("url").to_pylist()
    found: dict[str, str] = {}
    for layer in sorted((root / "layers").iterdir()):
        if layer.is_dir():
            column = pq.read_table(layer / "00000.parquet").column("error").to_pylist()
            found |= {url.rpartition("/")[2]: error["code"] for url, error in zip(urls, column, strict=True) if error}
    return found
