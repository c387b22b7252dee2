"""Byte-level cases for encoding detection, made from plain texts: deterministic, and right only if the text comes back.

Every text is encoded in the legacy encodings of its language, as a page and as plain text of 40, 200 and 1,500
characters; without a declaration, with a wrong one (meta, HTTP, both), in UTF-8 with one to three damaged bytes, and in
UTF-16 without a mark.
"""

from __future__ import annotations

import json
import lzma
import random
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENCODINGS = {
    **dict.fromkeys(("hr", "bs", "sl", "sr-Latn", "cs", "sk", "pl", "hu", "ro"), "cp1250 iso8859-2"),
    **dict.fromkeys(("de", "fr", "en", "sv"), "cp1252"),
    "ru": "cp1251 koi8-r iso8859-5 cp866",
    "uk": "cp1251 koi8-u iso8859-5",
    "sr-Cyrl": "cp1251 iso8859-5",
    "el": "cp1253 iso8859-7",
    "tr": "cp1254",
    "ja": "cp932 euc_jp iso2022_jp",
    "zh": "gb18030",
    "zh-Hant": "big5",
    "ko": "cp949",
}
LIES = ("utf-8", "iso-8859-1", "windows-1250", "iso-8859-2", "windows-1251", "koi8-r", "shift_jis", "gb2312", "euc-kr")
_COMMA_TO_CEDILLA = str.maketrans("șțȘȚ", "şţŞŢ")


@dataclass(frozen=True, slots=True)
class Case:
    """Bytes, what HTTP says about them, and the text that must come out."""

    kind: str
    language: str
    codec: str
    data: bytes
    http: str | None
    text: str


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Rows of a compressed file of JSON lines."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def half(name: str) -> int:
    """0 or 1 by the name of a document, so that all languages of one page fall on one side."""
    return zlib.crc32(name.encode()) & 1


def _fitting(text: str, codec: str) -> str:
    if codec in ("cp1250", "iso8859-2"):
        text = text.translate(_COMMA_TO_CEDILLA)
    return text.encode(codec, "ignore").decode(codec)


def page(text: str, label: str | None = None, title: str = "") -> str:
    """A plain web page."""
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={label}">' if label else ""
    style = "<style>body { margin: 0 } .menu a { color: #336699 }</style><script>var a = 1; if (a < 2) go();</script>"
    body = "\n".join(f'<p class="text">{line}</p>' for line in text.split("\n"))
    links = '<ul class="menu"><li><a href="/index.html">Home</a></li><li><a href="/news/">News</a></li></ul>'
    return f"<html><head>{meta}<title>{title or text[:50]}</title>{style}</head>\n<body>{links}<div>{body}</div></body></html>"


def damaged(data: bytes, dice: random.Random) -> bytes:
    """One to three bytes changed to something else, or lost."""
    copy = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(copy))
        if dice.random() < 0.5:
            high = [place for place, value in enumerate(copy) if value > 0x7F]
            at = dice.choice(high) if high else at
        if dice.random() < 0.3:
            del copy[at]
        else:
            copy[at] = dice.randrange(0x80, 0x100)
    return bytes(copy)


def cases_of(text: str, language: str, name: str) -> Iterator[Case]:
    """All cases of one text."""
    dice = random.Random(f"{name} {language}")
    for codec in (*ENCODINGS[language].split(), "utf-8"):
        fit = _fitting(text, codec)
        start = dice.randrange(max(1, len(fit) - 300))
        title = fit[start : start + 40]
        plain = {"s40": title, "s200": fit[start : start + 200], "s1500": fit[:1500], "page": page(fit)}
        for kind, piece in plain.items():
            yield Case(kind, language, codec, piece.encode(codec), None, piece)
        lie, other = dice.sample([label for label in LIES if not _same(label, codec)], 2)
        for kind, label, http in (("meta", lie, None), ("http", None, other), ("both", lie, other)):
            piece = page(fit, label)
            yield Case(f"lie-{kind}", language, codec, piece.encode(codec), http, piece)
    for piece in (page(text), page(text, "utf-8"), text[:1500], text[:200]):
        data = damaged(piece.encode(), dice)
        yield Case("damaged", language, "utf-8", data, None, data.decode("utf-8", "replace"))
    for codec in ("utf-16-le", "utf-16-be"):
        for piece in (page(text), text[:200]):
            yield Case("utf-16", language, codec, piece.encode(codec), None, piece)


def _same(label: str, codec: str) -> bool:
    from paberki.decoding import resolve

    return resolve(label) == codec or {label, codec} == {"koi8-r", "koi8-u"}


def own_cases(data: Path, *, side: int = 1, per_language: int = 24) -> list[Case]:
    """Cases from the documents of one side, and from sentences."""
    cases: list[Case] = []
    counts: dict[str, int] = {}
    for row in read_jsonl(data / "encoding" / "texts.dev.jsonl.xz"):
        language = row["lang"]
        name = row["name"].partition("|")[2]
        if language == "zh" and _traditional(row["text"]):
            language = "zh-Hant"
        if half(name) == side and counts.setdefault(language, 0) < per_language:
            counts[language] += 1
            cases += cases_of(row["text"], language, row["name"])
    return cases


def _traditional(text: str) -> bool:
    return sum(text.count(char) for char in "這們個國來時說為會對") > sum(
        text.count(char) for char in "这们个国来时说为会对"
    )


def sentence_cases(data: Path, per_language: int = 120) -> list[Case]:
    """Sentences as they stand, undeclared."""
    cases: list[Case] = []
    counts: dict[str, int] = {}
    for row in read_jsonl(data / "langid" / "ud_sentences_dev.jsonl.xz"):
        for language in {"sr": ("sr-Latn",)}.get(row["lang"], (row["lang"],)):
            if language not in ENCODINGS or counts.setdefault(language, 0) >= per_language:
                continue
            counts[language] += 1
            for codec in ENCODINGS[language].split():
                fit = _fitting(row["text"], codec)
                cases.append(Case("sentence", language, codec, fit.encode(codec), None, fit))
    return cases


def real_cases(data: Path) -> list[Case]:
    """Pages as found on the web that are neither ASCII nor valid UTF-8, with the encoding under which their text was found."""
    cases: list[Case] = []
    for archive in sorted((data / "extraction").glob("*.tar.xz")):
        with tarfile.open(archive) as tar:
            members = {member.name: member for member in tar.getmembers()}
            listing = tar.extractfile("gold.jsonl")
            assert listing
            for line in listing.read().decode().splitlines():
                row = json.loads(line)
                file = tar.extractfile(members[f"html/{row['file']}"])
                assert file
                cases += _real(file.read(), row, archive.name.partition(".")[0])
    return cases


def labelled_cases(folder: Path) -> list[Case]:
    """Pages in folders named ``iso-8859-2-czech`` or ``KOI8-R``, as far as the encoding is one of those that cases have."""
    from paberki.decoding import decode_as, resolve

    codecs_known = {"utf-8", *(codec for codecs in ENCODINGS.values() for codec in codecs.split())}
    cases: list[Case] = []
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        label, language = place.name.lower(), ""
        codec = resolve(label)
        while codec is None and "-" in label:
            label, _, language = label.rpartition("-")
            codec = resolve(label)
        if codec in codecs_known:
            for file in sorted(place.iterdir()):
                data = file.read_bytes()
                text = decode_as(data, codec).removeprefix("\ufeff")
                cases.append(Case("labelled", f"{language} {file.name}", codec, data, None, text))
    return cases


def _real(payload: bytes, row: dict[str, Any], name: str) -> list[Case]:
    from paberki.decoding import decode_as, resolve

    codec = resolve(row["enc"]) or row["enc"]
    if codec == "utf-8":  # gold text in ASCII only, found under any label: says nothing
        return []
    try:
        payload.decode("utf-8")
        return []
    except UnicodeDecodeError:
        return [
            Case("real", f"{row.get('lang')} {name} {row['file']}", codec, payload, None, decode_as(payload, codec))
        ]
