"""One set of tags for Czech: open treebanks of many years, and Slovak sentences beside them, tagged as FicTree and PDT-C are.

The treebanks all have positional tags of 15 places, but not the same ones. Earlier versions leave genders open (``Y`` for
any masculine, ``Z`` for masculine or neuter), which the tree decides: a determiner has the gender of its noun, a
participle that of its subject. They also have ``X`` where nothing is to be told. Parts of speech and features of earlier
versions are those that the latest ones give the same tag and lemma. Features of Slovak words get the Czech form; their
tags are made from part of speech and features by :func:`positional`, as are those that no Czech sentence has.

What cannot be mapped: aspect and kinds of names, which some of the treebanks do not tell. They are no part of what the
tagger learns; words whose lemma has them in the treebanks get them with the lemma.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from czech_spelling import czech_word

from paberki.annotation.files.conllu_reading import Tree, TreeWord

LATEST = re.compile(r"UD_Czech-CAC$|UD_Czech-CLTT@2025")
"""Sources whose parts of speech and features are today's."""
OPEN_GENDERS = {"Y": "MI", "Z": "MIN", "T": "IF", "H": "FN", "Q": "FN", "W": "IN", "X": "MIFN"}
USUAL = {"Vp": "MF", "PD": "NM", "PP": "M", "P5": "M", "PH": "M"}
"""Genders that are taken where the tree does not tell, if the tag allows them."""
GENDERS = {"M": ("Anim", "Masc"), "I": ("Inan", "Masc"), "F": ("", "Fem"), "N": ("", "Neut")}
PLACES = {value: place for place, value in GENDERS.items()}
CASES = {name: str(number) for number, name in enumerate(("Nom", "Gen", "Dat", "Acc", "Voc", "Loc", "Ins"), 1)}
NUMBERS = {"Sing": "S", "Plur": "P", "Dual": "D"}
DEGREES = {"Pos": "1", "Cmp": "2", "Sup": "3"}
UNTOLD = ("Aspect", "NameType", "NumValue", "ExtPos")
"""Features that depend on the lemma, and that not all sources have."""
SHORT_PRONOUNS = frozenset(("mi", "ti", "mu", "ho", "ma", "ťa"))

Features = dict[str, str]


def features_of(feats: str) -> Features:
    return dict(one.split("=", 1) for one in feats.split("|")) if feats != "_" else {}


def feats_of(features: Features) -> str:
    return "|".join(f"{name}={features[name]}" for name in sorted(features, key=str.lower) if features[name]) or "_"


def without_lemma_features(tree: Tree) -> Tree:
    """The sentence without features that depend on the lemma alone; auxiliaries keep theirs."""
    return Tree(
        [replace(word, feats=_without_untold(word)) for word in tree.words], extras=tree.extras, comments=tree.comments
    )


def _without_untold(word: TreeWord) -> str:
    features = features_of(word.feats)
    untold = [name for name in UNTOLD if name in features and not (name == "Aspect" and word.upos == "AUX")]
    return feats_of({name: value for name, value in features.items() if name not in untold}) if untold else word.feats


# ---- Czech ----


def same_tags(trees: Sequence[Tree]) -> list[Tree]:
    """The sentences with one set of tags, parts of speech and features."""
    for tree in trees:
        for number in range(len(tree.words)):
            _decide(tree, number)
    latest = [tree for tree in trees if LATEST.match(tree.comment("source") or "")]
    by_lemma, by_tag = _usage(latest, lambda word: (word.xpos, word.lemma.lower())), _usage(latest, lambda w: w.xpos)
    for tree in trees:
        if not LATEST.match(tree.comment("source") or ""):
            for word in tree.words:
                word.upos, word.feats = _today(word, by_lemma, by_tag)
    return list(trees)


def _usage(trees: Iterable[Tree], key) -> dict[object, tuple[str, str]]:
    counts: dict[object, Counter[tuple[str, str]]] = defaultdict(Counter)
    for tree in trees:
        for word in tree.words:
            counts[key(word)][word.upos, word.feats] += 1
    return {one: max(sorted(own), key=own.__getitem__) for one, own in counts.items()}


def _today(word: TreeWord, by_lemma: dict, by_tag: dict) -> tuple[str, str]:
    """Part of speech and features that the latest versions have."""
    own = by_lemma.get((word.xpos, word.lemma.lower()))
    if own:
        return own
    features = features_of(word.feats)
    if word.upos in ("NOUN", "PROPN"):
        features.pop("Polarity", None)
    usual = by_tag.get(word.xpos)
    if usual and usual[0] == word.upos:
        return word.upos, feats_of(
            {**features_of(usual[1]), **{name: features[name] for name in UNTOLD if name in features}}
        )
    return word.upos, feats_of(features)


def _decide(tree: Tree, number: int) -> None:
    """Decide what the tag of a word leaves open."""
    word = tree.words[number]
    tag = word.xpos
    if len(tag) != 15:
        return
    kind, gender, count = tag[:2], tag[2], tag[3]
    if kind in ("P7", "P6"):
        count = "-"
    if kind == "Vc" and "1" not in tag and "2" not in tag:
        tag = "Vc" + 13 * "-"
        gender = count = "-"
    if kind == "Vp":
        tag = tag.replace("X", "-")
    if kind in ("P4", "PQ", "PZ", "PW") and gender == "-":
        pass
    elif (kind == "Vp" or kind[0] == "P") and gender in OPEN_GENDERS:
        before = gender
        gender = _gender(tree, number, kind, OPEN_GENDERS[gender])
        if before == "Q":
            count = "P" if gender == "N" else "S"
        features = features_of(word.feats)
        animacy, name = GENDERS[gender]
        if "Gender" in features or kind == "Vp":
            features |= {"Gender": name, "Animacy": animacy}
            if before == "Q":
                features["Number"] = "Plur" if count == "P" else "Sing"
            word.feats = feats_of(features)
        elif before == "X":
            gender = before
    word.xpos = kind + gender + count + tag[4:]
    if kind[0] == "V" and word.upos == "AUX":
        word.feats = feats_of({**features_of(word.feats), "Aspect": "Imp"})


def _gender(tree: Tree, number: int, kind: str, choice: str) -> str:
    """The gender of the word that a word agrees with, if it is one of those that are open; else the usual one."""
    for other in _agreeing(tree, number, kind):
        gender = other.xpos[2:3] if len(other.xpos) == 15 else ""
        if gender in choice and gender:
            return gender
    return next((one for one in USUAL.get(kind, "") if one in choice), choice[0])


def _agreeing(tree: Tree, number: int, kind: str) -> Iterable[TreeWord]:
    """Words that a word may agree with: subjects of a verb, the noun of a determiner, what a relative clause is about."""
    word = tree.words[number]
    head = word.head
    if kind == "Vp":
        for verb in (number + 1, head):
            yield from (one for one in tree.words if one.head == verb and one.deprel.startswith(("nsubj", "csubj")))
        return
    if head > 0 and word.deprel.startswith(("det", "amod", "nummod")):
        yield tree.words[head - 1]
    steps = 0
    while kind == "P4" and head > 0 and steps < 5:
        verb = tree.words[head - 1]
        if verb.deprel.startswith("acl") and verb.head > 0:
            yield tree.words[verb.head - 1]
        head, steps = verb.head, steps + 1


# ---- Slovak ----


def as_czech(tree: Tree) -> Tree:
    """A Slovak sentence with the words, features and tags that Czech has."""
    words = []
    for word in tree.words:
        feats = feats_of(_czech_features(word, features_of(word.feats)))
        form, lemma = (word.form, word.lemma) if word.upos == "PROPN" else map(czech_word, (word.form, word.lemma))
        words.append(replace(word, form=form, lemma=lemma, feats=feats, xpos=positional(word.upos, feats)))
    return Tree(words, extras=tree.extras, comments=tree.comments)


def _czech_features(word: TreeWord, features: Features) -> Features:
    upos, lemma = word.upos, word.lemma.lower()
    if upos == "ADJ" and "NumType" not in features:
        features.setdefault("Polarity", "Neg" if lemma.startswith("ne") and "VerbForm" in features else "Pos")
        if features.get("Voice") == "Act":
            features.pop("Degree", None)
            features["Tense"] = "Pres"
    elif upos == "ADV":
        degree = features.get("Degree")
        if degree == "Pos" and not (len(lemma) > 4 and lemma.endswith(("o", "e", "y"))):
            del features["Degree"]
        elif degree:
            features["Polarity"] = "Pos"
    elif upos in ("VERB", "AUX"):
        features = _czech_verb(upos, features)
    elif upos == "NUM":
        features.setdefault("NumType", "Card")
        features.setdefault("NumForm", "Word")
    elif upos == "PRON":
        features = _czech_pronoun(word, features)
    return features


def _czech_verb(upos: str, features: Features) -> Features:
    if features.get("Mood") == "Cnd":
        return {"Aspect": "Imp", "Mood": "Cnd", "VerbForm": "Fin"}
    if upos == "AUX":
        features["Aspect"] = "Imp"
    if features.get("VerbForm") == "Part" and features.get("Tense") == "Past":
        features["Voice"] = "Act"
        if "Gender" not in features:
            features |= {"Gender": "Masc", "Animacy": "Anim"}
    if features.get("Mood") == "Ind":
        features["Voice"] = "Act"
    return features


def _czech_pronoun(word: TreeWord, features: Features) -> Features:
    form = word.form.lower()
    if features.get("Reflex") == "Yes" and "Poss" not in features:
        if "Case" not in features:
            features |= {"Case": "Dat" if form == "si" else "Acc", "Variant": "Short"}
        features.pop("Number", None)
    elif features.get("PronType") == "Prs" and "Poss" not in features:
        if form in SHORT_PRONOUNS:
            features["Variant"] = "Short"
        elif features.get("Person") == "3":
            features["PrepCase"] = "Pre" if form.startswith("n") else "Npr"
    elif features.get("PronType") in ("Int,Rel", "Ind", "Neg"):
        for name in ("Gender", "Number"):
            features.pop(name, None)
        features["Animacy"] = "Anim" if word.lemma.lower().endswith("kto") else "Inan"
    return features


# ---- tags from features ----


def positional(upos: str, feats: str) -> str:
    """A positional tag from part of speech and features."""
    features = features_of(feats)
    kind = _kind(upos, features)
    gender = PLACES.get((features.get("Animacy", ""), features.get("Gender", "")), "-")
    if gender == "-" and features.get("Gender") == "Masc":
        gender = "M"
    verb = kind[0] == "V"
    places = [
        kind[0],
        kind[1],
        gender,
        NUMBERS.get(features.get("Number", ""), "-"),
        CASES.get(features.get("Case", ""), "-"),
    ]
    places += [
        {"Masc": "M", "Fem": "F", "Neut": "N", "Masc,Neut": "Z"}.get(features.get("Gender[psor]", ""), "-"),
        NUMBERS.get(features.get("Number[psor]", ""), "-"), features.get("Person", "-"),
        {"Pres": "P", "Fut": "F", "Past": "R"}.get(features.get("Tense", ""), "-") if verb else "-",
        DEGREES.get(features.get("Degree", ""), "-") if kind in ("AA", "Dg") else "-", "-", "-", "-", "-", "-",
    ]  # fmt: skip
    if "Polarity" in features or kind in ("NN", "AA"):
        places[10] = "N" if features.get("Polarity") == "Neg" else "A"
    if kind in ("VB", "Vp"):
        places[11] = "A"
    if kind == "NN" and features.get("Abbr") == "Yes":
        places[14] = "8"
    return "".join(places)


_PLAIN_KINDS = {
    "NOUN": "NN", "PROPN": "NN", "CCONJ": "J^", "SCONJ": "J,", "PART": "TT", "INTJ": "II", "PUNCT": "Z:", "SYM": "Xx",
}  # fmt: skip


def _kind(upos: str, features: Features) -> str:
    """The first two places."""
    if upos in _PLAIN_KINDS:
        return _PLAIN_KINDS[upos]
    if upos == "ADJ":
        return _adjective(features)
    if upos == "ADV":
        return "Dg" if "Degree" in features else "Db"
    if upos == "ADP":
        return "RV" if features.get("AdpType") == "Voc" else "RR"
    if upos in ("VERB", "AUX"):
        return _verb(features)
    if upos == "NUM":
        return "C=" if features.get("NumForm") == "Digit" else "Cl" if "Gender" in features else "Cn"
    if upos in ("PRON", "DET"):
        return _pronoun(features)
    return "X@"


def _adjective(features: Features) -> str:
    if features.get("NumType") == "Ord":
        return "Cr"
    if features.get("Variant") == "Short":
        return "Vs" if features.get("VerbForm") == "Part" else "AC"
    if features.get("Voice") == "Act":
        return "AG"
    return "AU" if features.get("Poss") == "Yes" else "AA"


def _verb(features: Features) -> str:
    if features.get("VerbForm") == "Inf":
        return "Vf"
    if features.get("VerbForm") == "Part":
        return "Vs" if features.get("Voice") == "Pass" else "Vp"
    if features.get("VerbForm") == "Conv":
        return "Vm" if features.get("Tense") == "Past" else "Ve"
    return {"Imp": "Vi", "Cnd": "Vc"}.get(features.get("Mood", ""), "VB")


def _pronoun(features: Features) -> str:
    if features.get("NumType") == "Card":
        return "Ca"
    reflexive, short = features.get("Reflex") == "Yes", features.get("Variant") == "Short"
    if features.get("Poss") == "Yes":
        return "P8" if reflexive else "PS"
    if reflexive:
        return "P7" if short else "P6"
    if features.get("PronType") == "Prs":
        return "PH" if short else "P5" if features.get("PrepCase") == "Pre" else "PP"
    if features.get("PronType") == "Int,Rel":
        return "P4" if "Gender" in features else "PK" if features.get("Animacy") == "Anim" else "PQ"
    return {"Dem": "PD", "Tot": "PL", "Ind": "PZ", "Neg": "PW", "Rel": "PJ"}.get(features.get("PronType", ""), "PD")
