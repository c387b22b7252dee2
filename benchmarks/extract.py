"""Quality and speed of extraction against its peers, in one run on the same pages.

    pip install '.[bench]'
    python benchmarks/extract.py SETS [--pages 40] [--methods learned,tagpath]
    python benchmarks/extract.py SETS --pages 0 --folds --hints hints.jsonl --without 'misc/h2t-*' \
        --unlabelled 'daniel/*' --unlabelled 'dragnet/*' --unlabelled 'l3sgn1/*'
    python benchmarks/extract.py SETS --dates

SETS is a directory of sets of pages with gold text (docs/training-data.md). Every extractor gets the decoded page; its
time is CPU time of this process. Pages of the sets that the shipped model was trained on say nothing about its quality
on others: give it pages of other sites, or let ``--folds`` grow a model for each quarter of the sites from the other
three and measure it there (some 3 CPU minutes for 2,000 pages; the options are those of ``paberki train extract``;
``--models`` names a folder in which the models stay).
``--dates`` counts how often the day of publication is the one that htmldate finds, and the one in the address.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import logging
import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from paberki.extraction import extract
from paberki.extraction.evaluation.gold_pages import GoldPage, read_gold
from paberki.extraction.evaluation.text_measures import lcs, tokens
from paberki.extraction.learned.block_training import FOLDS, TREES, examples, fold, learn, read_hints

Extractor = Callable[[GoldPage], str]
DATE_IN_ADDRESS = re.compile(r"/(20\d\d)[/-]?(\d\d)[/-]?(\d\d)[/-]")


def _trafilatura(html: str) -> str:
    text = importlib.import_module("trafilatura").extract(html, include_comments=False, include_tables=True)
    return text or ""


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


PEERS: dict[str, Callable[[str], str]] = {
    "trafilatura": _trafilatura, "resiliparse": _resiliparse, "jusText": _justext, "readability": _readability,
}  # fmt: skip


def score(page: GoldPage, text: str) -> tuple[float, float]:
    """Twice the hits and the total that they are divided by."""
    if page.gold is not None:
        return lcs(tokens(text), tokens(page.gold)).f, 1.0
    flat = " ".join(text.split())
    hits, wrong = (
        sum(" ".join(one.split()) in flat for one in many) for many in (page.good_snippets, page.bad_snippets)
    )
    return 2.0 * hits, float(hits + wrong + len(page.good_snippets))


def timed(call: Callable[[], str]) -> tuple[str, float]:
    """The text and its CPU seconds; an extractor that fails on a page has found nothing."""
    begin = time.process_time()
    try:
        text = call() or ""
    except Exception:  # noqa: BLE001 - whatever a peer raises
        text = ""
    return text, time.process_time() - begin


def run(pages: Sequence[GoldPage], extractors: dict[str, Extractor]) -> None:
    """Every extractor on every page in turn, so that a busy machine slows all of them."""
    hits: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    seconds: dict[str, list[float]] = defaultdict(list)
    for extractor in extractors.values():
        timed(partial(extractor, pages[0]))  # imports and models are no part of a page's time
    for page in pages:
        for name, extractor in extractors.items():
            text, spent = timed(partial(extractor, page))
            seconds[name].append(spent)
            hits[name, page.set].append(score(page, text))
    sets = sorted({page.set for page in pages})
    first = fmean(seconds[next(iter(extractors))])
    print(f"{len(pages)} pages, mean {fmean(len(page.html) for page in pages) / 1e3:.0f} kB")
    print(f"{'':14}{'mean':>7} " + " ".join(f"{name[:7]:>7}" for name in sets) + "  ms/page  ratio")
    for name in extractors:
        scores = [sum(a for a, _ in hits[name, one]) / max(sum(b for _, b in hits[name, one]), 1.0) for one in sets]
        cells = " ".join(f"{value:7.3f}" for value in scores)
        mean = fmean(seconds[name])
        print(f"{name:14}{fmean(scores):7.4f} {cells} {1e3 * mean:8.2f} {mean / first:6.1f}")


def held_out(pages: Sequence[GoldPage], options: argparse.Namespace, folder: Path) -> Extractor:
    """Models of all but a part of the sites, each for the pages of that part."""
    coded = examples(
        pages, hints=read_hints(options.hints) if options.hints else None, without=options.without,
        unlabelled=options.unlabelled,
    )  # fmt: skip
    ready = [one for _, one, _ in coded]
    for part in range(FOLDS):
        learn([one for one in ready if one.fold != part], trees=options.trees).save(folder / f"{part}.npz")
        print(f"model {part + 1} of {FOLDS}: {time.process_time():.0f} CPU s", flush=True)
    return lambda page: extract(page.html, url=page.url, model=str(folder / f"{fold(page)}.npz")).text


def count_dates(pages: Sequence[GoldPage]) -> None:
    """How often two readers of dates and the address of a page agree."""
    find_date = importlib.import_module("htmldate").find_date
    both = equal = stated = ours = theirs = 0
    for page in pages:
        own = extract(page.html, url=page.url).date
        with contextlib.suppress(Exception):
            peer = find_date(page.html, url=page.url, original_date=True, extensive_search=False)
            both += bool(own and peer)
            equal += bool(own and own == peer)
            address = DATE_IN_ADDRESS.search(page.url or "")
            if address:
                stated += 1
                ours += own == "-".join(address.groups())
                theirs += peer == "-".join(address.groups())
    print(f"{len(pages)} pages: both find a date on {both}, the same on {equal} ({equal / max(both, 1):.3f})")
    print(f"a date in the address: {stated}; the same here {ours}, htmldate {theirs}")


def main() -> None:
    """Read the sets, run, print one line per extractor."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path)
    parser.add_argument("--pages", type=int, default=40, help="pages per set; 0 for all")
    parser.add_argument("--methods", default="learned", help="our own methods, with commas between them")
    parser.add_argument(
        "--folds", action="store_true", help="grow models for the learned method, by parts of the sites"
    )
    parser.add_argument("--models", type=Path)
    parser.add_argument("--trees", type=int, default=TREES)
    parser.add_argument("--hints", type=Path)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--unlabelled", action="append", default=[])
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--dates", action="store_true")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    pages: list[GoldPage] = []
    for _, group in groupby(read_gold(options.sets), key=lambda page: page.set):
        every = list(group)
        step = max(1, len(every) // options.pages) if options.pages else 1
        pages += every[::step][: options.pages or None]
    if options.dates:
        count_dates(pages)
        return
    peers = {name: (lambda page, name=name: PEERS[name](page.html)) for name in options.peers.split(",") if name}
    if options.models:
        options.models.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        own = {name: (lambda page, name=name: extract(page.html, url=page.url, method=name).text)
               for name in options.methods.split(",")}  # fmt: skip
        if options.folds:
            own["learned"] = held_out(pages, options, options.models or Path(folder))
        run(pages, {**own, **peers})


if __name__ == "__main__":
    main()
