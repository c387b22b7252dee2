"""Explanations: of pages that were kept, left out for each kind of reason, failed, taken down."""

import dataclasses
import json

import pytest

from paberki.errors import QueryError
from paberki.report.one_page.explain import explain
from paberki.report.one_page.find import variants
from paberki.report.peek import peek
from paberki.store.selection.select import Rule, SelectConfig


@pytest.fixture
def parts(reported):
    """Directory, plan and decisions."""
    return reported.directory, reported.plan(), reported.decisions()


def address(reported, reason):
    return next(page["id"] for page in reported.pages("id", "reason", kept=False) if page["reason"] == reason)


def test_a_kept_page(reported, parts):
    told = explain(*parts, "http://vijesti.hr/1")
    facts = told.to_dict()
    json.dumps(facts)
    assert facts["verdict"]["kept"] is True
    assert facts["page"]["date"] == "2026-11-02T10:00:00Z"
    blocks = facts["extraction"]["blocks"]
    assert len(blocks) == facts["extraction"]["block_count"]
    assert {block["kept"] for block in blocks} == {True, False}
    assert "kept: none of the 10 rules holds" in told.text()
    assert "read as utf-8" in told.text()
    assert told.lines()[0] == "Verdict"


def test_id_key_and_address_find_the_same_page(reported, parts):
    page = next(iter(reported.pages("id", "key", "url")))
    told = explain(*parts, page["url"])
    for wanted in (page["id"], page["key"], page["key"].upper(), str(int(page["id"])), f" {page['url']} "):
        assert explain(*parts, wanted) == told


@pytest.mark.parametrize(
    "wanted", ["knjige.hr/0.html", "http://knjige.hr/0.html", "https://KNJIGE.hr/0.html/", "https://knjige.hr/0.html"]
)
def test_addresses_as_people_write_them(parts, wanted):
    assert explain(*parts, wanted).page["url"] == "https://knjige.hr/0.html"


def test_of_several_captures_the_latest(parts):
    told = explain(*parts, "http://vijesti.hr/0")
    assert told.page["date"] == "2026-12-01T00:00:00Z"
    [other] = told.page["other_captures"]
    assert other["date"] == "2026-11-01T10:00:00Z"
    assert f"other capture: {other['id']}" in told.text()
    assert explain(*parts, other["id"]).verdict["reason"] == "superseded"


def test_a_short_page_shows_rule_and_values(reported, parts):
    told = explain(*parts, "http://kratko.hr/2")
    assert told.verdict["condition"] == "selected_char_count < 100"
    assert told.verdict["holds"] is True
    assert "not kept, too-short: selected_char_count < 100, and selected_char_count = 78" in told.text()


def test_another_language_shows_the_wanted_ones(parts):
    verdict = explain(*parts, "http://english.hr/0").text().split("\n\n")[0]
    assert "lang = en, " in verdict
    assert "$lang = (hr)" in verdict


def test_copies(parts):
    told = explain(*parts, "http://kopije.hr/2")
    assert told.verdict["reason"] == "duplicate"
    urls = {copy["url"]: copy["keep"] for copy in told.duplicates["copies"]}
    assert urls == {"http://kopije.hr/0": True, "http://kopije.hr/1": False}
    stays = explain(*parts, told.duplicates["stays"])
    assert stays.page["url"] == "http://kopije.hr/0"
    assert stays.duplicates["stays"] == stays.page["key"]
    assert f"the copy with the key {stays.page['key']} stays" in told.text()


def test_a_failed_page(reported, parts):
    told = explain(*parts, address(reported, "error"))
    assert told.verdict["error"]["stage"] == "archive.v1"
    assert "the stage archive.v1 failed (bad-header)" in told.text()
    assert "paberki build --retry-errors" in told.text()


def test_hostile_titles_are_data(parts):
    told = explain(*parts, "http://zlo.hr/x")
    assert told.page["title"].startswith("<script>")
    assert not set(told.text()) & {chr(code) for code in range(32)} - {"\n"}


def test_a_changed_recipe_is_noticed(parts):
    directory, plan, decisions = parts

    def changed(*rules):
        config = SelectConfig(pages=rules, lang=("hr",))
        return explain(directory, plan, dataclasses.replace(decisions, select=config), "http://kratko.hr/2").text()

    assert "this does not hold any more" in changed(Rule(reason="too-short", drop="selected_char_count < 10"))
    assert "a rule that is not in the recipe any more" in changed()


def test_before_selection(parts):
    directory, plan, decisions = parts
    told = explain(directory, plan.until("decode"), decisions, "http://vijesti.hr/1")
    assert told.verdict["kept"] is None
    assert "not decided yet" in told.text()


def test_taken_down_pages_say_nothing(reported, parts, monkeypatch):
    key = explain(*parts, "http://vijesti.hr/2").page["key"]
    monkeypatch.setattr(type(reported.directory), "tombstones", lambda self: frozenset({key}))
    told = explain(*parts, "http://vijesti.hr/2")
    assert told.verdict["kept"] is False
    assert "taken down" in told.text()
    assert all(block["text"] is None for block in told.extraction["blocks"])
    assert "title" not in told.page
    assert key not in {one["id"] for one in peek(*parts[:2], n=100)}
    assert all(one["url"] != "http://vijesti.hr/2" for one in peek(*parts[:2], n=100, kept=False))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("http://vijesti.hr/nema", "similar: http://vijesti.hr/"),
        ("http://nema.hr/", "there is no page of the host nema.hr"),
        ("999999999", "the last one is"),
        ("0" * 32, "no page has the key"),
        ("http://[", "not an address"),
        ("', 1); DROP TABLE pages; --", "no page with the address"),
        ("", "give an id"),
    ],
)
def test_not_found(parts, wanted, said):
    with pytest.raises(QueryError, match="no page") as error:
        explain(*parts, wanted)
    assert said in str(error.value)


def test_variants():
    assert variants("http://a.hr/")[:2] == ["http://a.hr/", "http://a.hr"]
    assert "https://a.hr" in variants("a.hr/")


def test_peek_is_a_seeded_sample(reported, parts):
    directory, plan, _ = parts
    first = peek(directory, plan, n=4)
    assert first == peek(directory, plan, n=4)
    assert first == peek(directory, plan, n=9)[:4]
    assert first != peek(directory, plan, n=4, seed=2)
    assert {"id", "url", "lang", "reason", "text"} <= set(first[0])
    assert all(len(one["text"]) == 500 and one["reason"] is None for one in first)


def test_peek_at_a_reason_or_a_condition(parts):
    directory, plan, _ = parts
    assert {one["reason"] for one in peek(directory, plan, reason="duplicate")} == {"duplicate"}
    assert len(peek(directory, plan, reason="duplicate", n=50)) == 2
    assert len(peek(directory, plan, reason="duplicate", where="url like '%/1' or url = ''", n=50)) == 1
    assert {one["lang"] for one in peek(directory, plan, kept=False, where="lang = 'de'", n=50)} == {"de"}
    with pytest.raises(QueryError, match=r"reasons here: other-language \(9\), duplicate \(2\)"):
        peek(directory, plan, reason="it's nothing")
    assert len(peek(directory, plan, kept=False, n=100)) == 45
    assert peek(directory, plan, n=0) == []
