"""Categories on lines and coding of pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asking import GRAD
from browser_serving import Server

from paberki.coding import CodingStore
from paberki.coding.coded_blocks import write_coded_blocks
from paberki.store.directory import Directory
from paberki.store.reading import open_table


def test_keys_set_categories(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q='"nalazi"'))
    page.locator("body").press("j")
    page.locator(".current").press("j")
    with page.expect_response(lambda answer: "/lines/label" in answer.url):
        page.locator(".current").press("3")
    page.reload()
    marks = page.get_by_test_id("category").evaluate_all("all => all.map(one => one.dataset.value || '')")
    assert marks[1] == "3"
    assert set(marks) == {"", "3"}
    page.locator("body").press("j")
    page.locator(".current").press("j")
    with page.expect_response(lambda answer: "/lines/label" in answer.url):
        page.locator(".current").press("0")
    page.reload()
    assert page.locator("[data-testid=category][data-value]").count() == 0


def test_two_coders_agree_as_elsewhere(page: Any, server: Server) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    page.goto(server.url("/code"))
    page.locator("[name=task]").fill("proba")
    page.locator("[name=n]").fill("6")
    page.get_by_role("button", name="draw a sample").click()
    page.wait_for_url("**/code/proba")
    choices = {"ana": [0, 1, 2, 0, 1, 2], "iva": [0, 1, 2, 1, 1, 0]}
    for coder, values in choices.items():
        for item, value in enumerate(values):
            page.goto(server.url("/code/proba", coder=coder, item=item))
            box = page.locator("fieldset[data-variable=aim] input").nth(value)
            with page.expect_response(lambda answer: "/codings" in answer.url):
                box.check()
    page.goto(server.url("/code/proba"))
    shown = float(page.locator("[data-testid=kappa][data-variable=aim]").get_attribute("data-value"))
    assert shown == pytest.approx(metrics.cohen_kappa_score(choices["ana"], choices["iva"]))


def test_one_key_codes_the_next_variable(page: Any, server: Server) -> None:
    store = CodingStore(Directory(server.root))
    if "tipke" not in store.tasks():
        from paberki.coding.drawing import draw
        from paberki.corpus import Corpus
        from paberki.store.reading import open_table

        corpus = Corpus(server.root)
        store.create("tipke", draw(open_table(corpus.directory, corpus.plan()), 3, 1))
    page.goto(server.url("/code/tipke", coder="ivo", item=0))
    for key in "12":
        with page.expect_response(lambda answer: "/codings" in answer.url):
            page.locator("body").press(key)
    labels = next(iter(CodingStore(Directory(server.root)).read("tipke", "ivo").rows.values())).labels
    assert labels == {"authorship": "single-female", "mode": "spoken"}


def test_another_coder_sees_no_labels(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    store = CodingStore(Directory(server.root))
    for task in store.tasks():
        if task != "labels":
            page.goto(server.url(f"/code/{task}", coder="nova", item=0))
            assert page.locator("input:checked[type=radio]").count() == 0


def test_bad_lines_become_labelled_blocks_that_train_reads(page: Any, server: Server, tmp_path: Path) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    page.locator("body").press("j")
    page.locator(".current").press("Space")
    number = page.locator(".current").get_attribute("data-page")
    page.locator("#rubbish").click()
    page.get_by_test_id("rubbish").wait_for()
    page.locator("form[data-post*=code] [name=task]").fill("smece")
    page.get_by_test_id("to-train").click()
    page.wait_for_url("**/code/smece")
    store = CodingStore(Directory(server.root))
    sample = store.sample("smece")
    assert {row.id for row in sample} == {number}
    page.goto(server.url("/code/smece", coder="ana", item=0))
    assert "code blocks" in page.get_by_test_id("train").inner_text()
    with page.expect_response(lambda answer: "/codings" in answer.url):
        page.locator("body").press("1")
    for row in sample[1:]:
        store.write("smece", "ana", row.place, {"label": "boilerplate"})
    coding, table = store.read("smece", "ana"), open_table(Directory(server.root))
    assert write_coded_blocks(table, coding, tmp_path / "coded.jsonl") == (1, 0)
