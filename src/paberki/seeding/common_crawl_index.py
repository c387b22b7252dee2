"""Reads a Common Crawl index (CDXJ, or the older CDX): captured URLs with status, media type and languages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paberki.seeding.seed_lines import read_lines

_HTML = ("text/html", "application/xhtml+xml")
_THREE_LETTERS = {
    "bg": "bul",
    "bs": "bos",
    "ca": "cat",
    "cs": "ces",
    "da": "dan",
    "de": "deu",
    "el": "ell",
    "en": "eng",
    "es": "spa",
    "et": "est",
    "eu": "eus",
    "fi": "fin",
    "fr": "fra",
    "ga": "gle",
    "gl": "glg",
    "hr": "hrv",
    "hu": "hun",
    "is": "isl",
    "it": "ita",
    "ja": "jpn",
    "ko": "kor",
    "lt": "lit",
    "lv": "lav",
    "mk": "mkd",
    "mt": "mlt",
    "nl": "nld",
    "no": "nor",
    "pl": "pol",
    "pt": "por",
    "ro": "ron",
    "ru": "rus",
    "sk": "slk",
    "sl": "slv",
    "sq": "sqi",
    "sr": "srp",
    "sv": "swe",
    "tr": "tur",
    "uk": "ukr",
    "zh": "zho",
    "ar": "ara",
    "he": "heb",
    "hi": "hin",
    "fa": "fas",
    "vi": "vie",
    "th": "tha",
    "id": "ind",
    "ka": "kat",
    "hy": "hye",
    "be": "bel",
    "cy": "cym",
    "kk": "kaz",
    "az": "aze",
    "lb": "ltz",
    "ms": "msa",
}


@dataclass(frozen=True, slots=True)
class Capture:
    """One line of an index."""

    url: str
    status: str
    mime: str
    languages: tuple[str, ...]
    """Three-letter codes, the main language first; empty if the index has none."""

    @property
    def is_page(self) -> bool:
        """Whether it is an HTML page that was captured successfully."""
        return self.status in ("200", "-", "") and (self.mime in _HTML or self.mime in ("", "-"))

    def is_in(self, codes: Sequence[str]) -> bool:
        """Whether the main language is one of these three-letter codes; true if there are none."""
        return not codes or (bool(self.languages) and self.languages[0] in codes)


def three_letters(languages: Sequence[str]) -> tuple[str, ...]:
    """Convert ISO 639-1 or 639-3 codes to the ISO 639-3 codes that indexes use."""
    return tuple(_THREE_LETTERS.get(lang, lang) for lang in languages)


def captures(path: Path, *, tld: Sequence[str] = ()) -> Iterator[Capture]:
    """The captures of an index file, optionally only on some top-level domains; invalid lines are skipped."""
    beginnings = tuple(f"{name}," for name in tld)
    for line in read_lines(path):
        if beginnings and not line.startswith(beginnings):
            continue
        capture = _capture(line)
        if capture is not None:
            yield capture


def is_index_line(line: str) -> bool:
    """Whether a line belongs to an index rather than a list of URLs."""
    return ")/" in line.partition(" ")[0] and _capture(line) is not None


def _capture(line: str) -> Capture | None:
    parts = line.split(" ", 2)
    if len(parts) < 3 or ")" not in parts[0] or not parts[1].isdigit():
        return None
    return _from_json(parts[2]) if parts[2].startswith("{") else _from_fields(parts[2].split(" "))


def _from_json(text: str) -> Capture | None:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or not isinstance(fields.get("url"), str):
        return None
    languages = fields.get("languages")
    mime = fields.get("mime-detected") or fields.get("mime") or ""
    codes = tuple(languages.split(",")) if isinstance(languages, str) and languages else ()
    return Capture(fields["url"], str(fields.get("status", "")), str(mime), codes)


def _from_fields(fields: list[str]) -> Capture | None:
    """``url mime status …`` of the older format."""
    return Capture(fields[0], fields[2], fields[1], ()) if len(fields) >= 3 and "://" in fields[0] else None
