"""Scores of quality: what they measure, beside their peers, and what they cost.

    python benchmarks/quality.py rules [--texts N]      # Gopher, C4 and FineWeb beside datatrove's filters
    python benchmarks/quality.py badness                # connected text, as a filter of languages and of lists
    python benchmarks/quality.py connected              # the cuts of the default: text lost, lists and salad found
    python benchmarks/quality.py ngrams                 # 3graph and 12graph: size, length, dictionary coverage
    python benchmarks/quality.py diacritics             # words restored, beside a word list
    python benchmarks/quality.py speed                  # all scores together, MB of text per CPU second

Texts are read from $PABERKI_DATA (langid, encoding, dedup, extraction).
"""

from __future__ import annotations

import argparse
import importlib
import json
import lzma
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
DATA = Path(os.environ.get("PABERKI_DATA", "../shared/data"))
PARTS = ("rules", "badness", "connected", "ngrams", "diacritics", "speed")


def rows(name: str) -> list[dict]:
    """The rows of a data file."""
    with lzma.open(DATA / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=PARTS)
    parser.add_argument("--texts", type=int, default=400, help="how many texts the slow peers get")
    arguments = parser.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"{DATA} is not there; set PABERKI_DATA")
    importlib.import_module(f"quality_{arguments.what}").run(rows, arguments.texts)


if __name__ == "__main__":
    main()
