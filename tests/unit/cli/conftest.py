"""One small corpus for all tests of verbs: they only read it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import paberki
from corpora import article


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven pages: five kept, one copy, one short."""
    root = tmp_path_factory.mktemp("verbs")
    rows = [{"url": f"http://a.hr/{number}", "html": article(number)} for number in range(5)]
    rows += [{"url": "http://a.hr/copy", "html": article(3)}, {"url": "http://b.hr/short", "html": "<p>Kratko."}]
    (root / "web.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    made = paberki.new(root / "hr", lang="hr", name="verbs")
    with made.directory.recipe.open("a") as file:
        file.write('[[select.pages]]\nreason = "not-connected"\ndrop = ""\n')
    made.add([root / "web.jsonl"])
    made.build(jobs=1)
    return made.root
