"""A tiny client that finds hosts by the mini-web's own address book."""

from __future__ import annotations

import html
import http.client
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from paberki.demo.web import MiniWeb, Truth

_HREF = re.compile(r"""<a\s[^>]*?href=(?:"([^"]*)"|([^\s>]+))""", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    def text(self, truth: Truth) -> str:
        return self.body.decode(codec(truth.encoding))


def codec(label: str) -> str:
    return "cp932" if label == "shift_jis" else label


def ask(
    web: MiniWeb,
    url: str,
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    via: str | None = None,
) -> Reply:
    """Fetch ``url``, connecting to the address of ``via`` (by default of the URL's own host)."""
    parts = urlsplit(url)
    address = web.addresses[via or parts.hostname or ""]
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    with closing(http.client.HTTPConnection(address.ip, address.port, timeout=10)) as connection:
        connection.request(method, path, headers={"Host": parts.netloc, **(headers or {})})
        with connection.getresponse() as response:
            fields = {key.lower(): value for key, value in response.getheaders()}
            return Reply(response.status, fields, response.read())


def squeeze(text: str) -> str:
    return "".join(text.split())


def visible(source: str) -> str:
    """Text without tags and white space."""
    return squeeze(html.unescape(re.sub(r"<[^>]+>", "", _UNSEEN.sub("", source))))


def links(url: str, source: str) -> Iterator[str]:
    for quoted, bare in _HREF.findall(source):
        target = html.unescape(quoted or bare)
        if not target.startswith("#"):
            yield urljoin(url, target)


def shingles(truth: Truth, size: int = 5) -> set[tuple[str, ...]]:
    """Word shingles; in Japanese, where words are not marked, ten characters for five words."""
    if truth.language == "ja":
        text = squeeze(truth.wanted)
        return {(text[i : i + 2 * size],) for i in range(len(text) - 2 * size + 1)}
    words = truth.wanted.lower().split()
    return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}


def resemblance(one: Truth, two: Truth) -> float:
    a, b = shingles(one), shingles(two)
    return len(a & b) / len(a | b)
