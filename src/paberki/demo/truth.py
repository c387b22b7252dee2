"""The truth about every page of the mini-web.

The mini-web is written by the same program that says what should be found on it, so an extraction,
a language label or a duplicate decision can be compared with the truth instead of with a guess.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Truth:
    """The right answers for one finite page."""

    url_path: str
    """Path and query string, as in the request line."""
    host: str
    language: str
    """Language of the wanted text (of the page's own words where nothing is wanted)."""
    script: str
    """``Latn``, ``Cyrl`` or ``Jpan``."""
    wanted: str
    """Body paragraphs and subheadings, one per line; empty for lists, spam, menus and binaries."""
    kind: str
    """``article``, ``post``, ``thread``, ``product``, ``notice``, ``home``, ``section``, ``list``, ..."""
    duplicate_group: str | None
    """Pages of one group have the same bytes."""
    near_duplicate_group: str | None
    """Pages of one group have nearly the same wanted text."""
    trap: str | None
    """Set on the entry page of an endless region: ``calendar`` or ``facet``."""
    encoding: str
    """The encoding of the bytes, as a WHATWG label."""
    declared: str
    """The encoding the page claims: HTTP first, then meta; empty where neither says anything."""
    comments: str
    """Readers' comments, one per line: real language, but not part of the article."""
    should_fetch: bool
    """False where robots.txt forbids the page."""
    title: str
