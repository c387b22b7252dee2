"""Does extraction depend on a language or script? The same pages with the words of another language.

    python benchmarks/translated_pages.py [--languages ru,pl,zh] [--every 3] [--models FOLDER]

Every word of a page with gold text becomes a word of the other language, always the same one, about as long and as
frequent; in Chinese and Japanese spaces and stops become what they are there. Markup stays. So the blocks of the page
stay as well, and gold tells which of them are text. Words of ``PABERKI_DATA/langid`` are used. F and precision are those of
words in blocks; the shipped model has seen the originals, so only the differences count. ``--models`` names a folder with
models that have not (``benchmarks/extract.py --folds --models FOLDER``).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean

import numpy as np
from pages import data_directory

from paberki.extraction import extract
from paberki.extraction.evaluation.gold_pages import read_gold
from paberki.extraction.evaluation.text_measures import tokens
from paberki.extraction.learned.block_training import aligned, fold

UNSPACED = ("ja", "zh")
WORD = re.compile(r"[^\W\d_]+")
MARKUP = re.compile(
    r"(<!--.*?-->|<(script|style|noscript|svg)\b.*?</\2\s*>|<[^>]*>|&#?\w+;)", re.DOTALL | re.IGNORECASE
)
LONGEST = 12
_WIDE = (
    (r"(?<=[^\x00-\x7f])\s+(?=[^\x00-\x7f])", ""),
    (r"(?<=[^\x00-\x7f])\.\s*", "。"),
    (r"(?<=[^\x00-\x7f]),\s*", "，"),
)


class Dictionary:
    """Words of a language by length, frequent ones first."""

    def __init__(self, counts: Counter[str], *, spaced: bool) -> None:
        self.spaced = spaced
        self.words = [word for word, _ in counts.most_common()]
        self._by_length = defaultdict(list)
        for word in self.words:
            self._by_length[min(len(word), LONGEST)].append(word)
        self._pairs: dict[str, str] = {}

    def word(self, word: str) -> str:
        """The word that stands for another one, with its capitals."""
        key = word.lower()
        if key not in self._pairs:
            some = (self.spaced and self._by_length.get(min(len(key), LONGEST))) or self.words
            draw = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=4).digest()) / (1 << 32)
            self._pairs[key] = some[int(len(some) ** draw) - 1]
        pair = self._pairs[key]
        if word.isupper() and len(word) > 1:
            return pair.upper()
        return pair.capitalize() if word[0].isupper() else pair

    def page(self, html: str) -> str:
        """The page with other words."""
        parts, at = [], 0
        for match in MARKUP.finditer(html):
            parts += [self._text(html[at : match.start()]), match.group()]
            at = match.end()
        return "".join([*parts, self._text(html[at:])])

    def _text(self, text: str) -> str:
        text = WORD.sub(lambda match: self.word(match.group()), text)
        for pattern, sign in () if self.spaced else _WIDE:
            text = re.sub(pattern, sign, text)
        return text


def dictionaries(languages: list[str]) -> dict[str, Dictionary]:
    counts: dict[str, Counter[str]] = {lang: Counter() for lang in languages}
    with lzma.open(Path(data_directory()).parent / "langid/ud_train_text.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["lang"] in counts:
                words = (word.lower() for word in WORD.findall(row["text"]))
                spaced = row["lang"] not in UNSPACED
                counts[row["lang"]].update(
                    part for word in words for part in ([word] if spaced else re.findall("..?", word))
                )
    return {lang: Dictionary(some, spaced=lang not in UNSPACED) for lang, some in counts.items()}


def score(is_text: np.ndarray, gold: np.ndarray, words: np.ndarray) -> tuple[float, float]:
    """F and precision, by the words of the blocks."""
    hits, chosen, wanted = ((words * some).sum() for some in (is_text & gold, is_text, gold))
    return 2 * hits / max(chosen + wanted, 1), hits / max(chosen, 1)


def main() -> None:
    """One line per language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", default="ru,pl,zh,ja,el,ko,hr,tr")
    parser.add_argument("--every", type=int, default=5, help="one page of so many")
    parser.add_argument("--models", type=Path)
    options = parser.parse_args()
    pages = [page for page in read_gold(data_directory()) if page.gold is not None][:: options.every]
    for lang, words in dictionaries(options.languages.split(",")).items():
        scores, lost = [], 0
        for page in pages:
            model = str(options.models / f"{fold(page)}.npz") if options.models else ""
            before = extract(page.html, url=page.url, model=model).blocks
            after = extract(words.page(page.html), url=page.url, model=model).blocks
            if len(before) != len(after) or not before:
                lost += 1
                continue
            own = [tokens(block.text) for block in before]
            gold, counts = aligned(own, tokens(page.gold or "")) > 0.5, np.array([len(one) for one in own])
            kept = [np.array([block.kept for block in blocks]) for blocks in (before, after)]
            scores.append(score(kept[0], gold, counts) + score(kept[1], gold, counts))
        f, precision, f_after, precision_after = (fmean(one) for one in zip(*scores, strict=True))
        print(
            f"{lang}  {len(scores)} pages  F {f:.4f} → {f_after:.4f}  precision {precision:.4f} → {precision_after:.4f}"
            f"  other blocks on {lost}",
            flush=True,
        )


if __name__ == "__main__":
    main()
