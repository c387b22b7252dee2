"""Host bias: curves, halves, samples."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from paberki.report.figures.host_bias import curve, host_bias, host_of, hosts_for_half, sample
from paberki.report.page_counts import counting


def test_hosts_for_half() -> None:
    assert hosts_for_half(Counter(a=5, b=3, c=2)) == 1
    assert hosts_for_half(Counter(a=4, b=3, c=3)) == 2
    assert hosts_for_half(Counter()) == 0


def test_curve_is_cumulative_over_an_order() -> None:
    counts = Counter(a=5, b=3, c=2)
    assert curve(counts, ["a", "b", "c"], 4) == pytest.approx([0.5, 0.8, 1.0, 1.0])
    assert curve(counts, ["x", "c"], 2) == pytest.approx([0.0, 0.2])


def test_samples_do_not_depend_on_the_order() -> None:
    addresses = [f"http://h{at % 7}.hr/{at}" for at in range(500)]
    drawn = sample(addresses, 3, 50)
    assert drawn == sample(reversed(addresses), 3, 50)
    assert len(set(drawn)) == 50
    assert drawn != sample(addresses, 4, 50)


@pytest.mark.parametrize(
    ("url", "host"), [("http://A.hr:80/x", "a.hr"), ("b.hr/x", "b.hr"), ("http://[bad", "http://[bad"), ("", "")]
)
def test_host_of(url: str, host: str) -> None:
    assert host_of(url) == host


def test_three_curves_with_seeds(parts: tuple[Any, ...], tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("# seeds\nhttp://vijesti.hr/\nhttp://nigdje.hr/\nhttp://vijesti.hr/2\n", "utf-8")
    with counting(*parts[:2]) as counter:
        section = host_bias(counter, [seeds])
        alone = host_bias(counter, [])
    assert {"hosts", "seeds", "corpus", "corpus_of_seed_hosts"} == section.rows[0].keys()
    assert section.rows[-1]["corpus"] == section.rows[-1]["seeds"] == pytest.approx(1)
    assert section.rows[-1]["corpus_of_seed_hosts"] < 1
    assert section.values["seeds_hosts_for_half"] == 1
    assert alone.values["hosts_for_half"] == section.values["hosts_for_half"]
    assert "seeds" not in alone.rows[0]
    assert any("seeds" in note for note in alone.notes)
