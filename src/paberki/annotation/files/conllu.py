"""CoNLL-U: one word per line in ten columns, a blank line after each sentence.

The reader takes what is out there: multiword tokens (``1-2``) and empty nodes (``1.1``) are kept as they stand and
written back, lines may lack columns at the end or be divided by spaces, the last blank line may be missing. A line
that can be nothing of this is an error that names it.
"""

from __future__ import annotations

import gzip
import lzma
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice, repeat
from pathlib import Path

from paberki.annotation.document import EMPTY, Document
from paberki.errors import InputError
from paberki.terminal import without_controls

COLUMNS = 10
MAX_LINE = 4_000_000
"""Longest line that is read; nobody's word is longer."""
NO_SPACE = "SpaceAfter=No"


@dataclass(slots=True)
class Word:
    """A line of a sentence, without its number."""

    form: str
    lemma: str = EMPTY
    upos: str = EMPTY
    xpos: str = EMPTY
    feats: str = EMPTY
    head: int = -1
    """Number of the head, 0 for the root, -1 where the file gives none."""
    deprel: str = EMPTY
    deps: str = EMPTY
    misc: str = EMPTY


@dataclass(slots=True)
class Tree:
    """A sentence as the file has it."""

    words: list[Word] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    extras: dict[int, list[str]] = field(default_factory=dict)
    """Lines of multiword tokens and empty nodes, by the number of words before them."""

    @property
    def text(self) -> str:
        """What the comment ``# text`` says, else the forms with the spaces that the file tells of."""
        said = self.comment("text")
        return said if said is not None else spaced(self.words)

    def comment(self, name: str) -> str | None:
        """The value of a comment ``# name = value``."""
        for line in self.comments:
            before, sign, after = line[1:].partition("=")
            if sign and before.strip() == name:
                return after.strip()
        return None

    @property
    def parsed(self) -> bool:
        """Every word has a head."""
        return bool(self.words) and all(word.head >= 0 for word in self.words)


def spaced(words: list[Word]) -> str:
    """The forms as running text."""
    pieces = [word.form if NO_SPACE in word.misc.split("|") else f"{word.form} " for word in words]
    return "".join(pieces).rstrip(" ")


def read_trees(path: Path) -> Iterator[Tree]:
    """The sentences of a file; ``.xz`` and ``.gz`` are unpacked, ``-`` is standard input."""
    if str(path) == "-":
        yield from parse(decoded(sys.stdin.buffer), "standard input")
        return
    try:
        if path.name.endswith(".xz"):
            with lzma.open(path, "rb") as file:
                yield from parse(decoded(file), str(path))
        elif path.name.endswith(".gz"):
            with gzip.open(path, "rb") as file:
                yield from parse(decoded(file), str(path))
        else:
            with open(path, "rb") as file:
                yield from parse(decoded(file), str(path))
    except (lzma.LZMAError, gzip.BadGzipFile, EOFError) as error:
        raise InputError(f"{path}: cannot be unpacked: {error}") from error
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a directory, not a file") from None


def decoded(lines: Iterable[bytes]) -> Iterator[str]:
    """Lines as text, without their ends; bytes that are not UTF-8 are replaced."""
    first = True
    for line in lines:
        yield line.decode("utf-8-sig" if first else "utf-8", "replace").rstrip("\r\n")
        first = False


def parse(lines: Iterable[str], name: str = "text") -> Iterator[Tree]:
    """Sentences from lines."""
    tree = Tree()
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE:
            raise InputError(f"{name}, line {number}: longer than {MAX_LINE:,} characters")
        if not line.strip():
            if tree.words or tree.extras:
                yield tree
            tree = Tree()
        elif line[0] == "#" and not tree.words and "\t" not in line[:3]:
            tree.comments.append(line)
        else:
            _take(line, tree, f"{name}, line {number}")
    if tree.words or tree.extras:
        yield tree


def _take(line: str, tree: Tree, place: str) -> None:
    cells = line.split("\t")
    if len(cells) < 2:
        cells = line.split()
    if len(cells) < 2 or not cells[1]:
        raise InputError(f"{place}: is not CoNLL-U, which has ten columns divided by tabs: {line[:60]!r}")
    number = cells[0]
    if "-" in number or "." in number:
        tree.extras.setdefault(len(tree.words), []).append(line)
        return
    if not number.isdigit():
        raise InputError(f"{place}: the first column should be the number of a word, not {number[:20]!r}")
    cells += [EMPTY] * (COLUMNS - len(cells))
    cells = [cell or EMPTY for cell in cells]
    form, lemma, upos, xpos, feats, head, deprel, deps, misc = cells[1:COLUMNS]
    tree.words.append(Word(form, lemma, upos, xpos, feats, _head(head, place), deprel, deps, misc))


def _head(cell: str, place: str) -> int:
    if cell == EMPTY:
        return -1
    if cell.isdigit() and len(cell) < 9:
        return int(cell)
    raise InputError(f"{place}: the head should be the number of a word, not {cell[:20]!r}")


def document_of(trees: Iterable[Tree], lang: str = "") -> Document:
    """The tokens of a file as a document without annotation; its text is made of the forms and their spaces."""
    found = Document(text="", lang=lang, misc=[], comments=[], extras=[])
    assert found.misc is not None
    assert found.comments is not None
    assert found.extras is not None
    pieces: list[str] = []
    at = 0
    for tree in trees:
        for word in tree.words:
            found.forms.append(word.form)
            found.starts.append(at)
            found.ends.append(at + len(word.form))
            found.misc.append(word.misc)
            tail = "" if NO_SPACE in word.misc.split("|") else " "
            pieces += (word.form, tail)
            at += len(word.form) + len(tail)
        pieces.append("\n")
        at += 1
        found.edges.append(len(found.forms))
        found.comments.append(tree.comments)
        found.extras.append(tree.extras)
    found.text = "".join(pieces)
    return found


def write_document(document: Document) -> str:
    """A document as CoNLL-U. Names stand in the last column as ``NER=…``, unknown words as ``OOV=Yes``."""
    out: list[str] = []
    columns = [document.column(name) for name in ("lemma", "upos", "xpos", "feats", "head", "deprel")]
    rows = zip(document.forms, *columns, _misc(document), strict=True)
    for number, (first, last) in enumerate(zip(document.edges, document.edges[1:], strict=False)):
        out += _comments(document, number, first, last)
        extras = document.extras[number] if document.extras else {}
        for place, (form, lemma, upos, xpos, feats, head, deprel, misc) in enumerate(islice(rows, last - first)):
            if extras:
                out += extras.get(place, ())
            out.append(
                f"{place + 1}\t{_cell(form)}\t{_cell(lemma)}\t{upos}\t{xpos}\t{feats}\t{head}\t{deprel}\t_\t{misc}"
            )
        out += extras.get(last - first, ())
        out.append("")
    return "\n".join(out) + "\n" if out else ""


def _cell(value: str) -> str:
    """No tab, line end, control or lone surrogate may get into a cell; spaces inside words are allowed."""
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
    """The last column: what the file said, names, unknown words and missing spaces."""
    none = repeat(None)
    ner, oov, frame = (none if values is None else values for values in (document.ner, document.oov, document.frame))
    said: Iterable[str] = repeat("") if document.misc is None else document.misc
    nexts: Iterable[int] = chain(document.starts[1:], [-1]) if document.misc is None else repeat(-1)
    for _, *known, end, start, misc in zip(  # noqa: B905 - what nobody computed has no end
        document.forms, ner, oov, frame, document.ends, nexts, said
    ):
        yield _misc_cell(*known, end == start, misc)


@lru_cache(maxsize=1 << 10)
def _misc_cell(ner: str | None, oov: bool | None, frame: str | None, glued: bool, misc: str) -> str:
    kept = [one for one in misc.split("|") if one not in ("", EMPTY) and not one.startswith(("NER=", "OOV=", "Frame="))]
    kept += [f"NER={ner}"] if ner is not None else []
    kept += ["OOV=Yes"] if oov else []
    kept += [f"Frame={frame}"] if frame is not None else []
    kept += [NO_SPACE] if glued else []
    return "|".join(kept) or EMPTY
