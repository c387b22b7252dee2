"""Other tools behind one face: real ones where they can be installed, else small ones that speak their format."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from small_treebank import udpipe_model
from typer.testing import CliRunner

import paberki
from paberki.annotation.adapters import adapter
from paberki.annotation.files import model_catalogue
from paberki.annotation.files.conllu_reading import document_of, parse
from paberki.cli.app import app
from paberki.errors import ConfigError, InputError, PaberkiError

TEXT = "Pas traži kuću. Mačka vidi vodu."
ECHO = """
import sys
for line in sys.stdin:
    cells = line.rstrip("\\n").split("\\t")
    if len(cells) == 10:
        cells[2], cells[3], cells[4], cells[6], cells[7] = cells[1].lower(), "X", "Xx", str(int(cells[0]) - 1), "dep"
    print("\\t".join(cells))
"""
UPPER = """
import sys
for line in sys.stdin:
    form = line.strip()
    print(f"{form}\\tTAG\\t{form.lower()}" if form else "")
"""
STANZA = """
from types import SimpleNamespace as S
class Pipeline:
    def __init__(self, lang, **options):
        assert options["tokenize_pretokenized"]
    def __call__(self, given):
        lines = [line.split(" ") for line in given.split("\\n")] if isinstance(given, str) else given
        words = [[S(text=w, lemma=w.lower(), upos="X", xpos=None, feats=None, head=n, deprel="dep") for n, w in enumerate(l)] for l in lines]
        return S(sentences=[S(words=one, tokens=[S(ner="S-LOC" if w.text == "Pas" else "O") for w in one]) for one in words])
"""


def test_udpipe_trained_here(tmp_path: Path) -> None:
    pytest.importorskip("ufal.udpipe")
    path = tmp_path / "small.udpipe"
    path.write_bytes(udpipe_model())
    document = paberki.annotate(TEXT, lang="hr", tagger=f"udpipe:{path}")
    assert [token.upos for token in document.tokens] == ["NOUN", "VERB", "NOUN", "PUNCT"] * 2
    assert document.tokens[2].lemma == "kuća"
    assert document.tokens[1].head == 0


def test_spacy_without_a_model() -> None:
    pytest.importorskip("spacy")
    document = paberki.annotate("Hunde bellen. Katzen nicht.", lang="de", tagger="spacy:blank")
    assert document.forms == ["Hunde", "bellen", ".", "Katzen", "nicht", "."]
    assert document.edges == [0, 3, 6]
    with pytest.raises(InputError, match="spaCy cannot load"):
        adapter("spacy:no_such_package", "de")


def test_a_command_that_speaks_conllu(tmp_path: Path) -> None:
    script = tmp_path / "echo.py"
    script.write_text(ECHO)
    document = paberki.annotate(TEXT, lang="hr", tagger=f"command:{sys.executable} {script}")
    assert document.lemma is not None
    assert document.lemma[:3] == ["pas", "traži", "kuću"]
    assert document.head == [0, 1, 2, 3, 0, 1, 2, 3]


def test_a_command_with_one_token_per_line_beside_our_own(tmp_path: Path) -> None:
    script = tmp_path / "upper.py"
    script.write_text(UPPER)
    text = tmp_path / "t.txt"
    text.write_text(TEXT, "utf-8")
    name = f"vertical:{sys.executable} {script}"
    done = CliRunner().invoke(
        app, ["annotate", "--text", str(text), "--lang", "hr", "--tagger", name, "--tagger", "paberki"]
    )
    assert done.exit_code == 0, done.output
    assert f"# scheme = {name}" in done.stdout
    assert "# scheme = paberki" in done.stdout
    assert "\tkuću\tkuću\t_\tTAG" in done.stdout
    assert "\tkuću\tkuća\tNOUN\tNcfsa" in done.stdout


@pytest.mark.parametrize("name", ["stanza", "classla"])
def test_stanza_and_classla_through_their_interface(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"{name}.py").write_text(STANZA)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, name, raising=False)
    document = paberki.annotate(TEXT, lang="hr", tagger=name)
    assert document.tokens[2].lemma == "kuću"
    assert document.tokens[0].ner == "B-loc"
    assert document.head == [0, 1, 2, 3] * 2
    monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.parametrize(
    "name", ["stenza", "udpipe", "udpipe:/no/such/file", "command:", "command:/no/such/program", f"command:{sys.executable} -c 1/0", f"command:{sys.executable} -c 0"]
)  # fmt: skip
def test_what_cannot_work_says_why(name: str) -> None:
    with pytest.raises(PaberkiError) as raised:
        paberki.annotate(TEXT, lang="hr", tagger=name)
    assert "\n" not in str(raised.value)
    if name == "stenza":
        assert isinstance(raised.value, ConfigError)
        assert "did you mean 'stanza'" in str(raised.value)


def test_japanese() -> None:
    pytest.importorskip("fugashi")
    pytest.importorskip("unidic_lite")
    document = paberki.annotate("吾輩は猫である。名前はまだ無い（笑）。「本当？」と聞いた。\n見出し", lang="ja")
    assert [sentence.text for sentence in document.sentences] == [
        "吾輩は猫である。",
        "名前はまだ無い（笑）。",
        "「本当？」と聞いた。",
        "見出し",
    ]
    assert document.forms[:6] == ["吾輩", "は", "猫", "で", "ある", "。"]
    assert document.tokens[2].upos == "NOUN"
    assert "Reading=ネコ" in document.to_conllu()
    again = document_of(parse(document.to_conllu().splitlines()), "ja")
    model_catalogue.annotator("ja").add_layers(again)
    assert (again.upos, again.lemma, again.misc) == (document.upos, document.lemma, document.misc)


def test_japanese_verbs_and_names() -> None:
    pytest.importorskip("fugashi")
    pytest.importorskip("unidic_lite")
    document = paberki.annotate("東京で研究した!", lang="ja")
    assert document.upos == ["PROPN", "ADP", "VERB", "AUX", "AUX", "PUNCT"]
    assert document.lemma == ["東京", "で", "研究", "為る", "た", "!"]
    assert "ja" in model_catalogue.languages()


def test_valency_frames_of_a_lexicon(tmp_path: Path) -> None:
    lexicon = tmp_path / "frames.tsv"
    lexicon.write_text("# verbs\nčekati\tčekati-1\tnsubj? obj:Acc\nčekati\tčekati-na\tnsubj? obl/obj:na+Acc\n", "utf-8")
    tool = adapter(f"valency:{lexicon}", "hr")
    document = tool.annotate("Putnici su čekali vlak. Ljudi čekaju na odgovor. Svi spavaju.")
    assert [one for one in document.frame or () if one] == ["čekati-1", "čekati-na"]
    assert "Frame=čekati-na" in document.to_conllu()
    for wrong in ("čekati\n", "čekati\ta b\tobj\n", "čekati\ta\t:Acc\n"):
        lexicon.write_text(wrong, "utf-8")
        with pytest.raises(InputError, match=r"frames\.tsv, line 1: "):
            adapter(f"valency:{lexicon}", "hr")
    with pytest.raises(ConfigError, match="name the lexicon"):
        adapter("valency", "hr")
