"""Is there running text in a wanted language on this page? Cheaply enough to ask it of every page of a crawl.

A paragraph is what stands between block-level tags. It counts as running text when it begins and ends like a sentence,
has at least eight words and is not made of links: the "well-formed paragraph" of P1 §3. The language is told by
function words, weighted by how few languages share them. The build judges with more care; a test holds the two
together.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paberki.crawl.languages import connected, language_of
from paberki.crawl.simhash import simhash

GOOD_CHARS = 200
"""Characters of running text in a wanted language from which on a page is expected to be kept."""
_MOST_CHARS = 400_000
_SAMPLE_CHARS = 4000

_RUN = re.compile(r">([^<>]{24,})(?=<|\Z)")
_BLOCK = re.compile(
    r"</?(?!(?i:a(?:bbr|cronym)?|b(?:d[io]|ig)?|c(?:ite|ode)|d(?:ata|el|fn)|em|font|i(?:mg|ns)?|kbd|mark|nobr|o:p|q|s(?:amp"
    r"|mall|pan|trike|trong|u[bp])?|t(?:ime|t)|u|var|wbr)[\s>/])[a-zA-Z]"
)
_NOSCRIPT = re.compile(r"<noscript[^<]*+(?:<(?!/noscript)[^<]*+)*+")
_TAG = re.compile(r"<[^<>]*>?")
_LINKED = re.compile(r"<[aA][\s>][^<>]*>([^<]*(?:<(?!/?[aA][\s>])[^<]*)*)")
_APART = 2000
"""Characters of markup between paragraphs from which on they are not the same text."""
_REACH = 400
"""How far from a long run of text the rest of its paragraph is looked for."""
_ENDERS = ".!?…。！？｡．؟।"
_CLOSERS = "\"'”’“»«›)]}」』）】＂＇*"
_LAST = frozenset(_ENDERS + _CLOSERS + ";>")
_OPENERS = frozenset("\"'„“”‚‘’«»‹›([–—-「『（【¿¡…")
_FEWEST_WORDS = 8
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


def judge(markup: str, languages: Sequence[str]) -> Verdict:
    """Judge the visible markup of a page; without ``languages`` running text in any language is good."""
    markup = markup[:_MOST_CHARS]
    if "<noscript" in markup:
        markup = _NOSCRIPT.sub(" ", markup)
    pieces = list(_pieces(markup))
    verdict = Verdict(sum(len(piece) for _, _, piece in pieces))
    texts = _texts(pieces)
    if not texts:
        return verdict
    text = max(texts, key=len)
    verdict.simhash = simhash(text)
    sample = text[:_SAMPLE_CHARS]
    verdict.lang, share = language_of(sample, languages)
    wanted = not languages or verdict.lang in languages
    if wanted and connected(sample, verdict.lang, share):
        verdict.good = len(text) >= GOOD_CHARS
        others = [other for other in texts if other is not text and len(other) >= GOOD_CHARS]
        verdict.good_bytes = len("\n".join([text, *others]).encode("utf-8", "replace"))
    return verdict


def _texts(pieces: list[tuple[int, str, str]]) -> list[str]:
    """Running texts of a page: paragraphs that begin with the same tag and follow each other closely.

    A cheap stand-in for P1's path of tags, ids and classes: it keeps notices, teasers and footers, which stand alone,
    apart from the text.
    """
    groups: list[list[str]] = []
    last: dict[str, tuple[int, list[str]]] = {}
    for place, tag, piece in pieces:
        paragraph = _paragraph(piece)
        if paragraph is None:
            continue
        before, group = last.get(tag, (-_APART, []))
        if place - before > _APART:
            group = []
            groups.append(group)
        group.append(paragraph)
        last[tag] = place + len(piece), group
    return list(map("\n".join, groups))


def _pieces(markup: str) -> Iterator[tuple[int, str, str]]:
    """Place, first tag and markup of the paragraphs that hold a long run of text.

    They are found from these runs, so that most of a page is not looked at. What stands between two runs belongs to
    one paragraph if there is no block-level tag in it.
    """
    tag, begin, end = "", -1, 0
    for run in _RUN.finditer(markup):
        start = run.start() + 1
        if begin >= 0:
            limit = min(start, end + _REACH)
            block = _BLOCK.search(markup, end, limit)
            if block is None and limit == start:
                end = run.end()
                continue
            yield begin, tag, markup[begin : block.start() if block else end]
        tag, begin = _begin(markup, max(end, start - _REACH), start)
        end = run.end()
    if begin >= 0:
        block = _BLOCK.search(markup, end, end + _REACH)
        yield begin, tag, markup[begin : block.start() if block else end]


def _begin(markup: str, earliest: int, start: int) -> tuple[str, int]:
    """The last block-level tag before a run, as far as its class, and where it ends: there the paragraph begins."""
    tag = markup.rfind("<", earliest, start)
    while tag >= 0:
        if _BLOCK.match(markup, tag):
            end = markup.find(">", tag) + 1
            return markup[tag:end].partition(" style")[0].rstrip("/> "), end
        tag = markup.rfind("<", earliest, tag)
    return "", start


def _paragraph(piece: str) -> str | None:
    """The text of a well-formed paragraph; None for any other piece of markup."""
    piece = piece.rstrip()
    if piece[-1:] not in _LAST:
        return None
    if "<" in piece:
        linked = _LINKED.findall(piece)
        text = _TAG.sub("", piece)
        if linked and sum(len(_TAG.sub("", link)) for link in linked) > _MOST_LINKED * len(text):
            return None
        piece = text
    if "&" in piece:
        piece = html.unescape(piece)
    words = piece.split()
    if not words or not _ends_sentence(words[-1]) or not _begins_sentence(words[0][0]):
        return None
    text = " ".join(words)
    if len(words) < _FEWEST_WORDS and len(words) - 1 + len(_UNSPACED.findall(text)) / 2 < _FEWEST_WORDS:
        return None
    return text


def _ends_sentence(text: str) -> bool:
    return text[-1] in _ENDERS or text[-12:].rstrip(_CLOSERS)[-1:] in tuple(_ENDERS)


def _begins_sentence(char: str) -> bool:
    return char.isdigit() or char in _OPENERS or (char.isalpha() and not char.islower())
