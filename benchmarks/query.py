"""How fast queries are, and what an index costs.

python benchmarks/query.py build --tokens 10000000      time, size and memory of making an index of a made-up corpus
python benchmarks/query.py corpus DIR                   the same for a corpus directory, from its token layers
python benchmarks/query.py lists --tokens 10000000      sorting, frequency lists, collocations, keywords, n-grams, sketches

The corpus is made by benchmarks/query_corpus.py and kept in --work, as is its index, which other rows use. Times are
seconds of the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from query_corpus import COLUMNS, write_corpus  # noqa: E402 - a file beside this one


def corpus_of(work: Path, tokens: int) -> Path:
    """The made-up corpus of so many tokens, made once."""
    path = work / f"{tokens}.vert"
    if not path.exists():
        work.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        with open(beside, "wb") as out:
            write_corpus(out, tokens)
        beside.rename(path)
    return path


def index_of(work: Path, tokens: int) -> Path:
    """The index of the made-up corpus, made once."""
    out = work / f"{tokens}.index"
    if not (out / "index.json").exists():
        _apart("vertical", corpus_of(work, tokens), out)
    return out


def _apart(kind: str, *words: Path) -> dict[str, Any]:
    """Run a measurement in a process of its own, so that its memory is its own."""
    command = [sys.executable, __file__, "measure", kind, *map(str, words)]
    return dict(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))


def _measure(kind: str, words: list[str]) -> None:
    """What one index costs, as JSON."""
    from paberki.query.index.reader import open_index

    began, cpu_began = time.perf_counter(), time.process_time()
    if kind == "vertical":
        from paberki.query.sources.vertical import index_vertical

        out = Path(words[1])
        tokens = index_vertical(Path(words[0]), out, COLUMNS, lang="hr").tokens
    else:
        from paberki.corpus import Corpus

        out = Path(words[0])
        tokens = Corpus(out).index().new_tokens
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu_began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    began = time.perf_counter()
    index = open_index(out)
    for segment in index.segments:
        segment.attribute("word").id_of("u")
    opened = time.perf_counter() - began
    sizes: dict[str, int] = {}
    for segment in index.segments:
        for name, size in segment.sizes().items():
            part = name.split("/")[-1] if name.startswith("a/") else name.split("/")[0]
            sizes[part] = sizes.get(part, 0) + size
    words_known = sum(segment.attribute("word").size for segment in index.segments)
    json.dump({"tokens": tokens, "all_tokens": index.tokens, "seconds": seconds, "cpu": cpu, "memory": memory,
               "opened": opened, "sizes": sizes, "words": words_known}, sys.stdout)  # fmt: skip


def _show(figures: dict[str, Any]) -> None:
    total = sum(figures["sizes"].values())
    print(f"{figures['all_tokens']:,} tokens, {figures['words']:,} word forms")
    if figures["tokens"]:
        print(
            f"speed            {figures['tokens'] / figures['cpu'] / 1e6:8.2f} M tokens per CPU second ({figures['cpu']:.1f} s)"
        )
    print(f"size             {total / figures['all_tokens']:8.2f} bytes per token")
    for part, size in sorted(figures["sizes"].items(), key=lambda one: -one[1])[:8]:
        print(f"  {part:15s}{size / figures['all_tokens']:8.2f}")
    print(f"memory           {figures['memory'] / 1e6:8.0f} MB at most")
    print(f"open and look up {figures['opened'] * 1e3:8.1f} ms")


def main() -> None:
    """Run one of the parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["build", "corpus", "lists", "measure"])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "paberki-query-bench")
    options = parser.parse_args()
    if options.part == "measure":
        _measure(options.words[0], options.words[1:])
    elif options.part == "lists":
        from query_lists import cut_in_halves, lists, tree_index

        source = corpus_of(options.work, options.tokens)
        halves = cut_in_halves(source, options.work, options.tokens)
        lists(index_of(options.work, options.tokens), halves, tree_index(options.work, source, options.tokens))
    elif options.part == "corpus":
        _show(_apart("corpus", Path(options.words[0])))
    else:
        source = corpus_of(options.work, options.tokens)
        _show(_apart("vertical", source, options.work / f"{options.tokens}.index"))


if __name__ == "__main__":
    main()
