"""Quality and speed of extraction against its peers, in one run on the same pages.

    pip install '.[bench]'
    python benchmarks/extract.py SETS [--pages 40] [--methods learned,tagpath]

SETS is a directory of sets of pages with gold text (docs/training-data.md). Every extractor gets the decoded page; its
time is CPU time of this process. Pages of the sets that the shipped model was trained on say nothing about its quality
on others: give it pages of other sites.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from statistics import fmean

from paberki.extraction import extract
from paberki.extraction.gold import GoldPage, read_gold
from paberki.extraction.measures import lcs, tokens

Extractor = Callable[[str], str]


def _trafilatura(html: str) -> str:
    found = importlib.import_module("trafilatura").extract(html, include_comments=False, include_tables=True)
    return found or ""


def _resiliparse(html: str) -> str:
    plain_text = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    return plain_text(html, main_content=True, alt_texts=False, comments=False, links=False)


@cache
def _stop_words() -> frozenset[str]:
    justext = importlib.import_module("justext")
    return frozenset().union(*(justext.get_stoplist(name) for name in justext.get_stoplists()))


def _justext(html: str) -> str:
    paragraphs = importlib.import_module("justext").justext(html, _stop_words())
    return "\n".join(one.text for one in paragraphs if not one.is_boilerplate)


def _readability(html: str) -> str:
    summary = importlib.import_module("readability").Document(html).summary(html_partial=True)
    return "\n".join(block.text for block in extract(summary, method="tagpath").blocks)


PEERS: dict[str, Extractor] = {
    "trafilatura": _trafilatura, "resiliparse": _resiliparse, "jusText": _justext, "readability": _readability,
}  # fmt: skip


def score(page: GoldPage, text: str) -> tuple[float, float]:
    """Twice the hits and the total that they are divided by."""
    if page.gold is not None:
        return lcs(tokens(text), tokens(page.gold)).f, 1.0
    flat = " ".join(text.split())
    hits, wrong = (sum(" ".join(one.split()) in flat for one in many) for many in (page.wanted, page.unwanted))
    return 2.0 * hits, float(hits + wrong + len(page.wanted))


def timed(extractor: Extractor, html: str) -> tuple[str, float]:
    """The text and its CPU seconds; an extractor that fails on a page has found nothing."""
    begin = time.process_time()
    try:
        text = extractor(html) or ""
    except Exception:  # noqa: BLE001 - whatever a peer raises
        text = ""
    return text, time.process_time() - begin


def run(pages: Sequence[GoldPage], extractors: dict[str, Extractor]) -> None:
    """Every extractor on every page in turn, so that a busy machine slows all of them."""
    hits: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    seconds: dict[str, list[float]] = defaultdict(list)
    for extractor in extractors.values():
        timed(extractor, pages[0].html)  # imports and models are no part of a page's time
    for page in pages:
        for name, extractor in extractors.items():
            text, spent = timed(extractor, page.html)
            seconds[name].append(spent)
            hits[name, page.set].append(score(page, text))
    sets = sorted({page.set for page in pages})
    first = fmean(seconds[next(iter(extractors))])
    print(f"{len(pages)} pages, mean {fmean(len(page.html) for page in pages) / 1e3:.0f} kB")
    print(f"{'':14}{'mean':>6} " + " ".join(f"{name[:7]:>7}" for name in sets) + "  ms/page  ratio")
    for name in extractors:
        scores = [sum(a for a, _ in hits[name, one]) / max(sum(b for _, b in hits[name, one]), 1.0) for one in sets]
        cells = " ".join(f"{value:7.3f}" for value in scores)
        mean = fmean(seconds[name])
        print(f"{name:14}{fmean(scores):6.3f} {cells} {1e3 * mean:8.2f} {mean / first:6.1f}")


def main() -> None:
    """Read the sets, run, print one line per extractor."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path)
    parser.add_argument("--pages", type=int, default=40, help="pages per set; 0 for all")
    parser.add_argument("--methods", default="learned", help="our own methods, with commas between them")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    pages: list[GoldPage] = []
    for _, group in groupby(read_gold(options.sets), key=lambda page: page.set):
        every = list(group)
        step = max(1, len(every) // options.pages) if options.pages else 1
        pages += every[::step][: options.pages or None]
    own = {name: (lambda html, name=name: extract(html, method=name).text) for name in options.methods.split(",")}
    run(pages, {**own, **PEERS})


if __name__ == "__main__":
    main()
