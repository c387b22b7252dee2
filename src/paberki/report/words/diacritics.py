"""Diacritics: the share of the characters of a page that carry one (P3 §6, Fig. 1).

The share is of all characters that are not space, in per cent, as the column ``diacr_perc``; the figure shows how many
pages have which share. P3 finds a distribution near the normal one, with a small peak at 0: pages written without.
"""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from paberki.markup.charts import histogram
from paberki.report.section import Figure, Section
from paberki.report.words.word_source import WordSource

_MOST = 30
"""Per cent from which all pages are counted together."""


def diacritics(source: WordSource) -> Section:
    """Pages by the share of their characters with a diacritic."""
    shares = page_shares(source)
    title = "Diacritics"
    if not len(shares):
        return Section("diacritics", title, missing="No page has any text.")
    bins = np.bincount(np.minimum(shares.astype(np.int64), _MOST), minlength=1)
    rows = [{"diacr_perc": at, "pages": int(pages), "share": int(pages) / len(shares)} for at, pages in enumerate(bins)]
    caption = (
        f"{len(shares):,} kept pages by the share of their characters that carry a diacritic (P3 Fig. 1). Pages at the left "
        "edge are written without them."
    )
    labels = [(f"{at}+" if at == _MOST else str(at), int(pages)) for at, pages in enumerate(bins)]
    svg = histogram("diacritics", "Diacritics (P3 Fig. 1)", caption, labels, axis="% of characters that are not space")
    without = int((shares == 0).sum())
    values = {"mean": float(shares.mean()), "sd": float(shares.std()), "pages": len(shares), "without": without}
    return Section("diacritics", title, caption, values, rows, [Figure("diacritics", svg)])


def page_shares(source: WordSource) -> NDArray[np.float64]:
    """Per cent of characters with a diacritic, one number for each page that has text."""
    words = source.values().strings.to_pylist()
    mark_counts = np.fromiter((_marks(word) for word in words), np.int64, len(words))
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    sums = np.zeros((len(source.pages), 2), np.int64)
    for piece in source.pieces("word"):
        ids = piece.ids["word"]
        owners = np.searchsorted(source.pages, piece.positions, "right") - 1
        first = int(owners[0]) if len(owners) else 0
        for column, numbers in enumerate((mark_counts, lengths)):
            part = np.bincount(owners - first, weights=numbers[ids]).astype(np.int64)
            sums[first : first + len(part), column] += part
    sums = sums[sums[:, 1] > 0]
    return np.asarray(100 * sums[:, 0] / sums[:, 1])


def _marks(word: str) -> int:
    return 0 if word.isascii() else sum(map(has_diacritic, word))


def has_diacritic(letter: str) -> bool:
    """Whether a letter carries a diacritic: it decomposes into a letter and marks, or has a stroke of its own."""
    return letter in "đĐłŁøØħĦ" or (letter.isalpha() and len(unicodedata.normalize("NFD", letter)) > 1)
