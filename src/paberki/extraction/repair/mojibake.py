"""UTF-8 that was read as a single-byte encoding, put right again: ``Ä‡`` -> ``ć``, ``â€™`` -> ``’`` (no paper; cf. P5 §3.1 [19]).

Correct text must never be damaged, so a sequence is taken for mojibake only if it could hardly be anything else: a
letter followed by a sign that no letter is followed by (``Ã©``), or capitals inside a word of small letters
(``naÄŤin``). What is merely possible (``Ä‘``) is repaired only where the same block has such proof. Scripts other
than Latin are wrong as a whole or not at all, so their sequences must make up most of what is not ASCII.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from paberki.extraction.repair.edits import Edit, Origins, replaced, substitute

_CODECS: Final = ("cp1252", "cp1250", "iso-8859-2", "cp1251", "cp1254")
_QUOTES: Final = frozenset("‘’“”„‚…–—«»‹› \u00a0")
"""Signs that do follow letters."""
_MARKS: Final = frozenset("®™©°²³¹ªº†‡*")
"""Signs that follow names in capitals: NESTLÉ®."""
_LATIN_LEADS: Final = frozenset((0xC2, 0xC3, 0xC4, 0xC5))
_EASTERN: Final = frozenset(("cp1250", "iso-8859-2"))
_PASSES: Final = 3
"""Text can be damaged more than once."""

_SAMPLE_CHARS: Final = 5_000
"""Characters by which the encoding is chosen."""

_C1: Final = {byte: bytes((byte,)).decode("cp1252", "ignore") for byte in range(0x80, 0xA0)}
_C1_TABLE: Final = {byte: char for byte, char in _C1.items() if char}
_HAS_C1: Final = re.compile("[\x80-\x9f]")


def repair_controls(text: str) -> str:
    """C1 controls, which nobody writes, are the signs that windows-1252 has in their places."""
    return text.translate(_C1_TABLE) if _HAS_C1.search(text) else text


def repair_mojibake(text: str, origins: Origins | None = None) -> str:
    """The text with UTF-8 sequences decoded that stand in it as characters of a single-byte encoding."""
    if text.isascii():
        return text
    for _ in range(_PASSES):
        repaired = _repair_once(text, origins)
        if repaired == text:
            break
        text = repaired
    return text


@dataclass(frozen=True, slots=True)
class _Codec:
    """One encoding that UTF-8 was read in: byte of each character, and a pattern of possible sequences."""

    name: str
    bytes: dict[str, int]
    sequence: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    text: str
    group: int
    sure: bool


@lru_cache(maxsize=8)
def _codec(name: str) -> _Codec:
    chars = {byte: bytes((byte,)).decode(name, "ignore") or chr(byte) for byte in range(0x80, 0x100)}
    follow = "[" + "".join(re.escape(chars[byte]) for byte in range(0x80, 0xC0)) + "]"

    def leads(first: int, last: int) -> str:
        return "[" + "".join(re.escape(chars[byte]) for byte in range(first, last + 1)) + "]"

    pattern = f"{leads(0xC2, 0xDB)}{follow}|{leads(0xE0, 0xEF)}{follow}{{2}}|{leads(0xF0, 0xF3)}{follow}{{3}}"
    return _Codec(name, {char: byte for byte, char in chars.items()}, re.compile(pattern))


@lru_cache(maxsize=1)
def suspicious() -> re.Pattern[str]:
    """Finds any beginning of a sequence in any of the encodings: most texts have none, and need no closer look.

    One set of characters to begin with, which is what Python's regular expressions are quick at.
    """
    lead, follow = leads_and_followers()
    return re.compile(f"[{lead}\x80-\x9f](?:(?<=[\x80-\x9f])|[{follow}]|(?<=[.,;:!?)]Â)(?: |$))")


@lru_cache(maxsize=1)
def _any_sequence() -> re.Pattern[str]:
    """Finds what every hit in any of the encodings begins with: one search instead of one for each."""
    lead, follow = leads_and_followers()
    return re.compile(f"[{lead}][{follow}\u00a0]")


@lru_cache(maxsize=1)
def leads_and_followers() -> tuple[str, str]:
    """Characters that may begin a wrongly decoded sequence, and those that may go on with it."""
    lead: set[str] = set()
    follow: set[str] = set()
    for name in _CODECS:
        chars = {byte: char for char, byte in _codec(name).bytes.items()}
        lead.update(chars[byte] for byte in _possible_leads(name))
        follow.update(chars[byte] for byte in range(0x80, 0xC0))
    return "".join(sorted(lead)), "".join(sorted(follow - {"\u00a0"}))


def _possible_leads(codec: str) -> tuple[int, ...]:
    if codec in _EASTERN:
        return (0xC2, 0xC3, 0xC4, 0xC5, 0xC8, 0xD0, 0xD1, 0xE2)
    if codec == "cp1251":
        return (0xD0, 0xD1, 0xE2)
    if codec == "cp1254":
        return (0xC4, 0xC5)
    return (*range(0xC2, 0xC6), 0xC8, *range(0xCE, 0xD4), *range(0xD7, 0xDC), *range(0xE0, 0xF1))


def _repair_once(text: str, origins: Origins | None) -> str:
    codec = _likeliest(text[:_SAMPLE_CHARS])
    if codec is None:
        return substitute(_STRAY_ACIRC, r"\1", text, origins)
    best = _hits(text, codec)
    groups = {hit.group for hit in best if hit.sure}
    repaired = replaced(text, (Edit(hit.start, hit.end, hit.text) for hit in best if hit.group in groups), origins)
    # The no-break space that ends "Â\xa0" and "Ã\xa0" (à) has become a space like any other.
    repaired = substitute(_LONE_ACIRC, "", repaired, origins)
    return substitute(_LONE_ATILDE, "à", repaired, origins)


def _likeliest(text: str) -> _Codec | None:
    """The encoding with most sequences that could hardly be anything else; of equals the one with most at all."""
    best, most = None, (0, 0)
    if _any_sequence().search(text) is None:
        return None
    for name in _CODECS:
        hits = _hits(text, _codec(name))
        evidence = (sum(hit.sure for hit in hits), len(hits))
        if evidence[0] and evidence > most:
            best, most = _codec(name), evidence
    return best


_STRAY_ACIRC: Final = re.compile(r"([.,;:!?)])Â(?=[ \u00a0]|$)")
_LONE_ACIRC: Final = re.compile(r"(?<!\w)Â(?=[ \u00a0]|$)|(?<=[.,;:!?)])Â")
_LONE_ATILDE: Final = re.compile(r"(?<![^\W\d_])Ã(?=[ \u00a0])|(?<=[a-zß-ÿ])Ã(?=[ \u00a0.,;:]|$)")


def _hits(text: str, codec: _Codec) -> list[_Hit]:
    """All sequences that decode to something plausible; other scripts only if they are most of the text."""
    hits = [hit for match in codec.sequence.finditer(text) if (hit := _hit(text, match, codec)) is not None]
    foreign = [hit for hit in hits if hit.group > 1]
    if not foreign:
        return hits
    inside = sum(hit.end - hit.start for hit in hits)
    total = sum(char in codec.bytes for char in text)
    enough = 4 if codec.name == "cp1251" else 2
    if len(foreign) >= enough and inside >= 0.8 * total:
        return hits
    return [hit for hit in hits if hit.group <= 1]


def _hit(text: str, match: re.Match[str], codec: _Codec) -> _Hit | None:
    source = bytes(codec.bytes[char] for char in match.group())
    if source[0] not in _possible_leads(codec.name):
        return None
    try:
        target = source.decode("utf-8")
    except UnicodeDecodeError:
        return None
    group = _group(target)
    if group is None:
        return None
    start, end = match.span()
    return _Hit(start, end, target, group, _sure(text, start, end, codec, source[0]))


def _group(target: str) -> int | None:
    """0 for Latin letters and signs, 1 for general punctuation and emoji, else the script's part of Unicode."""
    code = ord(target)
    if code < 0x250:
        return 0 if code < 0x180 or 0x218 <= code <= 0x21B else None
    if 0x2000 <= code < 0x2200 or 0xFE00 <= code < 0xFE10 or code == 0xFEFF or code >= 0x1F000:
        return 1
    if code == 0xFFFD or not target.isprintable() or 0x2200 <= code < 0x2E80:
        return None
    return 2 if code >= 0x2E80 else 3 + (code >> 8)


def _sure(text: str, start: int, end: int, codec: _Codec, lead: int) -> bool:
    """Whether the sequence could hardly be anything but mojibake."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    follow = text[start + 1 : end]
    if codec.name == "cp1251":
        return lead in (0xD0, 0xD1) or follow[0] == "Ђ"
    if lead >= 0xE0:
        return (lead == 0xE2 and follow[0] in "€\x80") or any(_is_sign(char) for char in follow)
    if before.islower() and text[start].isupper():
        return lead in _LATIN_LEADS or not follow.isalpha()
    if follow in _MARKS and before.isupper():
        return False
    if lead == 0xC8:
        return after.islower() or before.islower()
    return _is_sign(follow) or (follow.isupper() and after.islower() and before.islower())


def _is_sign(char: str) -> bool:
    return not char.isalpha() and char not in _QUOTES
