"""A parser for HTTP/1.1 answers as they arrive: head, framing, body, within limits (RFC 9112).

Client libraries hide what a crawler needs: header lines as sent, the body still compressed, a decision after the head
whether to read the body, and no request sent twice silently. Common server errors are read as browsers read them where
that is safe: bare line feeds, missing reasons, header lines without a colon. After a message whose length cannot be
trusted, the connection is closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from paberki.crawl.fetching.fetch_errors import PageError

HEAD_BYTES = 64 << 10
HEAD_LINES = 300
_INTERIM = 16
"""Most 1xx answers before the real one."""
_STATUS = re.compile(rb"HTTP/(\d)(?:\.(\d{1,3}))?[ \t]++(\d{3})(?:[ \t]++([^\r\n]*+))?+\r?+\Z", re.I)
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_CHUNK = re.compile(rb"[ \t]*+([0-9A-Fa-f]{1,12})[ \t]*+(?:;[^\n]*+|\r?+)\Z")
_CHUNK_LINE = 4096
MOST_CHUNK_LINES, CHUNK_LINE_BYTES = 10_000, 8
"""Most lines between and after chunks, and body bytes that allow each further line: more of them is an attack."""
_ADDRESSES = frozenset(("location", "refresh", "link"))
"""Fields that hold URLs: their non-ASCII bytes are read as UTF-8 if valid, as in the URL standard."""
_SINGLE = frozenset(("location", "retry-after", "etag", "last-modified", "refresh"))
"""Fields whose first occurrence counts, as in browsers; for Content-Type it is the last."""
_BODILESS = frozenset((204, 304))

Gate = Callable[["Message"], str | None]
Fields = tuple[tuple[bytes, bytes], ...]


class ResponseHead:
    """Status line and header fields of an answer."""

    __slots__ = ("_values", "fields", "reason", "status", "version")

    def __init__(self, version: tuple[int, int], status: int, reason: bytes, fields: Fields) -> None:
        self.version, self.status, self.reason, self.fields = version, status, reason, fields
        self._values: dict[str, str] = {}
        for name, value in fields:
            key = name.decode("latin-1").lower()
            text = _address(value) if key in _ADDRESSES else value.decode("latin-1")
            # A repeated field is one list (RFC 9110 §5.3); Content-Length values are compared in _frame.
            if key not in self._values or key == "content-type":
                self._values[key] = text
            elif key not in _SINGLE:
                self._values[key] += f", {text}"

    def get(self, name: str) -> str:
        """Value of a field by its lower-case name; empty if there is none."""
        return self._values.get(name, "")


def _address(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def parse_head(block: bytes) -> ResponseHead:
    """Parse a head without its blank line; raises PageError ``http`` if it is not HTTP."""
    lines = block.split(b"\n", HEAD_LINES + 1)
    match = _STATUS.match(lines[0])
    if match is None:
        raise PageError("http", "the answer does not begin with a status line")
    if len(lines) > HEAD_LINES:
        raise PageError("headers", f"more than {HEAD_LINES} header lines")
    fields: list[tuple[bytes, bytes]] = []
    for line in lines[1:]:
        line = line.rstrip(b"\r")
        if line[:1] in (b" ", b"\t") and fields:
            name, value = fields[-1]
            fields[-1] = (name, value + b" " + line.strip())
            continue
        name, colon, value = line.partition(b":")
        if colon and name.strip():
            fields.append((name.strip(), value.strip()))
    version = (int(match[1]), int(match[2] or 0))
    return ResponseHead(version, int(match[3]), (match[4] or b"").strip(), tuple(fields))


class Message:
    """One answer while it arrives: bytes go in through :meth:`feed` until it is :attr:`complete`.

    The gate is called after the head and whenever more of the body has arrived. It returns a reason to refuse the
    body, an empty string to accept it, or None if it cannot tell yet.
    """

    __slots__ = (
        "_after_chunk",
        "_body",
        "_body_left",
        "_buffer",
        "_chunk_left",
        "_chunk_lines",
        "_chunked",
        "_gate",
        "_interim",
        "_trailer",
        "complete",
        "head",
        "limit",
        "refusal",
        "reusable",
        "truncation",
    )  # fmt: skip

    def __init__(self, limit: int, gate: Gate | None = None) -> None:
        self.limit = limit
        self.head: ResponseHead | None = None
        self.complete = False
        self.reusable = False
        self.truncation = ""
        """Why the body is incomplete, in the words of WARC-Truncated; empty if it is complete."""
        self.refusal: str | None = None
        """The gate's reason to refuse the body."""
        self._gate = gate
        self._buffer = b""
        self._body = bytearray()
        self._chunk_lines = 0
        self._chunked = False
        self._chunk_left = 0
        self._after_chunk = False
        self._trailer = False
        self._body_left: int | None = None
        self._interim = 0

    @property
    def body(self) -> bytes:
        """The body so far."""
        return bytes(self._body)

    @property
    def body_bytes(self) -> int:
        """Length of the body so far."""
        return len(self._body)

    def start(self, size: int) -> bytes:
        """The first bytes of the body."""
        return bytes(self._body[:size])

    def feed(self, data: bytes) -> None:
        """Take bytes from the connection."""
        if self.head is None:
            searched_bytes = max(0, len(self._buffer) - 3)
            data = self._read_head(self._buffer + data, searched_bytes)
            if self.head is None:
                return
        if data and not self.complete:
            if self._chunked:
                self._read_chunks(self._buffer + data)
            else:
                self._read_plain(data)

    def end(self) -> None:
        """Handle the end of the connection, which completes a body without a length and truncates any other."""
        self.reusable = False
        if self.complete:
            return
        if self.head is None:
            raise PageError("broken", "the connection was closed without an answer", transient=True)
        if self._chunked or self._body_left is not None:
            self.truncation = "disconnect"
        self._finish()

    def _read_head(self, data: bytes, searched_bytes: int) -> bytes:
        """Return the data after the head; the first ``searched_bytes`` bytes do not contain the end of the head."""
        self._buffer = b""
        if self._interim == 0 and data[:1] in (b"\r", b"\n"):
            data, searched_bytes = data.lstrip(b"\r\n"), 0
        while match := _HEAD_END.search(data, searched_bytes):
            searched_bytes = 0
            if match.start() > HEAD_BYTES:
                break
            head = parse_head(data[: match.start()])
            data = data[match.end() :]
            if 100 <= head.status < 200:
                self._interim += 1
                if head.status == 101 or self._interim > _INTERIM:
                    raise PageError("http", f"unasked-for status {head.status}")
                continue
            self.head = head
            self._frame(head)
            return data
        if len(data) > HEAD_BYTES:
            raise PageError("headers", f"more than {HEAD_BYTES} bytes of headers")
        if len(data) > 16 and not data[:5].upper().startswith(b"HTTP/"):
            raise PageError("http", "the answer does not begin with a status line")
        self._buffer = data
        return b""

    def _frame(self, head: ResponseHead) -> None:
        """Decide where the body ends (RFC 9112 §6.3)."""
        tokens = head.get("connection").lower()
        self.reusable = "close" not in tokens and (head.version >= (1, 1) or "keep-alive" in tokens)
        coding = head.get("transfer-encoding").strip().lower()
        lengths = {part.strip() for part in head.get("content-length").split(",")} - {""}
        if head.status in _BODILESS:
            self._body_left = 0
        elif coding:
            self._chunked = coding.rpartition(",")[2].strip() == "chunked"
            self.reusable = self.reusable and self._chunked and not lengths
        elif len(lengths) == 1 and (length := lengths.pop()).isascii() and length.isdecimal() and len(length) < 16:
            self._body_left = int(length)
        else:
            # No length, several, or not a number: the only safe reading is up to the end of the connection.
            self.reusable = False
        if self._body_left == 0:
            self._finish()
        elif self._gate is not None:
            self._ask()

    def _ask(self) -> None:
        assert self._gate is not None
        refusal = self._gate(self)
        if refusal is not None:
            self._gate = None
        if refusal:
            self.refusal, self.reusable, self.complete = refusal, False, True
            self._body.clear()

    @property
    def declared_length(self) -> int | None:
        """Length of the body as the head declares it; None if it does not."""
        return None if self._body_left is None else self._body_left + self.body_bytes

    def _read_plain(self, data: bytes) -> None:
        if self._body_left is not None:
            if len(data) > self._body_left:
                data, self.reusable = data[: self._body_left], False
            self._body_left -= len(data)
        self._take(data)
        if self._body_left == 0 and not self.complete:
            self._finish()

    def _take(self, data: bytes) -> None:
        self._body += data
        if len(self._body) > self.limit:
            del self._body[self.limit :]
            self.truncation, self.reusable, self.complete = "length", False, True
        elif self._gate is not None:
            self._ask()

    def _read_chunks(self, data: bytes) -> None:
        self._buffer = b""
        at = 0
        while at < len(data) and not self.complete:
            if self._chunk_left:
                part = data[at : at + self._chunk_left]
                at += len(part)
                self._chunk_left -= len(part)
                self._take(part)
                continue
            line_end = data.find(b"\n", at)
            if line_end < 0:
                if len(data) - at > _CHUNK_LINE:
                    self._handle_damage()
                    return
                self._buffer = data[at:]
                return
            line, at = data[at:line_end], line_end + 1
            self._read_chunk_line(line)
        if at < len(data):
            self.reusable = False

    def _read_chunk_line(self, line: bytes) -> None:
        self._chunk_lines += 1
        if self._chunk_lines > MOST_CHUNK_LINES + len(self._body) // CHUNK_LINE_BYTES:
            self._handle_damage()
        elif self._trailer:
            if not line.strip():
                self._finish()
            elif len(line) > _CHUNK_LINE:
                self._handle_damage()
        elif self._after_chunk and not line.strip():
            self._after_chunk = False
        elif (match := _CHUNK.match(line)) is None:
            self._handle_damage()
        elif size := int(match[1], 16):
            self._chunk_left, self._after_chunk = size, True
        else:
            self._trailer = True

    def _handle_damage(self) -> None:
        """Handle invalid chunks: the data before them counts, as after a disconnect."""
        self.truncation, self.reusable = "disconnect", False
        self._finish()

    def _finish(self) -> None:
        self.complete = True
        if self._gate is not None:
            self._ask()
