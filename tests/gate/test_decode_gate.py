"""Floors for finding encodings, on sentences written for the bundled mini-web: they may rise, not fall."""

from __future__ import annotations

import random
import re
from importlib.resources import files

import pytest

from paberki.decoding import decode

ENCODINGS = {
    "hr": ("cp1250", "iso8859-2", "cp852"),
    "sl": ("cp1250", "iso8859-2"),
    "sr": ("cp1250", "iso8859-2"),
    "cs": ("cp1250", "iso8859-2"),
    "de": ("cp1252", "mac-roman"),
    "ja": ("cp932", "euc_jp", "iso2022_jp"),
}
LIES = ("utf-8", "iso-8859-1", "windows-1250", "iso-8859-2", "windows-1251", "shift_jis", "gb2312")
FLOORS = {"sentence": 0.995, "page": 1.0, "lie": 1.0, "utf-16": 1.0, "damaged": 0.99}


def _sentences(language: str) -> list[str]:
    """Templates as they stand: slots and alternatives are markup like any other."""
    pool = files("paberki.demo").joinpath("texts", f"{language}.txt").read_text("utf-8")
    lines = [line[2:] for line in pool.splitlines() if line.startswith("- ")]
    return [re.sub(r"\{[^}]*\}", "12", line).replace("[", "").replace("]", "").replace("|", " ") for line in lines]


def _page(lines: list[str], label: str = "") -> str:
    meta = f'<meta charset="{label}">' if label else ""
    body = "".join(f"<p>{line}</p>\n" for line in lines)
    return f"<!doctype html><html><head>{meta}<title>{lines[0][:40]}</title></head><body>{body}</body></html>"


def _cases(kind: str, language: str) -> list[tuple[bytes, str | None, str]]:
    dice = random.Random(f"{kind} {language}")
    lines = [line for line in _sentences(language) if not line.isascii()]
    found: list[tuple[bytes, str | None, str]] = []
    for codec in ENCODINGS[language]:
        fitting = [line.encode(codec, "ignore").decode(codec) for line in lines]
        pages = [fitting[at : at + 5] for at in range(0, len(fitting) - 5, 5)]
        if kind == "sentence":
            found += [(line.encode(codec), None, line) for line in fitting if codec not in ("cp852", "mac-roman")]
        elif kind == "page":
            found += [(_page(one).encode(codec), None, _page(one)) for one in pages]
        elif kind == "lie":
            for one in pages:
                lie, other = dice.sample(LIES, 2)
                found += [(_page(one, lie).encode(codec), None, _page(one, lie))]
                found += [(_page(one, lie).encode(codec), other, _page(one, lie))]
    if kind == "utf-16":
        found += [(line.encode(codec), None, line) for line in lines for codec in ("utf-16-le", "utf-16-be")]
    if kind == "damaged":
        for at in range(0, len(lines) - 3, 3):
            data = bytearray(_page(lines[at : at + 3]).encode())
            for _ in range(dice.randint(1, 3)):
                data[dice.randrange(len(data))] = dice.randrange(0x80, 0x100)
            found.append((bytes(data), None, bytes(data).decode("utf-8", "replace")))
    return found


@pytest.mark.parametrize("kind", FLOORS)
def test_floor(kind: str) -> None:
    cases = [(language, *case) for language in ENCODINGS for case in _cases(kind, language)]
    wrong = [
        (language, data[:60]) for language, data, http, text in cases if decode(data, http_charset=http).text != text
    ]
    assert len(cases) > 100
    assert 1 - len(wrong) / len(cases) >= FLOORS[kind], wrong[:10]
