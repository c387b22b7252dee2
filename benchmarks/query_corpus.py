"""A made-up corpus of any size in vertical format, the same bytes for the same size and seed.

python benchmarks/query_corpus.py OUT.vert --tokens 10000000

Columns: word, lemma, tag. Structures: doc (id, host, year, genre), p, s. Tags follow one another as in a Slavic language,
in sentences drawn from some thousand patterns; words of open classes are drawn from a long tail, so that the vocabulary
grows with the corpus: about 1.1 million word forms, 0.3 million lemmas and 550 tags in 100 million tokens. Some frequencies are set:
per 100 million tokens the lemma ``biti`` occurs 5.7 million times, ``grad`` 40,000 times, the word ``Croatijina`` 800 times,
and a tag ``A.*`` is followed by a tag ``N.*`` 7.7 million times.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

COLUMNS: Final = ("word", "lemma", "tag")
_LINES: Final = 2_200_000
"""Lines (word, lemma, tag) that can be drawn."""
_PATTERNS: Final = 20_000
_HOSTS: Final = 20_000
_PIECE: Final = 1_000_000
_EXPONENT: Final = 1.05
_SYLLABLES: Final = [a + b for a in "bcčdfghjklmnprsštvzž" for b in "aeiou"]
_ENDINGS: Final = (
    "", "a", "e", "i", "o", "u", "om", "ima", "ama", "og", "oj", "em", "ih", "im", "ti", "la", "li", "lo", "ući", "vši",
    "anje", "enje", "ost", "osti", "ski", "nom",
)  # fmt: skip
_CLASSES: Final = "NAVRXFPSCQMZ"
"""Noun, adjective, verb, adverb, residual, auxiliary, pronoun, preposition, conjunction, particle, numeral, punctuation."""
_OPEN: Final = 5
_TAG_COUNTS: Final = (90, 140, 60, 4, 6, 24, 150, 8, 2, 4, 60, 2)
_FOLLOWS: Final = {
    "^": "NNNNAPPSSCRFVQM",
    "N": "ZZZZZZZZNNNNVVVVFFFSSSSSCCCCAARQP",
    "A": "NNNNNNNNNNNNNNNNNNNZAACV",
    "V": "NNNNSSSSAAPPPRRCZZZZVQ",
    "R": "VVVVAARSFCZP",
    "X": "NXZZ",
    "F": "VVVVRRAANNSPPQ",
    "P": "NNNNNVVVVFASCR",
    "S": "NNNNNNNAAAPPM",
    "C": "NNNAVVVPPSFFRQ",
    "Q": "VVVFAPN",
    "M": "NNNNNAZ",
    "Z": "CCCNPPAFVSRX$$$$$$",
}
_CLOSED: Final = {
    "F": (("je", "biti"), ("su", "biti"), ("bi", "biti"), ("bio", "biti"), ("bila", "biti"), ("nije", "biti")),
    "P": (("se", "sebe"), ("to", "taj"), ("koji", "koji"), ("on", "on"), ("ja", "ja"), ("svoj", "svoj")),
    "S": (("u", "u"), ("na", "na"), ("za", "za"), ("s", "s"), ("od", "od"), ("iz", "iz"), ("do", "do")),
    "C": (("i", "i"), ("da", "da"), ("a", "a"), ("ali", "ali"), ("ili", "ili"), ("jer", "jer")),
    "Q": (("ne", "ne"), ("li", "li"), ("neka", "neka")),
    "M": (("jedan", "jedan"), ("dva", "dva"), ("tri", "tri"), ("sto", "sto")),
    "Z": ((".", "."), (",", ","), ("-", "-"), ("(", "("), (")", ")"), ("!", "!")),
}
_SET: Final = (("grad", 0.4e-3), ("vlada", 0.3e-3), ("zakon", 0.2e-3), ("selo", 0.1e-3), ("Croatijin", 0.8e-5))
"""Lemmas of nouns and their shares of all tokens."""
_SENTENCE, _SENTENCE_END, _PARAGRAPH, _PARAGRAPH_END, _DOCUMENT_END = range(5)
_MARKS: Final = ("<s>\n", "</s>\n", "<p>\n", "</p>\n", "</doc>\n")


def _tags() -> list[list[str]]:
    """Tags of each class: its letter and others that tell them apart."""
    letters = "cpqgso"
    return [
        [f"{one}{letters[number % 2]}{'mfn'[number // 2 % 3]}{'sp'[number // 6 % 2]}{chr(ord('a') + number // 12)}"
         for number in range(count)]
        for one, count in zip(_CLASSES, _TAG_COUNTS, strict=True)
    ]  # fmt: skip


def _zipf(count: int) -> npt.NDArray[np.float64]:
    shares = 1.0 / np.arange(1, count + 1)
    return shares / shares.sum()


def _stem(number: int) -> str:
    letters, number = "", number + 1
    while number:
        letters += _SYLLABLES[number % len(_SYLLABLES)]
        number //= len(_SYLLABLES)
    return letters + "nlrtk"[len(letters) % 5]


class Lexicon:
    """Lines that can be drawn: those of one tag lie together, the frequent ones first."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.patterns, self.pattern_edges, shares = _patterns(rng)
        tags = _tags()
        stems = pa.array([_stem(number) for number in range(_LINES // 8)])
        pieces, starts, sizes = [pa.array(_MARKS)], [], []
        at = len(_MARKS)
        self.set_lines = np.zeros((len(_SET), sum(_TAG_COUNTS)), np.int64)
        for kind, names in enumerate(tags):
            for number, tag in enumerate(names):
                lines = self._lines(kind, number, tag, stems, shares[len(starts)])
                self.set_lines[:, len(starts)] = at + len(lines) + np.arange(len(_SET))
                pieces += [lines, _set_lines(tag, number)]
                starts.append(at)
                sizes.append(len(lines))
                at += len(lines) + len(_SET)
        self.lines = pa.concat_arrays([piece.cast(pa.large_string()) for piece in pieces])
        self.starts, self.sizes = np.array(starts), np.array(sizes)
        self.closed = np.array([kind >= _OPEN for kind, count in enumerate(_TAG_COUNTS) for _ in range(count)])
        nouns = np.arange(_TAG_COUNTS[0])
        self.noun_share = shares[nouns].sum()

    @staticmethod
    def _lines(kind: int, number: int, tag: str, stems: pa.Array, share: float) -> pa.Array:
        if kind >= _OPEN:
            own = _CLOSED[_CLASSES[kind]]
            own = own[number % len(own) :] + own[: number % len(own)]
            return pa.array([f"{word}\t{lemma}\t{tag}\n" for word, lemma in own])
        count = min(max(20, int(_LINES * share / 0.6)), len(stems) // 6)
        own = stems.take(pa.array(np.arange(count) * 6 + kind))
        if tag[1] == "p" and kind == 0:
            own = pc.utf8_capitalize(own)
        ending = _ENDINGS[number % len(_ENDINGS)]
        lemma = pc.binary_join_element_wise(own, "ti", "") if kind == 2 else own
        return pc.binary_join_element_wise(own, ending, "\t", lemma, "\t", tag, "\n", "")

    def draw(self, rng: np.random.Generator, tags: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """A line for each tag."""
        sizes = self.sizes[tags]
        uniform = rng.random(len(tags))
        power = 1 - np.where(self.closed[tags], 1.6, _EXPONENT)
        ranks = (((sizes + 1.0) ** power * uniform + (1 - uniform)) ** (1 / power)).astype(np.int64) - 1
        lines = self.starts[tags] + np.clip(ranks, 0, sizes - 1)
        nouns = np.flatnonzero(tags < _TAG_COUNTS[0])
        limits = np.cumsum([share / self.noun_share for _, share in _SET])
        which = np.searchsorted(limits, rng.random(len(nouns)), "right")
        in_set = which < len(_SET)
        lines[nouns[in_set]] = self.set_lines[which[in_set], tags[nouns[in_set]]]
        return lines


def _set_lines(tag: str, number: int) -> pa.Array:
    ending = _ENDINGS[number % 12] or "u"
    return pa.array([f"{lemma}{ending}\t{lemma}\t{tag}\n" for lemma, _ in _SET])


def _patterns(rng: np.random.Generator) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Sentences as numbers of tags (marks are negative), where each begins, and the share of each tag."""
    first = np.concatenate([[0], np.cumsum(_TAG_COUNTS)])
    choices = [_zipf(count).cumsum() for count in _TAG_COUNTS]
    flat: list[int] = []
    edges = [0]
    while len(edges) <= _PATTERNS:
        flat.append(-1 - _SENTENCE)
        at = "^"
        for _ in range(80):
            follows = _FOLLOWS[at]
            at = follows[int(rng.integers(len(follows)))]
            if at == "$":
                break
            kind = _CLASSES.index(at)
            flat.append(int(first[kind] + np.searchsorted(choices[kind], rng.random())))
        flat.append(-1 - _SENTENCE_END)
        edges.append(len(flat))
    numbers = np.array(flat)
    tokens = numbers[numbers >= 0]
    shares = np.bincount(tokens, minlength=int(first[-1])) / len(tokens)
    return numbers, np.array(edges), shares


def _documents(
    rng: np.random.Generator, lexicon: Lexicon, tokens: int, first: int, hosts: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], list[str], int]:
    """Numbers of tags and marks for documents of about so many tokens; their start tags; how many tokens they have."""
    lengths = np.diff(lexicon.pattern_edges) - 2
    mean = lengths.mean()
    pieces, starts, total = [], [], 0
    while total < tokens:
        size = max(1, int(np.exp(rng.normal(5.8, 0.9)) / mean))
        patterns = rng.integers(_PATTERNS, size=min(size, 1000))
        total += int(lengths[patterns].sum())
        host = int(np.searchsorted(hosts, rng.random()))
        year, genre = 2005 + int(rng.integers(20)), int(rng.integers(8))
        number = first + len(starts)
        starts.append(f'<doc id="d{number}" host="h{host}.example" year="{year}" genre="g{genre}">\n')
        pieces.append(np.array([-1000 - len(starts) + 1]))
        for at in range(0, len(patterns), 4):
            pieces.append(np.array([-1 - _PARAGRAPH]))
            pieces += [
                lexicon.patterns[lexicon.pattern_edges[one] : lexicon.pattern_edges[one + 1]]
                for one in patterns[at : at + 4]
            ]
            pieces.append(np.array([-1 - _PARAGRAPH_END]))
        pieces.append(np.array([-1 - _DOCUMENT_END]))
    return np.concatenate(pieces), starts, total


def write_corpus(out: BinaryIO, tokens: int, seed: int = 7) -> int:
    """Write a corpus of at least so many tokens; how many there are."""
    rng = np.random.default_rng(seed)
    lexicon = Lexicon(rng)
    hosts = np.cumsum(1.0 / np.arange(1, _HOSTS + 1) ** 0.9)
    hosts /= hosts[-1]
    total = documents = 0
    while total < tokens:
        numbers, starts, count = _documents(rng, lexicon, min(_PIECE, tokens - total), documents + 1, hosts)
        lines = np.where(numbers <= -1000, len(lexicon.lines) - 1000 - numbers, -1 - numbers)
        places = np.flatnonzero(numbers >= 0)
        lines[places] = lexicon.draw(rng, numbers[places])
        marks = numbers <= -1000
        text = lexicon.lines.take(pa.array(np.where(marks, 0, lines)))
        text = _with_starts(text, np.flatnonzero(marks), starts)
        out.write(text)
        total += count
        documents += len(starts)
    return total


def _with_starts(lines: pa.Array, places: npt.NDArray[np.int64], starts: list[str]) -> bytes:
    """The bytes of the lines, with the start tags of documents at their places."""
    _, offsets, content = lines.buffers()
    edges = np.frombuffer(offsets, np.int64)
    data = memoryview(content)
    pieces, at = [], 0
    for place, start in zip(places.tolist(), starts, strict=True):
        pieces += [data[edges[at] : edges[place]], start.encode()]
        at = place + 1
    pieces.append(data[edges[at] : edges[len(lines)]])
    return b"".join(pieces)


def main() -> None:
    """Write a corpus to a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    started = time.perf_counter()
    with open(options.out, "wb") as out:
        total = write_corpus(out, options.tokens, options.seed)
    print(f"{total} tokens, {options.out.stat().st_size} bytes, {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
