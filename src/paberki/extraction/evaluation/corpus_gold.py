"""What a corpus built from an archive should hold: the gold of ``paberki eval corpus``.

A file of JSON lines, one page each: ``url``, the text that the page should give (``gold``, or ``text``), its language
(``lang``), the address of the page that it is a copy of (``copy_of``), and what readers wrote below it
(``gold_comments``). Only ``url`` is needed. A page in another language than the corpus must not be in it, and of a page
and its copies one should stay.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paberki.errors import ConfigError, InputError
from paberki.languages import language


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """One page and what the corpus should have of it."""

    url: str
    text: str = field(default="", repr=False)
    lang: str = ""
    copy_of: str = ""
    comments: str = field(default="", repr=False)


def read_corpus_gold(path: Path) -> list[GoldDocument]:
    """All pages of a gold file; an address occurs once."""
    documents: dict[str, GoldDocument] = {}
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: no gold can be read from it ({error})") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            document = _document(line, f"{path}, line {number}")
            if document.url in documents:
                raise InputError(f"{path}, line {number}: {document.url} is here for the second time")
            documents[document.url] = document
    if not documents:
        raise InputError(f"{path}: no pages in it; each line should be a JSON object with url, gold and lang")
    return list(documents.values())


def _document(line: str, place: str) -> GoldDocument:
    try:
        row: dict[str, Any] = json.loads(line)
        lang = str(row.get("lang") or "")
        return GoldDocument(
            str(row["url"]).strip(), str(row.get("gold") or row.get("text") or ""), _code(lang),
            str(row.get("copy_of") or "").strip(), str(row.get("gold_comments") or ""),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{place}: not a JSON object with url, gold and lang ({error!r})") from error


def _code(lang: str) -> str:
    """The code of a language; a name that we do not know stays as it is, for such pages are only to be left out."""
    try:
        return language(lang) if lang else ""
    except ConfigError:
        return lang


def language_of(documents: Iterable[GoldDocument]) -> str:
    """The language of most pages with gold text."""
    counts = Counter(one.lang for one in documents if one.text and one.lang)
    if not counts:
        raise ConfigError("the gold does not say which language the corpus is in; give --lang")
    return min(counts, key=lambda lang: (-counts[lang], lang))


def groups_of_copies(documents: Sequence[GoldDocument]) -> list[list[GoldDocument]]:
    """Pages with their copies, the original first; a chain of copies is one group."""
    by_url = {one.url: one for one in documents}
    groups: dict[str, list[GoldDocument]] = {}
    for one in documents:
        root, steps = one, 0
        while root.copy_of in by_url and steps < len(documents):
            root, steps = by_url[root.copy_of], steps + 1
        groups.setdefault(root.url, []).append(one)
    return [sorted(members, key=lambda one: one.copy_of != "") for members in groups.values()]
