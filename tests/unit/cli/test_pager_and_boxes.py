"""What a person at a terminal gets and a program does not: a pager, links, boxes with types."""

from __future__ import annotations

import os
import pty
import sys
from pathlib import Path

import pytest

ROWS = 24


def at_terminal(*words: str, **environment: str) -> tuple[int, str]:
    """Exit code and output of a command that thinks it is on a terminal of 24 lines."""
    process, terminal = pty.fork()
    if not process:
        os.environ.update(
            {"TERM": "xterm-256color", "LINES": str(ROWS), "COLUMNS": "100", "PAGER": "cat", **environment}
        )
        os.execv(sys.executable, [sys.executable, "-m", "paberki", *words])
    output = b""
    try:
        while data := os.read(terminal, 65536):
            output += data
    except OSError:  # the other end is closed
        pass
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), output.decode().replace("\r\n", "\n")


def test_a_long_answer_goes_through_the_pager_of_the_user() -> None:
    code, output = at_terminal("columns", PAGER="sed s/^/|/")
    lines = output.splitlines()
    assert code == 0
    assert len(lines) > ROWS
    assert all(line.startswith("|") for line in lines)
    assert "\x1b[1m" in output


def test_a_short_answer_does_not() -> None:
    code, output = at_terminal("decode", "--help", PAGER="sed s/^/|/", LINES="200")
    assert code == 0
    assert output.startswith("Usage:")


@pytest.mark.parametrize("pager", ["head -1", "no-such-program-anywhere", ""])
def test_whatever_the_pager_does_the_command_ends_well(pager: str) -> None:
    code, output = at_terminal("columns", PAGER=pager)
    assert code == 0
    assert "layer" in output
    assert (len(output.splitlines()) > ROWS) == (pager != "head -1")


def test_an_error_is_said_behind_the_pager(tmp_path: Path) -> None:
    code, output = at_terminal("peek", str(tmp_path / "none"), PAGER="sed s/^/|/")
    assert code == 2
    assert output.startswith("paberki: ")


def test_addresses_can_be_clicked_and_boxes_tell_types(corpus: Path) -> None:
    assert "\x1b]8;" in at_terminal("peek", str(corpus), "-n", "1", NO_COLOR="")[1]
    box = at_terminal("sql", str(corpus), "select host, keep, null as gap from pages", NO_COLOR="1")[1]
    assert "varchar" in box
    assert "boolean" in box
    assert "NULL" in box
