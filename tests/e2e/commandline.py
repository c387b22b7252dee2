"""The command line as people use it: a process of its own, with its exit code and what it says."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import paberki as library
from corpora import article

HTTP = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"


class Done(NamedTuple):
    """A finished command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def paberki(*words: object, timeout: float = 120, cwd: Path | None = None, limit_file_size: int = 0) -> Done:
    """Run ``python -m paberki …``; ``limit_file_size`` is in kilobytes."""
    command = [sys.executable, "-m", "paberki", *(str(word) for word in words)]
    if limit_file_size:
        command = ["bash", "-c", f'ulimit -f {limit_file_size}; exec "$@"', "bash", *command]
    env = {**os.environ, "COLUMNS": "200", "PYTHONWARNINGS": "default"}
    done = subprocess.run(command, capture_output=True, timeout=timeout, cwd=cwd, env=env, stdin=subprocess.DEVNULL)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def fine(*words: object, **options: Any) -> Done:
    """The same, for commands that must succeed without a word on standard error."""
    done = paberki(*words, **options)
    assert done.code == 0, done.err
    assert done.err == ""
    return done


PROGRESS = re.compile(r"^[^:]+: .* left$")
"""A line about progress, which a slow machine has time to print."""


def refused(*words: object, code: int = 2, **options: Any) -> str:
    """The one line that a command says when it cannot do what it was asked."""
    done = paberki(*words, **options)
    assert done.code == code, done
    *progress, line = done.err.splitlines(keepends=True)
    assert all(PROGRESS.search(one) for one in progress), done.err
    assert line.startswith("paberki: ")
    assert "Traceback" not in done.err
    if "--json" in words:
        assert json.loads(done.out)["exit_code"] == code
    else:
        assert done.out == ""
    return line


def record(
    url: str | None, body: bytes, *, kind: str = "response", date: str | None = "2020-01-02T03:04:05Z",
    length: int | None = None, mime: str = "application/http; msgtype=response", extra: str = "",
) -> bytes:  # fmt: skip
    """One WARC record; ``length`` lies about its block."""
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\n"
    head += f"WARC-Target-URI: {url}\r\n" if url is not None else ""
    head += f"WARC-Date: {date}\r\n" if date is not None else ""
    head += f"WARC-Record-ID: <urn:uuid:{random.Random(url).randbytes(16).hex()}>\r\nContent-Type: {mime}\r\n{extra}"
    head += f"Content-Length: {len(body) if length is None else length}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def response(html: bytes, extra: str = "") -> bytes:
    """An HTTP response."""
    return f"{HTTP}{extra}\r\n".encode() + html


def good(url: str, seed: int) -> bytes:
    """A WARC record with an article."""
    return record(url, response(article(seed).encode()))


def packed(*records: bytes) -> bytes:
    """Records compressed one by one."""
    return b"".join(gzip.compress(one, 6, mtime=0) for one in records)


def rows(root: Path, what: str = "*") -> list[dict[str, Any]]:
    """All pages of a built corpus."""
    return list(fine("sql", root, f"select {what} from pages order by id", "--json").json)


def new(root: Path, *sources: Path, lang: str = "hr") -> Path:
    """A corpus with sources imported; in this process, since a verb takes half a second to start."""
    library.new(root, lang=lang).add(sources)
    return root


def left_overs(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.name.startswith((".tmp-", ".wrapping")) or ".part" in path.name]
