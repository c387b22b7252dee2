"""What the archive says about an answer: response, request and metadata, a revisit, or an opt-out (WARC 1.1)."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable

from paberki.archive.writer import WarcWriter
from paberki.crawl.clock import stamp
from paberki.crawl.fetch import Reply
from paberki.crawl.signals import Signal

IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


def payload_digest(body: bytes) -> str:
    """Digest of a payload as the archive writes it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()


def write_response(
    writer: WarcWriter, reply: Reply, fields: Iterable[tuple[str, str]] = ()
) -> tuple[int, int]:
    """Append the response as received, the request that led to it, and what the crawl thought of it; the response's place."""
    date, response = stamp(reply.time), _record_id()
    peer = {"WARC-IP-Address": reply.ip}
    place = writer.write(
        "response",
        url=reply.url,
        date=date,
        content_type="application/http; msgtype=response",
        block=_head(reply) + reply.body,
        payload=reply.body,
        headers=peer | ({"WARC-Truncated": reply.truncated} if reply.truncated else {}),
        record_id=response,
    )
    _write_request(writer, reply, response)
    if fields:
        _write_metadata(writer, reply, fields, {"WARC-Concurrent-To": f"<{response}>"})
    return place


def write_revisit(writer: WarcWriter, reply: Reply, profile: str, url: str, date: str, digest: str) -> tuple[int, int]:
    """Append that the payload is the one stored for ``url`` at ``date``, and the request that showed it; its place."""
    record = _record_id()
    headers = {
        "WARC-IP-Address": reply.ip,
        "WARC-Profile": profile,
        "WARC-Refers-To-Target-URI": url,
        "WARC-Refers-To-Date": date,
        "WARC-Payload-Digest": digest,
    }
    place = writer.write(
        "revisit",
        url=reply.url,
        date=stamp(reply.time),
        content_type="application/http; msgtype=response",
        block=_head(reply, with_body=False),
        headers={name: value for name, value in headers.items() if value},
        record_id=record,
    )
    _write_request(writer, reply, record)
    return place


def write_opt_out(writer: WarcWriter, reply: Reply, signal: Signal) -> None:
    """Append that a page was asked for and not kept, and whose word that follows."""
    fields = [
        ("opt-out", f"{signal.source}: {signal.name}" + (f"={signal.value}" if signal.value else "")),
        ("status", str(reply.status)),
    ]
    _write_metadata(writer, reply, fields, {"WARC-IP-Address": reply.ip})


def _write_request(writer: WarcWriter, reply: Reply, record: str) -> None:
    writer.write(
        "request",
        url=reply.url,
        date=stamp(reply.time),
        content_type="application/http; msgtype=request",
        block=reply.request,
        headers={"WARC-IP-Address": reply.ip, "WARC-Concurrent-To": f"<{record}>"},
        record_id=_record_id(),
    )


def _write_metadata(
    writer: WarcWriter, reply: Reply, fields: Iterable[tuple[str, str]], headers: dict[str, str]
) -> None:
    lines = [f"{name}: {' '.join(value.split())}" for name, value in fields]
    writer.write(
        "metadata",
        url=reply.url,
        date=stamp(reply.time),
        content_type="application/warc-fields",
        block=("\r\n".join(lines) + "\r\n").encode("utf-8", "replace"),
        headers=headers,
        record_id=_record_id(),
    )


def _record_id() -> str:
    number = bytearray(os.urandom(16))
    number[6] = number[6] & 0x0F | 0x40
    number[8] = number[8] & 0x3F | 0x80
    text = number.hex()
    return f"urn:uuid:{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _head(reply: Reply, *, with_body: bool = True) -> bytes:
    """Status line and headers as received, but the stored length where the body was chunked or cut."""
    head = reply.head
    fields = head.fields
    if with_body:
        length = b"%d" % len(reply.body)
        said = [value for name, value in fields if name.lower() == b"content-length"]
        if said != [length] or head.get("transfer-encoding"):
            framing = (b"content-length", b"transfer-encoding")
            fields = (*((n, v) for n, v in fields if n.lower() not in framing), (b"Content-Length", length))
    status = b"HTTP/%d.%d %d %b" % (*head.version, head.status, head.reason)
    return b"\r\n".join([status, *(name + b": " + value for name, value in fields)]) + b"\r\n\r\n"
