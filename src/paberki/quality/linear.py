"""Any classifier that a user brings as a score: fastText files, word weights as JSON, hashed n-grams as NPZ, KenLM.

JSON: ``{"labels": ["other", "wanted"], "bias": [0, -1.5], "words": {"word": [0, 0.7], …}}`` — a logistic model over words
per word of text, in small letters; one number instead of a list stands for the last label. NPZ: ``weights`` (2ᵏ × labels), ``bias``,
``labels`` and ``ngrams`` (shortest, longest) over UTF-8 bytes of the lower-cased text, hashed with CRC-32.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.corpus_file import NO_FILE, CorpusFile, path_of, place_of
from paberki.errors import ConfigError
from paberki.kernels.preparation import prepared
from paberki.lexicon import Lexicon
from paberki.model_files.fasttext_file import fasttext_file
from paberki.model_files.npz import read_npz
from paberki.nearest import nearest
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

NEEDS: Final = ("extract.blocks.text", "extract.blocks.kept")
_SCALE: Final = 10_000
"""Weights of words are summed as whole numbers."""
_MOST_BYTES: Final = 1 << 29
_MOST_CHARS: Final = 20_000
"""Characters of a text that hashed n-grams are taken from."""

Floats = npt.NDArray[np.float32]


class Classifier(Protocol):
    """A model that gives each text a probability for each label."""

    labels: tuple[str, ...]

    def predict(self, texts: pa.StringArray) -> Floats:
        """Probabilities, a row for each text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearConfig:
    """Which model scores pages."""

    file: CorpusFile = NO_FILE
    """fastText classifier (.bin, .ftz), word weights (.json) or hashed n-grams (.npz)."""
    label: str = ""
    """Label whose probability is the score; that of the most probable label without one."""
    max_chars: int = 50_000
    """Characters of a page that are looked at."""
    kenlm: CorpusFile = NO_FILE
    """KenLM model (.arpa, .bin) whose perplexity is a column; needs the package kenlm."""


class _WordWeights:
    def __init__(self, content: Any, path: Path) -> None:
        try:
            self.labels = tuple(str(label) for label in content["labels"])
            self._bias = np.array(content.get("bias", [0.0] * len(self.labels)), np.float64).reshape(len(self.labels))
            words = {str(word).lower(): self._row(weights) for word, weights in content["words"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ConfigError(f"{path}: should have labels, bias and words; {error}") from error
        self._lexicon = Lexicon(words, len(self.labels))

    def _row(self, weights: Any) -> list[tuple[int, int]]:
        row = weights if isinstance(weights, list) else [0.0] * (len(self.labels) - 1) + [weights]
        if len(row) != len(self.labels):
            raise ValueError("a word has as many weights as there are labels")
        return [(label, round(float(weight) * _SCALE)) for label, weight in enumerate(row)]

    def predict(self, texts: pa.StringArray) -> Floats:
        matches = self._lexicon.look_up(texts)
        return _softmax(matches.scores / _SCALE / np.maximum(matches.words, 1)[:, None] + self._bias)


class _HashedNgrams:
    def __init__(self, arrays: Any, path: Path) -> None:
        try:
            self.labels = tuple(str(label) for label in arrays["labels"].tolist())
            self._weights = np.asarray(arrays["weights"], np.float32)
            self._bias = np.asarray(arrays["bias"], np.float64).reshape(len(self.labels))
            self._shortest, self._longest = (int(size) for size in arrays["ngrams"].tolist())
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ConfigError(f"{path}: should have weights, bias, labels and ngrams; {error}") from error
        if not self.labels or not np.isfinite(self._weights).all() or not np.isfinite(self._bias).all():
            raise ConfigError(f"{path}: no labels, or a weight that is no number")
        rows = self._weights.shape[0] if self._weights.ndim else 0
        if (
            not rows
            or self._weights.shape != (rows, len(self.labels))
            or rows & (rows - 1)
            or not 1 <= self._shortest <= self._longest <= 10
        ):
            raise ConfigError(f"{path}: weights should be 2^k × labels, ngrams between 1 and 10")

    def predict(self, texts: pa.StringArray) -> Floats:
        return _softmax(
            np.array([self._scores(text or "") for text in texts.to_pylist()]).reshape(-1, len(self.labels))
        )

    def _scores(self, text: str) -> npt.NDArray[np.float64]:
        data = text[:_MOST_CHARS].lower().encode("utf-8", "replace")
        sizes = range(self._shortest, self._longest + 1)
        grams = Counter(data[at : at + size] for size in sizes for at in range(len(data) - size + 1))
        if not grams:
            return self._bias
        places = np.array([zlib.crc32(gram) for gram in grams]) & (self._weights.shape[0] - 1)
        counts = np.array(list(grams.values()), np.float64)
        scores: npt.NDArray[np.float64] = (self._weights[places] * counts[:, None]).sum(
            axis=0
        ) / counts.sum() + self._bias
        return scores


def _softmax(scores: npt.NDArray[np.float64]) -> Floats:
    if not len(scores):
        return np.zeros(scores.shape, np.float32)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances: Floats = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    return chances


def classifier(path: Path) -> Classifier:
    """The classifier of a file; the ending of its name says which kind it is."""
    try:
        about = path.stat()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from error
    return _classifier(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=8)
@prepared
def _classifier(path: Path, mtime_ns: int, size: int) -> Classifier:
    try:
        if size > _MOST_BYTES and path.suffix in (".json", ".npz"):
            raise ConfigError(f"{path}: larger than {_MOST_BYTES >> 20} MB")
        if path.suffix == ".json":
            return _WordWeights(json.loads(path.read_bytes()), path)
        if path.suffix == ".npz":
            return _HashedNgrams(read_npz(path, _MOST_BYTES), path)
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from error
    return fasttext_file(path)


@lru_cache(maxsize=2)
@prepared
def _kenlm(path: str) -> Any:
    try:
        import kenlm
    except ImportError as error:
        raise ConfigError(
            "perplexity by KenLM needs the package kenlm; type: pip install kenlm (it is compiled: cmake is needed)"
        ) from error
    try:
        return kenlm.Model(path)
    except (OSError, RuntimeError) as error:
        raise ConfigError(f"{path}: not a model that KenLM reads ({error})") from error


@map_stage("quality.linear.v1", layer="linear", needs=NEEDS, adds=builtin("linear"), config=LinearConfig)
def linear(batch: Batch, config: LinearConfig) -> Columns:
    """Label and score of the kept text by a model file that the user brings (no paper; fastText: Joulin et al. 2017).

    Null for pages without text, and everywhere when no file is given. For several files put the stage into the recipe
    under several aliases: ``quality.linear.register.v1`` (:mod:`paberki.stage.alias`).
    """
    texts = kept_texts(*(batch.arrow(name) for name in NEEDS)).joined()
    present = np.array(pc.greater(pc.binary_length(texts), 0).fill_null(False))
    nothing = pa.nulls(len(batch), pa.float32())
    columns: dict[str, Any] = {
        "linear_label": pa.nulls(len(batch), pa.string()),
        "linear_score": nothing,
        "kenlm_perplexity": nothing,
    }
    if config.file:
        columns |= _score(pc.utf8_slice_codeunits(texts, 0, config.max_chars), present, config)
    if config.kenlm:
        columns["kenlm_perplexity"] = _perplexities(texts.to_pylist(), present, config)
    columns["linear_label"] = columns["linear_label"].dictionary_encode()
    return columns


def _score(texts: pa.StringArray, present: Any, config: LinearConfig) -> dict[str, pa.Array]:
    model = classifier(path_of(config.file))
    if config.label and config.label not in model.labels:
        raise ConfigError(f"{config.file} has no label {config.label!r}{nearest(config.label, model.labels)}")
    chances = model.predict(texts)
    best = chances.argmax(axis=1) if len(chances) else np.zeros(0, int)
    scores = chances[:, model.labels.index(config.label)] if config.label else chances.max(axis=1, initial=0.0)
    return {
        "linear_label": pa.array([model.labels[at] for at in best.tolist()], pa.string(), mask=~present),
        "linear_score": pa.array(scores, pa.float32(), mask=~present),
    }


def _perplexities(texts: Sequence[str], present: Any, config: LinearConfig) -> pa.Array:
    """Perplexity per word, over lines, as in CCNet."""
    model, perplexities = _kenlm(place_of(config.kenlm)), []
    for text, is_there in zip(texts, present, strict=True):
        lines = [line for line in (text or "")[: config.max_chars].split("\n") if line.strip()] if is_there else []
        words = sum(len(line.split()) + 1 for line in lines)
        perplexities.append(10.0 ** (-sum(model.score(line) for line in lines) / words) if words else None)
    return pa.array(perplexities, pa.float32())
