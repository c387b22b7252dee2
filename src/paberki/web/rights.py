"""Statements of site owners about the use of their pages, and which of them a crawl respects.

Every :class:`Signal` is recorded. :class:`Policy` decides for which signals a page's body is not kept and its links are
not followed. ``noarchive`` and ``nosnippet`` concern copies in search results, ``noimageai`` pictures: by default none
of them excludes a page from a text corpus.

Statements come from X-Robots-Tag and robots meta elements, also those for our crawler only; TDMRep (header, meta
element, ``/.well-known/tdmrep.json``); ``/ai.txt``; Content-Usage and Content-Signal (header here, robots.txt in
:mod:`paberki.web.robots`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from paberki.web.internet_date import internet_date
from paberki.web.path_patterns import Patterns, matched_form
from paberki.web.rights_signals import Signal, preferences
from paberki.web.robots import Robots, pattern_of, token_of
from paberki.web.urls import looks_binary

__all__ = ["AiTxt", "Policy", "Signal", "Tdmrep", "ai_txt", "header_signals", "meta_signals", "well_known_tdmrep"]

_WITH_VALUE = frozenset(("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"))
_UNAVAILABLE = re.compile(r"(?:^|:)\s*+unavailable_after\s*+:", re.I)
_DAY = re.compile(r"\s*+[0-9]{1,2}\b")
_HARMLESS = frozenset(("all", "index", "follow"))
_TDM = ("tdm-reservation", "tdm-policy")
_USAGE = ("content-usage", "content-signal")
_FIELDS = frozenset(("x-robots-tag", *_TDM, *_USAGE))
_LONGEST = 4096
_MOST_BYTES = 1 << 20
_MOST_RULES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Which statements of site owners are respected, and how."""

    keep_out: tuple[str, ...] = (
        "noindex",
        "none",
        "noai",
        "unavailable_after",
        "tdm-reservation=1",
        "train-ai=n",
        "ai-train=n",
        "train-genai=n",
        "genai=n",
        "ai=n",
        "tdm=n",
        "bots=n",
        "all=n",
        "search=n",
        "disallow",
    )
    """Statements for which a page is recorded (URL, time, signal) but its body not kept; ``name`` or ``name=value``.
    ``disallow`` is a rule of ai.txt; ``search`` counts because a corpus is searched, as a search engine's index is."""
    no_links: tuple[str, ...] = ("nofollow", "none")
    """Statements for which the links of a page are not followed."""

    def refuses(self, signals: Iterable[Signal], *, now: datetime | None = None) -> Signal | None:
        """The first statement for which the body is not kept; None if there is none."""
        return next((signal for signal in signals if _among(signal, self.keep_out) and _in_force(signal, now)), None)

    def follows(self, signals: Iterable[Signal]) -> bool:
        """Whether links may be followed."""
        return not any(_among(signal, self.no_links) for signal in signals)


def _among(signal: Signal, names: tuple[str, ...]) -> bool:
    return signal.name in names or f"{signal.name}={signal.value}" in names


def _in_force(signal: Signal, now: datetime | None) -> bool:
    """Whether a statement is in force; only ``unavailable_after`` takes effect at a certain time."""
    if signal.name != "unavailable_after":
        return True
    moment = moment_of(signal.value)
    return moment is not None and moment <= (now or datetime.now(UTC))


def moment_of(text: str) -> datetime | None:
    """Parse the date of an ``unavailable_after``: RFC 822, RFC 850 or ISO 8601; None if it is invalid."""
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return internet_date(text.replace("-", " ") if "," in text else text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def header_signals(headers: Iterable[tuple[str, str]], agent: str) -> tuple[Signal, ...]:
    """Statements in the headers of a response that address all crawlers or our product token."""
    signals: list[Signal] = []
    own = token_of(agent)
    chars_left = 2 * _LONGEST
    for name, value in headers:
        name = name.lower()
        if name not in _FIELDS:
            continue
        value = value[: min(_LONGEST, chars_left)]
        chars_left -= len(value)
        if name == "x-robots-tag":
            signals += _x_robots_tag(value, own)
        elif name in _TDM:
            signals.append(Signal("header", name, value.strip()))
        elif name in _USAGE:
            signals += preferences(value, "header")[1]
    return tuple(dict.fromkeys(signals))


def meta_signals(name: str, content: str, agent: str) -> tuple[Signal, ...]:
    """Statements of a ``meta`` element for ``robots``, our product token, TDMRep or preferences."""
    name, content = name.strip().lower(), content[:_LONGEST]
    if name in _TDM:
        return (Signal("meta", name, content.strip()),)
    if name == "robots" or (name and name == token_of(agent)):
        return tuple(_wishes(content, "meta"))
    return tuple(preferences(content, "meta")[1]) if name in _USAGE else ()


def _x_robots_tag(value: str, own: str) -> Iterator[Signal]:
    """Rules before any name address all crawlers; rules after ``name:`` address that crawler."""
    for_us = True
    for wish in _split(value):
        parts = wish.split(":")
        last = len(parts) - 1
        start = next((at for at, part in enumerate(parts) if part.strip().lower() in _WITH_VALUE), last)
        if start:
            for_us = token_of(parts[start - 1]) == own and bool(own)
        if for_us:
            yield from _signals_of(":".join(parts[start:]), "header")


def _wishes(text: str, source: str) -> Iterator[Signal]:
    for wish in _split(text):
        yield from _signals_of(wish, source)


def _split(text: str) -> Iterator[str]:
    """Split a list of rules at commas, except inside a date."""
    parts = text.split(",")
    at = 0
    while at < len(parts):
        part, at = parts[at], at + 1
        if at < len(parts) and _UNAVAILABLE.search(part) and _DAY.match(parts[at]):
            part, at = f"{part},{parts[at]}", at + 1
        yield part


def _signals_of(wish: str, source: str) -> Iterator[Signal]:
    name, _, value = wish.partition(":")
    for word in name.lower().split():
        if word not in _HARMLESS:
            yield Signal(source, word, value.strip())


class Tdmrep:
    """The rules of a site's ``/.well-known/tdmrep.json``; the first matching location counts."""

    __slots__ = ("_rules",)

    def __init__(self, rules: list[tuple[Patterns[bool], tuple[Signal, ...]]]) -> None:
        self._rules = rules

    def signals(self, url: str) -> tuple[Signal, ...]:
        """The statements about a normalised URL."""
        path = matched_form(url[url.index("/", 8) :])
        return next((signals for location, signals in self._rules if location.longest(path)), ())


def well_known_tdmrep(body: bytes) -> Tdmrep:
    """Read a TDMRep file; an invalid one has no rules."""
    try:
        entries = json.loads(body[:_MOST_BYTES].decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        entries = []
    entries = entries if isinstance(entries, list) else [entries]
    rules = [rule for entry in entries[:_MOST_RULES] if isinstance(entry, dict) for rule in _tdm_rule(entry)]
    if len(entries) > _MOST_RULES:
        # Nobody needs so many rules; the unread rest may reserve rights, so all pages count as reserved.
        rules += _tdm_rule({"location": "/", "tdm-reservation": 1})
    return Tdmrep(rules)


def _tdm_rule(entry: dict[str, object]) -> Iterator[tuple[Patterns[bool], tuple[Signal, ...]]]:
    location, value = entry.get("location", "/"), _reservation(entry.get("tdm-reservation"))
    if not isinstance(location, str) or not location or not value:
        return
    pattern = pattern_of(location.encode("utf-8", "replace").decode("latin-1"))
    signals = [Signal("tdmrep", "tdm-reservation", value)]
    policy = entry.get("tdm-policy")
    if isinstance(policy, str) and policy:
        signals.append(Signal("tdmrep", "tdm-policy", _sendable(policy)))
    yield Patterns([(pattern, True)], lambda one, _: one), tuple(signals)


def _reservation(value: object) -> str:
    """The value of ``tdm-reservation`` as text, whatever its JSON type; empty if it is invalid."""
    if isinstance(value, float):
        return f"{value:.0f}" if math.isfinite(value) else ""
    if isinstance(value, bool | int):
        return str(int(value))
    return _sendable(value).strip() if isinstance(value, str) else ""


def _sendable(text: str) -> str:
    """A JSON string that can be encoded: lone surrogates are replaced."""
    return text[:_LONGEST].encode("utf-8", "replace").decode()


class AiTxt:
    """The rules of a site's ``/ai.txt``: robots.txt rules about training data, often by kind of file."""

    __slots__ = ("_robots",)

    def __init__(self, robots: Robots) -> None:
        self._robots = robots

    def signals(self, url: str) -> tuple[Signal, ...]:
        """The statements about a normalised URL of an HTML page."""
        # Rules such as "Disallow: *.html" address kinds of files, also pages whose URL does not end in .html.
        as_page = url if looks_binary(url) else url.partition("?")[0].removesuffix(".html") + ".html"
        if not (self._robots.allows(url) and self._robots.allows(as_page)):
            return (Signal("ai.txt", "disallow"), *self._robots.signals_for(url))
        return self._robots.signals_for(url)


def ai_txt(body: bytes, agent: str = "*") -> AiTxt:
    """Read an ai.txt file; an HTML page in its place contains no rules."""
    return AiTxt(Robots(body, agent))
