"""Answers in all the shapes that servers give them, fed in pieces of every size."""

from __future__ import annotations

import pytest

from paberki.crawl.fetching.fetch_errors import PageError
from paberki.crawl.fetching.http1 import HEAD_BYTES, Message, parse_head


def fed(data: bytes, size: int, *, end: bool = True, limit: int = 1 << 20) -> Message:
    message = Message(limit)
    for at in range(0, len(data), size):
        message.feed(data[at : at + size])
        if message.complete:
            return message
    if end:
        message.end()
    return message


WHOLE = {
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello": (b"hello", True),
    b"HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello": (b"hello", True),
    b"http/1.1 200 OK\nContent-Length:5\n\nhello": (b"hello", True),
    b"\r\nHTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello": (b"hello", True),
    b"HTTP/1.0 200 OK\r\n\r\nhello": (b"hello", False),
    b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello": (b"hello", True),
    b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello": (b"hello", False),
    b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n": (b"", True),
    b"HTTP/1.1 204 No Content\r\n\r\n": (b"", True),
    b"HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n": (b"", True),
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello": (b"hello", True),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n": (b"hello", True),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n05 \r\nhello\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n": (
        b"hello", True,
    ),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n": (
        b"hello", False,
    ),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\n0\n\n": (b"hello", True),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhello": (b"hello", False),
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello": (b"hello", False),
    b"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello": (b"hello", False),
}  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("data", WHOLE)
def test_whole_answers(data: bytes, size: int) -> None:
    message = fed(data, size)
    assert (message.body, message.reusable, message.complete) == (*WHOLE[data], True)
    assert not message.truncation


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("data", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", b"hello"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", b"hello"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nmore", b"hello"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello", b""),
    ],
)
def test_answers_that_end_too_early(data: bytes, body: bytes, size: int) -> None:
    message = fed(data, size)
    assert (message.body, message.truncation, message.reusable) == (body, "disconnect", False)


def test_more_than_was_announced() -> None:
    message = fed(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more", 1000)
    assert (message.body, message.reusable, message.truncation) == (b"hello", False, "")


def test_bodies_are_cut_at_the_limit() -> None:
    for framing in (b"Content-Length: 50\r\n\r\n", b"\r\n", b"Transfer-Encoding: chunked\r\n\r\n32\r\n"):
        message = fed(b"HTTP/1.1 200 OK\r\n" + framing + b"x" * 50, 8, limit=20)
        assert (message.body, message.truncation, message.complete) == (b"x" * 20, "length", True)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>no HTTP at all</html>",
        b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * HEAD_BYTES + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 1000 + b"\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 50,
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 twohundred OK\r\n\r\n",
    ],
)
def test_no_answer_at_all(data: bytes) -> None:
    for size in (100, 1 << 20):
        with pytest.raises(PageError):
            fed(data, size)


def test_odd_header_lines() -> None:
    head = parse_head(b"HTTP/1.1 200 Fine\r\nA: 1\r\nno colon\r\n b\r\n: empty\r\nB : 2\r\na: 3\r\nC: \xe9")
    assert head.get("a") == "1 b, 3"
    assert (head.get("b"), head.get("c"), head.get("d")) == ("2", "\xe9", "")
    assert head.reason == b"Fine"


def test_the_gate_is_asked_until_it_knows() -> None:
    asked = []

    def gate(message: Message) -> str | None:
        asked.append(message.body_bytes)
        return None if message.body_bytes < 4 else "mime"

    message = Message(100, gate)
    for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabcdef":
        message.feed(bytes([byte]))
        if message.complete:
            break
    assert asked == [0, 1, 2, 3, 4]
    assert (message.refusal, message.body, message.reusable) == ("mime", b"", False)
