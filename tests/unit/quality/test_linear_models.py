"""Classifiers that users bring as JSON or NPZ."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from paberki.errors import ConfigError
from paberki.quality.linear import LinearConfig, _scored, classifier


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
    found = _scored(texts, there, LinearConfig(file=str(file), label="bad"))
    assert found["linear_label"].to_pylist() == ["good", None]
    assert found["linear_score"][0].as_py() < 0.05
    with pytest.raises(ConfigError, match="did you mean 'good'"):
        _scored(texts, there, LinearConfig(file=str(file), label="goot"))


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
