"""Furniture: what is won by looking at the other pages of a host.

    python benchmarks/furniture.py [--sets PABERKI_DATA/extraction]

Pages with whole gold text of hosts of which there are five or more are extracted, the blocks that stand on many pages of a
host are left out (``quality.furniture.v1``), and the text is compared with gold before and after.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
import pyarrow as pa
from pages import data_directory

from paberki.extraction import Extraction, extract
from paberki.extraction.evaluation.gold_pages import GoldPage, read_gold
from paberki.extraction.evaluation.text_measures import lcs, tokens
from paberki.quality.furniture import TEXT, FurnitureBlocks, FurnitureConfig
from paberki.store.batch import Batch
from paberki.web.registered_domains import split_url

FEWEST = FurnitureConfig().min_pages


def by_host(pages: Sequence[GoldPage]) -> dict[str, list[GoldPage]]:
    hosts = defaultdict(list)
    for page in pages:
        host = split_url(page.url).hostname if page.url else None
        if host and page.gold is not None:
            hosts[host].append(page)
    return {host: some for host, some in hosts.items() if len(some) >= FEWEST}


def furniture(host: str, results: Sequence[Extraction]) -> list[set[int]]:
    """Numbers of the blocks that are furniture, page by page."""
    columns = {
        TEXT[0]: pa.array([[block.text for block in one.blocks] for one in results], pa.list_(pa.string())),
        TEXT[1]: pa.array([[block.kept for block in one.blocks] for one in results], pa.list_(pa.bool_())),
        "archive.host": pa.array([host] * len(results)),
        "archive.url": pa.array([f"http://{host}/{number}" for number in range(len(results))]),
    }
    config, blocks = FurnitureConfig(), [set[int]() for _ in results]
    rows = FurnitureBlocks.emit(Batch(np.arange(len(results)), columns), config)
    for row in FurnitureBlocks.resolve(rows, config).to_pylist():
        blocks[row["page"]].add(row["block"])
    return blocks


def main() -> None:
    """One line per set, and the mean of all pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=Path, default=data_directory())
    scores: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    changes = hosts = 0
    for host, pages in by_host(list(read_gold(parser.parse_args().sets))).items():
        results = [extract(page.html, url=page.url) for page in pages]
        hosts += 1
        for page, result, unwanted in zip(pages, results, furniture(host, results), strict=True):
            gold, texts = tokens(page.gold or ""), {n: one.text for n, one in enumerate(result.blocks) if one.kept}
            before = lcs(tokens("\n".join(texts.values())), gold)
            after = lcs(tokens("\n".join(text for number, text in texts.items() if number not in unwanted)), gold)
            scores[page.set].append((before.precision or 0.0, before.f, after.precision or 0.0, after.f))
            changes += bool(unwanted)
    every = [one for some in scores.values() for one in some]
    print(f"{len(every)} pages of {hosts} hosts; furniture on {changes}")
    for name, some in [*sorted(scores.items()), ("all", every)]:
        p, f, p_after, f_after = (fmean(one) for one in zip(*some, strict=True))
        print(f"{name:16} {len(some):5}  precision {p:.4f} → {p_after:.4f}  F {f:.4f} → {f_after:.4f}")


if __name__ == "__main__":
    main()
