"""Corpora made of chance with a seed: words by Zipf's law, planted topics, repeated sentences."""

from __future__ import annotations

import random
from pathlib import Path


def zipf_text(seed: int, tokens: int, shift: int = 0, words: int = 400) -> list[str]:
    """Words w0, w1, … by Zipf's law; ``shift`` moves the ranks of a third of them."""
    pick = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(words)]
    names = [f"w{chr(97 + at % 26)}{at}" for at in range(words)]
    moved = random.Random(shift).sample(range(words), words // 3) if shift else []
    shuffled = moved[:]
    random.Random(shift + 1).shuffle(shuffled)
    for a, b in zip(moved, shuffled, strict=True):
        names[a] = f"w{chr(97 + b % 26)}{b}"
    return pick.choices(names, weights, k=tokens)


def write_vertical(path: Path, documents: list[list[str]], *, tag: str = "N", sentence: int = 12) -> Path:
    """Documents as a vertical file with word, lemma and tag."""
    lines = []
    for number, words in enumerate(documents):
        lines.append(f'<doc id="{number}">')
        for begin in range(0, len(words), sentence):
            lines += ["<s>", *(f"{word}\t{word}\t{tag}" for word in words[begin : begin + sentence]), "</s>"]
        lines.append("</doc>")
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def split(words: list[str], size: int = 100) -> list[list[str]]:
    """A text as documents."""
    return [words[at : at + size] for at in range(0, len(words), size)]
