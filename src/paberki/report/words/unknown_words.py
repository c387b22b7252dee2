"""Out-of-vocabulary words: their share part by part, the most frequent ones, and how many only lack diacritics (P2 §5, Fig. 3).

A word is unknown if the lexicon of the language does not have it. It lacks diacritics if a known word of the corpus
becomes it when its diacritics are taken away; P2 found that to be the main cause.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paberki.markup.plots import box_plots
from paberki.report.section import Figure, Section
from paberki.report.words.token_parts import box_of, counts_by_part, parts_of, summary
from paberki.report.words.word_source import WordSource

_TITLE: Final = "Unknown words"
_LISTED: Final = 100
NO_LEXICON: Final = (
    "Nothing says which words are known. For a corpus: annotate it (add = ['annotate.v1']) in a language that has a model; "
    "for a foreign file: name its language with --lang."
)


def unknown_words(sources: Sequence[WordSource]) -> Section:
    """Shares of unknown words as box plots, and the most frequent of them."""
    rows: list[dict[str, Any]] = []
    boxes, notes, tables = [], [], {}
    values: dict[str, Any] = {}
    for source in sources:
        flags = unknown_types(source)
        if flags is None or not source.tokens:
            notes.append(f"{source.name}: {NO_LEXICON}")
            continue
        counts = _unknown_counts(source, flags)
        by_part = _shares_by_part(source, flags)
        numbers = summary(by_part)
        word_rows, lacking = _most_frequent(source, counts, flags)
        total = int(counts.sum())
        overall = {"share": total / source.tokens, "tokens": total, "missing_diacritics_share": lacking}
        rows.append({"corpus": source.name, **overall, **numbers})
        values = values or {"share": total / source.tokens, "mean": numbers["mean"], "sd": numbers["sd"]}
        boxes.append(box_of(source.name, by_part, 100))
        notes.append(f"{source.name}: {parts_of(source.tokens).about}.")
        tables["Words" if len(sources) == 1 else f"Words of {source.name}"] = word_rows
    if not rows:
        return Section("oov", _TITLE, missing=NO_LEXICON)
    about = "Share of tokens that no lexicon knows in the parts of each corpus, in per cent."
    svg = box_plots("oov", "Unknown words (P2 Fig. 3)", about, boxes, axis="% of tokens that no lexicon knows")
    caption = "Tokens that no lexicon knows (P2 Fig. 3), and how many of the most frequent ones only lack diacritics."
    return Section("oov", _TITLE, caption, values, rows, [Figure("oov", svg)], notes, tables=tables)


def unknown_types(source: WordSource) -> NDArray[np.bool_] | None:
    """Which values are unknown: those of ``oov`` where tokens have it, else those of ``word``; None without a lexicon."""
    if source.has("oov"):
        return np.array([value == "true" for value in source.values("oov").strings.to_pylist()], np.bool_)
    if "unknown_types" not in source.memory:
        source.memory["unknown_types"] = _looked_up(source)
    flags: NDArray[np.bool_] | None = source.memory["unknown_types"]
    return flags


def _looked_up(source: WordSource) -> NDArray[np.bool_] | None:
    """The same by the lexicon of the model of a language, type by type."""
    from paberki.annotation.cyrillic_text import latin_forms
    from paberki.annotation.files.model_catalogue import annotator, languages
    from paberki.annotation.pipeline import TWO_SCRIPTS

    if source.lang is None or source.lang not in languages():
        return None
    model = annotator(source.lang)
    if model.tagger is None:  # it only splits words, as that of Japanese
        return None
    words = source.values().strings.to_pylist()
    flags = np.zeros(len(words), np.bool_)
    word_ids = np.flatnonzero(source.is_word & (source.counts() > 0))
    for begin in range(0, len(word_ids), 5_000):
        some = word_ids[begin : begin + 5_000]
        forms = [words[at] for at in some]
        latin = latin_forms(forms) if source.lang in TWO_SCRIPTS else {}
        flags[some] = model.unknown([latin.get(form, form).lower() for form in forms])
    return flags


def _unknown_counts(source: WordSource, flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Unknown occurrences of each word."""
    if not source.has("oov"):
        return np.where(flags, source.counts(), 0)
    counts = np.zeros(source.values().size, np.int64)
    for piece in source.pieces("word", "oov"):
        counts += np.bincount(piece.ids["word"][flags[piece.ids["oov"]]], minlength=len(counts))
    return counts


def _shares_by_part(source: WordSource, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
    attribute = "oov" if source.has("oov") else "word"
    table = counts_by_part(source, attribute, flags.astype(np.int64), 2)
    sizes = table.sum(axis=1)
    return np.asarray(table[sizes > 0, 1] / sizes[sizes > 0])


def _most_frequent(
    source: WordSource, counts: NDArray[np.int64], flags: NDArray[np.bool_]
) -> tuple[list[dict[str, Any]], float | None]:
    """The most frequent unknown words, and the share of their occurrences that only lack diacritics."""
    best = np.argsort(-counts, kind="stable")[:_LISTED]
    best = best[counts[best] > 0]
    words = source.values().strings.take(pa.array(best)).to_pylist()
    full = _with_diacritics(source, counts)
    rows = [
        {"word": word, "occurrences": int(counts[at]), "known_as": full.get(word.lower())}
        for word, at in zip(words, best.tolist(), strict=True)
    ]
    total = sum(row["occurrences"] for row in rows)
    lacking = sum(row["occurrences"] for row in rows if row["known_as"])
    return rows, lacking / total if total else None


def _with_diacritics(source: WordSource, unknown: NDArray[np.int64]) -> dict[str, str]:
    """Known words of the corpus by what is left without their diacritics, the most frequent word for each."""
    counts = source.counts()
    word_ids = np.flatnonzero(source.is_word & (counts > unknown))
    words = source.values().strings.take(pa.array(word_ids)).to_pylist()
    best: dict[str, tuple[int, str]] = {}
    for word, count in zip(words, counts[word_ids].tolist(), strict=True):
        if not word.isascii():
            lower = word.lower()
            bare = without_diacritics(lower)
            if bare != lower and count > best.get(bare, (0, ""))[0]:
                best[bare] = (count, lower)
    return {bare: word for bare, (_, word) in best.items()}


def without_diacritics(word: str) -> str:
    """A word without its diacritics; đ and ł have no decomposition, but writers leave them out as well."""
    plain = word.replace("đ", "d").replace("ł", "l").replace("ø", "o")
    return "".join(letter for letter in unicodedata.normalize("NFD", plain) if not unicodedata.combining(letter))
