"""Trees of earlier versions of the Croatian and Serbian treebanks, by the guidelines that these treebanks follow today.

Until 2020 names after a title were appositions (*predsjednik Ivan*; now ``flat``), parts of names of institutions and the
reflexive *se* of Serbian were ``compound`` (now what they are in other phrases, and ``expl``), ordinal numbers ``nummod``
(now ``amod``), and *milijuna* or *%* the head of the number before it (now its ``flat``).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from paberki.annotation.files.conllu_reading import Tree, TreeWord

_EARLIER: Final = re.compile(r"UD_(Croatian|Serbian)-SET@20(1\d|20)|dev_ud|test_ud")
_UD_1: Final = {
    "dobj": "obj", "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass", "auxpass:reflex": "expl:pass",
    "mwe": "fixed", "name": "flat", "neg": "advmod", "foreign": "flat:foreign", "remnant": "orphan",
}  # fmt: skip
"""Relations of the first version of Universal Dependencies that have another name now."""
_RENAMED: Final = {"nummod_gov": "nummod:gov", "expl:pv": "expl", "aux:pass": "aux"}
_AMOUNT: Final = re.compile(r"(milij|mili[oj]|bilij|bili[oj]|tisuć|hiljad)", re.IGNORECASE)
_BY_CLASS: Final = {
    "ADJ": "amod", "DET": "det", "ADP": "case", "CCONJ": "cc", "PUNCT": "punct", "AUX": "aux", "NUM": "nummod", "SCONJ": "fixed",
    "ADV": "advmod", "PART": "advmod",
}  # fmt: skip
_BREAKS: Final = frozenset(",;:()[]\"”“„»«'-–—") | {"--"}
_NAMES: Final = ("PROPN", "X")
_COUNTED: Final = ("nummod", "nummod:gov", "compound")


def with_names_of_today(tree: Tree) -> Tree:
    """The sentence itself, with today's names instead of those of the first version of Universal Dependencies."""
    if not re.search(r"@201([0-6]|7-0[12])", tree.comment("source") or ""):
        return tree
    for word in tree.words:
        if word.deprel == "nmod" and word.head > 0 and tree.words[word.head - 1].upos in ("VERB", "AUX"):
            word.deprel = "obl"
        if word.deprel in ("cop", "aux", "auxpass") and word.upos == "VERB":
            word.upos = "AUX"
    for word in tree.words:
        word.deprel = _UD_1.get(word.deprel, word.deprel)
        word.upos = "CCONJ" if word.upos == "CONJ" else word.upos
        word.feats = "|".join(sorted(word.feats.replace("Negative=", "Polarity=").split("|"), key=str.lower))
    return tree


def with_present_relations(tree: Tree) -> Tree:
    """The sentence itself, its relations changed to those of today if its source is an earlier version."""
    if not _EARLIER.match(tree.comment("source") or ""):
        return tree
    for number in range(1, len(tree.words) + 1):
        _turn_amount(tree.words, number)
    for number, word in enumerate(tree.words, 1):
        if word.head <= 0:
            continue
        head = tree.words[word.head - 1]
        word.deprel = _RENAMED.get(word.deprel, word.deprel)
        if word.deprel == "compound":
            word.deprel = _uncompounded(tree.words, number, word, head)
        elif word.deprel == "appos" and word.upos in _NAMES and head.upos == "NOUN" and _joined(tree.words, number):
            word.deprel = "flat"
        elif word.deprel == "nummod" and (word.upos == "ADJ" or word.xpos.startswith("Mdo")):
            word.deprel = "amod"
        elif word.deprel == "nummod" and number < word.head and "Case=Gen" in head.feats and "Case=" not in word.feats:
            word.deprel = "nummod:gov"
    return tree


def _joined(words: list[TreeWord], number: int) -> bool:
    """Whether a word comes after its head without a sign between them."""
    head = words[number - 1].head
    return 0 < head < number and not any(one.form in _BREAKS for one in words[head : number - 1])


def _uncompounded(words: list[TreeWord], number: int, word: TreeWord, head: TreeWord) -> str:
    """What a part of a compound is today."""
    if word.upos == "PRON":
        return "expl" if word.lemma == "sebe" or word.form.lower() in ("se", "si") else "fixed"
    if word.upos in _BY_CLASS:
        return _BY_CLASS[word.upos]
    if any(one.head == number and one.deprel == "case" for one in words) or "Case=Gen" in word.feats:
        return "nmod"
    return "flat" if word.upos in _NAMES or head.upos in _NAMES else "nmod"


def _turn_amount(words: list[TreeWord], number: int) -> None:
    """Make a number the head of *milijuna* or *%* after it, if it depends on that."""
    word = words[number - 1]
    if word.upos != "NUM" or word.deprel not in _COUNTED or word.head != number + 1:
        return
    amount = words[number]
    if not (amount.upos == "SYM" or _AMOUNT.match(amount.form)):
        return
    word.head, word.deprel = amount.head, amount.deprel if amount.upos == "SYM" else _counting(amount)
    for one in words:
        if one.head == number + 1:
            one.head = number
    amount.head, amount.deprel = number, "flat"


def _counting(amount: TreeWord) -> str:
    return "nummod:gov" if amount.deprel in _COUNTED else amount.deprel


def with_relations_of(lang: str, relations: frozenset[str], tree: Tree) -> Tree | None:
    """The sentence of a close language with the relations of ``lang``; ``None`` if it has others.

    A name after a title is ``flat`` in Croatian and Serbian, ``nmod`` in Slovene; there names have a subtype of their own.
    """
    words = []
    for word in tree.words:
        relation, head = word.deprel, tree.words[word.head - 1] if word.head > 0 else None
        if lang == "sl" and relation == "flat" and head is not None and word.upos == "PROPN":
            relation = "nmod" if head.upos == "NOUN" else "flat:name"
        elif lang != "sl" and relation == "nmod" and head is not None and _is_title(word, head):
            relation = "flat"
        relation = relation if relation in relations else relation.partition(":")[0]
        if relation not in relations:
            return None
        words.append(replace(word, deprel=relation))
    return Tree(words, tree.comments, tree.extras)


def _is_title(word: TreeWord, head: TreeWord) -> bool:
    """Whether a name has the case of the noun that it depends on."""
    case = next((one for one in word.feats.split("|") if one.startswith("Case=")), None)
    return word.upos == "PROPN" and head.upos == "NOUN" and case is not None and case in head.feats.split("|")
