"""A small corpus through all stages of quality: tune, write a rule, report, explain, export with masks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpora import article
from paberki.corpus import Corpus, new_corpus
from paberki.errors import ConfigError
from paberki.report.rule_writing import write_rule
from paberki.report.tuning import tune, write_page

STAGES = [
    "captures.v1", "decode.model.v1", "extract.tagpath.v1", "identify.words.v1", "quality.profile.v2",
    "quality.connected.v2", "quality.rules.v1", "quality.ngrams.v1", "quality.graphs.v1", "quality.distribution.v1",
    "quality.percentiles.v1", "quality.diacritics.v1", "quality.restore.v1", "quality.linear.v1", "quality.personal.v1",
    "quality.rights.v1", "quality.marks.v1", "quality.robots.v1", "dedup.exact.v1", "select.v1",
]  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place = tmp_path_factory.mktemp("quality")
    pages = place / "pages.jsonl"
    rows = [
        {"url": f"http://h{n % 3}.hr/{n}", "html": article(n).replace("</p>", " Pišite na ana@primjer.hr.</p>", 1)}
        for n in range(30)
    ]
    rows.append({"url": "http://h0.hr/robots.txt", "text": "User-agent: *\nDisallow: /3\n"})
    pages.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = new_corpus(place / "hr", lang="hr")
    recipe = found.directory.recipe
    recipe.write_text(
        recipe.read_text().replace('lang = ["hr"]', f'lang = ["hr"]\nstages = {json.dumps(STAGES)}  # mine')
    )
    found = Corpus(place / "hr")
    found.add([pages])
    found.build()
    return found


def test_every_stage_ran(corpus: Corpus) -> None:
    _, [row] = corpus.sql(
        "select count(badness), count(gopher_word_count), count(ngram3_rank), count(personal_count), sum(personal_count), "
        "count(robots_allowed), sum((not robots_allowed)::int) from pages where url not like '%robots.txt'"
    )
    assert row[:4] == (30, 30, 30, 30)
    assert row[4] >= 25
    assert row[5] == 10  # of the pages of h0
    assert row[6] >= 1


def test_tune_shows_distribution_samples_and_cuts(corpus: Corpus, tmp_path: Path) -> None:
    found = tune(corpus.directory, corpus.plan(), "3graph", cut="ngram3_rank > 50")
    assert found.score == "ngram3"
    assert sum(pages for _, pages in found.bins) == found.pages
    assert found.places[4].samples[0].text
    assert found.cut is not None
    assert found.cut.kept_pages + found.cut.lost_pages == found.pages + found.missing
    assert 0 < found.cut.kept_pages < found.pages
    page = write_page(found, "hr", tmp_path).read_text()
    assert "<svg" in page
    assert "What is below" in page


def test_a_cut_becomes_a_rule_and_comments_stay(corpus: Corpus) -> None:
    recipe = corpus.directory.recipe
    before = recipe.read_text()
    write_rule(recipe, "odd-text", "ngram3_rank > 50")
    write_rule(recipe, "odd-text", "ngram3_rank > 20 and lang = 'hr'")
    text = recipe.read_text()
    assert text.startswith(before)
    assert text.count("[[select.pages]]\nreason") == 1
    assert "not (ngram3_rank > 20 and lang = 'hr')" in text
    with pytest.raises(ConfigError):
        write_rule(recipe, "Not a word", "badness < 3")
    again = Corpus(corpus.directory.root)
    again.build()
    _, [(left_out,)] = again.sql("select count(*) from pages where reason = 'odd-text'")
    assert left_out > 0
    recipe.write_text(before)
    Corpus(corpus.directory.root).build()


def test_export_masks_personal_data(corpus: Corpus, tmp_path: Path) -> None:
    for form in ("jsonl", "vert", "parquet"):
        corpus.export(form, tmp_path / f"out.{form}", mask=True)
    text = (tmp_path / "out.jsonl").read_text()
    assert "[email]" in text
    assert "ana@primjer.hr" not in text
    assert "ana@primjer" not in (tmp_path / "out.vert").read_text()
    corpus.export("jsonl", tmp_path / "plain.jsonl")
    assert "ana@primjer.hr" in (tmp_path / "plain.jsonl").read_text()
