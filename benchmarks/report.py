"""What a report and a comparison cost: CPU seconds and peak memory by the size of the corpus.

python benchmarks/report.py                                    made-up corpora of 1 and 10 million tokens
python benchmarks/report.py --tokens 1000000 --index BIG       an index of another size beside them
python benchmarks/report.py --topics --compare                 topics and a comparison of foreign files too
python benchmarks/report.py --pages 1000 3000                  the whole verb on built corpora of so many pages

Sections about words read the index, sections about pages the layers; both are measured apart, because a made-up corpus of
100 million tokens has an index and no layers.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import measure

SECTIONS = ("kwic_duplication", "diacritics", "pos", "sentence_length", "oov", "homogeneity", "ngrams")


def sections(path: Path, with_topics: bool) -> None:
    """CPU seconds of each section about words, and the peak of memory so far."""
    from paberki.query.concordancer import OpenIndex
    from paberki.report.words.diacritics import diacritics
    from paberki.report.words.frequent_runs import frequent_runs
    from paberki.report.words.homogeneity import homogeneity
    from paberki.report.words.kwic_duplication import kwic_duplication
    from paberki.report.words.parts_of_speech import parts_of_speech
    from paberki.report.words.sentence_lengths import sentence_lengths
    from paberki.report.words.topics import learn_topics
    from paberki.report.words.unknown_words import unknown_words
    from paberki.report.words.word_source import WordSource

    index = OpenIndex(path)
    source = WordSource("corpus", index._scope(), lang=index.reader.lang)
    makers: dict[str, Callable[[], object]] = {
        "kwic_duplication": lambda: kwic_duplication(source),
        "diacritics": lambda: diacritics(source),
        "pos": lambda: parts_of_speech([source]),
        "sentence_length": lambda: sentence_lengths([source]),
        "oov": lambda: unknown_words([source]),
        "homogeneity": lambda: homogeneity(source),
        "ngrams": lambda: frequent_runs([source]),
    }
    if with_topics:
        makers = {"topics": lambda: learn_topics(source)}
    costs: dict[str, float] = {"tokens": source.tokens}
    for name, make in makers.items():
        before = time.process_time()
        make()
        index.reader.rest()  # as the report does between two sections
        costs[name] = round(time.process_time() - before, 2)
    costs["sum"] = round(sum(cost for name, cost in costs.items() if name != "tokens"), 1)
    costs["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(costs), flush=True)


def vertical_file(folder: Path, tokens: int) -> Path:
    """A made-up corpus as a vertical file."""
    path = folder / f"{tokens}.vert"
    if not path.exists():
        corpus = str(Path(__file__).with_name("query_corpus.py"))
        measure([sys.executable, corpus, str(path), "--tokens", str(tokens)])
    return path


def indexed(path: Path) -> Path:
    """Its index."""
    from paberki.query.sources.vertical import index_vertical

    out = path.with_suffix(".index")
    if not out.exists():
        index_vertical(path, out, ("word", "lemma", "tag"), lang="hr")
    return out


def whole_verb(folder: Path, pages: int) -> None:
    """The verb on a corpus that is built: mini-web pages under new addresses, annotated."""
    from paberki.corpus import new_corpus
    from paberki.report.papers.mini_web import mini_pages

    some = [(url, html) for url, html, truth in mini_pages() if truth.language == "hr" and truth.wanted]
    source = folder / f"{pages}.jsonl"
    with source.open("w", encoding="utf-8") as file:
        for number in range(pages):
            url, html = some[number % len(some)]
            body = html.replace("</p>", f" To je bilo {number}. put.</p>")
            file.write(json.dumps({"url": f"{url}?n={number}", "html": body}) + "\n")
    corpus = new_corpus(folder / f"corpus{pages}", lang="hr")
    recipe = corpus.directory.recipe
    recipe.write_text(recipe.read_text("utf-8").replace("\n[crawl]", '\ndedup = "off"\n[crawl]'), "utf-8")
    corpus.add([source])
    corpus.build()
    cost = measure([sys.executable, "-m", "paberki", "report", str(corpus.root), "--quiet"])
    tokens = corpus.reader.tokens
    print(f"report of {pages:,} pages, {tokens:,} tokens: {cost.cpu:.1f} CPU s, {cost.peak_mb:,} MB", flush=True)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--index", type=Path, nargs="*", default=[])
    parser.add_argument("--pages", type=int, nargs="*", default=[])
    parser.add_argument("--topics", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--folder", type=Path, help="keeps made-up corpora")
    parser.add_argument("--sections", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.sections:
        sections(options.sections, options.topics)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(exist_ok=True)
        _measure_all(options, folder)


def _measure_all(options: argparse.Namespace, folder: Path) -> None:
    import subprocess

    files = [vertical_file(folder, tokens) for tokens in options.tokens]
    for index in [*map(indexed, files), *options.index]:
        for flag in ((), ("--topics",)) if options.topics else ((),):
            subprocess.run([sys.executable, __file__, "--sections", str(index), *flag], check=True)
    if options.compare and len(files) > 1:
        out = folder / "comparison"
        command = [sys.executable, "-m", "paberki", "compare", *map(str, files[-2:]), "--lang", "hr", "--out", str(out)]
        cost = measure([*command, "--quiet"])
        print(
            f"compare {files[-2].name} {files[-1].name}: {cost.cpu:.1f} CPU s, {cost.wall:.1f} s, {cost.peak_mb:,} MB"
        )
    for pages in options.pages:
        whole_verb(folder, pages)


if __name__ == "__main__":
    main()
