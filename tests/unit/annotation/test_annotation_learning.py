"""Tagger, lemmatiser, parser and names learn a small treebank, the same bytes every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from small_treebank import conllu, trees
from typer.testing import CliRunner

from paberki.annotation.annotation_scores import entities, evaluate
from paberki.annotation.annotation_training import learn_lemmas, learn_names, learn_parser, learn_tagger, without_stop
from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.annotation.lemmas.ending_rules import EndingRule, apply_rule, rule_of
from paberki.annotation.lemmas.lemmatiser import Lemmatiser, train_lemmatiser
from paberki.annotation.names.name_finder import NamesConfig
from paberki.annotation.parsing.parser_training import ParserConfig, is_tree, one_root
from paberki.annotation.pipeline import Annotator, whole_heads
from paberki.annotation.tagging.synthetic_future import synthetic, with_synthetic
from paberki.annotation.tagging.tag_attributes import attributes
from paberki.annotation.tagging.tag_table import UPOS, XPOS, scheme_of
from paberki.annotation.tagging.tagger_training import TaggerConfig
from paberki.cli.app import app


@pytest.fixture(scope="module")
def annotator() -> Annotator:
    data = trees()
    tagger, table = learn_tagger(data, XPOS, TaggerConfig(rounds=3, folds=2, bits=16))
    return Annotator(
        "hr",
        tagger=tagger,
        table=table,
        lemmatiser=Lemmatiser.of(learn_lemmas(data, XPOS, "hr")),
        parser=learn_parser(data, XPOS, ParserConfig(rounds=3, bits=12), "hr"),
    )


def test_what_was_learnt_is_known(annotator: Annotator) -> None:
    scores = evaluate(annotator, trees(), "train")
    assert all(scores.percent(name) == 100 for name in ("UPOS", "XPOS", "UFeats", "Lemma", "UAS", "LAS"))


def test_unknown_words_get_tags_lemmas_and_trees(annotator: Annotator) -> None:
    document = annotator.annotate("Lisica vidi često vodu.")
    assert document.xpos is not None
    assert document.xpos[1:] == ["Vmr3s", "Rgp", "Ncfsa", "Z"]
    assert document.head == [2, 0, 2, 2, 2]


@given(st.lists(st.lists(st.sampled_from(["pas", "vidi", "kuću", ".", "Xy", "7", "\ud800"]), min_size=1, max_size=12)))
def test_every_sentence_gets_one_tree_and_full_columns(annotator: Annotator, sentences: list[list[str]]) -> None:
    from paberki.annotation.files.conllu_reading import document_of

    document = document_of([Tree([TreeWord(form) for form in one]) for one in sentences])
    annotator.add_layers(document)
    assert document.head is not None
    for first, last in zip(document.edges, document.edges[1:], strict=False):
        heads = document.head[first:last]
        assert is_tree(heads)
        assert heads.count(0) == 1
    for name in ("upos", "xpos", "feats", "lemma", "deprel"):
        column = document.column(name)
        assert len(column) == len(document.forms)
        assert all(column)


def test_training_from_the_command_line_gives_the_same_bytes(tmp_path: Path) -> None:
    data = tmp_path / "hr.small.conllu"
    data.write_text(conllu(), "utf-8")
    made = []
    for name in ("a", "b"):
        model = tmp_path / f"{name}.annotation"
        for verb in ("tokeniser", "tagger", "lemmatiser", "parser"):
            done = CliRunner().invoke(
                app, ["train", verb, str(data), "--dev", str(data), "-o", str(model), "--seed", "7"]
            )
            assert done.exit_code == 0, done.output
        made.append(model.read_bytes())
    assert made[0] == made[1]
    asked = [
        "annotate",
        "--conllu",
        str(data),
        "--keep-tokens",
        "--lang",
        "hr",
        "--model",
        str(tmp_path / "a.annotation"),
    ]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    columns = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    gold = [line.split("\t") for line in conllu().splitlines() if "\t" in line]
    assert [row[:8] for row in columns] == [row[:8] for row in gold]


def test_names_are_learnt() -> None:
    data = trees()
    tagger, _ = learn_tagger(data, XPOS, TaggerConfig(rounds=2, folds=0, bits=14))
    places = ["Zagreb", "Split", "Rijeka", "Osijek"]
    sentences = [[("Vuk", "O"), ("voli", "O"), (one, "B-loc"), (".", "O")] for one in places] * 3
    sentences += [[("Ana", "B-per"), ("Horvat", "I-per"), ("traži", "O"), ("vodu", "O"), (".", "O")]] * 4
    names = learn_names(sentences, tagger, NamesConfig(rounds=5, bits=14))
    forms = ["Ana", "Horvat", "voli", "Split", "."]
    starts = np.array([0, len(forms)])
    tags = tagger.labels.label_keys[tagger.tag(starts, forms)]
    assert names.find(starts, forms, tags) == ["B-per", "I-per", "O", "B-loc", "O"]
    assert entities(["B-per", "I-per", "O", "B-loc", "B-loc"]) == {(0, 2, "per"), (3, 4, "loc"), (4, 5, "loc")}


@given(st.text(max_size=12), st.text(min_size=1, max_size=12), st.sampled_from(["Ncmsn", "Npmsn", "Vmr3s", "X|Y=Z"]))
def test_no_lemma_is_ever_empty(form: str, lemma: str, tag: str) -> None:
    made = Lemmatiser.of(train_lemmatiser([(form or "a", tag, lemma), ("šlag", "Ncmsn", "šlag")]))
    for word in (form or "a", "šlag", "x", lemma, form + "ima"):
        assert made.lemma(word or "y", tag)


@given(st.text(min_size=1, max_size=10), st.text(min_size=1, max_size=10))
def test_a_rule_gives_the_lemma_it_was_made_from(form: str, lemma: str) -> None:
    assert apply_rule(form.lower(), rule_of(form, lemma)) == lemma


def test_rules_do_not_cut_more_than_there_is() -> None:
    assert apply_rule("a", EndingRule(3, "b", 0)) == ""


def test_several_roots_become_one_and_come_back() -> None:
    heads, relations = one_root([0, 1, 0], ["Pred", "Obj", "Punc"])
    assert (heads, relations) == ([0, 1, 1], ["Pred", "Obj", "Punc@0"])
    data = [Tree([TreeWord("Pas", "pas", "N", "Ncmsn", "_", 2, "Sb"), TreeWord("laje", "lajati", "V", "Vmr3s", "_", 0, "Pred"),
                  TreeWord(".", ".", "Z", "Z", "_", 0, "Punc")])] * 8  # fmt: skip
    tagger, table = learn_tagger(data, XPOS, TaggerConfig(rounds=2, folds=0, bits=12))
    parser = learn_parser(data, XPOS, ParserConfig(rounds=3, bits=12), "hr")
    made = Annotator(
        "hr", tagger=tagger, table=table, lemmatiser=Lemmatiser.of(learn_lemmas(data, XPOS, "hr")), parser=parser
    )
    document = made.annotate("Pas laje.")
    assert (document.head, document.deprel) == ([2, 0, 0], ["Sb", "Pred", "Punc"])


def test_trees_without_the_sign_at_their_end() -> None:
    tree = trees()[0]
    assert [word.form for word in without_stop(tree).words] == [word.form for word in tree.words[:-1]]
    assert without_stop(without_stop(tree)) == without_stop(tree)
    short = Tree([TreeWord("Ne", "ne", "PART", head=0), TreeWord(".", ".", "PUNCT", head=1)])
    assert without_stop(short) is short


def test_heads_of_a_sentence_in_pieces_point_into_it() -> None:
    assert whole_heads([2, 0, 2, 0, 2, 0], [0, 3, 5, 6], [0, 5, 6]) == [2, 0, 2, 2, 5, 0]


def test_synthetic_future() -> None:
    assert synthetic("raditi", "ćemo") == synthetic("radit", "ćemo") == "radićemo"
    assert synthetic("jesti", "ću") == "ješću"
    assert synthetic("doći", "ću") is None
    words = [
        TreeWord("Radit", "raditi", "VERB", "Vmn"),
        TreeWord("ćemo", "htjeti", "AUX", "Var1p"),
        TreeWord(".", ".", "PUNCT", "Z"),
    ]
    _, copy = with_synthetic([Tree(words)])
    assert [(word.form, word.lemma, word.xpos) for word in copy.words] == [
        ("Radićemo", "raditi", "Vmf1p"),
        (".", ".", "Z"),
    ]


def test_which_tag_is_learnt() -> None:
    words = [word for tree in trees() for word in tree.words]
    assert scheme_of(words) == XPOS
    assert scheme_of([TreeWord("a", "a", "NOUN", "N", "Case=Nom"), TreeWord("a", "a", "NOUN", "N", "Case=Acc")]) == UPOS
    assert scheme_of([TreeWord("a", "a", "NOUN")]) == UPOS
    assert set(attributes("Ncmsn")) & set(attributes("Agpmsny")) == {"gm", "ns", "cn"}


_FUTURE = """1\tSutra\tsutra\tADV\tRgp\t_\t2\tadvmod\t_\t_
2\t{verb}\t{lemma}\tVERB\tVmn\tVerbForm=Inf\t0\troot\t_\t_
3\t{clitic}\thtjeti\tAUX\tVar{person}\t_\t2\taux\t_\t_
4\tkuću\tkuća\tNOUN\tNcfsa\t_\t2\tobj\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\tZ\t_\t2\tpunct\t_\t_

"""


def _train(verb: str, data: Path, model: Path, *more: str) -> Result:
    return CliRunner().invoke(
        app, ["train", verb, str(data), "-o", str(model), "--lang", "sr", "--tags", "xpos", *more]
    )


def test_synthetic_future_is_an_option_of_the_command(tmp_path: Path) -> None:
    verbs = {"radit": "raditi", "gradit": "graditi", "nosit": "nositi", "voljet": "voljeti"}
    persons = {"ću": "1s", "ćemo": "1p", "će": "3s"}
    data, model = tmp_path / "hr.conllu", tmp_path / "sr.annotation"
    sentences = [
        _FUTURE.format(verb=verb, lemma=lemma, clitic=clitic, person=person)
        for verb, lemma in verbs.items()
        for clitic, person in persons.items()
    ]
    data.write_text("".join(sentences) + conllu(), "utf-8")
    for verb in ("tagger", "lemmatiser"):
        done = _train(verb, data, model, "--future")
        assert done.exit_code == 0, done.output
    assert "12 sentences are learnt from with the synthetic future" in done.output
    text = tmp_path / "text.conllu"
    text.write_text("1\tSutra\n2\tgradićemo\n3\tkuću\n4\t.\n", "utf-8")
    asked = ["annotate", "--conllu", str(text), "--keep-tokens", "--lang", "sr", "--model", str(model)]
    rows = [line.split("\t") for line in CliRunner().invoke(app, asked).stdout.splitlines() if "\t" in line]
    assert rows[1][2:5] == ["graditi", "VERB", "Vmf1p"]
    without = tmp_path / "without.annotation"
    assert _train("tagger", data, without, "--no-future").exit_code == 0
    assert without.read_bytes() != model.read_bytes()


def test_future_needs_sentences_that_have_one(tmp_path: Path) -> None:
    data = tmp_path / "sr.conllu"
    data.write_text(conllu(), "utf-8")
    assert _train("tagger", data, tmp_path / "quiet.annotation").exit_code == 0
    done = _train("tagger", data, tmp_path / "m.annotation", "--future")
    assert done.exit_code != 0
    assert "no sentence has an analytic future" in str(done.exception)
