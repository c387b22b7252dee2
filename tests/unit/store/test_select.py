"""Selection: rules in order, blocks before pages, and which of several copies stays."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from paberki.engine.passes.apply_tasks import one_per_page
from paberki.errors import ConfigError, QueryError
from paberki.store.batch import Batch
from paberki.store.columns import ERROR, TIME
from paberki.store.selection.select import Rule, Select, SelectConfig, check_rules, needs

BLOCKS = pa.list_(
    pa.struct([("chars", pa.int32()), ("words", pa.int32()), ("kept", pa.bool_()), ("label", pa.string())])
)


def page(
    chars: list[int] | None = None, *, kept: list[bool] | None = None, status: int = 200, lang: str | None = "hr",
    copy: str | None = None, day: int | None = 1, key: str = "", failed: bool = False, host: str = "a.hr",
) -> dict[str, Any]:  # fmt: skip
    """One page: characters of its blocks (None: it was never extracted)."""
    blocks = None
    if chars is not None:
        stays = kept or [True] * len(chars)
        blocks = [{"chars": n, "words": n // 5, "kept": k, "label": "p"} for n, k in zip(chars, stays, strict=True)]
    return {
        "archive.key": key,
        "archive.date": datetime.datetime(2020, 1, day) if day else None,
        "archive.status": status,
        "archive.host": host,
        "archive.mime": "text/html",
        "archive.error": {"stage": "a", "code": "b", "detail": "c"} if failed else None,
        "extract.blocks": blocks,
        "identify.lang": lang,
        "identify.block_lang": [lang] * len(chars) if chars is not None else None,
        "dedup.dup_exact": copy,
    }


TYPES = {
    "archive.key": pa.string(), "archive.date": TIME, "archive.status": pa.int16(), "archive.host": pa.string(), "archive.mime": pa.string(),
    "archive.error": ERROR,
    "extract.blocks": BLOCKS, "identify.lang": pa.string(), "identify.block_lang": pa.list_(pa.string()),
    "dedup.dup_exact": pa.string(),
}  # fmt: skip
SHORT = {name.partition(".")[2]: name for name in TYPES if not name.endswith(".error")}


def select(config: SelectConfig, *pages: dict[str, Any], gone: frozenset[int] = frozenset()) -> dict[str, list[Any]]:
    rows = [{**one, "archive.key": one["archive.key"] or f"key{at}"} for at, one in enumerate(pages)]
    columns = {name: pa.array([row[name] for row in rows], kind) for name, kind in TYPES.items()}
    numbers = np.arange(len(rows), dtype=np.int64)
    batch = Batch(numbers, columns, taken_down=gone)
    view = batch.view((*needs(config, SHORT), "extract.blocks", *TYPES))
    decisions = Select.resolve(Select.emit(view, config), config).sort_by("page")
    found = Select.apply(view, one_per_page(decisions, numbers), config)
    return {name: array.to_pylist() for name, array in found.items()}


def rule(reason: str, drop: str) -> Rule:
    return Rule(reason=reason, drop=drop)


def test_the_first_rule_that_holds_gives_the_reason() -> None:
    rules = (rule("status", "status != 200"), rule("short", "selected_char_count < 10"), rule("lang", "lang != 'hr'"))
    pages = (page([50]), page([5], status=404), page([5], lang="sl"), page([50], lang="sl"))
    assert select(SelectConfig(pages=rules), *pages)["reason"] == [None, "status", "short", "lang"]
    assert select(SelectConfig(pages=rules[::-1]), *pages)["reason"] == [None, "short", "lang", "lang"]


def test_unknown_is_not_a_reason() -> None:
    config = SelectConfig(pages=(rule("lang", "lang != 'hr'"),))
    found = select(config, page([50], lang=None))
    assert found["keep"] == [True]


def test_empty_rules_are_off_and_language_rules_wait_for_a_language() -> None:
    rules = (rule("off", "  "), rule("lang", "lang is null or lang not in $lang"))
    pages = (page([50], lang="sl"), page([50], lang=None))
    assert select(SelectConfig(pages=rules), *pages)["keep"] == [True, True]
    assert select(SelectConfig(pages=rules, lang=("hr",)), *pages)["reason"] == ["lang", "lang"]
    assert select(SelectConfig(pages=rules, lang=("hr", "sl")), *pages)["reason"] == [None, "lang"]


def test_blocks_come_first_and_pages_count_what_is_left() -> None:
    config = SelectConfig(
        blocks=(rule("boilerplate", "not block.kept"), rule("tiny", "block.chars < 5")),
        pages=(rule("short", "selected_char_count < 30"),),
    )
    found = select(config, page([40, 100, 3], kept=[True, False, True]), page([20, 100], kept=[True, False]), page([]))
    assert found["block_reason"] == [[None, "boilerplate", "tiny"], [None, "boilerplate"], []]
    assert found["block_keep"] == [[True, False, False], [True, False], []]
    assert found["selected_char_count"] == [40, 20, 0]
    assert found["selected_word_count"] == [8, 4, 0]
    assert found["reason"] == [None, "short", "short"]


def test_block_rules_see_columns_of_blocks_and_of_pages() -> None:
    by_block = SelectConfig(blocks=(rule("foreign", "block_lang != 'hr'"),))
    by_page = SelectConfig(blocks=(rule("old", "status = 404"),))
    pages = (page([10, 20]), page(None), page([30], lang="sl", status=404))
    assert select(by_block, *pages)["block_keep"] == [[True, True], None, [False]]
    assert select(by_page, *pages)["block_keep"] == [[True, True], None, [False]]


def test_page_that_was_never_extracted() -> None:
    found = select(SelectConfig(pages=(rule("no-text", "selected_char_count = 0"),)), page(None), page([9]))
    assert found["reason"] == ["no-text", None]
    assert found["block_keep"] == [None, [True]]


def test_failed_and_taken_down_pages() -> None:
    config = SelectConfig(pages=(rule("status", "status != 200"),))
    found = select(config, page([9], failed=True), page([9], status=404, failed=True), page([9]), gone=frozenset({2}))
    assert found["reason"] == ["error", "error", "taken-down"]


@pytest.mark.parametrize(
    ("copies", "stays"),
    [
        ([page([10], copy="a"), page([30], copy="a"), page([20], copy="a")], 1),
        ([page([10], copy="a", day=3), page([10], copy="a", day=2), page([10], copy="a", day=9)], 1),
        ([page([10], copy="a", day=None), page([10], copy="a", day=9)], 1),
        ([page([10], copy="a", key="z"), page([10], copy="a", key="m"), page([10], copy="a", key="p")], 1),
        ([page([10], copy="a", day=1), page([11], copy="a", day=9)], 1),
    ],
    ids=["longest", "then earliest", "a date before none", "then key", "length before date"],
)
def test_which_copy_stays(copies: list[dict[str, Any]], stays: int) -> None:
    found = select(SelectConfig(), *copies)
    assert [at for at, keep in enumerate(found["keep"]) if keep] == [stays]
    assert [why for why in found["reason"] if why] == ["duplicate"] * (len(copies) - 1)
    winner = copies[stays]["archive.key"] or f"key{stays}"
    assert [of for of in found["dup_of"] if of] == [winner] * (len(copies) - 1)


def test_a_group_whose_best_copy_fails_another_rule_keeps_another() -> None:
    config = SelectConfig(pages=(rule("status", "status != 200"),))
    found = select(config, page([90], copy="a", status=404), page([10], copy="a"), page([20], copy="a"))
    assert found["reason"] == ["status", "duplicate", None]
    assert found["dup_of"] == [None, "key2", None]
    found = select(config, page([90], copy="a", failed=True), page([10], copy="a"))
    assert found["reason"] == ["error", None]


def test_length_of_copies_is_what_block_rules_left() -> None:
    config = SelectConfig(blocks=(rule("boilerplate", "not block.kept"),))
    found = select(config, page([10, 500], kept=[True, False], copy="a"), page([20], copy="a"))
    assert found["reason"] == ["duplicate", None]


def test_groups_do_not_mix_and_copies_can_be_kept() -> None:
    pages = [page([10], copy="a"), page([10], copy="b"), page([10], copy="a"), page([10]), page([10])]
    assert select(SelectConfig(), *pages)["reason"] == [None, None, "duplicate", None, None]
    assert select(SelectConfig(copies=""), *pages)["keep"] == [True] * 5


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (SelectConfig(pages=(rule("x", "statu = 1"),)), "rule 'x': there is no column 'statu'.*'status'"),
        (SelectConfig(blocks=(rule("x", "block.char = 1"),)), "did you mean 'block.chars'"),
        (SelectConfig(blocks=(rule("x", "selected_char_count = 1"),)), "there is no column"),
        (SelectConfig(copies="dup_exac"), "did you mean 'dup_exact'"),
    ],
)
def test_wrong_columns_are_found_before_anything_runs(config: SelectConfig, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        needs(config, SHORT)


def test_a_value_is_not_a_rule() -> None:
    with pytest.raises(QueryError):
        select(SelectConfig(pages=(rule("x", "status + 1"),)), page([1]))


def test_a_rule_that_always_holds() -> None:
    assert select(SelectConfig(pages=(rule("x", "1 = 1"),)), page([1]), page(None))["reason"] == ["x", "x"]


def test_pages_from_outside_the_scope() -> None:
    config = SelectConfig(copies="", scope=(".hr", "example.com"), pages=(Rule(reason="old", drop="status != 200"),))
    outside = page([500], host="b.de", status=404)
    pages = (page([500]), outside, page([500], host="www.example.com"), page([500], host=""), page([500], host="hr.de"))
    assert select(config, *pages)["reason"] == [None, "out-of-scope", None, None, "out-of-scope"]
    assert select(SelectConfig(copies=""), outside)["reason"] == [None]


def test_equal_copies_of_a_page_that_was_taken_down_go_with_it() -> None:
    pages = (page([90], copy="a"), page([10], copy="a"), page([10], copy="b"), page([20], copy="b"), page([5]))
    found = select(SelectConfig(), *pages, gone=frozenset({0}))
    assert found["reason"] == ["taken-down", "taken-down", "duplicate", None, None]
    assert found["dup_of"] == [None, "key0", "key3", None, None]
    found = select(SelectConfig(copies=""), *pages, gone=frozenset({0}))
    assert found["reason"] == ["taken-down", "taken-down", None, None, None]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (SelectConfig(pages=(rule("x", "day < 3"),)), "select rule 'x': condition 'day < 3' compares"),
        (SelectConfig(pages=(rule("x", "day < 'soon'"),)), "compares things of different kinds"),
        (SelectConfig(pages=(rule("x", "selected_char_count in ('a')"),)), "compares things of different kinds"),
        (SelectConfig(blocks=(rule("x", "block.chars like 'a%'"),)), "compares things of different kinds"),
        (SelectConfig(pages=(rule("x", "day"),)), "is a value, not a statement"),
    ],
)
def test_rules_that_compare_different_kinds_are_refused_before_anything_runs(
    config: SelectConfig, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        check_rules(config, {"day": pa.date32()})


def test_rules_about_words_and_days() -> None:
    types = {"day": pa.date32(), "kind": pa.dictionary(pa.int32(), pa.string()), "block_lang": pa.list_(pa.string())}
    rules = (rule("x", "day < '2015-01-01' and kind in ('a', 'b') or selected_char_count < 5"),)
    check_rules(SelectConfig(pages=rules, blocks=(rule("x", "block_lang = 'hr' and block.chars < 3"),)), types)


def test_a_column_that_another_stage_would_add() -> None:
    config = SelectConfig(pages=(rule("x", "external is null"),))
    with pytest.raises(ConfigError, match=r"no column 'external'; external\.command\.v1 adds it"):
        needs(config, {"status": "archive.status"})
