"""Gopher, C4 and FineWeb beside datatrove's filters: how often verdicts differ, and how much faster."""

from __future__ import annotations

import copy
import time
from collections import Counter

import pyarrow as pa

from paberki.quality.rules.document_rules import PUBLISHED, failed, gopher_stop_list, measures

FILTERS = {
    "gopher quality": PUBLISHED[:8],
    "gopher repetition": PUBLISHED[8:21],
    "c4": PUBLISHED[21:24],
    "fineweb": PUBLISHED[25:],
}


def peers(language: str) -> dict[str, object]:
    from datatrove.pipeline.filters import (
        C4QualityFilter,
        FineWebQualityFilter,
        GopherQualityFilter,
        GopherRepetitionFilter,
    )

    return {
        "gopher quality": GopherQualityFilter(language=language),
        "gopher repetition": GopherRepetitionFilter(language=language),
        "c4": C4QualityFilter(language=language),
        "fineweb": FineWebQualityFilter(language=language),
    }


def passes(verdict: object) -> bool:
    return verdict if isinstance(verdict, bool) else bool(verdict[0])


def compare(texts: list[str], language: str, show: int = 0) -> tuple[float, float]:
    """CPU seconds of both, and what they disagree on."""
    from datatrove.data import Document

    began = time.process_time()
    theirs: dict[str, list[object]] = {}
    for name, filter_ in peers(language).items():
        theirs[name] = []
        for number, text in enumerate(texts):
            document = Document(text=copy.copy(text), id=str(number))
            theirs[name].append(filter_.filter(document) if text.strip() else (False, "empty"))
    theirs_cpu = time.process_time() - began
    array = pa.array(texts)
    began = time.process_time()
    table = measures(array, ["en"] * len(texts), gopher_stop_list())
    verdicts = {name: failed(table, bounds) for name, bounds in FILTERS.items()}
    ours_cpu = time.process_time() - began
    for name, ours in verdicts.items():
        differ = [
            (number, one[1] if not isinstance(one, bool) else "passes", mine)
            for number, (one, mine) in enumerate(zip(theirs[name], ours, strict=True))
            if passes(one) == bool(mine)
        ]
        why = Counter(f"{one} / {(mine or ['passes'])[0]}" for _, one, mine in differ).most_common(4)
        print(f"  {name:18} {len(texts) - len(differ):5} of {len(texts)} verdicts the same  {why if why else ''}")
        for number, one, mine in differ[:show]:
            print("     ", one, mine, repr(texts[number][:100]))
    return theirs_cpu, ours_cpu


def run(rows, texts: int) -> None:
    manuals = [row for row in rows("dedup/dev.jsonl.xz") if not row["op"]]
    web = [row for row in manuals if row["src"].startswith("web")]
    sets = {
        ("eng", "web pages"): [row["text"] for row in web if row["lang"] == "en"][:texts],
        ("eng", "manuals"): [row["text"] for row in manuals if row["lang"] == "en"][: texts // 2],
        ("ces", "web pages"): [row["text"] for row in web if row["lang"] == "cs"][: texts // 4],
        ("slv", "web pages"): [row["text"] for row in web if row["lang"] == "sl"][: texts // 4],
    }
    measures(pa.array(["x"]), ["en"], gopher_stop_list())  # loads the compiled part
    for (language, kind), sample in sets.items():
        size = sum(len(text.encode()) for text in sample) / 1e6
        print(f"{language}, {kind}: {len(sample)} texts, {size:.2f} MB")
        theirs, ours = compare(sample, language)
        print(
            f"  datatrove {size / theirs:.2f} MB per CPU second, paberki {size / ours:.1f}: "
            f"{theirs / ours:.0f} times as fast"
        )
