"""Crawl, build and status as they look on a terminal: a real one, in pairs of a running command and one that watches."""

from __future__ import annotations

import fcntl
import gzip
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import fine

from paberki.demo.web import MiniWeb
from paberki.store.directory import Directory
from paberki.store.lock import holder

pytestmark = pytest.mark.waits

_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PATIENCE = 240.0
"""Seconds; kernels may have to be compiled first."""


class Terminal:
    """A command on a terminal of its own; what it writes is read all the time, or it would wait for its reader."""

    def __init__(self, *arguments: object) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "paberki", *map(str, arguments)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "LINES": "24", "COLUMNS": "80"},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self._raw = b""
        self._waited_to = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, *words: str) -> None:
        """Wait until all words were shown, behind those that were waited for before."""
        until = time.monotonic() + PATIENCE
        while True:
            is_open, seen = self._reader.is_alive(), self._seen()
            missing = [word for word in words if word not in seen]
            if not missing:
                break
            assert is_open, f"ended without {missing}: {seen[-3000:]}"
            assert time.monotonic() < until, f"{missing} not in: {seen[-3000:]}"
            self._reader.join(0.1)
        self._waited_to += max(seen.index(word) + len(word) for word in words)

    def wait_until_locked(self, lock: Path) -> None:
        until = time.monotonic() + PATIENCE
        while holder(lock) is None:
            assert self._reader.is_alive(), self._seen()[-3000:]
            assert time.monotonic() < until, self._seen()[-3000:]
            time.sleep(0.05)

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def end(self) -> int:
        """The exit code, after the command ended by itself."""
        code = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join(PATIENCE)
        os.close(self._master)

    def _seen(self) -> str:
        return _CONTROLS.sub("", self._raw.decode("utf-8", "replace"))[self._waited_to :]

    def _read(self) -> None:
        while True:
            try:
                self._raw += os.read(self._master, 1 << 16)
            except OSError:  # all who held the other side are gone
                return


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for one in opened:
        one.close()


def test_dashboards(terminals: list[Terminal], tmp_path: Path) -> None:
    root, seeds = tmp_path / "hr", tmp_path / "seeds.txt"

    def on_terminal(*arguments: object) -> Terminal:
        terminals.append(Terminal(*arguments))
        return terminals[-1]

    with MiniWeb(loopback_range=True) as web:
        seeds.write_text("\n".join(f"http://{where.ip}:{where.port}/" for where in web.addresses.values()))
        fine("new", root, "--lang", "hr", "--seeds", seeds, "--everywhere")
        crawl = on_terminal("crawl", root, "--delay", "0.3", "--ip-delay", "0", "--allow-network", web.network)
        crawl.wait_for("shown to servers")
        crawl.type(b"https://example.hr/crawler\n")
        crawl.wait_for("pages/s", "good/s", "harvest", "queue", "host", "lost to", "failed")
        shown = fine("status", root).out
        assert "crawling: process" in shown
        assert "pages/s" in shown
        watch = on_terminal("status", root, "--watch")
        watch.wait_for("crawling: process", "good/s", "lost to", "failed", "127.")
        crawl.type(b"\x03")
        crawl.wait_for("next: paberki build")
        assert crawl.end() == 0
        assert watch.end() == 0
    archive = b"".join(gzip.decompress(path.read_bytes()) for path in root.glob("warc/*.gz"))
    assert b" (+https://example.hr/crawler)\r\n" in archive
    build = on_terminal("build", root, "--jobs", "1")
    build.wait_until_locked(Directory.open(root).lock("layers"))
    build.signal(signal.SIGSTOP)  # or it might be over before anybody looks
    watch = on_terminal("status", root, "--watch")
    watch.wait_for("building: process")
    build.signal(signal.SIGCONT)
    assert build.end() == 0
    assert watch.end() == 0
    assert "kept:" in fine("status", root).out
