"""A small corpus of our own for tests of hits and statistics, and what plain Python says about it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paberki.query.counting.places import PagePlaces
from paberki.query.counting.token_scope import TokenScope, whole
from paberki.query.index.reader import Index, open_index
from paberki.query.matching import HitTable
from paberki.query.sources.vertical import index_vertical

ATTRIBUTES = ("word", "lemma", "tag", "feats*", "head", "deprel")
SENTENCES = (
    ("a", 2019, "Stari stari A 2 amod|Grad grad N 3 nsubj|spava spavati V 0 root|. . Z 3 punct"),
    ("a", 2019, "Vidim vidjeti V 0 root|stari stari A 3 amod|grad grad N 1 obj|i i C 5 cc|novi novi A 3 conj|. . Z 1 punct"),
    ("b", 2020, "Čamac čamac N 2 nsubj|plovi ploviti V 0 root|. . Z 2 punct"),
    ("b", 2020, "Novi novi A 2 amod|grad grad N 3 nsubj|raste rasti V 0 root|brzo brzo R 3 advmod|. . Z 3 punct"),
    ("a", 2021, "Njiva njiva N 2 nsubj|spava spavati V 0 root|, , Z 4 punct|grad grad N 5 nsubj|raste rasti V 2 conj|. . Z 2 punct"),
    ("a", 2021, "Nitko nitko P 2 nsubj|spava spavati V 0 root|. . Z 2 punct"),
    ("c", 2021, "Cesta cesta N 3 nsubj|ne ne Q 3 advmod|spava spavati V 0 root|! ! Z 3 punct"),
)  # fmt: skip
DOCUMENTS = (("d1", (0, 1)), ("d2", (2, 3)), ("d3", (4, 5)), ("d4", (6,)))


def vertical() -> str:
    """The corpus as a vertical file; full stops, commas and exclamation marks follow without a space."""
    lines = []
    for name, numbers in DOCUMENTS:
        host, year, _ = SENTENCES[numbers[0]]
        lines += [f'<doc id="{name}" host="{host}.example" year="{year}">', "<p>"]
        for number in numbers:
            lines.append("<s>")
            for token in SENTENCES[number][2].split("|"):
                word, lemma, tag, head, deprel = token.split()
                lines += ["<g/>"] if word in ".,!" else []
                lines.append("\t".join([word, lemma, tag, "|", head, deprel]))
            lines.append("</s>")
        lines += ["</p>", "</doc>"]
    return "\n".join(lines) + "\n"


def tokens(column: int = 0) -> list[str]:
    """All words (0), lemmas (1) or tags (2) in corpus order."""
    return [token.split()[column] for _, _, sentence in SENTENCES for token in sentence.split("|")]


def pages() -> list[int]:
    """The number of the page of every token."""
    return [
        number
        for number, (_, sentences) in enumerate(DOCUMENTS)
        for sentence in sentences
        for _ in SENTENCES[sentence][2].split("|")
    ]


def hosts() -> list[str]:
    """The host of every page."""
    return [SENTENCES[sentences[0]][0] + ".example" for _, sentences in DOCUMENTS]


def make_index(directory: Path, lang: str | None = "hr") -> Index:
    """The corpus as an index."""
    source = directory / "small.vert"
    source.write_text(vertical(), "utf-8")
    index_vertical(source, directory / "index", ATTRIBUTES, lang=lang)
    return open_index(directory / "index")


def whole_scope(index: Index) -> TokenScope:
    """All of it."""
    return whole(PagePlaces(index))


def table(spans: list[tuple[int, int]], **labels: list[int]) -> HitTable:
    """Hits at these spans."""
    starts = np.array([start for start, _ in spans], np.int64)
    ends = np.array([end for _, end in spans], np.int64)
    return HitTable(starts, ends, {name: np.array(column, np.int64) for name, column in labels.items()})


def hits_of(lemma: str) -> HitTable:
    """All tokens with a lemma."""
    return table([(at, at + 1) for at, one in enumerate(tokens(1)) if one == lemma])
