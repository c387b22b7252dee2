"""What makes a good example: length, whole sentences, frequent words, no addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.query.concordancer import OpenIndex
from paberki.query.hits.good import scores
from paberki.query.sources.vertical import index_vertical

SENTENCES = {
    "good": "Jutros je stari grad opet bio pun ljudi i glasova .",
    "short": "Stari grad .",
    "no end": "Jutros je stari grad opet bio pun ljudi i glasova",
    "no beginning": "jutros je stari grad opet bio pun ljudi i glasova .",
    "address": "Jutros je stari grad na https://grad.example opet bio pun ljudi i glasova .",
    "rare words": "Jutros xqz stari grad wvu rst plk mnb vcd zaq .",
    "long": "Jutros je stari grad " + "opet bio pun ljudi i glasova " * 12 + ".",
}


@pytest.fixture(scope="module")
def score_of(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    directory = tmp_path_factory.mktemp("good")
    text = "\n".join("<s>\n" + sentence.replace(" ", "\n") + "\n</s>" for sentence in SENTENCES.values())
    Path(directory / "a.vert").write_text(f"<doc>\n{text}\n</doc>\n", "utf-8")
    index_vertical(directory / "a.vert", directory / "index", ["word"])
    hits = OpenIndex(directory / "index").query('"grad"')
    return dict(zip(SENTENCES, scores(hits.scope, hits.table).tolist(), strict=True))


@pytest.mark.parametrize("name", [name for name in SENTENCES if name != "good"])
def test_every_flaw_costs_something(score_of: dict[str, float], name: str) -> None:
    assert 0 <= score_of[name] < score_of["good"] <= 1
