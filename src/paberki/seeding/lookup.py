"""Looks up queries in an index without a search service: the words of a query are searched for in the URLs.

Many URLs contain the title of their page (``/vijesti/velika-poplava-u-gradu``). Letters are compared without accents,
since such URLs are written without them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from paberki.seeding.common_crawl_index import Capture
from paberki.web.urls import normalise, path_of

_TOKEN = re.compile(r"[^\W_]+")
_WITHOUT_MARKS = str.maketrans("đĐłŁøØßıæœ", "dDlLoOsiao")


def fold(word: str) -> str:
    """Lower-case letters without accents."""
    apart = unicodedata.normalize("NFKD", word.translate(_WITHOUT_MARKS).lower())
    return "".join(char for char in apart if not unicodedata.combining(char))


class Lookup:
    """Collects URLs for queries: at most ``hits`` per query (P5: ten), each URL once."""

    def __init__(self, queries: Iterable[Sequence[str]], *, hits: int = 10, least: int | None = None) -> None:
        """``least`` is the number of words of a query that a URL must contain; all of them by default."""
        self._hits = hits
        self._queries = [frozenset(map(fold, query)) for query in queries]
        self._least_words = [min(least or len(query), len(query)) for query in self._queries]
        self._counts = [0] * len(self._queries)
        self._urls: dict[str, None] = {}
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for number, query in enumerate(self._queries):
            for word in query:
                self._by_word[word].append(number)

    @property
    def urls(self) -> list[str]:
        """The URLs, in the order of the index."""
        return list(self._urls)

    @property
    def answered_count(self) -> int:
        """Number of queries with at least one URL."""
        return sum(count > 0 for count in self._counts)

    def offer(self, capture: Capture) -> bool:
        """Match a capture with the queries; return whether its URL was taken."""
        url = normalise(capture.url)
        if url is None or url in self._urls:
            return False
        words = {fold(token) for token in _TOKEN.findall(unquote(path_of(url)))}
        word_counts: dict[int, int] = defaultdict(int)
        for word in words & self._by_word.keys():
            for number in self._by_word[word]:
                word_counts[number] += 1
        matches = [
            number
            for number, count in word_counts.items()
            if count >= self._least_words[number] and self._counts[number] < self._hits
        ]
        for number in matches:
            self._counts[number] += 1
            self._urls[url] = None
        return bool(matches)
