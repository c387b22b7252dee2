"""The page and its files: well-formed, self-contained, and nothing in it that a page could have smuggled in."""

import csv
import json
import re
import xml.etree.ElementTree as ET

import pytest
from report_pages import HOSTILE, LONG_HOST

import paberki
from paberki.amounts import percent, several, short_number
from paberki.errors import StoreError
from paberki.markup.charts import Bar, bars, histogram, rank_curve
from paberki.markup.html import element, link, table
from paberki.markup.svg import fit, standalone, width
from paberki.report.section import Section
from paberki.report.sections import SECTIONS
from paberki.report.written_report import report


@pytest.fixture(scope="module")
def folder(parts, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "report"
    assert report(*parts, out=out) == out / "index.html"
    return out


def parsed(path):
    return ET.fromstring(path.read_text("utf-8").removeprefix("<!DOCTYPE html>\n"))


def test_the_page_is_well_formed_and_needs_nothing_else(folder):
    page = parsed(folder / "index.html")
    text = (folder / "index.html").read_text("utf-8")
    assert not list(page.iter("script"))
    assert not re.search(r"(src|@import|url\()\s*=?", text)
    assert {one.get("id") for one in page.iter("section")} >= set(SECTIONS)
    for target in [one.get("href") for one in page.iter("a")]:
        assert target.startswith(("#", "http://", "https://")) or (folder / target).is_file()
    ids = [one.get("id") for one in page.iter() if one.get("id")]
    assert len(ids) == len(set(ids))


def test_names_from_outside_are_escaped(folder):
    page = parsed(folder / "index.html")
    text = (folder / "index.html").read_text("utf-8")
    assert page.find(".//h1").text == "Mreža <b>&amp;"
    assert HOSTILE not in text
    assert "<b>" not in text
    assert LONG_HOST in "".join(page.itertext())


def test_tables_agree_with_the_page(folder):
    said = json.loads((folder / "attrition.json").read_text("utf-8"))
    with open(folder / "attrition.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["pages"]) for row in rows] == [row["pages"] for row in said["rows"]]
    assert [row["reason"] for row in rows] == [row["reason"] for row in said["rows"]]
    with open(folder / "hosts.csv", encoding="utf-8", newline="") as file:
        hosts = list(csv.DictReader(file))
    assert sum(int(row["pages"]) for row in hosts) == said["rows"][0]["pages"]
    assert sum(int(row["kept"]) for row in hosts) == said["rows"][-1]["pages"]


def test_figures_are_files_of_their_own(folder):
    assert {"attrition.svg", "hosts.svg", "host_bias.svg", "pos.svg"} <= {one.name for one in folder.glob("*.svg")}
    for path in folder.glob("*.svg"):
        drawn = ET.fromstring(path.read_text("utf-8"))
        assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
        assert drawn[0].tag.endswith("title")
        assert drawn[1].tag.endswith("desc")
        assert any(one.tag.endswith("style") for one in drawn)


def test_twice_gives_the_same_bytes(folder, parts, tmp_path):
    report(*parts, out=tmp_path / "again")
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == {
        p.name: p.read_bytes() for p in (tmp_path / "again").iterdir()
    }


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_kept(count, tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.html").write_text("<p>Kratko." if not count else "<p>Samo jedna stranica je ovdje.")
    corpus = paberki.new(tmp_path / "c", preset="modern")
    if count:
        with corpus.directory.recipe.open("a") as file:
            for reason in ("no-text", "too-short", "other-language", "not-connected"):
                file.write(f'[[select.pages]]\nreason = "{reason}"\ndrop = ""\n')
    corpus.add([tmp_path / "one"])
    with pytest.raises(StoreError, match="no pages yet"):
        report(corpus.directory, corpus.plan(), corpus.recipe)
    corpus.build(jobs=1)
    path = report(corpus.directory, corpus.plan(), corpus.recipe)
    assert path == corpus.directory.report / "index.html"
    assert len(list(parsed(path).iter("section"))) == len(SECTIONS)


def test_selection_is_needed(parts, tmp_path):
    directory, plan, recipe = parts
    with pytest.raises(StoreError, match="nothing is selected"):
        report(directory, plan.until("extract"), recipe, out=tmp_path / "x")


def test_charts_of_nothing_and_of_anything():
    hostile = f"{HOSTILE}\x00\x1b\ufffe" * 9
    for drawn in (
        bars("a", hostile, hostile, []),
        bars("a", hostile, hostile, [Bar(hostile, 0, hostile)]),
        histogram("a", hostile, hostile, [], axis="x"),
        histogram("a", hostile, hostile, [(hostile, 0), ("b", 1)], axis=hostile),
        rank_curve("a", hostile, hostile, [], across="x", upwards="y"),
        rank_curve("a", hostile, hostile, [(1, 1)], across=hostile, upwards=hostile),
        rank_curve("a", "t", "d", [(1, 10**6), (10**5, 1)], across="x", upwards="y"),
    ):
        ET.fromstring(drawn)
        ET.fromstring(standalone(drawn))


def test_labels_fit():
    assert fit("kratko", 100) == "kratko"
    for label in ("a" * 300, "日本語" * 50):
        short = fit(label, 120)
        assert width(short) <= 120
        assert "…" in short


def test_only_web_addresses_become_links():
    assert link("http://a.hr/?a&b", "<x>") == '<a href="http://a.hr/?a&amp;b" rel="nofollow noreferrer">&lt;x&gt;</a>'
    for address in ("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://[", " javascript:x"):
        assert link(address, "label") == "label"
    assert element("p", '<"\x00') == "<p>&lt;&quot;\ufffd</p>"
    assert "<td" in table(("a",), [("<i>",)])
    assert "<i>" not in table(("a",), [("<i>",)])


def test_numbers_for_people():
    assert [short_number(value) for value in (0, 999, 1000, 999_999, 1_186_795_086)] == [
        "0",
        "999",
        "1 k",
        "1000 k",
        "1.19 G",
    ]
    assert [percent(value) for value in (0, 0.7167, 0.00001, 1)] == ["0.00 %", "71.67 %", "< 0.01 %", "100.00 %"]


def test_duplicates_have_a_section(folder, reported):
    said = json.loads((folder / "duplicates.json").read_text("utf-8"))
    section = next(one for one in parsed(folder / "index.html").iter("section") if one.get("id") == "duplicates")
    told = " ".join(" ".join(section.itertext()).split())
    [(grouped, groups)] = reported.sql("select count(dup_cluster), count(distinct dup_cluster) from pages")[1]
    assert (said["grouped_pages"], said["groups"]) == (grouped, groups)
    assert groups > 0
    assert f"{grouped:,} pages are in {several(groups, 'group')}" in told
    [(gone,)] = reported.sql("select count(*) from pages where reason = 'duplicate'")[1]
    assert said["before"][0] - said["after"][0] == gone
    assert sum(pages for _, _, pages in said["sizes"]) == grouped
    assert [one["pages"] for one in said["largest"]] == sorted((one["pages"] for one in said["largest"]), reverse=True)
    assert sum(count for _, count, _ in said["sizes"]) == groups
    assert said["phys"] >= said["docn"] >= said["parn"] > 0


def test_what_a_paper_says_in_words_takes_the_whole_row():
    rows = [{"corpus": "ours", "mean": 1.5, "sd": 0.5}, {"corpus": "published", "says": "P2: longer sentences."}]
    page = ET.fromstring(str(Section("figure-2", "Figure 2", "", {}, rows).as_html()))
    assert [one.text for one in page.iter("th")] == ["corpus", "mean", "sd"]
    [wide] = [one for one in page.iter("td") if one.get("colspan")]
    assert (wide.text, wide.get("colspan")) == ("P2: longer sentences.", "2")
