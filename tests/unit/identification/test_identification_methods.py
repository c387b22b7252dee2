"""Methods of the papers, votes, and model files that users bring."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_identify import CASES, PARAGRAPHS

from paberki.errors import ConfigError
from paberki.identification import identify, identify_texts
from paberki.identification.methods.classic import distance, profile_of
from paberki.identification.methods.fasttext_languages import code_of


@pytest.mark.parametrize("method", ["markov", "ngram", "vote"])
def test_methods_tell_languages_apart(method: str) -> None:
    found = identify_texts([text for _, text in CASES], method=method)
    right = [one.lang == language for one, (language, _) in zip(found, CASES, strict=True)]
    assert sum(right) >= 0.85 * len(right)
    assert all(sum(one.probs.values()) == pytest.approx(1.0) for one in found if one.lang)


@pytest.mark.parametrize("method", ["markov", "ngram", "vote", "siblings"])
def test_every_method_takes_a_choice_and_any_text(method: str) -> None:
    assert identify(PARAGRAPHS["hr"][1], languages=("hr", "de"), method=method).lang == "hr"
    for text in ("", " ", "\ud800", "1", "漢"):
        identify(text, method=method)


def test_a_language_without_function_words_is_out() -> None:
    found = identify("Ivan je u kući, a Ana nije na poslu jer je bolesna.", method="markov")
    assert found.lang in ("hr", "sr")


def test_ranks() -> None:
    grams = profile_of("aba")
    assert set(grams) == {"a", "b", " a", "ab", "ba", "a ", " ab", "aba", "ba ", " aba", "aba ", " aba "}
    assert distance(grams, grams) == 0.0
    assert distance({"x": 0}, {}) == 400.0


def test_siblings_decide_among_close_languages() -> None:
    assert identify(PARAGRAPHS["sr"][2], method="siblings", languages=("hr", "sr")).lang == "sr"
    assert set(identify("This is English.", method="siblings").probs) <= {"bs", "hr", "sr"}


def test_fasttext_models(tmp_path: Path) -> None:
    fasttext = pytest.importorskip("fasttext")
    lines = [
        f"__label__{code} {text.lower()}"
        for code, name in (("hrv_Latn", "hr"), ("en", "en"))
        for text in PARAGRAPHS[name]
    ]
    (tmp_path / "train.txt").write_text("\n".join(lines * 20), encoding="utf-8")
    model = fasttext.train_supervised(
        str(tmp_path / "train.txt"), epoch=20, lr=0.5, dim=8, minn=2, maxn=3, bucket=1000, thread=1, verbose=0
    )
    model.save_model(str(tmp_path / "lid.bin"))
    assert identify(PARAGRAPHS["hr"][0], method="fasttext", model=tmp_path / "lid.bin").lang == "hr"
    assert identify(PARAGRAPHS["hr"][0], method="fasttext", model=tmp_path / "lid.bin", languages=("en",)).lang == "en"
    assert identify("", method="fasttext", model=tmp_path / "lid.bin").lang is None
    (tmp_path / "bad.bin").write_bytes(b"no model")
    with pytest.raises(ConfigError, match="not a model of fastText"):
        identify("text", method="fasttext", model=tmp_path / "bad.bin")
    with pytest.raises(ConfigError, match="no such model"):
        identify("text", method="fasttext", model=tmp_path / "none.bin")


def test_fasttext_needs_a_model() -> None:
    with pytest.raises(ConfigError, match="needs a model file"):
        identify("text", method="fasttext")


def test_codes_of_labels() -> None:
    assert [code_of(label) for label in ("__label__hrv_Latn", "__label__en", "__label__no", "xyz")] == [
        "hr",
        "en",
        "nb",
        "xyz",
    ]
