"""Lines of vertical format."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from paberki.annotation.document import Document
from paberki.annotation.files.vertical_text import COLUMNS, sentence_lines, write_document


def test_tokens_without_a_space_are_glued() -> None:
    lines = list(sentence_lines([(0, 3, ["Pas"]), (4, 8, ["laje"]), (8, 9, ["."])], str))
    assert lines == ["<s>", "Pas", "laje", "<g/>", ".", "</s>"]


def test_cells_are_escaped_and_never_empty() -> None:
    assert list(sentence_lines([(0, 1, ["<s>", "a&b", "", 3])], str)) == ["<s>", "&lt;s&gt;\ta&amp;b\t_\t3", "</s>"]


def test_every_line_has_all_columns() -> None:
    document = Document(text="Pas.", forms=["Pas", "."], starts=[0, 3], ends=[3, 4], edges=[0, 2], lemma=["pas", "."])
    assert write_document(document) == "<s>\nPas\t_\tpas\t_\t_\t_\t_\t_\n<g/>\n.\t_\t.\t_\t_\t_\t_\t_\n</s>\n"


@given(st.lists(st.text(max_size=9), min_size=1, max_size=4))
def test_no_form_breaks_a_line_or_opens_a_structure(forms: list[str]) -> None:
    starts = [10 * at for at in range(len(forms))]
    document = Document(text="", forms=forms, starts=starts, ends=starts, edges=[0, len(forms)])
    lines = write_document(document).split("\n")
    tokens = [line for line in lines if "\t" in line]
    assert len(tokens) == len(forms)
    assert all(line.count("\t") == len(COLUMNS) and not line.startswith("<") for line in tokens)
