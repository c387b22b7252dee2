"""TEI is valid by the grammar of TEI P5 (tests/thirdparty), whatever is exported."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from lxml import etree

import paberki

SCHEMA = Path(__file__).parents[2] / "thirdparty" / "tei-p5-3.0.0.rng.xz"
RNG = "{http://relaxng.org/ns/structure/1.0}"
LINGUISTIC = ("lemma", "lemmaRef", "pos", "msd", "join")
"""Attributes that edition 3.3.0 gave to words and punctuation (att.linguistic); the grammar is of an earlier one."""


@pytest.fixture(scope="module")
def schema():
    grammar = etree.fromstring(lzma.decompress(SCHEMA.read_bytes()))
    for element in grammar.iter(RNG + "element"):
        if element.get("name") in ("w", "pc"):
            known = {attribute.get("name") for attribute in element.iter(RNG + "attribute")}
            for name in LINGUISTIC:
                if name not in known:
                    optional = etree.SubElement(element, RNG + "optional")
                    etree.SubElement(etree.SubElement(optional, RNG + "attribute", name=name), RNG + "text")
    return etree.RelaxNG(grammar)


def problems(schema, path):
    document = etree.parse(path, etree.XMLParser(huge_tree=True))
    schema.validate(document)
    ids = document.xpath("//@xml:id")
    repeated = sorted({one for one in ids if ids.count(one) > 1}) if len(ids) < 5000 else []
    return [f"line {error.line}: {error.message}" for error in schema.error_log][:5] + repeated


@pytest.mark.parametrize("pages", ["kept", "dropped", "all"])
def test_exported_pages_are_valid(exported, schema, tmp_path, pages):
    exported.export("tei", tmp_path / "c.xml", pages=pages)
    assert problems(schema, tmp_path / "c.xml") == []


def test_masked_and_sharded_exports_are_valid(exported, schema, tmp_path):
    exported.export("tei", tmp_path / "masked.xml", mask="all")
    exported.export("tei", tmp_path / "parts", shard_pages=4)
    parts = sorted((tmp_path / "parts").glob("*.xml"))
    assert len(parts) > 2
    assert [problems(schema, path) for path in [tmp_path / "masked.xml", *parts]] == [[]] * (len(parts) + 1)


def test_a_corpus_without_a_page_is_valid(exported, schema, tmp_path):
    exported.export("tei", tmp_path / "none.xml", where="id = 'x'")
    assert problems(schema, tmp_path / "none.xml") == []


def test_foreign_words_are_valid(schema, tmp_path):
    """Names, enhanced relations, multiword tokens, empty nodes, comments and attributes of somebody else's file."""
    (tmp_path / "foreign.conllu").write_text(
        "# newdoc id = d<1>\n# žanr = a & b\n# newpar id = p 1\n# sent_id = 1/1\n# text = Vamos al <mar> .\n"
        '1\tVamos\tir\tVERB\tVm\tNumber=Plur\t0\troot\t0:root\tNER=B-per|X="1"\n'
        "2-3\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\ta\ta\tADP\tS<\t_\t4\tcase\t4:case\t_\n"
        "3\tel\tel\tDET\tD\t_\t4\tdet:x\t4:det\t_\n"
        "3.1\tnada\tnada\tNOUN\t_\t_\t_\t_\t1:obj\t_\n"
        "4\t<mar>\tmar\tNOUN\t_\t_\t1\tobl\t1:obl\tSpaceAfter=No\n"
        '5\t.\t.\tPUNCT\t"\t_\t1\tpunct\t1:punct\t_\n\n'
        "# sent_id = 1/1\n1\t~\t_\tSYM\t_\t_\t0\troot\t_\t_\n\n",
        "utf-8",
    )
    corpus = paberki.new(tmp_path / "c", lang="es")
    corpus.add([tmp_path / "foreign.conllu"])
    corpus.build(jobs=1)
    corpus.export("tei", tmp_path / "c.xml", pages="all")
    assert problems(schema, tmp_path / "c.xml") == []
    assert b"&lt;mar&gt;" in (tmp_path / "c.xml").read_bytes()
