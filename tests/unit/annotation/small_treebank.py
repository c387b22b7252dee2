"""A small treebank made for the tests: sentences of a few patterns, so that it can be learnt in a second."""

from __future__ import annotations

import itertools

from paberki.annotation.files.conllu_reading import Tree, TreeWord

_NOUNS = {"pas": "Ncmsn", "mačka": "Ncfsn", "dječak": "Ncmsn", "žena": "Ncfsn", "vuk": "Ncmsn", "ptica": "Ncfsn"}
_VERBS = {"vidi": "vidjeti", "traži": "tražiti", "voli": "voljeti", "čuje": "čuti"}
_OBJECTS = {"kuću": "kuća", "knjigu": "knjiga", "vodu": "voda", "rijeku": "rijeka"}
_FEATS = {"Ncmsn": "Case=Nom|Gender=Masc|Number=Sing", "Ncfsn": "Case=Nom|Gender=Fem|Number=Sing"}


def trees() -> list[Tree]:
    """Subject, verb, object, full stop; some with an adverb."""
    found = []
    for number, (noun, verb, thing) in enumerate(itertools.product(_NOUNS, _VERBS, _OBJECTS)):
        words = [TreeWord(noun.capitalize(), noun, "NOUN", _NOUNS[noun], _FEATS[_NOUNS[noun]], 2, "nsubj")]
        words.append(TreeWord(verb, _VERBS[verb], "VERB", "Vmr3s", "Mood=Ind|Number=Sing|Person=3", 0, "root"))
        if number % 3 == 0:
            words.append(TreeWord("često", "često", "ADV", "Rgp", "Degree=Pos", 2, "advmod"))
        words.append(TreeWord(thing, _OBJECTS[thing], "NOUN", "Ncfsa", "Case=Acc|Gender=Fem|Number=Sing", 2, "obj"))
        words[-1].misc = "SpaceAfter=No"
        words.append(TreeWord(".", ".", "PUNCT", "Z", "_", 2, "punct"))
        found.append(Tree(words, [f"# sent_id = {number}"]))
    return found


def conllu() -> str:
    """The same as a file."""
    blocks = []
    for tree in trees():
        rows = [
            f"{number}\t{w.form}\t{w.lemma}\t{w.upos}\t{w.xpos}\t{w.feats}\t{w.head}\t{w.deprel}\t_\t{w.misc}"
            for number, w in enumerate(tree.words, 1)
        ]
        blocks.append("\n".join([*tree.comments, *rows, ""]))
    return "\n".join(blocks) + "\n"


def udpipe_model() -> bytes:
    """A model of UDPipe that has learnt these sentences."""
    import ufal.udpipe as udpipe

    sentences = udpipe.Sentences()
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(conllu())
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence):
        sentences.push_back(sentence)
        sentence = udpipe.Sentence()
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito", sentences, udpipe.Sentences(), "none", "iterations=3", "iterations=2", error
    )
    assert not error.occurred(), error.message
    return model if isinstance(model, bytes) else model.encode("latin-1", "surrogateescape")
