"""Document rules: what Gopher, C4, FineWeb, OSCAR and P1 measure of a text, each measure a column of its own.

The published thresholds are in :data:`PUBLISHED`; nothing here applies them, users do. Measures are those of the papers
(Rae et al. 2021, Table A1 and §A1.1; Raffel et al. 2020, §2.2 and the reference code; Penedo et al. 2024, §3.6; Abadji et
al. 2022, §4.2; P1 §2.3) and agree with datatrove's filters but for what is called a word: papers do not say, and
datatrove asks spaCy, with lists of exceptions for every language. Here a word is a run of letters, digits and marks
with the signs that stand inside numbers, abbreviations and addresses; every other sign is a token by itself; Han and
kana count one by one. ``benchmarks/quality.py`` counts the texts on which a verdict differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.kernels import load
from paberki.lexicon import buffers, texts_of
from paberki.quality.rules.rule_characters import classes

GOPHER_STOP_WORDS: Final = ("the", "be", "to", "of", "and", "that", "have", "with")
POLICY_PHRASES: Final = (
    "terms of use",
    "privacy policy",
    "cookie policy",
    "uses cookies",
    "use of cookies",
    "use cookies",
)
"""C4 drops lines that hold one of them."""
_PHRASES: Final = ("lorem ipsum", "javascript", *POLICY_PHRASES)
_MOST_TOKENS: Final = 1 << 20
"""Repetition is looked for among so many tokens of a text; Gopher's longest documents have a tenth of them."""
_MOST_STOP_WORDS: Final = 63
_TEXTS_AT_ONCE: Final = 256
_MASK: Final = (1 << 64) - 1
_GRAMS: Final = {2: 0.20, 3: 0.18, 4: 0.16}
_REPEATS: Final = {5: 0.15, 6: 0.14, 7: 0.13, 8: 0.12, 9: 0.11, 10: 0.10}

Counts = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bound:
    """The values of a measure that a rule lets pass."""

    measure: str
    low: float | None = None
    high: float | None = None

    def fails(self, values: Values) -> npt.NDArray[np.bool_]:
        """Which values do not pass; a measure that a text does not have passes."""
        failures = np.zeros(len(values), bool)
        with np.errstate(invalid="ignore"):
            if self.low is not None:
                failures |= values < self.low
            if self.high is not None:
                failures |= values > self.high
        return failures


PUBLISHED: Final = (
    Bound("gopher_word_count", 50, 100_000),
    Bound("gopher_mean_word_length", 3, 10),
    Bound("gopher_hash_ratio", high=0.1),
    Bound("gopher_ellipsis_ratio", high=0.1),
    Bound("gopher_bullet_line_share", high=0.9),
    Bound("gopher_ellipsis_line_share", high=0.3),
    Bound("gopher_alpha_word_share", 0.8),
    Bound("gopher_stop_word_count", 2),
    Bound("gopher_dup_para_share", high=0.3),
    Bound("gopher_dup_para_char_share", high=0.2),
    Bound("gopher_dup_line_share", high=0.3),
    Bound("gopher_dup_line_char_share", high=0.2),
    *(Bound(f"gopher_top_{size}gram_share", high=most) for size, most in _GRAMS.items()),
    *(Bound(f"gopher_dup_{size}gram_share", high=most) for size, most in _REPEATS.items()),
    Bound("c4_sentence_count", 5),
    Bound("c4_lorem_ipsum_count", high=0),
    Bound("c4_bracket_line_count", high=0),
    Bound("mc4_long_line_count", 3),
    Bound("fineweb_terminal_line_share", 0.12),
    Bound("fineweb_short_line_share", high=0.67),
    Bound("fineweb_dup_char_share", high=0.01),
    Bound("fineweb_newline_ratio", high=0.3),
)
"""The thresholds of the papers, in the order in which their filters ask."""


@dataclass(frozen=True, slots=True)
class StopLists:
    """Stop words of several lists, to be looked up in one table."""

    keys: npt.NDArray[np.uint64]
    numbers: npt.NDArray[np.int8]
    salts: Mapping[str, int]
    """What the keys of each list are mixed with."""

    def salt(self, name: str | None) -> int:
        """The salt of a list; of one that there is not, a salt that finds nothing."""
        return self.salts.get(name or "", 0)


def stop_lists(lists: Mapping[str, Sequence[str]]) -> StopLists:
    """A table of the stop words of each list, in their case."""
    salts = {name: _mix(number + 1) for number, name in enumerate(sorted(lists))}
    pairs = [
        (_key(word) ^ salts[name], number)
        for name in sorted(lists)
        for number, word in enumerate(dict.fromkeys(lists[name][:_MOST_STOP_WORDS]))
    ]
    size = 1 << max(3, (4 * len(pairs)).bit_length())
    keys, numbers = np.zeros(size, np.uint64), np.zeros(size, np.int8)
    for key, number in pairs:
        slot = _mix(key) & (size - 1)
        while keys[slot]:
            slot = (slot + 1) & (size - 1)
        keys[slot], numbers[slot] = key, number
    return StopLists(keys, numbers, salts)


@lru_cache(maxsize=1)
def gopher_stop_list() -> StopLists:
    """Gopher's eight English words, under the name ``en``."""
    return stop_lists({"en": GOPHER_STOP_WORDS})


def rules(texts: Sequence[str], *, stop_words: Sequence[str] = GOPHER_STOP_WORDS) -> pa.Table:
    """All measures of some texts, one row each; a measure that a text has not, such as a share of no lines, is null."""
    lists = stop_lists({"": tuple(stop_words)})
    return measures(texts_of(texts), [""] * len(texts), lists)


def failed(table: pa.Table, bounds: Sequence[Bound] = PUBLISHED) -> list[list[str]]:
    """For each text the names of the measures that do not pass, by the published thresholds or others."""
    names: list[list[str]] = [[] for _ in range(table.num_rows)]
    for bound in bounds:
        values = table.column(bound.measure).to_numpy()
        for row in np.flatnonzero(bound.fails(values)).tolist():
            names[row].append(bound.measure)
    return names


def measures(texts: pa.StringArray, lists: Sequence[str | None], stops: StopLists) -> pa.Table:
    """The same for an Arrow array, with the name of the stop list of each text."""
    parts = [
        _columns(count(texts[at : at + _TEXTS_AT_ONCE], lists[at : at + _TEXTS_AT_ONCE], stops))
        for at in range(0, max(1, len(texts)), _TEXTS_AT_ONCE)
    ]
    return pa.concat_tables(parts)


def count(texts: pa.StringArray, lists: Sequence[str | None], stops: StopLists) -> Counts:
    """The raw counts of each text, which all measures are made of; columns are named in the kernel."""
    kernel = _kernel()
    data, offsets = buffers(texts)
    longest = int(np.diff(offsets).max(initial=0))
    tokens = min(longest, _MOST_TOKENS) + 1
    slots = 1 << (2 * tokens).bit_length()
    counts = np.zeros((len(texts), kernel.COUNTS), np.int64)
    kernel.measure(
        data, offsets, classes(), stops.keys, stops.numbers,
        np.array([stops.salt(name) for name in lists], np.uint64), _suspects(texts), *_phrases(),
        np.empty(tokens + 1, np.uint64), np.empty(tokens + 1, np.int32), np.empty(tokens, np.int8),
        np.empty(tokens, np.uint64), np.empty(tokens, np.int32), np.zeros(2 * slots, np.uint64), counts,
    )  # fmt: skip
    return counts


def _suspects(texts: pa.StringArray) -> npt.NDArray[np.bool_]:
    """Texts that hold one of C4's phrases somewhere: only their lines are searched."""
    matches = pc.match_substring_regex(texts, "|".join(_PHRASES), ignore_case=True)
    suspects: npt.NDArray[np.bool_] = matches.fill_null(False).to_numpy(zero_copy_only=False)
    return suspects


@lru_cache(maxsize=1)
def _phrases() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    phrases = [phrase.encode() for phrase in _PHRASES]
    return np.frombuffer(b"".join(phrases), np.uint8), np.cumsum([0, *map(len, phrases)], dtype=np.int64)


def _columns(counts: Counts) -> pa.Table:
    """Measures from counts; the names and types are those of ``store/columns.py``."""
    k = _kernel()
    n = np.ascontiguousarray(counts.T)

    def share(part: int | Values, whole: int | Counts) -> pa.Array:
        top = n[part] if isinstance(part, int) else part
        bottom = n[whole] if isinstance(whole, int) else whole
        absent = bottom <= 0
        shares = (top / np.maximum(bottom, 1)).astype(np.float32)
        return pa.array(shares, mask=absent if absent.any() else None)

    def whole(column: int) -> pa.Array:
        return pa.array(n[column].astype(np.int32))

    columns: dict[str, pa.Array] = {
        "gopher_word_count": whole(k.WORDS),
        "gopher_mean_word_length": share(k.WORD_CHARS, k.WORDS),
        "gopher_hash_ratio": share(k.HASHES, k.TOKENS),
        "gopher_ellipsis_ratio": share(k.ELLIPSES, k.TOKENS),
        "gopher_bullet_line_share": share(k.BULLET_LINES, k.LINES),
        "gopher_ellipsis_line_share": share(k.ELLIPSIS_LINES, k.LINES),
        "gopher_alpha_word_share": share(k.ALPHA_WORDS, k.TOKENS),
        "gopher_stop_word_count": whole(k.STOP_WORDS),
        "gopher_dup_para_share": share(k.DUP_PARAS, k.PARAS),
        "gopher_dup_para_char_share": share(k.DUP_PARA_CHARS, k.CHARS),
        "gopher_dup_line_share": share(k.DUP_PARTS, k.PARTS),
        "gopher_dup_line_char_share": share(k.DUP_PART_CHARS, k.CHARS),
        **{f"gopher_top_{size}gram_share": share(k.TOP_2 + size - 2, k.CHARS) for size in _GRAMS},
        **{f"gopher_dup_{size}gram_share": share(k.DUP_5 + size - 5, k.CHARS) for size in _REPEATS},
        "c4_line_count": whole(k.C4_LINES),
        "c4_sentence_count": whole(k.C4_SENTENCES),
        "c4_lorem_ipsum_count": whole(k.C4_LOREM),
        "c4_bracket_line_count": whole(k.C4_BRACKETS),
        "c4_javascript_line_count": whole(k.C4_JAVASCRIPT),
        "c4_policy_line_count": whole(k.C4_POLICY),
        "mc4_long_line_count": whole(k.LONG_LINES),
        "fineweb_terminal_line_share": share(k.TERMINAL_LINES, k.FULL_LINES),
        "fineweb_short_line_share": share(k.SHORT_LINES, k.FULL_LINES),
        "fineweb_dup_char_share": share(k.DUP_LINE_CHARS, n[k.CHARS] - n[k.NEWLINES]),
        "fineweb_newline_ratio": share(k.NEWLINES, k.TOKENS),
        "punctuation_share": share(k.PUNCTUATIONS, k.SOLID),
        "letter_share": share(n[k.LETTERS] + n[k.MARKED], k.CHARS),
        "annotations": _annotations(counts),
    }
    return pa.table(columns)


def _annotations(counts: Counts) -> pa.Array:
    """OSCAR's labels (Abadji et al. 2022): tiny, short_sentences, header, footer, noisy."""
    k = _kernel()
    n = counts.T
    edge = n[k.OSCAR_LINES] // 5
    labels = {
        "tiny": n[k.OSCAR_LINES] < 5,
        "short_sentences": 2 * n[k.OSCAR_SHORT] > n[k.OSCAR_LINES],
        "header": n[k.OSCAR_HEAD] > edge // 2,
        "footer": n[k.OSCAR_TAIL] > edge // 2,
        "noisy": n[k.CHARS] - n[k.LETTERS] - n[k.MARKED] > n[k.CHARS] // 2,
    }
    flags = np.array(list(labels.values())).T
    edges = np.concatenate([[0], np.cumsum(flags.sum(axis=1))])
    names = pa.array(list(labels), pa.string()).take(pa.array(np.nonzero(flags)[1]))
    return pa.ListArray.from_arrays(pa.array(edges, pa.int32()), names)


@lru_cache(maxsize=1)
def _kernel() -> Any:
    """The compiled part, loaded when the first text comes: numba is slow to import."""
    return load("paberki.quality.rules.rules_kernel")


def _key(word: str) -> int:
    """The key of a word as the kernel computes it."""
    kernel = _kernel()
    key, golden = int(kernel.SEED), int(kernel.GOLDEN)
    for char in word:
        key = ((key ^ ord(char)) * golden) & _MASK
        key ^= key >> 32
    return key


def _mix(key: int) -> int:
    key = ((key ^ (key >> 32)) * int(_kernel().MIX)) & _MASK
    return key ^ (key >> 32)
