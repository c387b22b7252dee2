"""The address holds the whole state of a page."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from paberki.serve.pages.ask import Ask


def again(address: str) -> Ask:
    return Ask.of_pairs(parse_qsl(urlsplit(address).query, keep_blank_values=True))


def test_an_address_gives_the_same_question() -> None:
    ask = Ask(q='[lemma="grad"]', set="all", fold=True, sample=9, seed=5, sort="right-2", view="table", width=3, start=50,
              filters=('+"a"', '-[word="b & c"]'), picks=("lemma:x:y",), nears=("lemma:-5..5:grad",), one=1, good=True,
              cut="badness <= 3", side="lost", build="abc", corpus="hr").but(conditions=("host = 'a.hr'", "badness < 5"))  # fmt: skip
    ask = ask.but(start=50)
    assert again(ask.at("/concordance")) == ask
    assert ask.where == "(host = 'a.hr') and (badness < 5)"


@given(
    st.text(max_size=40).map(str.strip),
    st.lists(st.text(min_size=1, max_size=20).map(str.strip).filter(bool), max_size=3),
)
def test_any_text_survives(query: str, filters: list[str]) -> None:
    if "\0" in query:
        return
    ask = Ask(q=query, filters=tuple(filters))
    assert again(ask.at("/concordance")) == ask


def test_rubbish_counts_as_nothing() -> None:
    ask = again("/?q=x&width=abc&view=nothing&from=-5&per_page=9999999&one=x&mode=evil&side=z")
    assert (ask.width, ask.view, ask.start, ask.one, ask.mode, ask.side) == (0, "kwic", 0, 0, "", "")
    assert ask.size == 200


def test_other_hits_begin_with_their_first_line() -> None:
    ask = Ask(q="x", start=100)
    assert ask.but(view="table").start == 100
    assert ask.but(sort="left").start == 0


def test_equal_questions_share_their_search() -> None:
    assert Ask(q="x", view="table", width=3, start=50).as_search == Ask(q="x").as_search
    assert Ask(q="x", fold=True).as_search != Ask(q="x").as_search
