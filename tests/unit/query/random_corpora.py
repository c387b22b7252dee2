"""Small random corpora, as an index and as plain lists."""

from __future__ import annotations

import random
from pathlib import Path

from reference import Corpus

from paberki.query import open_index
from paberki.query.index.reader import Index
from paberki.query.sources.vertical import index_vertical

COLUMNS = ["word", "lemma", "tag", "feats*", "head", "deprel"]
_FIRST = """\
<doc id="d" year="2010">
<s id="first">
<np>
<z k="a">
a\tx\tN\t|Case=Nom|\t2\tnsubj
<z k="b">
b\ty\tV\t|\t0\troot
</z>
</z>
</np>
</s>"""
"""So that every corpus has all structures."""
_FEATS = ("Case=Nom", "Case=Acc", "Num=Sg", "Num=Pl")


def make(directory: Path, seed: int, sentences: int, segment_tokens: int | None = None) -> tuple[Index, Corpus]:
    """An index, possibly of several segments, and the same as a plain corpus: matches may cross segments."""
    chance = random.Random(seed)
    lines = _FIRST.splitlines()
    for number in range(sentences):
        if number % 3 == 0:
            lines += ["</doc>", f'<doc id="d{number}" year="{chance.choice([2010, 2011, 999])}">']
        lines += _sentence(chance, number)
    lines.append("</doc>")
    source = directory / "corpus.vert"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    index_vertical(source, directory / "index", COLUMNS, segment_tokens=segment_tokens)
    index = open_index(directory / "index")
    return index, _joined([_plain(index, number) for number in range(len(index.segments))])


def _sentence(chance: random.Random, number: int) -> list[str]:
    length = chance.randint(1, 9)
    root = chance.randrange(length)
    lines = [f'<s id="{number}">']
    np_end, z_ends = -1, []
    for at in range(length):
        if at == np_end:
            lines.append("</np>")
            np_end = -1
        while z_ends and z_ends[-1] == at:
            lines.append("</z>")
            z_ends.pop()
        if np_end < 0 and chance.random() < 0.3:
            lines.append("<np>")
            np_end = min(length, at + chance.randint(1, 3))
        if np_end < 0:
            while len(z_ends) < 3 and chance.random() < 0.25:
                lines.append(f'<z k="{chance.choice("ab")}">')
                z_ends.append(chance.randint(at + 1, z_ends[-1] if z_ends else length))
        lines.append(_token(chance, at, root))
    lines += ["</np>"] * (np_end >= 0) + ["</z>"] * len(z_ends) + ["</s>"]
    return lines


def _token(chance: random.Random, at: int, root: int) -> str:
    head = 0 if at == root else (root + 1 if at == 0 else chance.choice([root, *range(at)]) + 1)
    if head == at + 1:
        head = root + 1
    features = sorted(chance.sample(_FEATS, chance.randint(0, 2)))
    word = chance.choice(["a", "b", "c", "A", "č", "Č", "ab"])
    columns = [
        word,
        chance.choice("xyz"),
        chance.choice(["N", "V", "Na"]),
        "|" + "".join(f"{one}|" for one in features),
    ]
    relation = "root" if head == 0 else chance.choice(["obj", "nsubj", "obl"])
    return "\t".join([*columns, str(head), relation])


def _joined(parts: list[Corpus]) -> Corpus:
    """Several plain corpora as one."""
    tokens, heads, regions = [], [], {name: [] for name in parts[0].regions}
    for part in parts:
        move = len(tokens)
        heads += [head + move if head >= 0 else -1 for head in part.heads]
        for name, of_part in part.regions.items():
            regions[name] += [(start + move, end + move, values) for start, end, values in of_part]
        tokens += part.tokens
    return Corpus(tokens, regions, heads, base=0, frequencies=parts[0].frequencies)


def _plain(index: Index, number: int) -> Corpus:
    segment = index.segments[number]
    tokens: list[dict[str, object]] = [{} for _ in range(segment.tokens)]
    frequencies: dict[tuple[str, str], int] = {}
    for name in index.attributes:
        attribute = segment.attribute(name)
        for token, value in zip(tokens, attribute.values(attribute.ids_between(0, segment.tokens)), strict=True):
            token[name] = frozenset(one for one in value.split("|") if one) if name in index.multi else value
    for other in index.segments:
        for name in ("word", "lemma", "tag"):
            values = other.attribute(name)
            for identity in range(values.size):
                key = (name, values.value(identity))
                frequencies[key] = frequencies.get(key, 0) + int(values.counts[identity])
    regions = {}
    for name, attributes in index.structures.items():
        structure = segment.structure(name)
        regions[name] = [
            (
                int(structure.starts[at]),
                int(structure.ends[at]),
                {one: structure.attribute(one).value(structure.attribute(one).ids[at]) for one in attributes},
            )
            for at in range(structure.size)
        ]
    assert segment.head is not None
    heads = [at + int(step) if step else -1 for at, step in enumerate(segment.head)]
    return Corpus(tokens, regions, heads, base=segment.base, frequencies=frequencies)  # type: ignore[arg-type]
