"""Tokens and sentences: rules make candidates, learned decisions settle what rules cannot know.

Three questions are answered by examples of the language: whether a full stop belongs to the word before it (*itd.*,
*2014.*), whether a word with a hyphen or apostrophe is one token, and whether a sentence ends between two tokens. The
last is also asked where no sign stands but the next word has a capital, since headings have no full stop. Sentences
never go over the end of a line: a block of a page, a heading, an item of a list is a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from paberki.annotation.decisions import Decision
from paberki.annotation.tokens import TOKEN, lines_of

_END: Final = frozenset(".!?…:;")
_CLOSING: Final = frozenset("\"”“’'»«)]›‹")
_OPENING: Final = frozenset("\"„“”‘'«»([‹›")
_HYPHENS: Final = re.compile("[-‐‑’'&]")
_ENGLISH: Final = re.compile(r"(?i)(?<=\w)(?:n['’]t|['’](?:s|m|re|ve|ll|d))$|(?<=^can)not$")
_ALONE: Final = frozenset('“”„"»«()[]')
MOST_TOKENS: Final = 5_000
"""A sentence is cut after so many tokens: no sentence is longer, and parsing one takes memory."""
_LONGEST: Final = 40
_MOST_FACTS: Final = 100_000
Fact = tuple[str | int | bool, ...]
"""Something that is seen where a sentence may end: its name, and what it is made of."""


@lru_cache(maxsize=1 << 13)
def shape(word: str) -> str:
    """A short picture of a word: ``Aa``, ``A``, ``a``, ``1``, a sign as it is."""
    first = word[:1]
    if first.isdigit():
        return "1" if word.isdigit() else "1x"
    if first.isalpha():
        if first.islower():
            return "a"
        return ("A" if len(word) == 1 else "AA") if word.isupper() else "Aa"
    return first


@dataclass(slots=True)
class Splitter:
    """Decisions of one language."""

    lang: str = ""
    dot: Decision = field(default_factory=Decision)
    hyphen: Decision = field(default_factory=Decision)
    border: Decision = field(default_factory=Decision)
    cases: dict[str, str] = field(default_factory=dict)
    """Words that begin with a capital in mid-sentence: always ``A``, never ``a``; others are not here."""
    _sums: dict[Fact, float] = field(default_factory=dict)

    def split(self, text: str) -> tuple[list[int], list[int], list[int]]:
        """Starts and ends of the tokens, and the numbers of tokens at which sentences begin, with the total at the end."""
        starts: list[int] = []
        ends: list[int] = []
        edges = [0]
        for begin, end in lines_of(text):
            spans = self.tokens(text, begin, end)
            first = len(starts)
            starts += [span[0] for span in spans]
            ends += [span[1] for span in spans]
            edges += [first + border for border in self.borders(text, spans)]
            if len(starts) > edges[-1]:
                edges.append(len(starts))
        return starts, ends, _capped(edges)

    def tokens(self, text: str, begin: int, end: int) -> list[tuple[int, int]]:
        """Places of the tokens of a line."""
        found: list[tuple[int, int]] = []
        pieces = [one.span() for one in TOKEN.finditer(text, begin, end)]
        before = 0  # number of the first token of the piece before
        for number, (start, stop) in enumerate(pieces):
            if stop == start + 1 and text[start] == "." and number and self._belongs(text, pieces, number):
                del found[before:]
                found.append((pieces[number - 1][0], stop))
                continue
            before = len(found)
            if stop == start + 1 or text[start:stop].isalpha():
                found.append((start, stop))
            else:
                found += self.parts(text, start, stop)
        return found

    def _belongs(self, text: str, pieces: Sequence[tuple[int, int]], number: int) -> bool:
        """Whether a full stop is part of the word before it."""
        start, stop = pieces[number - 1]
        if stop != pieces[number][0] or not text[stop - 1].isalnum():
            return False
        after = text[slice(*pieces[number + 1])] if number + 1 < len(pieces) else ""
        return self.dot.score(dot_features(text, start, stop, after, self.cases)) > 0

    def parts(self, text: str, start: int, stop: int) -> list[tuple[int, int]]:
        """A candidate, or its parts if it is several tokens."""
        word = text[start:stop]
        if self.lang == "en":
            tail = _ENGLISH.search(word)
            if tail and tail.start():
                return [*self.parts(text, start, start + tail.start()), (start + tail.start(), stop)]
        if not word[0].isalnum() or "/" in word or "@" in word:
            return [(start, stop)]
        signs = list(_HYPHENS.finditer(word))
        if not signs or self.hyphen.score(hyphen_features(word, signs[0].start())) <= 0:
            return [(start, stop)]
        spans: list[tuple[int, int]] = []
        at = 0
        for sign in signs:
            spans += [(start + at, start + sign.start()), (start + sign.start(), start + sign.end())]
            at = sign.end()
        spans.append((start + at, stop))
        return [span for span in spans if span[0] < span[1]]

    def borders(self, text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
        """Numbers of the tokens that begin a sentence, but for the first."""
        found: list[int] = []
        first = 0
        get, known = self.border.weights.get, self._sums
        for number, facts in border_facts(text, spans, self.cases):
            total = get(f"n{min((number - first) // 3, 6)}", 0.0)
            for fact in facts:
                part = known.get(fact)
                total += self._sum(fact) if part is None else part
            if total > 0:
                found.append(number)
                first = number
        return found

    def _sum(self, fact: Fact) -> float:
        """The weights of a fact, kept for the next time."""
        if len(self._sums) >= _MOST_FACTS:
            self._sums.clear()
        self._sums[fact] = self.border.score(features_of(fact))
        return self._sums[fact]


def _capped(edges: list[int]) -> list[int]:
    """No sentence longer than :data:`MOST_TOKENS`."""
    out = [0]
    for edge in edges[1:]:
        while edge - out[-1] > MOST_TOKENS:
            out.append(out[-1] + MOST_TOKENS)
        out.append(edge)
    return out


def dot_features(text: str, start: int, stop: int, after: str, cases: dict[str, str]) -> list[str]:
    """What speaks for a full stop being part of the word before it."""
    word = text[start : min(stop, start + _LONGEST)].lower()
    own, other = shape(text[start : min(stop, start + _LONGEST)]), shape(after) if after else "end"
    space = "_" if text[stop + 1 : stop + 2].isspace() else "" if after else "end"
    length = min(stop - start, 5)
    case = cases.get(after.lower(), "?") if other in ("Aa", "AA") else ""
    before = text[max(0, start - 1) : start]
    return [
        "b", f"w{word}", f"w{word}|{other}", f"s{own}{length}", f"s{own}{length}|{space}{other}", f"s{own}|{after[:20].lower()}",
        f"s{own}{length}|{other}|{case}", f"o{space}{other}", f"p{before if not before.isalnum() else 'a'}|{own}",
        f"w{word}|{other}|{case}",
    ]  # fmt: skip


def hyphen_features(word: str, at: int) -> list[str]:
    """What speaks for cutting a word at its hyphens and apostrophes."""
    left, sign, right = word[:at][:_LONGEST], word[at], word[at + 1 :][:_LONGEST]
    shapes = f"{shape(left)}{sign}{shape(right)}"
    return [
        "b", f"x{sign}", f"s{shapes}", f"l{sign}{left.lower()}", f"r{sign}{right.lower()}",
        f"n{shapes}{min(len(left), 4)}{min(len(right), 4)}", f"e{sign}{left[-1:].lower()}|{shape(right)}",
        f"t{sign}{right[-2:].lower()}|{shape(left)}",
    ]  # fmt: skip


def border_features(
    text: str, spans: Sequence[tuple[int, int]], cases: dict[str, str]
) -> Iterator[tuple[int, list[str]]]:
    """Places where a sentence may end, as the number of the next token, with what speaks for it."""
    for number, facts in border_facts(text, spans, cases):
        yield number, [feature for fact in facts for feature in features_of(fact)]


def border_facts(
    text: str, spans: Sequence[tuple[int, int]], cases: dict[str, str]
) -> Iterator[tuple[int, tuple[Fact, ...]]]:
    """Places where a sentence may end, as the number of the next token, with what is seen there."""
    open_count = 0
    words = [text[start:end] if end - start <= _LONGEST else text[start : start + _LONGEST] for start, end in spans]
    for number in range(1, len(spans)):
        last, after = words[number - 1], words[number]
        if last in _ALONE:
            open_count += 1
        head, sign = after[0], last[-1]
        ended = sign in _END
        # Most pairs are two words in lower case: nothing to decide.
        if not ended and last not in _CLOSING and (head.islower() or not last[0].isalnum()):
            continue
        closed = last in _CLOSING and number > 1 and words[number - 2][-1] in _END
        if not (ended or closed or not head.islower()):
            continue
        if spans[number - 1][1] == spans[number][0] and not (closed or sign in "!?…"):
            continue
        yield number, _facts(words, spans, number, cases, open_count, ended, closed)


def _facts(words: Sequence[str], spans: Sequence[tuple[int, int]], number: int, cases: dict[str, str], open_count: int,
           ended: bool, closed: bool) -> tuple[Fact, ...]:  # fmt: skip
    last, after = words[number - 1], words[number]
    before = words[number - 2] if number > 1 else "^"
    second = words[number + 1] if number + 1 < len(words) else "$"
    kind = last if len(last) <= 3 and not last[0].isalnum() else ("." if last[-1] == "." else "w") + shape(last)
    case = cases.get(after.lower(), "?") if after[0].isupper() else "-"
    head = shape(after)
    space = "_" if spans[number - 1][1] < spans[number][0] else ""
    return (
        ("kind", kind, shape(before), head, case),
        ("last", last.lower(), head, case, ended),
        ("after", after.lower(), kind, ended),
        ("around", open_count % 2, space, closed, kind, head),
        ("next", head, shape(second), kind, case, ended),
        ("before", before.lower(), kind, head),
    )


def features_of(fact: Fact) -> list[str]:
    """What a decision has weights for. Facts come again and again, so that most of their sums are known already."""
    match fact:
        case ("kind", kind, tail, head, case):
            return ["b", f"k{kind}", f"k{kind}|{head}", f"k{kind}|{head}|{case}", f"k{kind}|{tail}", f"k{kind}|{tail}|{head}|{case}"]  # fmt: skip
        case ("last", str(low), head, case, ended):
            return [f"l{low}", f"l{low}|{head}", f"l{low}|{case}", f"e{low[-3:]}|{ended}|{head}{case}"]
        case ("after", after, kind, ended):
            return [f"a{after}|{kind}", f"a{after}|{ended}"]
        case ("around", quoted, space, closed, kind, head):
            return [f"q{quoted}|{kind}|{head}", f"c{space}{closed}|{kind}|{head}"]
        case ("next", head, next_head, kind, case, ended):
            return [f"s{head}{next_head}|{kind}", f"s{head}{next_head}|{case}|{ended}"]
        case (_, before, kind, head):
            return [f"p{before}|{kind}|{head}"]
    raise AssertionError(fact)
