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

from paberki.errors import ConfigError
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin
from paberki.store.files import place_of

NEEDS: Final = (
    "payload", "archive.url", "archive.host", "extract.keywords", "extract.links", "extract.kept_char_count",
    "extract.blocks.text", "extract.blocks.kept",
)  # fmt: skip
_MOST_LINES: Final = 5_000_000
_MOST_BYTES: Final = 2 << 20
_TRANSLATORS: Final = {
    "gtranslate": rb"gtranslate|gt_switcher|/gtranslate/",
    "google": rb"google_translate_element|translate\.google(?:apis)?\.com/translate_a/element|goog-te-",
    "weglot": rb"weglot",
    "qtranslate": rb"qtranslate",
    "translatepress": rb"translatepress|trp-language-switcher",
    "transposh": rb"transposh",
    "conveythis": rb"conveythis",
    "linguise": rb"linguise",
    "bablic": rb"bablic\.com",
    "localize": rb"localizejs\.com",
    "autoglot": rb"autoglot",
    "said-so": rb"(?i)machine[- ]translated|automatically translated|strojno prevedeno|strojni prijevod|strojov. p.eklad",
}
_HIDDEN: Final = re.compile(
    rb"(?i)style\s*=\s*[\"'][^\"']{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|text-indent\s*:\s*-\d{3,}|left\s*:\s*-\d{4,})"
    rb"[^\"']{0,200}[\"'][^>]{0,200}>(?:[^<]{0,300}<a\b[^>]{0,300}>[^<]{0,200}</a>){3}"
)
_KEYWORDS: Final = 40
_LINKED_HOSTS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksConfig:
    """Which lists pages are compared with."""

    lists: tuple[str, ...] = ()
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
        found: set[str] = set()
        labels = (host or "").lower().split(".")
        for at in range(len(labels)):
            found |= self.hosts.get(".".join(labels[at:]), frozenset())
        if self.addresses and url:
            bare = _without_scheme(url)
            for end in [at for at, char in enumerate(bare) if char in "/?#&"] + [len(bare)]:
                found |= self.addresses.get(bare[:end], frozenset()) | self.addresses.get(bare[: end + 1], frozenset())
        if self.pattern is not None:
            for match in self.pattern.finditer(text.lower()):
                found |= self.words[match[0]]
        return sorted(found)


def _without_scheme(url: str) -> str:
    return url.partition("://")[2] if "://" in url else url


@lru_cache(maxsize=4)
def block_lists(lists: tuple[str, ...], root: Path = Path()) -> BlockLists:
    """Read lists given as CATEGORY=FILE, seen from a directory."""
    kinds: list[dict[str, set[str]]] = [{}, {}, {}]
    for given in lists:
        category, _, _ = given.partition("=")
        try:
            lines = place_of(root, given).read_text("utf-8", "replace").splitlines()
        except OSError as error:
            raise ConfigError(f"block list {given!r}: cannot be read ({error}); give it as CATEGORY=FILE") from error
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


@map_stage("quality.marks.v1", layer="marks", needs=NEEDS, adds=builtin("marks"), config=MarksConfig, files=("lists",))
def marks(batch: Batch, config: MarksConfig) -> Columns:
    """Categories of the user's block lists, signs of machine translation and of spam (no paper; MaCoCu, UT1, P5 §5).

    A translation widget is a sign that a site translates, not that this page is a translation.
    """
    lists = block_lists(config.lists, batch.warc.parent if batch.warc else Path())
    kept = kept_texts(batch.arrow(NEEDS[6]), batch.arrow(NEEDS[7]))
    texts: Sequence[Any] = kept.joined().to_pylist() if lists.pattern is not None else [""] * len(batch)
    named = zip(batch["archive.url"], batch["archive.host"], texts, strict=True)
    translated = [_translator(payload or b"") for payload in batch["payload"]]
    return {
        "listed": [lists.categories(url, host, text or "") for url, host, text in named],
        "translated_by": pa.array(translated, pa.string()).dictionary_encode(),
        "spam_marks": _spam(batch),
    }


@lru_cache(maxsize=1)
def _translators() -> tuple[re.Pattern[bytes], tuple[str, ...]]:
    parts = [rb"(" + pattern.replace(rb"(?i)", rb"") + rb")" for pattern in _TRANSLATORS.values()]
    return re.compile(rb"(?i)" + rb"|".join(parts)), tuple(_TRANSLATORS)


def _translator(payload: bytes) -> str | None:
    pattern, names = _translators()
    if b"ranslat" not in payload and b"gt_switcher" not in payload and b"eglot" not in payload:
        match = None if b"prev" not in payload and b"js" not in payload else pattern.search(payload[:_MOST_BYTES])
    else:
        match = pattern.search(payload[:_MOST_BYTES])
    return names[match.lastindex - 1] if match and match.lastindex else None


def _spam(batch: Batch) -> list[int]:
    """How many of three signs a page shows: stuffed keywords, hidden links, links to very many hosts with little text."""
    found = []
    rows = zip(
        batch["payload"], batch["extract.keywords"], batch.arrow("extract.links"), batch["extract.kept_char_count"],
        strict=True,
    )  # fmt: skip
    for payload, keywords, links, chars in rows:
        stuffed = len((keywords or "").split(",")) > _KEYWORDS
        hidden = b"<a" in (payload or b"") and _hides_links((payload or b"")[:_MOST_BYTES])
        farm = len(links) > _LINKED_HOSTS and (chars or 0) < 2000 if links.is_valid else False
        found.append(int(stuffed) + int(hidden) + int(farm and _host_count(links) > _LINKED_HOSTS))
    return found


def _hides_links(payload: bytes) -> bool:
    return (b"isplay" in payload or b"ndent" in payload) and _HIDDEN.search(payload) is not None


def _host_count(links: Any) -> int:
    targets = (one["target"] or "" for one in links.as_py())
    return len({target.partition("://")[2].partition("/")[0] for target in targets if "://" in target})
