"""How fast are exports, and how much memory do they take?

    python benchmarks/export.py CORPUS [--shards 40] [--formats vert,conllu,…]

CORPUS is an annotated corpus with one shard, for example that of ``paberki demo``. Its pages stand several times in each shard of
a directory of its own, which gives a corpus of any size with shards as large as they are. Every format is written by a process of its own; the CPU time of an
export of one shard is subtracted, so that starting Python does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq

from paberki.corpus import Corpus
from paberki.store.splice import splice

FORMATS = ("vert", "conllu", "tei", "jsonl", "parquet", "text", "wet", "sentences")
OF_TOKENS = ("vert", "conllu", "tei", "sentences")


def enlarged(source: Path, target: Path, shards: int, copies: int) -> Corpus:
    """The corpus with its first shard several times, each with its pages several times."""
    target.mkdir()
    shutil.copy(source / "corpus.toml", target)
    shutil.copytree(source / ".paberki", target / ".paberki", ignore=shutil.ignore_patterns("*lock*"))
    for layer in (source / "layers").iterdir():
        if layer.is_dir():
            folder = target / "layers" / layer.name
            folder.mkdir(parents=True)
            _repeat(layer / "00000.parquet", folder / "00000.parquet", copies)
            for number in range(1, shards):
                os.link(folder / "00000.parquet", folder / f"{number:05d}.parquet")
    manifest = json.loads((source / "layers/manifest.json").read_text("utf-8"))
    first = manifest["shards"][0]
    manifest["shards"] = [{**first, "rows": first["rows"] * copies}] * shards
    (target / "layers/manifest.json").write_text(json.dumps(manifest), "utf-8")
    (target / "warc").mkdir()
    return Corpus(target)


def _repeat(source: Path, target: Path, copies: int) -> None:
    """A layer file with its row groups several times."""
    links = [target.with_name(f"copy-{number}") for number in range(copies)]
    for link in links:
        os.link(source, link)
    metadata = pq.read_metadata(source).metadata or {}
    splice(target, links, {name.decode(): text.decode() for name, text in metadata.items() if name != b"ARROW:schema"})
    for link in links:
        link.unlink()


def run(corpus: Path, form: str, out: Path) -> tuple[float, float]:
    """CPU seconds, and the peak memory in MB of any process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    script = (
        "import resource,sys; from paberki.corpus import Corpus;"
        f"Corpus({str(corpus)!r}).export({form!r}, {str(out)!r}, jobs=1);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    answer = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, int(answer.stdout) / 1024


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--shards", type=int, default=3)
    parser.add_argument("--copies", type=int, default=15, help="of the pages in each shard")
    parser.add_argument("--formats", default=",".join(FORMATS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.corpus.parent) as folder:
        small = enlarged(options.corpus, Path(folder, "one"), 1, 1)
        large = enlarged(options.corpus, Path(folder, "many"), options.shards, options.copies)
        rows = list(small.pages("token_count", "text"))
        tokens = sum(row["token_count"] or 0 for row in rows) * (options.shards * options.copies - 1)
        size = sum(len(row["text"].encode()) for row in rows) * (options.shards * options.copies - 1) / 1e6
        sys.stdout.write(f"{tokens:,} tokens, {size:.1f} MB of text\n")
        for form in options.formats.split(","):
            base, _ = run(small.root, form, Path(folder, "base"))
            seconds, memory = run(large.root, form, Path(folder, "out"))
            spent = max(seconds - base, 1e-3)
            rate = f"{tokens / spent / 1e3:,.0f} k tokens" if form in OF_TOKENS else f"{size / spent:,.0f} MB"
            sys.stdout.write(f"{form:<10} {rate} per CPU second, peak {memory:.0f} MB\n")


if __name__ == "__main__":
    main()
