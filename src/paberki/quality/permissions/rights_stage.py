"""May I use it? What a page, its headers and its host's archived robots.txt say, judged after the fact.

The crawl respects these statements while it crawls (:mod:`paberki.web.rights`); imported archives come from crawls
that may not have. Nothing is dropped here: select rules such as ``drop = "opted_out"`` decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.archive.archive_stage import read_responses
from paberki.errors import InputError
from paberki.quality.marks.anchors import Anchors
from paberki.quality.permissions.licences import LICENCE_ANCHORS, Licence, licences
from paberki.stage import Columns, join_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import LICENCE, builtin
from paberki.store.group_hashes import hashes
from paberki.web.rights import Policy, Signal, ai_txt, header_signals, meta_signals, well_known_tdmrep
from paberki.web.robots import Robots
from paberki.web.urls import normalise, origin_of

NEEDS: Final = ("payload", "responses", "metadata", "archive.date")
_HEAD_BYTES: Final = 200_000
_MOST_BYTES: Final = 4 << 20
_META: Final = re.compile(rb"<meta\b[^>]{0,2000}>", re.I)
_ATTRIBUTE: Final = re.compile(rb"\b(name|content)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))", re.I)
_NAME: Final = re.compile(_ATTRIBUTE.pattern.replace(b"name|content", b"name"), re.I)
_CONTENTS: Final = ("noindex", "train-ai=n")
"""Something that an element of each kind understands."""
_PLACE: Final = ("archive.warc_file", "archive.warc_offset", "archive.warc_length")
_MOST_FILE_BYTES: Final = 512 << 10
"""As much of robots.txt as RFC 9309 §2.5 asks for."""
_FILES: Final = ("/robots.txt", "/ai.txt", "/.well-known/tdmrep.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsConfig:
    """Whose name statements are read for, and which of them count."""

    agent: str = "paberki"
    """Product token: statements for everybody and for it are read."""
    policy: Policy = field(default_factory=Policy)
    """Statements for which a page counts as opted out, as the crawl has them."""


def page_signals(
    payload: bytes, headers: Iterable[tuple[str, str]], agent: str, places: Iterable[int] | None = None
) -> tuple[Signal, ...]:
    """What a response says about its use: headers, then meta elements, which begin at ``places`` if these are known."""
    signals = list(header_signals(headers, agent))
    head = payload[:_HEAD_BYTES]
    for place in _places(payload)[0] if places is None else places:
        element = _META.match(head, place)
        if element is None or not any(_speaks(_value(name), agent) for name in _NAME.finditer(element[0])):
            continue
        attributes = {match[1].lower(): _value(match) for match in _ATTRIBUTE.finditer(element[0])}
        if b"name" in attributes and b"content" in attributes:
            name, content = (attributes[key].decode("utf-8", "replace") for key in (b"name", b"content"))
            signals += meta_signals(name, content, agent)
    return tuple(dict.fromkeys(signals))


def _value(attribute: re.Match[bytes]) -> bytes:
    return next((part for part in attribute.groups()[1:] if part is not None), b"")


@lru_cache(maxsize=1024)
def _speaks(name: bytes, agent: str) -> bool:
    """Whether a meta element of that name can state anything about rights."""
    return any(meta_signals(name.decode("utf-8", "replace"), content, agent) for content in _CONTENTS)


@lru_cache(maxsize=1)
def _anchors() -> Anchors:
    return Anchors((*LICENCE_ANCHORS, b"<meta"))


def _places(payload: bytes) -> tuple[list[int], list[tuple[int, int]]]:
    """Where meta elements begin, and where licences may stand: one pass for both."""
    places = list(_anchors().find(payload[:_MOST_BYTES]))
    meta = len(LICENCE_ANCHORS)
    return [place for place, number in places if number == meta], [one for one in places if one[1] != meta]


def recorded_signals(fields: Iterable[tuple[str, str]], agent: str) -> tuple[Signal, ...]:
    """What a metadata record of the archive says: statements that a crawl noted, or headers and ``robots`` as they were.

    >>> recorded_signals([("signal", "tdmrep: tdm-reservation=1"), ("robots", "noai")], "paberki")[0].name
    'tdm-reservation'
    """
    signals: list[Signal] = []
    for name, value in fields:
        if name in ("signal", "opt-out"):
            source, colon, rest = value.partition(":")
            wish, _, amount = rest.strip().partition("=")
            if colon and wish:
                signals.append(Signal(source.strip().lower(), wish.strip().lower(), amount.strip()))
        elif name == "robots":
            signals += meta_signals(name, value, agent)
        else:
            signals += header_signals([(name, value)], agent)
    return tuple(signals)


@map_stage(
    "quality.rights.v1",
    layer="rights",
    needs=NEEDS,
    adds=builtin("rights"),
    config=RightsConfig,
    behaviour="one pass",
)
def rights(batch: Batch, config: RightsConfig) -> Columns:
    """Statements about the use of the page, its own and those that the archive's metadata records hold, and the licences
    it names (no paper; RFC 9309, TDMRep, X-Robots-Tag).

    ``opted_out`` follows the policy of the crawl at the time of capture. Licences are found in the bytes of the page.
    """
    signals: list[list[str]] = []
    opted: list[bool] = []
    page_licences: list[list[Licence]] = []
    for payload, response, metadata_records, date in zip(*(batch[name] for name in NEEDS), strict=True):
        elements, mentions = _places(payload or b"")
        page_rights = page_signals(payload or b"", response.http_headers.items(), config.agent, elements)
        page_rights = tuple(dict.fromkeys((*page_rights, *recorded_signals(metadata_records, config.agent))))
        when = date.replace(tzinfo=_utc()) if date is not None else None
        signals.append([str(one).encode("utf-8", "replace").decode() for one in page_rights])
        opted.append(
            config.policy.refuses(page_rights, now=when) is not None if when or not _has_date(page_rights) else False
        )
        page_licences.append(licences(payload or b"", mentions))
    return {
        "signals": signals,
        "opted_out": opted,
        "licences": pa.array([[_row(one) for one in some] for some in page_licences], pa.list_(LICENCE)),
        "open_licence": [next((one.name for one in some[:1] if one.open), None) for some in page_licences],
    }


def _has_date(signals: Iterable[Signal]) -> bool:
    """Whether a statement begins to hold at some time: then the clock must not be asked."""
    return any(one.name == "unavailable_after" for one in signals)


def _utc() -> Any:
    from datetime import UTC

    return UTC


def _row(one: Licence) -> dict[str, Any]:
    return {"name": one.name, "url": one.url, "start": one.start, "end": one.end, "confidence": one.confidence}


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsConfig:
    """Whose name robots.txt is read for."""

    agent: str = "paberki"
    """Product token; groups for it count, else those for everybody."""


@join_stage(
    "quality.robots.v1",
    layer="robots",
    needs=("archive.url", "archive.status", "archive.date", "archive.key", *_PLACE),
    adds=builtin("robots"),
    config=RobotsConfig,
    behaviour="payloads",
)
class ArchivedRobots:
    """Whether the robots.txt, ai.txt or tdmrep.json of a page's host that is in the archive allows it (RFC 9309).

    Import a robots archive beside the pages and build: every page of a host is judged by the host's latest file, read from
    the archived bytes. Pages of hosts without one have null, for unknown.
    """

    @staticmethod
    def emit(batch: Batch, config: RobotsConfig) -> pa.Table:
        """Pages and files about crawling by their origin."""
        urls = [normalise(url) or "" if url else "" for url in batch["archive.url"]]
        kinds = [next((kind for kind in _FILES if url[8:].partition("/")[2] == kind[1:]), "") for url in urls]
        bodies = [
            _body(batch, row) if kind and status in (200, None) else None
            for row, (kind, status) in enumerate(zip(kinds, batch["archive.status"], strict=True))
        ]
        origins = pa.array([origin_of(url) if url else None for url in urls], pa.string())
        table = pa.table(
            {
                "group": hashes(origins),
                "page": pa.array(batch.pages, pa.int64()),
                "origin": origins,
                "url": pa.array(urls, pa.string()),
                "kind": pa.array(kinds, pa.string()),
                "body": pa.array(bodies, pa.binary()),
                "date": batch.arrow("archive.date").cast(pa.int64()).fill_null(np.iinfo(np.int64).min),
                "key": batch.arrow("archive.key"),
            }
        )
        return table.filter(origins.is_valid())

    @staticmethod
    def resolve(rows: pa.Table, config: RobotsConfig) -> pa.Table:
        """The pages of hosts that have such a file, with what it says about them."""
        files = rows.filter(rows.column("body").is_valid()).sort_by([("date", "ascending"), ("key", "ascending")])
        latest: dict[tuple[str, str], bytes] = {}
        for origin, kind, body in zip(*(files[name].to_pylist() for name in ("origin", "kind", "body")), strict=True):
            latest[origin, kind] = body
        readers = {key: _reader(key[1], body, config.agent) for key, body in latest.items()}
        origins = pa.array(sorted({origin for origin, _ in latest}), pa.string())
        pages = rows.filter(pc.is_in(rows["origin"], value_set=origins))
        decisions = []
        for page, origin, url in zip(*(pages[name].to_pylist() for name in ("page", "origin", "url")), strict=True):
            is_allowed, signals = _judge(origin, url, readers)
            decisions.append({"page": page, "allowed": is_allowed, "signals": [str(one) for one in signals]})
        shape = pa.schema([("page", pa.int64()), ("allowed", pa.bool_()), ("signals", pa.list_(pa.string()))])
        return pa.Table.from_pylist(decisions, shape)

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: RobotsConfig) -> Columns:
        """What was found, page by page."""
        return {
            "robots_allowed": decisions.column("allowed").combine_chunks(),
            "robots_signals": decisions.column("signals").combine_chunks(),
        }


def _body(batch: Batch, row: int) -> bytes | None:
    """The bytes of one record as they were served, whatever type HTTP gave them; null where they cannot be read."""
    columns = {name: batch.arrow(name).slice(row, 1) for name in _PLACE}
    try:
        [response] = read_responses(Batch(batch.pages[row : row + 1], columns, warc=batch.warc))
    except InputError:
        return None
    return response.data[:_MOST_FILE_BYTES]


def _reader(kind: str, body: bytes, agent: str) -> Any:
    if kind == "/robots.txt":
        return Robots(body, agent)
    return ai_txt(body, agent) if kind == "/ai.txt" else well_known_tdmrep(body)


def _judge(origin: str, url: str, readers: dict[tuple[str, str], Any]) -> tuple[bool | None, list[Signal]]:
    is_allowed: bool | None = None
    signals: list[Signal] = []
    for kind in _FILES:
        reader = readers.get((origin, kind))
        if reader is None:
            continue
        if kind == "/robots.txt":
            is_allowed = reader.allows(url)
            signals += reader.signals_for(url)
        else:
            signals += reader.signals(url)
    return is_allowed, signals
