"""CoNLL-U is read as it is found out there, and written back without loss."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import document_of, parse
from paberki.annotation.files.conllu_writer import write_document
from paberki.errors import InputError

SENTENCE = """# sent_id = 1
# text = Idemo naprijed del mar.
1	Idemo	ići	VERB	Vmr1p	_	0	root	_	_
2	naprijed	naprijed	ADV	Rgp	_	1	advmod	_	_
3-4	del	_	_	_	_	_	_	_	_
3	de	de	ADP	Sg	_	5	case	_	_
4	el	el	DET	P	_	5	det	_	_
5	mar	mar	NOUN	Ncmsg	_	1	obl	_	SpaceAfter=No
5.1	ide	ići	VERB	_	_	_	_	1:conj	_
6	.	.	PUNCT	Z	_	1	punct	_	_
"""


def test_multiword_tokens_empty_nodes_and_comments_come_back() -> None:
    document = document_of(parse(SENTENCE.split("\n")))
    assert document.forms == ["Idemo", "naprijed", "de", "el", "mar", "."]
    lines = write_document(document).split("\n")
    assert [line.split("\t")[0] for line in lines if "\t" in line] == ["1", "2", "3-4", "3", "4", "5", "5.1", "6"]
    assert lines[:2] == SENTENCE.split("\n")[:2]
    assert "mar." in document.text


def test_missing_columns_and_last_blank_line() -> None:
    (tree,) = parse(["1\tPas", "2\tlaje\tlajati"])
    assert [(word.form, word.lemma, word.head) for word in tree.words] == [("Pas", "_", -1), ("laje", "lajati", -1)]
    assert not tree.parsed


@pytest.mark.parametrize("line", ["pas", "x\tpas\t_", "1\tpas\tpas\tNOUN\t_\t_\tdva\troot\t_\t_"])
def test_a_bad_line_is_named(line: str) -> None:
    with pytest.raises(InputError, match="file, line 2"):
        list(parse(["# comment", line], "file"))


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=6))
def test_whatever_the_forms_the_file_can_be_read_again(forms: list[str]) -> None:
    document = document_of(parse([]))
    for form in forms:
        document.forms.append(form)
        document.starts.append(0)
        document.ends.append(len(form))
        assert document.misc is not None
        document.misc.append("_")
    document.edges.append(len(forms))
    assert document.comments is not None
    assert document.extras is not None
    document.comments.append([])
    document.extras.append({})
    (again,) = parse(write_document(document).split("\n"))
    assert len(again.words) == len(forms)


def test_control_characters_are_shown_in_every_format() -> None:
    document = Document(
        text="a\x1b[31mb \x9bc \x07 \u200fd", forms=["a\x1b[31mb", "\x9bc", "\x07", "\u200fd"], starts=[0, 8, 11, 13], ends=[7, 10, 12, 15],
        edges=[0, 4], lemma=["a\x1b", "\x7f", "x", "y"],
    )  # fmt: skip
    for made in (document.to_conllu(), document.to_vert()):
        assert not [char for char in made if (char < " " and char not in "\t\n") or "\x7f" <= char <= "\x9f"]
        assert "␛[31mb" in made
        assert "\u200fd" in made
