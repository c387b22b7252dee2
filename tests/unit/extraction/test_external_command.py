"""External commands: input, output, limits, and that nothing of them stays behind."""

from __future__ import annotations

import sys
import time

import psutil
import pytest

from paberki.errors import ConfigError, InputError
from paberki.extraction.external_command import run


def test_what_goes_in_comes_out():
    assert run(["cat"], "čšž".encode() * 100_000, seconds=20, max_bytes=1 << 20) == "čšž".encode() * 100_000
    assert run(["tr", "a-z", "A-Z"], b"abc", seconds=20, max_bytes=10) == b"ABC"


def test_no_shell_reads_the_command():
    assert run(["echo", "$HOME; echo x"], b"", seconds=20, max_bytes=100) == b"$HOME; echo x\n"


def test_time_is_limited_and_children_end_too():
    began = time.monotonic()
    with pytest.raises(InputError, match="took"):
        run(["sh", "-c", "sleep 987 & sleep 987"], b"", seconds=0.3, max_bytes=10)
    assert time.monotonic() - began < 30
    while time.monotonic() - began < 30 and any(
        one.info["cmdline"] == ["sleep", "987"] and one.info["status"] != psutil.STATUS_ZOMBIE
        for one in psutil.process_iter(["cmdline", "status"])
    ):
        time.sleep(0.05)
    assert time.monotonic() - began < 30, "a child of the command is still there"


def test_output_is_limited():
    with pytest.raises(InputError, match="more than 1000 bytes"):
        run(["yes"], b"", seconds=20, max_bytes=1000)


def test_failure_is_said():
    with pytest.raises(InputError, match="code 3"):
        run([sys.executable, "-c", "raise SystemExit(3)"], b"", seconds=30, max_bytes=10)
    with pytest.raises(ConfigError, match="no-such-program"):
        run(["no-such-program"], b"", seconds=1, max_bytes=10)
