"""Whole corpora against gold: what is lost, foreign, doubled; comments apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.errors import ConfigError, InputError
from paberki.extraction.evaluation.corpus_gold import GoldDocument, groups_of_copies, language_of, read_corpus_gold
from paberki.extraction.evaluation.corpus_scores import CorpusPage, judge_corpus

TEXT = "One two three four five six."
GOLD = [
    GoldDocument("a", TEXT, "en"),
    GoldDocument("a2", TEXT, "en", copy_of="a"),
    GoldDocument("b", TEXT, "en"),
    GoldDocument("c", "", "hr"),
    GoldDocument("d", "", "hr"),
]


def test_recall_precision_losses_languages_and_copies() -> None:
    pages = {"a": CorpusPage(["One two three", "and more words"]), "a2": CorpusPage([TEXT]), "c": CorpusPage(["Tko"])}
    scores = judge_corpus(GOLD, pages, "en", {"b": "too-short"})
    assert [(one.url, one.recall, one.precision) for one in scores.judged] == [("a", 0.5, 0.5), ("b", 0.0, None)]
    assert (scores.recall, scores.precision, scores.f) == (0.25, 0.5, 0.25)
    assert [(one.url, one.reason) for one in scores.missing_pages] == [("b", "too-short")]
    assert (scores.wrong_language, scores.foreign, scores.duplicates, scores.copies) == (["c"], 2, ["a2"], 1)


def test_a_copy_may_stay_instead_of_its_original() -> None:
    scores = judge_corpus(GOLD, {"a2": CorpusPage([TEXT]), "b": CorpusPage([TEXT])}, "en")
    assert (scores.f, scores.missing_pages, scores.duplicates) == (1.0, [], [])
    assert scores.judged[0].corpus_url == "a2"


def test_comments_are_judged_by_what_gold_says_of_them() -> None:
    page = CorpusPage([TEXT, "A reader wrote this below."], frozenset([1]))
    silent = judge_corpus([GoldDocument("a", TEXT)], {"a": page}, "en")
    assert (silent.precision, silent.comments) == (1.0, None)
    inside = judge_corpus([GoldDocument("a", f"{TEXT} A reader wrote this below.")], {"a": page}, "en")
    assert (inside.recall, inside.precision) == (1.0, 1.0)
    apart = judge_corpus([GoldDocument("a", TEXT, comments="A reader wrote this below.")], {"a": page}, "en")
    assert (apart.precision, apart.comments) == (1.0, 1.0)
    plain = judge_corpus([GoldDocument("a", TEXT)], {"a": CorpusPage(page.blocks)}, "en")
    assert plain.precision is not None
    assert plain.precision < 0.6


def test_chains_of_copies_are_one_group_and_circles_end() -> None:
    chain = [GoldDocument("1"), GoldDocument("2", copy_of="1"), GoldDocument("3", copy_of="2")]
    assert [[one.url for one in group] for group in groups_of_copies(chain)] == [["1", "2", "3"]]
    assert sum(map(len, groups_of_copies([GoldDocument("1", copy_of="2"), GoldDocument("2", copy_of="1")]))) == 2


def test_gold_files_are_read_and_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(
        '{"url": "a", "text": "x", "lang": "Croatian"}\n\n{"url": "b", "gold": "y", "lang": "hrv"}\n', "utf-8"
    )
    documents = read_corpus_gold(path)
    assert [(one.url, one.text, one.lang) for one in documents] == [("a", "x", "hr"), ("b", "y", "hr")]
    assert language_of(documents) == "hr"
    with pytest.raises(ConfigError, match="--lang"):
        language_of([GoldDocument("a", "text")])
    for bad, message in (
        ('{"url": "a"}\n{"gold": "x"}', "line 2"),
        ('{"url": "a"}\n{"url": "a"}', "second"),
        ("", "no pages"),
    ):
        path.write_text(bad, "utf-8")
        with pytest.raises(InputError, match=message):
            read_corpus_gold(path)
