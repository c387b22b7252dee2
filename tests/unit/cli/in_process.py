"""The command line in this process: the same words, exit code and output as ``python -m paberki``, without its start-up."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

import typer

from paberki.cli import main
from paberki.cli.app import app

Path = tuple[str, ...]
"""The words of a verb: ``("train", "parser")``."""


class Finished(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output."""
        return json.loads(self.out)


def paberki(*words: object) -> Finished:
    """Run a command."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with _arguments(words), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return Finished(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]


@contextmanager
def _arguments(words: tuple[object, ...]) -> Iterator[None]:
    """Arguments of the process, and its signal handlers as they were."""
    arguments = sys.argv
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    sys.argv = ["paberki", *map(str, words)]
    try:
        yield
    finally:
        sys.argv = arguments
        for number, handler in handlers.items():
            signal.signal(number, handler)


def refused(*words: object) -> str:
    """The one line of a command that must fail."""
    end = paberki(*words)
    assert end.code == 2, end
    assert end.out == ""
    assert end.err.startswith("paberki: ")
    assert end.err.count("\n") == 1, end.err
    return end.err


def verbs() -> list[Path]:
    """Every verb that can be typed, sub-commands with their group."""
    return sorted(_leaves(typer.main.get_command(app), ()))


def _leaves(command: Any, words: Path) -> Iterator[Path]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield words
        return
    for name, one in inner.items():
        yield from _leaves(one, (*words, name))
