"""fastText files made by hand: what is read, and what is refused."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest

from paberki.errors import ConfigError
from paberki.model_files.fasttext_file import FastTextFile, _tree, fasttext_file

DIM = 2


def model(loss: int = 3, *, buckets: int = 0, ngrams: int = 1, matrix: np.ndarray | None = None) -> bytes:
    """A classifier with the words dobro, loše and labels a, b."""
    words = [b"</s>", b"dobro", "loše".encode()]
    labels = [b"__label__a", b"__label__b"]
    data = struct.pack("<ii", 793712314, 12)
    data += struct.pack("<12id", DIM, 5, 5, 1, 5, ngrams, loss, 3, buckets, 0, 0, 100, 1e-4)
    data += struct.pack("<iiiqq", 5, 3, 2, 100, -1)
    for number, word in enumerate((*words, *labels)):
        data += word + b"\0" + struct.pack("<qb", 10 - number, number >= 3)
    rows = np.array([[0, 0], [3, 0], [0, 3]], np.float32) if matrix is None else matrix
    rows = np.vstack([rows, np.zeros((buckets, DIM), np.float32)]).astype(np.float32)
    out = np.eye(2, dtype=np.float32)
    data += b"\0" + struct.pack("<qq", *rows.shape) + rows.tobytes()
    return data + b"\0" + struct.pack("<qq", *out.shape) + out.tobytes()


def test_words_decide() -> None:
    found = FastTextFile(model())
    assert found.labels == ("a", "b")
    chances = found.predict(["dobro", "loše loše", "nepoznato", ""])
    assert chances.argmax(axis=1)[:2].tolist() == [0, 1]
    assert chances[2].tolist() == [0.5, 0.5]
    # the mean of the word and the line end: 1.5 against 0
    assert chances[0, 0] == pytest.approx(1 / (1 + np.exp(-1.5)), abs=1e-6)


def test_one_versus_all_and_hierarchical() -> None:
    assert FastTextFile(model(4)).predict(["dobro"])[0, 0] == pytest.approx(1 / (1 + np.exp(-1.5)), abs=1e-6)
    chances = FastTextFile(model(1)).predict(["dobro", "loše"])
    assert chances.sum(axis=1) == pytest.approx([1, 1], abs=1e-5)
    nodes, turns = _tree([50, 30, 20, 10])
    assert nodes.shape[0] == 4
    assert (nodes[0] >= 0).sum() == 1  # the most frequent label is one turn away
    assert turns.max() == 1


def test_what_is_broken_is_refused(tmp_path: Path) -> None:
    whole = model()
    for length in (0, 7, 60, 100, 150, len(whole) - 1):
        with pytest.raises(ConfigError, match="fastText"):
            FastTextFile(whole[:length])
    huge = whole.replace(struct.pack("<qq", 3, DIM), struct.pack("<qq", 1 << 40, DIM))
    with pytest.raises(ConfigError, match="matrix"):
        FastTextFile(huge)
    with pytest.raises(ConfigError, match="another kind"):
        FastTextFile(b"x" * 1000)
    file = tmp_path / "empty.bin"
    file.write_bytes(b"")
    with pytest.raises(ConfigError, match=r"empty\.bin"):
        fasttext_file(file)


def test_word_vectors_are_no_classifier() -> None:
    data = bytearray(model())
    data[8 + 4 * 7 : 8 + 4 * 8] = struct.pack("<i", 1)
    with pytest.raises(ConfigError, match="word vectors"):
        FastTextFile(bytes(data))


@pytest.mark.parametrize("loss", [1, 3, 4])
def test_any_damage_is_refused_or_harmless(loss: int) -> None:
    chance = random.Random(loss)
    for _ in range(300):
        data = bytearray(model(loss, buckets=4, ngrams=2))
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 127, 128, 255))
        try:
            found = FastTextFile(bytes(data), "mine.bin")
        except ConfigError as error:
            said = str(error)
            assert said.startswith("mine.bin")
        else:
            assert np.isfinite(found.predict(["dobro loše", "nepoznato", ""])).all()
