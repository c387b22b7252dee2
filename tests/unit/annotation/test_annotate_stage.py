"""The stage in a build: aligned with the page's bytes, exported, explained."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner

import paberki
from paberki.annotation.files.conllu_reading import parse
from paberki.cli.app import app

TEXT = (
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje. Rekli su da se tu nalazi ono što "
    "traže već nekoliko godina, ali nitko im nije <b>vjerovao</b>. Predsjednik društva je najavio da će se radovi "
    "nastaviti i sljedeće godine na istom mjestu. Ako se ništa ne promijeni, most bi mogao biti gotov prije kraja ljeta."
)
PAGE = f"<!doctype html><html lang=hr><title>Most</title><body><article><h1>Most kod &Scaron;ibenika</h1><p>{TEXT}</p><p>{TEXT[::-1][:0]}{TEXT.replace('Danas', 'Jučer')}</p></article></body></html>"


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("annotated")
    (folder / "page.html").write_bytes(PAGE.encode("cp1250"))
    root = folder / "c"
    run("new", str(root), "--lang", "hr")
    run("import", str(root), str(folder / "page.html"))
    run("build", str(root), "--jobs", "1", "--quiet")
    return root


def test_tokens_know_their_bytes(corpus: Path) -> None:
    columns = (
        "blocks",
        "sent_block",
        "sent_length",
        "tok_start",
        "tok_end",
        "tok_byte_start",
        "tok_byte_end",
        "annotated",
        "token_count",
    )
    (page,) = list(paberki.open(corpus).pages(*columns))
    assert page["annotated"] == "hr"
    payload = PAGE.encode("cp1250")
    blocks = [
        number for number, length in zip(page["sent_block"], page["sent_length"], strict=True) for _ in range(length)
    ]
    for block, start, end, first, last in zip(
        blocks, page["tok_start"], page["tok_end"], page["tok_byte_start"], page["tok_byte_end"], strict=True
    ):
        form = page["blocks"][block]["text"][start:end]
        assert unescape(payload[first:last].decode("cp1250")) == form


def test_exports_and_explanation(corpus: Path) -> None:
    trees = list(parse(run("export", str(corpus), "conllu", "-o", "-").split("\n")))
    assert any(word.lemma == "vjerovati" for tree in trees for word in tree.words)
    assert all(tree.parsed for tree in trees)
    assert trees[0].comments[0].startswith("# newdoc id = ")
    vertical = run("export", str(corpus), "vert", "-o", "-")
    assert re.search(r"^nastaviti\tVmn\tnastaviti\tVERB\t", vertical, re.MULTILINE)
    assert vertical.count("<s>") == vertical.count("</s>") == len(trees)
    assert "by the model for hr" in run("explain", str(corpus), "000000000")
