"""What presets of the papers keep and why: copies, repeated paragraphs, ranks, one script."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import paberki
from corpora import SENTENCES, WORDS
from paberki.corpus import Corpus
from paberki.errors import ConfigError
from paberki.languages.transliteration import to_cyrillic
from paberki.recipe.corpus_recipe import parse
from paberki.report.figures.attrition import attrition, reasons

Page = tuple[str, Sequence[str]]
"""Address and paragraphs."""


def paragraphs(seed: int, count: int = 8) -> list[str]:
    """Croatian that says something else for every seed."""
    pick = random.Random(seed)

    def sentence() -> str:
        words = pick.choice(SENTENCES).split()
        return " ".join(
            f"{word} {pick.choice(WORDS)}{''.join(pick.choices('aeiou', k=3))}"
            if at % 2 and at < len(words) - 1
            else word
            for at, word in enumerate(words)
        )

    return [" ".join(sentence() for _ in range(4)) for _ in range(count)]


def built(folder: Path, preset: str, pages: Sequence[Page], *, padding: int = 0, lang: str = "hr") -> Corpus:
    rows = [
        {
            "url": url,
            "html": f"<html><body>{''.join(f'<p>{one}</p>' for one in some)}<!--{'x' * padding}--></body></html>",
        }
        for url, some in pages
    ]
    (folder / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    corpus = paberki.new(folder / "corpus", lang=lang, preset=preset)
    corpus.add([folder / "pages.jsonl"])
    corpus.build(jobs=1)
    return corpus


def rows_of(corpus: Corpus, columns: str) -> list[tuple[Any, ...]]:
    return list(corpus.sql(f"select {columns} from pages order by id")[1])


def test_hrwac2011_counts_repeats_among_the_pages_that_stay(tmp_path: Path) -> None:
    shared = paragraphs(99, 1)[0]
    pages: list[Page] = [(f"http://www.a.hr/{n}", [*paragraphs(n), shared]) for n in range(2)]
    small: Page = ("http://www.a.hr/small", [*paragraphs(7), shared])
    (tmp_path / "small.jsonl").write_text(
        json.dumps({"url": small[0], "html": "".join(f"<p>{one}</p>" for one in small[1])}) + "\n"
    )
    corpus = paberki.new(tmp_path / "corpus", lang="hr", preset="hrwac2011")
    corpus.add([tmp_path / "small.jsonl"])
    rows = [
        {
            "url": url,
            "html": f"<html><body>{''.join(f'<p>{one}</p>' for one in some)}<!--{'x' * 60_000}--></body></html>",
        }
        for url, some in (pages[0], ("http://www.a.hr/copy", pages[0][1]), pages[1])
    ]
    (tmp_path / "rest.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    corpus.add([tmp_path / "rest.jsonl"])
    corpus.build(jobs=1)
    found = rows_of(corpus, "url, reason, block_reason[-1], keep")
    reasons = {url.rpartition("/")[2]: reason for url, reason, _, _ in found}
    assert reasons["small"] == "size"
    assert sorted(str(reasons[name]) for name in ("0", "copy")) == ["None", "duplicate"]
    assert reasons["1"] is None
    assert [last for _, _, last, keep in found if keep] == [None, "repeated-in-domain"]


def test_cow2012_keeps_one_of_equal_fingerprints_and_tells_perfect_from_near(tmp_path: Path) -> None:
    pages: list[Page] = [(f"http://h{n}.hr/", paragraphs(n)) for n in range(12)]
    pages.append(("http://copy.hr/", pages[0][1]))
    pages.append(("http://near.hr/", pages[1][1][:-1]))
    corpus = built(tmp_path, "cow2012", pages)
    reasons = dict(rows_of(corpus, "host, reason"))
    assert sorted(str(reasons[host]) for host in ("h0.hr", "copy.hr")) == ["None", "duplicate"]
    assert reasons["near.hr"] == "near-duplicate"
    assert sum(reason is None for reason in reasons.values()) == 12
    table = [row.reason for row in attrition(corpus.directory, corpus.plan(), corpus.recipe) if row.pages]
    assert table == ["crawled", "duplicate", "near-duplicate", "kept"]


def test_hbs2014_sees_one_script_and_tells_physical_from_near_duplicates(tmp_path: Path) -> None:
    pages: list[Page] = [(f"http://h{n % 3}.rs/{n}", paragraphs(n)) for n in range(8)]
    pages.append(("http://h0.rs/copy", pages[0][1]))
    pages.append(("http://h1.rs/cyrillic", [to_cyrillic(one) for one in pages[1][1]]))
    pages.append(("http://h2.rs/own", [to_cyrillic(one) for one in paragraphs(50)]))
    corpus = built(tmp_path, "hbs2014", pages, lang="hr")
    recipe = corpus.directory.recipe
    recipe.write_text(recipe.read_text("utf-8").replace('lang = ["hr"]', 'lang = ["hr", "bs", "sr"]'), "utf-8")
    corpus = paberki.open(corpus.root)
    corpus.build(jobs=1)
    found = {url.rpartition("/")[2]: rest for url, *rest in rows_of(corpus, "url, reason, cyrillic_perc, script")}
    assert found["copy"][0] == "duplicate"
    assert found["cyrillic"][0] == "near-duplicate"
    assert found["own"][0] is None
    assert found["own"][1] > 95
    table = [row.reason for row in attrition(corpus.directory, corpus.plan(), corpus.recipe) if row.pages]
    assert table == ["crawled", "duplicate", "near-duplicate", "kept"]
    _, [[text, source]] = corpus.sql("select blocks[1].text, blocks[1].source from pages where url like '%/own'")
    assert to_cyrillic(text) == source
    assert not any("а" <= char <= "я" for char in text)
    ranks = rows_of(corpus, "ngram3_rank, keep")
    kept = [rank for rank, keep in ranks if keep]
    assert max(kept) == 100
    assert min(kept) == pytest.approx(100 / len(kept))  # of n surviving pages the lowest one is the first


def test_rules_can_use_labels_of_repeated_blocks(tmp_path: Path) -> None:
    shared = paragraphs(99, 1)[0]
    pages: list[Page] = [(f"http://h{n}.hr/", [*paragraphs(n)[:4], shared, *paragraphs(n)[4:]]) for n in range(4)]
    (tmp_path / "pages.jsonl").write_text(
        "".join(
            json.dumps({"url": url, "html": f"<html><body><h1>{url}</h1>{''.join(f'<p>{one}</p>' for one in some)}"})
            + "\n"
            for url, some in pages
        )
    )
    corpus = paberki.new(tmp_path / "corpus", lang="hr", preset="llm")
    with corpus.directory.recipe.open("a", encoding="utf-8") as file:
        file.write('\n[[select.blocks]]\nreason = "repeated"\ndrop = "neardupe = 1"\n')
    corpus = paberki.open(corpus.root)
    corpus.add([tmp_path / "pages.jsonl"])
    corpus.build(jobs=1)
    _, rows = corpus.sql(
        "select reason from (select unnest(block_reason) reason, unnest(blocks) block from pages order by id) "
        f"where block.text = '{shared}'"
    )
    assert [row[0] for row in rows] == [None, "repeated", "repeated", "repeated"]


@pytest.mark.parametrize("preset", ["modern", "llm"])
def test_causes_come_before_what_follows_from_them_and_rights_are_there_from_day_one(preset: str) -> None:
    recipe = parse(f'preset = "{preset}"\nlang = "en"', "recipe")
    order = list(reasons(recipe))
    assert order.index("other-language") < order.index("uncertain-language") < order.index("no-text")
    assert order.index("no-text") < order.index("too-short")
    assert {"opted_out", "licences", "personal_count", "furniture"} <= {
        column.name for stage, _ in recipe.stages for column in stage.adds
    }


def test_fold_is_refused_where_nothing_compares_words() -> None:
    with pytest.raises(ConfigError, match="fold"):
        parse('preset = "hrwac2011"\nlang = "hr"\n[dedup]\nfold = true', "recipe")
    with pytest.raises(ConfigError, match="unknown setting 'fold'"):
        parse('preset = "hrwac2011"\nlang = "hr"\n[repeats]\nfold = true', "recipe")
    recipe = parse('preset = "hbs2014"\nlang = "sr"\n[documents]\nfold = true', "recipe")
    assert next(config.fold for stage, config in recipe.stages if stage.layer == "documents")
