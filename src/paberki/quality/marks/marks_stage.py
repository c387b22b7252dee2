"""Marks that users can cut on: block lists of their own, signs of machine translation, signs of spam.

A block list is a file of the user's: a line is a host (``example.com``, its subdomains included), an address (``http…``,
all that begins with it), or ``word: …`` for a word or phrase of the text. The list's name is its category.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from paberki.corpus_file import CATEGORY, CorpusFile, place_of
from paberki.errors import ConfigError
from paberki.quality.marks.signs import signs_in
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

NEEDS: Final = (
    "payload", "archive.url", "archive.host", "extract.keywords", "extract.links", "extract.kept_char_count",
    "extract.blocks.text", "extract.blocks.kept",
)  # fmt: skip
_MOST_LINES: Final = 5_000_000
_KEYWORDS: Final = 40
_LINKED_HOSTS: Final = 100
_LITTLE_TEXT: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksConfig:
    """Which lists pages are compared with."""

    lists: tuple[CorpusFile, ...] = ()
    """Block lists as CATEGORY=FILE."""


@dataclass(frozen=True, slots=True)
class BlockLists:
    """Entries of all lists with their categories."""

    hosts: Mapping[str, frozenset[str]]
    addresses: Mapping[str, frozenset[str]]
    words: Mapping[str, frozenset[str]]
    pattern: re.Pattern[str] | None

    def categories(self, url: str | None, host: str | None, text: str) -> list[str]:
        """Categories that a page falls under."""
        names: set[str] = set()
        labels = (host or "").lower().split(".")
        for at in range(len(labels)):
            names |= self.hosts.get(".".join(labels[at:]), frozenset())
        if self.addresses and url:
            bare = _without_scheme(url)
            for end in [at for at, char in enumerate(bare) if char in "/?#&"] + [len(bare)]:
                names |= self.addresses.get(bare[:end], frozenset()) | self.addresses.get(bare[: end + 1], frozenset())
        if self.pattern is not None:
            for match in self.pattern.finditer(text.lower()):
                names |= self.words[match[0]]
        return sorted(names)


def _without_scheme(url: str) -> str:
    return url.partition("://")[2] if "://" in url else url


@lru_cache(maxsize=4)
def block_lists(lists: tuple[tuple[str, str], ...]) -> BlockLists:
    """Read lists given as categories with files."""
    kinds: list[dict[str, set[str]]] = [{}, {}, {}]
    for category, place in lists:
        try:
            lines = Path(place).read_text("utf-8", "replace").splitlines()
        except OSError as error:
            raise ConfigError(f"block list {place}: cannot be read ({error}); give it as CATEGORY=FILE") from error
        for line in lines[:_MOST_LINES]:
            entry = line.partition("#")[0].strip() if not line.startswith("http") else line.strip()
            if entry:
                kind, name = _entry(entry)
                kinds[kind].setdefault(name, set()).add(category.strip())
    hosts, addresses, words = ({name: frozenset(some) for name, some in kind.items()} for kind in kinds)
    pattern = "|".join(re.escape(word) for word in sorted(words, key=lambda one: (-len(one), one)))
    return BlockLists(hosts, addresses, words, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)") if words else None)


def _entry(entry: str) -> tuple[int, str]:
    if entry.lower().startswith("word:"):
        return 2, " ".join(entry[5:].lower().split())
    if "/" in entry:
        return 1, _without_scheme(entry)
    return 0, entry.lower().strip(".")


@map_stage(
    "quality.marks.v1",
    layer="marks",
    needs=NEEDS,
    adds=builtin("marks"),
    config=MarksConfig,
    behaviour="one pass",
)
def marks(batch: Batch, config: MarksConfig) -> Columns:
    """Categories of the user's block lists, signs of machine translation and of spam (no paper; MaCoCu, UT1).

    A translation widget is a sign that a site translates, not that this page is a translation.
    """
    lists = block_lists(tuple((file.partition(CATEGORY)[0], place_of(file)) for file in config.lists))
    kept_blocks = kept_texts(batch.arrow(NEEDS[6]), batch.arrow(NEEDS[7]))
    texts: Sequence[Any] = kept_blocks.joined().to_pylist() if lists.pattern is not None else [""] * len(batch)
    page_texts = zip(batch["archive.url"], batch["archive.host"], texts, strict=True)
    signs = [signs_in(payload or b"") for payload in batch["payload"]]
    return {
        "listed": [lists.categories(url, host, text or "") for url, host, text in page_texts],
        "translated_by": pa.array([one.translator for one in signs], pa.string()).dictionary_encode(),
        "spam_marks": _spam(batch, [one.hidden_links for one in signs]),
    }


def _spam(batch: Batch, hidden_links: Sequence[bool]) -> list[int]:
    """How many of three signs a page shows: stuffed keywords, hidden links, links to very many hosts with little text."""
    marks = []
    links = batch.arrow("extract.links")
    counts = links.value_lengths().fill_null(0).to_pylist()
    rows = zip(hidden_links, batch["extract.keywords"], counts, batch["extract.kept_char_count"], strict=True)
    for row, (has_hidden_links, keywords, count, chars) in enumerate(rows):
        stuffed = len((keywords or "").split(",")) > _KEYWORDS
        farm = count > _LINKED_HOSTS and (chars or 0) < _LITTLE_TEXT and _host_count(links[row]) > _LINKED_HOSTS
        marks.append(int(stuffed) + int(has_hidden_links) + int(farm))
    return marks


def _host_count(links: Any) -> int:
    targets = (target or "" for target in links.values.field("target").to_pylist())
    return len({target.partition("://")[2].partition("/")[0] for target in targets if "://" in target})
