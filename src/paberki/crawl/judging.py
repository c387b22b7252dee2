"""Is there running text in a wanted language on this page? Cheaply enough to ask it of every page of a crawl.

A paragraph is what stands between block-level tags. It counts as running text when it begins and ends like a sentence,
has at least eight words and is not made of links: the "well-formed paragraph" of P1 §3. The language is told by
function words, weighted by how few languages share them. The build judges with more care; a test holds the two
together.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from paberki.crawl.languages import connected, language_of
from paberki.crawl.simhash import simhash

GOOD_CHARS = 200
"""Characters of running text in a wanted language from which on a page is expected to be kept."""
_MOST_TAGS = 50_000
_LONGEST_PARAGRAPH = 100_000
_SAMPLE_CHARS = 4000
_LONG_RUN = 24
"""Characters without a tag that make us look at a paragraph."""
_APART = 40
"""Tags between paragraphs from which on they are not the same text."""

_INLINE = re.compile(
    r"/?(?i:a(?:bbr|cronym)?|b(?:d[io]|ig)?|c(?:ite|ode)|d(?:ata|el|fn)|em|font|i(?:mg|ns)?|kbd|mark|nobr|o:p|q|s(?:amp|mall"
    r"|pan|trike|trong|u[bp])?|t(?:ime|t)|u|var|wbr)(?=[\s>/])"
)
_PLAINLY_BLOCK = frozenset("pPhHlL")
_PLAINLY_BLOCK_END = frozenset(("/p", "/P", "/h", "/H", "/l", "/L", "p>", "li", "br", "/t"))
_ANCHOR = re.compile(r"[aA][\s>]")
_ENDERS = frozenset(".!?…。！？｡．؟।")
_CLOSERS = "\"'”’“»«›)]}」』）】＂＇*"
_LAST = _ENDERS | set(_CLOSERS + ";")
_OPENERS = frozenset("\"'„“”‚‘’«»‹›([–—-「『（【¿¡…")
_FEWEST_WORDS = 8
_WORDS_SURELY = 240
"""Characters that hold eight words if a paragraph is one at all."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u3041-\u9fff]")
_MOST_LINKED = 0.5


@dataclass(slots=True)
class Verdict:
    """What the judge found."""

    text_bytes: int = 0
    good_bytes: int = 0
    lang: str | None = None
    good: bool = False
    simhash: int = 0


def judge(chunks: list[str], languages: Sequence[str]) -> Verdict:
    """Judge the visible markup of a page, cut into chunks; without ``languages`` text in any language is good."""
    texts, size = _texts(chunks[:_MOST_TAGS] if len(chunks) > _MOST_TAGS else chunks)
    verdict = Verdict(size)
    if not texts:
        return verdict
    text = max(texts, key=len)
    verdict.simhash = simhash(text)
    verdict.lang, share = language_of(text, languages)
    wanted = not languages or verdict.lang in languages
    if wanted and connected(text[:_SAMPLE_CHARS], verdict.lang, share):
        verdict.good = len(text) >= GOOD_CHARS
        others = [other for other in texts if other is not text and len(other) >= GOOD_CHARS]
        verdict.good_bytes = sum([len(one.encode("utf-8", "replace")) for one in (text, *others)]) + len(others)
    return verdict


def _texts(chunks: list[str]) -> tuple[list[str], int]:
    """Running texts of a page, and how much text of any kind there is.

    Paragraphs that begin with the same tag and follow each other closely are one text. A cheap stand-in for P1's path
    of tags, ids and classes: it keeps notices, teasers and footers, which stand alone, apart from the text. A chunk is
    a tag without its ``<`` and the text after it. Paragraphs are found from their long runs, so that most of a page is
    not looked at; they reach to the next block-level tag on either side.
    """
    groups: list[list[str]] = []
    last: dict[str, tuple[int, list[str]]] = {}
    size, done, count = 0, 0, len(chunks)
    for number in _long_runs(chunks):
        if number < done:
            continue
        start, end = number, number + 1
        while start > done and chunks[start][:1] not in _PLAINLY_BLOCK and _INLINE.match(chunks[start]):
            start -= 1
        while end < count and chunks[end][:2] not in _PLAINLY_BLOCK_END and _INLINE.match(chunks[end]):
            end += 1
        done = end
        tag, mark, text = chunks[start].partition(">")
        if end - start > 1:
            text = _joined(text, chunks[start + 1 : end])
        if not mark or not text:
            continue
        size += len(text)
        paragraph = _paragraph(text)
        if paragraph is None:
            continue
        if " style" in tag:
            tag = tag.partition(" style")[0]
        known = last.get(tag)
        if known is not None and start - known[0] <= _APART:
            group = known[1]
            group.append(paragraph)
        else:
            group = [paragraph]
            groups.append(group)
        last[tag] = start, group
    return list(map("\n".join, groups)), size


def _long_runs(chunks: list[str]) -> list[int]:
    return [
        at
        for at, chunk in enumerate(chunks)
        if len(chunk) > _LONG_RUN and len(chunk) - chunk.find(">") > _LONG_RUN and chunk[:9] != "noscript>"
    ]


def _joined(text: str, chunks: list[str]) -> str:
    """A paragraph put together again; nothing if most of it are links."""
    parts, linked = [text], 0
    inside = False
    for chunk in chunks:
        tag, _, text = chunk.partition(">")
        if _ANCHOR.match(chunk):
            inside = True
        elif tag in ("/a", "/A"):
            inside = False
        linked += len(text) if inside else 0
        parts.append(text)
    whole = "".join(parts)
    return whole if linked <= _MOST_LINKED * len(whole) else ""


def _paragraph(piece: str) -> str | None:
    """A well-formed paragraph with single spaces; None for any other text."""
    piece = piece.strip()
    last = piece[-1:]
    if last not in _LAST:
        return None
    if "&" in piece and len(piece) < _LONGEST_PARAGRAPH:
        piece = html.unescape(piece).strip()
        last = piece[-1:]
    if last not in _ENDERS and piece[-12:].rstrip(_CLOSERS)[-1:] not in _ENDERS:
        return None
    first = piece[0]
    if not (first.isupper() or first.isdigit() or first in _OPENERS or (first.isalpha() and not first.islower())):
        return None
    spaces = piece.count(" ", 0, _WORDS_SURELY)
    if spaces < _FEWEST_WORDS - 1 and spaces + len(_UNSPACED.findall(piece)) / 2 < _FEWEST_WORDS:
        return None
    return " ".join(piece.split()) if "\n" in piece else piece

