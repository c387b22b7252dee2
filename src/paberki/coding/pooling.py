"""Judging disagreements: of the items on which two coders or classifiers differ, people decide a random sample (P3 §5).

P3 drew 100 such items per corpus; ``na`` is the verdict for mixed items, on which neither is right.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from paberki.coding.agreement import shared_variables
from paberki.coding.coding_file import CodingFile, csv_lines, harmless
from paberki.coding.coding_scheme import spelling
from paberki.coding.drawing import rank
from paberki.errors import InputError
from paberki.store.files import explain, replacing

NEITHER: Final = "na"
_HEAD: Final = ("id", "key", "url", "start", "end", "variable")


def disagreements(files: Sequence[CodingFile]) -> list[dict[str, str]]:
    """Every item on which not all coders agree, once for each variable."""
    rows = []
    for name in shared_variables(files):
        labels = {file.coder: file.labels(name) for file in files if name in file.scheme.names}
        for place in dict.fromkeys(place for values in labels.values() for place in values):
            answers = {coder: values[place] for coder, values in labels.items() if place in values}
            if len(set(answers.values())) > 1:
                row = next(file.rows[place] for file in files if place in file.rows)
                span = [str(at) if at is not None else "" for at in place[1:]]
                cells = [row.id, place.key, harmless(row.url), *span, name]
                rows.append({**dict(zip(_HEAD, cells, strict=True)), **answers})
    return rows


def write_pool(path: Path, files: Sequence[CodingFile], count: int, seed: int) -> tuple[int, int]:
    """Write a seeded sample of the disagreements with an empty column ``verdict``; how many of how many."""
    rows = disagreements(files)
    sample = sorted(rows, key=lambda row: rank(seed, "\t".join(row[name] for name in _HEAD[1:])))[:count]
    try:
        with replacing(path) as beside, open(beside, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [*_HEAD, *(one.coder for one in files), "verdict"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(sample)
    except OSError as error:
        raise explain(error, f"writing {path}") from error
    return len(sample), len(rows)


def verdicts(path: Path) -> dict[str, dict[str, Any]]:
    """For each variable how often each coder was right, how often neither, and how many items are not judged yet."""
    lines = csv_lines(path)
    head = [name.strip() for name in next(lines, (1, []))[1]]
    if not {"variable", "verdict"} <= set(head):
        raise InputError(f"{path}: not a pool of disagreements; make one with: paberki code pool A.csv B.csv -o FILE")
    coders = [name for name in head if name not in (*_HEAD, "verdict")]
    counts: dict[str, Counter[str]] = {}
    for _, cells in lines:
        row = dict(zip(head, (cell.strip() for cell in cells), strict=False))
        if row.get("variable"):
            counts.setdefault(row["variable"], Counter()).update(_winners(row, coders))
    return {
        name: {"judged": count["judged"], "open": count["open"], NEITHER: count[NEITHER]}
        | {"right": {coder: count[f"right {coder}"] for coder in coders}}
        for name, count in counts.items()
    }


def _winners(row: dict[str, str], coders: Sequence[str]) -> list[str]:
    """Which counts one judged item raises. A value that no coder gave is a verdict against all of them."""
    verdict = spelling(row.get("verdict", ""))
    if not verdict:
        return ["open"]
    winners = [f"right {coder}" for coder in coders if spelling(row.get(coder, "")) == verdict]
    return ["judged", *(winners or [NEITHER])]
