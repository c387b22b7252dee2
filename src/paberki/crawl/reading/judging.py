"""Is there running text in a wanted language on a page? A judge cheap enough for every page of a crawl.

A paragraph is the text between block-level tags. It counts as running text when it begins and ends like a sentence, has
at least eight words and does not consist of links: the "well-formed paragraph" of P1 §2.2. The language is recognised
by function words; a word weighs more the fewer languages share it. The build judges more carefully; a test checks that
the two agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from paberki.crawl.reading.quick_language import is_connected, language_of
from paberki.crawl.reading.simhash import simhash
from paberki.web.character_references import resolve_references

GOOD_CHARS = 200
"""Characters of running text in a wanted language that make a page good."""
_MOST_TAGS = 50_000
_LONGEST_PARAGRAPH = 100_000
_SAMPLE_CHARS = 2000
"""Characters of a text used for its language and its fingerprint."""
_LONG_RUN = 24
"""Characters without a tag from which on a stretch is examined as a paragraph."""
_APART = 40
"""Number of tags between two paragraphs from which on they belong to different texts."""

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
_LAST_OR_TAG = _LAST | {">"}
_LINKED = frozenset(("a ", "A ", "a\n", "A\n"))
"""Beginnings of links: linked text makes no paragraph; a paragraph around it has a long run of its own."""
_OPENERS = frozenset("\"'„“”‚‘’«»‹›([–—-「『（【¿¡…")
_FEWEST_WORDS = 8
_WORDS_SURELY = 240
"""Length of a beginning that holds eight words in any real paragraph."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u3041-\u9fff]")
_MOST_LINKED = 0.5


@dataclass(slots=True)
class TextVerdict:
    """The judge's result."""

    good_bytes: int = 0
    lang: str | None = None
    good: bool = False
    simhash: int = 0


def judge(chunks: list[str], languages: Sequence[str]) -> TextVerdict:
    """Judge the visible markup of a page, given as chunks; without ``languages``, text in any language is good."""
    texts = _texts(chunks[:_MOST_TAGS] if len(chunks) > _MOST_TAGS else chunks)
    verdict = TextVerdict()
    if not texts:
        return verdict
    largest = max(texts, key=_chars)
    sample = "\n".join(largest.paragraphs)[:_SAMPLE_CHARS]
    verdict.simhash = simhash(sample)
    verdict.lang, share = language_of(sample, languages)
    is_wanted = not languages or verdict.lang in languages
    if is_wanted and is_connected(sample, verdict.lang, share):
        verdict.good = largest.chars >= GOOD_CHARS
        others = sum([text.chars for text in texts if text is not largest and text.chars >= GOOD_CHARS])
        bytes_per_char = len(sample.encode("utf-8", "replace")) / len(sample)
        verdict.good_bytes = round((largest.chars + others) * bytes_per_char)
    return verdict


@dataclass(slots=True)
class _RunningText:
    """Paragraphs that belong together; of a long text, the beginning is kept and the rest only counted."""

    start: str
    """The tag with which its paragraphs begin."""
    at: int = 0
    """Number of the chunk at which its last paragraph begins."""
    chars: int = 0
    paragraphs: list[str] = field(default_factory=list)

    def add(self, paragraph: str, at: int) -> None:
        self.paragraphs.append(paragraph)
        self.chars += len(paragraph) + 1
        self.at = at

    def skip(self, chars: int, at: int) -> None:
        self.chars += chars
        self.at = at


_chars = attrgetter("chars")


def _texts(chunks: list[str]) -> list[_RunningText]:
    """Running texts of a page.

    Paragraphs that begin with the same tag and follow each other closely are one text. This is a cheap substitute for
    P1's path of tags, ids and classes: it separates the text from notices, teasers and footers, which stand alone. A
    chunk is a tag without its ``<`` and the text after it. The search starts from long runs of text, so that most of a
    page is skipped; a paragraph extends to the next block-level tag on either side. Once a text is long enough to
    judge, following chunks with the same tag are counted as part of it without a closer look.
    """
    texts: list[_RunningText] = []
    last: dict[str, _RunningText] = {}
    long = _RunningText("\0")
    next_chunk, count = 0, len(chunks)
    for number in [at for at, chunk in enumerate(chunks) if len(chunk) > _LONG_RUN]:
        chunk = chunks[number]
        if number < next_chunk or chunk[:2] in _LINKED:
            continue
        if chunk.startswith(long.start) and number - long.at <= _APART and _ends(chunks, number + 1):
            long.skip(len(chunk) - len(long.start), number)
            next_chunk = number + 1
            continue
        if len(chunk) - chunk.find(">") <= _LONG_RUN or chunk.startswith("noscript>"):
            continue
        start, end = number, number + 1
        while end < count and chunks[end][:2] not in _PLAINLY_BLOCK_END and _INLINE.match(chunks[end]):
            end += 1
        if chunks[end - 1].rstrip()[-1:] in _LAST_OR_TAG:
            while start > next_chunk and chunks[start][:1] not in _PLAINLY_BLOCK and _INLINE.match(chunks[start]):
                start -= 1
            if long_text := _add_paragraph(chunks[start:end], start, last, texts):
                long = long_text
        next_chunk = end
    return texts


def _add_paragraph(
    chunks: list[str], at: int, last: dict[str, _RunningText], texts: list[_RunningText]
) -> _RunningText | None:
    """Add the paragraph in some chunks to its text; return the text if it is long enough to judge."""
    tag, mark, inside = chunks[0].partition(">")
    paragraph = _paragraph(inside if len(chunks) == 1 else _join_paragraph(inside, chunks[1:])) if mark else None
    if paragraph is None:
        return None
    if " style" in tag:
        tag = tag.partition(" style")[0]
    text = last.get(tag)
    if text is None or at - text.at > _APART:
        text = last[tag] = _RunningText(f"{tag}>")
        texts.append(text)
    text.add(paragraph, at)
    return text if text.chars > _SAMPLE_CHARS else None


def _ends(chunks: list[str], at: int) -> bool:
    """Whether a paragraph certainly ends before a chunk."""
    return at == len(chunks) or chunks[at][:2] in _PLAINLY_BLOCK_END


def _join_paragraph(text: str, chunks: list[str]) -> str:
    """Join the chunks of a paragraph; empty if most of it is linked."""
    parts, linked_chars = [text], 0
    inside = False
    for chunk in chunks:
        tag, _, text = chunk.partition(">")
        if _ANCHOR.match(chunk):
            inside = True
        elif tag in ("/a", "/A"):
            inside = False
        linked_chars += len(text) if inside else 0
        parts.append(text)
    whole = "".join(parts)
    return whole if linked_chars <= _MOST_LINKED * len(whole) else ""


def _paragraph(piece: str) -> str | None:
    """A well-formed paragraph, its white space normalised; None for any other text."""
    piece = piece.strip()
    last = piece[-1:]
    if last not in _LAST:
        return None
    if "&" in piece and len(piece) < _LONGEST_PARAGRAPH:
        piece = resolve_references(piece).strip()
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
