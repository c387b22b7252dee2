"""Hits with their sentences, token by token: CoNLL-U and vertical files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from paberki.query.counting.places import PagePlaces
from paberki.query.counting.values import values_of
from paberki.query.hits.lines import TokenTexts, joined_text, limits_of, lines_of
from paberki.query.statistics.relation_pairs import heads_at
from paberki.terminal import without_controls

if TYPE_CHECKING:
    from paberki.query.counting.token_scope import TokenScope
    from paberki.query.matching import HitTable

__all__ = ["conllu", "vertical"]

_BATCH: Final = 500
_FIELDS: Final = (("lemma",), ("upos", "pos"), ("xpos", "tag"), ("feats",))
"""Attributes for the columns LEMMA, UPOS, XPOS and FEATS."""


def conllu(scope: TokenScope, hits: HitTable, header: Mapping[str, Any]) -> Iterator[str]:
    """The sentence of every hit in CoNLL-U; MISC says which tokens are the hit, and which labels they have."""
    comments = "".join(f"# {name} = {_clean(value)}\n" for name, value in header.items())
    for number, sentence in enumerate(_sentences(scope, hits)):
        yield (comments if not number else "") + _conllu_sentence(scope, sentence)


class _Sentence:
    """A hit and the tokens around it."""

    def __init__(self, places: PagePlaces, line: Any, low: int, tokens: list[tuple[str, bool]]) -> None:
        self.line, self.low, self.tokens = line, low, tokens
        self.positions = np.arange(low, low + len(tokens))


def _sentences(scope: TokenScope, hits: HitTable) -> Iterator[_Sentence]:
    places = scope.places
    context: int | str = "s" if "s" in places.index.structures else 15
    for start in range(0, len(hits.starts), _BATCH):
        part = hits.take(np.arange(start, min(start + _BATCH, len(hits.starts))))
        lows, highs = limits_of(places, part, context)
        words = TokenTexts(places.index, places.index.default).between(lows, highs)
        for line, low, tokens in zip(lines_of(places, part, context=context), lows.tolist(), words, strict=True):
            yield _Sentence(places, line, low, tokens)


def _conllu_sentence(scope: TokenScope, sentence: _Sentence) -> str:
    index, line, count = scope.places.index, sentence.line, len(sentence.tokens)
    columns = [_column(index, names, sentence.positions) for names in _FIELDS]
    has_trees = "deprel" in index.attributes
    deprels = values_of(index, "deprel").texts(values_of(index, "deprel").at(sentence.positions)) if has_trees else []
    heads = heads_at(scope, sentence.positions).tolist()
    out = [f"# hit = {line.start} {line.end}"]
    out += [f"# {name} = {_clean(value)}" for name, value in line.reference.items()]
    out.append(f"# text = {_clean(joined_text(sentence.tokens))}")
    for at, (word, _) in enumerate(sentence.tokens):
        position = sentence.low + at
        head = at + heads[at] + 1 if heads[at] and 0 <= at + heads[at] < count else 0
        deprel = deprels[at] or "_" if has_trees else "_"
        glued = at + 1 < count and sentence.tokens[at + 1][1]
        fields = [_clean(column[at]) or "_" for column in columns]
        tree = [str(head), deprel] if has_trees else ["_", "_"]
        out.append("\t".join([str(at + 1), _clean(word) or "_", *fields, *tree, "_", _misc(line, position, glued)]))
    return "\n".join(out) + "\n\n"


def _column(index: Any, names: tuple[str, ...], positions: Any) -> list[str]:
    name = next((one for one in names if one in index.attributes or one in index.aliases), None)
    if name is None:
        return [""] * len(positions)
    values = values_of(index, name)
    texts = values.texts(values.at(positions))
    return [text.strip("|") for text in texts] if name == "feats" else texts


def _misc(line: Any, position: int, glued: bool) -> str:
    labels = [name for name, (start, end) in line.labels.items() if start <= position < end]
    facts = ["Hit=Yes"] if line.start <= position < line.end else []
    facts += [f"Label={','.join(labels)}"] if labels else []
    return "|".join([*facts, *(["SpaceAfter=No"] if glued else [])]) or "_"


def vertical(scope: TokenScope, hits: HitTable, header: Mapping[str, Any]) -> Iterator[str]:
    """The sentence of every hit as a vertical file, with the hit between tags."""
    yield f"<concordance{_tag_attributes(header)}>\n"
    index = scope.places.index
    attributes = [name for name in index.attributes if name not in (index.default, "lc")]
    for sentence in _sentences(scope, hits):
        columns = [values_of(index, name).texts(values_of(index, name).at(sentence.positions)) for name in attributes]
        reference = {name: value for name, value in sentence.line.reference.items() if value}
        out = [f"<doc{_tag_attributes(reference)}>", "<s>"]
        for at, (word, glued) in enumerate(sentence.tokens):
            position = sentence.low + at
            out += ["</hit>"] if position == sentence.line.end else []
            out += ["<g/>"] if glued and at else []
            out += ["<hit>"] if position == sentence.line.start else []
            out.append(
                "\t".join(escape(_clean(value), quote=False) for value in (word, *(column[at] for column in columns)))
            )
        out += ["</hit>"] if sentence.line.end >= sentence.low + len(sentence.tokens) else []
        yield "\n".join([*out, "</s>", "</doc>", ""])
    yield "</concordance>\n"


def _tag_attributes(values: Mapping[str, Any]) -> str:
    return "".join(f' {name.replace(" ", "_")}="{escape(_clean(value))}"' for name, value in values.items())


def _clean(value: Any) -> str:
    return without_controls(" ".join(str(value).split("\t")).replace("\n", " ").replace("\r", " "))
