"""Tokens and sentences: rules make candidates, learned decisions settle what rules cannot know.

Three questions are answered by examples of the language: whether a full stop belongs to the word before it (*itd.*,
*2014.*), whether a candidate with a sign inside (*web-stranica*, *9/11*, *14%*, *5km*, *!!*) is one token, and whether a
sentence ends between two tokens. The last is also asked where no sign stands but the next word has a capital, since
headings have no full stop. Sentences never go over the end of a line: a block of a page, a heading, an item of a list is
a line of its own. Words without a sign inside that are two tokens (*cannot*, *gonna*) are known from examples.

A decision looks at *atoms*, short texts such as the word in lower case or its shape; templates make features of them.
A sentence that goes on rarely has two verbs without a comma or a conjunction between them, but a heading and the sentence
after it do: verbs and conjunctions are known from the tags of the training data, by word or by ending.

Learning writes features out; running text is split by :mod:`paberki.annotation.splitting.splitter_kernel`, which reads the same
templates and only hashes what they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from string import Formatter
from typing import Any, Final

import numpy as np

from paberki.annotation.splitting.character_kinds import SIGNS, kinds_of, lower_of, points_of, simple
from paberki.annotation.splitting.logistic_decisions import Decision
from paberki.annotation.splitting.token_candidates import DOTTED, LONGEST, MOST_TOKENS
from paberki.annotation.tagging.string_hashes import Ints, Keys
from paberki.kernels import load

__all__ = ["MOST_TOKENS", "Splitter"]

_END: Final = frozenset(".!?…:;")
_STRONG: Final = frozenset(".!?…")
_CLOSING: Final = frozenset("\"”“’'»«)]›‹")
_HYPHENS: Final = re.compile(f"[{SIGNS}]")
_NUMBER: Final = re.compile(r"\d+(?:[.,:/]\d+)*")
_DOTTED: Final = re.compile(DOTTED)
_PAIRED: Final = frozenset('“”„"»«()[]')

DOT_ATOMS: Final = ("word", "own", "other", "length", "space", "after", "case", "before")
"""The word before a full stop, shapes of it and of the next candidate, what stands around."""
HYPHEN_ATOMS: Final = ("sign", "shapes", "left", "right", "ll", "rl", "le", "re", "ls", "rs")
"""The first sign in a word and the parts at its sides: as written, lengths, ends, shapes."""
BORDER_ATOMS: Final = (
    "far", "kind", "tail", "head", "case", "last", "ending", "ended", "after", "quoted", "space", "closed", "next", "before",
    "own", "second", "clause", "ahead",
)  # fmt: skip
"""The two tokens at the sides of a place where a sentence may end, those beyond them, and where verbs stand."""
DOT: Final = (
    "b", "w{word}", "w{word}|{other}", "s{own}{length}", "s{own}{length}|{space}{other}", "s{own}|{after}",
    "s{own}{length}|{other}|{case}", "o{space}{other}", "p{before}|{own}", "w{word}|{other}|{case}",
)  # fmt: skip
HYPHEN: Final = (
    "x{sign}", "s{shapes}", "l{sign}{left}", "r{sign}{right}", "n{shapes}{ll}{rl}", "e{sign}{le}|{rs}", "t{sign}{re}|{ls}",
)  # fmt: skip
BORDER: Final = (
    "b", "k{kind}", "k{kind}|{head}", "k{kind}|{head}|{case}", "k{kind}|{tail}", "k{kind}|{tail}|{head}|{case}",
    "l{last}", "l{last}|{head}", "l{last}|{case}", "e{ending}|{ended}|{head}{case}", "a{after}|{kind}", "a{after}|{ended}",
    "q{quoted}|{kind}|{head}", "c{space}{closed}|{kind}|{head}", "c{space}{closed}|{ended}|{head}", "s{head}{next}|{kind}",
    "s{head}{next}|{case}|{ended}",
    "p{before}|{kind}|{head}", "n{far}", "n{far}|{kind}", "m{second}|{kind}|{head}",
    "v{clause}{ahead}|{kind}|{head}", "u{clause}{ahead}|{case}|{ended}", "y{clause}{ahead}|{after}|{ended}",
    "z{clause}{ahead}|{far}|{ended}{case}",
)  # fmt: skip
_DECISIONS: Final = ((DOT, DOT_ATOMS), (HYPHEN, HYPHEN_ATOMS), (BORDER, BORDER_ATOMS))
_LONGEST_TEMPLATE: Final = 12
_MOST_ATOMS: Final = 20
_THOUSAND: Final = 1000
VERB: Final = "v"
CONJUNCTION: Final = "c"
NEITHER: Final = "-"
COMMA: Final = ","
"""Classes of words that tell where a clause ends."""
ENDING: Final = "-"
"""Before an ending among the words with a class."""
ENDINGS: Final = (4, 3, 2)
"""Lengths of the endings by which words are classed that are not known themselves."""
_BEHIND, _AHEAD = 25, 9
"""How many tokens before and after a place are looked at for verbs."""
_CLAUSE_ENDS: Final = frozenset(".!?…,;:")


@lru_cache(maxsize=1 << 13)
def shape(word: str) -> str:
    """A short picture of a word: ``Aa``, ``A``, ``a``, ``1``, a sign as it is; with full stops inside, ``a.`` or ``A.``."""
    first = word[:1]
    if first.isdigit():
        return "1" if word.isdigit() else "1x"
    if first.isalpha():
        if "." in word[:-1]:
            return "a." if first.islower() else "A."
        if first.islower():
            return "a"
        return ("A" if len(word) == 1 else "AA") if word.isupper() else "Aa"
    return first


class Splitter:
    """Decisions of one language."""

    def __init__(
        self, lang: str = "", dot: Decision | None = None, hyphen: Decision | None = None, border: Decision | None = None,
        cases: dict[str, str] | None = None, cuts: dict[str, int] | None = None, classes: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.lang = lang
        self.dot, self.hyphen, self.border = dot or Decision(), hyphen or Decision(), border or Decision()
        self.cases = cases or {}
        """Words in mid-sentence: with a capital ``A``, without ``a``, never with one though frequent ``z``, both ``m``."""
        self.cuts = cuts or {}
        """Words of letters alone that are two tokens, with the length of the first one."""
        self.classes = classes or {}
        """Words and endings (after a hyphen) that are verbs, conjunctions or neither."""
        self._table: tuple[Keys, Ints] | None = None

    @classmethod
    def from_arrays(cls, lang: str, keys: Keys, weights: Ints) -> Splitter:
        """A splitter from its prepared table, without the training data."""
        splitter = cls(lang)
        splitter._table = keys, weights
        return splitter

    @property
    def table(self) -> tuple[Keys, Ints]:
        """All weights, by hash."""
        if self._table is None:
            self._table = _table((self.dot, self.hyphen, self.border), self.cases, self.cuts, self.classes)
        return self._table

    def split(self, text: str) -> tuple[list[int], list[int], list[int]]:
        """Starts and ends of the tokens, and the numbers of tokens at which sentences begin, with the total at the end."""
        points = points_of(text)
        keys, weights = self.table
        tokens = np.empty((2, len(points)), np.int32)
        edges = np.empty(len(points) + 1, np.int32)
        token_count = load("paberki.annotation.splitting.splitter_kernel").split(
            points, kinds_of(points), lower_of(points), self.lang == "en", *_templates(), keys, weights,
            _shift(keys), np.zeros((_MOST_ATOMS, LONGEST + 8), np.uint32), np.zeros(_MOST_ATOMS, np.int64), np.zeros(3, np.int64),
            np.empty((2, len(points)), np.int32), tokens, edges,
        )  # fmt: skip
        count = int(edges[token_count - 1])
        return tokens[0, :count].tolist(), tokens[1, :count].tolist(), edges[:token_count].tolist()


def _shift(keys: Keys) -> np.uint64:
    """Bits by which a hash is shifted to become a place in a table of this size."""
    return np.uint64(65 - len(keys).bit_length())


def _table(
    decisions: Sequence[Decision], cases: Mapping[str, str], cuts: Mapping[str, int], classes: Mapping[str, str]
) -> tuple[Keys, Ints]:
    """A table of all weights, in thousandths, of words with capitals, of those that are two tokens, and of verbs."""
    entries = [
        (simple(feature), number, round(weight * _THOUSAND))
        for number, decision in enumerate(decisions)
        for feature, weight in decision.weights.items()
    ]
    entries += [(simple(word), len(decisions), ord(case)) for word, case in cases.items()]
    # An empty word says that there are any, so that other languages need not look.
    entries += [(simple(word), len(decisions) + 1, length) for word, length in {"": 1, **cuts}.items() if cuts]
    entries += [(simple(word), len(decisions) + 2, ord(name)) for word, name in classes.items()]
    bits = max(4, (2 * len(entries)).bit_length())
    keys, weights = np.zeros(1 << bits, np.uint64), np.zeros(1 << bits, np.int32)
    edges = np.cumsum([0, *(len(feature) for feature, _, _ in entries)], dtype=np.int64)
    load("paberki.annotation.splitting.splitter_kernel").fill(
        points_of("".join(feature for feature, _, _ in entries)), edges,
        np.array([number for _, number, _ in entries], np.int32),
        np.array([value for _, _, value in entries], np.int32), _shift(keys), keys, weights,
    )  # fmt: skip
    return keys, weights


@lru_cache(maxsize=1)
def _templates() -> tuple[Any, Any]:
    """Templates as numbers: a letter, or -1 and below for an atom; and where those of each decision begin."""
    rows = []
    for templates, atoms in _DECISIONS:
        for template in templates:
            row = []
            for literal, atom, _, _ in Formatter().parse(template):
                row += [ord(letter) for letter in literal]
                row += [-1 - atoms.index(atom)] if atom else []
            rows.append(row + [1 << 30] * (_LONGEST_TEMPLATE - len(row)))
    return np.array(rows, np.int32), np.cumsum([0, *(len(templates) for templates, _ in _DECISIONS)], dtype=np.int64)


def dot_features(text: str, start: int, stop: int, after: str, cases: Mapping[str, str]) -> list[str]:
    """Features for the decision whether a full stop belongs to the word before it."""
    word, after = text[start : min(stop, start + LONGEST)], after[:LONGEST]
    other = shape(after) if after else "end"
    before = text[max(0, start - 1) : start]
    features = {
        "word": word.lower(), "own": shape(word), "other": other, "length": min(stop - start, 5),
        "space": "_" if text[stop + 1 : stop + 2].isspace() else "" if after else "end", "after": after[:20].lower(),
        "case": cases.get(after.lower(), "?") if other in ("Aa", "AA") else "", "before": "a" if before.isalnum() else before,
    }  # fmt: skip
    return [template.format_map(features) for template in DOT]


def takes_stop(word: str) -> bool:
    """Whether a following full stop may belong to the word; not after times and addresses, which have a colon."""
    return word[-1].isalnum() and ":" not in word


def cut_place(word: str) -> int:
    """Where a candidate may be cut for the first time: at a sign, or between digits and letters; -1 if nowhere."""
    if not word[0].isalnum():
        return 0 if len(word) > 1 and word == word[0] * len(word) else -1
    if "@" in word:
        return -1
    if "/" in word:
        return word.index("/") if _NUMBER.fullmatch(word) else -1
    sign = _HYPHENS.search(word)
    if sign:
        return sign.start()
    if word[-1] == "%":
        return len(word) - 1
    if _DOTTED.fullmatch(word):
        return word.index(".")
    digits = _NUMBER.match(word)
    at = digits.end() if digits else word.find(":")
    return at if at >= 0 and word[at:].removeprefix(":").isalpha() else -1


def hyphen_features(word: str, at: int) -> list[str]:
    """Features for the decision whether to cut a word at its signs, or between digits and letters."""
    sign = "" if word[at].isalpha() else word[at]
    left, right = word[:at][:LONGEST], word[at + len(sign) :][:LONGEST]
    features = {
        "sign": sign, "shapes": f"{shape(left)}{sign}{shape(right)}", "left": left.lower(), "right": right.lower(),
        "ll": min(len(left), 4), "rl": min(len(right), 4), "le": left[-1:].lower(), "re": right[-2:].lower(),
        "ls": shape(left), "rs": shape(right),
    }  # fmt: skip
    return [template.format_map(features) for template in HYPHEN]


def class_of(word: str, classes: Mapping[str, str]) -> str:
    """Whether a token is a verb, a conjunction, a comma or neither."""
    if not word[0].isalpha():
        return COMMA if word[0] == COMMA else NEITHER
    lower = word[:LONGEST].lower()
    keys = [lower, *(f"{ENDING}{lower[-length:]}" for length in ENDINGS if len(lower) > length)]
    return next((classes[key] for key in keys if key in classes), NEITHER)


def clause_of(word_classes: Sequence[str], first: int, number: int) -> str:
    """What stands before a place in the sentence: a verb or a comma or conjunction nearest, and whether there is a verb."""
    nearest = NEITHER
    for name in reversed(word_classes[max(first, number - _BEHIND) : number]):
        if name == VERB:
            return f"{VERB if nearest == NEITHER else nearest}1"
        if name in (CONJUNCTION, COMMA):
            nearest = COMMA
    return f"{nearest}0"


def _ahead(words: Sequence[str], word_classes: Sequence[str], number: int) -> int:
    """Whether a verb follows before the clause ends."""
    for at in range(number, min(len(words), number + _AHEAD)):
        if word_classes[at] == VERB:
            return 1
        if at > number and words[at][-1] in _CLAUSE_ENDS:
            break
    return 0


def border_atoms(
    text: str, spans: Sequence[tuple[int, int]], cases: Mapping[str, str], word_classes: Sequence[str]
) -> Iterator[tuple[int, dict[str, object]]]:
    """Places where a sentence may end, as the number of the next token, with what is seen there.

    How far it is from the last end (``far``), and the ``clause`` since, are known only when that one is decided; who asks
    adds them.
    """
    open_count = 0
    words = [text[start : min(end, start + LONGEST)] for start, end in spans]
    for number in range(1, len(spans)):
        last, after = words[number - 1], words[number]
        open_count += last in _PAIRED
        small, sign = after[0].islower(), last[-1]
        ends_sentence = sign in _END
        # Most pairs are two words in lower case: nothing to decide.
        if not ends_sentence and last not in _CLOSING and (small or not last[0].isalnum()):
            continue
        after_end = last in _CLOSING and number > 1 and words[number - 2][-1] in _END
        apart = spans[number - 1][1] < spans[number][0]
        if (ends_sentence or after_end or not small) and (apart or after_end or sign in "!?…"):
            around = {
                "quoted": open_count % 2,
                "space": "_" if apart else "",
                "closed": int(after_end),
                "ended": strength(sign),
                "ahead": _ahead(words, word_classes, number),
            }
            head = shape(after) + ("+" if _opens(text, spans, number) else "")
            yield number, {**around, "head": head, **_around(words, number, cases)}


def strength(sign: str) -> str:
    """Class of a sign at the end of a sentence: rare signs share the class of similar frequent ones."""
    return "." if sign in _STRONG else ":" if sign in _END else "-"


def _opens(text: str, spans: Sequence[tuple[int, int]], number: int) -> bool:
    """Whether a token is a sign that leans on the one after it: one and the same quotation mark opens and closes."""
    start, end = spans[number]
    return not text[start].isalnum() and number + 1 < len(spans) and spans[number + 1][0] == end


def _around(words: Sequence[str], number: int, cases: Mapping[str, str]) -> dict[str, str]:
    last, after = words[number - 1], words[number]
    before = words[number - 2] if number > 1 else "^"
    sign = len(last) <= 3 and not last[0].isalnum()
    return {
        "kind": last if sign else ("." if last[-1] == "." else "w") + shape(last),
        "tail": shape(before),
        "case": cases.get(after.lower(), "?") if after[0].isupper() else "-",
        "last": last.lower(),
        "ending": last.lower()[-3:],
        "after": after.lower(),
        "next": shape(words[number + 1]) if number + 1 < len(words) else "$",
        "before": before.lower(),
        "own": shape(last),
        "second": words[number + 1].lower() if number + 1 < len(words) else "^",
    }


def far_of(tokens: int) -> int:
    """How far a place is from the last end of a sentence, in steps of three tokens."""
    return min(tokens // 3, 6)
