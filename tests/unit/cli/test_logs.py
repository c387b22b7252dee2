"""``-v`` and ``--log-file`` anywhere on the command line, and errors as JSON."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from paberki.cli.logs import log_options
from paberki.errors import ConfigError


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Loggers are global: leave them as they were."""
    logger = logging.getLogger("paberki")
    before, level = list(logger.handlers), logger.level
    yield
    for handler in logger.handlers:
        if handler not in before:
            handler.close()
    logger.handlers, logger.level = before, level
    logger.manager._clear_cache()  # type: ignore[attr-defined]


def test_options_are_taken_out_wherever_they_stand(tmp_path: Path) -> None:
    words = ["build", "-v", "hr", f"--log-file={tmp_path / 'a.log'}", "--", "-v"]
    assert log_options(words) == ["build", "hr", "--", "-v"]


def test_a_line_for_each_record_and_no_control_characters(tmp_path: Path) -> None:
    file = tmp_path / "a.log"
    assert log_options(["query", "--log-file", str(file), "hr"]) == ["query", "hr"]
    logging.getLogger("paberki.somewhere").warning("a title \x1b[2J\nof a page")
    (line,) = file.read_text("utf-8").splitlines()
    assert line.endswith("Z WARNING paberki.somewhere: a title ␛[2J␊of a page")


@pytest.mark.parametrize("words", [["build", "--log-file"], ["build", "--log-file", "/no/such/place/a.log"]])
def test_a_log_that_cannot_be_written_is_an_error(words: list[str]) -> None:
    with pytest.raises(ConfigError, match="--log-file"):
        log_options(words)


def test_errors_are_json_too() -> None:
    command = [sys.executable, "-m", "paberki", "status", "/no/such/corpus", "--json", "-v"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    answer = json.loads(done.stdout)
    assert answer == {"error": answer["error"], "exit_code": 2}
    first, second = done.stderr.splitlines()
    assert first.endswith(f"ERROR paberki.cli: {answer['error']}")
    assert second == f"paberki: {answer['error']}"
