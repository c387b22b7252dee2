"""Lines, counts, order, samples, steps, views."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import pytest
from asking import GRAD, click, lines, settled, total, whole_lines
from browser_serving import Server

from paberki.corpus import Corpus


def test_front_page_names_the_size(page: Any, server: Server) -> None:
    page.goto(server.url("/"))
    size, facts = page.get_by_test_id("corpus-size"), server.json("corpus")
    assert int(size.get_attribute("data-value")) == facts["kept_tokens"]
    assert f"{facts['tokens']:,}" in size.inner_text()
    assert f"{facts['kept_tokens']:,}" in size.inner_text()


def test_a_typed_query_gives_lines(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance"))
    page.get_by_test_id("query").fill(GRAD)
    page.get_by_test_id("query").press("Control+Enter")
    page.wait_for_selector("[data-testid=kwic-line]")
    assert "q=" in page.url
    assert set(lines(page)) <= {"grad", "gradu", "Grad", "grada"}


def test_lines_equal_those_of_the_api_with_and_without_scripts(page: Any, browser: Any, server: Server) -> None:
    rows = server.json("hits", q=GRAD, per_page=50)["rows"]
    expected = [(row["left"].strip(), row["node"], row["right"].strip()) for row in rows]
    page.goto(server.url("/concordance", q=GRAD))
    assert whole_lines(page) == expected
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(server.url("/concordance", q=GRAD))
    assert [text.strip() for text in plain.get_by_test_id("right").all_text_contents()] == [one[2] for one in expected]
    assert plain.get_by_test_id("kwic-line").count() == len(expected)
    context.close()


def test_the_total_is_that_of_the_command_line(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    page.wait_for_selector("[data-testid=total][data-value]", timeout=5000)
    command = [sys.executable, "-m", "paberki", "query", str(server.root), GRAD, "--count"]
    counted = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert total(page) == int(counted.split()[0].replace(",", ""))


def test_sorting_follows_the_alphabet(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q='"nalazi"', size=200))
    click(page, "sort-right-1")
    firsts = [text.split()[0] for text in page.get_by_test_id("right").all_text_contents()]
    places = [firsts.index(word) for word in ("cesta", "čamac", "ćup", "dan")]
    assert places == sorted(places)
    assert "sort=right" in page.url
    click(page, "sort-left-2")
    seconds = [text.split()[-2].lower() for text in page.get_by_test_id("left").all_text_contents()]
    assert [word for word in seconds if word in ("karti", "da")] == sorted(
        word for word in seconds if word in ("karti", "da")
    )


def test_the_address_is_the_state(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD, sort="right", sample=20, seed=3))
    before = whole_lines(page)
    page.reload()
    assert whole_lines(page) == before


def test_back_restores_query_page_and_scroll(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    first = whole_lines(page)
    page.locator(".pager [rel=next]").scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    page.locator(".pager [rel=next]").click()
    page.wait_for_function("() => location.search.includes('from=50')")
    settled(page)
    assert whole_lines(page) != first
    page.go_back()
    page.wait_for_function("() => !location.search.includes('from=')")
    page.wait_for_function("() => document.querySelector('[data-testid=kwic-line] .number').textContent.trim() === '1'")
    assert whole_lines(page) == first
    assert page.get_by_test_id("query").input_value() == GRAD
    page.wait_for_function("y => Math.abs(scrollY - y) < 200", arg=scrolled)


def test_a_sample_has_a_seed(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    page.get_by_test_id("sample").fill("9")
    page.get_by_test_id("seed").fill("5")
    page.get_by_test_id("sample").press("Enter")
    page.wait_for_function("() => location.search.includes('sample=9')")
    settled(page)
    first = whole_lines(page)
    assert total(page) == len(first) == 9
    page.goto(server.url("/concordance", q=GRAD, sample=9, seed=5))
    assert whole_lines(page) == first
    page.goto(server.url("/concordance", q=GRAD, sample=9, seed=6))
    assert whole_lines(page) != first


def test_filters_split_the_hits(page: Any, server: Server) -> None:
    counts = {}
    for name in ("filter-positive", "filter-negative"):
        page.goto(server.url("/concordance", q=GRAD))
        counts["all"] = total(page)
        page.get_by_test_id(name).fill('[lemma="lijep"]')
        page.get_by_test_id(name).press("Enter")
        page.wait_for_function("() => location.search.includes('filter=')")
        settled(page)
        counts[name] = total(page)
    assert counts["filter-positive"] + counts["filter-negative"] == counts["all"]
    assert 0 < counts["filter-positive"] < counts["all"]


def test_a_changed_step_applies_the_rest_again(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD, sample=7, sort="right"))
    assert page.get_by_test_id("chain-step").count() == 3
    page.get_by_test_id("chain-edit").nth(1).click()
    page.locator("[data-testid=chain-input]:visible").fill("4")
    page.locator("[data-testid=chain-input]:visible").press("Enter")
    page.wait_for_function("() => location.search.includes('sample=4')")
    settled(page)
    assert total(page) == 4
    assert "sort=right" in page.url
    page.get_by_test_id("chain-edit").first.click()
    page.locator("[data-testid=chain-input]:visible").fill('"nalazi"')
    page.locator("[data-testid=chain-input]:visible").press("Enter")
    page.wait_for_function("() => location.search.includes('nalazi')")
    settled(page)
    assert set(lines(page)) == {"nalazi"}
    assert total(page) == 4


def test_views_keep_the_hit(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    nodes = page.get_by_test_id("kwic-line").evaluate_all("all => all.map(one => one.dataset.value)")
    for name in ("view-sentence", "view-table"):
        click(page, name)
        assert page.get_by_test_id("kwic-line").evaluate_all("all => all.map(one => one.dataset.value)") == nodes
        assert nodes[0] in page.get_by_test_id("node").first.inner_text()


def test_glosses_need_no_request(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    page.wait_for_timeout(300)
    requests: list[str] = []
    page.on(
        "request",
        lambda request: (
            requests.append(request.url) if "/growth" not in request.url and "/static/" not in request.url else None
        ),
    )
    assert not page.locator("[data-testid=gloss]").first.is_visible()
    page.get_by_test_id("attr-lemma").check()
    shown = page.locator("[data-testid=gloss]:visible")
    assert shown.count() == page.get_by_test_id("kwic-line").count()
    assert set(shown.all_inner_texts()) == {"grad"}
    assert requests == []


def test_width_is_in_words(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    page.get_by_test_id("width").fill("3")
    page.get_by_test_id("width").press("Enter")
    page.wait_for_function("() => location.search.includes('width=3')")
    settled(page)
    sizes = {len(text.split()) for text in page.get_by_test_id("left").all_text_contents()}
    assert max(sizes) == 3


@pytest.mark.parametrize("form", ["csv", "jsonl", "xlsx", "conllu"])
def test_exports_have_all_hits(page: Any, server: Server, form: str) -> None:
    page.goto(server.url("/concordance", q='[lemma="ploča"]' if form == "csv" else GRAD))
    count, build = total(page), Corpus(server.root).reader.build
    with page.expect_download() as download:
        page.get_by_test_id(f"export-{form}").click()
    content = download.value.path().read_bytes()
    if form == "xlsx":
        openpyxl = pytest.importorskip("openpyxl")
        rows = list(openpyxl.load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True))
        assert sum(isinstance(row[3], int | float) for row in rows) == count
        assert any(row[0] == "build" and row[1] == build for row in rows)
        return
    text = content.decode()
    assert build in text
    assert "/concordance?q=" in text
    if form == "csv":
        body = [line for line in text.splitlines() if not line.startswith("#")][1:]
        assert len(body) == count > 0
        assert not any(cell.lstrip('"').startswith("=") for line in body for cell in line.split(","))
        assert "=" in text
    elif form == "jsonl":
        assert len(text.splitlines()) == count + 1
    else:
        assert text.count("# hit = ") == count
