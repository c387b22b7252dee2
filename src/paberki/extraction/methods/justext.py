"""jusText: short blocks are judged by their neighbours, long ones by their share of frequent words (Pomikálek 2011).

P3 §3 used it with Serbian stop words in both scripts [34]. The algorithm is written here from its description. Stop
words are those of :mod:`paberki.languages.telling_words`, or learnt from the crawl itself by a first pass
(:func:`learn_stop_words`), which works for any language that puts spaces between words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from paberki.extraction.html.page_blocks import Block, beginnings
from paberki.languages.serbian import LATIN

Verdict = Literal["good", "near-good", "short", "bad"]

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_HEADING: Final = re.compile(r"(?:^|>)h[1-6](?![a-z0-9])")
_COPYRIGHT: Final = re.compile(r"©|&copy")
_FULL_COVERAGE: Final = 0.45
"""Share of running text that jusText's own lists cover."""
_NO_COVERAGE: Final = 0.06
"""Lists that cover less of the long blocks are those of another language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JustextConfig:
    """Thresholds of jusText; the defaults are its own. MaCoCu took 50, 100, .2, .3, .4 and 150."""

    language: str = ""
    """Language of the stop words; empty: the one whose words are most frequent on the page."""
    stop_words: tuple[str, ...] = ()
    """Stop words to be used instead of those of a language, e.g. learnt ones."""
    length_low: int = 70
    """Shorter blocks are judged by their neighbours."""
    length_high: int = 200
    """Longer blocks with enough stop words are text, whatever surrounds them."""
    stopwords_low: float = 0.30
    """Share of stop words of a block that is near to text."""
    stopwords_high: float = 0.32
    """Share of stop words of text."""
    max_link_density: float = 0.2
    """Blocks with a larger share of characters in links are boilerplate."""
    max_heading_distance: int = 200
    """Characters between a heading and the text that it is the heading of."""
    headings: bool = True
    """Whether headings near text are kept."""


def justext(
    blocks: Sequence[Block], config: JustextConfig | None = None, stop_words: Collection[str] | None = None
) -> None:
    """Label blocks in place: first each on its own, then the undecided by their nearest decided neighbours.

    ``stop_words`` (lower case) go before those of the config. ``score`` is the share of stop words. Deviations: jusText
    has lists of several hundred words, ours are shorter, so that its thresholds are scaled by what share of the
    page's long blocks the list covers; without any list that fits the page, only lengths and links decide.
    """
    config = config or JustextConfig()
    words = [_WORD.findall(text.lower()) for text in beginnings(blocks)]
    if stop_words is None:
        stop_words = frozenset(config.stop_words) or stop_words_of(config.language or likeliest_language(words))
    for block, own in zip(blocks, words, strict=True):
        block.score = sum(word in stop_words for word in own) / len(own) if own else 0.0
    scale = _scale(blocks, config)
    alone = [_alone(block, config, scale) for block in blocks]
    verdicts = _in_context(blocks, alone, config)
    for block, first, last in zip(blocks, alone, verdicts, strict=True):
        block.kept = last == "good"
        block.label = "text" if block.kept else "boilerplate"
        block.reason = f"{first}, {'among text' if block.kept else 'among boilerplate'}" if first != last else first


def likeliest_language(pages_words: Sequence[Sequence[str]]) -> str:
    """The language of which most words occur; empty when none does."""
    counts = Counter(word for words in pages_words for word in words)
    hits = {lang: sum(counts[word] for word in stop_words_of(lang)) for lang in languages()}
    best = max(hits, key=hits.__getitem__, default="")
    return best if best and hits[best] else ""


def languages() -> list[str]:
    """Languages with stop words of their own."""
    from paberki.languages.telling_words import FUNCTION_WORDS

    return list(FUNCTION_WORDS)


@lru_cache(maxsize=64)
def stop_words_of(lang: str) -> frozenset[str]:
    """Stop words of a language; of Serbian, Bosnian and Croatian in both scripts. Empty for unknown languages."""
    from paberki.languages.telling_words import FUNCTION_WORDS

    code = {"bs": "sr", "sh": "sr", "hbs": "sr", "cnr": "sr"}.get(lang, lang)
    words = FUNCTION_WORDS.get(code, "").split()
    if code in ("sr", "hr"):
        words += [cyrillic(word) for word in words]
    return frozenset(words)


def cyrillic(word: str) -> str:
    """A Serbian word in lower case, from Latin letters to Cyrillic ones."""
    for letter, latin in sorted(LATIN.items(), key=lambda pair: -len(pair[1])):
        word = word.replace(latin, letter)
    return word


def learn_stop_words(texts: Iterable[str], count: int = 300, min_letters: int = 1) -> list[str]:
    """The words that occur in most texts of a crawl: what a first pass over it teaches (P3 §3).

    Counted once per text, so that a menu on every page of one host weighs no more than it should; both scripts of a
    language come in by themselves.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({word for word in _WORD.findall(text.lower()) if len(word) >= min_letters})
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:count]]


def _scale(blocks: Sequence[Block], config: JustextConfig) -> float:
    """How the thresholds are scaled: 1 for a list as large as jusText's, 0 for one of another language."""
    long = [
        block
        for block in blocks
        if len(block.text) >= config.length_high and block.link_density <= config.max_link_density
    ]
    chars = sum(len(block.text) for block in long)
    if not chars:
        return 1.0
    coverage = sum(block.score * len(block.text) for block in long) / chars
    return 0.0 if coverage < _NO_COVERAGE else min(1.0, coverage / _FULL_COVERAGE)


def _alone(block: Block, config: JustextConfig, scale: float) -> Verdict:
    """What a block is without regard to its neighbours."""
    if block.link_density > config.max_link_density or _COPYRIGHT.search(block.text):
        return "bad"
    if len(block.text) < config.length_low:
        return "bad" if block.link_chars else "short"
    if block.score >= config.stopwords_high * scale:
        return "good" if len(block.text) > config.length_high else "near-good"
    return "near-good" if block.score >= config.stopwords_low * scale else "bad"


def _in_context(blocks: Sequence[Block], alone: Sequence[Verdict], config: JustextConfig) -> list[Verdict]:
    verdicts = list(alone)
    heading = [config.headings and _HEADING.search(block.path) is not None for block in blocks]
    _raise_headings(blocks, verdicts, heading, {"short"}, "near-good", config)
    around = _Around(verdicts)
    for number, verdict in enumerate(list(verdicts)):
        if verdict == "short":
            verdicts[number] = around.short(number)
    around = _Around(verdicts)
    for number, verdict in enumerate(list(verdicts)):
        if verdict == "near-good":
            verdicts[number] = "bad" if around.sides(number) == ("bad", "bad") else "good"
    late = [is_heading and first != "bad" for is_heading, first in zip(heading, alone, strict=True)]
    _raise_headings(blocks, verdicts, late, {"bad"}, "good", config)
    return verdicts


def _raise_headings(
    blocks: Sequence[Block],
    verdicts: list[Verdict],
    heading: Sequence[bool],
    from_: set[Verdict],
    to: Verdict,
    config: JustextConfig,
) -> None:
    """Headings that good text follows within the distance."""
    for number, is_heading in enumerate(heading):
        if not is_heading or verdicts[number] not in from_:
            continue
        distance, other = 0, number + 1
        while other < len(blocks) and distance <= config.max_heading_distance:
            if verdicts[other] == "good":
                verdicts[number] = to
                break
            distance += len(blocks[other].text)
            other += 1


class _Around:
    """The nearest decided blocks on both sides of each block, found in one pass each way; the ends of a page are bad."""

    def __init__(self, verdicts: Sequence[Verdict]) -> None:
        self._decided = _nearest(verdicts, frozenset(("good", "bad")))
        self._near = _nearest(verdicts, frozenset(("good", "bad", "near-good")))

    def sides(self, number: int) -> tuple[Verdict, Verdict]:
        """What is before and after a block."""
        return self._decided[0][number], self._decided[1][number]

    def short(self, number: int) -> Verdict:
        """A short block is what is on both sides of it; between good and bad, text that is near decides."""
        before, after = self.sides(number)
        if before == after:
            return before
        bad = 0 if before == "bad" else 1
        return "good" if self._near[bad][number] == "near-good" else "bad"


def _nearest(verdicts: Sequence[Verdict], decided: frozenset[Verdict]) -> tuple[list[Verdict], list[Verdict]]:
    """For each block the nearest decided verdict before it, and after it."""
    before, after = _last_decided(verdicts, decided), _last_decided(verdicts[::-1], decided)
    return before, after[::-1]


def _last_decided(verdicts: Sequence[Verdict], decided: frozenset[Verdict]) -> list[Verdict]:
    last_verdicts: list[Verdict] = []
    last: Verdict = "bad"
    for verdict in verdicts:
        last_verdicts.append(last)
        if verdict in decided:
            last = verdict
    return last_verdicts
