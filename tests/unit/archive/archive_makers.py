"""Archives of every kind, made by hand so that the reader is not tested with its own writer alone."""

import gzip
import random

import zstandard

HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"


def warc_record(url, body, *, kind="response", date="2020-01-02T03:04:05Z", length=None, extra=""):
    """One WARC record as bytes; ``length`` lies about the block."""
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\n"
    head += f"WARC-Target-URI: {url}\r\n" if url is not None else ""
    head += f"WARC-Date: {date}\r\n" if date is not None else ""
    head += f"WARC-Record-ID: <urn:uuid:{random.Random(url).randbytes(16).hex()}>\r\n{extra}"
    head += f"Content-Length: {len(body) if length is None else length}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def arc_record(url, body, *, version=1, date="20200102030405"):
    more = "200 checksum - 1234 name.arc " if version == 2 else ""
    return f"{url} 192.0.2.1 {date} text/html {more}{len(body)}\n".encode() + body + b"\n"


def arc_head(version=1):
    names = "URL IP-address Archive-date Content-type Archive-length"
    return arc_record("filedesc://x.arc", f"{version} 0 InternetArchive\n{names}\n".encode(), version=version)


def pages(count, seed=0, size=3000):
    rng = random.Random(seed)
    return [HTTP + rng.randbytes(rng.randint(0, size)) + b"a" * rng.randint(0, size) for _ in range(count)]


def plain_records(count=12, form="warc", seed=0):
    bodies = pages(count, seed)
    if form.startswith("arc"):
        version = 2 if "2" in form else 1
        urls = [f"http://a.hr/{i}" for i in range(count)]
        return [
            arc_head(version),
            *(arc_record(u, b, version=version) for u, b in zip(urls, bodies, strict=True)),
        ]
    return [warc_record(f"http://a.hr/{i}", body) for i, body in enumerate(bodies)]


def packed(record, form):
    if form.endswith(".gz"):
        return gzip.compress(record, 6, mtime=0)
    if form.endswith(".zst"):
        return zstandard.ZstdCompressor(write_checksum=True).compress(record)
    return record


def archive(path, records, form):
    """Write the records; returns [(offset, length)]."""
    places, at = [], 0
    with open(path, "wb") as file:
        for record in records:
            data = packed(record, form)
            file.write(data)
            places.append((at, len(data)))
            at += len(data)
    return places
