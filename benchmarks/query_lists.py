"""How fast hits are sorted and lists are made, over the corpus of benchmarks/query_corpus.py.

python benchmarks/query.py lists --tokens 100000000

Frequencies are set per 100 million tokens: the lemma ``biti`` has 5.7 million hits, ``grad`` 40,000. Each row is the best of
three; seconds of the processor and seconds that passed. Lists are forgotten before each run unless a row says *again*. Trees for word sketches are made up: every token depends on the one
before it, by a relation that its tag names.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from paberki.query.concordancer import OpenIndex
from paberki.query.hits import hits as hits_module
from paberki.query.sources.vertical import index_vertical

FREQUENT, MEDIUM = '[lemma="biti"]', '[lemma="grad"]'


def row(name: str, limit: str, work: Callable[[], Any], times: int = 3, *, forget: bool = True) -> None:
    """Run something and print its best time."""
    best, passed = float("inf"), float("inf")
    for _ in range(times):
        if forget:
            hits_module._lists.clear()
        began, cpu_began = time.perf_counter(), time.process_time()
        work()
        best, passed = min(best, time.process_time() - cpu_began), min(passed, time.perf_counter() - began)
    print(f"{name:60s} {best * 1e3:10.1f} ms CPU {passed * 1e3:10.1f} ms   {limit}", flush=True)


def with_trees(source: Path, out: Path) -> Path:
    """The corpus with heads and relations."""
    if out.exists():
        return out
    beside = out.with_suffix(".part")
    with source.open("rb") as lines, beside.open("wb") as copy:
        place = 0
        for line in lines:
            if line.startswith(b"<"):
                place = 0 if line.startswith(b"<s") else place
                copy.write(line)
                continue
            place += 1
            tag = line.rstrip(b"\n").rpartition(b"\t")[2]
            copy.write(line.rstrip(b"\n") + b"\t%d\trel%s\n" % (place - 1, tag[:2]))
    beside.rename(out)
    return out


def tree_index(work: Path, source: Path, tokens: int) -> Path:
    """An index with trees, made once."""
    out = work / f"{tokens}.trees"
    if not (out / "index.json").exists():
        vertical = with_trees(source, work / f"{tokens}.trees.vert")
        index_vertical(vertical, out, ["word", "lemma", "tag", "head", "deprel"], lang="hr")
    return out


def lists(index: Path, halves: tuple[Path, Path], trees: Path | None) -> None:
    """Print all rows."""
    corpus = OpenIndex(index)
    frequent, medium = corpus.query(FREQUENT), corpus.query(MEDIUM)
    print(f"{corpus.reader.tokens:,} tokens, {frequent.count():,} and {medium.count():,} hits")
    million = frequent.sample(min(1_000_000, frequent.count()))
    million.count()
    row("sort 1 M hits by right context", "≤ 250", lambda: million.sort("right").table)
    row("frequency list of frequent hits", "≤ 100", lambda: frequent.freq("word"))
    row("collocations of frequent hits", "≤ 120", lambda: frequent.collocations("lemma"))
    row("the same again", "≤ 120", lambda: frequent.collocations("lemma"), forget=False)
    row("collocations of medium hits", "", lambda: medium.collocations("lemma"))
    one, other = (OpenIndex(half) for half in halves)
    row("keywords of two halves, lemma", "≤ 60", lambda: one.keywords(other, "lemma"))
    row("whole-corpus trigrams", "≤ 15,000", lambda: corpus.ngrams("word", 3), times=1)
    row("word list with pages, hosts, ARF, DP", "", lambda: corpus.wordlist("lemma"), times=1)
    if trees is not None:
        parsed = OpenIndex(trees)
        row("word sketch of a medium lemma, first use", "", lambda: parsed.sketch("grad"), times=1)
        row("word sketch of a medium lemma", "≤ 50", lambda: parsed.sketch("grad"))
    command = [sys.executable, "-m", "paberki", "query", str(index), MEDIUM, "--first", "20"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    row("command line, first page", "≤ 400", lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))


def cut_in_halves(source: Path, work: Path, tokens: int) -> tuple[Path, Path]:
    """Indexes of the first and of the second half of a corpus, made once."""
    outs = (work / f"{tokens}.first", work / f"{tokens}.second")
    if not (outs[1] / "index.json").exists():
        size = source.stat().st_size
        content = np.memmap(source, np.uint8, "r")
        cut = content[size // 2 : size // 2 + (1 << 24)].tobytes().index(b"<doc") + size // 2
        for out, low, high in ((outs[0], 0, cut), (outs[1], cut, size)):
            part = work / "half.vert"
            with part.open("wb") as file:
                for at in range(low, high, 1 << 24):
                    file.write(content[at : min(at + (1 << 24), high)].tobytes())
            index_vertical(part, out, ["word", "lemma", "tag"], lang="hr")
            part.unlink()
    return outs
