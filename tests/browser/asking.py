"""Short words for what tests do in pages."""

from __future__ import annotations

from typing import Any

GRAD = '[lemma="grad"]'


def lines(page: Any) -> list[str]:
    return [text.strip() for text in page.get_by_test_id("node").all_inner_texts()]


def whole_lines(page: Any) -> list[tuple[str, str, str]]:
    columns = [page.get_by_test_id(name).all_text_contents() for name in ("left", "right")]
    nodes = page.get_by_test_id("kwic-line").evaluate_all("lines => lines.map(line => line.dataset.value)")
    return [
        (left.strip(), node, right.strip()) for left, node, right in zip(columns[0], nodes, columns[1], strict=True)
    ]


def total(page: Any) -> int:
    page.wait_for_selector("[data-testid=total][data-state=done]")
    return int(page.get_by_test_id("total").get_attribute("data-value"))


def settled(page: Any) -> None:
    """Wait until htmx has put in what it asked for."""
    page.wait_for_function(
        "() => !document.querySelector('#work[aria-busy]') && !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')"
    )


def click(page: Any, name: str) -> None:
    before = page.url
    page.get_by_test_id(name).first.click()
    page.wait_for_function("before => location.href !== before", arg=before)
    settled(page)
