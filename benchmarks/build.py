"""Speed and memory of a build, beside datatrove on the same WARC in the same run.

    python benchmarks/build.py                    2,000 pages, and the peer on 500 of them
    python benchmarks/build.py --pages 20000 --no-peer --extract tagpath
    python benchmarks/build.py --pages 100000 --no-peer      (memory must not grow)
    python benchmarks/build.py --pages 100000 --no-peer --add 1000      (what a small crawl adds)

The peer needs: pip install 'datatrove[io]' trafilatura warcio 'xxhash<4'
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from measure import Cost, measure
from pages import write_warc

from paberki.recipe.corpus_recipe import parse


def build_cost(
    warc: Path, folder: Path, jobs: int, method: str, lang: str, annotate: bool, added: int
) -> tuple[Cost, Cost, Cost | None]:
    """Cost of a first build, of a second one that has nothing to do, and of one after pages were added."""
    paberki = [sys.executable, "-m", "paberki"]
    corpus = str(folder / "corpus")
    measure([*paberki, "new", corpus, "--lang", lang])
    use_method(Path(corpus) / "corpus.toml", method, annotate)
    measure([*paberki, "import", corpus, str(warc)])
    command = [*paberki, "build", corpus, "--jobs", str(jobs), "--quiet"]
    first, second = measure(command), measure(command)
    if not added:
        return first, second, None
    write_warc(folder / "later.warc.gz", added, later=True)
    measure([*paberki, "import", corpus, str(folder / "later.warc.gz")])
    return first, second, measure(command)


def use_method(recipe: Path, method: str, annotate: bool) -> None:
    """The usual stages, with the extraction method that is asked for; annotation only where it is asked for."""
    text = recipe.read_text("utf-8")
    names = [stage.name for stage, _ in parse(text, str(recipe)).stages]
    names = [name for name in names if annotate or not name.startswith("annotate.")]
    names = [f"extract.{method}.v1" if name.startswith("extract.") else name for name in names]
    recipe.write_text(f"stages = {json.dumps(names)}\n{text}", "utf-8")


def main() -> None:
    """Measure and print; the last line is JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--peer-pages", type=int, default=500)
    options.add_argument("--extract", default="learned", choices=("learned", "tagpath"), help="extraction method")
    options.add_argument("--lang", default="hr", help="language of the corpus; pages in others are not annotated")
    options.add_argument("--annotate", action="store_true", help="with annotation, which costs more than all the rest")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--add", type=int, default=0, metavar="N", help="then add N pages and build once more")
    options.add_argument("--no-peer", action="store_true")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="paberki-bench-") as name:
        folder = Path(name)
        measure([sys.executable, "-m", "paberki", "doctor", "--warm", "--quiet"])
        kind, size = write_warc(folder / "pages.warc.gz", arguments.pages)
        print(f"{arguments.pages} {kind}, {size / 1000:.0f} kB on average, extracted by {arguments.extract}")
        first, second, third = build_cost(
            folder / "pages.warc.gz",
            folder,
            arguments.jobs,
            arguments.extract,
            arguments.lang,
            arguments.annotate,
            arguments.add,
        )
        rate = arguments.pages / first.cpu
        print(f"build:  {first.wall:.1f} s wall, {first.cpu:.1f} s CPU, {rate:.0f} pages per CPU second")
        print(f"        peak memory of all processes {first.peak_mb} MB, both cores busy {first.cpu / first.wall:.2f}")
        print(f"again:  {second.wall:.1f} s with nothing to do")
        if third is not None:
            share = third.cpu / first.cpu
            print(f"added:  {third.cpu:.1f} s CPU for {arguments.add} more pages, {share:.1%} of the first build")
        result = {"pages": arguments.pages, "kind": kind, "mean_bytes": size, "pages_per_cpu_second": rate,
                  "peak_mb": first.peak_mb, "wall": first.wall, "again": second.wall}  # fmt: skip
        if not arguments.no_peer and find_spec("datatrove") and find_spec("trafilatura"):
            (folder / "peer").mkdir()
            write_warc(folder / "peer" / "pages.warc.gz", arguments.peer_pages)
            peer = Path(__file__).with_name("datatrove_peer.py")
            cost = measure([sys.executable, str(peer), str(folder / "peer"), str(folder / "out")])
            slow = arguments.peer_pages / cost.cpu
            print(
                f"datatrove + Trafilatura: {slow:.1f} pages per CPU second; paberki is {rate / slow:.1f} times as fast"
            )
            result |= {"peer_pages_per_cpu_second": slow, "ratio": rate / slow}
        print(json.dumps(result))


if __name__ == "__main__":
    main()
