"""Every model file is checked before its first use: a damaged or hostile one is refused in one line, or works.

``NUMBA_BOUNDSCHECK=1 PABERKI_FUZZ=2000 python -m pytest tests/unit/test_model_files.py`` looks longer and closer.
"""

from __future__ import annotations

import json
import lzma
import os
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpora import article
from paberki.annotation.files import model_catalogue, model_layers
from paberki.annotation.files.annotation_model_file import AnnotationModelFile, load_model
from paberki.corpus_file import CorpusFile, shipped
from paberki.decoding import decode
from paberki.decoding.byte_tables import load_tables
from paberki.decoding.letter_counts import MODEL as CHARSET
from paberki.decoding.letter_counts import read_counts
from paberki.errors import PaberkiError
from paberki.extraction import extract
from paberki.extraction.html.segmenter import segment
from paberki.extraction.learned.block_classifier import MODEL as LEARNED
from paberki.extraction.learned.block_classifier import model as learned_model
from paberki.extraction.methods.perceptron import PerceptronConfig, perceptron
from paberki.extraction.methods.perceptron import load as perceptron_model
from paberki.extraction.methods.victor import MODEL as CRF
from paberki.extraction.methods.victor import VictorConfig, victor
from paberki.extraction.methods.victor import load as victor_model
from paberki.identification.language_model_file import MAGIC
from paberki.identification.methods import classic, general
from paberki.model_files.npz import read_npz

ROUNDS = int(os.environ.get("PABERKI_FUZZ", "40"))
PAGE = article(1)
TEXTS = ["Danas je u gradu bilo lijepo vrijeme.", "Данас је лепо време у граду.", "The weather is fine.", "x"]
ODD_NUMBERS = (-1, 0, 1, 255, -(1 << 15), (1 << 15) - 1, -(1 << 31), (1 << 31) - 1, 1 << 40, float("nan"), float("inf"))


def broken_bytes(data: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, or the end cut off, or bytes taken out."""
    made = bytearray(data)
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(made[: chance.randrange(len(made))])
    if kind == 1:
        at = chance.randrange(len(made))
        del made[at : at + chance.randrange(1, 64)]
        return bytes(made)
    for _ in range(chance.randrange(1, 20)):
        at = chance.randrange(min(len(made), 4096) if kind == 2 else len(made))
        made[at] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
    return bytes(made)


def broken_array(array: np.ndarray[Any, Any], chance: random.Random) -> np.ndarray[Any, Any]:
    """An array with odd numbers, of another length, shape or type."""
    made = array.copy()
    kind = chance.randrange(5)
    if kind == 0 and made.size:
        return made.reshape(-1)[: chance.randrange(made.size)]
    if kind == 1:
        return np.concatenate([made.reshape(-1), made.reshape(-1)[:7]])
    if kind == 2:
        return made.astype(chance.choice(("int8", "int64", "uint8", "float64", "float32")))
    flat = made.reshape(-1)
    for _ in range(chance.randrange(1, 8)):
        if flat.size:
            flat[chance.randrange(flat.size)] = _odd(made.dtype, chance)
    return made


def _odd(kind: np.dtype[Any], chance: random.Random) -> Any:
    number = chance.choice(ODD_NUMBERS)
    if kind.kind == "f":
        return number
    limits = np.iinfo(kind)
    whole = int(number) if np.isfinite(number) else limits.max
    return min(max(whole, limits.min), limits.max)


def broken_json(value: Any, chance: random.Random) -> Any:
    """A value with a few of its parts replaced, taken out or repeated."""
    made = json.loads(json.dumps(value))
    for _ in range(chance.randrange(1, 4)):
        at = made
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at))) if isinstance(at, list) else []
            if not keys:
                break
            key = chance.choice(keys)
            if not isinstance(at[key], (dict, list)) or not at[key] or chance.random() < 0.3:
                kind = chance.randrange(4)
                if kind == 0:
                    del at[key]
                else:
                    at[key] = chance.choice(
                        (None, -1, 0, 3, 10**6, 1 << 70, "x", [], {}, [[]], 1e308, float("nan"), True)
                    )
                break
            at = at[key]
    return made


def survives(work: Callable[[], Any], path: Path) -> None:
    """It works, or is refused in one line that names the file."""
    try:
        with np.errstate(all="ignore"):
            work()
    except PaberkiError as error:
        said = str(error)
    else:
        return
    assert path.name in said
    assert "\n" not in said


def chances(name: str) -> list[random.Random]:
    return [random.Random(f"{name} {number}") for number in range(ROUNDS)]


def test_the_learned_extractor(tmp_path: Path) -> None:
    file = shipped(LEARNED)
    data, arrays = file.read_bytes(), read_npz(file)
    path = tmp_path / "mine.npz"
    for chance in chances("learned"):
        if chance.random() < 0.2:
            path.write_bytes(broken_bytes(data, chance))
        else:
            made, name = dict(arrays), chance.choice([name for name in arrays if name != "about"])
            made[name] = broken_array(arrays[name], chance)
            np.savez(path, **made)
        learned_model.cache_clear()
        survives(lambda: extract(PAGE, model=str(path)), path)


def test_heads_of_arrays_are_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    head = b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("about.npy", head.ljust(127) + b"\n" + b"0" * 64)
    with pytest.raises(PaberkiError, match=r"mine\.npz is not an extraction model: about\.npy"):
        extract(PAGE, model=str(path))


def test_a_tree_in_circles_is_refused(tmp_path: Path) -> None:
    arrays = read_npz(shipped(LEARNED))
    nodes = arrays["first_nodes"].copy()
    nodes[1, 1] = 1
    np.savez(tmp_path / "mine.npz", **{**arrays, "first_nodes": nodes})
    with pytest.raises(PaberkiError, match="a tree whose nodes are not in it"):
        extract(PAGE, model=str(tmp_path / "mine.npz"))


def test_the_perceptron(tmp_path: Path) -> None:
    said = json.loads(shipped("extraction/perceptron.json").read_text("utf-8"))
    path = tmp_path / "mine.json"
    for chance in chances("perceptron"):
        text = json.dumps(broken_json(said, chance))
        path.write_bytes(broken_bytes(text.encode(), chance) if chance.random() < 0.3 else text.encode())
        perceptron_model.cache_clear()
        for variant in ("2012", "2015"):
            config = PerceptronConfig(variant=variant, weights=CorpusFile(str(path)))
            survives(lambda config=config: perceptron(segment(PAGE).blocks, config), path)


def test_victor(tmp_path: Path) -> None:
    pytest.importorskip("pycrfsuite")
    data = shipped(CRF).read_bytes()
    path = tmp_path / "mine.crf"
    for chance in chances("victor"):
        path.write_bytes(broken_bytes(data, chance))
        victor_model.cache_clear()
        survives(lambda: victor(segment(PAGE).blocks, VictorConfig(model=CorpusFile(str(path)))), path)


def test_the_model_of_encodings(tmp_path: Path) -> None:
    content = lzma.decompress(shipped(CHARSET).read_bytes())
    size = int.from_bytes(content[:4], "little")
    listing = json.loads(content[4 : 4 + size])
    path = tmp_path / "mine.model"
    for chance in chances("charset")[: max(6, ROUNDS // 5)]:
        if chance.random() < 0.5:
            head = json.dumps(broken_json(listing, chance)).encode()
            made = len(head).to_bytes(4, "little") + head + content[4 + size :]
        else:
            made = broken_bytes(content, chance)
        path.write_bytes(lzma.compress(made, preset=0))
        read_counts.cache_clear()
        load_tables.cache_clear()
        survives(lambda: decode("Šuma, žito i čaša".encode("cp1250"), model=path), path)


@pytest.mark.parametrize("name", ["general", "classic"])
def test_models_of_languages(tmp_path: Path, name: str) -> None:
    data = shipped(f"identification/{name}.model").read_bytes()
    start = len(MAGIC) + 8
    size = int.from_bytes(data[len(MAGIC) : start], "little")
    about = json.loads(data[start : start + size])
    first = -(-(start + size) // 64) * 64
    loaders = [general.load_general] if name == "general" else [classic.load_markov, classic.load_ngram]
    path = tmp_path / "mine.model"
    for chance in chances(name):
        if chance.random() < 0.7:
            head = json.dumps(broken_json(about, chance)).encode()
            room = -(-(start + len(head)) // 64) * 64
            made = (MAGIC + len(head).to_bytes(8, "little") + head).ljust(room, b"\0") + data[first:]
        else:
            made = broken_bytes(data, chance)
        path.write_bytes(made)
        for loader in (general._load, classic._open, classic.load_markov, classic.load_ngram):
            loader.cache_clear()
        for loader in loaders:
            survives(lambda loader=loader: loader(path).identify(TEXTS), path)


def test_models_of_annotation() -> None:
    path = model_catalogue.shipped("sv")
    assert path is not None
    whole = load_model(path)
    for chance in chances("annotation"):
        name = chance.choice(sorted(whole.parts))
        part = whole.parts[name]
        broken = broken_array(part, chance) if isinstance(part, np.ndarray) else broken_json(part, chance)
        made = AnnotationModelFile(whole.about, {**whole.parts, name: broken})
        try:
            model_catalogue.annotator_of("sv", model_layers.ready(made, "sv")).annotate(
                "Hunden skäller, och katten sover i huset."
            )
        except model_catalogue.BROKEN:
            pass  # what is said in one line when it comes from a file
