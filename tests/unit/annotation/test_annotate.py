"""What people call: ``paberki.annotate`` and the verb, with the models that come with the package."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import paberki
from paberki.annotation.cyrillic_text import to_cyrillic, to_latin
from paberki.annotation.files.model_catalogue import DIRECTORY, SUFFIX, annotator, describe, languages, shipped
from paberki.annotation.tagging.synthetic_future import CLITICS, synthetic
from paberki.cli.app import app
from paberki.errors import ConfigError

HR = "Predsjednica Vlade jučer je u Zagrebu razgovarala s novinarima. Rekla je da će se radovi nastaviti sljedeće godine."
SR = "Predsednik vlade je juče u Beogradu razgovarao sa novinarima. Rekao je da će radovi biti nastavljeni sledeće godine."


def test_all_layers() -> None:
    document = paberki.annotate(HR, lang="hr")
    assert len(document.sentences) == 2
    rows = {token.form: token for token in document.tokens}
    assert (rows["novinarima"].lemma, rows["novinarima"].xpos, rows["novinarima"].upos) == ("novinar", "Ncmpi", "NOUN")
    assert rows["Zagrebu"].ner == "B-loc"
    assert rows["razgovarala"].head == 0
    assert rows["Predsjednica"].deprel == "nsubj"
    assert all(document.text[token.start : token.end] == token.form for token in document.tokens)
    assert document.sentences[1].text.startswith("Rekla je")
    assert [token.id for token in document.sentences[1]][:2] == [1, 2]
    assert not any(token.oov for token in document.tokens)
    assert paberki.annotate("Brglgrbl.", lang="hr").tokens[0].oov


@pytest.mark.parametrize(
    ("lang", "text", "form", "lemma"),
    [
        ("sr", SR, "novinarima", "novinar"), ("bs", HR, "radovi", "rad"), ("sl", "V mestu so stale stare hiše.", "hiše", "hiša"),
        ("cs", "Ve městě stály staré domy.", "domy", "dům"), ("sk", "V meste stáli staré domy.", "domy", "dom"),
        ("de", "In der Stadt standen alte Häuser.", "Häuser", "Haus"), ("sv", "I staden stod gamla hus.", "stod", "stå"),
        ("en", "There were old houses in the city.", "houses", "house"),
    ],
)  # fmt: skip
def test_languages(lang: str, text: str, form: str, lemma: str) -> None:
    if lang not in languages():
        pytest.skip(f"no model for {lang} in this package")
    document = paberki.annotate(text, lang=lang)
    assert {token.form: token.lemma for token in document.tokens}[form] == lemma
    assert all(document.column(name) for name in ("upos", "xpos", "feats", "head", "deprel"))


def test_models_are_small_and_say_where_they_come_from() -> None:
    assert {"bs", "cs", "hr", "sr"} <= set(languages())
    files = list(DIRECTORY.glob(f"*{SUFFIX}"))
    assert all(file.stat().st_size <= 6_000_000 for file in files)
    assert sum(file.stat().st_size for file in files) <= 50_000_000
    for file in files:
        assert all(licence.startswith("CC BY-SA") for licence in describe(file)["sources"].values())


@pytest.mark.parametrize("text", ["Danas je lijep dan.", "Danas je lijep dan"])
def test_a_heading_has_the_tree_of_its_sentence(text: str) -> None:
    document = paberki.annotate(text, lang="hr")
    assert [token.form for token in document.tokens if token.head == 0] == ["dan"]


def test_cyrillic_is_annotated_like_latin() -> None:
    cyrillic = to_cyrillic(SR)
    latin, other = paberki.annotate(SR, lang="sr"), paberki.annotate(cyrillic, lang="sr")
    assert to_latin(cyrillic)[0] == SR
    assert (latin.xpos, latin.head, latin.ner) == (other.xpos, other.head, other.ner)
    assert [to_cyrillic(lemma) for lemma in latin.lemma or ()] == other.lemma
    assert all(cyrillic[token.start : token.end] == token.form for token in other.tokens)


def test_synthetic_future_of_the_lexicon() -> None:
    """P3 §4: forms that Croatian data do not have, of verbs from the lexicon."""
    own = annotator("sr")
    assert own.tagger is not None
    infinitive = own.tagger.tags.index("Vmn")
    words = own.tagger.lexicon.entries().items()
    seen = [word for word, (_, tags) in words if tags == (infinitive,) and word.endswith(("ati", "iti"))]
    forms = {}
    for verb, clitic in zip(seen * 2, ("ću", "ćemo", "ćete", "ćeš", "će") * len(seen), strict=False):
        form = synthetic(verb, clitic)
        if form:
            forms[form] = (verb, clitic)
    assert len(forms) >= 200
    document = paberki.annotate("\n".join(f"Oni kažu da {form} sutra." for form in forms), lang="sr")
    tokens = {sentence.tokens[3].form: sentence.tokens[3] for sentence in document.sentences}
    right = lemmas = 0
    for form, (verb, clitic) in forms.items():
        token = tokens[form]
        right += str(token.xpos).startswith(f"Vmf{CLITICS[clitic][0]}")
        lemmas += token.lemma == verb
    assert right >= 0.95 * len(forms)
    assert lemmas >= 0.9 * len(forms)


def test_bad_input() -> None:
    assert len(paberki.annotate("", lang="hr")) == 0
    assert len(paberki.annotate(" \n\t\n ", lang="hr")) == 0
    assert len(paberki.annotate("a" * 100_000, lang="hr")) == 1
    long = paberki.annotate("pas laje " * 25_000, lang="hr")
    assert len(long) == 50_000
    mixed = paberki.annotate("Šta радиш 東京 \ud800 שלום العربية 😀", lang="sr")
    assert all(mixed.column("lemma"))
    mixed.to_conllu().encode()
    with pytest.raises(ConfigError, match=r"no model for the language 'tlh'; there are models for bs, cs, "):
        paberki.annotate("nuqneH", lang="tlh")


def test_a_sentence_of_many_tokens_is_one_tree() -> None:
    from paberki.annotation.files.conllu_reading import Tree, TreeWord, document_of

    document = document_of([Tree([TreeWord(form) for form in ["pas", "laje", ","] * 4000])])
    annotator("hr").add_layers(document)
    assert document.head is not None
    assert document.head.count(0) == 1
    assert max(document.head) <= 12_000


def test_the_verb(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text(HR, "utf-8")
    made = CliRunner().invoke(app, ["annotate", "--text", str(text), "--lang", "hr"])
    assert made.exit_code == 0, made.output
    assert "\tnovinarima\tnovinar\tNOUN\tNcmpi\t" in made.stdout
    piped = CliRunner().invoke(app, ["annotate", "--text", "-", "--lang", "hr", "--format", "json"], input=HR.encode())
    assert json.loads(piped.stdout)["sentences"][0]["tokens"][0]["form"] == "Predsjednica"
    vertical = CliRunner().invoke(app, ["annotate", str(text), "--lang", "hr", "--format", "vert"])
    assert vertical.stdout.startswith("<s>\nPredsjednica\tNcfsn\tpredsjednica\tNOUN\t")
    assert "<g/>\n.\tZ\t.\tPUNCT" in vertical.stdout
    gold = tmp_path / "hr.gold.conllu"
    gold.write_text(made.stdout, "utf-8")
    figure = tmp_path / "f.svg"
    scored = CliRunner().invoke(app, ["eval", "annotate", str(gold), "--json", "--figure", str(figure)])
    facts = json.loads(scored.stdout)
    assert facts[0]["scores"]["LAS"] == 100
    assert facts[0]["raw"] == {"tokens": 100, "sentences": 100}
    assert facts[1]["names"]["all"]["f"] == 100
    assert "taken for" in figure.read_text("utf-8")


def test_importing_paberki_imports_no_model() -> None:
    code = (
        "import paberki, sys; print([m for m in sys.modules if m.startswith(('numba', 'numpy', 'paberki.annotation'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_a_model_loads_quickly() -> None:
    from paberki.annotation.files.model_catalogue import _assemble

    annotator("hr")
    path = shipped("hr")
    assert path is not None
    begun = time.process_time()
    _assemble("hr", [path])
    assert time.process_time() - begun < 3
