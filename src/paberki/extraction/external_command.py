"""External commands as a stage: a page goes in on standard input, what comes out is a column (P5 §3 [26]).

For tools that paberki does not have: another extractor, a language guesser, a cleaner of one's own. The command is
started once per page, without a shell, in a session of its own; time and output are limited, and a page on which it
fails has the error in its row.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from paberki.corpus_file import CommandWord
from paberki.errors import ConfigError, InputError
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

_READ_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalConfig:
    """Which command, and what it is given."""

    command: tuple[CommandWord, ...] = ()
    """Program and arguments; no shell reads them. Without a command the column is empty."""
    input: Literal["payload", "decoded", "text"] = "decoded"
    """What it reads: the bytes of the page, the page decoded (UTF-8), or the text that extraction kept."""
    seconds: float = 10.0
    """Longest time for one page."""
    max_bytes: int = 4 << 20
    """Longest output for one page."""


def _fault(config: ExternalConfig) -> str:
    """An error message if the program does not exist."""
    if config.command and shutil.which(config.command[0].argument()) is None:
        return f"command: the program {str(config.command[0])!r} is not found"
    return ""


@map_stage(
    "external.command.v1",
    layer="external",
    needs=("payload", "decoded", "extract.blocks.text", "extract.blocks.kept"),
    adds=builtin("external"),
    config=ExternalConfig,
    fault=_fault,
    programs=lambda config: [str(word) for word in config.command[:1]],
)
def external(batch: Batch, config: ExternalConfig) -> Columns:
    """What an external command makes of each page (P5 §3: arbitrary commands around the input)."""
    if not config.command:
        return {"external": [None] * len(batch)}
    return {
        "external": [
            None if page_input is None else _answer(page_input, config) for page_input in _inputs(batch, config)
        ]
    }


def _inputs(batch: Batch, config: ExternalConfig) -> Sequence[bytes | None]:
    if config.input == "payload":
        return list(batch["payload"])
    if config.input == "decoded":
        return [None if text is None else text.encode("utf-8", "replace") for text in batch["decoded"]]
    kept_blocks = kept_texts(batch.arrow("extract.blocks.text"), batch.arrow("extract.blocks.kept"))
    return ["\n".join(kept_blocks.of_page(page)).encode("utf-8", "replace") for page in range(len(batch))]


def _answer(page_input: bytes, config: ExternalConfig) -> str:
    return run(
        [word.argument() for word in config.command], page_input, seconds=config.seconds, max_bytes=config.max_bytes
    ).decode("utf-8", "replace")


def run(command: Sequence[str], page_input: bytes, *, seconds: float, max_bytes: int) -> bytes:
    """Output of a command for some input; an error if it fails, takes too long or says too much."""
    with tempfile.TemporaryFile() as source:
        source.write(page_input)
        source.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - the recipe names the command, and no shell reads it
                list(command), stdin=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
            )
        except OSError as error:
            raise ConfigError(f"{command[0]}: cannot be started ({error.strerror})") from error
        try:
            output = _read_output(process, time.monotonic() + seconds, max_bytes, command[0])
            code = process.wait(timeout=max(0.1, seconds))
        except subprocess.TimeoutExpired as error:
            raise InputError(f"{command[0]}: took longer than {seconds:g} s") from error
        finally:
            _end(process)
    if code:
        raise InputError(f"{command[0]}: ended with code {code}")
    return output


def _read_output(process: subprocess.Popen[bytes], until: float, max_bytes: int, name: str) -> bytes:
    assert process.stdout is not None
    parts: list[bytes] = []
    size = 0
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        while True:
            remaining_seconds = until - time.monotonic()
            if remaining_seconds <= 0 or not ready.select(remaining_seconds):
                raise InputError(f"{name}: took too long")
            part = os.read(process.stdout.fileno(), _READ_BYTES)
            if not part:
                return b"".join(parts)
            size += len(part)
            if size > max_bytes:
                raise InputError(f"{name}: gave more than {max_bytes} bytes")
            parts.append(part)


def _end(process: subprocess.Popen[Any]) -> None:
    """End the command with all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
