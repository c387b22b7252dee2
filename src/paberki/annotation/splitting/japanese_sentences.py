"""Sentences of Japanese web text, by the rules of P4 (§2.2) as its tool WWW2sf has them.

A sentence ends at 。？！♪… and at three or more ・, at a full-width ． that is not between letters and digits, and after a
face or a remark such as （笑）, which belong to what they comment on. Nothing ends inside brackets, or inside ” ” as long
as their number is odd. "Ａ．" at the beginning is the number of an item; と, っ, です and the like after a closing
bracket, a face, ！ or ？ go on with the sentence. A line that ends in 、，： goes on with the items of the list below it.
"""

from __future__ import annotations

import re
from typing import Final

Span = tuple[int, int]

_OPEN, _CLOSE = "（(「『【〈《［[｢〔“〝", "）)」』】〉》］]｣〕”〟"
_ALNUM: Final = "0-9A-Za-z０-９Ａ-Ｚａ-ｚ"
_REMARK: Final = (
    "[（(](?:爆笑|苦笑|大笑|微笑|失笑|自爆|核爆|滝汗|冷汗|大汗|笑い?|泣き?|爆|汗|怒り?|涙|謎|嬉|悲|照れ?|喜|驚|死|殴|藁|違|恥|寒|ぇ|ぉ|え|おい|"
    "ぉぃ|ヲイ|マテ|待て)[!！。…]*[）)]"
)
_MOUTH: Final = r"\^＾;；_＿´｀￣▽∇∀Ддω≧≦゜ﾟ*＊TＴ><＞＜QＱxXｘＸ@＠°σθεз"
_CHEEKS: Final = r"\-－ー~〜～'’`・･.．。｡,oOｏＯ○◎●=＝/／\\＼!！|｜:：+＋#＃o0Oー三人ヮ口 　mｍ"
_FACE: Final = (
    rf"[ヽヾ＼\\oｏmｍ]?[（(](?=[^（(）)]{{0,11}}[{_MOUTH}])[{_MOUTH}{_CHEEKS}]{{2,12}}[）)][ノﾉ/／ゞvｖbｂoｏmｍ;；♪!！]*"
    r"|(?<![\w.])[\^＾][_＿.ｏo\-]?[\^＾][;；♪]*|(?<![\w.])(?:T_T|ToT|;_;|；＿；|>_<|orz|ｏｒｚ)(?![A-Za-z])|[wｗ]{2,}(?![A-Za-z])|[wｗ笑](?=[\s　]|$)"
)
_FULL_STOP: Final = rf"(?<![{_ALNUM}])．|．(?![{_ALNUM}])"
_MARK: Final = re.compile(
    rf"(?P<tail>[\s　]*(?:{_REMARK}|{_FACE}))|(?P<end>[。？！?!♪…]+|・{{3,}}|{_FULL_STOP})"
    rf"|(?P<open>[{re.escape(_OPEN)}])|(?P<close>[{re.escape(_CLOSE)}])|(?P<quote>[\"＂])"
)
_GOES_ON: Final = re.compile("と|っ|です|だ(?=[。と])|って|か(?=[、。])|の(?=[はがをに])|[、，,]")
_HEADER: Final = re.compile(
    r"[\s　]*(?:[A-ZＡ-Ｚa-zａ-ｚ]|[0-9０-９]{1,3}|[①-⑳Ⅰ-Ⅻⅰ-ⅻ]|[一二三四五六七八九十]{1,3}|[ア-ンあ-ん])．[\s　]*"
)
_LEAD_ENDS: Final = "、，：,:"
_ITEM: Final = re.compile(
    rf"[\s　]*(?:[・･●○■□◆◇▼▽★☆※＊*\-－–•]|[（(]?[{_ALNUM}一二三四五六七八九十ア-ン]{{1,3}}[）).．、:：]|[①-⑳ⅰ-ⅻⅠ-Ⅻ])[\s　]*\S"
)
_ITEM_CHARS: Final = 60
_BRACKET_CHARS: Final = 400
"""A bracket or quote that nobody closes within so many characters does not count."""


def sentences_of(text: str, *, fold: bool = True) -> list[Span]:
    """Places of the sentences of a text; a sentence goes over line ends only where it takes in a list."""
    spans: list[Span] = []
    folding = False
    at = 0
    for line in text.split("\n"):
        own = [(at + begin, at + end) for begin, end in sentences(line)]
        if folding and own and spans and _is_item(line, own, at):
            spans[-1] = (spans[-1][0], own[-1][1])
        else:
            spans += own
            folding = False
        folding = fold and bool(line.strip()) and ((folding and not _ends(line)) or line.rstrip()[-1] in _LEAD_ENDS)
        at += len(line) + 1
    return spans


def sentences(line: str) -> list[Span]:
    """Places of the sentences of a line."""
    spans: list[Span] = []
    begin = depth = 0
    straight = curly = 0  # quotes of one shape on both sides, so far in this sentence
    at = 0
    while mark := _MARK.search(line, at):
        kind, at = mark.lastgroup, mark.end()
        if kind == "quote":
            straight += 1
        elif kind == "open":
            depth += 1
            curly -= mark.group() == "“"
        elif kind == "close" and mark.group() == "”":
            curly += 1
            depth -= curly <= 0 < depth
        elif kind == "close":
            depth -= depth > 0
        elif kind == "tail" and not line[begin : mark.start()].strip() and spans and not depth:
            spans[-1] = (spans[-1][0], at)  # a face at the beginning belongs to what was said before
            begin = at
        if kind not in ("end", "tail"):
            continue
        inside = depth > 0 and _closes(line, at, _CLOSE)
        inside = (
            inside or (straight % 2 == 1 and _closes(line, at, '"＂')) or (curly % 2 == 1 and _closes(line, at, "”"))
        )
        if inside or begin == at or _is_open(line, begin, at, mark):
            continue
        spans.append((begin, at))
        begin, depth, straight, curly = at, 0, 0, 0
    if line[begin:].strip():
        spans.append((begin, len(line)))
    return [span for span in (_trim(line, *one) for one in spans) if span[0] < span[1]]


def _is_open(line: str, begin: int, at: int, mark: re.Match[str]) -> bool:
    """Whether the sentence goes on after this mark: another mark or closing bracket, an item's number, a particle."""
    following = _MARK.match(line, at)
    if following is not None and following.lastgroup in ("end", "tail"):
        return True
    if mark.group() == "．" and _HEADER.fullmatch(line, begin, at):
        return True
    return mark.group()[-1] != "。" and _GOES_ON.match(line, at) is not None


def _closes(line: str, at: int, signs: str) -> bool:
    return any(line.find(sign, at, at + _BRACKET_CHARS) >= 0 for sign in signs)


def _is_item(line: str, own: list[Span], at: int) -> bool:
    """Whether a line below a lead is an item of its list: marked as one, or one short phrase."""
    return _ITEM.match(line) is not None or (len(own) == 1 and own[0][1] - own[0][0] <= _ITEM_CHARS)


def _ends(line: str) -> bool:
    return line.rstrip()[-1] in "。？！?!♪"


def _trim(line: str, begin: int, end: int) -> Span:
    part = line[begin:end]
    return begin + len(part) - len(part.lstrip()), begin + len(part.rstrip())
