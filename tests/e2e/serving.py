"""``paberki serve`` in a process of its own, and a plain HTTP client for it."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import urlencode


class Answer(NamedTuple):
    """What a server said."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Serving:
    """A server on a free port of loopback."""

    def __init__(self, *words: object) -> None:
        command = [sys.executable, "-m", "paberki", "serve", *map(str, words), "--port", "0", "--json"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
        )
        self.port = self._port()

    def _port(self) -> int:
        assert self.process.stdout is not None
        text, until = b"", time.monotonic() + 60
        while b"}" not in text:
            if time.monotonic() > until or self.process.poll() is not None:
                self.process.kill()
                raise AssertionError(self.process.communicate())
            if select.select([self.process.stdout], [], [], 1)[0]:
                text += os.read(self.process.stdout.fileno(), 65536)
        return int(json.loads(text)["address"].rstrip("/").rpartition(":")[2])

    def __enter__(self) -> Serving:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        try:
            connection.request(method, path, content, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, name: str, **parameters: Any) -> Answer:
        """An address of the API; ``from_`` is the parameter ``from``."""
        pairs = {key.rstrip("_"): value for key, value in parameters.items()}
        return self.ask("GET", f"/api/v1/{name}?{urlencode(pairs)}" if pairs else f"/api/v1/{name}")

    def fine(self, name: str, **parameters: Any) -> Any:
        """The content of an answer that must be good."""
        answer = self.get(name, **parameters)
        assert answer.status == 200, answer.body[:500]
        return answer.json

    def post(self, name: str, body: Any, method: str = "POST") -> Answer:
        """A request with the token of the server's pages."""
        return self.ask(
            method, f"/api/v1/{name}", body, {"X-Paberki-Token": self.token, "Content-Type": "application/json"}
        )

    @property
    def token(self) -> str:
        """The token in the head of every page."""
        page = self.ask("GET", "/").body.decode()
        match = re.search(r'<meta[^>]*name="paberki-token"[^>]*content="([^"]+)"', page)
        assert match, page[:500]
        return match[1]

    def end(self, number: int = signal.SIGTERM, seconds: float = 12) -> tuple[int, float, str]:
        """Exit code, seconds until the end, and what was said on standard error."""
        began = time.monotonic()
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, time.monotonic() - began, err
