"""What the model is made of: how often letters follow each other in a language, whatever the encoding.

One file holds the counts of all languages together with the sources they were taken from. Tables over bytes are
derived from it when the first page asks for them (:mod:`paberki.decoding.byte_tables`).

A text is a row of symbols. ASCII is folded to 29 of them: a gap (space, brackets, quotes: what stands between words),
26 letters, a digit, a punctuation mark. Every other character is a symbol of its own.
"""

from __future__ import annotations

import io
import json
import lzma
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.corpus_file import shipped
from paberki.errors import ConfigError
from paberki.kernels.preparation import prepared

GAP, DIGIT, PUNCTUATION, ASCII_SYMBOLS = 0, 27, 28, 29
ALPHABET_LIMIT: Final = 256 - ASCII_SYMBOLS
MODEL: Final = "decoding/charset.model"
SHIPPED: Final = shipped(MODEL)
FORMAT: Final = 1
_MOST_BYTES: Final = 256 << 20

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Alphabetic:
    """Counts of a language with an alphabet; symbols beyond ASCII are numbered as in ``letters``."""

    letters: str
    singles: Array  # uint32 per symbol
    pair_keys: Array  # first << 8 | second
    pair_counts: Array
    triple_keys: Array  # first << 16 | second << 8 | third
    triple_counts: Array


@dataclass(frozen=True, slots=True)
class Ideographic:
    """Counts of characters of a language with thousands of them, the most frequent first."""

    letters: str
    singles: Array


@dataclass(frozen=True, slots=True)
class Counts:
    """All languages, and where the counts come from."""

    alphabetic: dict[str, Alphabetic]
    ideographic: dict[str, Ideographic]
    sources: tuple[str, ...]


def ascii_symbols() -> Array:
    """Symbol of each of the 128 ASCII characters."""
    table = np.full(128, PUNCTUATION, np.uint8)
    for value in range(26):
        table[ord("a") + value] = table[ord("A") + value] = 1 + value
    table[ord("0") : ord("9") + 1] = DIGIT
    table[: ord(" ") + 1] = GAP
    for char in '<>"=/()[]{}|_\x7f':
        table[ord(char)] = GAP
    return table


def write_counts(path: Path, counts: Counts) -> None:
    """Put a model into one file."""
    listing: dict[str, Any] = {"format": FORMAT, "sources": list(counts.sources), "languages": []}
    body = io.BytesIO()
    for language, one in counts.alphabetic.items():
        arrays = (one.singles, one.pair_keys, one.pair_counts, one.triple_keys, one.triple_counts)
        listing["languages"].append({"lang": language, "letters": one.letters, "sizes": [len(a) for a in arrays]})
        for array in (arrays[0], _steps(arrays[1]), arrays[2], _steps(arrays[3]), arrays[4]):
            body.write(array.astype("<u4").reshape(-1, 1).view(np.uint8).T.tobytes())
    for language, other in counts.ideographic.items():
        listing["languages"].append({"lang": language, "letters": other.letters, "sizes": [len(other.singles)]})
        body.write(other.singles.astype("<u4").reshape(-1, 1).view(np.uint8).T.tobytes())
    head = json.dumps(listing, ensure_ascii=False).encode()
    path.write_bytes(lzma.compress(len(head).to_bytes(4, "little") + head + body.getvalue(), preset=9))


def _steps(keys: Array) -> Array:
    return np.diff(keys, prepend=0)


@lru_cache(maxsize=2)
@prepared
def read_counts(path: Path = SHIPPED) -> Counts:
    """Open a file that :func:`write_counts` made."""
    try:
        with lzma.open(path) as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise ValueError(f"it unpacks to more than {_MOST_BYTES >> 20} MB")
        return _parse(content)
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except (
        lzma.LZMAError, OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError,
    ) as error:  # fmt: skip
        raise ConfigError(f"{path} is no model of encodings ({error}); make one with: paberki train charset") from error


def _parse(content: bytes) -> Counts:
    size = int.from_bytes(content[:4], "little")
    listing = json.loads(content[4 : 4 + size])
    if listing["format"] != FORMAT:
        raise ValueError("unknown format")
    place = 4 + size
    alphabetic, ideographic = {}, {}
    for row in listing["languages"]:
        arrays = []
        for length in row["sizes"]:
            if not isinstance(length, int) or not 0 <= length <= len(content):
                raise ValueError("an array of no size")
            planes = np.frombuffer(content, np.uint8, 4 * length, place).reshape(4, length)
            arrays.append(np.ascontiguousarray(planes.T).view("<u4").reshape(-1).astype(np.int64))
            place += 4 * length
        if len(arrays) not in (1, 5):
            raise ValueError("too few or too many arrays")
        if len(arrays) == 1:
            ideographic[row["lang"]] = Ideographic(row["letters"], arrays[0])
        else:
            arrays[1], arrays[3] = np.cumsum(arrays[1]), np.cumsum(arrays[3])
            alphabetic[row["lang"]] = Alphabetic(row["letters"], *arrays)
    for other in ideographic.values():
        if not isinstance(other.letters, str) or len(other.letters) != len(other.singles):
            raise ValueError("characters without counts")
    for one in alphabetic.values():
        _check(one)
    if not alphabetic:
        raise ValueError("no language with an alphabet")
    return Counts(alphabetic, ideographic, tuple(map(str, listing["sources"])))


def _check(one: Alphabetic) -> None:
    """ValueError where counts are of symbols that the language does not have."""
    size = len(one.singles)
    letters = one.letters if isinstance(one.letters, str) else ""
    if len(set(letters)) != len(one.letters) or size != ASCII_SYMBOLS + len(letters) or len(letters) > ALPHABET_LIMIT:
        raise ValueError("letters without counts")
    for keys, counts, places in ((one.pair_keys, one.pair_counts, 2), (one.triple_keys, one.triple_counts, 3)):
        symbols = [(keys >> (8 * place)) & 0xFF for place in range(places)]
        inside = len(keys) == len(counts) > 0 and not (keys >> (8 * places)).any() and (np.diff(keys) > 0).all()
        if not inside or any((one_of >= size).any() for one_of in symbols):
            raise ValueError("counts of letters that are not there")
