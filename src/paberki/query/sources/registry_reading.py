"""Registry files of Sketch Engine (Manatee) and of CWB: which attributes a corpus has, in which order.

Manatee's says more: the vertical file, the language, which attributes hold several values. Of CWB's the names of attributes are
taken; its corpora are binary, so that the vertical file is named beside it.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from paberki.errors import InputError

_WORD: Final = re.compile(r'\s*(?:#[^\n]*|("(?:[^"\\]|\\.)*")|([{}])|([^\s{}"#]+))')
_LARGEST: Final = 1 << 20
_PRINTING: Final = frozenset({"cat", "gzip", "gunzip", "zcat", "zstd", "zstdcat", "xz", "xzcat"})
"""Commands that print one file; none is run, since we unpack files ourselves."""
_OF_SHELL: Final = frozenset("*?[]|;&<>$`")
_YES: Final = frozenset({"y", "yes", "1"})


@dataclass(slots=True)
class Registry:
    """What a registry file says."""

    attributes: list[str] = field(default_factory=list)
    """Names of the columns; a star marks those that hold several values."""
    vertical: Path | None = None
    name: str = ""
    lang: str = ""
    separators: dict[str, str] = field(default_factory=dict)
    """What stands between several values, where it is not ``|``."""


def looks_like_registry(path: Path) -> bool:
    """Whether a file is a registry: small, with a line for at least one attribute, and without tags."""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return False
        text = path.read_text("utf-8", "replace")
    except OSError:
        return False
    return bool(re.search(r"^\s*ATTRIBUTE\s+\S", text, re.MULTILINE)) and not re.search(r"^<\w", text, re.MULTILINE)


def read_registry(path: Path) -> Registry:
    """Read a registry file of either kind."""
    try:
        text = path.read_text("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    registry = Registry()
    words = _words(text)
    at = 0
    while at < len(words):
        key, value = words[at].upper(), words[at + 1] if at + 1 < len(words) else ""
        body: dict[str, str] = {}
        step = 2
        if at + 2 < len(words) and words[at + 2] == "{":
            end = _closing(words, at + 2)
            body, step = _body(words[at + 3 : end]), end + 1 - at
        _take(registry, path, key, value, body)
        at += step
    if not registry.attributes:
        raise InputError(f"{path}: a registry file without attributes; lines such as 'ATTRIBUTE word' name them")
    return registry


def _words(text: str) -> list[str]:
    """Words, strings without their quotes, and braces; comments are left out."""
    words = []
    for string, brace, plain in _WORD.findall(text):
        if string or brace or plain:
            words.append(re.sub(r"\\(.)", r"\1", string[1:-1]) if string else brace or plain)
    return words


def _closing(words: list[str], at: int) -> int:
    depth = 0
    for place in range(at, len(words)):
        depth += (words[place] == "{") - (words[place] == "}")
        if depth == 0:
            return place
    return len(words)


def _body(words: list[str]) -> dict[str, str]:
    """Pairs of a block; blocks within it (attributes of structures, which tags tell as well) are not needed."""
    pairs: dict[str, str] = {}
    at = 0
    while at + 1 < len(words):
        pairs.setdefault(words[at].upper(), words[at + 1])
        at = _closing(words, at + 2) + 1 if at + 2 < len(words) and words[at + 2] == "{" else at + 2
    return pairs


def _take(registry: Registry, path: Path, key: str, value: str, body: dict[str, str]) -> None:
    if key == "ATTRIBUTE" and "DYNAMIC" not in body:
        several = body.get("MULTIVALUE", "").lower() in _YES
        registry.attributes.append(value + "*" * several)
        if several and body.get("MULTISEP", "|") != "|":
            registry.separators[value] = body["MULTISEP"]
    elif key == "VERTICAL" and value and (name := _file_name(value)):
        registry.vertical = path.parent / name
    elif key == "NAME":
        registry.name = value
    elif key == "LANGUAGE":
        registry.lang = value


def _file_name(value: str) -> str:
    """The file that a value names, or that a command of one word and its options prints; empty for other commands."""
    if not value.startswith("|"):
        return value
    try:
        command, *words = shlex.split(value[1:])
    except ValueError:
        return ""
    names = [word for word in words if not word.startswith("-")]
    return names[0] if command in _PRINTING and len(names) == 1 and not _OF_SHELL & set(names[0]) else ""
