"""Writing CoNLL-U: the lines of a token and of a sentence, for annotated texts and for exports of a corpus.

Names stand in the last column as ``NER=…``, unknown words as ``OOV=Yes``, valency frames as ``Frame=…``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice, repeat

from paberki.annotation.document import EMPTY, Document
from paberki.annotation.files.conllu_reading import NO_SPACE
from paberki.terminal import without_controls

_OURS = ("NER=", "OOV=", "Frame=")
"""Attributes of the last column that annotation replaces."""


def token_line(
    number: int, form: str, lemma: str, upos: str, xpos: str, feats: str, head: int | str, deprel: str, misc: str
) -> str:
    """The ten columns of a token; the ninth, enhanced dependencies, is always empty."""
    return f"{number}\t{form}\t{lemma}\t{upos}\t{xpos}\t{feats}\t{head}\t{deprel}\t{EMPTY}\t{misc}"


@lru_cache(maxsize=1 << 10)
def misc_cell(ner: str | None, oov: bool | None, frame: str | None, glued: bool, misc: str = "") -> str:
    """The last column: attributes from the input file, then name, unknown word, frame and missing space."""
    attributes = [one for one in misc.split("|") if one not in ("", EMPTY) and not one.startswith(_OURS)]
    attributes += [f"NER={ner}"] if ner is not None else []
    attributes += ["OOV=Yes"] if oov else []
    attributes += [f"Frame={frame}"] if frame is not None else []
    attributes += [NO_SPACE] if glued else []
    return "|".join(attributes) or EMPTY


def one_line(value: str) -> str:
    """The value with single spaces and visible control characters; ``_`` if nothing remains."""
    return without_controls(" ".join(value.split())) or EMPTY


def write_document(document: Document) -> str:
    """A document as CoNLL-U."""
    out: list[str] = []
    columns = [document.column(name) for name in ("lemma", "upos", "xpos", "feats", "head", "deprel")]
    rows = zip(document.forms, *columns, _misc(document), strict=True)
    for number, (first, last) in enumerate(zip(document.edges, document.edges[1:], strict=False)):
        out += _comments(document, number, first, last)
        extras = document.extras[number] if document.extras else {}
        for place, (form, lemma, *cells) in enumerate(islice(rows, last - first)):
            if extras:
                out += extras.get(place, ())
            out.append(token_line(place + 1, _cell(form), _cell(lemma), *cells))
        out += extras.get(last - first, ())
        out.append("")
    return "\n".join(out) + "\n" if out else ""


def _cell(value: str) -> str:
    """A cell without tabs, line ends, controls and lone surrogates; spaces inside words are allowed."""
    if value.isprintable() and value:
        return value
    clean = without_controls(" ".join(value.split())).encode("utf-8", "replace").decode()
    return clean or "\ufffd"


def _comments(document: Document, number: int, first: int, last: int) -> list[str]:
    if document.comments is not None:
        return document.comments[number]
    text = document.text[document.starts[first] : document.ends[last - 1]] if last > first else ""
    return [f"# sent_id = {number + 1}", f"# text = {_cell(text)}"]


def _misc(document: Document) -> Iterator[str]:
    """The last column of every token. A document that was read from a file has its missing spaces in ``misc``."""
    none = repeat(None)
    ner, oov, frame = (none if values is None else values for values in (document.ner, document.oov, document.frame))
    attributes: Iterable[str] = repeat("") if document.misc is None else document.misc
    nexts: Iterable[int] = chain(document.starts[1:], [-1]) if document.misc is None else repeat(-1)
    for _, *annotation, end, start, misc in zip(  # noqa: B905 - layers that nobody computed are endless
        document.forms, ner, oov, frame, document.ends, nexts, attributes
    ):
        yield misc_cell(*annotation, end == start, misc)
