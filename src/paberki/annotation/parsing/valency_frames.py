"""Valency frames: match a user's lexicon with the trees (P2 §4).

A line of the lexicon is a lemma, the name of a frame and its slots, divided by tabs; slots stand apart by spaces::

    čekati<TAB>čekati-na<TAB>nsubj? obl:na+Acc
    dati<TAB>dati-1<TAB>nsubj? obj:Acc iobj:Dat

A slot is a relation (several with ``/``), after a colon what its word must be like: a case, or a preposition and a case.
A question mark makes it optional. Of the frames whose slots are all there, the one with most slots is taken; P2 tells no
method, so this is the plainest: what the words stand for is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from paberki.annotation.document import Document
from paberki.errors import InputError

_MOST_BYTES: Final = 64 << 20
_CASE_MARK: Final = "case"


@dataclass(frozen=True, slots=True)
class FrameSlot:
    """A dependent that a frame asks for."""

    relations: tuple[str, ...]
    preposition: str = ""
    case: str = ""
    optional: bool = False

    @classmethod
    def of(cls, text: str) -> FrameSlot:
        """From the lexicon: ``obl/obj:na+Acc?``."""
        relations, _, rest = text.removesuffix("?").partition(":")
        preposition, plus, case = rest.rpartition("+")
        if not all(relations.split("/")) or (plus and not preposition):
            raise ValueError(f"{text!r} is no slot; for example obj:Acc, obl:na+Loc, nsubj?")
        return cls(tuple(relations.split("/")), preposition.lower(), case, text.endswith("?"))


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of a lemma."""

    name: str
    slots: tuple[FrameSlot, ...]


@dataclass(frozen=True, slots=True)
class _Dependent:
    relation: str
    case: str
    preposition: str

    def fills(self, slot: FrameSlot) -> bool:
        return (
            self.relation in slot.relations
            and slot.case in ("", self.case)
            and (not slot.case or slot.preposition == self.preposition)
        )


def read_lexicon(path: Path) -> dict[str, list[Frame]]:
    """Frames by lemma."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path}: larger than {_MOST_BYTES >> 20} MB, too large for a lexicon of frames")
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    lexicon: dict[str, list[Frame]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        try:
            lemma, name, slots = cells
            frame = Frame(_plain(name), tuple(map(FrameSlot.of, slots.split())))
        except ValueError as error:
            fault = error if len(cells) == 3 else "should be lemma, frame and slots, divided by tabs"
            raise InputError(f"{path}, line {number}: {fault}") from None
        lexicon.setdefault(lemma.lower(), []).append(frame)
    return lexicon


def _plain(name: str) -> str:
    """A name that can stand in the last column of CoNLL-U."""
    if not name.strip() or any(sign in name for sign in "|= "):
        raise ValueError(f"{name!r} cannot be the name of a frame: no spaces, | or =")
    return name


def frames_of(document: Document, lexicon: dict[str, list[Frame]]) -> list[str | None]:
    """The frame of each token, by name; ``None`` where none fits or the document has no trees."""
    frames: list[str | None] = [None] * len(document)
    if document.head is None or document.lemma is None:
        return frames
    for first, last in zip(document.edges, document.edges[1:], strict=False):
        verbs = [at for at in range(first, last) if document.lemma[at].lower() in lexicon]
        dependents = _dependents(document, first, last) if verbs else {}
        for at in verbs:
            frames[at] = _best(lexicon[document.lemma[at].lower()], dependents.get(at, []))
    return frames


def _dependents(document: Document, first: int, last: int) -> dict[int, list[_Dependent]]:
    """Dependents of every word of a sentence."""
    heads, relations, feats = document.head or [], document.column("deprel"), document.column("feats")
    lemmas = document.column("lemma")
    marks = {
        first + heads[at] - 1: lemmas[at].lower()
        for at in range(last - 1, first - 1, -1)
        if relations[at] == _CASE_MARK
    }
    dependents: dict[int, list[_Dependent]] = {}
    for at in range(first, last):
        if heads[at] > 0:
            own = _Dependent(relations[at].partition(":")[0], _case(feats[at]), marks.get(at, ""))
            dependents.setdefault(first + heads[at] - 1, []).append(own)
    return dependents


def _case(feats: str) -> str:
    return next((one[5:] for one in feats.split("|") if one.startswith("Case=")), "")


def _best(frames: Sequence[Frame], dependents: Sequence[_Dependent]) -> str | None:
    by_slots = [(len(list(_fills(frame, dependents))), frame) for frame in frames if _fits(frame, dependents)]
    return max(by_slots, key=lambda one: one[0])[1].name if by_slots else None


def _fits(frame: Frame, dependents: Sequence[_Dependent]) -> bool:
    filled = list(_fills(frame, dependents))
    return all(slot.optional or slot in filled for slot in frame.slots)


def _fills(frame: Frame, dependents: Sequence[_Dependent]) -> Iterator[FrameSlot]:
    """Slots with a dependent of their own."""
    free = list(dependents)
    for slot in frame.slots:
        word = next((one for one in free if one.fills(slot)), None)
        if word is not None:
            free.remove(word)
            yield slot
