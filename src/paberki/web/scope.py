"""Which hosts belong to a corpus (the population of P1 §2.1, P5 §2: everything under one national domain).

A scope is a list of patterns: ``.hr`` is every host below a top-level domain, ``unizg.hr`` a domain with all its
subdomains, ``*.blog.hr`` every host that the glob matches. A crawl follows only links into its scope, and ``select``
labels imported pages from elsewhere.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence

from paberki.errors import ConfigError

_REMEMBERED = 100_000
_NAME = re.compile(r"[^\s/:@?#*,]+")
_PORT = re.compile(r":\d*$")


class HostScope:
    """Tells whether a host (``name`` or ``name:port``) is in scope, and caches the answers."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._everything = not patterns
        self._names = {one.lstrip(".") for one in patterns if not _is_glob(one)}
        self._tops = {one.lstrip(".") for one in patterns if one.startswith(".") and not _is_glob(one)}
        self._globs = [re.compile(fnmatch.translate(one)) for one in patterns if _is_glob(one)]
        self._answers: dict[str, bool] = {}

    def __contains__(self, host: str) -> bool:
        if self._everything:
            return True
        answer = self._answers.get(host)
        if answer is None:
            if len(self._answers) > _REMEMBERED:
                self._answers.clear()
            answer = self._answers[host] = self._decide(_ascii(_PORT.sub("", host)))
        return answer

    def _decide(self, name: str) -> bool:
        if name in self._names and name not in self._tops:
            return True
        above = name
        while above:
            _, _, above = above.partition(".")
            if above in self._names:
                return True
        return any(glob.match(name) for glob in self._globs)


def patterns(tld: Iterable[str], domains: Iterable[str], hosts: Iterable[str]) -> tuple[str, ...]:
    """The patterns of a scope, in the spelling of URLs: ``.HR`` becomes ``.hr``."""
    names = ["." + _check_name(name, "tld") for name in tld]
    names += [_check_name(name, "domains") for name in domains]
    names += [_ascii(glob.strip()) for glob in hosts]
    return tuple(dict.fromkeys(names))


def _check_name(text: str, setting: str) -> str:
    name = _ascii(_PORT.sub("", text.strip().removeprefix("*").strip(".")))
    if not _NAME.fullmatch(name):
        example = "hr" if setting == "tld" else "unizg.hr"
        raise ConfigError(f"crawl.{setting}: {text!r} is not a domain name; write e.g. {example}")
    return name


def _is_glob(pattern: str) -> bool:
    return any(sign in pattern for sign in "*?[")


def _ascii(name: str) -> str:
    name = name.lower()
    try:
        return name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        return name
