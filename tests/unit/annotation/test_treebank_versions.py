"""Trees of earlier versions and of other schemes become trees by today's guidelines."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from small_treebank import trees

from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.annotation.parsing.parser_training import is_tree

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
EARLIER = "# source = UD_Serbian-SET@2018-04-08:sr_set-ud-train.conllu"


@pytest.fixture(autouse=True)
def _benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    for name in ("present_relations", "tree_conversion"):
        sys.modules.pop(name, None)


def sentence(*lines: str, source: str = EARLIER) -> Tree:
    """A tree from lines of form, part of speech, features, head and relation."""
    words = []
    for line in lines:
        form, upos, feats, head, relation = line.split()
        words.append(TreeWord(form, form.lower(), upos, "_", feats, int(head), relation))
    return Tree(words, [source])


def relations(tree: Tree) -> list[tuple[int, str]]:
    return [(word.head, word.deprel) for word in tree.words]


def test_a_name_after_a_title_is_flat_unless_a_sign_stands_between_them() -> None:
    from present_relations import with_present_relations

    joined = sentence("predsednik NOUN Case=Nom 3 nsubj", "Boris PROPN Case=Nom 1 appos", "kaže VERB _ 0 root")
    apart = sentence("grad NOUN _ 0 root", ", PUNCT _ 3 punct", "Beograd PROPN _ 1 appos")
    today = sentence("grad NOUN _ 0 root", "Beograd PROPN _ 1 appos", source="# source = UD_Serbian-SET")
    assert relations(with_present_relations(joined))[1] == (1, "flat")
    assert relations(with_present_relations(apart))[2] == (1, "appos")
    assert relations(with_present_relations(today))[1] == (1, "appos")


def test_compounds_are_what_they_are_in_other_phrases() -> None:
    from present_relations import with_present_relations

    tree = sentence(
        "Privredna ADJ _ 2 compound", "komora NOUN Case=Nom 4 nsubj", "se PRON _ 4 compound", "sastaje VERB _ 0 root",
        "2. ADJ _ 6 nummod", "marta NOUN Case=Gen 4 obl",
    )  # fmt: skip
    names = [relation for _, relation in relations(with_present_relations(tree))]
    assert names == ["amod", "nsubj", "expl", "root", "amod", "obl"]


def test_a_number_is_the_head_of_millions() -> None:
    from present_relations import with_present_relations

    tree = sentence("1,5 NUM _ 2 compound", "milijardi NOUN _ 3 nummod", "eura NOUN Case=Gen 0 root")
    assert relations(with_present_relations(tree)) == [(3, "nummod:gov"), (1, "flat"), (0, "root")]


def test_trees_of_a_close_language_have_no_other_relations() -> None:
    from present_relations import with_relations_of

    tree = sentence("minister NOUN Case=Nom 0 root", "Janez PROPN Case=Nom 1 nmod", "Novak PROPN Case=Nom 2 flat:name")
    here = with_relations_of("hbs", frozenset(("root", "nmod", "flat")), tree)
    assert here is not None
    assert [relation for _, relation in relations(here)] == ["root", "flat", "flat"]
    assert with_relations_of("hbs", frozenset(("root", "nmod")), tree) is None
    assert tree.words[1].deprel == "nmod"


def old_scheme(tree: Tree) -> Tree:
    """The tree with prepositions and conjunctions as heads, as the scheme of SETimes.HR has it."""
    words = [TreeWord(word.form, "", "", "", "", word.head, word.deprel.title()) for word in tree.words]
    for number, word in enumerate(tree.words, 1):
        if word.deprel in ("case", "cc"):
            words[number - 1].head, words[word.head - 1].head = words[word.head - 1].head, number
    return Tree(words)


def test_a_conversion_is_learnt_from_sentences_with_both_trees() -> None:
    from tree_conversion import with_converted

    gold = trees()
    bare = [
        Tree([TreeWord(word.form, word.lemma, word.upos, word.xpos, word.feats) for word in tree.words])
        for tree in gold
    ]
    half = len(gold) // 2
    mixed = [*gold[:half], *bare[half:]]
    old = [tree for tree in map(old_scheme, gold) if is_tree([word.head for word in tree.words])]
    converted = with_converted(mixed, old)
    assert converted[:half] == gold[:half]
    assert sum(tree.parsed for tree in converted) > 0.9 * len(gold)
    pairs = [(new, right) for tree, truth in zip(converted, gold, strict=True) if tree.parsed
             for new, right in zip(relations(tree), relations(truth), strict=True)]  # fmt: skip
    assert sum(new == right for new, right in pairs) > 0.95 * len(pairs)
