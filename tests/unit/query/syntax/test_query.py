"""The query language: what parses to what, printing and reading back, places of errors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.errors import QueryError
from paberki.query.syntax import DIALECTS, from_json, parse
from paberki.query.syntax.terms import And, Attribute, Comparison, Not, Or, Text
from paberki.query.syntax.tree import Choice, Filter, Labelled, Look, Region, Repeat, Sequence, TokenPattern

ACCEPTED = [
    '"a"', "'a'", '"a"%c', '"a" %cd', '[word="a"]', "[]", "[]*", '[word="a" & lemma="b" | tag="c"]', '[!(word="a")]',
    '[word!="a"]', '[word=="a.b"]', '[word!=="."]', '[tag<="B" & tag!>="C"]', '[feats contains "a"]',
    '[feats not contains "a"]', '[feats matches "a"]', '"a" "b"', '"a" | "b" "c"', '("a" | "b") "c"', '"a"?', '"a"{2}',
    '"a"{2,}', '"a"{,3}', '"a"{2,3}', "<s>", "</s>", "<s/>", '<s id="1">', '<s_id="1" %c>', '<s id="1" & type="x"/>',
    '<doc year>="2010"/>', "<doc badness=in[0,8]/>", '<doc xml:lang="hr" tei.type="b"/>', '<"a|b"/>', "<<np>>", '"a" within s', '"a" within <s/>', '"a" within 3',
    '"a" within 2 s', '"a" !within <s/>', '"a" not within s', '<s/> containing "a"', '<s/> !containing "a"', '"a" overlap <s/>',
    '"a" within (<s/> containing "b")', 'a:[] :: a.word = "x"', 'a:[] b:[] :: a.word = b.word & distance(a, b) < 3',
    '1:[] 2:[] & 1.lemma = 2.lemma', '1:[] & f(1.lemma) > 3', '@[]', '@9[]', "@:[]", "@3:[]", '[word = a.word]', '[~a.word = word]',
    'MU(meet "a" "b" -2 2)', 'MU(meet "a" "b" s)', 'MU(meet "a" "b")', '(meet "a" (union "b" "c") 1 5)', 'MU(union "a" "b")',
    'TAB "a" {2} "b"', 'TAB "a" * "b" "c"', '[: tag="N" :] []', "[::] []", '(?= "a" "b") []', '[] (?! "a")', '(?<= "a") []',
    '(?<! "a") []', '(?longest) "a"+', '"a" cut 10', '"a" cut 3 5', '"a" expand to s', '"a" expand left to 2 s',
    '"a" expand to 5', "[#3]", "[#3-5]", "[word=\"a\" -> tag=\"b\"]", "_ -nsubj-> _", "_ --> _", "_ -->> _", "^--> _", "^-root-> _",
    "_ !-obj-> _", "A:_ -nsubj-> B:_ ; -obj-> C:_ ; !-iobj-> _", "_ -(a|b)-> (_ -c-> _)", "rspan(_ --> _, 'all')", '"a" & "b"',
    '"a";', 'define $x = "a b"; [word = $x]', "define macro m(1) '\"$0\"'; /m[\"a\"]", "/region[s]", '# a comment\n"a"', 'l"a.b"',
    '[lbound(s) & np]', '[ambiguity(feats) > 2]', '(a:[] :: a.word = "x") "b"', '"a" :: match.doc_year >= 2010', '"\\""', '"a""b"',
    '[badness=in[,8.5]]', "[word='it\\'s']",
]  # fmt: skip


@pytest.mark.parametrize("text", ACCEPTED)
@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_accepted_and_printed(text: str, dialect: str) -> None:
    query = parse(text, dialect)
    again = parse(str(query))
    assert again == query
    assert again.tree == query.tree
    assert str(again) == str(query)
    assert from_json(query.tree) == query


REJECTED = [
    ("", 0), ('"a', 0), ('[word="a"', 9), ('[word="a" tag="b"]', 10), ('"a"{3,1}', 3), ("(", 1), ('"a" |', 5), ('"a" within', 10),
    ("[word=]", 6), ("<s", 2), ('"a" ::', 6), ('"a"%q', 3), ("(?nonsense) []", 2), ("a", 0), ("{2}", 0), ("[word contains]", 14),
    ('MU(meet "a")', 11), ('"a" expand s', 11), ("/nothing[]", 0), ("$nothing", 0), ("_ -obj->", 8), ("]", 0), ('"a" "b)', 4),
    ("\0", 0), ('"\udc80"', 1), ('"a" cut 0', 8), ('[word="a"] )', 11), ("@12[]", 1), ('nosuch("a")', 0), ("[] -a->> ^", 9),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position"), REJECTED)
def test_rejected_with_place(text: str, position: int) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert caught.value.position == position


def test_what_was_expected() -> None:
    with pytest.raises(QueryError, match="expected ']' at the end") as caught:
        parse('[word="a"')
    assert caught.value.expected == ("']'",)


def test_words_without_quotes() -> None:
    with pytest.raises(QueryError) as caught:
        parse("house")
    assert caught.value.suggestion == '"house"'


def test_precedence() -> None:
    a, b, c = (Comparison(Attribute(name), "=", Text("x")) for name in "abc")
    assert parse('[a="x" | b="x" & c="x"]').pattern == TokenPattern(Or((a, And((b, c)))))
    flags = [Comparison(Attribute(name), "=", Text("x", "cd")) for name in "abc"]
    assert parse('[a="x" | b="x" & c="x"]', "blacklab").pattern == TokenPattern(And((Or(tuple(flags[:2])), flags[2])))
    assert parse('[!a="x" & b="x"]').pattern == TokenPattern(And((Not(a), b)))


def test_filters_go_from_left_except_in_blacklab() -> None:
    left = parse('"a" within <s/> within <p/>').pattern
    assert isinstance(left, Filter)
    assert left.scope == Region("p")
    right = parse("'a' within <s/> within <p/>", "blacklab").pattern
    assert isinstance(right, Filter)
    assert isinstance(right.scope, Filter)


def test_labels_and_repetition() -> None:
    assert isinstance(parse("a:[]+").pattern, Repeat)
    assert isinstance(parse("a:[]+", "blacklab").pattern, Labelled)


def test_blacklab_ignores_case_unless_told() -> None:
    assert parse("'a'", "blacklab").pattern == parse('"a"%cd').pattern
    assert parse("'(?-i)a'", "blacklab").pattern == parse('"a"').pattern
    assert parse("'(?i)a'", "blacklab").pattern == parse('"a"%cd').pattern


def test_two_spellings_one_tree() -> None:
    assert parse('"a" within s') == parse('"a" within <s/>')
    assert parse('1:[] & 1.word="x"') == parse('1:[] :: 1.word="x"')
    assert parse('"."%l') == parse('[=="."]')
    assert parse('[: tag="N" :]').pattern == Look(TokenPattern(Comparison(Attribute("tag"), "=", Text("N"))))


def test_deep_brackets_are_an_error_and_long_queries_are_not() -> None:
    with pytest.raises(QueryError, match="brackets"):
        parse("(" * 5000 + '"a"' + ")" * 5000)
    with pytest.raises(QueryError, match="brackets"):
        parse("[" + "!" * 5000 + 'word="a"]')
    assert isinstance(parse("|".join(f'"w{n}"' for n in range(10_000))).pattern, Choice)
    assert isinstance(parse(" ".join("[]" for _ in range(10_000))).pattern, Sequence)


def test_errors_in_macros_point_at_the_call() -> None:
    text = "define macro m(0) '[word=]'; \"a\" /m[]"
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert text[caught.value.position :].startswith("/m[]")


def test_macros_that_call_themselves() -> None:
    with pytest.raises(QueryError, match="calls itself"):
        parse("define macro m(0) '/m[] /m[]'; /m[]")


def test_unknown_dialect() -> None:
    with pytest.raises(QueryError, match="did you mean 'cqp'"):
        parse('"a"', "cpq")


_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@given(_TEXTS, st.sampled_from(["", "%c", "%d", "%cd"]))
def test_any_string_survives(value: str, flags: str) -> None:
    pattern = TokenPattern(Comparison(Attribute("word"), "=", Text(value, flags[1:])))
    from paberki.query.syntax.printer import print_pattern

    text = print_pattern(pattern)
    if not value.endswith("\\") and "\\" not in value:
        assert parse(text).pattern == pattern


@settings(max_examples=300)
@given(st.text("\"'[]()<>/|&!?*+{},.:;-_#@%=^~ aswithnm0123$\\\n", max_size=30), st.sampled_from(list(DIALECTS)))
def test_any_text_is_read_or_refused(text: str, dialect: str) -> None:
    try:
        query = parse(text, dialect)
    except QueryError as error:
        if error.position is not None and not 0 <= error.position <= len(text):
            raise
        return
    assert parse(str(query)) == query


def test_broken_trees() -> None:
    for tree in ({}, {"kind": "nothing"}, {"kind": "token"}, {"kind": "text", "value": "a"}, {"kind": "token", "x": 1}):
        with pytest.raises(QueryError):
            from_json(tree)


PARSED = [
    "/region[s]", '<s> <np> "copil" ;', '"copil" </np> </s>;', '<s> <np> "copil" </np> "mic"</s>;', '</s> "a" "b";',
    '<s> []* "a" [] "b" []* </s>', 'MU(meet (meet "x" "y" 2 2) (meet "z" "w" -1 -1) -1 -1);', 'MU(meet "a" "b" -2 1);',
    'MU(meet "a" "b" s);', 'MU(union (meet "a" "b" 1 1) "c")', 'MU(meet [word="Der"] [word="Baum"] 1 1)',
    "'22\\'-inch'%l", '"22\\"-inch"%l;', "[word='22\\'-inch'%l]", '[word="Der + Mann"%l]', "[word='D''Ma \\\\nn'%l]",
    '"a"%d', '[word="a"%c]', '"a"%cd', '[word="a"%c][word="b"]', '"a"%lc "b"', '"Der + Mann"%lcd', '[word="M(a|ä)nn(er)?"]',
    '".*?Mann.*?"', "„.*?Mann.*?“", "“.*?Mann.*?”", '"z.B."', "'\"';", "'copil\"';", "\"copil'\";", '"copil""";',
    "'copil''';", "'a''.+?';", '"a"".+?";', '"a\\.\\+\\?\\\\"', '"a b"', '[lemma="Mann" & (cas="N" | cas="A")]',
    '[lemma="Mann" & !(cas="N")]', '[!(lemma="Mann")]', '[pos="NN"] [lemma="gehen"]+', '([lemma="a"] | [lemma="b"]) "c"',
    '[lemma="a"]{2,} [lemma="b"]{,3}', '"a" []{3} "b"', '"a" []? "b" within s', '"a" within 5 s', '@"a" "b"',
]  # fmt: skip
"""Spellings of CQP that other readers of the language accept."""
REFUSED = [
    '/region[(class="x")]',
    '""copil"',
    '[lemma="a"',
    '"a" within',
    'MU(meet "a")',
    '"a" )',
    "„a",
    '[word="a" "b"]',
]


@pytest.mark.parametrize("text", PARSED)
def test_what_parses(text: str) -> None:
    query = parse(text)
    assert parse(str(query)) == query


@pytest.mark.parametrize("text", REFUSED)
def test_what_does_not(text: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert caught.value.position is not None


def test_typographic_quotes() -> None:
    assert parse("„a“ “b”") == parse('"a" "b"')
