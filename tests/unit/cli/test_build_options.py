"""Options of ``paberki build`` that are more than a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.cli.build import _outcome, _part, _share
from paberki.engine.build_summary import BuildSummary
from paberki.engine.runner import BuildResult
from paberki.errors import ConfigError


@given(st.integers(1, 500), st.integers(1, 500))
def test_a_part_is_one_of_so_many(number: int, count: int) -> None:
    text = f"{number}/{count}"
    if number <= count:
        assert _part(text) == (number, count)
    else:
        with pytest.raises(ConfigError, match=f"--part {text}: write i/n"):
            _part(text)


@pytest.mark.parametrize("text", ["", "3", "0/8", "3/0", "1/2/3", "-1/2", "a/b", " 1/2"])
def test_what_is_no_part(text: str) -> None:
    with pytest.raises(ConfigError, match="write i/n"):
        _part(text)
    assert _part(None) is None


@pytest.mark.parametrize(("text", "share"), [("1%", 0.01), ("0.01", 0.01), ("100%", 1.0), ("0", 0.0), ("1", 1.0)])
def test_shares(text: str, share: float) -> None:
    assert _share(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["", "%", "two", "101%", "-1%", "1.5", "nan"])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(ConfigError, match="--max-errors"):
        _share(text)
    assert _share(None) is None


def test_the_outcome_names_the_three_largest_reasons() -> None:
    result = BuildResult(100, 0, [], 0, 0.0)
    assert _outcome(result) == []
    result.summary = BuildSummary(60, 1234, {"short": 20, "copy": 10, "error": 6, "rare": 4})
    [line] = _outcome(result)
    assert line == "kept 60 of 100 pages, 1,234 words; left out: short 20, copy 10, error 6"
    result.summary = BuildSummary(100, 1234, {})
    assert _outcome(result) == ["kept 100 of 100 pages, 1,234 words"]
