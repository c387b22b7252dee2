"""Another tool chain, run as a command beside a build: what it keeps of an archive, and the CPU time that takes.

The command gets the archive and the language, as ``{warc}`` and ``{lang}`` or, if it names neither, as its last two
arguments. It prints a JSON line for each page that it keeps: ``url`` and ``text``, and ``comments`` where it tells them
apart. No shell is involved.
"""

from __future__ import annotations

import json
import resource
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from paberki.errors import ConfigError, InputError
from paberki.extraction.evaluation.corpus_scores import CorpusPage


def run_peer(command: str, warc: Path, lang: str) -> tuple[dict[str, CorpusPage], float]:
    """The pages that a command keeps, by address, and its CPU seconds."""
    words = _words(command, warc, lang)
    before = children_seconds()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            end = subprocess.run(words, stdout=output, stderr=errors, stdin=subprocess.DEVNULL, check=False)  # noqa: S603 - the user typed it
        except OSError as error:
            raise ConfigError(f"--peer: {words[0]} cannot be run ({error.strerror})") from error
        if end.returncode:
            raise ConfigError(f"--peer: {words[0]} ended with code {end.returncode}: {_last_line(errors)}")
        seconds = children_seconds() - before
        output.seek(0)
        return dict(_pages(output, words[0])), seconds


def children_seconds() -> float:
    """CPU seconds of all processes that were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _words(command: str, warc: Path, lang: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"--peer: {command!r} is not a command ({error})") from error
    if not words:
        raise ConfigError("--peer: no command is given")
    if not any("{warc}" in word or "{lang}" in word for word in words):
        words += ["{warc}", "{lang}"]
    return [word.replace("{warc}", str(warc)).replace("{lang}", lang) for word in words]


def _pages(output: IO[bytes], name: str) -> Iterator[tuple[str, CorpusPage]]:
    for number, line in enumerate(output, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text, comments = str(row["text"] or ""), str(row.get("comments") or "")
            url = str(row["url"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"--peer: line {number} that {name} printed is not a JSON object with url and text ({error!r})"
            ) from error
        if text.strip() or comments.strip():
            yield url, CorpusPage([text, comments], frozenset([1]))


def _last_line(file: IO[bytes]) -> str:
    file.seek(0, 2)
    file.seek(max(0, file.tell() - 2000))
    lines = file.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
