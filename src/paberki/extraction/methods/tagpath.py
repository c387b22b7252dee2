"""ContentExtractor: the text of a page is what shares one tag-id-class path (P1 §2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from paberki.extraction.html.page_blocks import Block

_CLOSERS: Final = "\"'”’“»«›)]}」』）】＂＇*"
_OPENERS: Final = "\"'„“”‚‘’«»‹›([–—-「『（【¿¡…"


@dataclass(frozen=True, slots=True, kw_only=True)
class TagPathConfig:
    """What a well-formed paragraph is. P1 speaks of "a series of regular expressions" without giving them."""

    min_words: int = 8
    """Fewest words of a well-formed paragraph."""
    chars_per_word: float = 2.0
    """Characters that count as one word where no spaces are written (Chinese, Japanese, Thai)."""
    enders: str = ".!?…。！？｡．؟।"
    """Characters a well-formed paragraph may end in; closing quotes and brackets may follow them."""
    capital_start: bool = True
    """Whether a paragraph must start with a capital, digit, quote or letter of a script without case."""


def tagpath(blocks: Sequence[Block], config: TagPathConfig | None = None) -> None:
    """Label blocks in place: the well-formed paragraphs of the heaviest path are the text (P1 §2.2, steps 3-5).

    A paragraph weighs ``len(p) · (1 − link_density(p)) / n_paths`` (eq. 1), where ``n_paths`` is the number of
    distinct paths met so far, the paragraph's own included: the first one would otherwise be divided by nothing.
    ``score`` is the share of all weight that a paragraph's path has. Of equally heavy paths the first wins.
    Deviations: a path holds block-level elements only, and any block may be a paragraph, not ``p`` alone.
    """
    config = config or TagPathConfig()
    weights: dict[str, float] = {}
    analysed = []
    for block in blocks:
        block.label, block.reason = "boilerplate", "not a well-formed paragraph"
        block.score, block.kept = 0.0, False
        if well_formed(block.text, config):
            analysed.append(block)
            before = weights.setdefault(block.path, 0.0)
            weights[block.path] = before + (len(block.text) - block.link_chars) / len(weights)
    total = sum(weights.values())
    if total <= 0.0:
        for block in analysed:
            block.reason = "nothing but links"
        return
    winner = max(weights, key=weights.__getitem__)
    for block in analysed:
        block.score = weights[block.path] / total
        if block.path == winner:
            block.label, block.kept, block.reason = "text", True, "winning path"
        else:
            block.reason = "other path"


def well_formed(text: str, config: TagPathConfig) -> bool:
    """Whether a paragraph begins and ends like a sentence and is long enough."""
    if not text:
        return False
    last = text[-1]
    if last not in config.enders and (last not in _CLOSERS or not _ends_inside(text, config.enders)):
        return False
    if config.capital_start and not _starts_sentence(text[0]):
        return False
    spaced = text.count(" ") + 1
    return spaced >= config.min_words or _word_count(text, spaced, config) >= config.min_words


def _ends_inside(text: str, enders: str) -> bool:
    inner = text[-12:].rstrip(_CLOSERS)
    return bool(inner) and inner[-1] in enders


def _starts_sentence(char: str) -> bool:
    return char.isdigit() or char in _OPENERS or (char.isalpha() and not char.islower())


def _word_count(text: str, spaced: int, config: TagPathConfig) -> float:
    """Words between spaces, plus a share of the characters of scripts that do without them."""
    if text.isascii():
        return spaced
    unspaced = sum(1 for char in text if "\u0e00" <= char <= "\u0eff" or "\u3041" <= char <= "\u9fff")
    return spaced - 1 + unspaced / config.chars_per_word if unspaced else spaced
