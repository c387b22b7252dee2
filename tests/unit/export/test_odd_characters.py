"""Characters that no line may hold: formats write neither them nor a text that says something else than its tokens."""

from __future__ import annotations

import pyarrow as pa
import pytest
from lxml import etree

from paberki.export.export_format import ExportHead
from paberki.export.format_list import form_of

WORDS = ("a\ufffeb", "\uffff", "c\u2028d", "\x85", "…", "“e", "\ufdd0", "｛f", "«g»", "h")
GAPS = (" ", "", "  ", "\u00a0", "\n", "", " ", "", "", "")


def page() -> tuple[pa.Table, ExportHead]:
    """An annotated page with one sentence."""
    text, starts, ends = "", [], []
    for word, gap in zip(WORDS, GAPS, strict=True):
        starts.append(len(text))
        text += word
        ends.append(len(text))
        text += gap
    count = len(WORDS)
    values = {
        "id": "000000001", "url": "http://a.hr/", "blocks": [{"text": text, "label": "text"}], "block_keep": [True],
        "annotated": True, "sent_block": [0], "sent_length": [count], "tok_start": starts, "tok_end": ends,
        "tok_lemma": ["\u2029", "\ufffe"] + ["x"] * (count - 2), "tok_head": [0] + [1] * (count - 1),
        "tok_deprel": ["root"] + ["dep"] * (count - 1),
    }  # fmt: skip
    pages = pa.table({name: [value] for name, value in values.items()})
    return pages, ExportHead("c", pages.schema, schemes=("paberki",))


def rendered(name: str) -> str:
    pages, about = page()
    piece = form_of(name).render(pages, about)
    return (bytes(piece.data) + piece.end).decode()


@pytest.mark.parametrize("name", ["vert", "conllu", "tei"])
def test_no_line_holds_them(name: str) -> None:
    text = rendered(name)
    assert not set(text) & set("\u2028\u2029\x85\ufffe\uffff")
    assert {"…", "“e", "｛f", "«g»"} <= {
        piece for line in text.splitlines() for piece in line.replace("<", ">").replace("\t", ">").split(">")
    }
    if name == "tei":
        etree.fromstring(text)


def test_the_text_of_a_sentence_is_that_of_its_tokens() -> None:
    lines = rendered("conllu").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#") and line]
    text = "".join(row[1] + ("" if "SpaceAfter=No" in row[9] else " ") for row in rows).rstrip()
    assert text == "a b _c d _ … “e\ufdd0 ｛f«g»h"
    assert f"# text = {text}" in lines


def test_a_lemma_of_nothing_else_is_no_lemma() -> None:
    assert 'lemma=""' not in rendered("tei")
    assert rendered("tei").count("lemma=") == len(WORDS) - 2
