"""Forms of queries by hand, one or more of every family, on a corpus of our own; and BlackLab's ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.errors import QueryError
from paberki.query import open_index, run
from paberki.query.index.reader import Index
from paberki.query.sources.vertical import index_vertical

TEXT = """\
<doc id="1" year="2019" score="7.5" host="a.example">
<s n="1">
<np>
Mala\tmali\tA\t|Case=Nom|Gender=Fem|\t2\tamod
mačka\tmačka\tN\t|Case=Nom|Gender=Fem|\t3\tnsubj
</np>
vidi\tvidjeti\tV\t|\t0\troot
<np>
velikog\tvelik\tA\t|Case=Acc|Gender=Masc|\t6\tamod
starog\tstar\tA\t|Case=Acc|Gender=Masc|\t6\tamod
psa\tpas\tN\t|Case=Acc|Gender=Masc|\t3\tobj
</np>
.\t.\tZ\t|\t3\tpunct
</s>
<s n="2">
Pas\tpas\tN\t|Case=Nom|Gender=Masc|\t2\tnsubj
laje\tlajati\tV\t|\t0\troot
i\ti\tC\t|\t4\tcc
laje\tlajati\tV\t|\t2\tconj
.\t.\tZ\t|\t2\tpunct
</s>
</doc>
<doc id="2" year="2021" score="12" host="b.example" xml:lang="hr">
<s n="3">
Dan\tdan\tN\t|Case=Nom|\t0\troot
za\tza\tS\t|\t3\tcase
danom\tdan\tN\t|Case=Ins|\t1\tnmod
</s>
</doc>
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Index:
    directory: Path = tmp_path_factory.mktemp("forms")
    (directory / "forms.vert").write_text(TEXT, encoding="utf-8")
    index_vertical(
        directory / "forms.vert", directory / "index", ["word", "lemma", "tag", "feats*", "head", "deprel"], lang="hr"
    )
    return open_index(directory / "index")


def spans(index: Index, query: str, dialect: str = "cqp", strategy: str | None = None) -> list[tuple[int, int]]:
    table = run(index, query, dialect=dialect, strategy=strategy).all()
    return list(zip(table.starts.tolist(), table.ends.tolist(), strict=True))


CQP = [
    ('"psa"', [(5, 6)]),
    ('"PAS"%c', [(7, 8)]),
    ('"macka"%d', [(1, 2)]),
    ('"MACKA"%cd', [(1, 2)]),
    ('"."', [(6, 7), (9, 10), (11, 12)]),
    ('"."%l', [(6, 7), (11, 12)]),
    ('[word!=="." & tag="Z|C"]', [(9, 10)]),
    ('[lemma="pas" & feats contains "Case=Acc"]', [(5, 6)]),
    ('[feats matches "Case=.*"]', [(12, 13), (14, 15)]),
    ('[ambiguity(feats) = 1]', [(12, 13), (14, 15)]),
    ('[feats="\\|"]', [(2, 3), (6, 7), (8, 9), (9, 10), (10, 11), (11, 12), (13, 14)]),
    ('[tag="A"]+ [tag="N"]', [(0, 2), (3, 6)]),
    ('[tag="A"]{2}', [(3, 5)]),
    ('[tag="A"]{,2} "psa"', [(3, 6)]),
    ('"laje" []? "laje"', [(8, 11)]),
    ('("vidi" | "laje") []', [(2, 4), (8, 10), (10, 12)]),
    ("<s> []", [(0, 1), (7, 8), (12, 13)]),
    ("[] </s>", [(6, 7), (11, 12), (14, 15)]),
    ("<np> []* </np>", [(0, 2), (3, 6)]),
    ('<np> []* "psa" </np>', [(3, 6)]),
    ("<np/> [tag=\"V\"]", [(0, 3)]),
    ('<s n="2"> [] []', [(7, 9)]),
    ('<s_n="2|3"> []', [(7, 8), (12, 13)]),
    ('"\\." [] within s', []),
    ('"\\." []', [(6, 8), (11, 13)]),
    ('[tag="N"] within np', [(1, 2), (5, 6)]),
    ('[tag="N"] !within np', [(7, 8), (12, 13), (14, 15)]),
    ('[tag="N" & !np]', [(7, 8), (12, 13), (14, 15)]),
    ('[tag="N" & lbound(s)]', [(7, 8), (12, 13)]),
    ('<np/> containing [lemma="star"]', [(3, 6)]),
    ('<np/> !containing [lemma="star"]', [(0, 2)]),
    ('"laje" within (<s/> containing "Pas")', [(8, 9), (10, 11)]),
    ('[tag="N"] overlap <np/>', [(1, 2), (5, 6)]),
    ('[tag="N"] within <doc year="2021"/>', [(12, 13), (14, 15)]),
    ('[tag="N"] within <doc score=in[0,8]/>', [(1, 2), (5, 6), (7, 8)]),
    ('[tag="N"] within <doc year>="2020" & host="b.example"/>', [(12, 13), (14, 15)]),
    ('[tag="N"] :: match.doc_year < 2020', [(1, 2), (5, 6), (7, 8)]),
    ('[_.doc_year="2021" & tag="S"]', [(13, 14)]),
    ('[tag="A"] []* [tag="N"] within 1', [(0, 2), (4, 6)]),
    ('"danom" within <doc xml:lang="hr" year="2021"/>', [(14, 15)]),
    ('<doc xml:lang!="hr"/>', [(0, 12)]),
    ('"psa" expand to np', [(3, 6)]),
    ('([tag="N"] within <np/>) </np>', [(1, 2), (5, 6)]),
    ('<s> ([tag="N"] !within <np/>)', [(7, 8), (12, 13)]),
    ('<np> ([tag="A"] within <np/>)+ "psa" </np>', [(3, 6)]),
    ('<s> ([tag="A"] within <np/>) []* </np>', [(0, 2)]),
    ('("psa" within <np/>) [: tag="Z" :]', [(5, 6)]),
    ('([tag="Z"] within <s/>) [: tag="Z" :]', []),
    ('"psa" expand left to s', [(0, 6)]),
    ('"laje" expand to s', [(7, 12)]),
    ('"laje" cut 1', [(8, 9)]),
    ('"laje" cut 1 1', [(10, 11)]),
    ('a:[] [] b:[] :: a.lemma = b.lemma', [(5, 8), (8, 11), (12, 15)]),
    ("a:[] [] [lemma = a.lemma]", [(5, 8), (8, 11), (12, 15)]),
    ('a:[tag="N"] []* b:[tag="N"] :: distabs(a, b) > 2 within s', [(1, 6)]),
    ("a:[tag=\"N\"] :: f(a.lemma) = 2", [(5, 6), (7, 8), (12, 13), (14, 15)]),
    ('@[tag="A"] "psa"', [(4, 6)]),
    ('MU(meet "laje" "i" -1 1)', [(8, 9), (10, 11)]),
    ('MU(meet [tag="N"] [lemma="vidjeti"] s)', [(1, 2), (5, 6)]),
    ('MU(union "psa" "Pas")', [(5, 6), (7, 8)]),
    ('MU(meet "laje" not "Pas" -1 -1)', [(10, 11)]),
    ('TAB "laje" {1} "laje"', [(8, 11)]),
    ('TAB [tag="A"] * [tag="N"]', [(0, 2), (3, 6), (4, 6)]),
    ('[tag="A"] [: tag="N" :]', [(0, 1), (4, 5)]),
    ('[: tag="A" :] [] []', [(0, 2), (3, 5), (4, 6)]),
    ('[np] | [: tag="S" :] [tag!="N"]', [(0, 1), (1, 2), (3, 4), (4, 5), (5, 6), (13, 14)]),
    ('[tag="A"] (?! [tag="N"])', [(3, 4)]),
    ('(?<= [tag="A"]) [tag="A"]', [(4, 5)]),
    ("[#3]", [(3, 4)]),
    ("[#3-5 & tag=\"A\"]", [(3, 4), (4, 5)]),
    ("(?longest) [tag=\"A\"]+", [(0, 1), (3, 5)]),
    ('[tag="A"] & [word="s.*"]', [(4, 5)]),
    ('("velikog" within np) []', [(3, 5)]),
    ('define $w = "Pas psa"; [word = $w]', [(5, 6), (7, 8)]),
    ("define macro an(1) '[tag=\"$0\"] [tag=\"N\"]'; /an[\"A\"]", [(0, 2), (4, 6)]),
    ("/region[np]", [(0, 2), (3, 6)]),
    ('<"np|s"> [tag="A"]', [(0, 1), (3, 4)]),
    ("[word = \"(?i)pas\"]", [(7, 8)]),
    ('[word="p(?!as).*"]', [(5, 6)]),
    ('[word="(*UCP)\\w+"%l]', []),
    ('[word="(?=P).*"%c]', [(5, 6), (7, 8)]),
    ('[word="(?!.*E)p.*"%c]', [(5, 6), (7, 8)]),
    ('[word="p.*(?<=[as]S).*"%c]', [(7, 8)]),
    ('[word="(?=ma)\\w+"]', []),
    ('[word="(*UCP)(?=ma)\\w+"]', [(1, 2)]),
    ('"(*UCP)ma\\w+"', [(1, 2)]),
    ('"ma\\w+"', []),
    ('"\\p{Lu}\\p{L}+"', [(0, 1), (7, 8), (12, 13)]),
    ('[word = lemma & tag!="Z"]', [(1, 2), (9, 10), (13, 14)]),
    ('[!(_.word = _.lemma) & tag="N"]', [(5, 6), (7, 8), (12, 13), (14, 15)]),
    ('[word != lemma & tag="V"] [word = lemma]', [(8, 10), (10, 12)]),
    ('[word < lemma & tag="N"]', [(7, 8), (12, 13)]),
    ('[tag="N" & _ < 7]', [(1, 2), (5, 6)]),
    ("[_ = 3]", [(3, 4)]),
    ("[_ = 3.5]", []),
    ("[_ >= 12.5]", [(13, 14), (14, 15)]),
    ("[_ <= 4 & _ != 2 & !(_ > 3)]", [(0, 1), (1, 2), (3, 4)]),
    ('a:[tag="N"] :: a.np', [(1, 2), (5, 6)]),
    ('[tag="N"] :: !match.np & match.doc_year="2019"', [(7, 8)]),
    ('[tag="A"] a:[]? [tag="N"] :: a -> a.tag="A"', [(0, 2), (3, 6)]),
    ('[tag="N"] within <doc year="2021">', [(12, 13), (14, 15)]),
    ('[tag="N"] !within <np>', [(7, 8), (12, 13), (14, 15)]),
    ("_ -dep::obj-> _", [(2, 6)]),
    ('[tag="A"] a:[]? [tag="N"] :: a & a.np', [(3, 6)]),
    ('[tag="A"] a:[]? [tag="N"] :: !a | (a.word="x" & a.np)', [(0, 2), (4, 6)]),
]  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), CQP, ids=[query for query, _ in CQP])
def test_cqp(corpus: Index, query: str, expected: list[tuple[int, int]]) -> None:
    assert spans(corpus, query) == expected
    assert run(corpus, query).count().value == len(expected)


BLACKLAB = [
    ("'pas'", [(7, 8)]),
    ("'(?-i)pas'", []),
    ("'macka'", [(1, 2)]),
    ("[tag='n']", [(1, 2), (5, 6), (7, 8), (12, 13), (14, 15)]),
    ("[tag='A'] [tag='N']", [(0, 2), (4, 6)]),
    ("[tag='A']{1,}", [(0, 1), (3, 4), (3, 5), (4, 5)]),
    ("[tag='A']? 'psa'", [(4, 6), (5, 6)]),
    ("'laje' []?", [(8, 9), (8, 10), (10, 11), (10, 12)]),
    ("'velikog|starog'? [tag='N']?", [(1, 2), (3, 4), (4, 5), (4, 6), (5, 6), (7, 8), (12, 13), (14, 15)]),
    ("[lemma='.*k']{0,10}", [(3, 4)]),
    ("[] & 'laje'", [(8, 9), (10, 11)]),
    ("[]+ & 'laje'", [(8, 9), (10, 11)]),
    ("[]{2} & 'laje'", []),
    ("[word='laje' | lemma='i']", [(8, 9), (9, 10), (10, 11)]),
    ("<np/>", [(0, 2), (3, 6)]),
    ("'psa' within <np/>", [(5, 6)]),
    ("<np/> containing 'psa'", [(3, 6)]),
    ("<s> 'pas'", [(7, 8)]),
    ("<'n.*'/>", [(0, 2), (3, 6)]),
    ("'psa' within <np/> within <s/>", [(5, 6)]),
    ("'laje' (?= 'i')", [(8, 9)]),
    ("'laje' (?! 'i')", [(10, 11)]),
    ("a:[] [] b:[] :: a.word = b.word", [(8, 11)]),
    ("(c:'pas')? a:'laje' [] b:[] :: c -> (a.word = b.word)", [(7, 11), (8, 11)]),
    ("(a:[] [] b:[] :: a.lemma = b.lemma) '.'", [(8, 12)]),
    ("a:[] ([]{1,2} containing 'i') b:[]", [(7, 11), (8, 11), (8, 12)]),
    ("'laje' A:([]{1,2}) []{1,2} within <s/>", [(8, 11), (8, 12), (8, 12)]),
    ("(A:'laje' 'i' []|'laje' 'i' A:[])", [(8, 11), (8, 11)]),
    ("_ -nsubj-> _", [(1, 3), (7, 9)]),
    ("_ -obj-> [lemma='pas']", [(2, 6)]),
    ("[lemma='vidjeti'] -nsubj|obj-> _", [(1, 3), (2, 6)]),
    ("_ -nsubj-> _ ; -obj-> _", [(1, 6)]),
    ("_ -nsubj-> _ ; !-obj-> _", [(7, 9)]),
    ("_ -nsubj-> (_ -amod-> _)", [(0, 3)]),
    ("_ -nsubj-> _ -amod-> _", [(0, 3)]),
    ("_ -amod-> _ ; -amod-> _", [(3, 6), (3, 6)]),
    ("^--> _", [(2, 3), (8, 9), (12, 13)]),
    ("^--> (_ -nmod-> _)", [(12, 15)]),
    ("[lemma='vidjeti'] -->> [tag='A']", [(0, 3), (2, 4), (2, 5)]),
    ("rspan(_ -nsubj-> _, 'source')", [(2, 3), (8, 9)]),
    ("rspan(_ -nsubj-> _, 'target')", [(1, 2), (7, 8)]),
    ("rspan(_ -nsubj-> (_ -amod-> _), 'all')", [(0, 3)]),
    ("A:_ -amod-> B:_ :: A.Case = B.Case", [(0, 2), (3, 6), (4, 6)]),
    ("A:_ --> B:_ :: B < A", [(0, 2), (1, 3), (3, 6), (4, 6), (7, 9), (9, 11), (13, 15)]),
    ("A:_ --> B:_ :: distance(A, B) >= 3", [(2, 6), (2, 7), (8, 12)]),
    ("A:_ -nsubj-> B:_ :: start(B) < start(A)", [(1, 3), (7, 9)]),
]  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), BLACKLAB, ids=[query for query, _ in BLACKLAB])
def test_blacklab(corpus: Index, query: str, expected: list[tuple[int, int]]) -> None:
    assert spans(corpus, query, "blacklab") == expected


def test_strategies(corpus: Index) -> None:
    query = '[tag="A"]* [tag="N"]'
    assert spans(corpus, query, strategy="all") == [(0, 2), (1, 2), (3, 6), (4, 6), (5, 6), (7, 8), (12, 13), (14, 15)]
    assert spans(corpus, query, strategy="standard") == [(0, 2), (3, 6), (7, 8), (12, 13), (14, 15)]
    assert spans(corpus, query, strategy="shortest") == [(1, 2), (5, 6), (7, 8), (12, 13), (14, 15)]
    assert spans(corpus, query, strategy="longest") == [(0, 2), (3, 6), (7, 8), (12, 13), (14, 15)]


ERRORS = [
    ('"zzz"*', "match nothing", None),
    ("[]{0,1000000}", "too large", None),
    ('[lema="x"]', "no attribute 'lema'", "lemma"),
    ('"x" within ss', "no structure 'ss'", "s"),
    ("<foo> []", "no structure 'foo'", None),
    ('<doc yeer="1"> []', "no attribute of doc 'yeer'", "year"),
    ('"(a"', "regular expression", None),
    ('[word="[a"]', "regular expression", None),
    ('[tag="*"]', "regular expression", None),
    ("a:[] :: b.word = a.word", "no token has the label 'b'", None),
    ('a:"x"? "y" :: a.word = "z"', "not set in every match", None),
    ('(a:"x" | "y") :: a.word = "z"', "not set in every match", None),
    ('a:"x"? "y" :: a.word = "z" | a', "not set in every match", None),
    ('a:"x"? "y" :: a.np', "not set in every match", None),
    ('a:[] :: a.wrod = "x"', "no attribute 'wrod'", "word"),
    ('a:[] :: a.doc = "x"', "is a structure, not an attribute.*doc_year", None),
    ('[np = "x"]', "is a structure, not an attribute.*has no attributes", None),
    ('"a)(b"', "regular expression", None),
    ('[word = b.word]', "no token has the label 'b'", None),
    ('(?<= []*) "x"', "look-behind", None),
    ('"x" expand to foo', "no structure 'foo'", None),
    ('[] -nsubj-> ("a" "b")', "single tokens", None),
    ('MU(meet "a" "b" foo)', "no structure 'foo'", None),
]  # fmt: skip


@pytest.mark.parametrize(("query", "message", "suggestion"), ERRORS, ids=[query for query, *_ in ERRORS])
def test_errors(corpus: Index, query: str, message: str, suggestion: str | None) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        run(corpus, query)
    if suggestion is not None:
        assert caught.value.suggestion == suggestion
    if "match nothing" not in message and "too large" not in message and "look-behind" not in message:
        assert caught.value.position is not None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('[ws("pas", "amod", "star")]', [(5, 6)]),
        ('[ws("star", "amod of", "pas")]', [(4, 5)]),
        ('"velikog" "starog" [ws("pas", "amod", "velik") & tag="N"]', [(3, 6)]),
        ('[ws("pas", "amod", "mali")]', []),
        ('[punctAfter="[.]"]', [(5, 6), (10, 11)]),
        ('[tag="V" & punctAfter != "[.]"]', [(2, 3), (8, 9)]),
        ('[punctBefore="[.]"] []', [(7, 9), (12, 14)]),
        ('A:[tag="N" & punctAfter="."] :: A.lemma = "pas"', [(5, 6)]),
    ],
)
def test_neighbours_as_other_engines_spell_them(corpus: Index, query: str, expected: list[tuple[int, int]]) -> None:
    assert spans(corpus, query) == expected


@pytest.mark.parametrize("query", ['[ws("pas", "amod")]', "[ws(1, 2)]", '[ws("a", "b", "c") & ws("d", "e", "f")]'])
def test_sketches_of_another_form_are_errors(corpus: Index, query: str) -> None:
    with pytest.raises(QueryError, match="ws"):
        run(corpus, query)
