"""``paberki serve`` as a process of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode


@dataclass
class Server:
    """A served corpus."""

    root: Path
    port: int
    process: subprocess.Popen[bytes]

    def url(self, path: str = "/", **parameters: Any) -> str:
        return f"http://127.0.0.1:{self.port}{path}" + (f"?{urlencode(parameters, doseq=True)}" if parameters else "")

    def json(self, path: str, **parameters: Any) -> Any:
        with urllib.request.urlopen(self.url(f"/api/v1/{path}", **parameters), timeout=60) as answer:
            return json.load(answer)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def serve(root: Path, *options: str, port: int = 0) -> Server:
    """Start a server, at a free port or a given one, and wait until it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = port or probe.getsockname()[1]
    command = [sys.executable, "-m", "paberki", "serve", str(root), "--port", str(port), "--quiet", *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    server = Server(root, port, process)
    for _ in range(300):
        try:
            urllib.request.urlopen(server.url("/healthz"), timeout=5).close()
            return server
        except OSError:
            time.sleep(0.1)
    server.stop()
    raise AssertionError("the server does not answer")
