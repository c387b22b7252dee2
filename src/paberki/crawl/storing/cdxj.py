"""Lines of a CDXJ index for replay tools: one per response and revisit record."""

from __future__ import annotations

import json

from paberki.web.urls import host_of, path_of

_DIGITS_ONLY = str.maketrans("", "", "-:TZ")


def index_line(url: str, date: str, fields: dict[str, str], warc: str) -> str:
    """The line of one record: sort key, time in fourteen digits, JSON object."""
    moment = date.translate(_DIGITS_ONLY)
    return f"{sort_key(url)} {moment} {json.dumps({'url': url, **fields, 'filename': warc}, ensure_ascii=False)}"


def sort_key(url: str) -> str:
    """``hr,example,www)/path`` of a normalised URL: hosts of a domain sort together."""
    host, _, port = host_of(url).partition(":")
    numeric = host.startswith("[") or host.replace(".", "").isdigit()
    labels = [host] if numeric else host.split(".")[::-1]
    return f"{','.join(labels)}{':' + port if port else ''}){path_of(url).lower()}"
