"""Measures of words against scipy, brute force and plantings."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from made_corpora import split, write_vertical, zipf_text

from paberki.report.comparison.foreign_files import open_foreign
from paberki.report.words.diacritics import diacritics, has_diacritic
from paberki.report.words.frequent_runs import frequent_runs
from paberki.report.words.homogeneity import homogeneity
from paberki.report.words.keyness import concordance, keywords, log_likelihood
from paberki.report.words.known_similarity import known_similarity
from paberki.report.words.kwic_duplication import CONTEXT, kwic_duplication
from paberki.report.words.parts_of_speech import parts_of_speech
from paberki.report.words.rank_measures import chi2, cross_entropy, ranks, spearman
from paberki.report.words.sentence_lengths import sentence_lengths
from paberki.report.words.token_parts import box_of, parts_of
from paberki.report.words.topic_alignment import align, read_dictionary
from paberki.report.words.topic_names import TopicNames, read_names, write_names
from paberki.report.words.topics import learn_topics
from paberki.report.words.unknown_words import unknown_words, without_diacritics
from paberki.report.words.word_source import WordSource, part_of_speech


def source_of(tmp_path: Path, name: str, documents: list[list[str]], tag: str = "N") -> WordSource:
    path = write_vertical(tmp_path / f"{name}.vert", documents, tag=tag)
    return open_foreign(path, name, tmp_path / f"{name}.index")


def test_ranks_and_spearman_agree_with_scipy() -> None:
    random_numbers = np.random.default_rng(3)
    for size in (2, 5, 500):
        first, second = random_numbers.integers(0, 40, (2, size))
        assert ranks(first) == pytest.approx(scipy.stats.rankdata(first))
        expected = scipy.stats.spearmanr(first, second).statistic if len(set(first)) > 1 < len(set(second)) else None
        assert spearman(first, second) == (None if expected is None else pytest.approx(expected))
    assert spearman(np.array([1, 1]), np.array([1, 2])) is None


def test_chi2_agrees_with_scipy() -> None:
    first, second = np.random.default_rng(4).integers(1, 900, (2, 500))
    expected = scipy.stats.chi2_contingency(np.stack([first, second]), correction=False)
    assert chi2(first, second) == (pytest.approx(expected.statistic), expected.dof)
    assert chi2(np.array([0, 0]), np.array([3, 1])) == (0.0, 0)


def test_cross_entropy_of_a_small_model() -> None:
    model, test = np.array([3, 1, 0]), np.array([1, 0, 1])
    assert cross_entropy(model, test) == pytest.approx(-(np.log2(4 / 7) + np.log2(1 / 7)) / 2)


def test_log_likelihood_of_rayson_and_garside() -> None:
    """10 of 1,000 against 5 of 2,000: G² = 2(10 ln(10/5) + 5 ln(5/10))."""
    [value] = log_likelihood(np.array([10]), np.array([5]), 1000, 2000)
    assert value == pytest.approx(2 * (10 * np.log(10 / 5) + 5 * np.log(5 / 10)))
    [negative] = log_likelihood(np.array([5]), np.array([10]), 2000, 1000)
    assert negative == pytest.approx(-value)


def test_homogeneity_is_that_of_a_plain_count(tmp_path: Path) -> None:
    documents = split(zipf_text(1, 6000), 60)
    source = source_of(tmp_path, "a", documents)
    section = homogeneity(source)
    assert section.values["runs"] == len(section.rows) == 10
    assert homogeneity(source).values == section.values
    mixed = split(zipf_text(1, 3000), 60) + split(zipf_text(2, 3000, shift=9), 60)
    assert 0.5 < homogeneity(source_of(tmp_path, "b", mixed)).values["mean"] <= 1
    assert section.values["mean"] == pytest.approx(np.mean([row["spearman"] for row in section.rows]))
    assert section.values["sd"] == pytest.approx(np.std([row["spearman"] for row in section.rows], ddof=1))


def test_known_similarity_orders_mixtures(tmp_path: Path) -> None:
    first = source_of(tmp_path, "a", split(zipf_text(5, 60_000)))
    second = source_of(tmp_path, "b", split(zipf_text(6, 60_000, shift=11)))
    rows = {row["measure"]: row["share"] for row in known_similarity(first, second).rows}
    assert rows["spearman"] >= 0.95
    assert rows["chi2"] >= 0.95
    assert set(rows) == {"spearman", "chi2", "cross_entropy"}


def kwic_by_hand(documents: list[list[str]], word: str) -> tuple[int, int]:
    strings = []
    for words in documents:
        text = " ".join(words)
        matches = re.finditer(rf"(?<!\S){re.escape(word)}(?!\S)", text)
        strings += [text[max(0, one.start() - CONTEXT) : one.end() + CONTEXT] for one in matches]
    return len(strings), len(set(strings))


def test_duplication_is_that_of_plain_strings(tmp_path: Path) -> None:
    pick = random.Random(2)
    documents = [pick.choices(["čaj", "je", "Je", "u", "日本", "gradu", "lijepo", "bilo"], k=80) for _ in range(30)]
    documents += documents[:7]
    source = source_of(tmp_path, "a", documents)
    rows = kwic_duplication(source).rows
    assert len(rows) == 3
    for row in rows:
        assert (row["occurrences"], row["distinct"]) == kwic_by_hand(documents, row["type"])
        assert row["share"] == pytest.approx(1 - row["distinct"] / row["occurrences"])


def test_parts_of_speech_sentences_and_runs(tmp_path: Path) -> None:
    documents = [["Mali", "pas", "spava", "."] * 100 for _ in range(3)]
    path = tmp_path / "a.vert"
    tags = {"Mali": "A", "pas": "N", "spava": "V", ".": "Z"}
    lines = [
        line
        for words in documents
        for at, word in enumerate(words)
        for line in (["<s>"] if at % 4 == 0 else []) + [f"{word}\t{word.lower()}\t{tags[word]}"]
    ]
    path.write_text("\n".join(lines).replace("<s>", "</s>\n<s>").removeprefix("</s>\n") + "\n</s>\n", "utf-8")
    source = open_foreign(path, "a", tmp_path / "index")
    shares = {row["upos"]: row["share"] for row in parts_of_speech([source]).rows}
    assert shares == {"ADJ": 0.25, "NOUN": 0.25, "VERB": 0.25, "PUNCT": 0.25}
    assert sentence_lengths([source]).values["mean"] == pytest.approx(4)
    runs = {(row["n"], row["ngram"]): row["occurrences"] for row in frequent_runs([source]).rows}
    assert runs[2, "Mali pas"] == 300


def test_tags_of_other_schemes() -> None:
    assert part_of_speech("VERB", {"VERB"}) == "VERB"
    assert part_of_speech("Ncmsn", {"Ncmsn", "Vmr3s"}) == "NOUN"
    assert part_of_speech("NNMS1-----A----", {"NNMS1-----A----"}) == "N"
    assert part_of_speech("NN", {"NN", "VBZ", "DT"}) == "NN"
    assert part_of_speech("", {"N"}) == "X"


def test_parts_are_fifty_of_a_million_or_smaller() -> None:
    assert parts_of(100_000_000).about == "50 parts of 1,000,000 tokens"
    assert parts_of(50_000_000).about == "50 parts of 1,000,000 tokens"
    assert parts_of(500_000).about == "50 parts of 10,000 tokens"
    assert parts_of(1000).count == 5
    assert parts_of(3).count == 1
    box = box_of("a", np.array([1.0, 2, 3, 4, 100]))
    assert (box.median, box.high, list(box.outliers)) == (3, 4, [100])


def test_unknown_words_and_missing_diacritics(tmp_path: Path) -> None:
    documents = [["kuća", "kuca", "kuća", "djeca", "xqwrtz", "kisobran", "kišobran", "."] * 30]
    source = source_of(tmp_path, "a", documents)
    source.lang = "hr"
    section = unknown_words([source])
    listed = {row["word"]: row for row in section.tables["Words"]}
    assert "xqwrtz" in listed
    assert listed["xqwrtz"]["known_as"] is None
    assert listed["kisobran"]["known_as"] == "kišobran"
    assert "djeca" not in listed
    assert section.rows[0]["share"] == pytest.approx(sum(row["occurrences"] for row in listed.values()) / 240)
    source.lang, source.memory = "xx", {}
    assert "--lang" in unknown_words([source]).missing
    assert without_diacritics("đačić") == "dacic"


def test_diacritics(tmp_path: Path) -> None:
    section = diacritics(source_of(tmp_path, "a", [["čaša", "ab"], ["abc"]]))
    assert section.values["mean"] == pytest.approx(100 * (2 / 6) / 2)
    assert sum(row["pages"] for row in section.rows) == 2
    assert [has_diacritic(letter) for letter in "čđaй1ł"] == [True, True, False, True, False, True]


def test_keywords_name_what_only_one_corpus_has(tmp_path: Path) -> None:
    one = source_of(tmp_path, "a", [["isto", "more", "brod"] * 50])
    two = source_of(tmp_path, "b", [["isto", "planina", "snijeg"] * 50])
    rows = keywords([one, two]).rows
    assert {row["word"] for row in rows if row["corpus"] == "a"} == {"more", "brod"}
    assert all(row["log_likelihood"] > 0 and row["diff"] is None for row in rows)
    assert concordance('a."b') == '[word="a\\.\\"b"]'


TOPICS = [[f"{theme}{letter}" for letter in "abcdefghij"] for theme in ("sport", "more", "novac", "škola", "glazba")]


def planted(tmp_path: Path, name: str, topics: list[list[str]], seed: int = 1) -> WordSource:
    pick = random.Random(seed)
    documents = [pick.choices(topics[at % len(topics)], range(14, 4, -1), k=50) for at in range(250)]
    return source_of(tmp_path, name, documents)


def test_topics_recover_planted_ones(tmp_path: Path) -> None:
    model = learn_topics(planted(tmp_path, "a", TOPICS), count=len(TOPICS))
    assert model is not None
    hits = 0
    for words in TOPICS:
        hits += max(len(set(words) & set(topic.first)) for topic in model.topics)
    assert hits >= 0.9 * 10 * len(TOPICS)
    assert sum(topic.share for topic in model.topics) == pytest.approx(1)
    assert learn_topics(planted(tmp_path, "b", TOPICS), count=len(TOPICS)) == model


def test_topics_are_aligned_across_languages(tmp_path: Path) -> None:
    other = [[f"{word}-x" for word in words] for words in TOPICS[:3]] + [[f"nov{letter}" for letter in "abcdefghij"]]
    first = learn_topics(planted(tmp_path, "a", TOPICS), count=5)
    second = learn_topics(planted(tmp_path, "b", other, seed=2), count=4)
    assert first is not None
    assert second is not None
    assert align(first, second) == []
    path = tmp_path / "words.tsv"
    path.write_text("# list\n" + "".join(f"{word}\t{word}-x\n" for words in TOPICS for word in words), "utf-8")
    pairs = align(first, second, read_dictionary(path))
    assert len(pairs) == 3
    for one, two, cosine in pairs:
        assert cosine > 0.8
        assert {f"{word}-x" for word in first.topics[one].first} == set(second.topics[two].first)


def test_names_of_topics_survive(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    write_names(path, [["a", "b", "c", "d"], ["x", "y"]], TopicNames(()))
    path.write_text(path.read_text("utf-8").replace(",a b c d", "Sport,a b c d"), "utf-8")
    names = read_names(path)
    assert names.of(["b", "c", "d", "e"]) == "Sport"
    assert names.of(["d", "e", "f", "g"]) == ""
    assert read_names(tmp_path / "none.csv").entries == ()
