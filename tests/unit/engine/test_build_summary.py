"""The last lines of a build."""

from __future__ import annotations

import pytest

from paberki.engine.build_summary import BuildSummary, warning


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        (
            BuildSummary(0, 0, {"too-short": 60, "duplicate": 40}),
            "no page is kept; the largest reason is too-short, 60 of 100",
        ),
        (BuildSummary(5, 50, {"other-language": 95}), "other-language leaves out 95 of 100 pages (95%)"),
    ],
)
def test_a_corpus_that_loses_nearly_all_is_worth_a_look(summary: BuildSummary, words: str) -> None:
    said = warning(summary, 100, "my corpus")
    assert said is not None
    assert said.startswith(words)
    assert said.endswith(f"paberki peek 'my corpus' --reason {next(iter(summary.reasons))}")


def test_a_corpus_that_keeps_a_tenth_is_not() -> None:
    assert warning(BuildSummary(10, 100, {"other-language": 90}), 100, "hr") is None
    assert warning(BuildSummary(0, 0, {}), 0, "hr") is None
