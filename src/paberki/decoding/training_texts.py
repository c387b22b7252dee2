"""Reads the texts a model is counted from: JSON lines, CoNLL-U or plain text, also compressed."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

from paberki.errors import ConfigError

_OPENERS: Final[dict[str, Callable[..., Any]]] = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}
_KINDS: Final = (".jsonl", ".conllu", ".txt")
_TEXT_LINE: Final = "# text = "


def read_texts(path: Path) -> Iterator[tuple[str, str]]:
    """Pairs of language and text from a file, or from all such files in a directory.

    JSON lines say ``{"lang": "hr", "text": "…"}``; of CoNLL-U the ``# text`` lines are read. The language of CoNLL-U and
    plain text is the name of the file up to its first full stop: ``hr.web.txt``.
    """
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if _kind(file):
                yield from read_texts(file)
        return
    kind = _kind(path)
    if not kind:
        raise ConfigError(f"{path}: texts come as {', '.join(_KINDS)}, also with .xz, .gz, .bz2")
    try:
        with _open(path) as lines:
            yield from _from_json(lines, path) if kind == ".jsonl" else _from_lines(lines, path, kind)
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error


def _kind(path: Path) -> str | None:
    plain = path.with_suffix("") if path.suffix in _OPENERS else path
    return plain.suffix if plain.suffix in _KINDS else None


def _open(path: Path) -> IO[str]:
    opener = _OPENERS.get(path.suffix)
    if opener is None:
        return path.open(encoding="utf-8")
    return cast("IO[str]", opener(path, "rt", encoding="utf-8"))


def _from_json(lines: IO[str], path: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            yield str(row["lang"]), str(row["text"])
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{path}, line {number}: no JSON object with lang and text") from error


def _from_lines(lines: IO[str], path: Path, kind: str) -> Iterator[tuple[str, str]]:
    language = path.name.partition(".")[0]
    for line in lines:
        if kind == ".txt":
            yield language, line.rstrip("\n")
        elif line.startswith(_TEXT_LINE):
            yield language, line[len(_TEXT_LINE) :].rstrip("\n")
