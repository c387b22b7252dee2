"""Words by hash: the compiled columns are the scalar ones, tables find what is there, dictionaries say what simplemma says."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paberki.annotation.files import model_layers
from paberki.annotation.lemmas.dictionary import dictionary, dictionary_entries
from paberki.annotation.lemmas.lemmatiser import Lemmatiser, train_lemmatiser
from paberki.annotation.tagging.string_hashes import HASH, NOTHING, HashedStrings, HashTable, key
from paberki.annotation.tagging.tag_lexicon import build_lexicon
from paberki.annotation.tagging.tagger import PerceptronTagger

WORDS = st.lists(st.text(max_size=9), max_size=8)
SENTENCES = [[("kuća", "Ncfsn"), ("je", "Var3s"), ("nova", "Agpfsny")], [("kuće", "Ncfsg"), ("su", "Var3p")]] * 12


@given(WORDS, st.integers(0, 40), st.integers(1, 6))
def test_columns_are_keys_of_pieces(words: list[str], kind: int, length: int) -> None:
    made = HashedStrings(words).columns([(kind, 0), (kind, length), (kind, -length), (kind, NOTHING)])
    expected = [[key(piece, kind) for piece in (word, word[-length:], word[:length], "")] for word in words]
    assert made.tolist() == expected


@given(WORDS, WORDS)
def test_a_table_finds_the_first_of_equals(there: list[str], asked: list[str]) -> None:
    found = HashTable(HashedStrings(there).hashes()).find(HashedStrings(asked).columns([(HASH, 0)])[:, 0])
    assert found.tolist() == [there.index(word) if word in there else -1 for word in asked]


def test_dictionaries_say_what_simplemma_says() -> None:
    from simplemma.strategies import DictionaryLookupStrategy

    words = ["kućama", "Zagrebu", "zagreb", "radili", "brglgrbl", "Kućama", "ići", "", "x"]
    known = dictionary("hr")
    assert known is not None
    assert known.look_up(words[:-2]) == [DictionaryLookupStrategy().get_lemma(word, "hbs") for word in words[:-2]]
    assert dictionary("bs") is not None
    assert dictionary("tlh") is None
    assert dictionary_entries("tlh", ["a"]) == [("", "")]
    assert dictionary_entries("hr", ["kućama"]) == [("2|0|", "kuća")]


def test_tags_that_a_word_may_have() -> None:
    tags = sorted({tag for sentence in SENTENCES for _, tag in sentence})
    lexicon = build_lexicon(SENTENCES, tags)
    assert lexicon.spelled(["kuca", "kuća", "je"])[0] == ["kuća", "kuća", "je"]
    assert lexicon.find(["je", "ju"]).tolist()[1] == -1
    tagger = PerceptronTagger(tags, lexicon, 10)
    described = tagger.describe(["Kuća", "kuca", "xyz"])
    own = [described.choices[a:b].tolist() for a, b in zip(described.edges, described.edges[1:], strict=False)]
    assert own[0][0] == own[1][0] == tags.index("Ncfsn")
    assert set(own[2]) <= set(range(len(tags)))
    assert described.columns[0, 0] == described.columns[1, 0] == key("kuća", 1)
    assert described.columns[2, 0] == key("<unknown>", 1)
    assert np.array_equal(tagger.describe([]).edges, [0])


def test_lemmas_many_at_a_time_are_those_of_one_at_a_time() -> None:
    words = [
        ("kuće", "Ncfsg", "kuća"),
        ("Ivana", "Npmsg", "Ivan"),
        ("radio", "Vmp-sm", "raditi"),
        ("su", "Var3p", "biti"),
    ]
    made = Lemmatiser.of(train_lemmatiser(words, "hr"))
    forms = ["kuće", "kućama", "Marka", "NATO-a", "su", "...", "letio", "x" * 300]
    tags = ["Ncfsg", "Ncfpd", "Npmsg", "Npmsg", "Var3p", "Z", "Vmp-sm", "Ncmsn"]
    assert made.lemmas(forms, tags) == [made.lemma(form, tag) for form, tag in zip(forms, tags, strict=True)]
    assert made.lemmas(forms[:2], tags[:2]) == ["kuća", "kuća"]


def test_the_dictionary_is_not_believed_where_it_is_mostly_wrong() -> None:
    # The dictionary has these forms of nouns as forms of verbs in -ati.
    words = [("satiru", "Ncfsa", "satira"), ("kuću", "Ncfsa", "kuća"), ("vodu", "Ncfsa", "voda")]
    dictionary_entries = dictionary("hr")
    assert dictionary_entries is not None
    assert dictionary_entries.look_up(["satiru"]) == ["satirati"]
    learnt = train_lemmatiser(words, "hr")
    assert ("1ati", "Ncfsa") in learnt.doubtful
    unseen = train_lemmatiser([*words[1:], ("satire", "Ncfsg", "satira")], "hr")
    unseen.doubtful = learnt.doubtful
    assert Lemmatiser.of(unseen).lemma("satiru", "Ncfsa") == "satira"
    unseen.doubtful = set()
    assert Lemmatiser.of(unseen).lemma("satiru", "Ncfsa") == "satirati"
    again = model_layers.lemmatiser_of(
        model_layers.lemmatiser_ready(model_layers.lemmatiser_parts(learnt, {}), "hr"), "hr"
    )
    assert again.doubtful == learnt.doubtful


def test_a_rule_leaves_something_of_a_word() -> None:
    made = Lemmatiser.of(train_lemmatiser([("lepšej", "Adj", "dobrý"), ("novej", "Adj", "nový")]))
    assert made.lemma("lepšej", "Adj") == "dobrý"
    assert made.lemma("krátšej", "Adj") == "krátšý"
