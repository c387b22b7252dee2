"""A small web on loopback: real sockets, hosts told apart by name, every request noted."""

from __future__ import annotations

import itertools
import socket
import socketserver
import ssl
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # fastwarc deprecates its own modules while importing them
    from fastwarc.warc import ArchiveIterator, WarcRecordType

_numbers, _raw_numbers = itertools.count(1), itertools.count(1)
FILES = ("/robots.txt", "/.well-known/tdmrep.json", "/ai.txt")


@dataclass
class Answer:
    body: bytes | str = b""
    status: int = 200
    type: str | None = "text/html"
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    chunked: bool = False
    cut: int = 0


@dataclass(frozen=True)
class Hit:
    host: str
    path: str
    start: float
    end: float
    headers: dict[str, str]


def page(*links: str, text: str = "") -> Answer:
    anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
    return Answer(f"<html><body>{text} {anchors}</body></html>")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        start = time.monotonic()
        host = self.headers["Host"].partition(":")[0]
        answer = self.server.web.answer(host, self.path, dict(self.headers))
        if answer.wait:
            time.sleep(answer.wait)
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        self.send_response(answer.status)
        if answer.type is not None:
            self.send_header("Content-Type", answer.type)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self._send(body, answer)
            self.wfile.flush()
        except OSError:
            self.close_connection = True
        self.server.web.note(Hit(host, self.path, start, time.monotonic(), dict(self.headers)))

    def _send(self, body: bytes, answer: Answer) -> None:
        if answer.cut:
            self.wfile.write(body[: answer.cut])
            self.close_connection = True
        elif answer.chunked:
            for i in range(0, len(body), 1000):
                part = body[i : i + 1000]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    web: Web

    def handle_error(self, request: object, client_address: object) -> None:
        pass

    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)  # without the name look-up of HTTPServer
        self.server_name, self.server_port = "web", self.server_address[1]


class Web:
    """Pages by (host, path); hosts live at addresses of their own, all reached through ``resolve``."""

    def __init__(self) -> None:
        self.pages: dict[tuple[str, str], Answer | Callable[[], Answer]] = {}
        self.fallback: Callable[[str, str], Answer] = lambda host, path: Answer("no", 404)
        self.conditional: Callable[[str, str, dict[str, str]], Answer] | None = None
        self.resolve: dict[str, tuple[str, int | None]] = {}
        self.hits: list[Hit] = []
        self._servers: list[_Server] = []

    def serve(self, *hosts: str, ip: str | None = None) -> tuple[str, int]:
        number = next(_numbers)
        ip = ip or f"127.64.{number // 250}.{number % 250 + 1}"
        server = _Server((ip, 0), _Handler)
        server.web = self
        self._servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        port = server.server_address[1]
        for host in hosts:
            self.resolve[host] = (ip, port)
        return ip, port

    def put(self, url: str, answer: Answer | Callable[[], Answer]) -> None:
        host, slash, path = url.partition("/")
        if host not in self.resolve:
            self.serve(host)
        self.pages[host, slash + path] = answer

    def answer(self, host: str, path: str, headers: dict[str, str]) -> Answer:
        answer = self.pages.get((host, path))
        if answer is None:
            if self.conditional is not None and path not in FILES:
                return self.conditional(host, path, headers)
            return self.fallback(host, path)
        return answer() if callable(answer) else answer

    def note(self, hit: Hit) -> None:
        self.hits.append(hit)

    def paths(self, host: str) -> list[str]:
        return [hit.path for hit in self.asked if hit.host == host]

    @property
    def asked(self) -> list[Hit]:
        """Requests in the order of their beginning, files about crawling left out."""
        return sorted((hit for hit in self.hits if hit.path not in FILES), key=lambda hit: hit.start)

    def close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()


class RawServer:
    """Answers each connection's first request with given bytes, in given pieces."""

    def __init__(
        self, answers: dict[str, list[bytes | float]], context: ssl.SSLContext | None = None, ip: str = ""
    ) -> None:
        self.ip = ip or f"127.66.0.{next(_raw_numbers)}"
        self.answers, self.paths, self.names = answers, [], []
        family = socket.AF_INET6 if ":" in self.ip else socket.AF_INET
        self._socket = socket.create_server((self.ip, 0), family=family)
        self.port = self._socket.getsockname()[1]
        self._context = context
        if context is not None:
            context.sni_callback = lambda sock, name, ctx: self.names.append(name)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        try:
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_side=True)
            data = b""
            while b"\r\n\r\n" not in data:
                part = connection.recv(4096)
                if not part:
                    return
                data += part
            path = data.split(b" ")[1].decode()
            self.paths.append(path)
            for piece in self.answers.get(path, [b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"]):
                if isinstance(piece, float):
                    time.sleep(piece)
                else:
                    connection.sendall(piece)
        except OSError:
            pass
        finally:
            connection.close()

    def close(self) -> None:
        self._socket.close()


def ok(*headers: bytes) -> bytes:
    return b"\r\n".join([b"HTTP/1.1 200 OK", b"Content-Type: text/html", *headers, b"", b""])


SETTINGS = {
    "allow_networks": ("127.64.0.0/10",),
    "delay": 0.0,
    "retry_delay": 0.02,
    "timeout": 5.0,
    "rights_files": False,
}


@dataclass(frozen=True)
class Stored:
    url: str
    status: int
    head: dict[str, str]
    warc: dict[str, str]
    body: bytes


def stored(directory: Path, *, robots: bool = False) -> list[Stored]:
    """Responses in the WARC files, read by another implementation than the one that wrote them."""
    found = []
    for path in sorted(directory.glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
                url = record.headers["WARC-Target-URI"]
                if robots or not url.endswith(FILES):
                    head = dict(record.http_headers.asdict())
                    body = record.reader.read()
                    found.append(
                        Stored(url, record.http_headers.status_code, head, dict(record.headers.asdict()), body)
                    )
    return found
