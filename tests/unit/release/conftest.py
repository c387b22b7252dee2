"""A small corpus in which one page holds words that stand nowhere else; tests change copies of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from leftovers import COPY_URL, PLANTED, SECRET_URL

import paberki
from corpora import SENTENCES, article
from paberki.corpus import Corpus


def secret_page(extra: str = "") -> str:
    title, paragraph, lemma, anchor = PLANTED
    return (
        f"<html lang=hr><head><title>{title} u gradu nakon svega</title></head><body><div>"
        f"<p>{paragraph} {' '.join(SENTENCES[:4])}</p><p>{SENTENCES[4]} Vidjeli smo {lemma} na trgu. {' '.join(SENTENCES[5:])}</p>"
        f"<p>{' '.join(SENTENCES)} <a href='http://a.hr/1'>{anchor}</a>{extra}</p></div></body></html>"
    )


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus as it was built; never changed."""
    base = tmp_path_factory.mktemp("release")
    rows = [{"url": f"http://a.hr/{number}", "html": article(number)} for number in range(5)]
    rows += [{"url": f"http://b.hr/{number}", "html": article(50 + number)} for number in range(3)]
    rows.insert(3, {"url": SECRET_URL, "html": secret_page(" Kraj."), "date": "2025-05-05T05:05:05Z"})
    rows.append({"url": COPY_URL, "html": secret_page(), "date": "2025-06-06T06:06:06Z"})
    (base / "web.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    corpus = paberki.new(base / "c", lang="hr", name="Mali korpus")
    with corpus.directory.recipe.open("a") as file:
        file.write('[[select.pages]]\nreason = "not-connected"\ndrop = ""\n')
    corpus.add([base / "web.jsonl"])
    corpus.build(jobs=1)
    (base / "web.jsonl").unlink()
    return corpus.root


@pytest.fixture
def copied(original: Path, tmp_path: Path) -> Callable[[], Corpus]:
    """Makes copies of the corpus."""

    def copy() -> Corpus:
        return Corpus(shutil.copytree(original, tmp_path / "c", symlinks=True))

    return copy
