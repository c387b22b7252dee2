"""Tables of a report: sums that add up, and the same numbers as counting by hand."""

import dataclasses

import pytest

from paberki.report.figures.attrition import attrition
from paberki.report.figures.documents_per_host import hosts
from paberki.report.figures.encodings import encodings
from paberki.report.figures.language_shares import UNKNOWN, languages
from paberki.report.figures.text_lengths import lengths
from paberki.store.selection.select import Rule, SelectConfig


@pytest.fixture
def pages(reported):
    names = ("host", "lang", "keep", "reason", "encoding", "selected_char_count", "selected_word_count")
    return list(reported.pages(*names, kept=False))


def test_rows_follow_the_rules_and_add_up(parts, pages):
    rows = attrition(*parts)
    reasons = [row.reason for row in rows]
    assert reasons[:4] == ["crawled", "taken-down", "error", "not-a-page"]
    assert reasons[-2:] == ["duplicate", "kept"]
    dropped = [row for row in rows if row.kind == "dropped"]
    assert rows[0].pages == len(pages) == sum(row.pages for row in dropped) + rows[-1].pages
    assert rows[0].words == sum(row.words for row in rows[1:])
    left = len(pages)
    for row in dropped:
        left -= row.pages
        assert row.left_pages == left
        assert row.pages == sum(page["reason"] == row.reason for page in pages)
    assert left == rows[-1].pages == sum(page["keep"] for page in pages)
    assert rows[-1].words == sum(page["selected_word_count"] for page in pages if page["keep"])


def test_every_kind_of_reason_occurs(parts):
    counted = {row.reason: row.pages for row in attrition(*parts)}
    for reason in ("error", "superseded", "no-text", "too-short", "other-language", "duplicate", "kept"):
        assert counted[reason], reason


def test_reasons_that_the_recipe_no_longer_has_come_last(parts):
    directory, plan, recipe = parts
    stages = tuple(
        (stage, SelectConfig(pages=(Rule(reason="new", drop="status = 1"),)) if stage.layer == "select" else config)
        for stage, config in recipe.stages
    )
    rows = attrition(directory, plan, dataclasses.replace(recipe, stages=stages))
    assert [row.reason for row in rows][:5] == ["crawled", "taken-down", "error", "new", "duplicate"]
    assert rows[0].pages == sum(row.pages for row in rows[1:])


def test_hosts(parts, pages):
    found = hosts(*parts[:2])
    kept = [page for page in pages if page["keep"]]
    names = {page["host"] for page in kept}
    assert (found.pages, found.kept, found.kept_hosts) == (len(pages), len(kept), len(names))
    assert found.mean_kept == pytest.approx(len(kept) / len(names))
    assert found.top[0].host == "vijesti.hr"
    counts = sorted((one.kept for one in found.top), reverse=True)
    assert [one.kept for one in found.top] == counts
    assert sum(counts[: found.half]) * 2 >= len(kept) > sum(counts[: found.half - 1]) * 2
    assert found.curve[0] == (1, counts[0])


def test_languages(parts, pages):
    found = languages(*parts[:2])
    assert found[0].lang == "hr"
    assert found[-1].lang == UNKNOWN
    without_text = sum(one["reason"] in ("not-a-page", "error") for one in pages)
    assert sum(one.pages for one in found) == len(pages) - without_text
    assert {one.lang: one.kept for one in found}["en"] == 0


def test_lengths(parts, pages):
    found = lengths(*parts[:2])
    kept = sorted(page["selected_char_count"] for page in pages if page["keep"])
    assert found.mean == pytest.approx(sum(kept) / len(kept))
    assert found.median == kept[(len(kept) - 1) // 2]
    assert (found.shortest, found.longest) == (kept[0], kept[-1])
    assert sum(one.pages for one in found.bins) == len(kept)


def test_encodings(parts, pages):
    found = {(one.encoding, one.source): one.pages for one in encodings(*parts[:2])}
    assert sum(found.values()) == len(pages)
    assert found["cp1250", "model"] == 1
