"""The lines of CoNLL-U, which annotated texts and exports share."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import document_of, parse
from paberki.annotation.files.conllu_writer import misc_cell, one_line, token_line, write_document
from paberki.export.export_format import ExportHead
from paberki.export.formats.conllu import render

Text = st.text(st.characters(codec="utf-8"), max_size=30)


def _document() -> Document:
    """Two sentences: *Ana laje. Pas!*"""
    return Document(
        text="Ana laje. Pas!",
        lang="hr",
        forms=["Ana", "laje", ".", "Pas", "!"],
        starts=[0, 4, 8, 10, 13],
        ends=[3, 8, 9, 13, 14],
        edges=[0, 3, 5],
        lemma=["Ana", "lajati", ".", "pas", "!"],
        ner=["B-per", "O", "O", "O", "O"],
        oov=[False, True, False, False, False],
        frame=[None, "lajati-1", None, None, None],
    )


def test_a_token_has_ten_columns() -> None:
    cells = token_line(1, "Pas", "pas", "NOUN", "Ncmsn", "_", 2, "nsubj", "_").split("\t")
    assert cells == ["1", "Pas", "pas", "NOUN", "Ncmsn", "_", "2", "nsubj", "_", "_"]


@pytest.mark.parametrize(
    ("arguments", "cell"),
    [
        ((None, None, None, False, ""), "_"),
        ((None, None, None, True, ""), "SpaceAfter=No"),
        (("B-per", True, "dati-1", True, ""), "NER=B-per|OOV=Yes|Frame=dati-1|SpaceAfter=No"),
        (("O", False, None, False, "Gloss=dog|NER=B-loc"), "Gloss=dog|NER=O"),
        ((None, None, None, False, "_"), "_"),
        ((None, None, None, False, "SpaceAfter=No"), "SpaceAfter=No"),
    ],
)
def test_the_last_column(arguments: tuple[str | None, bool | None, str | None, bool, str], cell: str) -> None:
    assert misc_cell(*arguments) == cell


def test_annotation_is_in_the_last_column() -> None:
    rows = [line.split("\t") for line in write_document(_document()).splitlines() if "\t" in line]
    assert [row[-1] for row in rows] == ["NER=B-per", "NER=O|OOV=Yes|Frame=lajati-1|SpaceAfter=No", "NER=O", "NER=O|SpaceAfter=No", "NER=O"]  # fmt: skip
    assert [row[0] for row in rows] == ["1", "2", "3", "1", "2"]


def test_sentences_have_their_number_and_text() -> None:
    comments = [line for line in write_document(_document()).splitlines() if line.startswith("#")]
    assert comments == ["# sent_id = 1", "# text = Ana laje.", "# sent_id = 2", "# text = Pas!"]


def test_an_empty_document_is_an_empty_file() -> None:
    assert write_document(Document(text="")) == ""


@given(Text)
def test_one_line_is_one_line_and_never_empty(value: str) -> None:
    line = one_line(value)
    assert line
    assert not set(line) & set("\t\n\r\x0b\x0c\x00")


@given(st.lists(Text.filter(str.strip), min_size=1, max_size=5))
def test_what_is_written_can_be_read(forms: list[str]) -> None:
    ends = [sum(len(one) + 1 for one in forms[: at + 1]) - 1 for at in range(len(forms))]
    starts = [end - len(form) for end, form in zip(ends, forms, strict=True)]
    document = Document(text=" ".join(forms), forms=forms, starts=starts, ends=ends, edges=[0, len(forms)])
    again = document_of(parse(write_document(document).split("\n")))
    assert len(again.forms) == len(forms)
    assert write_document(again) == write_document(document)


def test_exports_write_the_same_lines() -> None:
    """A page with one block and the annotation of a text gives the rows of that text, but for the last column."""
    document = _document()
    page = {
        "id": "000000001",
        "url": "http://a.hr/",
        "blocks": [{"text": document.text, "label": "good"}],
        "block_keep": [True],
        "annotated": "hr",
        "sent_block": [0, 0],
        "sent_length": [3, 2],
        "tok_start": document.starts,
        "tok_end": document.ends,
        "tok_lemma": document.lemma,
        "tok_ner": document.ner,
        "tok_oov": document.oov,
        "tok_frame": document.frame,
    }
    table = pa.Table.from_pylist([page])
    about = ExportHead("c", table.schema, schemes=("paberki",), has_frames=True)
    exported = [line for line in bytes(render(table, about).data).decode().splitlines() if "\t" in line]
    expected = [line for line in write_document(document).splitlines() if "\t" in line]
    assert [line.split("\t")[:9] for line in exported] == [line.split("\t")[:9] for line in expected]
    assert exported[1].endswith("\tNER=O|OOV=Yes|Frame=lajati-1|Scheme=paberki|SpaceAfter=No")
