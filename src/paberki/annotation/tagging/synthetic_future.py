"""The synthetic future of Serbian and Bosnian, made from the analytic one of Croatian (P3 §4).

Croatian writes *radit ćemo* where Serbian writes *radićemo*, and Croatian treebanks have no tag for the latter.
Training sentences with the analytic future are doubled: the copy has the synthetic form, its tag (``Vmf1p``) and
features.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.annotation.lemmas.lemmatiser import LearntLemmas
from paberki.annotation.tagging.tag_lexicon import FREQUENT, TagLexicon

LANGUAGES: Final = frozenset(("bs", "sr", "hbs"))
"""Languages that write the future so."""
CLITICS: Final = {"ću": "1s", "ćeš": "2s", "će": "3", "ćemo": "1p", "ćete": "2p"}
"""Forms of the auxiliary, with person and number; *će* is singular or plural."""
_SOFT: Final = {"s": "š", "z": "ž"}
_ALIKE: Final = 3
_NUMBERS: Final = {"s": "Sing", "p": "Plur"}


def synthetic(infinitive: str, clitic: str) -> str | None:
    """*raditi* or *radit* + *ćemo* → *radićemo*, *jesti* + *ću* → *ješću*; ``None`` for verbs in *-ći*."""
    stem = infinitive.removesuffix("i")
    if not stem.lower().endswith("t") or len(stem) < 3:
        return None
    stem = stem[:-1]
    return stem[:-1] + _SOFT.get(stem[-1], stem[-1]) + clitic


def features(person: str, number: str) -> str:
    """Universal features of the form."""
    return f"Mood=Ind|Number={_NUMBERS[number]}|Person={person}|Tense=Fut|VerbForm=Fin"


def with_synthetic(trees: Sequence[Tree]) -> list[Tree]:
    """The sentences, followed by copies in which the future is synthetic."""
    return [*trees, *synthetic_copies(trees)]


def synthetic_copies(trees: Sequence[Tree]) -> list[Tree]:
    """Copies of the sentences that have an analytic future."""
    return [copy for tree in trees if (copy := _copy(tree)) is not None]


def _copy(tree: Tree) -> Tree | None:
    """The sentence with every infinitive that stands before its auxiliary joined with it; without a tree."""
    words: list[TreeWord] = []
    has_changed = False
    skip = False
    for word, after in zip(tree.words, [*tree.words[1:], None], strict=True):
        if skip:
            skip = False
            continue
        one_word = _join(word, after) if after is not None else None
        words.append(one_word or TreeWord(word.form, word.lemma, word.upos, word.xpos, word.feats))
        skip = one_word is not None
        has_changed |= skip
    return Tree(words) if has_changed else None


def _join(verb: TreeWord, auxiliary: TreeWord) -> TreeWord | None:
    clitic = auxiliary.form.lower()
    # An infinitive with its last vowel (raditi ću) is written so in neither language.
    if verb.xpos != "Vmn" or clitic not in CLITICS or not verb.form.endswith("t"):
        return None
    form = synthetic(verb.form, clitic)
    person, number = CLITICS[clitic][0], CLITICS[clitic][1:] or auxiliary.xpos[-1:]
    if form is None or number not in _NUMBERS:
        return None
    return TreeWord(form, verb.lemma, "VERB", f"Vmf{person}{number}", features(person, number))


def add_forms(lexicon: TagLexicon, tags: Sequence[str], lemmas: LearntLemmas) -> TagLexicon:
    """The lexicon with the synthetic future of every known verb, which the lemmas learn too.

    Doubled sentences show the tagger where such a form stands, but hardly any of them is in the first or second
    person: the forms themselves follow from the infinitive.
    """
    numbers = {tag: number for number, tag in enumerate(tags)}
    words, endings = lexicon.entries(), lexicon.ending_entries()
    alike: dict[str, set[str]] = {}
    tags_of_ending: dict[str, list[int]] = {}
    for form, verb, tag_name in _forms(lemmas):
        if form in words or not all(tag in numbers for tag in tag_name):
            continue
        words[form] = (FREQUENT, tuple(numbers[tag] for tag in tag_name))
        lemmas.training_lemmas.update({(form, tag): verb for tag in tag_name})
        for length in (4, 5):
            ending = f"w{form[-length:]}"
            alike.setdefault(ending, set()).add(verb)
            tags_of_ending[ending] = [numbers[tag] for tag in tag_name]
    for ending, own in tags_of_ending.items():
        if len(alike[ending]) >= _ALIKE:
            endings[ending] = tuple(dict.fromkeys([*own, *endings.get(ending, ())]))
    lemmas.training_lemmas = dict(sorted(lemmas.training_lemmas.items()))
    return TagLexicon.of(dict(sorted(words.items())), dict(sorted(endings.items())), lexicon.coarse)


def add_lemmas(lemmas: LearntLemmas) -> None:
    """Lemmas of the synthetic future of every known verb, for a lemmatiser that is learnt without its tagger."""
    for form, verb, tag_name in list(_forms(lemmas)):
        for tag in tag_name:
            lemmas.training_lemmas.setdefault((form, tag), verb)
    lemmas.training_lemmas = dict(sorted(lemmas.training_lemmas.items()))


def _forms(lemmas: LearntLemmas) -> Iterator[tuple[str, str, list[str]]]:
    """Forms of all verbs, each with its infinitive and the tags it may have."""
    verbs = sorted(
        {lemma for (_, tag), lemma in lemmas.training_lemmas.items() if tag.startswith("Vm") and lemma.endswith("ti")}
    )
    for verb in verbs:
        for clitic, person in CLITICS.items():
            form = synthetic(verb, clitic)
            if form is not None:
                yield form, verb, [f"Vmf{person}"] if len(person) > 1 else [f"Vmf{person}s", f"Vmf{person}p"]
