"""Writes the WARC 1.1 records of an answer: response, request and metadata, a revisit, or an opt-out."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence

from paberki.archive.warc_writer import WarcWriter, base32
from paberki.crawl.clock import stamp
from paberki.crawl.fetching.fetch import Reply
from paberki.web.rights_signals import Signal

IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_RESPONSE = "application/http; msgtype=response"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


def payload_digest(body: bytes) -> str:
    """Digest of a payload as the archive writes it."""
    return "sha1:" + base32(hashlib.sha1(body, usedforsecurity=False).digest())


def write_response(
    writer: WarcWriter, reply: Reply, digest: str, fields: Sequence[tuple[str, str]] = ()
) -> tuple[int, int]:
    """Append the response as received, its request, and metadata with the crawl's judgement.

    ``digest`` is that of the payload. Returns the offset and length of the response record.
    """
    response = _record_id()
    more = f"WARC-IP-Address: {reply.ip}\r\nWARC-Payload-Digest: {digest}\r\n"
    if reply.truncation:
        more += f"WARC-Truncated: {reply.truncation}\r\n"
    place = _write(writer, "response", reply, _RESPONSE, _head(reply) + reply.body, more, response)
    _write_request(writer, reply, response)
    if fields:
        _write_metadata(writer, reply, fields, f"WARC-Concurrent-To: <{response}>\r\n")
    return place


def write_revisit(writer: WarcWriter, reply: Reply, profile: str, url: str, date: str, digest: str) -> tuple[int, int]:
    """Append a revisit record of the payload stored for ``url`` at ``date``, and the request; return its place."""
    record = _record_id()
    more = f"WARC-IP-Address: {reply.ip}\r\nWARC-Profile: {profile}\r\n"
    more += f"WARC-Refers-To-Target-URI: {url}\r\n"
    more += f"WARC-Refers-To-Date: {date}\r\n" if date else ""
    more += f"WARC-Payload-Digest: {digest}\r\n" if digest else ""
    place = _write(writer, "revisit", reply, _RESPONSE, _head(reply, with_body=False), more, record)
    _write_request(writer, reply, record)
    return place


def write_opt_out(writer: WarcWriter, reply: Reply, signal: Signal) -> None:
    """Append a metadata record for a page that was not kept, with the statement that forbids it."""
    opt_out = [
        ("opt-out", f"{signal.source}: {signal.name}" + (f"={signal.value}" if signal.value else "")),
        ("status", str(reply.status)),
    ]
    write_fields(writer, reply, opt_out)


def write_fields(writer: WarcWriter, reply: Reply, fields: Sequence[tuple[str, str]]) -> None:
    """Append a metadata record for a page whose body is not stored."""
    _write_metadata(writer, reply, fields, f"WARC-IP-Address: {reply.ip}\r\n")


def _write_request(writer: WarcWriter, reply: Reply, record: str) -> None:
    more = f"WARC-IP-Address: {reply.ip}\r\nWARC-Concurrent-To: <{record}>\r\n"
    _write(writer, "request", reply, "application/http; msgtype=request", reply.request, more, _record_id())


def _write_metadata(writer: WarcWriter, reply: Reply, fields: Sequence[tuple[str, str]], more: str) -> None:
    block = "".join([f"{name}: {' '.join(value.split())}\r\n" for name, value in fields]).encode("utf-8", "replace")
    _write(writer, "metadata", reply, "application/warc-fields", block, more, _record_id())


def _write(
    writer: WarcWriter, kind: str, reply: Reply, content_type: str, block: bytes, more: str, record: str
) -> tuple[int, int]:
    """Append one record. No value can contain a line end: URLs are normalised, the rest is our own."""
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{record}>\r\nWARC-Date: {stamp(reply.time)}\r\n"
        f"WARC-Target-URI: {reply.url}\r\nContent-Type: {content_type}\r\n{more}Content-Length: {len(block)}\r\n\r\n"
    )
    return writer.append(head.encode(), block)


def _record_id() -> str:
    number = bytearray(os.urandom(16))
    number[6] = number[6] & 0x0F | 0x40
    number[8] = number[8] & 0x3F | 0x80
    text = number.hex()
    return f"urn:uuid:{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _head(reply: Reply, *, with_body: bool = True) -> bytes:
    """Status line and headers as received, with the stored length where the body was chunked or cut."""
    head = reply.head
    fields = head.fields
    if with_body:
        length = b"%d" % len(reply.body)
        lengths = [value for name, value in fields if name.lower() == b"content-length"]
        if lengths != [length] or head.get("transfer-encoding"):
            framing = (b"content-length", b"transfer-encoding")
            fields = (*((n, v) for n, v in fields if n.lower() not in framing), (b"Content-Length", length))
    status = b"HTTP/%d.%d %d %b" % (*head.version, head.status, head.reason)
    return b"\r\n".join([status, *(name + b": " + value for name, value in fields)]) + b"\r\n\r\n"
