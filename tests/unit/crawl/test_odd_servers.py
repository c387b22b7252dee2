"""Whole crawls of servers that do not keep to the rules."""

from __future__ import annotations

import gzip
import ssl
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from loopback import RawServer, Web, ok, stored

from paberki.crawl import CrawlStats

Run = Callable[..., CrawlStats]
TEXT = b"<html><body><p>Dobar dan.</p></body></html>"


@pytest.fixture
def raw(web: Web) -> Iterator[Callable[..., RawServer]]:
    servers: list[RawServer] = []

    def make(name: str, answers: dict[str, list[bytes | float]], **options: object) -> RawServer:
        server = RawServer(answers, **options)  # type: ignore[arg-type]
        servers.append(server)
        web.resolve[name] = (server.ip, server.port)
        return server

    yield make
    for server in servers:
        server.close()


def test_framing(raw: Callable[..., RawServer], run: Run, tmp_path: Path) -> None:
    deflated = zlib.compress(TEXT)
    answers: dict[str, list[bytes | float]] = {
        "/close": [ok(), TEXT],
        "/old": [b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n", TEXT],
        "/chunked": [
            ok(b"Transfer-Encoding: chunked"),
            b"5\r\n<html\r\n",
            0.05,
            b"4\r\n></h\r\n4\r\ntml>\r\n0\r\nA: b\r\n\r\n",
        ],
        "/continue": [b"HTTP/1.1 100 Continue\r\n\r\n", 0.02, ok(b"Content-Length: 43"), TEXT],
        "/long": [ok(b"Content-Length: 20"), TEXT],
        "/short": [ok(b"Content-Length: 999"), TEXT],
        "/badchunk": [ok(b"Transfer-Encoding: chunked"), b"2b\r\n" + TEXT + b"\r\nhuh?\r\n"],
        "/empty": [ok(b"Content-Length: 0")],
        "/nothing": [],
        "/gzip": [ok(b"Content-Encoding: gzip"), gzip.compress(TEXT)],
        "/rawdeflate": [ok(b"Content-Encoding: deflate"), deflated[2:-4]],
        "/bomb": [ok(b"Content-Encoding: gzip"), gzip.compress(b"<html>" + b" " * 50_000_000)],
        "/headers": [ok(*[b"X-%d: y" % i for i in range(5000)]), TEXT],
        "/endless": [ok(), *[b"x" * 60_000] * 40],
    }
    server = raw("odd.hr", answers)
    stats = run(*(f"http://odd.hr{path}" for path in answers), retries=2, max_body_bytes=1_000_000)
    found = {record.url.removeprefix("http://odd.hr"): record for record in stored(tmp_path / "warc")}
    for path in ("/close", "/old", "/continue", "/short", "/badchunk"):
        assert found[path].body == TEXT, path
    assert found["/chunked"].body == b"<html></html>"
    assert found["/long"].body == TEXT[:20]
    assert found["/empty"].body == b""
    assert found["/short"].warc["WARC-Truncated"] == found["/badchunk"].warc["WARC-Truncated"] == "disconnect"
    assert found["/endless"].warc["WARC-Truncated"] == "length"
    assert gzip.decompress(found["/gzip"].body) == TEXT
    assert found["/bomb"].head["Content-Encoding"] == "gzip"
    assert len(found["/bomb"].body) < 100_000
    assert stats.by_error == {"broken": 1, "headers": 1}
    assert server.paths.count("/nothing") in (2, 3)  # a try may end on a connection that the server is closing
    assert server.paths.count("/headers") == 1


def test_slow_servers_get_thirty_seconds_at_most(raw: Callable[..., RawServer], run: Run, tmp_path: Path) -> None:
    drip: list[bytes | float] = [piece for _ in range(300) for piece in (0.1, b"X: y\r\n")]
    answers = {
        "/headers": [b"HTTP/1.1 200 OK\r\n", *drip],
        "/body": [ok(), *[p for _ in range(300) for p in (0.1, b"<p>")]],
    }
    raw("slow.hr", answers)
    start = time.monotonic()
    stats = run("http://slow.hr/headers", "http://slow.hr/body", timeout=0.6, retries=0)
    assert time.monotonic() - start < 10
    assert stats.by_error == {"timeout": 1}
    (kept,) = stored(tmp_path / "warc")
    assert kept.warc["WARC-Truncated"] == "time"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tls") / "own.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=nobody"]
    try:
        subprocess.run([*command, "-keyout", str(path), "-out", str(path) + ".crt"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no openssl to make a certificate with")
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


def test_self_made_certificates(raw: Callable[..., RawServer], run: Run, tmp_path: Path, certificate: Path) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    server = raw("safe.hr", {"/": [ok(b"Content-Length: 43"), TEXT]}, context=context)
    assert run("https://safe.hr/").pages == 1
    assert [record.url for record in stored(tmp_path / "warc")] == ["https://safe.hr/"]
    assert set(server.names) == {"safe.hr"}
    stats = run("https://safe.hr/other", verify_certificates=True, retries=0)
    assert stats.pages == 1
    assert stats.by_error["tls"] == 1


def test_ipv6(raw: Callable[..., RawServer], run: Run) -> None:
    try:
        server = raw("six.hr", {"/": [ok(b"Content-Length: 43"), TEXT]}, ip="::1")
    except OSError:
        pytest.skip("no IPv6 on this machine")
    assert run("six.hr", allow_networks=("::1/128",)).pages == 1
    assert run(f"http://[::1]:{server.port}/", allow_networks=("::1/128",)).pages == 2
