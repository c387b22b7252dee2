"""Classifiers that users bring as JSON or NPZ."""

from __future__ import annotations

import json
import shutil
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import paberki
from paberki.errors import ConfigError, ContractError
from paberki.quality.linear import LinearConfig, _perplexities, _score, classifier
from paberki.stage import find


def test_word_weights(tmp_path: Path) -> None:
    file = tmp_path / "words.json"
    file.write_text(json.dumps({"labels": ["bad", "good"], "bias": [0, -0.5], "words": {"Dobro": 4, "loše": [4, 0]}}))
    chances = classifier(file).predict(pa.array(["dobro dobro", "LOŠE i dobro", ""]))
    assert chances[0, 1] == pytest.approx(1 / (1 + np.exp(-3.5)), abs=1e-4)
    assert chances[2, 1] == pytest.approx(1 / (1 + np.exp(0.5)), abs=1e-4)


def test_hashed_ngrams(tmp_path: Path) -> None:
    weights = np.zeros((1 << 10, 2), np.float32)
    weights[zlib.crc32(b"ab") & 1023, 1] = 6.0
    file = tmp_path / "ngrams.npz"
    np.savez(file, weights=weights, bias=np.zeros(2), labels=np.array(["x", "y"]), ngrams=np.array([2, 2]))
    chances = classifier(file).predict(pa.array(["ABAB", "zzzz", None], pa.string()))
    assert chances[0, 1] > 0.95
    assert chances[1].tolist() == [0.5, 0.5]


def test_the_wanted_label_is_the_score(tmp_path: Path) -> None:
    file = tmp_path / "words.json"
    file.write_text(json.dumps({"labels": ["bad", "good"], "words": {"dobro": 4}}))
    texts, there = pa.array(["dobro", ""]), np.array([True, False])
    found = _score(texts, there, LinearConfig(file=str(file), label="bad"))
    assert found["linear_label"].to_pylist() == ["good", None]
    assert found["linear_score"][0].as_py() < 0.05
    with pytest.raises(ConfigError, match="did you mean 'good'"):
        _score(texts, there, LinearConfig(file=str(file), label="goot"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"["),
        ("b.json", b'{"labels": 3}'),
        ("c.npz", b"PK"),
        ("d.bin", b"\0" * 40),
        ("e.json", b"[" * 100_000),
    ],
)
def test_broken_files_are_told_in_a_line(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=name.replace(".", r"\.")):
        classifier(tmp_path / name)


def test_a_recipe_has_the_stage_as_often_as_it_has_names(tmp_path: Path) -> None:
    for name, word in (("register", "ustav"), ("safety", "kocka")):
        said = {"labels": ["other", name], "bias": [0, -1], "words": {word: 40}}
        (tmp_path / f"{name}.json").write_text(json.dumps(said), "utf-8")
    corpus = paberki.new(tmp_path / "c", lang="hr")
    for name in ("register", "safety"):
        shutil.move(tmp_path / f"{name}.json", corpus.directory.root / f"{name}.json")
    rows = [
        {"url": f"http://a.hr/{number}", "text": f"Danas je u gradu bilo govora o tome što je {word}. " * 40}
        for number, word in enumerate(("ustav", "kocka", "more"))
    ]
    source = tmp_path / "pages.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    recipe = corpus.directory.root / "corpus.toml"
    recipe.write_text(
        'lang = "hr"\nstages = ["decode.model.v1", "extract.tagpath.v1", "identify.general.v1",'
        ' "quality.linear.register.v1", "quality.linear.safety.v1", "captures.v1", "select.v1"]\n'
        '[linear_register]\nfile = "register.json"\nlabel = "register"\n'
        '[linear_safety]\nfile = "safety.json"\nlabel = "safety"\n'
        '[select]\npages = [{drop = "safety_score > 0.5", reason = "unsafe"}]\n',
        "utf-8",
    )
    corpus = paberki.open(corpus.directory.root)
    corpus.add([source])
    corpus.build(jobs=1)
    found = {
        str(page["url"]): page for page in corpus.pages("url", "register_score", "safety_label", "reason", kept=False)
    }
    assert found["http://a.hr/0"]["register_score"] > 0.6
    assert [found[f"http://a.hr/{number}"]["safety_label"] for number in range(3)] == ["other", "safety", "other"]
    assert [found[f"http://a.hr/{number}"]["reason"] for number in range(3)].count("unsafe") == 1
    (corpus.directory.root / "safety.json").write_text(
        json.dumps({"labels": ["other", "safety"], "bias": [0, -1], "words": {"more": 40}}), "utf-8"
    )
    corpus.build(jobs=1)  # another file under the same name is another setting
    again = {str(page["url"]): page["safety_label"] for page in corpus.pages("url", "safety_label", kept=False)}
    assert [again[f"http://a.hr/{number}"] for number in range(3)] == ["other", "other", "safety"]


def test_a_word_makes_an_alias_of_a_stage() -> None:
    assert find("quality.linear.register.v1").layer == "linear_register"
    assert [column.name for column in find("quality.linear.a.v1").adds] == ["a_label", "a_score", "a_perplexity"]
    for name in ("quality.linear.Register.v1", "quality.rulez.mine.v1", "quality.linear.register.v2"):
        with pytest.raises(ContractError, match="no stage"):
            find(name)


ARPA = """\\data\\
ngram 1=6
ngram 2=3

\\1-grams:
-1.2\t<unk>
0\t<s>\t-0.3
-1.0\t</s>
-0.5\tdobar\t-0.2
-0.7\tdan\t-0.1
-0.9\tsvijet

\\2-grams:
-0.1\t<s> dobar
-0.2\tdobar dan
-0.3\tdan </s>

\\end\\
"""


def test_perplexity_by_kenlm(tmp_path: Path) -> None:
    pytest.importorskip("kenlm", reason="KenLM is not installed")
    (tmp_path / "model.arpa").write_text(ARPA, "utf-8")
    texts, there = ["dobar dan", "svijet\n\ndobar dan", ""], np.array([True, True, False])
    found = _perplexities(texts, there, LinearConfig(kenlm=str(tmp_path / "model.arpa"))).to_pylist()
    known, strange = -0.1 - 0.2 - 0.3, (-0.3 - 0.9) + (0.0 - 1.0)  # with what is lost by going back to single words
    assert found[0] == pytest.approx(10 ** (-known / 3), rel=1e-4)
    assert found[1] == pytest.approx(10 ** (-(known + strange) / 5), rel=1e-4)
    assert found[2] is None


def test_kenlm_says_in_a_line_what_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "broken.arpa").write_bytes(b"\\data\\\nngram 1=9\n")
    with pytest.raises(ConfigError, match=r"kenlm|broken\.arpa"):
        _perplexities(["dobar dan"], np.array([True]), LinearConfig(kenlm=str(tmp_path / "broken.arpa")))
