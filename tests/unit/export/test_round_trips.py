"""What is exported can be imported again: the same tokens, sentences, attributes and ids."""

from __future__ import annotations

import contextlib
import lzma
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imported_pages import content, forms, read

import paberki
from paberki.archive.annotated_page import ImportedBlock, ImportedPage, read_page
from paberki.corpus import Corpus
from paberki.errors import InputError
from paberki.export.export_format import ExportHead
from paberki.export.format_list import form_of
from paberki.store.columns import BUILTIN

ODD = (
    '"', "'", "<", ">", "&", "&amp;", "</doc>", "<s>", "<g/>", "]]>", "😀", "👩‍👩‍👧", "שלום", "السلام", "c\u030c", "a" * 100_000,
    "10\u00a0000", "New York", "_", "-", "#", "1-2", "\u200f", "%20", "\\n", "x=y|z",
)  # fmt: skip
WORDS = st.sampled_from(ODD) | st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp", "Zs", "Cs", "Cn", "Co")), min_size=1, max_size=12
)
PARTS = st.sampled_from(("_", "NOUN", "PUNCT", "X<y", 'a"b'))
LABELS = st.sampled_from(("_", "Ncmsn", "X<y", 'a"b', "a&b", "Case=Nom|Number=Sing"))


@st.composite
def sentences(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Tokens of a sentence, with a tree."""
    count = draw(st.integers(1, 6))
    root = draw(st.integers(1, count))
    return [
        {
            "form": draw(WORDS),
            "glued": draw(st.booleans()),
            "lemma": draw(WORDS | st.just("_")),
            "upos": draw(PARTS),
            "xpos": draw(LABELS),
            "head": 0 if number == root else root,
            "deprel": "root" if number == root else "dep",
            "ner": draw(st.sampled_from(("O", "B-per", "B-loc"))),
        }
        for number in range(1, count + 1)
    ]


PAGES = st.lists(
    st.lists(st.lists(sentences(), min_size=1, max_size=3), min_size=1, max_size=3), min_size=1, max_size=3
)


def table_of(pages: list[Any]) -> pa.Table:
    """Pages as the driver hands them to a format."""
    rows = []
    for number, blocks in enumerate(pages):
        row: dict[str, Any] = {"id": f"{number:09d}", "url": f"http://a.hr/?q=1&n={number}", "annotated": "hr"}
        row |= {"blocks": [], "block_keep": [True] * len(blocks), "sent_block": [], "sent_length": []}
        row |= {
            f"tok_{name}": [] for name in ("start", "end", "lemma", "upos", "xpos", "feats", "head", "deprel", "ner")
        }
        for block, own in enumerate(blocks):
            text = ""
            for sentence in own:
                row["sent_block"].append(block)
                row["sent_length"].append(len(sentence))
                for token in sentence:
                    text += "" if token["glued"] or not text else " "
                    row["tok_start"].append(len(text))
                    text += token["form"]
                    row["tok_end"].append(len(text))
                    for name in ("lemma", "upos", "xpos", "head", "deprel", "ner"):
                        row[f"tok_{name}"].append(token[name])
                    row["tok_feats"].append("_")
            row["blocks"].append({"text": text, "label": "text"})
        rows.append(row)
    types = {column.name: column.type for column in BUILTIN}
    schema = pa.schema(
        [
            (
                name,
                pa.list_(pa.struct([("text", pa.string()), ("label", pa.string())]))
                if name == "blocks"
                else types[name],
            )
            for name in rows[0]
        ]
    )
    return pa.Table.from_pylist(rows, schema)


@pytest.mark.parametrize("form", ["vert", "conllu", "tei"])
@given(pages=PAGES)
@settings(max_examples=25, deadline=None)
def test_any_tokens(form: str, pages: list[Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    table = table_of(pages)
    columns = tuple(one for one in BUILTIN if one.name in ("id", "url"))
    about = ExportHead("c", table.schema, columns, frozenset(("id", "url")), ("paberki",))
    writer = form_of(form)
    piece = writer.render(table, about)
    path = tmp_path_factory.mktemp("rt") / f"o.{'tei.xml' if form == 'tei' else form}"
    path.write_bytes(
        writer.head(about, piece.counts) + bytes(piece.data) + piece.end + writer.foot(about, piece.counts)
    )
    again, errors = read(path)
    assert errors == []
    assert [page.id for page in again] == [f"{number:09d}" for number in range(len(pages))]
    for page, blocks in zip(again, pages, strict=True):
        tokens = [token for block in blocks for sentence in block for token in sentence]
        assert forms(page) == [[token["form"] for token in sentence] for block in blocks for sentence in block]
        own = content(page)
        for name in ("lemma", "upos", "xpos", "deprel", "ner"):
            assert own[name] == [token[name] for token in tokens]
        assert own["heads"] == [token["head"] for token in tokens]
        assert page.url == f"http://a.hr/?q=1&n={page.id.lstrip('0') or 0}"
        texts = table.column("blocks").to_pylist()[int(page.id)]
        assert own["texts"] == [block["text"] for block in texts]


@given(PAGES)
@settings(max_examples=10, deadline=None)
def test_payloads_say_what_they_were_made_of(pages: list[Any]) -> None:
    page = ImportedPage(id="x", title="<t>", attributes=[("a", "1\n2")])
    row = table_of(pages[:1]).to_pylist()[0]
    page.blocks = [ImportedBlock(block["text"], [("n", "1")]) for block in row["blocks"]]
    page.sentences = list(zip(row["sent_block"], row["sent_length"], strict=True))
    page.starts, page.ends, page.layers = row["tok_start"], row["tok_end"], {"lemma": row["tok_lemma"]}
    payload = page.to_bytes()
    again = read_page(payload)
    for own in again.blocks:
        assert payload[own.start : own.end].decode() == own.text
        own.start = own.end = 0
    assert again == page


FOREIGN_VERTICAL = """<corpus>
<doc id="novine-1" genre="vijesti &amp; &quot;mišljenja&quot;" year="2019" url="http://novine.hr/1?a=1&amp;b=2" title="Naslov">
<p type="naslov">
<s id="s1">
Grad	Ncmsn	grad
&lt;raste&gt;	Vmr3s	rasti
<g/>
.	Z	.
</s>
</p>
<p>
<s id="s2">
Drugi	Mlomsn	drugi
odlomak	Ncmsn	odlomak
broken line without columns
😀	X	😀
</s>
</p>
</doc>
<doc id="ב-2" genre="">
<s>
שלום	X	שלום
עולם	X	עולם
</s>
</doc>
</corpus>
"""
FOREIGN_TREES = """# newdoc id = weblog-2
# author = Ana
# newpar
# sent_id = weblog-2-1
# text = vámonos al mar
# text_en = let's go
1-2	vámonos	_	_	_	_	_	_	_	_
1	vamos	ir	VERB	_	Mood=Imp	0	root	0:root	Gloss=go
2	nos	nosotros	PRON	_	_	1	obj	1:obj	_
3-4	al	_	_	_	_	_	_	_	_
3	a	a	ADP	_	_	5	case	5:case	_
4	el	el	DET	_	_	5	det	5:det	_
5	mar	mar	NOUN	_	_	1	obl	1:obl|6.1:nsubj	SpaceAfter=No|CorrectForm=Mar
5.1	nadar	nadar	VERB	_	_	_	_	1:conj	CopyOf=1

# sent_id = weblog-2-2
# text = !
1	!	!	PUNCT	_	_	0	root	_	Bytes=10:11

# sent_id = broken
1	no	no
"""


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> tuple[Corpus, Path, Path]:
    """A corpus of two foreign files."""
    root = tmp_path_factory.mktemp("foreign")
    vertical, trees = root / "strano.vert", root / "zadnje.conllu.xz"
    vertical.write_text(FOREIGN_VERTICAL, "utf-8")
    trees.write_bytes(lzma.compress(FOREIGN_TREES.encode()))
    corpus = paberki.new(root / "c", lang="hr")
    imported = corpus.add([vertical, trees])
    assert [one.records for one in imported] == [2, 1]
    assert imported[0].skipped == ("strano.vert:15: has 1 columns, not 3",)
    assert imported[1].skipped == ("zadnje.conllu.xz:21: has 3 columns, not 10; the sentence is passed over",)
    corpus.build(jobs=1)
    return corpus, vertical, trees


def test_foreign_files_are_kept(foreign: tuple[Corpus, Path, Path]) -> None:
    corpus, _, _ = foreign
    assert [page["source_id"] for page in corpus.pages("source_id")] == ["novine-1", "ב-2", "weblog-2"]
    assert [page["token_count"] for page in corpus.pages("token_count")] == [6, 2, 6]
    assert next(iter(corpus.pages("url", "title"))) == {"url": "http://novine.hr/1?a=1&b=2", "title": "Naslov"}


@pytest.mark.parametrize(("form", "ending"), [("vert", "vert"), ("conllu", "conllu"), ("tei", "tei.xml"), ("wsf", "wsf.xml"), ("parquet", "parquet")])  # fmt: skip
def test_foreign_files_come_out_again(
    foreign: tuple[Corpus, Path, Path], form: str, ending: str, tmp_path: Path
) -> None:
    corpus, vertical, trees = foreign
    first = [*read(vertical)[0], *read(trees)[0]]
    out = tmp_path / f"o.{ending}"
    assert corpus.export(form, out, **({"tokens": True} if form == "parquet" else {})) == 3
    again, errors = read(out)
    assert errors == []
    assert [page.id for page in again] == ["novine-1", "ב-2", "weblog-2"]
    for old, new in zip(first, again, strict=True):
        assert forms(new) == forms(old)
        for name in ("lemma", "xpos", "deprel"):
            assert content(new)[name] == content(old)[name]
        if form != "wsf":
            assert dict(old.attributes).items() - {("genre", "")} <= dict(new.attributes).items()
            assert [block.text for block in new.blocks] == [block.text for block in old.blocks]


def test_comments_and_nodes_come_out_again(foreign: tuple[Corpus, Path, Path], tmp_path: Path) -> None:
    corpus, _, _ = foreign
    corpus.export("conllu", tmp_path / "o.conllu", where="source_id = 'weblog-2'")
    text = (tmp_path / "o.conllu").read_text("utf-8")
    expected = FOREIGN_TREES.split("\n\n")[0].split("\n")[3:]
    for line in expected:
        assert line.split("\tCorrect")[0].rpartition("\t")[0] in text
    rows = [line.split("\t") for line in text.splitlines() if "\t" in line]
    assert [row[0] for row in rows] == ["1-2", "1", "2", "3-4", "3", "4", "5", "5.1", "1"]
    assert [row[8] for row in rows[1:3]] == ["0:root", "1:obj"]
    assert "Gloss=go" in rows[1][9]
    assert rows[-1][9].count("Bytes=") == 1
    assert "Bytes=10:11" in rows[-1][9]


def test_attributes_of_paragraphs_and_sentences_come_out_again(
    foreign: tuple[Corpus, Path, Path], tmp_path: Path
) -> None:
    corpus, _, _ = foreign
    corpus.export("vert", tmp_path / "o.vert")
    text = (tmp_path / "o.vert").read_text("utf-8")
    assert '<p type="naslov">' in text
    assert '<s id="s1">' in text
    assert '<s id="s2">' in text
    assert ' genre="vijesti &amp; &quot;mišljenja&quot;"' in text
    assert "&lt;raste&gt;\tVmr3s\trasti\t_" in text


@pytest.mark.parametrize(
    "document",
    [
        '<!DOCTYPE TEI [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><TEI><text><body><div xml:id="d"><p>&b;</p></div></body></text></TEI>',
        '<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]><TEI><text><body><div xml:id="d"><p>&x;</p></div></body></text></TEI>',
        '<!DOCTYPE TEI [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><TEI/>',
    ],
)
def test_entities_are_refused(document: str, tmp_path: Path) -> None:
    (tmp_path / "o.tei.xml").write_text(document, "utf-8")
    with pytest.raises(InputError, match="entity"):
        read(tmp_path / "o.tei.xml")


def test_external_document_types_are_not_fetched(tmp_path: Path) -> None:
    (tmp_path / "o.xml").write_text(
        '<!DOCTYPE TEI SYSTEM "http://127.0.0.1:9/x.dtd"><TEI><text><body><div xml:id="d"><p>Grad &foo; raste</p></div></body></text></TEI>',
        "utf-8",
    )
    pages, _ = read(tmp_path / "o.xml")
    assert [block.text for block in pages[0].blocks] == ["Grad raste"]


def test_damaged_files_end_in_a_report(foreign: tuple[Corpus, Path, Path], tmp_path: Path) -> None:
    corpus, _, _ = foreign
    for form, ending in (("vert", "vert"), ("conllu", "conllu"), ("tei", "tei.xml"), ("wsf", "wsf.xml")):
        out = tmp_path / f"o.{ending}"
        corpus.export(form, out)
        data = out.read_bytes()
        pick = random.Random(7)
        for _ in range(15):
            at = pick.randrange(len(data))
            out.write_bytes(data[:at] + pick.randbytes(3) + data[at + pick.randrange(40) :])
            with contextlib.suppress(InputError):
                pages, _ = read(out)
                assert all(page.blocks for page in pages)
