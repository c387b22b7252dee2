"""Soft labels for pages without gold text, for ``paberki train extract --hints``.

    python benchmarks/extract_hints.py SETS -o hints.jsonl [--sets daniel,dragnet,l3sgn1,trafilatura] [--model old.npz]

The chance of a block is the mean of what trafilatura and readability-lxml keep of it and of the chance that a model
gives it (the one in the package by default). No gold text is read. Takes some 0.1 s per page.
"""

from __future__ import annotations

import argparse
import json
import logging
from functools import partial
from pathlib import Path

import numpy as np
from extract import PEERS, timed

from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.page_objects import page_blocks
from paberki.extraction.evaluation.gold_pages import GoldPage, read_gold
from paberki.extraction.evaluation.text_measures import tokens
from paberki.extraction.learned.block_classifier import model
from paberki.extraction.learned.block_training import aligned
from paberki.extraction.learned.features import Measure
from paberki.extraction.learned.type_hints import type_hints

TEACHERS = ("trafilatura", "readability")


def hints(page: GoldPage, trees: str) -> list[float]:
    """A chance for every block."""
    harvest = Harvest()
    harvest.add_text(page.html)
    if not harvest.block_count:
        return []
    measure, forests = Measure(harvest), model(trees)
    chances = [forests.chances(measure, 0, measure.features(0, type_hints(page.html, page.url)))]
    words = [tokens(block.text) for block in page_blocks(harvest, 0)]
    chances += [aligned(words, tokens(timed(partial(PEERS[name], page.html))[0])) for name in TEACHERS]
    return [round(float(value), 3) for value in np.mean(chances, axis=0)]


def main() -> None:
    """One line per page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", "-o", type=Path, default=Path("hints.jsonl"))
    parser.add_argument("--sets", default="daniel,dragnet,l3sgn1,trafilatura")
    parser.add_argument("--model", default="")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    sets = set(options.sets.split(","))
    with options.output.open("w", encoding="utf-8") as file:
        for page in read_gold(options.data):
            if page.set in sets:
                row = {"set": page.set, "id": page.id, "chances": hints(page, options.model)}
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
