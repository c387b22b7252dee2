"""Count a model of encodings from plain text (``paberki train charset``).

Texts are native text with its language; how it looks in an encoding follows from the code tables. Serbian in Latin
script is counted in Cyrillic too, since most Serbian text at hand has one script only and the web has both (P3 §3).
Running text lacks what pages are full of (signs of copyright, arrows, quotes, capitals): a little of that is added.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from paberki.decoding.charsets import LANGUAGES, SAME_AS
from paberki.decoding.letter_counts import (
    ALPHABET_LIMIT,
    ASCII_SYMBOLS,
    Alphabetic,
    Array,
    Counts,
    Ideographic,
    ascii_symbols,
)

CHARS_LIMIT: Final = 1_500_000
"""Characters per language that are counted; more changes nothing."""

IDEOGRAPHIC: Final = ("ja", "zh", "zh-Hant", "ko")
_IDEOGRAPH_LIMIT: Final = 6000
_FEWEST_TRIPLES: Final = 3
_FEWEST_TEXT: Final = 2000
_CAPITALS_SHARE: Final = 20
"""One line in so many is counted once more in capitals, as headings are."""

_DRESSED_SHARE: Final = 4
"""One line in so many is counted once more with the quotes and spaces of word processors."""
_FOREIGN_WORDS: Final = 60
_ENGLISH_LINES: Final = 200
_OPENING: Final = re.compile(r"""(?<![^\s(])["']""")

_PUNCTUATION: Final = (
    "© 2011 |© Copyright | © | » | « |\xa0\xa0| \xa0 |\xa0 | \xa0| – | — |’s |n’t |’re | “T|” | “t| ” |.” | · | • |® |™ |"
    " 20 € |€20| £10 |°C | 5° | … |...… | § 1| × | ½ | ‘a| ’ | ´ | „a| “ | »a|« | ±5 | ² | ³ |\xad|I´m |it´s |n´t |"
    " m² | km² | m³ |.¹ |n¹ |n² |\n¹ T| 1º | 2ª | ¼ | ¾ |¿Q|¡A| ¥5 |5 ¢|5 µm|¶ 3"
)
_COMMA_BELOW: Final = str.maketrans("șțȘȚ", "şţŞŢ")
_TRADITIONAL: Final = "這們個國來時說為會對後過開關無發將當樣經動還現東"
_SIMPLIFIED: Final = "这们个国来时说为会对后过开关无发将当样经动还现东"
_LATIN: Final = "abvgdđežzijklmnoprstćufhcčš"
_CYRILLIC: Final = "абвгдђежзијклмнопрстћуфхцчш"
_DIGRAPHS: Final = {"lj": "љ", "nj": "њ", "dž": "џ"}
_TO_CYRILLIC: Final = dict(zip(_LATIN, _CYRILLIC, strict=True)) | _DIGRAPHS
_SERBIAN: Final = re.compile(f"lj|nj|dž|[{_LATIN}]", re.IGNORECASE)


def train(texts: Iterable[tuple[str, str]], sources: Sequence[str] = ()) -> Counts:
    """Count pairs of language and text; languages without enough text are left out."""
    texts_by_language = _texts_by_language(texts)
    names = _western_words(texts_by_language)
    english = [_add_markup(line) for line in texts_by_language.get("en", [])[:_ENGLISH_LINES]]
    alphabetic, ideographic = {}, {}
    for language, charsets in LANGUAGES.items():
        lines = texts_by_language.get(language, [])
        if sum(map(len, lines)) < _FEWEST_TEXT:
            continue
        if language in IDEOGRAPHIC:
            ideographic[language] = _ideographic(lines)
        else:
            foreign = english if not charsets.latin else names if "cp1252" in charsets.usual else []
            alphabetic[language] = _alphabetic(lines, foreign)
    return Counts(alphabetic, ideographic, tuple(sources))


def _western_words(texts_by_language: Mapping[str, list[str]]) -> list[str]:
    """Some words with accents from each Western language: they turn up as names in all the others."""
    sample: list[str] = []
    for language, lines in texts_by_language.items():
        if language in LANGUAGES and "cp1252" in LANGUAGES[language].usual:
            words = sorted({word for line in lines for word in line.split() if not word.isascii() and word.isalpha()})
            sample += words[:: max(1, len(words) // _FOREIGN_WORDS)]
    return sample


def _texts_by_language(texts: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    texts_by_language: dict[str, list[str]] = {}
    sizes: Counter[str] = Counter()
    for language, text in texts:
        for name, content in _variants(language, unicodedata.normalize("NFC", text)):
            if sizes[name] < CHARS_LIMIT:
                sizes[name] += len(content)
                texts_by_language.setdefault(name, []).append(content)
    return texts_by_language


def _variants(language: str, text: str) -> list[tuple[str, str]]:
    """The languages of the model a text counts for."""
    if language in ("sr", "sr-Latn", "sr-Cyrl"):
        if any("\u0400" <= char <= "\u04ff" for char in text):
            return [("sr-Cyrl", text)]
        return [("hbs", text), ("sr-Cyrl", to_cyrillic(text))]
    if language.startswith("zh"):
        return [("zh-Hant" if is_traditional(text) else "zh", text)]
    if language == "ro":
        return [("ro", text), ("ro", text.translate(_COMMA_BELOW))]
    return [(SAME_AS.get(language, (language,))[0], text)]


def is_traditional(text: str) -> bool:
    """Whether Chinese text is written in traditional characters."""
    return sum(map(text.count, _TRADITIONAL)) > sum(map(text.count, _SIMPLIFIED))


def to_cyrillic(text: str) -> str:
    """Serbian in Latin letters -> Cyrillic, good enough to count letters."""
    return _SERBIAN.sub(_cyrillic, text)


def _cyrillic(match: re.Match[str]) -> str:
    latin = match.group()
    letter = _TO_CYRILLIC.get(latin.lower(), latin)  # the pattern also finds letters that only fold to ASCII: ı, ſ
    return letter.upper() if latin[0].isupper() else letter


def _ideographic(lines: Sequence[str]) -> Ideographic:
    counts = Counter(char for line in lines for char in line if char > "\x7f")
    by_frequency = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_IDEOGRAPH_LIMIT]
    return Ideographic(
        "".join(char for char, _ in by_frequency), np.array([count for _, count in by_frequency], np.int64)
    )


def _alphabetic(lines: Sequence[str], foreign: Sequence[str]) -> Alphabetic:
    shouted = [line.upper() for line in lines[::_CAPITALS_SHARE]]
    marked_up_lines = [_add_markup(line) for line in lines[::_DRESSED_SHARE]]
    signs = _PUNCTUATION.split("|") * max(1, sum(map(len, lines)) // 20_000)
    text = "\n".join([*lines, *shouted, *marked_up_lines, *signs, *foreign])
    letters = _alphabet(text)
    return _count_symbols(_symbols(text, letters), letters)


def _add_markup(line: str) -> str:
    """A line as word processors and web editors put it: some spaces do not break, quotes are curly."""
    words = line.split(" ")
    spaced_line = "".join(word + ("\xa0" if len(word) % 5 == 2 else " ") for word in words)
    curly = _OPENING.sub(_open_quote, spaced_line).replace('"', "”").replace("'", "’")
    return curly.replace(" - ", " – ").replace("...", "…")


def _open_quote(match: re.Match[str]) -> str:
    return "“" if match.group() == '"' else "‘"


def _alphabet(text: str) -> str:
    counts = Counter(char for char in text if char > "\x7f" and char <= "\uffff")
    by_frequency = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(char for char, count in by_frequency if count >= 3)[:ALPHABET_LIMIT]


def _symbols(text: str, letters: str) -> Array:
    """Numbers of symbols; what is not in the alphabet is a gap."""
    table = np.zeros(0x110000, np.uint8)
    table[:128] = ascii_symbols()
    for number, char in enumerate(letters):
        table[ord(char)] = ASCII_SYMBOLS + number
    return table[np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)].astype(np.int64)


def _count_symbols(symbols: Array, letters: str) -> Alphabetic:
    size = ASCII_SYMBOLS + len(letters)
    singles = np.bincount(symbols, minlength=size)
    pairs, pair_counts = np.unique((symbols[:-1] << 8) | symbols[1:], return_counts=True)
    triples, triple_counts = np.unique((symbols[:-2] << 16) | (symbols[1:-1] << 8) | symbols[2:], return_counts=True)
    often = triple_counts >= _FEWEST_TRIPLES
    return Alphabetic(letters, singles, pairs, pair_counts, triples[often], triple_counts[often])
