"""Tokens and sentences in plain Python, one decision after the other: what the kernel must agree with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from paberki.annotation.splitting.character_kinds import simple
from paberki.annotation.splitting.splitter import (
    BORDER,
    Splitter,
    border_atoms,
    class_of,
    clause_of,
    cut_place,
    dot_features,
    far_of,
    hyphen_features,
    takes_stop,
)
from paberki.annotation.splitting.token_candidates import MOST_TOKENS, TOKEN

_HYPHENS = re.compile("[-‐‑’'&]")
_ENGLISH = re.compile(r"(?i)(?<=\w)(?<!\d)(?:n['’]t|['’](?:s|m|re|ve|ll|d))$")


def plain_split(splitter: Splitter, text: str) -> tuple[list[int], list[int], list[int]]:
    """What ``splitter.split`` should say."""
    spans: list[tuple[int, int]] = []
    edges = [0]
    for line in re.finditer(r"[^\n\f\r\x85\u2028\u2029]+", text):
        own = _tokens(splitter, text, *line.span())
        borders = [*_borders(splitter, text, own), len(own)] if own else []
        for edge in (len(spans) + border for border in borders):
            while edge - edges[-1] > MOST_TOKENS:
                edges.append(edges[-1] + MOST_TOKENS)
            edges.append(edge)
        spans += own
    return [start for start, _ in spans], [end for _, end in spans], edges


def _tokens(splitter: Splitter, text: str, begin: int, end: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    pieces = [one.span() for one in TOKEN.finditer(text, begin, end)]
    for number, (start, stop) in enumerate(pieces):
        if text[start:stop] == "." and number and _belongs(splitter, text, pieces, number):
            found[-1] = (found[-1][0], stop)
        elif text[start:stop].isalpha():
            cut = start + splitter.cuts.get(simple(text[start:stop].lower()), 0)
            found += [(one, two) for one, two in ((start, cut), (cut, stop)) if one < two]
        else:
            found += _parts(splitter, text, start, stop)
    return found


def _belongs(splitter: Splitter, text: str, pieces: Sequence[tuple[int, int]], number: int) -> bool:
    start, stop = pieces[number - 1]
    if stop != pieces[number][0] or not takes_stop(text[start:stop]):
        return False
    after = text[slice(*pieces[number + 1])] if number + 1 < len(pieces) else ""
    return _thousandths(splitter.dot.score(dot_features(text, start, stop, after, splitter.cases))) > 0


def _parts(splitter: Splitter, text: str, start: int, stop: int) -> list[tuple[int, int]]:
    word = text[start:stop]
    tail = _ENGLISH.search(word) if splitter.lang == "en" else None
    if tail:
        return [*_parts(splitter, text, start, start + tail.start()), (start + tail.start(), stop)]
    at = cut_place(word)
    if at < 0 or _thousandths(splitter.hyphen.score(hyphen_features(word, at))) <= 0:
        return [(start, stop)]
    if word[at].isalpha():
        cuts = [0, at, len(word)]
    else:
        signs = _HYPHENS if _HYPHENS.match(word[at]) else re.compile(re.escape(word[at]))
        dotted = word[at] == "." and at > 0
        cuts = [0, *(place for sign in signs.finditer(word) for place in sign.span()[dotted:]), len(word)]
    return [(start + one, start + two) for one, two in pairwise(cuts) if one < two]


def _borders(splitter: Splitter, text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    found: list[int] = []
    first = 0
    word_classes = [class_of(text[start:stop], splitter.classes) for start, stop in spans]
    for number, atoms in border_atoms(text, spans, splitter.cases, word_classes):
        atoms["far"] = far_of(number - first)
        atoms["clause"] = clause_of(word_classes, first, number)
        if _thousandths(splitter.border.score([template.format_map(atoms) for template in BORDER])) > 0:
            found.append(number)
            first = number
    return found


def _thousandths(sum_of_weights: float) -> int:
    return round(sum_of_weights * 1000)
