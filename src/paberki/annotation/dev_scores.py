"""Scores of single layers on dev data: a lemmatiser or a parser without a tagger is measured on gold tags."""

from __future__ import annotations

from collections.abc import Sequence

from paberki.annotation.annotation_scores import without_subtype
from paberki.annotation.files.annotation_model_file import AnnotationModelFile
from paberki.annotation.files.conllu_reading import Tree
from paberki.annotation.files.model_catalogue import annotator_of
from paberki.annotation.files.model_layers import ready
from paberki.annotation.parsing.parser import Parser
from paberki.annotation.parsing.tree_voting import parse_trees
from paberki.annotation.pipeline import Annotator
from paberki.annotation.tagging.tag_table import UPOS, tag_of


def own_annotator(model: AnnotationModelFile, lang: str) -> Annotator:
    """An annotator with the layers of one model only, none of the package."""
    return annotator_of(lang, ready(model, lang))


def gold_tag_scores(annotator: Annotator, model: AnnotationModelFile, trees: Sequence[Tree]) -> dict[str, float]:
    """Lemmas and trees given the right tags."""
    scores: dict[str, float] = {}
    words = [word for tree in trees for word in tree.words]
    if annotator.lemmatiser is not None and words:
        scheme = model.about.get("layers", {}).get("lemmas", {}).get("scheme", UPOS)
        lemmas = annotator.lemmatiser.lemmas([word.form for word in words], [tag_of(word, scheme) for word in words])
        right = sum(lemma == word.lemma for lemma, word in zip(lemmas, words, strict=True))
        scores["Lemma (gold tags)"] = 100 * right / len(words)
    with_trees = [tree for tree in trees if tree.parsed]
    if annotator.parser is not None and with_trees:
        scores["UAS (gold tags)"], scores["LAS (gold tags)"] = _arcs(annotator.parser, with_trees)
    return scores


def _arcs(parser: Parser, trees: Sequence[Tree]) -> tuple[float, float]:
    words = [word for tree in trees for word in tree.words]
    heads, relations = parse_trees(parser, trees)
    arcs = [head == word.head for head, word in zip(heads, words, strict=True)]
    labels = [
        arc and without_subtype(relation) == without_subtype(word.deprel)
        for arc, relation, word in zip(arcs, relations, words, strict=True)
    ]
    return 100 * sum(arcs) / len(words), 100 * sum(labels) / len(words)
