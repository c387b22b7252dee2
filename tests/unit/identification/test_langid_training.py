"""Learning models: the same bytes for one seed, other languages than the package has, damaged files."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from paberki.errors import ConfigError
from paberki.identification import identify
from paberki.identification.language_model_file import read_model, write_model
from paberki.identification.methods.general import SHIPPED, load_general
from paberki.identification.training.calibration import calibrated, calibration_error
from paberki.identification.training.classic_training import train_classic
from paberki.identification.training.general_training import TrainingSettings, train, without_marks

SYLLABLES = {
    "xa": "ka ri mo tu lep sor na vil",
    "xb": "gwe ftu zno qir bla dje hmu pse",
    "xc": "йор ква зме лу",
    "xd": "щи дха нё",
}
SETTINGS = TrainingSettings(bits=12, rounds=2, examples=200)


def sentences(language: str, count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Sentences in a language made of its own syllables."""
    rng = random.Random(f"{language}{seed}")
    parts = SYLLABLES[language].split()
    return [
        (language, " ".join("".join(rng.choices(parts, k=rng.randrange(1, 4))) for _ in range(rng.randrange(3, 12))))
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "own.model"
    write_model(path, *train([[*sentences(name, 80)] for name in SYLLABLES], ["made up"], SETTINGS, lambda _: None))
    return path


def test_other_languages_can_be_learnt(learnt: Path) -> None:
    for name in SYLLABLES:
        for _, text in sentences(name, 5, seed=1):
            assert identify(text, model=learnt).lang == name
    assert load_general(learnt).about["sources"] == ["made up"]
    assert identify("Dobar dan svima u gradu", languages=("xb",), model=learnt).lang == "xb"


def test_same_seed_same_bytes(learnt: Path, tmp_path: Path) -> None:
    for seed, same in ((0, True), (1, False)):
        settings = TrainingSettings(bits=12, rounds=2, examples=200, seed=seed)
        files = [[*sentences(name, 80)] for name in SYLLABLES]
        write_model(tmp_path / "again.model", *train(files, ["made up"], settings, lambda _: None))
        assert ((tmp_path / "again.model").read_bytes() == learnt.read_bytes()) == same


def test_too_little_to_learn_from() -> None:
    with pytest.raises(ConfigError, match="two languages of one script"):
        train([sentences("xa", 80)], [], SETTINGS, lambda _: None)


def test_the_model_in_the_package_names_its_sources() -> None:
    file = read_model(SHIPPED)
    assert any("Universal Dependencies" in source for source in file.about["sources"])
    assert len(load_general().languages) >= 40
    assert SHIPPED.stat().st_size < 6_000_000
    assert {array.dtype.name for array in file.arrays.values()} == {"int8"}


def test_classic_methods_can_be_learnt(tmp_path: Path) -> None:
    path = tmp_path / "classic.model"
    write_model(path, *train_classic([[*sentences(name, 80)] for name in SYLLABLES], ["made up"]))
    for method in ("markov", "ngram"):
        for name in SYLLABLES:
            (_, text), *_ = sentences(name, 1, seed=2)
            assert identify(text, method=method, model=path).lang == name


@pytest.mark.parametrize("damage", [b"", b"nothing", b"paberki langid 1\n" + b"\xff" * 40])
def test_what_is_no_model_is_refused(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "bad.model").write_bytes(damage)
    with pytest.raises(ConfigError, match=r"bad\.model"):
        identify("text", model=tmp_path / "bad.model")


def test_cut_models_are_refused(learnt: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.model").write_bytes(learnt.read_bytes()[:5000])
    with pytest.raises(ConfigError, match="too short"):
        identify("text", model=tmp_path / "cut.model")


def test_without_marks() -> None:
    assert without_marks("Žuta čaša, đak, Łódź, řeka") == "Zuta casa, dak, Lodz, reka"


def test_calibration() -> None:
    rng = np.random.default_rng(0)
    answers = rng.integers(0, 2, 4000)
    scores = np.zeros((4000, 2))
    right = rng.random(4000) < 0.8
    scores[np.arange(4000), np.where(right, answers, 1 - answers)] = 10.0
    values = calibrated(scores, np.full(4000, 90), answers)
    sure = 1.0 / (1.0 + np.exp(-10.0 * values[2]))
    assert sure == pytest.approx(0.8, abs=0.02)
    assert calibration_error([0.8] * 4000, right.tolist()) == pytest.approx(abs(0.8 - right.mean()), abs=1e-9)
    assert calibration_error([1.0, 1.0], [True, False]) == pytest.approx(0.5)
