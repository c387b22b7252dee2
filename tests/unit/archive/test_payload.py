"""Bodies come out as the server meant them, or as they are when it lied."""

import gzip
import random
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from paberki.archive.payload import Payload, content_type, payload
from paberki.archive.reading.archived_record import ArchiveRecord

TEXT = ("<p>Dobar dan, čitatelji! " * 200).encode()


def deflated(data, wbits):
    packer = zlib.compressobj(wbits=wbits)
    return packer.compress(data) + packer.flush()


def response(head, body=b"", **headers):
    return ArchiveRecord(0, 1, "response", headers, head.replace("\n", "\r\n").encode() + body)


def coded(coding, body):
    return payload(response(f"HTTP/1.1 200 OK\nContent-Encoding: {coding}\n\n", body))


CODINGS = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]),
    "deflate": zlib.compress(TEXT),
    "Deflate": deflated(TEXT, -15),
    "br": brotli.compress(TEXT),
    "zstd": zstandard.compress(TEXT),
    "gzip, br": brotli.compress(gzip.compress(TEXT)),
}


@pytest.mark.parametrize("coding", CODINGS)
def test_codings(coding):
    page = coded(coding, CODINGS[coding])
    assert (page.data, page.error, page.truncated) == (TEXT, None, False)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "compress", "identity", "nonsense"])
def test_a_false_claim_leaves_the_body(coding):
    page = coded(coding, TEXT)
    assert (page.data, page.error, page.truncated) == (TEXT, None, False)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_cut_codings_keep_their_beginning(coding):
    rng = random.Random(1)
    text = b"".join(b"<p>%d</p>" % rng.getrandbits(80) for _ in range(20_000))
    packed = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": lambda data: brotli.compress(data, quality=4),
        "zstd": zstandard.compress,
    }[coding](text)
    page = coded(coding, packed[: len(packed) // 2])
    assert page.truncated
    assert page.error is None
    assert len(page.data) > 1000
    assert text.startswith(page.data)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_bombs(coding):
    data = b"\0" * 20_000_000
    packed = {
        "gzip": lambda: gzip.compress(data, 9),
        "deflate": lambda: zlib.compress(data, 9),
        "br": lambda: brotli.compress(data, quality=1),
        "zstd": lambda: zstandard.compress(data),
    }[coding]()
    page = payload(response(f"HTTP/1.1 200 OK\nContent-Encoding: {coding}\n\n", packed), max_bytes=8 << 20)
    assert page.error[0] == "bomb"
    assert page.data == b""
    assert page.status == 200


def test_ratio_bomb_below_the_size_limit():
    assert coded("zstd", zstandard.compress(b"\0" * 30_000_000)).error == (
        "bomb",
        "the content coding inflates more than 1000 to 1",
    )


@pytest.mark.parametrize(
    ("body", "data", "truncated"),
    [
        (b"5\r\nhello\r\n6; x=y\r\n world\r\n0\r\n\r\n", b"hello world", False),
        (b"5\nhello\n0\n\n", b"hello", False),
        (b"0\r\n\r\n", b"", False),
        (b"5\r\nhello\r\nff\r\nworl", b"helloworl", True),
        (b"5\r\nhello\r\n", b"hello", True),
        (b"5\r\nhello\r\nnonsense", b"hello", True),
        (b"abc\r\n" + b"x" * 3000, b"abc\r\n" + b"x" * 3000, False),
        (b"<html>", b"<html>", False),
        (b"ffffffffffffff\r\nx", b"x", True),
        (b"", b"", False),
    ],
)
def test_chunked(body, data, truncated):
    page = payload(response("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n", body))
    assert (page.data, page.truncated) == (data, truncated)


def test_chunked_and_gzipped():
    packed = gzip.compress(TEXT)
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    page = payload(response("HTTP/1.1 200\nTransfer-Encoding: chunked\nContent-Encoding: gzip\n\n", body))
    assert page.data == TEXT


@pytest.mark.parametrize(
    ("block", "status", "data", "mime"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nx", 200, b"x", "text/html"),
        (b"HTTP/1.1 200 OK\nContent-Type: text/html\n\nx\r\n\r\n", 200, b"x\r\n\r\n", "text/html"),
        (b"HTTP/1.0 404\r\n\r\nx", 404, b"x", None),
        (b"http/2 200\r\nA: b\r\n\r\nx", 200, b"x", None),
        (
            b"\r\nHTTP/1.1 200 OK\r\njunk\r\n: y\r\nContent-Type:\r\n text/plain\r\n\r\nx",
            200,
            b"x",
            "text/plain",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Type: TEXT/HTML\r\n<p>x", 200, b"<p>x", "text/html"),
        (b"HTTP/1.1 200 OK", 200, b"", None),
        (b"HTTP/1.1 20 OK\r\n\r\nx", None, b"HTTP/1.1 20 OK\r\n\r\nx", None),
        (b"<html>no head</html>", None, b"<html>no head</html>", None),
        (b"", None, b"", None),
    ],
)
def test_odd_heads(block, status, data, mime):
    page = payload(ArchiveRecord(0, 1, "response", {}, block))
    assert (page.status, page.data, page.mime) == (status, data, mime)


def test_last_header_wins_and_huge_heads_are_survived():
    page = payload(response("HTTP/1.1 200 OK\nX: 1\nx: 2\n\n"))
    assert page.http_headers == {"x": "2"}
    page = payload(response("HTTP/1.1 200 OK\n" + "A: b\n" * 200_000, b"<p>"))
    assert page.status == 200


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ('Text/HTML; Charset="UTF-8"', ("text/html", "utf-8")),
        ("text/html;charset='windows-1250' ; x=y", ("text/html", "windows-1250")),
        ("text/html, text/html", ("text/html", None)),
        ("; charset=utf-8", (None, "utf-8")),
        ("nonsense", (None, None)),
        ("", (None, None)),
    ],
)
def test_content_type(value, found):
    assert content_type(value) == found


def test_other_record_types():
    resource = ArchiveRecord(
        0, 1, "resource", {"content-type": "text/html; charset=cp1250"}, b"HTTP/1.1 200 OK\r\n\r\nx"
    )
    assert payload(resource) == Payload(resource.body, None, "text/html", "cp1250")
    wet = ArchiveRecord(0, 1, "conversion", {"content-type": "text/plain"}, b"x")
    assert payload(wet) == Payload(b"x", None, "text/plain", "utf-8")
    dns = ArchiveRecord(0, 1, "response", {"arc-content-type": "text/dns"}, b"x")
    assert payload(dns).mime == "text/dns"


def test_errors_and_limits():
    assert payload(ArchiveRecord(0, 1, error=("damaged", "x"))).error == ("damaged", "x")
    page = payload(response("HTTP/1.1 200 OK\n\n", b"x" * 11), max_bytes=10)
    assert (page.data, page.error[0]) == (b"", "too-large")
    assert payload(ArchiveRecord(0, 1, "resource", {}, b"x" * 11), max_bytes=10).error[0] == "too-large"
    assert payload(response("HTTP/1.1 200 OK\n\n", b"x", **{"warc-truncated": "length"})).truncated


@pytest.mark.parametrize(
    ("length", "more", "body", "truncated"),
    [
        ("5", "", b"12345", False),
        ("5", "", b"123456", False),
        ("6", "", b"12345", True),
        ("9" * 30, "", b"12345", True),
        ("6", "Transfer-Encoding: identity\n", b"12345", False),
        ("many", "", b"12345", False),
        ("6", "", b"", False),
        (str(len(gzip.compress(TEXT, mtime=0)) + 1), "Content-Encoding: gzip\n", gzip.compress(TEXT, mtime=0), True),
        (str(len(gzip.compress(TEXT, mtime=0))), "Content-Encoding: gzip\n", gzip.compress(TEXT, mtime=0), False),
    ],
)
def test_less_than_the_server_said_is_cut(length, more, body, truncated):
    page = payload(response(f"HTTP/1.1 200 OK\n{more}Content-Length: {length}\n\n", body))
    assert page.truncated is truncated


@given(st.binary(max_size=400), st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip,br,deflate,zstd,gzip"]))
def test_any_bytes_are_survived(body, coding):
    head = f"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Encoding: {coding}\n\n"
    assert payload(response(head, body)).status == 200
    assert payload(ArchiveRecord(0, 1, "response", {}, b"HTTP/1.1 200 OK" + body)).error is None
