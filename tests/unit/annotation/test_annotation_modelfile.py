"""Model files: whole or refused with a reason, whatever somebody put into them."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from paberki.annotation.files.annotation_model_file import MAGIC, AnnotationModelFile, load_model, read_header, save
from paberki.annotation.files.model_catalogue import annotator
from paberki.errors import InputError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    model = AnnotationModelFile({"lang": "xx", "sources": {"made for tests": "CC0"}})
    model.put(
        "tagger", {"weights": np.arange(6, dtype=np.int8).reshape(2, 3), "words": ["a", "č"], "none": []}, {"n": 1}
    )
    model.put("tokens", {"cases": {"a": "A"}}, {})
    save(model, tmp_path / "x.annotation")
    return tmp_path / "x.annotation"


def test_round_trip(path: Path) -> None:
    model = load_model(path)
    assert model.layers == ["tagger", "tokens"]
    assert model.layer("tagger")["words"] == ["a", "č"]
    assert model.layer("tagger")["none"] == []
    assert np.array_equal(model.layer("tagger")["weights"], [[0, 1, 2], [3, 4, 5]])
    assert read_header(path)["sources"] == {"made for tests": "CC0"}


def test_another_version_is_refused_with_a_reason(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(MAGIC + struct.pack("<I", 9) + data[len(MAGIC) + 4 :])
    with pytest.raises(InputError, match=r"version 9, this paberki reads version 2; train it again"):
        load_model(path)


@pytest.mark.parametrize("cut", [0, 10, 30, 60, 200, -1])
def test_a_cut_file_is_refused(path: Path, cut: int) -> None:
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError):
        load_model(path)


def test_a_part_that_lies_about_its_size_is_refused(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"shape": [2, 3]', b'"shape": [9, 3]'))
    with pytest.raises(InputError, match="damaged"):
        load_model(path)


def test_layers_that_do_not_fit_together_are_refused(path: Path) -> None:
    with pytest.raises(InputError, match="damaged or not a model"):
        annotator("xx", (path,))
