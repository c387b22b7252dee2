"""Duplicates in a build, as a user meets them: labels, other corpora, growth, two pages side by side, foreign corpora."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from commandline import fine

import paberki
from corpora import SENTENCES
from paberki.corpus import Corpus
from paberki.dedup.signatures.published import published_at
from paberki.errors import ConfigError
from paberki.report.one_page.explain import explain
from paberki.report.one_page.pair import compare_pages

FOOTER = "Sva prava pridržana, a prenošenje sadržaja bez dopuštenja nije dopušteno ni u kojem obliku."


ANY_TEXT = '[[select.pages]]\nreason = "not-connected"\ndrop = ""\n'


def sentences(some: random.Random, count: int) -> str:
    """Sentences that share words with all others, but no run of five words with any."""
    made = []
    for _ in range(count):
        words = some.choice(SENTENCES).rstrip(".").split()
        some.shuffle(words)
        made.append(f"{' '.join(words)} {some.choice('klmnprst')}{some.randrange(10**6)}.")
    return " ".join(made)


def html(*paragraphs: str) -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"<!doctype html><html lang=hr><title>Stranica</title><body><div class=main>{body}</div>"


def write(path: Path, pages: dict[str, str]) -> Path:
    rows = [{"url": f"http://{url}", "html": page, "date": "2020-01-01T00:00:00Z"} for url, page in pages.items()]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def corpus_of(
    root: Path, *files: Path, recipe: str = "", preset: str = "modern", stages: tuple[str, ...] = ()
) -> Corpus:
    corpus = paberki.new(root, lang="hr", preset=preset)
    text = corpus.directory.recipe.read_text("utf-8").replace("\n[crawl]", f"\n{recipe}{ANY_TEXT}\n[crawl]", 1)
    if stages:
        names = [stage.name for stage, _ in corpus.recipe.stages]
        text = f"stages = {json.dumps([*names, *stages])}\n{text}"
    corpus.directory.recipe.write_text(text, "utf-8")
    for file in files:
        corpus.add([file])
        corpus.build(jobs=1)
    return corpus


def rows(corpus: Corpus, columns: str, source: str = "pages") -> dict[str, tuple]:
    found = corpus.sql(f"select url, {columns} from {source}")[1]
    return {row[0].removeprefix("http://"): row[1:] for row in found}


@pytest.fixture(scope="module")
def texts() -> list[str]:
    some = random.Random(8)
    return [sentences(some, 24) for _ in range(8)]


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> tuple[Path, Corpus, dict[str, int]]:
    """A corpus of two crawls: the second brings a longer copy of a page of the first, and something new."""
    place = tmp_path_factory.mktemp("duplicates")
    first = {
        "a.hr/1": html(texts[0], FOOTER),
        "a.hr/2": html(texts[1], FOOTER),
        "b.hr/1": html(texts[0].replace("Danas", "danas"), FOOTER),
        "c.hr/1": html(texts[2]),
        "c.hr/2": html(texts[2]),
        "d.hr/1": html(texts[3], texts[4]),
    }
    second = {
        "e.hr/1": html(texts[1] + " I još jedna rečenica koje prije nije bilo na toj stranici.", FOOTER),
        "e.hr/2": html(texts[5]),
        "e.hr/3": html(texts[6], texts[4]),
    }
    files = write(place / "first.jsonl", first), write(place / "second.jsonl", second)
    corpus = corpus_of(place / "grown", files[0], stages=("dedup.passages.v1",))
    ages = {
        name: corpus.directory.layer(name, 0).stat().st_mtime_ns for name in ("signatures", "near", "dedup", "passages")
    }
    ages["checked"] = len(list((corpus.directory.private / "join" / "near").glob("checked-*")))
    corpus.add([files[1]])
    corpus.build(jobs=1)
    return place, corpus, ages


def test_every_page_has_its_labels(grown):
    _, corpus, _ = grown
    keys = {url: row[0] for url, row in rows(corpus, "key").items()}
    found = rows(corpus, "dup_exact, dup_cluster, dup_size, round(dup_similarity, 2), dup_of, dup_corpus, keep, reason")
    assert found["a.hr/1"][1:3] == (keys["a.hr/1"], 2)
    assert found["b.hr/1"][1] == keys["a.hr/1"]
    assert found["c.hr/1"][:4] == (keys["c.hr/1"], keys["c.hr/1"], 2, 1.0)
    assert {found["c.hr/1"][4], found["c.hr/2"][4]} - {None} <= {keys["c.hr/1"], keys["c.hr/2"]}
    assert found["a.hr/2"][4:] == (keys["e.hr/1"], None, False, "duplicate")  # the longer copy came later
    assert found["e.hr/1"][4:] == (None, None, True, None)
    assert found["e.hr/2"][1:4] == (None, 1, None)


def test_paragraphs_of_kept_pages_are_labelled(grown):
    _, corpus, _ = grown
    found = corpus.sql(
        "select url, text, page_keep, neardupe, neardupe_of from blocks where block_keep order by id, number"
    )[1]
    kept = [(url, text[:3], label, of) for url, text, stays, label, of in found if stays]
    footers = [(label, of) for url, text, label, of in kept if text == "Sva"]
    assert footers[0][0] == 0
    assert all(label == 1 and of for label, of in footers[1:])
    assert len(footers) > 1
    assert all(label is None for _, _, stays, label, _ in found if not stays)
    page_id = rows(corpus, "id")["d.hr/1"][0]
    assert [(label, of) for url, _, label, of in kept if url.endswith("e.hr/3")] == [(0, None), (1, f"{page_id}:1")]


def test_long_passages_are_spans(grown, texts):
    _, corpus, _ = grown
    spans, share = rows(corpus, "passages, passage_share")["e.hr/3"]
    page = rows(corpus, "id, blocks")["d.hr/1"]
    blocks = rows(corpus, "blocks")["e.hr/3"][0]
    assert [(one["block"], one["of"]) for one in spans] == [(1, page[0])]
    assert blocks[1]["text"][spans[0]["start"] : spans[0]["end"]] == texts[4].rstrip(".")
    assert 0.3 < share < 0.7
    assert rows(corpus, "passages")["d.hr/1"][0] is None


def test_a_second_crawl_leaves_old_signatures_and_labels_alone(grown):
    _, corpus, ages = grown
    for name in ("signatures", "dedup"):
        assert corpus.directory.layer(name, 0).stat().st_mtime_ns == ages[name]
    assert corpus.directory.layer("near", 0).stat().st_mtime_ns > ages["near"]  # a.hr/2 has a copy now
    assert corpus.directory.layer("passages", 0).stat().st_mtime_ns == ages["passages"]
    assert ages["checked"] == 1
    assert len(list((corpus.directory.private / "join" / "near").glob("checked-*"))) == 2


def test_the_result_is_that_of_a_full_build(grown):
    place, corpus, _ = grown
    whole = corpus_of(place / "whole", stages=("dedup.passages.v1",))
    whole.add([place / "first.jsonl"])
    whole.build(jobs=1, until="captures.v1")  # seals the same shards
    whole.add([place / "second.jsonl"])
    whole.build(jobs=1)
    for name in ("signatures", "dedup", "near", "passages"):
        for shard in (0, 1):
            grown_file, whole_file = (one.directory.layer(name, shard).read_bytes() for one in (corpus, whole))
            assert grown_file == whole_file, (name, shard)
    # The files of later stages say which profile of the language was learnt, when there were fewer pages.
    for columns in ("keep, reason, dup_of", "neardupe, neardupe_of"):
        assert rows(corpus, columns) == rows(whole, columns)


def test_copies_in_another_corpus_and_in_a_file_of_signatures(grown, texts, tmp_path):
    place, corpus, _ = grown
    published = tmp_path / "published.parquet"
    fine("export", corpus.root, "signatures", "-o", published)
    pages = {"x.hr/1": html(texts[5]), "x.hr/2": html(sentences(random.Random(77), 24)), "x.hr/3": html(texts[7])}
    source = write(tmp_path / "x.jsonl", pages)
    keys = {url: row[0] for url, row in rows(corpus, "key").items()}
    other = corpus_of(tmp_path / "other", source, recipe=f"[dedup]\nagainst = [{json.dumps(str(corpus.root))}]\n")
    for again in (False, True):
        if again:
            recipe = other.directory.recipe.read_text("utf-8").replace(str(corpus.root), str(published))
            other.directory.recipe.write_text(recipe, "utf-8")
            other.build(jobs=1)
        found = rows(other, "dup_of, dup_corpus, reason, dup_cluster")
        assert found["x.hr/1"] == (keys["e.hr/2"], "grown", "duplicate", None)
        assert found["x.hr/2"][:3] == found["x.hr/3"][:3] == (None, None, None)


def test_duplicates_switched_off(grown, tmp_path):
    place, _, _ = grown
    off = corpus_of(tmp_path / "off", place / "first.jsonl", recipe='dedup = "off"\n')
    assert not [stage.name for stage, _ in off.recipe.stages if stage.name.startswith("dedup.")]
    assert all(row == (True,) for row in rows(off, "keep").values())
    told = explain(off.directory, off.plan(), off.decisions(), "http://a.hr/1").lines()
    assert any("not looked for" in line for line in told)


def test_the_same_words_in_other_markup(texts, tmp_path):
    pages = {
        "m.hr/1": html(texts[0]),
        "m.hr/2": html(texts[0].upper()).replace("<div class=main>", "<div class=main id=x>"),
        "m.hr/3": html(texts[1]),
        "m.hr/4": html(""),
        "m.hr/5": html(" "),
    }
    corpus = corpus_of(tmp_path / "c", write(tmp_path / "m.jsonl", pages), recipe='[dedup]\nby = "text"\n')
    keys = {url: row[0] for url, row in rows(corpus, "key").items()}
    found = rows(corpus, "dup_exact, dup_exact_count")
    assert found["m.hr/1"] == found["m.hr/2"] == (keys["m.hr/1"], 2)
    assert {found[url] for url in ("m.hr/3", "m.hr/4", "m.hr/5")} == {(None, 1)}


def test_wrong_recipes_are_told_in_a_line(tmp_path):
    with pytest.raises(ConfigError, match="nowhere: there is no such corpus or file"):
        published_at(tmp_path, "nowhere")
    alone = corpus_of(tmp_path / "alone", recipe='[dedup]\nagainst = ["x"]\n', preset="tsubaki2008")
    with pytest.raises(ConfigError, match="no stage compares with other corpora"):
        alone.plan()


def test_two_pages_side_by_side(grown):
    _, corpus, _ = grown
    told = compare_pages(corpus.directory, corpus.plan(), "http://a.hr/2", "http://e.hr/1").lines()
    assert any("⟦" in line for line in told)
    assert any("left out: duplicate" in line for line in told)
    facts = fine("explain", corpus.root, "http://d.hr/1", "http://e.hr/3", "--json").json
    assert 0.2 < facts["resemblance"] < 0.6
    for one in facts["passages"]:
        left = facts["left_text"][one["left_start"] : one["left_end"]]
        assert left == facts["right_text"][one["right_start"] : one["right_end"]]
    assert max(one["words"] for one in facts["passages"]) > 200


def test_foreign_corpora_from_the_command_line(texts, tmp_path):
    path = tmp_path / "foreign.jsonl"
    path.write_text("\n".join(json.dumps({"text": text}) for text in (texts[0], texts[0] + " " + texts[1], texts[2])))
    assert "33.3%" in fine("reduce", path, "-o", tmp_path / "gone.jsonl").out
    assert json.loads((tmp_path / "gone.jsonl").read_text())["of"] == 1


def test_test_sets_are_found(grown, texts, tmp_path):
    place, _, _ = grown
    questions = tmp_path / "tests" / "quiz.jsonl"
    questions.parent.mkdir()
    words = texts[3].split()
    other = "Nešto sasvim deseto što nigdje ne piše nitko i nikada, a ima dovoljno riječi."
    asked = [{"id": "q-1", "text": other}, {"text": other}, {"id": "q-3", "text": " ".join(words[10:30])}]
    questions.write_text("\n".join(map(json.dumps, asked)), "utf-8")
    recipe = f"[contamination]\ntests = [{json.dumps(str(questions))}]\n"
    corpus = corpus_of(tmp_path / "c", recipe=recipe, stages=("dedup.contamination.v1",))
    corpus.add([place / "first.jsonl"])
    corpus.build(jobs=1)
    found = rows(corpus, "contaminated, contaminated_share")
    passage = found["d.hr/1"][0][0]
    assert (passage["of"], passage["words"], passage["block"]) == ("quiz.jsonl:q-3", 20, 0)
    assert passage["text"].split()[0].strip(".,") == words[10].strip(".,")
    assert found["d.hr/1"][1] > 0
    assert found["a.hr/1"] == (None, 0.0)
    told = explain(corpus.directory, corpus.plan(), corpus.decisions(), "http://d.hr/1").lines()
    assert any("20 words stand in a test set (quiz.jsonl:q-3)" in line for line in told)


def test_pages_that_nobody_wants(tmp_path):
    """Nothing, one word, one word again and again, many equal pages, a long one: all get labels, none gets in the way."""
    some = random.Random(3)
    pages = {
        "a.hr/nothing": " \n ",
        "a.hr/word": "riječ",
        "b.hr/word": "Riječ!",
        "a.hr/again": "kuća " * 30_000,
        "b.hr/again": "kuća " * 20_000,
        "a.hr/long": "\n".join(sentences(some, 40) for _ in range(300)),
    }
    croatian = "Tijekom listopada tisuće putnika čekale su vlakove na kolodvoru, a uporaba glazbe nije bila dopuštena. "
    pages |= {f"c.hr/{number}": croatian * 4 for number in range(300)}
    path = tmp_path / "odd.jsonl"
    path.write_text("\n".join(json.dumps({"url": f"http://{url}", "text": text}) for url, text in pages.items()))
    corpus = corpus_of(tmp_path / "odd", path)
    found = rows(corpus, "dup_size, dup_similarity, dup_of, keep, error")
    assert not any(one[-1] for one in found.values())
    assert found["a.hr/nothing"][:4] == (1, None, None, False)
    assert found["a.hr/word"][:2] == found["b.hr/word"][:2] == (2, 1.0)
    assert found["a.hr/again"][:2] == found["b.hr/again"][:2] == (2, 1.0)
    assert found["a.hr/long"][:3] == (1, None, None)
    equal = [one for url, one in found.items() if url.startswith("c.hr/")]
    assert {one[:2] for one in equal} == {(300, 1.0)}
    assert sum(one[3] for one in equal) == 1
    assert len({one[2] for one in equal if not one[3]}) == 1
