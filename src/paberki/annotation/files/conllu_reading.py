"""Reading CoNLL-U: one word per line in ten columns, a blank line after each sentence.

The reader accepts the files that exist: it keeps multiword tokens (``1-2``) and empty nodes (``1.1``) as they stand, and
:mod:`~paberki.annotation.files.conllu_writer` writes them back; lines may lack their last columns or be divided by spaces;
the last blank line may be missing. Any other line is an error that names its number.
"""

from __future__ import annotations

import gzip
import lzma
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from paberki.annotation.document import EMPTY, Document
from paberki.errors import InputError

COLUMNS = 10
MAX_LINE = 4_000_000
"""Longest line that is read, in characters; no word is longer."""
NO_SPACE = "SpaceAfter=No"


@dataclass(slots=True)
class TreeWord:
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

    words: list[TreeWord] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    extras: dict[int, list[str]] = field(default_factory=dict)
    """Lines of multiword tokens and empty nodes, by the number of words before them."""

    @property
    def text(self) -> str:
        """The value of the comment ``# text``; without it, the forms, with spaces unless ``SpaceAfter=No``."""
        comment = self.comment("text")
        return comment if comment is not None else running_text(self.words)

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


def running_text(words: list[TreeWord]) -> str:
    """The forms as running text."""
    pieces = [word.form if NO_SPACE in word.misc.split("|") else f"{word.form} " for word in words]
    return "".join(pieces).rstrip(" ")


def read_trees(path: Path) -> Iterator[Tree]:
    """The sentences of a file; ``.xz`` and ``.gz`` are unpacked, ``-`` is standard input."""
    if str(path) == "-":
        yield from parse(decode_lines(sys.stdin.buffer), "standard input")
        return
    try:
        if path.name.endswith(".xz"):
            with lzma.open(path, "rb") as file:
                yield from parse(decode_lines(file), str(path))
        elif path.name.endswith(".gz"):
            with gzip.open(path, "rb") as file:
                yield from parse(decode_lines(file), str(path))
        else:
            with open(path, "rb") as file:
                yield from parse(decode_lines(file), str(path))
    except (lzma.LZMAError, gzip.BadGzipFile, EOFError) as error:
        raise InputError(f"{path}: cannot be unpacked: {error}") from error
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a directory, not a file") from None


def decode_lines(lines: Iterable[bytes]) -> Iterator[str]:
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
    tree.words.append(TreeWord(form, lemma, upos, xpos, feats, _head(head, place), deprel, deps, misc))


def _head(cell: str, place: str) -> int:
    if cell == EMPTY:
        return -1
    if cell.isdigit() and len(cell) < 9:
        return int(cell)
    raise InputError(f"{place}: the head should be the number of a word, not {cell[:20]!r}")


def document_of(trees: Iterable[Tree], lang: str = "") -> Document:
    """The tokens of a file as a document without annotation; its text is made of the forms and their spaces."""
    misc: list[str] = []
    comments: list[list[str]] = []
    extras: list[dict[int, list[str]]] = []
    document = Document(text="", lang=lang, misc=misc, comments=comments, extras=extras)
    pieces: list[str] = []
    at = 0
    for tree in trees:
        for word in tree.words:
            document.forms.append(word.form)
            document.starts.append(at)
            document.ends.append(at + len(word.form))
            misc.append(word.misc)
            tail = "" if NO_SPACE in word.misc.split("|") else " "
            pieces += (word.form, tail)
            at += len(word.form) + len(tail)
        pieces.append("\n")
        at += 1
        document.edges.append(len(document.forms))
        comments.append(tree.comments)
        extras.append(tree.extras)
    document.text = "".join(pieces)
    return document
