"""Export, import, build, export again: the second file is the first one, byte for byte, whatever tokens and attributes hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from imported_pages import content, forms, read

import paberki
from paberki.corpus import Corpus

FORMATS = {"vert": "vert", "conllu": "conllu", "tei": "tei.xml", "wsf": "wsf.xml", "parquet": "parquet"}
ODD = (
    '"', "'", "<", "&", "&amp;", "</doc>", "</s>", "<g/>", "]]>", "😀", "👩‍👩‍👧", "שלום", "السلام", "c\u030c", "ž" * 100_000, "_", "#",
    "1-2", "\u200f", "%20", "\\n", "x=y|z", "\u00ad", "p000000001",
)  # fmt: skip
WORDS = st.sampled_from(ODD) | st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp", "Zs", "Cs", "Cn", "Co")), min_size=1, max_size=8
)
LABELS = st.sampled_from(("_", "Ncmsn", "X<y", 'a"b', "a&b", "Case=Nom|Number=Sing"))
VALUES = st.sampled_from(("a \"b\" <c> & 'd'", "tab\there", "line\nend", "😀 שלום", "&lt;", "]]>", "a  b", "x"))


@st.composite
def pages(draw: st.DrawFn) -> dict[str, Any]:
    """A row of a Parquet file with tokens, as other programs may write it."""
    row: dict[str, Any] = {"text": "", "sent_block": [], "sent_length": [], "sent_comments": [], "sent_nodes": []}
    names = (
        "start",
        "end",
        "byte_start",
        "byte_end",
        "lemma",
        "upos",
        "xpos",
        "feats",
        "head",
        "deprel",
        "ner",
        "misc",
    )
    row |= {f"tok_{name}": [] for name in names}
    for block in range(draw(st.integers(1, 3))):
        row["text"] += "\n" if block else ""
        for sentence in range(draw(st.integers(1, 2))):
            _add_sentence(draw, row, block, first=sentence == 0)
    row |= {"genre": draw(VALUES), "žanr": draw(VALUES), "title": draw(VALUES), "lang": "hr"}
    return row


def _add_sentence(draw: st.DrawFn, row: dict[str, Any], block: int, *, first: bool) -> None:
    count = draw(st.integers(1, 4))
    root = draw(st.integers(1, count))
    row["sent_block"].append(block)
    row["sent_length"].append(count)
    row["sent_comments"].append(
        draw(st.sampled_from(("", "# sent_id = x<1>", "# text_en = \"yes\" & 'no'", "# free words")))
    )
    has_node = draw(st.booleans())
    row["sent_nodes"].append(f"{count}.1\tempty\t_\t_\t_\t_\t_\t_\t{root}:dep\tCopyOf=1" if has_node else "")
    for number in range(1, count + 1):
        starts_block = first and number == 1
        row["text"] += "" if starts_block or draw(st.booleans()) else " "
        row["tok_start"].append(len(row["text"]))
        row["text"] += draw(WORDS)
        row["tok_end"].append(len(row["text"]))
        row["tok_byte_start"].append(7 * row["tok_start"][-1])
        row["tok_byte_end"].append(7 * row["tok_end"][-1])
        row["tok_head"].append(0 if number == root else root)
        row["tok_deprel"].append("root" if number == root else "dep")
        row["tok_lemma"].append(draw(WORDS | st.just("_")))
        row["tok_ner"].append(draw(st.sampled_from(("O", "B-per", "B-loc"))))
        row["tok_misc"].append(draw(st.sampled_from(("_", "Gloss=a&b", "c9=<x>"))))
        row["tok_upos"].append(draw(st.sampled_from(("_", "NOUN", "PUNCT"))))
        for name in ("xpos", "feats"):
            row[f"tok_{name}"].append(draw(LABELS))


def corpus_of(file: Path, root: Path) -> Corpus:
    """A corpus of one imported file."""
    corpus = paberki.new(root, lang="hr", name="same")
    (one,) = corpus.add([file])
    assert one.skipped == ()
    corpus.build(jobs=1)
    return corpus


@given(rows=st.lists(pages(), min_size=10, max_size=14))
@settings(
    max_examples=2,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    print_blob=False,
)
@pytest.mark.parametrize("form", FORMATS)
def test_twice_the_same(form: str, rows: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("twice")
    for number, row in enumerate(rows):
        row |= {"id": f"čudno {number}" if number % 2 else f"{number:09d}", "url": f"http://a.hr/?a=<1>&n={number}"}
    pq.write_table(pa.Table.from_pylist(rows), folder / "source.parquet")
    source, _ = read(folder / "source.parquet")
    more = {"tokens": True} if form == "parquet" else {}
    first, second = folder / f"a.{FORMATS[form]}", folder / f"b.{FORMATS[form]}"
    corpus_of(folder / "source.parquet", folder / "one").export(form, first, **more)
    again, errors = read(first)
    assert errors == []
    assert [page.id for page in again] == [row["id"] for row in rows]
    for old, new in zip(source, again, strict=True):
        assert forms(new) == forms(old)
        layers = ("lemma", "upos", "xpos", "feats", "deprel", "ner")
        assert [content(new, layers)[name] for name in layers] == [content(old, layers)[name] for name in layers]
        assert content(new)["heads"] == content(old)["heads"]
    corpus_of(first, folder / "two").export(form, second, **more)
    if form == "parquet":  # the columns of the first file are attributes of the second
        one, two = (pq.read_table(path).drop_columns("attributes") for path in (first, second))
        for name in one.column_names:
            is_same = one.column(name).to_pylist() == two.column(name).to_pylist()
            assert is_same, name
    else:
        is_same = first.read_bytes() == second.read_bytes()
        assert is_same


STANDARD = """<?xml version="1.0" encoding="UTF-8"?>
<PageSet>
<StandardFormat Url="http://a.hr/1" OriginalEncoding="windows-1250" Time="2008-05-28 10:00:00" Id="000000777" Language="hr">
<Header>
<Title Id="0" Offset="69" Length="6">
<RawString>A &amp; &lt;B&gt;</RawString>
</Title>
<InLinks>
<InLink><RawString>ovdje</RawString><DocIDs><DocID Url="http://b.hr/">000000012</DocID><DocID Url="http://c.hr/?a=1&amp;b=2">000000013</DocID></DocIDs></InLink>
</InLinks>
<OutLinks>
<OutLink Url="http://d.hr/"><RawString>van</RawString></OutLink>
<OutLink><RawString></RawString><DocIDs><DocID Url="http://b.hr/">000000012</DocID></DocIDs></OutLink>
</OutLinks>
<Keywords Offset="100" Length="3">
<RawString>a,b</RawString>
</Keywords>
<Description Offset="120" Length="5">
<RawString>opis.</RawString>
</Description>
</Header>
<Text Author="Ana" Date="2008-05-01">
<S Id="1" Offset="400" Length="17">
<RawString>Grad raste.</RawString>
<Annotation Scheme="paberki"><![CDATA[1	Grad	grad	NOUN	Ncmsn	_	2	nsubj	_	_
2	raste	rasti	VERB	Vmr3s	_	0	root	_	SpaceAfter=No
3	.	.	PUNCT	Z	_	2	punct	_	_]]></Annotation>
</S>
</Text>
<Text Type="comment">
<S Id="2" Offset="500" Length="4">
<RawString>Lijepo</RawString>
<Annotation Scheme="paberki"><![CDATA[1	Lijepo	lijepo	ADV	Rgp	_	0	root	_	_]]></Annotation>
</S>
</Text>
</StandardFormat>
</PageSet>
"""


def test_headers_and_places_of_standard_format(tmp_path: Path) -> None:
    (tmp_path / "a.wsf.xml").write_text(STANDARD, "utf-8")
    corpus = corpus_of(tmp_path / "a.wsf.xml", tmp_path / "c")
    corpus.export("wsf", tmp_path / "b.wsf.xml")
    assert (tmp_path / "b.wsf.xml").read_text("utf-8") == STANDARD
    corpus.export("vert", tmp_path / "b.vert")
    vertical = (tmp_path / "b.vert").read_text("utf-8")
    assert vertical.count('<p type="comment"') == 1
    assert "Header" not in vertical


def test_paragraphs_of_several_lines(tmp_path: Path) -> None:
    row = {"id": "v", "text": "Prvi\ndrugi\n\nDalje", "sent_block": [0, 1], "sent_length": [2, 1]}
    row |= {"tok_start": [0, 5, 12], "tok_end": [4, 10, 17]}
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "a.parquet")
    (page,), errors = read(tmp_path / "a.parquet")
    assert (errors, [block.text for block in page.blocks]) == ([], ["Prvi\ndrugi", "Dalje"])
    assert forms(page) == [["Prvi", "drugi"], ["Dalje"]]


def test_offsets_that_lead_nowhere_are_not_tokens(tmp_path: Path) -> None:
    row = {"id": "v", "text": "Prvi", "sent_block": [0], "sent_length": [1], "tok_start": [0], "tok_end": [400]}
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "a.parquet")
    (page,), _ = read(tmp_path / "a.parquet")
    assert not page.is_annotated


def test_further_columns_and_names_of_any_script(tmp_path: Path) -> None:
    (tmp_path / "a.vert").write_text(
        '<doc id="1" žanr="vijesti" dc:type="x">\n<s>\nGrad\tNcmsn\tgrad\tNOUN\tmasc\n</s>\n</doc>\n', "utf-8"
    )
    (tmp_path / "a.vert.registry").write_text(
        "".join(f"ATTRIBUTE {one}\n" for one in ("word", "tag", "lemma", "pos", "sem"))
    )
    corpus = corpus_of(tmp_path / "a.vert", tmp_path / "c")
    corpus.export("vert", tmp_path / "b.vert")
    vertical = (tmp_path / "b.vert").read_text("utf-8")
    assert ' žanr="vijesti" dc:type="x"' in vertical
    assert "\nGrad\tNcmsn\tgrad\tNOUN\t_\t_\t_\t_\tsem=masc\n" in vertical
    assert "ATTRIBUTE misc" in (tmp_path / "b.vert.registry").read_text("utf-8")
    corpus_of(tmp_path / "b.vert", tmp_path / "d").export("vert", tmp_path / "e.vert")
    assert (tmp_path / "e.vert").read_text("utf-8") == vertical
