"""What robots.txt permits (RFC 9309).

The longest matching pattern decides; among equal ones Allow wins. All groups that name our crawler are one group; the
groups for ``*`` count only if there is none. Patterns and paths are compared in one spelling of percent codes,
wildcards in linear time. Common errors (``Dissallow``, no colon, a pattern without its slash) are read as they were
meant, in doubt as a prohibition.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from typing import ClassVar

from paberki.web.path_patterns import Patterns, matched_form
from paberki.web.rights_signals import Signal, preferences

MAX_BYTES = 500 * 1024
"""Bytes of a robots.txt that are read; RFC 9309 §2.5 asks for at least so many."""

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_KEY = re.compile(r"[A-Za-z][A-Za-z \t_-]*+\Z")
_WITHOUT_COLON = re.compile(r"(user-agent|allow|disallow)\s++(\S.*)", re.I)
_BEGINNING = re.compile(r"[^*$]*+")
_TOKEN = re.compile(r"[A-Za-z0-9_-]+")
_DELAY = re.compile(r"[0-9]{0,9}(?:\.[0-9]{0,9})?")
_KEYS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "user-agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    "allow": "allow",
    "crawl-delay": "crawl-delay",
    **dict.fromkeys(("sitemap", "site-map"), "sitemap"),
    "content-usage": "content-usage",
    "content-signal": "content-signal",
}
_MOST_SITEMAPS = 1000
MOST_WILD = 5000
"""Most rules with wildcards, since each of them is tried on each URL."""
_MOST_PREFERENCES = 500


class Robots:
    """The compiled rules of one robots.txt for one agent."""

    ALLOW_ALL: ClassVar[Robots]
    """Nothing is forbidden, as without a robots.txt."""
    DENY_ALL: ClassVar[Robots]
    """Everything is forbidden, as when robots.txt is unreachable."""

    __slots__ = ("_rules", "_usage", "crawl_delay", "sitemaps")

    crawl_delay: float | None
    """Seconds between requests that the site demands; None if it does not."""
    sitemaps: tuple[str, ...]
    """Addresses of sitemaps as written; they hold for all agents."""

    def __init__(self, body: bytes, agent: str) -> None:
        """``body`` is the file as received, ``agent`` our product token (``paberki``; anything after it is ignored)."""
        rules, delays, sitemaps, usage = _collect(body, token_of(agent))
        # Among equal patterns Allow wins.
        self._rules: Patterns[bool] = Patterns(_bound_rules(rules), operator.or_)
        by_name: dict[str, Usage] = {}
        for pattern, signal in usage[:_MOST_PREFERENCES]:
            by_name.setdefault(signal.name, []).append((pattern, signal))
        self._usage: dict[str, Patterns[Signal]] = {
            name: Patterns(preferences_of_name, _stricter) for name, preferences_of_name in by_name.items()
        }
        self.crawl_delay = max(delays, default=None)
        self.sitemaps = tuple(dict.fromkeys(sitemaps))

    def allows(self, url: str) -> bool:
        """Whether a normalised URL of the site may be fetched."""
        if not self._rules:
            return True
        path = url[url.index("/", 8) :]
        if path == "/robots.txt":
            return True
        return self._rules.longest(matched_form(path), prefer=True) is not False

    def signals_for(self, url: str) -> tuple[Signal, ...]:
        """Preferences about use (Content-Usage, Content-Signal) for a URL; the longest matching path decides."""
        return self._preferences(url[url.index("/", 8) :]) if self._usage else ()

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Preferences about use that hold for the whole site: those without a path or for ``/``."""
        return self._preferences("/")

    def _preferences(self, path: str) -> tuple[Signal, ...]:
        path = matched_form(path)
        return tuple(signal for patterns in self._usage.values() if (signal := patterns.longest(path)) is not None)


def _stricter(one: Signal, other: Signal) -> Signal:
    return other if other.value == "n" else one


def token_of(agent: str) -> str:
    """The product token of a user agent or a user-agent line, in lower case: the part before ``/`` or a space."""
    token = _TOKEN.match(agent.strip())
    return token[0].lower() if token else ""


Rules = list[tuple[str, bool]]
Usage = list[tuple[str, Signal]]


def _bound_rules(rules: Rules) -> Rules:
    """Limit the rules with wildcards to :data:`MOST_WILD`.

    Beyond the limit, an Allow is dropped and a Disallow becomes its prefix before the first wildcard: more is forbidden
    than was meant, never less.
    """
    wild: set[tuple[str, bool]] = set()
    remaining_rules: Rules = []
    for pattern, is_allow in rules:
        beginning = _BEGINNING.match(pattern)
        plain = beginning is not None and beginning.end() == len(pattern)
        if plain or (pattern, is_allow) in wild or len(wild) < MOST_WILD:
            remaining_rules.append((pattern, is_allow))
            wild |= set() if plain else {(pattern, is_allow)}
        elif not is_allow and beginning is not None:
            remaining_rules.append((beginning[0] or "/", False))
    return remaining_rules


class _AgentGroup:
    """All groups for one agent (or for ``*``) together."""

    def __init__(self) -> None:
        self.is_addressed = False
        self.rules: Rules = []
        self.delays: list[float] = []
        self.usage: Usage = []


def _collect(body: bytes, agent: str) -> tuple[Rules, list[float], list[str], Usage]:
    """Rules, delays and preferences of our group, and all sitemaps."""
    own, everybody = _AgentGroup(), _AgentGroup()
    groups: list[_AgentGroup] = []
    everyones_usage: Usage = []
    sitemaps: list[str] = []
    naming = in_groups = False
    for key, value in _lines(body):
        if key == "user-agent":
            if not naming:
                groups = []
            naming = in_groups = True
            groups += [group for group in _addressed_groups(value, agent, own, everybody) if group not in groups]
            continue
        if key == "sitemap":
            sitemaps += [value] if value and len(sitemaps) < _MOST_SITEMAPS else []
        elif key in ("allow", "disallow"):
            naming = False
            for group in groups:
                group.rules += [(pattern_of(value), key == "allow")] if value else []
        elif key == "crawl-delay":
            for group in groups:
                group.delays += _seconds(value)
        else:
            path, signals = preferences(value, "robots")
            usage = [(pattern_of(path or "/"), signal) for signal in signals]
            everyones_usage += [] if in_groups else usage
            for group in groups:
                group.usage += usage
    group = own if own.is_addressed else everybody
    return group.rules, group.delays, sitemaps, everyones_usage + group.usage


def _addressed_groups(value: str, agent: str, own: _AgentGroup, everybody: _AgentGroup) -> Iterator[_AgentGroup]:
    name = value.strip()
    if name == "*" or name[:2] in ("* ", "*\t"):
        everybody.is_addressed = True
        yield everybody
    elif agent and token_of(name) == agent:
        own.is_addressed = True
        yield own


def pattern_of(value: str) -> str:
    """A pattern in the form of a path: with a leading slash, without scheme and host."""
    if value[:8].lower().startswith(("http://", "https://")):
        slash = value.find("/", 8)
        value = value[slash:] if slash > 0 else "/"
    return value if value[0] in "/*" else "/" + value


def _seconds(value: str) -> list[float]:
    match = _DELAY.match(value.replace(",", "."))
    return [float(match[0])] if match and match[0].strip(".") else []


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """Keys in their standard spelling, and values; comments and unknown lines are skipped."""
    for line in _LINE_ENDS.split(_text(body)):
        name, value = _pair(line.partition("#")[0].strip())
        key = _KEYS.get(name.lower())
        if key is not None:
            yield key, value.strip()


def _pair(line: str) -> tuple[str, str]:
    """Name and value of a line; both empty if it has no name."""
    name, colon, value = line.partition(":")
    name = name.rstrip()
    if colon and _KEY.match(name):
        return name, value
    match = _WITHOUT_COLON.match(line)
    return (match[1], match[2]) if match else ("", "")


def _text(body: bytes) -> str:
    """One character per byte, so that patterns in any encoding compare byte by byte."""
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        body = body[: 2 * MAX_BYTES].decode("utf-16", "replace").encode()
    body = body.removeprefix(b"\xef\xbb\xbf")
    if len(body) > MAX_BYTES:
        # A pattern cut in two would forbid too much.
        body = body[:MAX_BYTES]
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    return body.replace(b"\0", b"").decode("latin-1")


Robots.ALLOW_ALL = Robots(b"", "*")
Robots.DENY_ALL = Robots(b"User-agent: *\nDisallow: /", "*")
