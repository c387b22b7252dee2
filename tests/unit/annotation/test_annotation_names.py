"""Names: lists, dictionary, data that nobody looked for names in, names that were never met, what may follow what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_treebank import trees

from paberki.annotation.annotation_training import label_of, learn_names, learn_tagger, read_labelled
from paberki.annotation.files import model_layers
from paberki.annotation.names.name_finder import COLUMNS, NameFinder, NamesConfig, annotated_parts, sort_of
from paberki.annotation.names.name_lists import base, listed_kinds
from paberki.annotation.tagging.sequence import SequenceLearner
from paberki.annotation.tagging.tag_attributes import broad
from paberki.annotation.tagging.tag_table import XPOS
from paberki.annotation.tagging.tagger_training import TaggerConfig


def test_lists_know_names_in_their_cases() -> None:
    assert (base("Ljubljana"), base("Maribor"), base("Ana")) == ("ljubljan", "maribor", "ana")
    kinds = listed_kinds(["Ljubljani", "Mariboru", "Marka", "Slovenije", "mariboru", "Qwrtzx", "", "A"])
    assert "t" in kinds[0]
    assert "t" in kinds[1]
    assert "f" in kinds[2]
    assert "c" in kinds[3]
    assert kinds[4:] == ["-"] * 4
    assert listed_kinds([]) == []


def test_stretches_without_annotation_are_left_out() -> None:
    named = [[("Vidim", "O"), ("Anu", "B-per"), (".", "O")]] * 50
    plain = [[("vidim", "O"), ("kuću", "O"), (".", "O")]] * 50
    forgotten = [[("Vidim", "O"), ("Anu", "O"), (".", "O")]] * 50
    assert annotated_parts([*named, *forgotten, *plain]) == [*named, *plain]


def test_labels_however_they_are_written() -> None:
    assert [label_of(one) for one in ("b-PER", "I-loc", "B-deriv-per", "o", "_", "")] == [
        "B-per", "I-loc", "B-deriv", "O", "O", "O",
    ]  # fmt: skip


def learnt() -> tuple[NameFinder, list[str]]:
    """A finder that has met four towns and two persons, and what it says about others that are in the lists."""
    tagger, _ = learn_tagger(trees(), XPOS, TaggerConfig(rounds=2, folds=0, bits=14))
    towns = ["Zagreb", "Split", "Ljubljana", "Maribor", "Beograd", "London"]
    sentences = [[("Vuk", "O"), ("voli", "O"), (one, "B-loc"), (".", "O")] for one in towns] * 3
    persons = ["Ana", "Marko", "Petra", "Ivan", "Marija", "Robert"]
    sentences += [[("Vuk", "O"), ("voli", "O"), (one, "B-per"), (".", "O")] for one in persons] * 3
    names = learn_names(sentences, tagger, NamesConfig(rounds=8, bits=14))
    forms = ["Vuk", "voli", "Madrid", ".", "Vuk", "voli", "Helena", "."]
    starts = np.array([0, 4, 8])
    return names, names.find(starts, forms, tagger.tag_keys(tagger.tag(starts, forms)))


def test_names_that_were_never_met_are_found_through_the_lists() -> None:
    names, labels = learnt()
    assert labels == ["O", "O", "B-loc", "O", "O", "O", "B-per", "O"]
    assert (learnt()[0].weights.weights == names.weights.weights).all()
    again = model_layers.names_of(model_layers.names_parts(names))
    assert again.lists
    assert (again.weights.weights == names.weights.weights).all()


def test_a_model_made_without_lists_or_lemmas_stays_without() -> None:
    plain = NameFinder(["B-loc", "O"], {}, set(), 12, lists=False, lemmas=None)
    parts = model_layers.names_parts(plain)
    del parts["settings"]["lists"], parts["settings"]["lemmas"]  # type: ignore[union-attr]
    again = model_layers.names_of(parts)
    assert not again.lists
    assert again.lemmas is None
    assert len(again.weights.templates) == len(plain.weights.templates)
    assert again.labels.follow.all()


def test_the_dictionary_of_a_model_is_kept() -> None:
    again = model_layers.names_of(model_layers.names_parts(NameFinder(["B-loc", "O"], {}, set(), 12, lemmas="sl")))
    assert again.lemmas == "sl"


def test_cases_of_a_word_share_a_lemma() -> None:
    forms, lemma, sort = ["podjetja", "podjetje", "Podjetje", "Qwrtzx"], COLUMNS.index("lemma"), COLUMNS.index("sort")
    seen = NameFinder(["B-loc", "O"], {}, set(), 12, lemmas="sl").describe(forms).columns
    assert seen[0, lemma] == seen[1, lemma] == seen[2, lemma] != seen[3, lemma]
    assert len(set(seen[:, sort].tolist())) == 3
    plain = NameFinder(["B-loc", "O"], {}, set(), 12).describe(forms).columns
    assert plain[1, lemma] == plain[2, lemma] != seen[1, lemma]
    assert (plain[:, sort] != seen[:, sort]).sum() == 3


def test_an_unknown_word_has_no_lemma() -> None:
    names = NameFinder(["B-loc", "O"], {}, set(), 12, lemmas="sl")
    columns = names.describe(["Ljubljani", "Mariboru"], unknown=True).columns
    assert columns[0, COLUMNS.index("lemma")] == columns[1, COLUMNS.index("lemma")]


@pytest.mark.parametrize(
    ("capital", "lemma", "sort"),
    [
        (True, "Ljubljana", "PU"),
        (False, "Ljubljana", "Pl"),
        (True, "rudar", "cU"),
        (False, "rudar", "cl"),
        (True, None, "-U"),
    ],
)
def test_sorts_of_words(capital: bool, lemma: str | None, sort: str) -> None:
    assert sort_of(capital, lemma) == sort


def any_labels(lemmas: str | None) -> list[tuple[str, str]]:
    """Neighbouring labels that a model with arbitrary weights gives; an empty one before each sentence."""
    names = NameFinder(["B-loc", "B-per", "I-loc", "I-per", "O"], {}, set(), 12, lemmas=lemmas)
    rng = np.random.default_rng(1)
    names.weights.weights = rng.integers(-99, 100, len(names.weights.weights)).astype(np.int8)
    starts, forms = np.arange(0, 401, 4), [f"Ime{number}" for number in rng.integers(0, 99, 400)]
    found, _ = names.weights.label(names.types, 0, starts, names.types.of(forms), np.zeros(800, np.uint64))
    labels = [names.labels.names[number] for number in found.tolist()]
    return [(labels[at - 1] if at % 4 else "", label) for at, label in enumerate(labels)]


def test_an_inside_comes_only_after_its_kind() -> None:
    pairs = any_labels("")
    assert any(label[0] == "I" for _, label in pairs)
    assert all(label[0] != "I" or before[2:] == label[2:] for before, label in pairs)
    assert any(label[0] == "I" and before[2:] != label[2:] for before, label in any_labels(None))


def test_the_right_label_wins_by_a_margin() -> None:
    names = NameFinder(["B-loc", "O"], {}, set(), 14)
    words, gold = names.types.of(["Split", "voli"]), np.array([0, 1], np.int32)
    sizes = []
    for margin in (0, 2_000):
        learner = SequenceLearner(names.weights)
        for _ in range(20):
            learner.learn(names.types, np.array([0, 2]), words, gold, np.array([0]), np.zeros(4, np.uint64), margin)
        sizes.append(float(np.abs(learner.averaged()).sum()))
    assert sizes[1] > 2 * sizes[0] > 0


def test_what_names_see_of_tags() -> None:
    assert [broad(tag) for tag in ("Npmsg", "Agpfsl", "Vmr3s", "Sl", "NOUN|Case=Gen|Number=Sing")] == [
        "Np cg", "Ag cl", "Vm vr", "Sl", "NOUN Case=Gen",
    ]  # fmt: skip
    tagger, _ = learn_tagger(trees(), XPOS, TaggerConfig(rounds=1, folds=0, bits=14))
    shown = tagger.tag_keys(np.arange(len(tagger.tags), dtype=np.int32))
    tags, parts = shown[: len(tagger.tags)], shown[len(tagger.tags) :]
    assert (tags == tagger.labels.label_keys).all()
    assert len(set(parts.tolist())) == len({broad(tag) for tag in tagger.tags}) < len(tagger.tags)


def test_names_of_trees_that_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "sl.conllu"
    word = "1\tAna\tAna\tPROPN\tNpfsn\t_\t_\t_\t_\tNER=B-per\n\n"
    path.write_text(f"# source = SUK\n{word}# source = other\n{word}", "utf-8")
    assert read_labelled(path) == [[("Ana", "B-per")]] * 2
    assert read_labelled(path, lambda tree: tree.comment("source") == "SUK") == [[("Ana", "B-per")]]
