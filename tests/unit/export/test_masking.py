"""Masked exports: nothing leaks in any format, and everything that is not personal stays as it was."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paberki
from corpora import SENTENCES
from paberki.corpus import Corpus
from paberki.export import FORMATS
from paberki.export.masked_tokens import mask_tokens
from paberki.export.masking import Mask, mask_chunk, masked_array
from paberki.export.standard_format.sentence_places import placed_sentences
from paberki.quality.permissions.personal import Personal
from paberki.store.columns import builtin

SECRETS = ("ana.horvat@primjer.hr", "+385 91 234 5678", "ivo@tvrtka.hr", "ivo%40tvrtka.hr", "marko@posta.rs")
PAGE = (
    "<html><head><title>Pišite na ana.horvat@primjer.hr</title>"
    "<meta name=description content='Kontakt: marko@posta.rs'></head><body><div>"
    f"<p>{' '.join(SENTENCES[:3])}</p>"
    "<p>Pitanja šaljite na ana.horvat@primjer.hr ili nazovite +385 91 234 5678 svakog radnog dana. "
    f"{SENTENCES[3]}</p><p>{' '.join(SENTENCES[4:])}</p>"
    "<p>Urednik je Ivo, a može se dobiti i preko adrese <a href='mailto:ivo@tvrtka.hr'>ivo@tvrtka.hr</a> ujutro.</p>"
    "</div></body></html>"
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("masked")
    rows = [
        {"url": "http://a.hr/kontakt?mail=ivo%40tvrtka.hr", "html": PAGE},
        {
            "url": "http://a.hr/mirno",
            "html": re.sub(r"[\w.]+@[\w.]+", "portir", PAGE).replace("+385 91 234 5678", "centralu"),
        },
    ]
    (root / "web.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    made = paberki.new(root / "c", lang="hr")
    with made.directory.recipe.open("a") as file:
        file.write('[[select.pages]]\nreason = "not-connected"\ndrop = ""\n[select]\ncopies = ""\n')
    made.add([root / "web.jsonl"])
    made.build(jobs=1)
    return made


def written(corpus: Corpus, form: str, folder: Path, *, mask: bool) -> str:
    out = folder / f"{mask}.{form}"
    corpus.export(form, out, mask=mask)
    return json.dumps(pq.read_table(out).to_pylist(), default=str) if form == "parquet" else out.read_text("utf-8")


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"recipe-list"}))
def test_nothing_leaks(corpus: Corpus, tmp_path: Path, form: str) -> None:
    plain, masked = (written(corpus, form, tmp_path, mask=mask) for mask in (False, True))
    assert form in ("text", "sentences") or "ivo%40tvrtka.hr" in plain, "these two write no addresses of pages"
    for secret in SECRETS:
        assert secret not in masked
    assert "horvat" not in masked
    assert "[email]" in masked
    assert ("[phone]" in masked) == (form != "recipe-list"), "lists have no text"


def test_tokens_follow_the_masked_text(corpus: Corpus, tmp_path: Path) -> None:
    text = written(corpus, "conllu", tmp_path, mask=True)
    sentence = next(one for one in text.split("\n\n") if "Pitanja" in one)
    rows = [line.split("\t") for line in sentence.splitlines() if not line.startswith("#")]
    forms = [row[1] for row in rows]
    assert forms[:7] == ["Pitanja", "šaljite", "na", "[email]", "ili", "nazovite", "[phone]"]
    assert [row[2] for row in rows if row[1].startswith("[")] == ["[email]", "[phone]"]
    assert "# text = Pitanja šaljite na [email] ili nazovite [phone] svakog radnog dana." in sentence
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    heads = [int(row[6]) for row in rows]
    assert heads.count(0) == 1
    for at in range(len(heads)):
        seen, place = set(), at
        while heads[place]:
            assert place not in seen
            seen.add(place)
            place = heads[place] - 1


def test_a_vertical_line_is_a_masked_token(corpus: Corpus, tmp_path: Path) -> None:
    plain, masked = (written(corpus, "vert", tmp_path, mask=mask).splitlines() for mask in (False, True))
    assert [line.split("\t")[0] for line in masked].count("[email]") >= 2
    columns = {line.count("\t") for line in masked if not line.startswith("<")}
    assert len(columns) == 1
    quiet = [line for line in plain if "mirno" in line]
    assert quiet
    assert quiet == [line for line in masked if "mirno" in line]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://a.hr/?m=ivo%40tvrtka.hr&x=1", "http://a.hr/?m=[email]&x=1"),
        ("mailto:ivo@tvrtka.hr", "mailto:[email]"),
        ("tel:+385912345678", "tel:[phone]"),
        ("https://a.hr/2024/05/17/0912345678.html", "https://a.hr/2024/05/17/0912345678.html"),
        ("http://192.0.2.7/", "http://192.0.2.7/"),
        ("http://a.hr/tel/%2B385912345678", "http://a.hr/tel/[phone]"),
        ("http://a.hr/tel/+385912345678", "http://a.hr/tel/[phone]"),
        ("http://a.hr/?t=%2B385%2091%20234%205678#x", "http://a.hr/?t=[phone]#x"),
        ("viber://chat?number=%2B385912345678", "viber://chat?number=[phone]"),
        ("http://a.hr/?tel=0912345678", "http://a.hr/?tel=[phone]"),
        ("http://a.hr/?i=HR12%201001%200051%208630%200016%200&o=1", "http://a.hr/?i=[iban]&o=1"),
        ("http://a.hr/%D9%A6%D9%A9%D9%A4%D9%A3%D9%A5%D9%A1%D9%A5%D9%A1%D9%A5%D9%A3%D9%A0/x", "http://a.hr/[oib]/x"),
        ("http://a.hr/?m=ivo%2540tvrtka.hr&x=1", "http://a.hr/?m=[email]&x=1"),
        ("kontakt?m=%69vo%40tvrtka%2Ehr", "kontakt?m=[email]"),
        ("http://a.hr/%C5%BEaba/100%25/%FF/2015", "http://a.hr/%C5%BEaba/100%25/%FF/2015"),
    ],
)
def test_addresses(url: str, said: str) -> None:
    assert Mask().text(url) == said


def test_escaped_addresses_in_columns() -> None:
    urls = ["http://a.hr/?t=%2B385%2091%20234%205678", None, "http://a.hr/%C5%BE", "http://a.hr/?m=ivo%2540x.hr"]
    masked = ["http://a.hr/?t=[phone]", None, "http://a.hr/%C5%BE", "http://a.hr/?m=[email]"]
    assert masked_array(pa.array(urls), Mask()).to_pylist() == masked


def test_masked_blocks_without_annotation_have_the_place_of_the_block() -> None:
    """Their sentences are split anew, in a text that is not what the bytes say; so are those of repaired blocks."""
    columns = {one.name: one for one in builtin("extract")}
    texts = ("Pišite na ana@primjer.hr. Ili dođite.", "Mirno je.", "Zovi ana@primjer.hr odmah.")
    blocks = [
        {"text": text, "start": 100 * at, "end": 100 * at + 99, "kept": True, "label": "text",
         "source": "x" if at == 2 else None, "breakpoints": [{"view": 0, "text": 0}] if at == 2 else None}
        for at, text in enumerate(texts)
    ]  # fmt: skip
    chunk = pa.table({"blocks": pa.array([blocks, None, []], columns["blocks"].type)})
    table = mask_chunk(chunk, ["blocks"], columns, Mask())
    assert table.column("blocks").to_pylist()[1:] == [None, []]
    masked = table.column("blocks").to_pylist()[0]
    assert [one["text"] for one in masked] == ["Pišite na [email]. Ili dođite.", "Mirno je.", "Zovi [email] odmah."]
    assert [one["source"] for one in masked] == [None] * 3
    assert [one["breakpoints"] for one in masked] == [[], None, []]
    page = {"blocks": [masked[0], masked[2]], "encoding": "utf-8", "mime": "text/html", "lang": "hr"}
    sentences = placed_sentences(page, lambda: b"")
    assert [one.text for one in sentences] == ["Pišite na [email].", "Ili dođite.", "Zovi [email] odmah."]
    assert {(one.offset, one.length) for one in sentences} == {(0, 99), (200, 99)}


def test_values_of_any_shape() -> None:
    links = [[{"text": "pišite ana@a.hr", "target": "mailto:ana@a.hr", "start": 1}], None, []]
    kind = pa.list_(pa.struct([("text", pa.string()), ("target", pa.string()), ("start", pa.int64())]))
    assert masked_array(pa.array(links, kind), Mask()).to_pylist() == [
        [{"text": "pišite [email]", "target": "mailto:[email]", "start": 1}], None, [],
    ]  # fmt: skip
    words = pa.array(["ana@a.hr", "b", "ana@a.hr"]).dictionary_encode()
    assert masked_array(words, Mask()).to_pylist() == ["[email]", "b", "[email]"]
    assert masked_array(words, Mask(["phone"])).to_pylist() == ["ana@a.hr", "b", "ana@a.hr"]


@given(st.data())
def test_trees_stay_trees(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 12))
    order = data.draw(st.permutations(range(count)))
    heads = [0] * count
    for place, token in enumerate(order[1:], 1):
        heads[token] = order[data.draw(st.integers(0, place - 1))] + 1
    first = data.draw(st.integers(0, count - 1))
    last = data.draw(st.integers(first, count - 1))
    columns = {one.name: one for one in builtin("annotate")}
    values = {
        "sent_block": [[0]], "sent_length": [[count]], "tok_head": [heads], "tok_lemma": [["l"] * count],
        "tok_start": [[3 * at for at in range(count)]], "tok_end": [[3 * at + 2 for at in range(count)]],
    }  # fmt: skip
    made = {name: pa.array(value, columns[name].type) for name, value in values.items()}
    spans = [{0: [Personal(3 * first, 3 * last + 2, "email")]}]
    page = {name: value.to_pylist()[0] for name, value in mask_tokens(made, columns, spans).items()}
    left = count - (last - first)
    assert page["sent_length"] == [left]
    assert page["tok_head"].count(0) == 1
    for at in range(left):
        steps, place = 0, at
        while page["tok_head"][place] and steps <= left:
            steps, place = steps + 1, page["tok_head"][place] - 1
        assert steps <= left
    assert page["tok_lemma"].count("[email]") == 1
    ends = list(zip(page["tok_start"], page["tok_end"], strict=True))
    assert all(start < end for start, end in ends)
    assert all(ends[at][1] < ends[at + 1][0] for at in range(left - 1))


def test_lemmas_alone_are_masked_by_their_text(corpus: Corpus, tmp_path: Path) -> None:
    """A number in several tokens is none of them."""
    corpus.export("jsonl", tmp_path / "o.jsonl", mask=True, columns=["tok_lemma"])
    lemmas = [
        lemma
        for line in (tmp_path / "o.jsonl").read_text("utf-8").splitlines()
        for lemma in json.loads(line)["tok_lemma"] or ()
    ]
    assert "[phone]" in lemmas
    assert not {"385", "+385", "91", "234", "5678"} & set(lemmas)
