"""Blocks on many pages of one host are furniture; text that a few pages share, or copies of one page, are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from paberki.engine.passes.apply_tasks import one_per_page
from paberki.quality.furniture import FurnitureBlocks, FurnitureConfig
from paberki.store.batch import Batch
from paberki.store.columns import BLOCK, ERROR, TIME

COOKIES = "Ova stranica koristi kolačiće kako bi vam pružila bolje iskustvo."


def page(
    number: int, *blocks: str, host: str = "a.hr", cluster: str | None = None, status: int = 200
) -> dict[str, Any]:
    listed = [
        {**dict.fromkeys(BLOCK.names), "text": text, "kept": True, "chars": len(text), "words": 1} for text in blocks
    ]
    return {
        "extract.blocks": listed, "archive.host": host, "archive.url": f"http://{host}/{number}", "near.dup_cluster": cluster,
        "archive.status": status, "archive.date": None, "archive.sha224": f"{number}", "archive.error": None,
    }  # fmt: skip


TYPES = {
    "extract.blocks": pa.list_(BLOCK), "archive.host": pa.string(), "archive.url": pa.string(), "archive.date": TIME,
    "near.dup_cluster": pa.string(), "archive.status": pa.int16(), "archive.sha224": pa.string(), "archive.error": ERROR,
}  # fmt: skip


def labels(*pages: dict[str, Any]) -> list[list[int]]:
    config = FurnitureConfig()
    numbers = np.arange(len(pages), dtype=np.int64)
    batch = Batch(numbers, {name: pa.array([one[name] for one in pages], kind) for name, kind in TYPES.items()})
    rows = FurnitureBlocks.resolve(FurnitureBlocks.emit(batch, config), config)
    [decided] = list(FurnitureBlocks.solve([rows], None, config, None))  # type: ignore[arg-type]
    found: Any = FurnitureBlocks.apply(batch, one_per_page(decided, numbers), config)["furniture"]
    return list(found.to_pylist())


def test_notices_and_numbered_buttons_are_furniture() -> None:
    pages = [page(n, COOKIES, f"#{n} Odgovori", f"Vijest {chr(97 + n)} o gradu.") for n in range(6)]
    assert labels(*pages) == [[1, 1, 0]] * 6


def test_few_pages_or_a_small_share_are_not_enough() -> None:
    few = [page(n, COOKIES, f"Tekst {chr(97 + n)}") for n in range(4)]
    rare = [page(n, "Piše: Ana" if n < 6 else f"Piše {n % 7}{chr(97 + n)}", host="b.hr") for n in range(4, 50)]
    assert not any(label for one in labels(*few, *rare) for label in one)


def test_each_host_has_its_own_furniture() -> None:
    here = [page(n, COOKIES) for n in range(5)]
    assert labels(*here, page(9, COOKIES, host="b.hr")) == [[1]] * 5 + [[0]]


def test_copies_and_captures_of_one_page_count_once() -> None:
    copies = [page(n, "Cijeli članak pod mnogo adresa.", cluster="key0") for n in range(10)]
    captures = [page(20, "Uvijek isti uvod u članak koji se mijenja.", f"Stanje {chr(97 + n)}") for n in range(10)]
    assert not any(label for one in labels(*copies, *captures) for label in one)


def test_numbers_count_in_long_blocks() -> None:
    report = "Sutra će u gradu biti oblačno, a najviša temperatura zraka bit će {} stupnjeva uz slab vjetar."
    assert not any(label for one in labels(*(page(n, report.format(n)) for n in range(8))) for label in one)
