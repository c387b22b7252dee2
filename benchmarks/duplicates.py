"""Time and memory of the dedup stages of a build, from ten thousand made-up pages to a million.

    python benchmarks/duplicates.py                         10,000, 100,000 and 1,000,000 pages, a third of them near copies
    python benchmarks/duplicates.py --low                   the same with P5's regime: a resemblance of .05
    python benchmarks/duplicates.py --pages 1000000 --kind equal|empty|word|words      pages that nobody wants

Pages have no bytes: the archive layer is written here, and a stage of this file, which paberki finds as it finds those of
any other package, makes text from the number of a page. Everything after it is a build as usual, one stage at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from measure import measure

import paberki
from paberki.engine.passes.sealing import SCHEMA
from paberki.stage import map_stage
from paberki.store import layer
from paberki.store.columns import BLOCK, builtin
from paberki.store.directory import Manifest, Shard

SIZES = (10_000, 100_000, 1_000_000)
NEAR = ("dedup.signatures.v1", "dedup.exact.v1", "dedup.near.v1", "select.v1", "dedup.paragraphs.v1")
LOW = ("dedup.signatures.v1", "dedup.shared.v1", "select.v1")
ENTRY = "[paberki.stages]\nmade_up = duplicates\n"
_WORDS: Final = [f"r{number}" for number in range(20_000)]


def alike(number: int) -> list[str]:
    """Some eighty words, and what the pages of a host all have; every third page is an earlier one but for a word."""
    copy = number % 3 == 2
    base = (number * 2_654_435_761 % 2**32 * number >> 32) // 3 * 3 if copy else number
    some = np.random.default_rng(base)
    words = [_WORDS[at] for at in some.integers(0, len(_WORDS), 60 + base % 50).tolist()]
    if copy:
        words[number % 60] = f"x{number}"
    return [" ".join(words), f"Sva prava pridržava host {base % 977} i nitko drugi na cijelom svijetu"]


KINDS: dict[str, Callable[[int], list[str]]] = {
    "alike": alike,
    "family": lambda number: [f"{' '.join(_WORDS[:100])} x{number}"],
    "equal": lambda _: [" ".join(_WORDS[:60]), "Sva prava pridržana"],
    "empty": lambda _: [],
    "word": lambda number: [f"w{number}"],
    "words": lambda number: ["da " * (50 + number % 50)],
}


@map_stage("extract.made_up.v1", layer="extract", needs=("archive.url",), adds=builtin("extract"))
def made_up(batch, _):  # type: ignore[no-untyped-def]
    """Blocks of text for the number of a page (no paper)."""
    pages = [KINDS[os.environ["PABERKI_KIND"]](int(url.rpartition("/")[2])) for url in batch["archive.url"]]
    blocks = [
        [{"text": text, "kept": True, "chars": len(text), "words": len(text.split())} for text in page]
        for page in pages
    ]
    nothing = {column.name: pa.nulls(len(batch), column.type) for column in builtin("extract")}
    return {**nothing, "blocks": pa.array(blocks, pa.list_(BLOCK))}


def archive(numbers: range, kind: str) -> pa.Table:
    """Rows of the archive layer; equal pages have equal payloads."""
    columns = {
        "id": [f"{number:09d}" for number in numbers],
        "key": [f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}" * 2 for number in numbers],
        "url": [f"http://host{number % 977}.hr/{number}" for number in numbers],
        "sha224": [f"{0 if kind == 'equal' else number:056x}" for number in numbers],
        "payload_bytes": [1000] * len(numbers),
    }
    return pa.table([pa.array(columns.get(one.name, [None] * len(numbers)), one.type) for one in SCHEMA], schema=SCHEMA)


def new_corpus(root: Path, pages: int, kind: str, low: bool) -> None:
    """A corpus whose pages are numbered and not there."""
    corpus = paberki.new(root, lang="hr", preset="cow2012" if low else "modern")
    recipe = corpus.directory.recipe
    text = recipe.read_text("utf-8")
    off = [rule.reason for stage, config in corpus.recipe.stages if stage.layer == "select" for rule in config.pages]
    rules = "".join(f'[[select.pages]]\nreason = "{reason}"\ndrop = ""\n' for reason in off)
    signatures = '[signatures]\nkind = "often"\n' if low else ""
    stages = json.dumps(["extract.made_up.v1", *(LOW if low else NEAR)])
    recipe.write_text(f"stages = {stages}\n" + text.replace("\n[crawl]", f"\n{signatures}{rules}\n[crawl]", 1), "utf-8")
    shards = []
    for number, first in enumerate(range(0, pages, layer.SHARD)):
        last = min(first + layer.SHARD, pages)
        groups = (archive(range(at, min(at + layer.CHUNK, last)), kind) for at in range(first, last, layer.CHUNK))
        layer.write(corpus.directory.layer("archive", number), SCHEMA, groups, key=str(number), keys=str(number))
        shards.append(Shard(last - first, str(number)))
    corpus.directory.seal(Manifest(shards=shards))


def run(pages: int, kind: str, low: bool, jobs: int) -> None:
    """Build stage by stage and tell what each has cost."""
    with tempfile.TemporaryDirectory(prefix="paberki-bench-") as name:
        root = Path(name)
        about = root / "made_up-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: made-up\nVersion: 1\n")
        (about / "entry_points.txt").write_text(ENTRY)
        before = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join([str(root), str(Path(__file__).parent), before])
        os.environ["PABERKI_KIND"] = kind
        measure([sys.executable, __file__, "--new", str(root / "c"), "--pages", str(pages), "--kind", kind,
                 *(["--low"] if low else [])])  # fmt: skip
        total, most = 0.0, 0
        print(f"{pages:,} pages, {kind}", flush=True)
        for stage in ("extract.made_up.v1", *(LOW if low else NEAR)):
            cost = measure(
                [
                    sys.executable,
                    "-m",
                    "paberki",
                    "build",
                    str(root / "c"),
                    "--jobs",
                    str(jobs),
                    "--quiet",
                    "--until",
                    stage,
                ]
            )
            print(f"    {stage:22} {cost.cpu:7.1f} s CPU, {cost.peak_mb:5} MB in all processes", flush=True)
            if stage.startswith(("dedup", "select")):
                total, most = total + cost.cpu, max(most, cost.peak_mb)
        print(f"    {'together':22} {total:7.1f} s CPU, {1e6 * total / pages:5.0f} µs per page, {most} MB")
        os.environ["PYTHONPATH"] = before
        answer = paberki.open(root / "c").sql(
            "select sum(keep::int), max(dup_size), count(distinct dup_cluster) from pages"
        )
        print("    {:,} kept, largest cluster {:,}, {:,} clusters".format(*answer[1][0]), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, action="append", help="one of several sizes")
    parser.add_argument("--kind", choices=list(KINDS), default="alike")
    parser.add_argument("--low", action="store_true", help="a resemblance of .05")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--new", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.new:
        new_corpus(arguments.new, arguments.pages[0], arguments.kind, arguments.low)
        return
    for pages in arguments.pages or SIZES:
        run(pages, arguments.kind, arguments.low, arguments.jobs)


if __name__ == "__main__":
    main()
