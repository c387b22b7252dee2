"""Finds registered domains by the public suffix list.

The list is the snapshot in the ``tldextract`` package, so that all machines use the same one. The look-up is our own,
because the package's look-up loads an HTTP client and some forty megabytes for a loop over the labels of a name.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

SNAPSHOT = ".tld_set_snapshot"
_PRIVATE = "===BEGIN PRIVATE DOMAINS==="


_NO_PARTS = SplitResult("", "", "", "", "")


def split_url(url: str) -> SplitResult:
    """The parts of a URL; empty parts if it is invalid, such as ``http://[::1``."""
    try:
        parts = urlsplit(url)
        _ = parts.hostname  # raises ValueError for a misplaced bracket
    except ValueError:
        return _NO_PARTS
    return parts


@lru_cache(maxsize=2)
def _rules(private: bool) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Plain rules, wildcard rules without their star, and exceptions, from the public part of the list or all of it."""
    plain, wild, exceptions = set(), set(), set()
    package = find_spec("tldextract")  # located without importing it
    assert package is not None
    assert package.origin is not None
    for line in Path(package.origin).with_name(SNAPSHOT).read_text("utf-8").splitlines():
        if _PRIVATE in line and not private:
            break
        rule = line.strip()
        if not rule or rule.startswith("//"):
            continue
        for form in {rule, _ascii(rule)}:
            if form.startswith("*."):
                wild.add(form[2:])
            elif form.startswith("!"):
                exceptions.add(form[1:])
            else:
                plain.add(form)
    return frozenset(plain), frozenset(wild), frozenset(exceptions)


def _ascii(rule: str) -> str:
    try:
        return rule.encode("idna").decode("ascii") if not rule.isascii() else rule
    except UnicodeError:
        return rule


@lru_cache(maxsize=100_000)
def registered_domain(host: str, *, private: bool = False) -> str:
    """``example.co.uk`` of ``www.example.co.uk``; the host itself if it has no registered domain.

    With ``private``, names below a shared service such as ``blogspot.com`` count as domains of their own.
    """
    if not host or host.replace(".", "").isdigit() or ":" in host:
        return host
    plain, wild, exceptions = _rules(private)
    labels = host.split(".")
    for at in range(len(labels)):
        name, above = ".".join(labels[at:]), ".".join(labels[at + 1 :])
        if name in exceptions:
            return name
        if name in plain or (above and above in wild):
            return ".".join(labels[max(at - 1, 0) :])
    return host if len(labels) < 2 else ".".join(labels[-2:])


def host_of(url: str) -> str:
    """Host name of a URL in lower case, without port; empty if there is none."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
