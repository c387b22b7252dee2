"""Annotation in builds: every page that can be kept, several taggers, settings that cannot work, exports."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from small_treebank import conllu, udpipe_model
from typer.testing import CliRunner

import paberki
from paberki.annotation.files.conllu_reading import parse
from paberki.cli.app import app
from paberki.corpus import Corpus
from paberki.errors import ConfigError, PaberkiError

HR = (
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje. Rekli su da se tu nalazi ono što "
    "traže već nekoliko godina. Predsjednik je najavio da će grad graditi novi most na istom mjestu broj {}."
)
MK = (
    "Денес во градот беше убаво време, а гостите дојдоа од сите краишта на земјата. Тие рекоа дека тука се наоѓа она "
    "што го бараат веќе неколку години. Претседателот најави дека работите ќе продолжат и следната година."
)
COPIES = 6


def html(text: str, lang: str) -> str:
    paragraphs = "".join(f"<p>{text.format(number)}</p>" for number in (1, 2))
    return f"<html lang={lang}><title>{lang}</title><body><article>{paragraphs}</article></body></html>"


def corpus_of(root: Path, rows: list[dict[str, Any]], lang: tuple[str, ...], more: str = "") -> Corpus:
    (root / "web.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    corpus = paberki.new(root / "c", lang=lang)
    with corpus.directory.recipe.open("a") as file:
        file.write('[[select.pages]]\nreason = "not-connected"\ndrop = ""\n' + more)
    corpus = paberki.open(root / "c")
    corpus.add([root / "web.jsonl"])
    return corpus


def export(corpus: Corpus, form: str, *more: str) -> tuple[str, str]:
    done = CliRunner().invoke(app, ["export", str(corpus.directory.root), form, "-o", "-", *more])
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


def token_lines(vertical: str) -> list[list[str]]:
    return [line.split("\t") for line in vertical.split("\n") if line and not re.match(r"</?(doc|p|s|g)\b", line)]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Pages with an equal copy each, and one in a language without a model."""
    root = tmp_path_factory.mktemp("copies")
    rows = []
    for number in range(COPIES):
        page = html(HR.replace("Danas", f"Dana {number + 3}. lipnja {1990 + number} u {number} sati"), "hr")
        rows += [
            {"url": f"http://{host}.hr/{number}", "html": page, "date": f"2026-11-1{day}T00:00:00Z"}
            for host, day in (("a", number), ("b", 9 - number))
        ]
    rows.append({"url": "http://c.mk/1", "html": html(MK, "mk")})
    corpus = corpus_of(root, rows, ("hr", "mk"))
    corpus.build(jobs=1)
    return corpus


def test_every_kept_page_is_annotated_whichever_copy_it_is(copies: Corpus) -> None:
    pages = list(copies.pages("url", "lang", "annotated", where="lang = 'hr'"))
    assert pages
    assert [page["url"] for page in pages if not page["annotated"]] == []


def test_all_copies_are_annotated(copies: Corpus) -> None:
    _, rows = copies.sql("select count(*), count(annotated) from pages where lang = 'hr'")
    assert rows == [(2 * COPIES, 2 * COPIES)]


def test_lines_of_a_vertical_file_have_the_same_columns(copies: Corpus) -> None:
    vertical, _ = export(copies, "vert")
    assert 'lang="mk"' in vertical
    assert {len(cells) for cells in token_lines(vertical)} == {8}
    assert ["Денес", *["_"] * 7] in token_lines(vertical)


def test_conllu_says_what_it_leaves_out(copies: Corpus) -> None:
    trees, said = export(copies, "conllu")
    kept = list(copies.pages("lang"))
    assert trees.count("# newdoc") == sum(page["lang"] == "hr" for page in kept) == len(kept) - 1
    assert "# scheme" not in trees
    assert "left out of conllu: 1 page: no model for mk" in said


def test_blocks_beyond_the_limit_are_told_and_keep_their_columns(tmp_path: Path) -> None:
    rows = [{"url": "http://a.hr/", "html": html(HR, "hr")}]
    corpus = corpus_of(tmp_path, rows, ("hr",), f"[annotate]\nmax_chars = {len(HR) + 20}\n")
    corpus.build(jobs=1)
    trees, said = export(corpus, "conllu")
    assert trees.count("# newpar") == 1
    assert "left out of conllu: 1 block of other pages" in said
    vertical, _ = export(corpus, "vert")
    assert {len(cells) for cells in token_lines(vertical)} == {8}
    assert [cells[0] for cells in token_lines(vertical)].count("most") == 2


def test_conllu_without_annotation_says_what_to_do(tmp_path: Path) -> None:
    corpus = paberki.new(tmp_path / "c", lang="hr", preset="llm")
    (tmp_path / "web.jsonl").write_text(json.dumps({"url": "http://a.hr/", "html": html(HR, "hr")}) + "\n")
    corpus.add([tmp_path / "web.jsonl"])
    corpus.build(jobs=1)
    with pytest.raises(ConfigError, match=r'annotation, and this corpus has none; put "annotate.v1" at the end'):
        corpus.export("conllu", tmp_path / "x.conllu")
    assert not (tmp_path / "x.conllu").exists()


def test_conllu_of_pages_that_nobody_annotated_is_an_error(copies: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="none of the pages is annotated: 1 page: no model for mk"):
        copies.export("conllu", tmp_path / "x.conllu", where="lang = 'mk'")
    assert not (tmp_path / "x.conllu").exists()


@pytest.fixture(scope="module")
def schemes(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A corpus with a model of the user's beside the recipe, a second tagger and a lexicon of frames."""
    root = tmp_path_factory.mktemp("schemes")
    (root / "hr.conllu").write_text(conllu(), "utf-8")
    more = '[annotate]\ntaggers = ["paberki", "paberki:small.annotation"]\nvalency = "frames.tsv"\n'
    page = {
        "url": "http://a.hr/",
        "html": html(HR, "hr").replace(
            "</p>", " Pas traži kuću. Pišite na ana@a.hr ili zovite +385 91 234 5678 danas.</p>", 1
        ),
    }
    corpus = corpus_of(root, [page], ("hr",), more)
    made = CliRunner().invoke(
        app, ["train", "tagger", str(root / "hr.conllu"), "-o", str(root / "c" / "small.annotation"), "--lang", "hr"]
    )
    assert made.exit_code == 0, made.output
    (root / "c" / "frames.tsv").write_text("tražiti\ttražiti-1\tnsubj? obj:Acc\n", "utf-8")
    corpus.build(jobs=1)
    return corpus


SECOND = "paberki:small.annotation"


def test_several_annotations_in_the_store(schemes: Corpus) -> None:
    (page,) = schemes.pages("schemes", "token_count", "tok_xpos", "tok_frame", "other_annotations")
    assert page["schemes"] == ["paberki", SECOND]
    (other,) = page["other_annotations"]
    assert other["scheme"] == SECOND
    assert len(other["xpos"]) == len(page["tok_xpos"]) == page["token_count"]
    assert other["xpos"] != page["tok_xpos"]
    assert "tražiti-1" in page["tok_frame"]


def test_several_annotations_in_conllu(schemes: Corpus) -> None:
    trees = list(parse(export(schemes, "conllu")[0].split("\n")))
    assert [tree.comment("scheme") for tree in trees[:4]] == ["paberki", SECOND] * 2
    assert len({tree.comment("sent_id") for tree in trees}) == len(trees)
    assert trees[0].words[0].form == trees[1].words[0].form
    assert any("Frame=tražiti-1" in word.misc for tree in trees for word in tree.words)


def test_several_annotations_in_vertical(schemes: Corpus) -> None:
    vertical, _ = export(schemes, "vert")
    assert f'schemes="paberki {SECOND}"' in vertical
    assert {len(cells) for cells in token_lines(vertical)} == {1 + 7 + 7 + 1}
    assert next(cells for cells in token_lines(vertical) if cells[0] == "traži")[-1] == "tražiti-1"


@pytest.mark.parametrize("mask", [(), ("--mask",)])
def test_several_annotations_in_tables(schemes: Corpus, tmp_path: Path, mask: tuple[str, ...]) -> None:
    page = json.loads(export(schemes, "jsonl", *mask)[0])
    forms = [page["text"][start:end] for start, end in zip(page["tok_start"], page["tok_end"], strict=True)]
    assert "kuću" in forms
    assert ("[email]" in forms) == ("[phone]" in forms) == bool(mask)
    assert page["schemes"] == ["paberki", SECOND]
    assert len(page["other_annotations"][0]["lemma"]) == len(forms) == len(page["tok_lemma"])
    assert bool(mask) != ("ana@a.hr" in json.dumps(page))
    assert bool(mask) != ("5678" in json.dumps(page["other_annotations"]))
    schemes.export("parquet", tmp_path / "x.parquet", mask=bool(mask))
    (row,) = pq.read_table(tmp_path / "x.parquet").to_pylist()
    assert row["tok_start"] == page["tok_start"]
    assert row["other_annotations"] == page["other_annotations"]
    assert "blocks" not in row


@pytest.mark.slow
def test_other_tools_annotate_in_a_build(tmp_path: Path) -> None:
    pytest.importorskip("ufal.udpipe")
    pytest.importorskip("spacy")
    more = '[annotate]\ntaggers = ["udpipe:small.udpipe", "spacy:blank", "paberki"]\n'
    corpus = corpus_of(tmp_path, [{"url": "http://a.hr/", "html": html(HR, "hr")}], ("hr",), more)
    (tmp_path / "c" / "small.udpipe").write_bytes(udpipe_model())
    corpus.build(jobs=1)
    (page,) = corpus.pages("schemes", "annotated", "token_count", "tok_upos", "tok_head", "other_annotations")
    assert page["schemes"] == ["udpipe:small.udpipe", "spacy:blank", "paberki"]
    assert len(page["tok_head"]) == page["token_count"] == len(page["other_annotations"][1]["head"])
    trees = list(parse(export(corpus, "conllu")[0].split("\n")))
    assert [tree.comment("scheme") for tree in trees[:3]] == page["schemes"]
    assert trees[2].words[0].lemma == "danas"
    assert {len(cells) for cells in token_lines(export(corpus, "vert")[0])} == {1 + 3 * 7}


def test_programs_annotate_only_if_the_user_says_so(tmp_path: Path) -> None:
    script = tmp_path / "upper.py"
    script.write_text(
        "import sys\nfor line in sys.stdin:\n    form = line.strip()\n    print(f'{form}\\tTAG' if form else '')\n"
    )
    name = f"vertical:{sys.executable} {script}"
    rows = [{"url": "http://a.hr/", "html": html(HR, "hr")}]
    corpus = corpus_of(tmp_path, rows, ("hr",), f"[annotate]\ntaggers = ['paberki', '{name}']\n")
    with pytest.raises(ConfigError, match="would run the program"):
        corpus.build(jobs=1)
    corpus.build(jobs=1, allow_commands=True)
    (page,) = corpus.pages("schemes", "other_annotations")
    assert page["schemes"] == ["paberki", name]
    assert set(page["other_annotations"][0]["xpos"]) == {"TAG"}


def test_a_model_of_the_user_takes_the_place_of_the_package(tmp_path: Path) -> None:
    (tmp_path / "hr.conllu").write_text(conllu().replace("Vmr3s", "Xyz"), "utf-8")
    more = '[annotate]\nmodel = "own.annotation"\n'
    page = html(HR, "hr").replace("</p>", " Pas traži kuću.</p>", 1)
    corpus = corpus_of(tmp_path, [{"url": "http://a.hr/", "html": page}], ("hr",), more)
    asked = [
        "train",
        "tagger",
        str(tmp_path / "hr.conllu"),
        "-o",
        str(tmp_path / "c" / "own.annotation"),
        "--lang",
        "hr",
    ]
    assert CliRunner().invoke(app, asked).exit_code == 0
    corpus.build(jobs=1)
    (found,) = corpus.pages("tok_xpos", "annotated")
    assert "Xyz" in found["tok_xpos"]


def test_a_changed_model_makes_annotation_stale(schemes: Corpus) -> None:
    file = schemes.directory.root / "frames.tsv"
    before = CliRunner().invoke(app, ["plan", str(schemes.directory.root), "--json"])
    states = {one["stage"]: one["todo"] for one in json.loads(before.stdout)["stages"]}
    assert states["annotate.v1"] == 0
    old = file.read_text("utf-8")
    file.write_text(old + "graditi\tgraditi-1\tobj:Acc\n", "utf-8")
    after = CliRunner().invoke(app, ["plan", str(schemes.directory.root), "--json"])
    file.write_text(old, "utf-8")
    states = {one["stage"]: one["todo"] for one in json.loads(after.stdout)["stages"]}
    assert (states["annotate.v1"], states["extract.learned.v1"]) == (1, 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('layers = ["foo"]', "there is no layer 'foo'"),
        ('layers = ["tags"]', "did you mean 'tag'"),
        ('lang = ["xx"]', "there is no language 'xx'"),
        ('lang = ["Macedonian"]', "no model for 'mk'"),
        ('model = "no.annotation"', "no.annotation"),
        ('model = "corpus.toml"', "corpus.toml: is"),
        ('valency = "no.tsv"', "no.tsv: cannot be read"),
        ('taggers = ["udpype:x"]', "no tagger 'udpype'"),
        ("taggers = []", "name at least one"),
        ('taggers = ["paberki", "paberki"]', "stands there twice"),
        ('taggers = ["paberki:no.annotation"]', "no.annotation"),
        ('taggers = ["command:no-such-program x"]', "there is no program 'no-such-program'"),
        ('layers = ["tag"]\nvalency = "corpus.toml"', "corpus.toml"),
    ],
)
@pytest.mark.parametrize("verb", ["plan", "build"])
def test_settings_that_cannot_work_are_errors_at_once(tmp_path: Path, settings: str, message: str, verb: str) -> None:
    corpus = paberki.new(tmp_path / "c", lang="hr")
    with corpus.directory.recipe.open("a") as file:
        file.write(f"[annotate]\n{settings}\n")
    done = CliRunner().invoke(app, [verb, str(tmp_path / "c")])
    assert isinstance(done.exception, PaberkiError)
    assert message in str(done.exception)
    assert not list(corpus.directory.layers.glob("*/*.parquet"))


def test_a_corpus_in_a_language_without_a_model_can_be_planned(tmp_path: Path) -> None:
    paberki.new(tmp_path / "c", lang="mk")
    assert CliRunner().invoke(app, ["plan", str(tmp_path / "c")]).exit_code == 0
