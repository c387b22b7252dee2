"""Names: lists of names, data that nobody looked for names in, names that were never met."""

from __future__ import annotations

import numpy as np
from small_treebank import trees

from paberki.annotation import layers
from paberki.annotation.namelists import base, listed_kinds
from paberki.annotation.names import Names, NamesConfig, annotated_parts
from paberki.annotation.tagger_training import TaggerConfig
from paberki.annotation.tagtable import XPOS
from paberki.annotation.training import label_of, learn_names, learn_tagger


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


def learnt() -> tuple[Names, list[str]]:
    """A finder that has met four towns and two persons, and what it says about others that are in the lists."""
    tagger, _ = learn_tagger(trees(), XPOS, TaggerConfig(rounds=2, folds=0, bits=14))
    towns = ["Zagreb", "Split", "Ljubljana", "Maribor", "Beograd", "London"]
    sentences = [[("Vuk", "O"), ("voli", "O"), (one, "B-loc"), (".", "O")] for one in towns] * 3
    persons = ["Ana", "Marko", "Petra", "Ivan", "Marija", "Robert"]
    sentences += [[("Vuk", "O"), ("voli", "O"), (one, "B-per"), (".", "O")] for one in persons] * 3
    names = learn_names(sentences, tagger, NamesConfig(rounds=8, bits=14))
    forms = ["Vuk", "voli", "Madrid", ".", "Vuk", "voli", "Helena", "."]
    starts = np.array([0, 4, 8])
    return names, names.find(starts, forms, tagger.shown(tagger.tag(starts, forms)))


def test_names_that_were_never_met_are_found_through_the_lists() -> None:
    names, labels = learnt()
    assert labels == ["O", "O", "B-loc", "O", "O", "O", "B-per", "O"]
    assert (learnt()[0].weights.weights == names.weights.weights).all()
    again = layers.names_of(layers.names_parts(names))
    assert again.lists
    assert (again.weights.weights == names.weights.weights).all()


def test_a_model_made_without_lists_stays_without() -> None:
    plain = Names(["B-loc", "O"], {}, set(), 12, lists=False)
    parts = layers.names_parts(plain)
    del parts["settings"]["lists"]  # type: ignore[union-attr]
    again = layers.names_of(parts)
    assert not again.lists
    assert len(again.weights.templates) == len(plain.weights.templates)
