"""Which sentences are Japanese: WWW2sf, P4's tool, keeps those of which 60 % are kana, kanji and punctuation."""

from __future__ import annotations

import re
from typing import Final

LEAST: Final = 0.6
_MOST_CHARS: Final = 200_000
_SENTENCE: Final = re.compile(r"[^。！？!?\n]+(?:[。！？!?]+[」』）)]*)?|[。！？!?]+")
_JAPANESE: Final = re.compile(
    r"[\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
    r"\uff5b-\uff9f\u2010-\u2027\u2030-\u205e!-/:-@\[-`{-~]"
)
"""Kana, also half as wide, kanji, and punctuation of any width."""


def is_japanese(sentence: str) -> bool:
    """Whether at least 60 % of the characters are kana, kanji or punctuation; spaces do not count."""
    solid = "".join(sentence.split())
    return bool(solid) and len(_JAPANESE.findall(solid)) >= LEAST * len(solid)


def japanese_sentence_share(text: str) -> float | None:
    """Share of Japanese sentences among those of a text; None for a text without any.

    >>> japanese_sentence_share("今日は良い天気です。See you at 10 o'clock!")
    0.5
    """
    sentences = [one for one in _SENTENCE.findall(text[:_MOST_CHARS]) if one.strip()]
    return sum(map(is_japanese, sentences)) / len(sentences) if sentences else None
