"""CoNLL-U: the annotated sentences of the kept blocks, with page and paragraph as the format has them.

The last column has the name, unknown words, valency frames, the bytes of the token in the payload (``Bytes=START:END``), the
tagger (``Scheme=…``) and missing spaces. Where several taggers annotated a corpus, each sentence is written once for each of
them, with a comment ``# scheme``; from the second tagger on, the ``sent_id`` ends in its number. Comments, empty nodes and
multiword tokens of imported files are written as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from paberki.export.export_format import ExportHead, ExportPiece, Form
from paberki.export.words.column_text import cells, frame
from paberki.export.words.markup_text import clean_forms, one_line
from paberki.export.words.sentence_comments import SentenceComments
from paberki.export.words.string_columns import CodedColumn, Numbers, Strings, arrow_strings, constant, lines
from paberki.export.words.token_table import ANNOTATION, NOTHING, TokenTable
from paberki.export.words.tree_repair import valid_trees

_NO_SPACE: Final = "|SpaceAfter=No"


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """Some annotated pages; a page whose kept blocks have no sentences is left out."""
    table = TokenTable(pages)
    counts = Counter(pages=pages.num_rows, sentences=table.sentences, tokens=len(table))
    counts["blocks left out"] = int(table.kept_blocks.sum()) - len(np.unique(table.sentence_block))
    if not len(table):
        return ExportPiece(b"", counts)
    forms = clean_forms(table)
    openings = SentenceComments(pages, table, about)
    versions = [lines(_columns(table, about, number, forms, openings)) for number in range(len(about.schemes))]
    return ExportPiece(versions[0] if len(versions) == 1 else _interleave(versions), counts)


def _interleave(versions: Sequence[memoryview]) -> bytes:
    """Every sentence in the versions of all taggers."""
    sentences = [bytes(version).split(b"\n\n")[:-1] for version in versions]
    return b"".join(one + b"\n\n" for own in zip(*sentences, strict=True) for one in own)


def _columns(
    table: TokenTable, about: ExportHead, number: int, forms: Strings, openings: SentenceComments
) -> list[Strings | Numbers]:
    """The columns of one tagger's lines; comments stand before the first token of a sentence, nodes where they belong."""
    own = about.schemes[number] if number else ""
    head, relation = valid_trees(table, table.layer("head", own), table.layer("deprel", own))
    before, after = _around(table, about, number, openings)
    layers = [_cells(table.layer(name, own)) for name in ("lemma", "upos", "xpos", "feats")]
    columns: list[Strings | Numbers] = [
        before,
        Numbers(table.ranks()),
        constant("\t", len(table)),
        forms,
        *layers,
        _cells(head),
    ]
    if table.has("tok_deps") and not number:
        columns += [_cells(relation), _cells(table.layer("deps"), "\t")]
    else:
        columns.append(_cells(relation, "\t_\t"))
    return [*columns, *_misc(table, about, number), after]


def _cells(layer: CodedColumn, after: str = "") -> Strings:
    return arrow_strings(frame("\t", cells(layer.array()), after), layer.codes)


def _around(table: TokenTable, about: ExportHead, number: int, openings: SentenceComments) -> tuple[Strings, Strings]:
    """Text before and after each token: comments before a sentence, the blank line after it, other lines between."""
    starts, ends = np.zeros(len(table), np.int32), np.zeros(len(table), np.int32)
    starts[table.edges[:-1]] = np.arange(1, table.sentences + 1)
    ends[table.edges[1:] - 1] = 1
    before, after = openings.of_tagger(number), ["\n", "\n\n"]
    if table.has("sent_nodes") and not number:
        before = list(before.to_pylist())
        for at, nodes in enumerate(table.sentence_values("sent_nodes")):
            if nodes:
                _add_nodes(
                    nodes, slice(int(table.edges[at]), int(table.edges[at + 1])), (starts, before), (ends, after)
                )
    spaces = np.zeros(len(table), np.int32)
    spaces[:-1] = table.glued[1:]
    tails = [f"Scheme={_value(about.schemes[number])}{space}{end}" for end in after for space in ("", _NO_SPACE)]
    return CodedColumn(starts, before).strings(), CodedColumn(2 * ends + spaces, tails).strings()


def _add_nodes(nodes: str, span: slice, starts: tuple[Any, list[str]], ends: tuple[Any, list[str]]) -> None:
    """Put the lines of multiword tokens before their first word and those of empty nodes after the word before them."""
    count = span.stop - span.start
    for line in nodes.split("\n"):
        name = line.partition("\t")[0]
        first = name.partition("-")[0].partition(".")[0]
        if not first.isdigit():
            continue
        at = min(int(first), count)
        if "-" in name or at == 0:
            codes, words = starts
            place = span.start + max(at, 1) - 1
            words.append(f"{words[codes[place]]}{line}\n")
        else:
            codes, words = ends
            place = span.start + at - 1
            rest = words[codes[place]]
            words.append(f"{rest[:-1]}{line}\n\n" if rest.endswith("\n\n") else f"{rest}{line}\n")
        codes[place] = len(words) - 1


def _misc(table: TokenTable, about: ExportHead, number: int) -> list[Strings | Numbers]:
    """The last column, but for tagger and space; what is not the tagger's belongs to the first one."""
    ner = table.layer("ner", about.schemes[number] if number else "")
    oov = table.layer("oov").equal("true") if not number and table.has("tok_oov") else 0
    words = [_attribute("NER")(word) + oov_mark for word in ner.distinct_strings() for oov_mark in ("", "OOV=Yes|")]
    columns: list[Strings | Numbers] = [CodedColumn((2 * ner.codes + oov).astype(np.int32), words).strings()]
    if not number and about.has_frames:
        columns.append(table.layer("frame").strings(_attribute("Frame")))
    imported_misc = table.layer("misc") if not number and table.has("tok_misc") else None
    if imported_misc is not None and not imported_misc.is_nothing():
        columns.append(imported_misc.strings(lambda word: "" if word == NOTHING else f"{one_line(word)}|"))
    if not table.has("tok_byte_start"):
        return columns
    constants = [constant(word, len(table)) for word in ("Bytes=", ":", "|")]
    starts, ends = (Numbers(np.maximum(table.numbers(f"tok_byte_{end}"), 0)) for end in ("start", "end"))
    return [*columns, constants[0], starts, constants[1], ends, constants[2]]


def _attribute(name: str) -> Any:
    return lambda word: "" if word == NOTHING else f"{name}={_value(word)}|"


def _value(word: str) -> str:
    return one_line(word).replace("|", "/").replace(" ", "_") or NOTHING


FORM = Form(
    render,
    (
        "id",
        "url",
        "blocks",
        "block_keep",
        "block_lang",
        "neardupe",
        "comment_post",
        "attributes",
        "block_attributes",
        *ANNOTATION,
    ),
    ".conllu",
    requires="annotated",
)
