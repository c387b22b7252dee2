"""A structure that is laid over an open index."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paberki.errors import QueryError
from paberki.query import run
from paberki.query.index.reader import Index
from paberki.query.sources.overlay import Overlay, OverlayRegion, overlay_values
from smallcorpus import make_index


def spans(index: Index, text: str) -> list[tuple[int, int]]:
    table = run(index, text).all()
    return list(zip(table.starts.tolist(), table.ends.tolist(), strict=True))


def overlay(stamp: str, *regions: OverlayRegion) -> Overlay:
    return Overlay("code", ("aim", "coder"), lambda segment: regions, stamp)


def test_regions_are_asked_like_structures(tmp_path: Path) -> None:
    plain = make_index(tmp_path)
    first, second = (
        OverlayRegion(0, 10, {"aim": "fiction", "coder": "ana"}),
        OverlayRegion(0, 10, {"aim": "information", "coder": "iva"}),
    )
    coded = plain.with_overlay(overlay("a", first, second, OverlayRegion(12, 14, {"aim": "fiction"})))
    assert spans(coded, '<code aim="fiction"/>') == [(0, 10), (12, 14)]
    assert (
        spans(coded, '[lemma="grad"] within <code aim="information" & coder="iva"/>')
        == spans(plain, '[lemma="grad"]')[:2]
    )
    assert spans(coded, '[lemma="grad"]') == spans(plain, '[lemma="grad"]')
    with pytest.raises(QueryError, match="code"):
        spans(plain, "<code/>")
    with pytest.raises(QueryError, match="aim"):
        spans(coded, '<code aimm="x"/>')


def test_an_answer_of_before_is_not_taken_for_one_of_now(tmp_path: Path) -> None:
    index = make_index(tmp_path)
    before = index.with_overlay(overlay("1", OverlayRegion(0, 3, {"aim": "fiction"})))
    now = before.with_overlay(overlay("2", OverlayRegion(4, 5, {"aim": "fiction"})))
    assert spans(before, '<code aim="fiction"/>') == [(0, 3)]
    assert spans(now, '<code aim="fiction"/>') == [(4, 5)]


def test_values_at_tokens(tmp_path: Path) -> None:
    index = make_index(tmp_path)
    assert overlay_values(index, np.array([0, 1])) == {}
    coded = index.with_overlay(overlay("b", OverlayRegion(1, 3, {"aim": "fiction"})))
    assert overlay_values(coded, np.array([0, 1, 2, 3])) == {"code.aim": ["", "fiction", "fiction", ""]}
