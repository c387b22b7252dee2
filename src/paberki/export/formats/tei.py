"""TEI P5 in the manner of CLARIN.SI: pages are ``<div xml:id>`` in ``<body>``, words ``<w lemma ana msd>``, trees ``<linkGrp>``.

``ana`` points to the MULTEXT-East tag (``mte:Ncmsn``), ``msd`` has part of speech and features of Universal Dependencies,
``join="right"`` says that no space follows, ``<name type>`` frames names. Ids of XML cannot begin with a digit: the page
000000012 is ``p000000012`` with ``n="000000012"``. Attributes of pages and paragraphs are ``<note type="attribute" n="NAME">``,
with ``ngram3`` for ``3graph``. The header says how large the corpus is; a CMDI record stands beside the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.export_format import ExportHead, ExportPiece, Form
from paberki.export.formats.tei_header import beside, tei_foot, tei_head
from paberki.export.formats.tei_names import ParagraphNames, sentence_attributes, xml_name
from paberki.export.registry_files import cwb_name
from paberki.export.words.column_text import join_columns
from paberki.export.words.given_attributes import more_attributes
from paberki.export.words.markup_text import attribute, cell, escape, escaped_forms, without_forbidden
from paberki.export.words.page_structures import COMMENT
from paberki.export.words.string_columns import (
    CodedColumn,
    Numbers,
    Strings,
    arrow_strings,
    constant,
    joined_strings,
    lines,
    rows,
)
from paberki.export.words.token_table import ANNOTATION, NOTHING, TokenTable
from paberki.export.words.tree_repair import valid_trees
from paberki.store.batch import field_of_blocks

_POINTER: Final = "!*'(),;:@+$=-._~/"
_PUNCTUATION: Final = "PUNCT"


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """Some pages as divisions."""
    if not about.schemes:
        pieces = [markup + _paragraph_text(text) for markup, _, text, _ in _blocks(pages, about, None)]
        return ExportPiece("".join(pieces).encode("utf-8", "replace"), Counter(pages=pages.num_rows))
    table = TokenTable(pages)
    counts = Counter(pages=pages.num_rows, sentences=table.sentences, tokens=len(table))
    before, names, end = _structures(pages, table, about)
    if not len(table):
        return ExportPiece(b"", counts, end.encode("utf-8", "replace"))
    ids = CodedColumn(np.repeat(np.arange(table.sentences), table.sentence_length).astype(np.int32), names)
    data = lines([*_words(table, before, ids), *_after(table, ids)])
    return ExportPiece(data, counts, end.encode("utf-8", "replace"))


def _blocks(pages: pa.Table, about: ExportHead, table: TokenTable | None) -> Iterator[tuple[str, int | None, str, str]]:
    """Markup of pages and kept blocks in order; with the number, the text and the id of the block that follows."""
    of_pages, of_blocks = about.attributes("page"), about.attributes("block")
    texts = field_of_blocks(pages.column("blocks"), "text").to_pylist()
    labels = field_of_blocks(pages.column("blocks"), "label").to_pylist()
    records = pages.select([name for name in pages.column_names if name not in ("blocks", *ANNOTATION)]).to_pylist()
    has_names = (
        pc.list_value_length(pages.column("tok_ner")).to_pylist()
        if table is not None and table.has("tok_ner")
        else [None] * len(records)
    )
    number = 0
    for row, blocks, own_labels, ner in zip(records, texts, labels, has_names, strict=True):
        name = xml_name(row["id"] or "")
        kind = ' subtype="names"' if ner else ""
        yield (
            f'<div xml:id="{name}" n="{attribute(row["id"] or NOTHING)}" type="page"{kind}>\n{_notes(row, of_pages)}',
            None,
            "",
            "",
        )
        is_empty = True
        names = ParagraphNames(name, row["id"] or "", row.get("block_attributes"))
        for at, (text, stays) in enumerate(zip(blocks or (), row["block_keep"] or (), strict=False)):
            if stays:
                is_empty = False
                own, attributes = names.of_block(at)
                notes = _block_notes(row, at, of_blocks, (own_labels or {at: None})[at])
                yield f"<p{attributes}>\n{notes}", number + at, text, own
                yield "</p>\n", None, "", ""
        yield ("<p/>\n" if is_empty else "") + "</div>\n", None, "", ""
        number += len(blocks or ())


def _note(name: str, value: Any) -> str:
    text = escape(without_forbidden(value)) if isinstance(value, str) else attribute(value)
    return f'<note type="attribute" n="{cwb_name(name)}">{text}</note>\n'


def _notes(row: Mapping[str, Any], of_pages: list[tuple[str, str]]) -> str:
    values = [(name, row[column]) for column, name in of_pages if column != "id" and row[column] not in (None, "")]
    values += more_attributes(row.get("attributes"), [name for _, name in of_pages])
    return "".join(_note(name, value) for name, value in values)


def _block_notes(row: Mapping[str, Any], at: int, of_blocks: list[tuple[str, str]], label: str | None) -> str:
    labels: list[tuple[str, Any]] = [("type", COMMENT)] if label == COMMENT else []
    labels += [(name, row[column][at]) for column, name in of_blocks if row[column] and row[column][at] is not None]
    lists = row.get("block_attributes")
    labels += more_attributes(lists[at] if lists and at < len(lists) else None, [name for _, name in of_blocks])
    return "".join(_note(name, label) for name, label in labels)


def _paragraph_text(text: str) -> str:
    return f"{escape(without_forbidden(text))}\n" if text else ""


def _structures(pages: pa.Table, table: TokenTable, about: ExportHead) -> tuple[Strings, list[str], str]:
    """What stands before each token, the ids of sentences, and what stands after the last token."""
    sentences: dict[int, list[int]] = {}
    for sentence, block in enumerate(table.sentence_block.tolist()):
        sentences.setdefault(block, []).append(sentence)
    codes, words = np.zeros(len(table), np.int32), [""]
    names, waiting = [""] * table.sentences, ""
    comments = table.sentence_values("sent_comments") if table.has("sent_comments") else [None] * table.sentences
    ids = [one or "" for one in pages.column("id").take(pa.array(table.sentence_page)).to_pylist()]
    for markup, block, text, own in _blocks(pages, about, table):
        waiting += markup
        if block is None:
            continue
        if block not in sentences:
            waiting += _paragraph_text(text)
        for place, sentence in enumerate(sentences.get(block, ()), 1):
            names[sentence] = f"{own}.{place}"
            codes[table.edges[sentence]] = len(words)
            words.append(f"{waiting}<s{sentence_attributes(names[sentence], ids[sentence], comments[sentence])}>\n")
            waiting = ""
    return CodedColumn(codes, words).strings(), names, waiting


def _words(table: TokenTable, before: Strings, ids: CodedColumn) -> list[Strings | Numbers]:
    """The element of each token, in pieces that are put together."""
    upos = table.layer("upos")
    marks = upos.where(lambda word: word == _PUNCTUATION).astype(np.int32)
    opens, closes = _names(table)
    joins = np.zeros(len(table), np.int32)
    joins[:-1] = table.glued[1:]
    oov = table.layer("oov").where(lambda word: word == "true")
    return [
        before, opens, CodedColumn(marks, ['<w xml:id="', '<pc xml:id="']).strings(), ids.strings(lambda name: f"{name}.t"),
        Numbers(table.ranks()), table.layer("lemma").strings(lambda word: '"' + _attribute("lemma")(word)),
        table.layer("xpos").strings(_tag), *_msd(table, upos),
        CodedColumn(joins + 2 * oov, [">", ' join="right">', ' type="oov">', ' type="oov" join="right">']).strings(),
        escaped_forms(table), CodedColumn(marks, ["</w>", "</pc>"]).strings(), closes,
    ]  # fmt: skip


def _attribute(name: str) -> Any:
    return lambda word: "" if cell(word) == NOTHING else f' {name}="{attribute(word)}"'


def _tag(word: str) -> str:
    return "" if word == NOTHING else f' ana="mte:{attribute(quote(word, safe=_POINTER))}"'


def _msd(table: TokenTable, upos: CodedColumn) -> list[Strings]:
    """``msd="UPosTag=NOUN|Case=Nom"``; nothing where neither is known."""
    feats = table.layer("feats")
    no_upos = upos.where(lambda word: word == NOTHING)
    no_feats = feats.where(lambda word: word == NOTHING)
    opens = np.where(no_upos & no_feats, 0, np.where(no_upos, 1, np.where(no_feats, 2, 3))).astype(np.int32)
    return [
        CodedColumn(opens, ["", ' msd="', ' msd="UPosTag=', ' msd="UPosTag=']).strings(),
        upos.strings(lambda word: "" if word == NOTHING else attribute(word)),
        CodedColumn(opens, ["", "", '"', "|"]).strings(),
        feats.strings(lambda word: "" if word == NOTHING else f'{attribute(word)}"'),
    ]


def _names(table: TokenTable) -> tuple[Strings, Strings]:
    """Tags that open a name before a token and close it after one."""
    ner = table.layer("ner")
    inside = ner.where(lambda word: word[:2] in ("B-", "I-"))
    begins = ner.where(lambda word: word[:2] == "B-")
    kinds = [word[2:] for word in ner.distinct_strings()]
    same = np.zeros(len(table), np.bool_)
    numbers = np.array([kinds.index(kind) for kind in kinds], np.int32)[ner.codes]
    same[1:] = (numbers[1:] == numbers[:-1]) & inside[:-1]
    same[table.edges[:-1]] = False
    first = inside & (begins | ~same)
    last = inside & np.append(first[1:] | ~inside[1:], True)
    last[table.edges[1:] - 1] |= inside[table.edges[1:] - 1]
    opens = CodedColumn(np.where(first, ner.codes, len(ner.words)).astype(np.int32), [*ner.distinct_strings(), ""])
    closes = CodedColumn(last.astype(np.int32), ["\n", "</name>\n"])
    return opens.strings(
        lambda word: f'<name type="{attribute(word[2:] or "misc")}">' if word[:2] in ("B-", "I-") else ""
    ), closes.strings()


def _after(table: TokenTable, ids: CodedColumn) -> list[Strings]:
    """After the last token of a sentence its tree, if it has one, and its end."""
    head, relation = valid_trees(table, table.layer("head"), table.layer("deprel"))
    unknown = np.add.reduceat(head.equal(NOTHING), table.edges[:-1]) > 0
    links, ends = rows(_links(table, ids, head, relation))
    first_link = np.r_[0, ends][table.edges]
    sentence = np.arange(table.sentences, dtype=np.int32)
    own_links = Strings(sentence, first_link[:-1], np.where(unknown, first_link[:-1], first_link[1:]), links)
    frames = ["", '<linkGrp targFunc="head argument" type="UD-SYN">\n', "</linkGrp>\n"]
    has_tree = (~unknown).astype(np.int32)
    trees = joined_strings(
        [CodedColumn(has_tree, frames).strings(), own_links, CodedColumn(2 * has_tree, frames).strings()]
    )
    codes = np.full(len(table), table.sentences, np.int32)
    codes[table.edges[1:] - 1] = sentence
    return [arrow_strings(pa.concat_arrays([join_columns(trees, "</s>\n"), pa.array([""])]), codes)]


def _links(table: TokenTable, ids: CodedColumn, head: CodedColumn, relation: CodedColumn) -> list[Strings | Numbers]:
    """The link of each token to its head; that of the root points to the sentence."""
    names = ids.strings()
    return [
        relation.strings(lambda word: f'<link ana="ud-syn:{attribute(quote(word, safe=_POINTER))}" target="#'),
        names,
        head.strings(lambda word: " #" if word == "0" else f".t{word} #"),
        names,
        constant(".t", len(table)),
        Numbers(table.ranks()),
        constant('"/>\n', len(table)),
    ]


FORM = Form(
    render, ("id", "blocks", "block_keep", "block_lang", "neardupe", "comment_post", "attributes", "block_attributes", *ANNOTATION),
    ".tei.xml",
    head=tei_head, foot=tei_foot, beside=beside,
)  # fmt: skip
