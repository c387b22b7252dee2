"""What site owners say about the use of their pages, and which of it a crawl respects.

A :class:`Signal` is recorded whatever the policy; :class:`Policy` says for which of them a page's body is not kept
and its links are not followed. ``noarchive`` and ``nosnippet`` are about showing copies to searchers, ``noimageai``
about pictures: none of them speaks against a text corpus by default.

Statements come from X-Robots-Tag and robots meta elements, also for our name alone; TDMRep (header, meta element,
``/.well-known/tdmrep.json``); ``/ai.txt``; Content-Usage and Content-Signal (header here, robots.txt in
:mod:`paberki.crawl.robots`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from paberki.crawl.patterns import Patterns, matched_form
from paberki.crawl.preferences import preferences
from paberki.crawl.robots import Robots, pattern_of, token_of
from paberki.crawl.signals import Signal
from paberki.crawl.urls import looks_binary

__all__ = ["AiTxt", "Policy", "Signal", "Tdmrep", "ai_txt", "header_signals", "meta_signals", "well_known_tdmrep"]

_WITH_VALUE = frozenset(("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"))
_WISHES = frozenset(
    (
        *("all", "index", "follow", "noindex", "nofollow", "none", "noarchive", "nocache", "nosnippet", "noodp"),
        *("notranslate", "noimageindex", "indexifembedded", "noai", "noimageai", "noml", "nositelinkssearchbox"),
    )
)
_HARMLESS = frozenset(("all", "index", "follow"))
_TDM = ("tdm-reservation", "tdm-policy")
_USAGE = ("content-usage", "content-signal")
_LONGEST = 4096
_MOST_BYTES = 1 << 20
_MOST_RULES = 10_000


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
        """The first statement for which the body is not kept."""
        return next((signal for signal in signals if _among(signal, self.keep_out) and _in_force(signal, now)), None)

    def follows(self, signals: Iterable[Signal]) -> bool:
        """Whether links may be followed."""
        return not any(_among(signal, self.no_links) for signal in signals)


def _among(signal: Signal, names: tuple[str, ...]) -> bool:
    return signal.name in names or f"{signal.name}={signal.value}" in names


def _in_force(signal: Signal, now: datetime | None) -> bool:
    """Whether a statement holds now; only ``unavailable_after`` begins to hold at some time."""
    if signal.name != "unavailable_after":
        return True
    moment = moment_of(signal.value)
    return moment is not None and moment <= (now or datetime.now(UTC))


def moment_of(text: str) -> datetime | None:
    """The moment of an ``unavailable_after``: RFC 822, RFC 850 or ISO 8601; None if it is none of them."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        try:
            moment = parsedate_to_datetime(text.strip().replace("-", " ") if "," in text else text.strip())
        except (ValueError, IndexError, OverflowError):
            return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def header_signals(headers: Iterable[tuple[str, str]], agent: str) -> tuple[Signal, ...]:
    """The statements of a response's headers that concern everybody or our product token."""
    found: list[Signal] = []
    own = token_of(agent)
    for name, value in headers:
        name, value = name.lower(), value[:_LONGEST]
        if name == "x-robots-tag":
            found += _x_robots_tag(value, own)
        elif name in _TDM:
            found.append(Signal("header", name, value.strip()))
        elif name in _USAGE:
            found += preferences(value, "header")[1]
    return tuple(dict.fromkeys(found))


def meta_signals(name: str, content: str, agent: str) -> tuple[Signal, ...]:
    """The statements of a ``meta`` element: ``robots``, our product token, or TDMRep."""
    name, content = name.strip().lower(), content[:_LONGEST]
    if name in _TDM:
        return (Signal("meta", name, content.strip()),)
    if name == "robots" or (name and name == token_of(agent)):
        return tuple(_wishes(content, "meta"))
    return tuple(preferences(content, "meta")[1]) if name in _USAGE else ()


def _x_robots_tag(value: str, own: str) -> Iterator[Signal]:
    """Wishes before any name are for everybody, those after ``name:`` for that crawler."""
    addressed = True
    rest = value
    while rest:
        part, _, following = rest.partition(",")
        head, colon, tail = part.partition(":")
        name = head.strip().lower()
        if colon and name not in _WITH_VALUE:
            addressed = token_of(name) == own and bool(own)
            rest = f"{tail},{following}" if following else tail
            continue
        taken, rest = _one_wish(rest)
        if addressed:
            yield from _wishes(taken, "header")


def _one_wish(text: str) -> tuple[str, str]:
    """The first wish of a list and the rest; a date may hold a comma."""
    part, _, rest = text.partition(",")
    if part.partition(":")[0].strip().lower() == "unavailable_after" and rest:
        following = rest.partition(",")
        word = following[0].partition(":")[0].strip().lower()
        if word not in _WISHES | _WITH_VALUE and re.match(r"\s*[0-9]{1,2}\b", following[0]):
            return f"{part},{following[0]}", following[2]
    return part, rest


def _wishes(text: str, source: str) -> Iterator[Signal]:
    while text:
        wish, text = _one_wish(text)
        name, _, value = wish.partition(":")
        for word in name.lower().split() or ():
            if word not in _HARMLESS:
                yield Signal(source, word, value.strip())


class Tdmrep:
    """The rules of a site's ``/.well-known/tdmrep.json``: the first location that matches counts."""

    __slots__ = ("_rules",)

    def __init__(self, rules: list[tuple[Patterns[bool], tuple[Signal, ...]]]) -> None:
        self._rules = rules

    def signals(self, url: str) -> tuple[Signal, ...]:
        """The statements about a normalised URL."""
        path = matched_form(url[url.index("/", 8) :])
        return next((signals for location, signals in self._rules if location.longest(path)), ())


def well_known_tdmrep(body: bytes) -> Tdmrep:
    """Read a TDMRep file; what is not one has no rules."""
    try:
        entries = json.loads(body[:_MOST_BYTES].decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        entries = []
    entries = entries if isinstance(entries, list) else [entries]
    return Tdmrep([rule for entry in entries[:_MOST_RULES] if isinstance(entry, dict) for rule in _tdm_rule(entry)])


def _tdm_rule(entry: dict[str, object]) -> Iterator[tuple[Patterns[bool], tuple[Signal, ...]]]:
    location, reservation = entry.get("location", "/"), entry.get("tdm-reservation")
    if not isinstance(location, str) or not location or reservation is None:
        return
    pattern = pattern_of(location.encode().decode("latin-1"))
    value = str(int(reservation) if isinstance(reservation, bool | float) else reservation).strip()
    signals = [Signal("tdmrep", "tdm-reservation", value)]
    if policy := entry.get("tdm-policy"):
        signals.append(Signal("tdmrep", "tdm-policy", str(policy)[:_LONGEST]))
    yield Patterns([(pattern, True)], lambda one, _: one), tuple(signals)


class AiTxt:
    """The rules of a site's ``/ai.txt``: robots.txt rules about training data, often by kind of file."""

    __slots__ = ("_robots",)

    def __init__(self, robots: Robots) -> None:
        self._robots = robots

    def signals(self, url: str) -> tuple[Signal, ...]:
        """The statements about a normalised URL of an HTML page."""
        # Rules such as "Disallow: *.html" are about kinds of files: they hold for pages whose URL does not show it.
        shown = url if looks_binary(url) else url.partition("?")[0].removesuffix(".html") + ".html"
        if not (self._robots.allows(url) and self._robots.allows(shown)):
            return (Signal("ai.txt", "disallow"), *self._robots.signals_for(url))
        return self._robots.signals_for(url)


def ai_txt(body: bytes, agent: str = "*") -> AiTxt:
    """Read an ai.txt file; an HTML page in its place has no rules."""
    return AiTxt(Robots(body, agent))
