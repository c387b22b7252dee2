"""fastText's model files (``.bin``, ``.ftz``), read without fastText: classifiers of language, quality, register, safety.

Files are untrusted: every size is checked against the rest of the file before anything is allocated.
Supervised models with softmax, hierarchical softmax or one-versus-all loss, plain or quantised. Scores agree with
fastText's own to the fifth digit or so.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.errors import ConfigError
from paberki.kernels import load
from paberki.kernels.preparation import prepared
from paberki.lexicon import buffers, texts_of

LABEL: Final = "__label__"
_MAGIC: Final = 793712314
_VERSIONS: Final = (11, 12)
_HIERARCHICAL, _NEGATIVE, _SOFTMAX, _ONE_VERSUS_ALL = 1, 2, 3, 4
_SUPERVISED: Final = 3
_END: Final = "</s>"
_MOST_WEIGHTS: Final = 1 << 30
"""Numbers in a matrix: four gigabytes."""
_MOST_LABELS: Final = 1 << 20
_CENTROIDS: Final = 256
_LARGEST: Final = 1e9
"""Weights up to this can be multiplied and added up."""
_UNMADE: Final = 10**15
"""Weight of a node of the Huffman tree that is not made yet, above all that labels can have together."""
_MOST_UNPACKED: Final = 256
"""So many bytes may come of one byte of a quantised matrix; fastText itself makes eight."""

Floats = npt.NDArray[np.float32]


class _FileReader:
    """Values one after the other, none beyond the end of the file."""

    def __init__(self, data: Any, name: str) -> None:
        self.data, self.name, self.at = data, name, 0

    def wrong(self, why: str) -> ConfigError:
        return ConfigError(f"{self.name}: not a fastText classifier that can be read ({why})")

    def take(self, form: str) -> tuple[Any, ...]:
        size = struct.calcsize("<" + form)
        if self.at + size > len(self.data):
            raise self.wrong("it ends too soon")
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += size
        return values

    def array(self, kind: Any, count: int) -> npt.NDArray[Any]:
        size = np.dtype(kind).itemsize
        if count < 0 or self.at + count * size > len(self.data):
            raise self.wrong("it ends too soon")
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += count * size
        return values

    def string(self) -> bytes:
        end = self.data.find(b"\0", self.at, self.at + (1 << 16))
        if end < 0:
            raise self.wrong("a word without an end")
        text = bytes(self.data[self.at : end])
        self.at = end + 1
        return text

    def size(self, rows: int, columns: int) -> None:
        if not (rows > 0 and columns > 0 and rows * columns <= _MOST_WEIGHTS):
            raise self.wrong(f"a matrix of {rows} × {columns}")


@dataclass(frozen=True, slots=True)
class _Arguments:
    dim: int
    ngrams: int
    loss: int
    buckets: int
    shortest: int
    longest: int


class FastTextFile:
    """A classifier. ``predict(texts)`` gives the probability of every label, in the order of ``labels``."""

    def __init__(self, data: Any, name: str = "model") -> None:
        reader = _FileReader(data, name)
        self._arguments = _arguments(reader)
        entries, pruned_pairs = _dictionary(reader)
        words = [word for word, _, label in entries if not label]
        self.labels = tuple(word.decode("utf-8", "replace").removeprefix(LABEL) for word, _, label in entries if label)
        """Labels without their prefix."""
        self._counts = [count for _, count, label in entries if label]
        self._words = len(words)
        self._keys, self._numbers = _table([word for word, _, _ in entries])
        self._end = next((number for number, word in enumerate(words) if word == _END.encode()), -1)
        self._prune_table = self._prune_map(reader, pruned_pairs)
        is_quantised = bool(reader.take("B")[0])
        self._matrix = _read_quantised(reader) if is_quantised else _matrix(reader)
        out_quantised = bool(reader.take("B")[0])
        self._out = _read_quantised(reader) if is_quantised and out_quantised else _matrix(reader)
        self._check(reader)
        self._tree = _tree(self._counts) if self._arguments.loss == _HIERARCHICAL else None

    def _prune_map(self, reader: _FileReader, pruned_pairs: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        if not len(pruned_pairs):
            return np.zeros(0, np.int32)
        if self._arguments.buckets > 1 << 28:
            raise reader.wrong("too many buckets")
        if (pruned_pairs[:, 1] < 0).any() or (pruned_pairs[:, 1] >= len(pruned_pairs)).any():
            raise reader.wrong("buckets that went nowhere")
        places = np.full(self._arguments.buckets, -1, np.int32)
        inside = (pruned_pairs[:, 0] >= 0) & (pruned_pairs[:, 0] < len(places))
        places[pruned_pairs[inside, 0]] = pruned_pairs[inside, 1]
        return places

    def _check(self, reader: _FileReader) -> None:
        dim = self._arguments.dim
        if self._matrix.shape[1] != dim or self._out.shape[1] != dim:
            raise reader.wrong("its matrices do not fit together")
        if self._arguments.loss not in (_HIERARCHICAL, _SOFTMAX, _ONE_VERSUS_ALL):
            raise reader.wrong("its loss is for word vectors")
        least = len(self.labels) - (1 if self._arguments.loss == _HIERARCHICAL else 0)
        if not self.labels or self._out.shape[0] < least or self._matrix.shape[0] < self._words:
            raise reader.wrong("it has fewer rows than labels or words")
        if not all((np.abs(weights) <= _LARGEST).all() for weights in (self._matrix, self._out)):
            raise reader.wrong("a weight that is no number, or beyond all measure")
        if min(self._counts) < 0 or sum(self._counts) >= _UNMADE:
            raise reader.wrong("labels that were seen less than never, or too often")

    def hidden_layer(self, texts: pa.StringArray) -> Floats:
        """The hidden layer for each text."""
        kernel = _kernel()
        data, offsets = buffers(texts)
        arguments = self._arguments
        out = np.zeros((len(texts), arguments.dim), np.float32)
        kernel.hidden_layer(
            data, offsets, self._keys, self._numbers, self._words, self._end, _end_hash(), arguments.ngrams, arguments.shortest,
            arguments.longest, arguments.buckets, self._prune_table, self._matrix, np.zeros(kernel.MOST_NGRAMS, np.int64), out,
        )  # fmt: skip
        return out

    def predict(self, texts: Sequence[str] | pa.StringArray) -> Floats:
        """Probabilities, a row for each text; texts are read as one line each."""
        array = texts if isinstance(texts, pa.StringArray) else texts_of(texts)
        scores = self.hidden_layer(array) @ self._out.T
        if self._tree is not None:
            return _leaves(scores, *self._tree)
        scores = scores[:, : len(self.labels)]
        if self._arguments.loss == _ONE_VERSUS_ALL:
            return _sigmoid(scores)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Floats = powers / powers.sum(axis=1, keepdims=True)
        return shares


@lru_cache(maxsize=8)
@prepared
def fasttext_file(path: Path) -> FastTextFile:
    """A model from its file."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            # Copied out: arrays that pointed into the map would keep the file open for ever.
            return FastTextFile(data[:], str(path))
    except (OSError, ValueError, MemoryError) as error:
        raise ConfigError(f"{path}: cannot be read ({error}); give a classifier that fastText made") from error


def _arguments(reader: _FileReader) -> _Arguments:
    magic, version = reader.take("ii")
    if magic != _MAGIC or version not in _VERSIONS:
        raise reader.wrong("another kind of file")
    dim, _, _, _, _, ngrams, loss, model, buckets, shortest, longest, _, _ = reader.take("12id")
    if model != _SUPERVISED:
        raise reader.wrong("it holds word vectors, no classifier")
    if version == 11:
        longest = 0  # as fastText does: that version had no pieces of words in classifiers
    if not (0 < dim <= 1 << 14 and buckets >= 0 and 1 <= ngrams <= 16 and 0 <= longest <= 64 and 0 <= shortest <= 64):
        raise reader.wrong("its settings make no sense")
    return _Arguments(dim, ngrams, loss, buckets, shortest, longest if buckets else 0)


def _dictionary(reader: _FileReader) -> tuple[list[tuple[bytes, int, bool]], npt.NDArray[np.int32]]:
    """Words and labels with their counts, and which buckets are left where."""
    size, words, labels, _, pruned_count = reader.take("iiiqq")
    if size != words + labels or size < 0 or labels > _MOST_LABELS or size > len(reader.data):
        raise reader.wrong("its dictionary does not add up")
    entries = []
    for _ in range(size):
        word = reader.string()
        count, kind = reader.take("qb")
        entries.append((word, count, kind == 1))
    if [label for _, _, label in entries] != [False] * words + [True] * labels:
        raise reader.wrong("labels and words are mixed up")
    kept_pairs = reader.array(np.int32, 2 * pruned_count) if pruned_count > 0 else np.zeros(0, np.int32)
    return entries, kept_pairs.reshape(-1, 2)


def _matrix(reader: _FileReader) -> Floats:
    rows, columns = reader.take("qq")
    reader.size(rows, columns)
    return np.ascontiguousarray(reader.array(np.float32, rows * columns)).reshape(rows, columns)


def _read_quantised(reader: _FileReader) -> Floats:
    """A product-quantised matrix, taken apart again."""
    with_norms, rows, columns, size = reader.take("Bqqi")
    reader.size(rows, columns)
    codes = reader.array(np.uint8, size)
    matrix = _decode_codes(reader, codes, rows, columns)
    if with_norms:
        norms = reader.array(np.uint8, rows)
        matrix *= _decode_codes(reader, norms, rows, 1)
    return matrix


def _decode_codes(reader: _FileReader, codes: npt.NDArray[np.uint8], rows: int, columns: int) -> Floats:
    dim, parts, width, last = reader.take("iiii")
    if dim != columns or parts < 1 or width < 1 or last < 1 or (parts - 1) * width + last != dim:
        raise reader.wrong("its codes do not fit its matrix")
    if len(codes) != rows * parts:
        raise reader.wrong("it has too few codes")
    if rows * columns * 4 > _MOST_UNPACKED * len(reader.data):
        raise reader.wrong("it unpacks to more than any model does")
    centroids = reader.array(np.float32, dim * _CENTROIDS)
    codes = codes.reshape(rows, parts)
    matrix = np.empty((rows, columns), np.float32)
    for part in range(parts):
        size = last if part == parts - 1 else width
        first = part * _CENTROIDS * width
        matrix[:, part * width : part * width + size] = centroids[first : first + _CENTROIDS * size].reshape(-1, size)[
            codes[:, part]
        ]
    return matrix


def _table(words: Sequence[bytes]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Open addressing by a wide hash of the word."""
    size = 1 << max(3, (3 * len(words)).bit_length())
    keys, numbers = np.zeros(size, np.uint64), np.full(size, -1, np.int32)
    word_array = pa.array(words, pa.binary()).cast(pa.large_binary()) if words else None
    if word_array is not None:
        _, edges, data = word_array.buffers()
        _kernel().fill(np.frombuffer(data, np.uint8), np.frombuffer(edges, np.int64, len(words) + 1), keys, numbers)
    return keys, numbers


def _tree(counts: Sequence[int]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
    """Paths of labels in the Huffman tree: inner nodes and turns, padded with −1; as fastText builds it."""
    size = len(counts)
    parents, right = [-1] * (2 * size - 1), [False] * (2 * size - 1)
    weights = [*counts, *([_UNMADE] * (size - 1))]
    leaf, node = size - 1, size
    for parent in range(size, 2 * size - 1):
        pair = []
        for _ in range(2):
            if leaf >= 0 and weights[leaf] < weights[node]:
                pair.append(leaf)
                leaf -= 1
            else:
                pair.append(node)
                node += 1
        weights[parent] = weights[pair[0]] + weights[pair[1]]
        parents[pair[0]] = parents[pair[1]] = parent
        right[pair[1]] = True
    paths = []
    for label in range(size):
        steps, at = [], label
        while parents[at] != -1:
            steps.append((parents[at] - size, right[at]))
            at = parents[at]
        paths.append(steps)
    depth = max(1, *map(len, paths))
    nodes, turns = np.full((size, depth), -1, np.int32), np.zeros((size, depth), np.int8)
    for label, steps in enumerate(paths):
        for place, (inner, turn) in enumerate(steps):
            nodes[label, place], turns[label, place] = inner, turn
    return nodes, turns


def _leaves(scores: Floats, nodes: npt.NDArray[np.int32], turns: npt.NDArray[np.int8]) -> Floats:
    """Probability of every leaf: the product of the turns on its path."""
    chances = _sigmoid(scores)
    products = np.ones((len(scores), len(nodes)), np.float32)
    for place in range(nodes.shape[1]):
        inside = nodes[:, place] >= 0
        turn = chances[:, nodes[inside, place]]
        products[:, inside] *= np.where(turns[inside, place] == 1, turn, 1.0 - turn)
    return products


def _sigmoid(scores: Floats) -> Floats:
    values: Floats = (1.0 / (1.0 + np.exp(-np.clip(scores, -30.0, 30.0)))).astype(np.float32)
    return values


@lru_cache(maxsize=1)
def _end_hash() -> int:
    """fastText's hash of the line end, as a signed number."""
    hash_ = 2166136261
    for byte in _END.encode():
        hash_ = ((hash_ ^ byte) * 16777619) & 0xFFFFFFFF
    return hash_ - (1 << 32) if hash_ >> 31 else hash_


@lru_cache(maxsize=1)
def _kernel() -> Any:
    return load("paberki.model_files.fasttext_kernel")
