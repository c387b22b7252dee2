"""Count the common words, and pairs of them, that are in the package: ``python benchmarks/common_words.py``.

Texts are looked for in ``PABERKI_DATA`` (default ``../shared/data``); they stay there, the file holds frequencies of the
commonest words only. Sentences with signs set apart are left out where there are others: their words are cut too.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from charset_model import data_directory

from paberki.corpus_file import shipped
from paberki.decoding.training_texts import read_texts
from paberki.lexicon import texts_of
from paberki.quality.connected.common_words import RARE, SHIPPED
from paberki.quality.connected.profiles import learn, words_in
from paberki.quality.connected.word_order import FILE, LETTERS, NAT, SMOOTHING, better_than_shuffled
from paberki.quality.connected.word_order import WORDS as ORDERED

SOURCES = (
    "Universal Dependencies treebanks, training parts (nb, nn, zh: development parts) in 40 languages, text only "
    "(CC BY-SA 3.0/4.0, some CC BY-NC-SA)",
)
WORDS = 200
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
APART = re.compile(r" [.,;!?]")
ENDED = re.compile(r"[.!?…؟।。！？։።][\"'”’»)\]]*$")
SENTENCE_END = re.compile("([。！？])")
ENOUGH = 0.2
LEARNT = 20
"""Sentences of a document."""


def uncut(texts: list[str]) -> list[str]:
    """Texts without signs set apart, where there are enough of them."""
    whole = [text for text in texts if not APART.search(text)]
    return whole if len(whole) > ENOUGH * len(texts) else texts


def common(texts: list[str]) -> dict[str, int]:
    """Parts in a million of the commonest words."""
    return {one.word: round(1e6 * one.mean) for one in learn(uncut(texts), types=WORDS) if one.mean > RARE}


def numbered(texts: list[str], words: Sequence[str], letters: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """The words of each text as numbers of their classes, and its pairs of neighbours, as :func:`follow_words` has them."""
    numbers = {word: number for number, word in enumerate(words)}
    lasts = {letter: number for number, letter in enumerate(letters, len(words))}
    other = len(words) + len(letters)
    unspaced = any(UNSPACED.search(word) for word in words[:10])
    pieces = [SENTENCE_END.sub(r"\1 ", text).split() if unspaced else text.split() for text in texts]
    parts = iter(words_in(texts_of([piece for one in pieces for piece in one])).to_pylist())
    each = []
    for one in pieces:
        classes, pairs, before = [], [], -1
        for piece in one:
            part = [numbers.get(word, lasts.get(word[-1], other)) for word in next(parts) if word]
            ended = [other + 1] if ENDED.search(piece) and (part or before >= 0) and before != other + 1 else []
            chain = [*part, *ended]
            if before >= 0 and part:
                pairs.append((before, part[0]))
            if unspaced:
                pairs += pairwise(part)
            classes += chain
            before = chain[-1] if chain else before
        each.append((np.array(classes, np.int64), np.array(pairs, np.int64).reshape(-1, 2)))
    return each


def last_letters(texts: list[str], words: Sequence[str]) -> str:
    """The commonest last letters of words that are not common themselves."""
    common_ones = frozenset(words)
    counts = Counter(
        word[-1] for one in words_in(texts_of(texts)).to_pylist() for word in one if word and word not in common_ones
    )
    return "".join(letter for letter, _ in counts.most_common(LETTERS))


def pair_gains(pairs: Iterable[np.ndarray], size: int) -> np.ndarray:
    """log(P(a b) ÷ P(a) P(b)) of neighbours, in nats."""
    table = np.zeros((size, size))
    for one in pairs:
        np.add.at(table, (one[:, 0], one[:, 1]), 1)
    total = table.sum()
    chance = np.outer(np.maximum(table.sum(1), 0.5), np.maximum(table.sum(0), 0.5))
    chance /= chance.sum()
    return np.log((table + SMOOTHING * chance) / (total + SMOOTHING) / chance)


def order(texts: list[str], words: Sequence[str], letters: str) -> tuple[np.ndarray, float]:
    """Gains of pairs, and their effect in documents that they were not counted in (:class:`FunctionWords`)."""
    each = numbered(uncut(texts), words, letters)
    size, halves, effects = len(words) + len(letters) + 2, [each[::2], each[1::2]], []
    for learnt, other in (halves, halves[::-1]):
        gains = pair_gains((pairs for _, pairs in learnt), size)
        for document in (other[at : at + LEARNT] for at in range(0, len(other) - LEARNT + 1, LEARNT)):
            counts = np.bincount(np.concatenate([one for one, _ in document]), minlength=size)
            pairs = np.concatenate([some for _, some in document])
            total = gains[pairs[:, 0], pairs[:, 1]].sum()
            score = better_than_shuffled(counts[None], np.array([total]), np.array([len(pairs)]), gains)[0]
            effects.append(score / np.sqrt(counts[:-1].sum()))
    return pair_gains((pairs for _, pairs in each), size), float(np.mean(effects))


if __name__ == "__main__":
    by_language: dict[str, list[str]] = defaultdict(list)
    for lang, text in read_texts(data_directory() / "langid/ud_train_text.jsonl.xz"):
        by_language[lang].append(text)
    languages = {lang: common(by_language[lang]) for lang in sorted(by_language)}
    about = {"sources": SOURCES, "languages": languages}
    SHIPPED.write_text(json.dumps(about, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    facts: dict[str, dict[str, object]] = {}
    tables = []
    for lang, words in languages.items():
        first_words = list(words)[:ORDERED]
        letters = last_letters(uncut(by_language[lang]), first_words)
        gains, effect = order(by_language[lang], first_words, letters)
        table = np.zeros((ORDERED + LETTERS + 2,) * 2, np.int16)
        table[: len(gains), : len(gains)] = np.round(NAT * gains)
        tables.append(table)
        shares = [words[word] / 1e6 for word in first_words]
        facts[lang] = {"words": first_words, "shares": shares, "letters": letters, "effect": round(effect, 3)}
    about_bytes = np.frombuffer(
        json.dumps({"sources": SOURCES, "languages": facts}, ensure_ascii=False).encode(), np.uint8
    )
    with shipped(FILE).open("wb") as file:
        np.savez_compressed(file, about=about_bytes, gains=np.stack(tables))
    print(f"{shipped(FILE)}: {shipped(FILE).stat().st_size:,} bytes")
    print(f"{SHIPPED}: {SHIPPED.stat().st_size:,} bytes, {sum(map(len, languages.values())):,} words")
