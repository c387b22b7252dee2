"""paberki index and the last step of a build: new pages, changed rules, pages taken down, kills, full disks."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from commandline import fine, good, new, paberki, packed, record, refused, response, rows
from disturbed import start

from paberki.errors import StoreError
from paberki.query.index.reader import Index, open_index
from paberki.store.directory import Directory
from paberki.store.lock import hold

Tmp = pytest.TempPathFactory


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: Tmp) -> Path:
    """A small annotated corpus, built and indexed; tests that change it make a copy."""
    base = tmp_path_factory.mktemp("indexed")
    (base / "a.warc.gz").write_bytes(packed(*(good(f"http://a.hr/{number}", number) for number in range(12))))
    root = new(base / "corpus", base / "a.warc.gz")
    built = fine("build", root, "--jobs", 1, "--json").json
    assert built["stages"][-1]["stage"] == "index"
    assert built["stages"][-1]["cpu_seconds"] > 0
    return root


@pytest.fixture
def copy(corpus: Path, tmp_path: Path) -> Path:
    shutil.copytree(corpus, tmp_path / "copy")
    return tmp_path / "copy"


def words_of(index: Index) -> list[str]:
    return [form for one in index.segments for form in one.attribute("word").values(one.attribute("word").ids)]


def add_rule(root: Path, rule: str) -> None:
    recipe = root / "corpus.toml"
    recipe.write_text(f"{recipe.read_text('utf-8')}\n[[select.pages]]\n{rule}\n", "utf-8")


def test_the_index_holds_what_the_layers_hold(corpus: Path) -> None:
    index = open_index(corpus)
    pages = rows(
        corpus, "id, key, token_count, badness, title, tok_start, tok_end, tok_lemma, sent_block, sent_length, blocks"
    )
    assert index.attributes == ("word", "lc", "lemma", "upos", "xpos", "feats", "deprel", "ner", "oov")
    assert index.tokens == sum(page["token_count"] for page in pages)
    expected, lemmas = [], []
    for page in pages:
        lemmas += page["tok_lemma"]
        at = 0
        for block, length in zip(page["sent_block"], page["sent_length"], strict=True):
            text = page["blocks"][block]["text"]
            spans = zip(page["tok_start"][at : at + length], page["tok_end"][at : at + length], strict=True)
            expected += [text[start:end] for start, end in spans]
            at += length
    assert words_of(index) == expected
    segment = index.segments[0]
    lemma = segment.attribute("lemma")
    assert lemma.values(lemma.ids) == lemmas
    assert segment.structure("s").size == sum(len(page["sent_length"]) for page in pages)
    doc = segment.structure("doc")
    for name in ("id", "key", "title"):
        own = doc.attribute(name)
        assert own.values(own.ids) == [page[name] for page in pages]
    assert doc.attribute("badness").numbers == pytest.approx([page["badness"] for page in pages])
    assert doc.attribute("year").values(doc.attribute("year").ids) == ["2020"] * len(pages)
    assert set(doc.attribute("commit").numbers) == {1}
    assert segment.structure("p").attribute("label").size >= 1


def test_it_is_up_to_date_after_a_build(corpus: Path) -> None:
    before = sorted((path.name, path.stat().st_mtime_ns) for path in (corpus / "index").iterdir())
    assert "up to date" in fine("index", corpus).out
    assert fine("index", corpus, "--json").json["changed"] is False
    assert sorted((path.name, path.stat().st_mtime_ns) for path in (corpus / "index").iterdir()) == before


def test_new_pages_are_a_new_segment(copy: Path, tmp_path: Path) -> None:
    old = open_index(copy)
    (tmp_path / "b.warc.gz").write_bytes(packed(*(good(f"http://b.hr/{number}", number + 50) for number in range(5))))
    fine("import", copy, tmp_path / "b.warc.gz", "--quiet")
    fine("build", copy, "--jobs", 1, "--quiet")
    index = open_index(copy)
    assert len(index.segments) == 2
    assert index.segments[0].digest == old.segments[0].digest
    assert words_of(index)[: old.tokens] == words_of(old)
    assert [int(one.structure("doc").attribute("commit").numbers[0]) for one in index.segments] == [1, 2]
    assert index.selection("kept").tokens == index.tokens
    assert index.build != old.build


def test_a_changed_rule_changes_the_selection_and_no_token(copy: Path) -> None:
    old = open_index(copy)
    kept = old.manifest.selection
    ids = [row["id"] for row in rows(copy, "id")][:4]
    add_rule(copy, f'reason = "mine"\ndrop = "id in ({", ".join(repr(one) for one in ids)})"')
    fine("build", copy, "--jobs", 1, "--quiet")
    index = open_index(copy)
    assert [one.digest for one in index.segments] == [one.digest for one in old.segments]
    segment = index.segments[0]
    doc = segment.structure("doc")
    dropped_tokens = int(
        (doc.ends - doc.starts)[np.isin(doc.attribute("id").values(doc.attribute("id").ids), ids)].sum()
    )
    selected, dropped = index.selection("kept"), index.selection("dropped")
    assert selected.tokens == index.tokens - dropped_tokens
    assert dropped.tokens == dropped_tokens == dropped.tokens_of(segment)
    inside = selected.contains(segment, doc.starts, doc.starts + 1)
    assert inside.tolist() == [name not in ids for name in doc.attribute("id").values(doc.attribute("id").ids)]
    assert not selected.contains(segment, doc.starts[3:4], doc.ends[4:5])[0]
    before = index.selection(f"kept@{kept}")
    assert before.tokens == index.tokens
    assert doc.attribute("reason").values(doc.attribute("reason").ids)[:4].count("mine") == 4


def test_a_page_taken_down_is_hidden_at_once(copy: Path) -> None:
    index = open_index(copy)
    doc = index.segments[0].structure("doc")
    key = doc.attribute("key").value(doc.attribute("key").ids[2])
    (copy / "tombstones.jsonl").write_text(json.dumps({"key": key}) + "\n", "utf-8")
    index = open_index(copy)
    everything = index.selection(None)
    assert everything.tokens == index.tokens - int(doc.ends[2] - doc.starts[2])
    inside = everything.contains(index.segments[0], doc.starts, doc.ends)
    assert inside.tolist() == [at != 2 for at in range(doc.size)]
    assert index.selection("kept").tokens == everything.tokens
    fine("build", copy, "--jobs", 1, "--quiet")
    index = open_index(copy)
    assert key not in index.segments[0].structure("doc").attribute("key").strings.to_pylist()


def test_beside_a_build_the_index_stays_as_it_was(corpus: Path) -> None:
    before = (corpus / "index" / "index.json").read_bytes()
    with hold(Directory(corpus).lock("layers"), doing="building"):
        assert "is building; it brings the index up to date at its end" in refused("index", corpus)
        assert fine("query", corpus, "[]", "--count").out
    assert (corpus / "index" / "index.json").read_bytes() == before


def test_it_can_be_switched_off(corpus: Path, tmp_path: Path) -> None:
    root = tmp_path / "x"
    shutil.copytree(corpus, root, ignore=shutil.ignore_patterns("index"))
    recipe = root / "corpus.toml"
    fine("build", root, "--jobs", 1, "--quiet", "--until", "annotate")
    assert not (root / "index").exists()
    recipe.write_text(recipe.read_text("utf-8") + "\n[build]\nindex = false\n", "utf-8")
    fine("build", root, "--jobs", 1, "--quiet")
    assert not (root / "index").exists()
    with pytest.raises(StoreError, match="no index here; type: paberki index"):
        open_index(root)
    fine("index", root, "--quiet")
    assert open_index(root).tokens == open_index(corpus).tokens


def test_a_corpus_that_is_not_annotated_has_words(corpus: Path, tmp_path: Path) -> None:
    root = tmp_path / "x"
    shutil.copytree(corpus, root, ignore=shutil.ignore_patterns("index"))
    recipe = root / "corpus.toml"
    recipe.write_text('remove = ["annotate.v1"]\n' + recipe.read_text("utf-8"), "utf-8")
    built = fine("build", root, "--jobs", 1, "--json").json
    assert built["stages"][-1]["stage"] != "index"
    fine("index", root, "--quiet")
    index = open_index(root)
    assert index.attributes == ("word", "lc")
    assert words_of(index) == words_of(open_index(corpus))


def test_foreign_files(tmp_path: Path) -> None:
    (tmp_path / "x.vert").write_text("<s>\nPas\tpas\nlaje\tlajati\n</s>\n\tbroken\n", "utf-8")
    said = fine(
        "index", tmp_path / "out", "--vertical", tmp_path / "x.vert", "--attributes", "word,lemma", "--lang", "hr"
    ).out
    assert "2 tokens indexed" in said
    assert "1 broken line left out: 5" in said
    (tmp_path / "reg").write_text(
        'NAME "Psi"\nVERTICAL "x.vert"\nLANGUAGE Croatian\nATTRIBUTE word\nATTRIBUTE lemma\n', "utf-8"
    )
    done = fine("index", tmp_path / "out", "--vertical", tmp_path / "reg", "--json").json
    assert (done["tokens"], done["broken_lines"]) == (2, [5])
    index = open_index(tmp_path / "out")
    assert (index.name, index.lang, index.attributes) == ("Psi", "hr", ("word", "lc", "lemma"))
    assert "name the columns" in refused("index", tmp_path / "out", "--vertical", tmp_path / "x.vert")
    assert "no such file" in refused("index", tmp_path / "new", "--vertical", tmp_path / "none", "-a", "word")
    assert "is an index of a foreign corpus" in refused("index", tmp_path / "out")
    assert "not a corpus" in refused("index", tmp_path)
    for verb, *rest in (("status",), ("search", "x"), ("export", "jsonl", "-o", tmp_path / "x.jsonl")):
        assert "without pages; try: paberki query" in refused(verb, tmp_path / "out", *rest)
    assert "does not name a vertical file" in refused("index", tmp_path / "o", "--registry", _cwb(tmp_path))
    assert fine("index", tmp_path / "out", "--vertical", tmp_path / "x.vert", "-a", "word", "--quiet").out == ""


def _cwb(tmp_path: Path) -> Path:
    path = tmp_path / "cwb"
    path.write_text("ID x\nHOME /x\nATTRIBUTE word\n", "utf-8")
    return path


def test_the_index_of_a_corpus_is_not_overwritten(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "x.vert").write_text("a\n", "utf-8")
    message = refused("index", corpus / "index", "--vertical", tmp_path / "x.vert", "-a", "word")
    assert "is the index of the corpus" in message
    message = refused("index", corpus, "--vertical", tmp_path / "x.vert", "-a", "word")
    assert "is a corpus" in message


@pytest.fixture(scope="module")
def large(tmp_path_factory: Tmp) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.vert"
    pick = random.Random(5)
    words = [f"riječ{number}" for number in range(60_000)]
    with open(path, "w", encoding="utf-8") as out:
        for number in range(400):
            lines = "\n".join(f"{word}\tN" for word in pick.choices(words, k=1500))
            out.write(f'<doc id="{number}">\n{lines}\n</doc>\n')
    return path


@pytest.mark.waits
def test_kills_leave_the_old_index_or_the_new_one(large: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "small.vert").write_text("jedan\tM\n", "utf-8")
    fine("index", out, "--vertical", tmp_path / "small.vert", "-a", "word,tag")
    old = open_index(out).build
    command = ("index", str(out), "--vertical", str(large), "-a", "word,tag", "--quiet")
    began = time.monotonic()
    fine(*command)
    whole, fresh = time.monotonic() - began, open_index(out).tokens
    assert fresh == 600_000
    fine("index", out, "--vertical", tmp_path / "small.vert", "-a", "word,tag", "--name", "out")
    moments = random.Random(3)
    for _ in range(6):
        process = start(*command)
        time.sleep(moments.uniform(0.3, 1.0) * whole)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        index = open_index(out)
        assert index.tokens in (1, fresh)
        assert len(words_of(index)) == index.tokens
        if index.tokens == 1:
            assert words_of(index) == ["jedan"]
            assert len(old) == len(index.build)
    fine(*command)
    assert open_index(out).tokens == fresh
    assert sorted(path.suffix for path in out.iterdir()) == [".json", ".lock", ".segment"]


def test_two_at_once(large: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ("index", str(out), "--vertical", str(large), "-a", "word,tag", "--quiet")
    with hold(out / "index.lock", doing="indexing"):
        assert "is indexing already; wait for it or stop it" in refused(*command)
    both = [start(*command), start(*command)]
    for process in both:
        process.communicate()
    assert 0 in {process.returncode for process in both} <= {0, 2}
    assert open_index(out).tokens == 600_000


def test_a_full_disk_leaves_the_old_index(large: Path, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "small.vert").write_text("jedan\tM\n", "utf-8")
    out = tmp_path / "out"
    fine("index", out, "--vertical", tmp_path / "small.vert", "-a", "word,tag")
    before = sorted(path.name for path in out.iterdir())
    done = paberki("index", out, "--vertical", large, "-a", "word,tag", limit_file_size=1000)
    assert done.code == 2
    assert "Traceback" not in done.err
    assert "size limit" in done.err
    assert sorted(path.name for path in out.iterdir()) == before
    assert words_of(open_index(out)) == ["jedan"]


def test_ctrl_c_says_how_to_go_on(large: Path, tmp_path: Path) -> None:
    process = start("index", str(tmp_path / "out"), "--vertical", str(large), "-a", "word,tag")
    while not list((tmp_path / "out").glob(".tmp-*")):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert b"run the same command" in err
    assert b"Traceback" not in err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["index.lock"]


RUSSIAN = (
    "Сегодня в городе была хорошая погода, и гости приехали из всех краёв страны.",
    "Они сказали, что здесь находится то, что они ищут уже несколько лет.",
    "Никто не ожидал, что на открытии соберётся так много людей.",
    "Книга, которую она написала, рассказывает о детстве на острове и о людях, которые уехали.",
    "Если ничего не изменится, мост может быть готов ещё до конца лета.",
    "Жители жалуются, что автобус ходит нерегулярно и что их никто не слушает.",
)


def russian(url: str, seed: int) -> bytes:
    pick = random.Random(seed)
    text = "".join(f"<p>{' '.join(pick.sample(RUSSIAN, 4))} Это было {seed} раз.</p>" for _ in range(5))
    return record(url, response(f"<html lang=ru><title>{seed}</title><div>{text}</div>".encode()))


def test_languages_without_a_model_are_indexed_by_their_words(tmp_path: Path) -> None:
    """Alone they have words only; beside annotated pages their other attributes are unknown."""
    pages = [russian(f"http://a.ru/{number}", number) for number in range(6)]
    (tmp_path / "a.warc.gz").write_bytes(packed(*pages))
    root = new(tmp_path / "alone", tmp_path / "a.warc.gz", lang="ru")
    assert paberki("build", root, "--jobs", 1).code == 0
    assert open_index(root).attributes == ("word", "lc")
    hits = fine("query", root, '"в" "городе" within s', "--count").out
    assert int(hits.split()[0]) > 0
    sentences = int(fine("query", root, "<s/>", "--count").out.split()[0])
    assert sentences >= 6 * 5 * 4  # those of each paragraph, not one

    (tmp_path / "b.warc.gz").write_bytes(packed(*pages[:3], *(good(f"http://a.hr/{n}", n) for n in range(3)), pages[3]))
    recipe = tmp_path / "mixed" / "corpus.toml"
    root = new(tmp_path / "mixed", tmp_path / "b.warc.gz")
    recipe.write_text(recipe.read_text("utf-8").replace('lang = ["hr"]', 'lang = ["hr", "ru"]'), "utf-8")
    assert paberki("build", root, "--jobs", 1).code == 0
    index = open_index(root)
    assert "lemma" in index.attributes
    kept = rows(root, "url, lang, keep, token_count")
    assert {(row["lang"], row["token_count"] is None) for row in kept if row["keep"]} == {("hr", False), ("ru", True)}
    assert int(fine("query", root, '[word="городе" & lemma="_"]', "--count").out.split()[0]) > 0
    assert int(fine("query", root, '[lemma="grad"]', "--count").out.split()[0]) > 0
    assert words_of(index).count("городе") == int(
        fine("query", root, '"городе"', "--count", "--set", "all").out.split()[0]
    )
