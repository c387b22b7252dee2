"""What BlackLab's public tests say about its query language, as cases of our own: lines with one word on either side."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.errors import QueryError
from paberki.query.concordancer import OpenIndex
from paberki.query.hits.hits import Hits
from paberki.query.sources.vertical import index_vertical

_PAGES = [
    "<s> <entity> The/the/art quick/quick/adj brown/brown/adj fox/fox/nou </entity> jumps/jump/vrb over/over/pre"
    " <entity> the/the/art lazy/lazy/adj dog/dog/nou </entity> </s>",
    "noot/noot/ mier/mier/ aap/aap/ mier/mier/ mier/mier/ mier/mier/ noot/noot/ noot/noot/ aap/aap/ aap/aap/ aap/aap/ aap/aap/",
    "<s> May/may/vrb <entity> the/the/art Force/force/nou </entity> be/be/vrb with/with/pre you/you/pro </s>",
    "<s> To/to/pre find/find/vrb or/or/con not/be/adv to/to/pre find/find/vrb </s>"
    " <s> That/that/pro is/be/vrb the/the/art question/question/nou </s>",
]  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> OpenIndex:
    directory: Path = tmp_path_factory.mktemp("facts")
    lines = []
    for number, page in enumerate(_PAGES):
        words = [word if word.startswith("<") else word.replace("/", "\t") for word in page.split()]
        lines += [f'<doc pid="{number}">', *words, "</doc>"]
    (directory / "facts.vert").write_text("\n".join(lines) + "\n", encoding="utf-8")
    index_vertical(directory / "facts.vert", directory / "index", ["word", "lemma", "pos"], lang="en")
    return OpenIndex(directory / "index")


def lines_of(hits: Hits) -> list[str]:
    return [f"{line.left} [{line.node}] {line.right}".strip() for line in hits.page(0, context=1)]


_THE = ["[The] quick", "over [the] lazy", "May [the] Force", "is [the] question"]
_EQUAL = ["noot [mier aap mier] mier", "noot [aap aap aap] aap", "aap [aap aap aap]"]
_FORCE = ["[May the Force be with] you"]
_AROUND_BROWN = [
    "[The quick brown fox] jumps", "[The quick brown fox jumps] over", "[The quick brown fox jumps over] the",
    "[The quick brown fox jumps over the] lazy", "The [quick brown fox] jumps", "The [quick brown fox jumps] over",
    "The [quick brown fox jumps over] the", "The [quick brown fox jumps over the] lazy",
    "The [quick brown fox jumps over the lazy] dog",
]  # fmt: skip
FACTS: list[tuple[str, list[str]]] = [
    # Words: capitals do not count unless the pattern says so.
    ("'the'", _THE),
    ("'(?-i)the'", _THE[1:]),
    ("[pos='nou']", ["brown [fox] jumps", "lazy [dog]", "the [Force] be", "the [question]"]),
    ("'b.*'", ["quick [brown] fox", "Force [be] with"]),
    ("'fo[xr].*'", ["brown [fox] jumps", "the [Force] be"]),
    ("[word = 'jumps' | lemma = 'jump']", ["fox [jumps] over"]),
    ("[word = 'jumps' | lemma = 'over']", ["fox [jumps] over", "jumps [over] the"]),
    ("[word = 'jumps' & lemma = 'jump']", ["fox [jumps] over"]),
    ("[pos = 'adj' & lemma = '.*u.*']", ["The [quick] brown"]),
    ("'the' within <doc pid='2'/>", ["May [the] Force"]),
    # Sequences stay on their page.
    ("[pos='adj'] [pos='nou']", ["quick [brown fox] jumps", "the [lazy dog]"]),
    ("'aap' 'mier'", ["mier [aap mier] mier"]),
    ("'May' 'the'", ["[May the] Force"]),
    ("'May' 'the' ('force' 'be' 'with') 'you'", ["[May the Force be with you]"]),
    ("'May' 'the' 'force' 'be' 'with' 'you'", ["[May the Force be with you]"]),
    ("'May' 'Force'", []),
    ("'noot' 'mier' 'aap'", ["[noot mier aap] mier"]),
    ("'the' '.*c.'", ["[The quick] brown", "May [the Force] be"]),
    ('".*E" "quick"', ["[The quick] brown"]),
    ("[pos='nou'] []", ["brown [fox jumps] over", "the [Force be] with"]),
    ("[] [pos='nou']", ["quick [brown fox] jumps", "the [lazy dog]", "May [the Force] be", "is [the question]"]),
    # Optional tokens: every span is a hit, the empty one never.
    ("[]? [pos='pro']", ["be [with you]", "with [you]", "to [find That] is", "find [That] is"]),
    ("[pos='pro'] []?", ["with [you]", "find [That] is", "find [That is] the"]),
    ("'with|find'? [pos='pro']?", ["be [with] you", "be [with you]", "with [you]", "To [find] or", "to [find] That",
                                   "to [find That] is", "find [That] is"]),
    # Repetition.
    ("[pos='adj']{2}", ["The [quick brown] fox"]),
    ("[pos='adj']{1,}", ["The [quick] brown", "The [quick brown] fox", "quick [brown] fox", "the [lazy] dog"]),
    ("[lemma='.*he']{0,10}", _THE),
    ("[pos='PD.*']+ '(?i)getal'", []),
    ("'May' 'the'+", ["[May the] Force"]),
    ("'May' '.*e'+ 'with'", _FORCE),
    ("'May' '(?-i).*e'{2,3} 'with'", _FORCE),
    ("'May' '(?-i).*e'+ 'with'", _FORCE),
    ("'May' 'dsgsdg'* 'the'", ["[May the] Force"]),
    ("'May' 'dsgsdg'+ 'the'", []),
    ("('aap' [word != 'noot']{1, 3} 'noot'{0,2}){2,}",
     ["mier [aap mier mier mier noot noot aap aap] aap", "mier [aap mier mier mier noot noot aap aap aap] aap",
      "mier [aap mier mier mier noot noot aap aap aap aap]", "noot [aap aap aap aap]"]),
    # Gaps.
    ("'May' 'the' []{2,3} 'with'", _FORCE),
    ("'May' 'the' []{0,2} 'Force'", ["[May the Force] be"]),
    ("'May' 'the' []+ 'Force'", []),
    ("'May' []+ 'Force'", ["[May the Force] be"]),
    ("'mier' []{1,2} 'noot' 'noot'", ["aap [mier mier mier noot noot] aap", "mier [mier mier noot noot] aap"]),
    ("'mier' [word != 'aap|mier']+ 'aap'", ["mier [mier noot noot aap] aap"]),
    ("'The' []{1,2} 'fox' []{1, 2} 'over'", ["[The quick brown fox jumps over] the"]),
    # & between patterns: the same span.
    ("[] & 'jumps'", ["fox [jumps] over"]),
    ("[]* & 'jumps'", ["fox [jumps] over"]),
    ("[]+ & 'jumps'", ["fox [jumps] over"]),
    ("[]+ & [] & 'jumps'", ["fox [jumps] over"]),
    ("[]{1,2} & 'jumps'", ["fox [jumps] over"]),
    ("[]{2,2} & 'jumps'", []),
    ("[] & ('jumps' 'over')", []),
    # Tags.
    ("<entity/>", ["[The quick brown fox] jumps", "over [the lazy dog]", "May [the Force] be"]),
    ("'b.*' within <entity/>", ["quick [brown] fox"]),
    ("<entity/> containing 'b.*'", ["[The quick brown fox] jumps"]),
    ("<s> 'the'", ["[The] quick"]),
    ("'dog' </s>", ["lazy [dog]"]),
    ("<s> []", ["[The] quick", "[May] the", "[To] find", "find [That] is"]),
    ("[] </s>", ["lazy [dog]", "with [you]", "to [find] That", "the [question]"]),
    ("<s/> containing 'to' []* 'or'", ["[To find or not to find] That"]),
    ("<doc pid='1|2'/> containing 'force'", ["[May the Force be with you]"]),
    # Within and containing are read from the right, unless there are brackets.
    ("'b.*' within <entity/> containing 'fox'", ["quick [brown] fox"]),
    ("([pos='adj']+ containing 'brown') 'fox'", ["The [quick brown fox] jumps", "quick [brown fox] jumps"]),
    ("<s/> containing (<entity/> containing 'force')", ["[May the Force be with you]"]),
    ("'jumps' !within <entity/>", ["fox [jumps] over"]),
    ("A:<entity/> containing 'force'", ["May [the Force] be"]),
    # Union, intersection and difference of patterns; ! binds most tightly, & and | are read from the left.
    ("('quick' 'brown' | 'lazy' 'dog')", ["The [quick brown] fox", "the [lazy dog]"]),
    ("('the' [] & [] 'force')", ["May [the Force] be"]),
    ("('the' [] & !([] 'lazy'))", ["[The quick] brown", "May [the Force] be", "is [the question]"]),
    ("!'d.*' & '.e.*'", ["Force [be] with"]),
    ("[pos='vrb' | pos='nou' & word='be']", ["Force [be] with"]),
    ("[!(pos='art')] 'fox'", ["quick [brown fox] jumps"]),
    # Literal strings, and sensitivity by either mark.
    ("l'fox'", ["brown [fox] jumps"]),
    ("[lemma=l'fo.']", []),
    ("'(?c)the'", _THE[1:]),
    ("'(?i)the'", _THE),
    # An operator on a group; a string is one token.
    ("('an?|the'? [pos='nou'])+",
     ["brown [fox] jumps", "lazy [dog]", "May [the Force] be", "the [Force] be", "is [the question]", "the [question]"]),
    ("'brown fox'", []),
    # Containing inside a sequence, and conditions on labels.
    ("a:[] ([]{1,5} containing 'brown') b:[]", _AROUND_BROWN),
    ("a:[] ([]{1,5} containing 'brown') b:[] :: a.lemma = b.lemma", ["[The quick brown fox jumps over the] lazy"]),
    ("(a:[] ([]{1,5} containing 'brown') b:[] :: a.lemma = b.lemma) 'lazy'",
     ["[The quick brown fox jumps over the lazy] dog"]),
    ("(a:[] [] b:[] :: a.lemma = b.lemma) []",
     ["noot [mier aap mier mier] mier", "aap [mier mier mier noot] noot", "noot [aap aap aap aap]"]),
    ("[] ([]{1,5} containing 'brown')",
     ["[The quick brown] fox", "[The quick brown fox] jumps", "[The quick brown fox jumps] over",
      "[The quick brown fox jumps over] the", "The [quick brown] fox", "The [quick brown fox] jumps",
      "The [quick brown fox jumps] over", "The [quick brown fox jumps over] the",
      "The [quick brown fox jumps over the] lazy"]),
    ("a:'Force' :: a.word = 'Force'", ["the [Force] be"]),
    ("a:[] 'aap' b:[] :: a.word = b.word", _EQUAL),
    ("a:[] 'aap' b:[] :: a.word = b.lemma", _EQUAL),
    ("a:[] 'aap' 'mier' b:[] :: a.word = b.word", ["noot [mier aap mier mier] mier"]),
    ("a:[] 'aap' b:[] :: a.word = b.lemma | a.word = b.pos", _EQUAL),
    ("a:[] 'aap' b:[] :: a.word = b.lemma | a.lemma = b.word", _EQUAL),
    ("a:[] 'aap' b:[] :: a.word = b.lemma & a.word = b.pos", []),
    ("a:[] 'aap' b:[] :: a.word = b.lemma & a.word != b.pos", _EQUAL),
    ("a:[] 'aap' b:[] :: a.word = b.lemma & a.pos = b.pos", _EQUAL),
    ("a:[] 'aap' b:[word = a.word]", _EQUAL),
    ("(c:'noot')? a:[] 'aap' b:[] :: c -> (a.word = b.word)",
     ["[noot mier aap mier] mier", "noot [mier aap mier] mier", "noot [noot aap aap] aap",
      "noot [noot aap aap aap] aap", "noot [aap aap aap] aap", "aap [aap aap aap]"]),
    ("(c:'NOTININDEX')? a:[] 'aap' b:[] :: c -> a.word = b.word",
     ["noot [mier aap mier] mier", "noot [noot aap aap] aap", "noot [aap aap aap] aap", "aap [aap aap aap]"]),
    # One span with different labels is several hits.
    ("(A:'aap' 'mier' []|'aap' 'mier' A:[])", ["mier [aap mier mier] mier"] * 2),
    ("'aap' A:([]{1,2}) []{1,2}",
     ["mier [aap mier mier] mier", "mier [aap mier mier mier] noot", "mier [aap mier mier mier] noot",
      "mier [aap mier mier mier noot] noot", "noot [aap aap aap] aap", "noot [aap aap aap aap]",
      "noot [aap aap aap aap]", "aap [aap aap aap]"]),
]  # fmt: skip


_TREES = """
<s> I/i/pro/2/subj have/have/vrb/0/root a/a/art/5/det fluffy/fluffy/adj/5/amod cat/cat/nou/2/obj </s>
<s> Dogs/dog/nou/2/subj sleep/sleep/vrb/0/root </s>
<s> We/we/pro/2/subj see/see/vrb/0/root a/a/art/4/det dog/dog/nou/2/obj </s>
"""
_CAT, _DOG = "I [have a fluffy cat] Dogs", "We [see a dog]"
_CAT_SENTENCE, _DOG_SENTENCE = "[I have a fluffy cat] Dogs", "sleep [We see a dog]"
_SUBJECTS = ["[I have] a", "cat [Dogs sleep] We", "sleep [We see] a"]
_BOTH = [_SUBJECTS[0], _CAT, *_SUBJECTS[1:], _DOG]
TREE_FACTS: list[tuple[str, list[str]]] = [
    # The hit goes from one end of a relation to the other; names are regular expressions.
    ("_ -obj-> _", [_CAT, _DOG]),
    ("_ -obj-> 'cat'", [_CAT]),
    ("_ -dep::obj-> 'cat'", [_CAT]),
    ("_ -subj|obj-> _", _BOTH),
    ("_ -(subj|obj)-> _", _BOTH),
    ("_ -.*bj-> _", _BOTH),
    ("'have' --> _", [_SUBJECTS[0], _CAT]),
    # Roots.
    ("^--> _", ["I [have] a", "Dogs [sleep] We", "We [see] a"]),
    ("^--> 'have'", ["I [have] a"]),
    # Several relations of one source, some of which must not exist.
    ("_ -subj-> _ ; -obj-> _", [_CAT_SENTENCE, _DOG_SENTENCE]),
    ("_ -subj-> _ ; !-obj-> 'dog'", _SUBJECTS[:2]),
    ("_ -subj-> _ ; -obj-> [word != 'dog']", [_CAT_SENTENCE]),
    # Several levels: arrows are read from the right.
    ("_ -obj-> _ -amod-> 'fluffy'", [_CAT]),
    ("_ -subj-> _ ; -obj-> (_ -amod-> _)", [_CAT_SENTENCE]),
    ("^--> 'have' --> _ -amod-> 'fluffy'", [_CAT]),
    ("(<s/> containing (^--> 'have')) containing (_ -amod-> 'fluffy')", [_CAT_SENTENCE]),
    # The extent of hits, labels of relations and tokens, and what captures more.
    ("rspan(_ -amod-> _, 'source')", ["fluffy [cat] Dogs"]),
    ("rspan(_ -amod-> _, 'target')", ["a [fluffy] cat"]),
    ("rspan(_ -amod-> _, 'full')", ["a [fluffy cat] Dogs"]),
    ("rspan(_ -amod-> _)", ["a [fluffy cat] Dogs"]),
    ("rspan(_ -subj-> _ ; -obj-> (_ -amod-> _), 'all')", [_CAT_SENTENCE]),
    ("rel('amod')", ["fluffy [cat] Dogs"]),
    ("rel('amod', _, 'target')", ["a [fluffy] cat"]),
    ("rel('dep::obj', 'cat', 'full')", [_CAT]),
    ("rel('.*', 'fluffy', 'source', 'arrow', 'both')", ["fluffy [cat] Dogs"]),
    ("rel('obj') & [word = 'have']", ["I [have] a"]),
    ("<s/> containing rel('amod', 'fluffy')", [_CAT_SENTENCE]),
    ("_ object:-obj-> 'cat'", [_CAT]),
    ("A:_ -obj-> B:_ :: A.lemma = 'see'", [_DOG]),
    ("'cat' within rcapture(<s/>, 'relations')", ["fluffy [cat] Dogs"]),
]  # fmt: skip


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> OpenIndex:
    directory: Path = tmp_path_factory.mktemp("trees")
    words = [word if word.startswith("<") else word.replace("/", "\t") for word in _TREES.split()]
    (directory / "trees.vert").write_text("\n".join(["<doc>", *words, "</doc>", ""]), encoding="utf-8")
    columns = ["word", "lemma", "pos", "head", "deprel"]
    index_vertical(directory / "trees.vert", directory / "index", columns, lang="en")
    return OpenIndex(directory / "index")


@pytest.mark.parametrize(("query", "expected"), TREE_FACTS, ids=[query for query, _ in TREE_FACTS])
def test_fact_of_trees(trees: OpenIndex, query: str, expected: list[str]) -> None:
    assert lines_of(trees.query(query, dialect="blacklab")) == expected


def test_a_capture_takes_its_repetition_along(corpus: OpenIndex) -> None:
    hits = corpus.query("'the' A:[pos='adj']+ 1:'fox'", dialect="blacklab")
    assert hits.labels() == [{"A": (1, 3), "1": (3, 4)}]


@pytest.mark.parametrize("query", ["!('the' 'fox')", "!('a' 'b') & !('c' 'd')", "'a' !('b' 'c')"])
def test_a_difference_needs_something_to_take_away_from(corpus: OpenIndex, query: str) -> None:
    with pytest.raises(QueryError, match="beside it") as caught:
        corpus.query(query, dialect="blacklab").count()
    assert caught.value.position is not None


@pytest.mark.parametrize(("query", "expected"), FACTS, ids=[query for query, _ in FACTS])
def test_fact(corpus: OpenIndex, query: str, expected: list[str]) -> None:
    hits = corpus.query(query, dialect="blacklab")
    assert lines_of(hits) == expected
    assert corpus.query(query, dialect="blacklab").count() == len(expected)


def test_pairs_of_tokens_are_those_of_each_page(corpus: OpenIndex) -> None:
    assert corpus.query("[] []", dialect="blacklab").count() == 33
    assert corpus.query("[] []", dialect="cqp").count() == 36


def test_labels_are_told(corpus: OpenIndex) -> None:
    assert corpus.query("A:'aap'", dialect="blacklab").labels()[0]["A"] == (11, 12)
    two = corpus.query("(A:'aap' 'mier' []|'aap' 'mier' A:[])", dialect="blacklab").labels()
    assert [labels["A"] for labels in two] == [(11, 12), (13, 14)]


def test_sorting(corpus: OpenIndex) -> None:
    by_left = corpus.query("'the'", dialect="blacklab").sort("left")
    assert lines_of(by_left) == ["[The] quick", "is [the] question", "May [the] Force", "over [the] lazy"]
    hits = corpus.query("(c:'NOTININDEX')? a:[] 'aap' b:[] :: c -> a.word = b.word", dialect="blacklab")
    assert lines_of(hits.sort("node", "left")) == [
        "aap [aap aap aap]", "noot [aap aap aap] aap", "noot [mier aap mier] mier", "noot [noot aap aap] aap"
    ]  # fmt: skip
