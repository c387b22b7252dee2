"""Names of languages: ISO 639-1, 639-2, 639-3 and English names, all stored as the two letters of ISO 639-1.

``languages.tsv`` has a line for each language of ISO 639-1: its code, its three-letter codes and its English names.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Final

from paberki.errors import ConfigError
from paberki.nearest import nearest

_SEVERAL: Final = {"no": ("nb", "nn"), "sh": ("bs", "hr", "sr")}
"""Codes that stand for several languages; the user must name one."""
_SPLIT: Final = (",", ";", "+", " ")


class Language(str):
    """The code of a language in a setting; what stands there is checked when the recipe is read."""

    __slots__ = ()


def language(text: str) -> str:
    """The code of a language that was named in any of these ways; an error that says what was meant."""
    name = str(text).strip()
    code = _names().get(name.lower())
    if code is None:
        raise ConfigError(_unknown(name))
    if code in _SEVERAL:
        raise ConfigError(f"{name!r} stands for several languages; say which: {' or '.join(_SEVERAL[code])}")
    return code


def languages(texts: Iterable[str]) -> tuple[str, ...]:
    """Codes of several languages, each once."""
    return tuple(dict.fromkeys(language(text) for text in texts))


def code_or_same(name: str) -> str:
    """The code of a language by any of its names; other names stay, for models that know more languages than ISO 639-1."""
    return _names().get(name.strip().lower(), name)


def english_name(code: str) -> str:
    """What a language is called: Croatian."""
    return _table()[code][1][0]


def _unknown(name: str) -> str:
    parts = next((name.split(sign) for sign in _SPLIT if sign in name), [])
    languages = [part.strip() for part in parts if part.strip().lower() in _names()]
    if len(languages) > 1:
        return f"{name!r} is not one language; name them one by one: {', '.join(map(repr, languages))}"
    tag = name.strip().lower().replace("_", "-").partition("-")[0]  # sr-Latn, hr_HR
    guess = f"; did you mean {tag!r}?" if tag in _names() else nearest(name.lower(), _names())
    return f"there is no language {name!r}{guess}; known (ISO 639-1): {' '.join(_table())}"


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[list[str], list[str]]]:
    lines = files("paberki.languages").joinpath("languages.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {code: (codes.split("|"), names.split("|")) for code, codes, names in rows}


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    code_of_name: dict[str, str] = {}
    for code, (codes, names) in _table().items():
        for name in (code, *codes, *names):
            code_of_name.setdefault(name.lower(), code)
    return code_of_name


def three_letters(code: str) -> str:
    """The code of ISO 639-3: hrv; a code that is not known stays."""
    return _table()[code][0][0] if code in _table() else code
