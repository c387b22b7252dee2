"""Document search against what plain Python finds in the same texts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from paberki.corpus import Corpus
from paberki.errors import QueryError, StoreError
from paberki.search.asking.thesaurus import Thesaurus, read_thesaurus
from paberki.search.asking.wider import wider_searches
from paberki.search.document_tokens import split_words
from paberki.search.searching import DocumentSearch, SearchRequest


@pytest.fixture(scope="module")
def search(search_corpus: Path) -> DocumentSearch:
    return DocumentSearch(search_corpus)


@pytest.fixture(scope="module")
def texts(search_corpus: Path) -> dict[str, list[str]]:
    """Tokens of the kept pages by id, the title included as a text of its own."""
    pages = Corpus(search_corpus).pages("id", "title", "text")
    return {
        page["id"]: [*split_words(page["title"] or "", "hr"), "|", *split_words(page["text"], "hr")] for page in pages
    }


def ids(search: DocumentSearch, words: str, **options: Any) -> set[str]:
    hits = search.search(words, size=None, **options)
    assert hits.total == len(hits.rows) or options.get("fold") or not options.get("similar", True)
    return {row.id for row in hits.rows}


def near(tokens: list[str], words: list[str], window: int, ordered: bool) -> bool:
    import itertools

    places = [[at for at, token in enumerate(tokens) if token == word] for word in words]
    for chosen in itertools.product(*places):
        inside = max(chosen) - min(chosen) < window and len(set(chosen)) == len(chosen)
        if inside and (not ordered or list(chosen) == sorted(chosen)):
            return True
    return False


WORDS = ("more", "čamci", "koncert", "most", "otoku", "knjiga", "vijeće", "nitko")


@pytest.mark.parametrize("word", WORDS)
def test_a_word_finds_the_pages_that_have_it(search: DocumentSearch, texts: dict[str, list[str]], word: str) -> None:
    expected = {id_ for id_, tokens in texts.items() if word in tokens}
    assert expected
    assert ids(search, word) == ids(search, word.upper()) == expected


def test_booleans(search: DocumentSearch, texts: dict[str, list[str]]) -> None:
    def having(word: str) -> set[str]:
        return {id_ for id_, tokens in texts.items() if word in tokens}

    assert ids(search, "more koncert") == ids(search, "more AND koncert") == having("more") & having("koncert")
    assert (
        ids(search, "more OR koncert")
        == ids(search, "more koncert", operator="OR")
        == having("more") | having("koncert")
    )
    assert ids(search, "more NOT koncert") == having("more") - having("koncert")
    assert ids(search, "NOT more") == set(texts) - having("more")
    assert ids(search, "NOT (more OR koncert)") == set(texts) - having("more") - having("koncert")
    assert ids(search, "(more OR most) AND koncert") == (having("more") | having("most")) & having("koncert")
    assert ids(search, "and") == set()  # in small letters it is a word


def test_phrases(search: DocumentSearch, texts: dict[str, list[str]]) -> None:
    def having(*words: str) -> set[str]:
        return {
            id_ for id_, own in texts.items()
            if any(own[at : at + len(words)] == list(words) for at in range(len(own)))
        }  # fmt: skip

    assert ids(search, '"stari grad"') == having("stari", "grad") != set()
    assert ids(search, '"grad stari"') == set()
    assert ids(search, '"nova cesta vodi do luke"') == having("nova", "cesta", "vodi", "do", "luke") != set()


@pytest.mark.parametrize("window", [2, 3, 4, 5, 8, 9, 20, 60])
@pytest.mark.parametrize("words", [("more", "luke"), ("luke", "more"), ("most", "knjiga"), ("most", "more", "nitko")])
@pytest.mark.parametrize("sign", ["w", "W"])
def test_windows(
    search: DocumentSearch, texts: dict[str, list[str]], window: int, words: tuple[str, ...], sign: str
) -> None:
    bodies = {id_: tokens[tokens.index("|") + 1 :] for id_, tokens in texts.items()}
    expected = {id_ for id_, own in bodies.items() if near(own, list(words), window, sign == "W")}
    assert ids(search, f'"{" ".join(words)}"~{window}{sign}') == expected
    assert ids(search, f"{' '.join(words)} ~{window}{sign}") == expected
    if len(words) == 2:
        assert ids(search, f"{words[0]} ~{window}{sign} {words[1]}") == expected


def test_fields(search: DocumentSearch, search_corpus: Path) -> None:
    rows = list(Corpus(search_corpus).pages("id", "host", "date", "badness", "title", "inlinks", kept=True))
    assert ids(search, "host:novine.hr") == {row["id"] for row in rows if row["host"] == "novine.hr"}
    assert ids(search, "more host:kodirano.hr") == ids(search, "more") & ids(search, "host:kodirano.hr")
    years = {row["id"] for row in rows if row["date"].year == 2015}
    assert (
        ids(search, "date:2015")
        == ids(search, "date:2015-05")
        == ids(search, "date:2015..2015-05-06")
        == years
        != set()
    )
    assert ids(search, "date:<2015 OR date:>2015") == {row["id"] for row in rows} - years
    cut = sorted(row["badness"] for row in rows)[len(rows) // 2]
    assert ids(search, f"badness:<{cut}") == {row["id"] for row in rows if row["badness"] < float(cut)}
    assert ids(search, "keep:true") == {row["id"] for row in rows}
    linked = {row["id"] for row in rows if any("7" in (link["text"] or "").split() for link in row["inlinks"] or ())}
    assert ids(search, "anchor:7") == linked != set()
    titled = {row["id"] for row in rows if " 7 &" in row["title"]}
    assert ids(search, "title:7") == titled != set()
    assert ids(search, "lemma:grad") >= ids(search, "grad") != set()


def test_sets_include_pages_without_annotation(search: DocumentSearch) -> None:
    assert ids(search, "weather") == set()
    english = ids(search, "weather", set="dropped")
    assert english == ids(search, "weather", set="all") != set()
    assert search.search("weather", set="all").rows[0].reason == "other-language"
    assert ids(search, "погода", set="dropped") != set()
    assert ids(search, "svjetioniku", set="dropped") != set()
    assert ids(search, "天気", set="all") != set()
    assert ids(search, "reason:too-short", set="dropped") == ids(search, "svjetioniku", set="all")
    everything = ids(search, "NOT nothinglikethis", set="all")
    assert len(everything) == search.engine.documents == 34
    with pytest.raises(QueryError, match="no set"):
        search.search("more", set="some")


def test_pages_follow_each_other(search: DocumentSearch) -> None:
    everything = [row.id for row in search.search("nitko", size=None).rows]
    pages = [
        row.id for first in range(1, len(everything) + 1, 5) for row in search.search("nitko", first=first, size=5).rows
    ]
    assert pages == everything
    scores = [row.score for row in search.search("nitko", size=None).rows]
    assert scores == sorted(scores, reverse=True)
    assert search.search("nitko", first=1000).rows == []


def test_copies_are_folded(search: DocumentSearch) -> None:
    every, folded = (
        search.search("nitko", set="all", size=None),
        search.search("nitko", set="all", size=None, fold=True),
    )
    assert len(folded.rows) == len(every.rows) - 1
    assert sum(row.copies for row in folded.rows) == 1


def test_snippets_hold_the_words(search: DocumentSearch) -> None:
    for words in ("more luke", "koncert nitko", '"stari grad"'):
        for row in search.search(words).rows:
            shown = {row.snippet[start:end].lower() for start, end in row.snippet_hits}
            assert shown
            assert all(hit in words.replace('"', "") for hit in shown)
    tight = search.search('"more" "luke"').rows[0]
    assert {tight.snippet[start:end] for start, end in tight.snippet_hits} >= {"more", "luke"}


def test_pairs_of_words_count(search: DocumentSearch) -> None:
    """Stari is a dependent of grad: pages where both stand in this relation get more."""
    with_pairs, without = search.search("stari grad"), search.search("stari grad", alpha=0.0)
    assert with_pairs.total == without.total > 0
    assert ids(search, "stari grad", force_pairs=True) == ids(search, '"stari grad"')
    assert ids(search, "koncert grad", force_pairs=True) == set()
    assert ids(search, '"stari grad"~FD') == ids(search, '"stari grad"')


def test_scores_are_those_of_bm25(search: DocumentSearch, texts: dict[str, list[str]]) -> None:
    """The formula, with statistics of the field; lengths are rounded by the engine, hence the tolerance."""
    import math

    hits = search.search("lemma:čamac", size=None, alpha=0.0)
    lemmas = {row.id: row.score for row in hits.rows}
    assert lemmas
    ratio = math.log(1 + (search.engine.documents - len(lemmas) + 0.5) / (len(lemmas) + 0.5))
    assert all(0 < score <= ratio * 2.2 for score in lemmas.values())


def test_synonyms_and_hypernyms(search: DocumentSearch, tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("brodica\tsynonym\tčamci\nbrodica\thypernym\tautobus\n", "utf-8")
    thesaurus = read_thesaurus(tmp_path / "t.tsv")
    assert ids(search, "brodica") == set()
    assert ids(search, "brodica", thesaurus=thesaurus) == ids(search, "čamci") | ids(search, "autobus")
    best = {row.id: row.score for row in search.search("čamci", size=None).rows}
    weaker = {
        row.id: row.score
        for row in search.search("brodica", size=None, thesaurus=Thesaurus({"brodica": {"čamci": 0.99}})).rows
    }
    assert {id_: pytest.approx(0.99 * score, abs=1e-4) for id_, score in best.items()} == weaker


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "no words"), ("more (luke", "not closed"), ('"more', "not closed"), ("more)", "not opened"), ("AND", "missing"),
        ("titel:more", "did you mean 'title'"), ("date:abc", "no value"), ("badness:x", "no value"), ("~20w", "missing"),
        ("(" * 100 + "a" + ")" * 100, "nested"), ("a " * 600, "at most"), ("a" * 10_001, "at most"),
    ],
)  # fmt: skip
def test_wrong_searches_are_errors(search: DocumentSearch, words: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        search.search(words)


def test_addresses_and_times_are_words(search: DocumentSearch) -> None:
    for words in ("https://novine.hr/clanak/1", "12:30", "a:b:c", "x~y", "C++", "50%"):
        assert search.search(words).total >= 0


def test_sorting_by_a_column(search: DocumentSearch) -> None:
    dates = [row.date for row in search.search("nitko", size=None, sort="date").rows]
    assert dates == sorted(dates, reverse=True)
    dates = [row.date for row in search.search("nitko", size=None, sort="-date").rows]
    assert dates == sorted(dates)
    with pytest.raises(QueryError, match="cannot be sorted"):
        search.search("nitko", sort="url")


def test_a_page_that_is_taken_down_is_gone_at_once(search_corpus: Path, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(search_corpus, root)
    search = DocumentSearch(root)
    first = search.search("nitko", size=None)
    gone = first.rows[0]
    (root / "tombstones.jsonl").write_text(json.dumps({"key": gone.key}) + "\n", "utf-8")
    after = search.search("nitko", size=None)
    assert {row.id for row in after.rows} == {row.id for row in first.rows} - {gone.id}
    assert after.total == first.total - 1


def test_without_an_index_the_error_says_what_to_type(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="paberki index"):
        DocumentSearch(tmp_path)


def test_conditions_of_the_store_hold_here_too(search_corpus: Path) -> None:
    corpus = Corpus(search_corpus)
    hits = corpus.search("nitko", where="host = 'kodirano.hr'", size=None)
    assert {row.host for row in hits.rows} == {"kodirano.hr"}
    assert hits.to_dict()["rows"][0]["url"].startswith("http://kodirano.hr/")


def test_a_search_without_hits_says_what_would_find_something(search: DocumentSearch) -> None:
    def ways(words: str, **options: Any) -> dict[str, int]:
        request = SearchRequest(**options)
        assert not search.search(words, request).total
        return {one.way: one.total for one in wider_searches(search, words, request)}

    assert ways("otok") == {"forms": search.search("otoku").total}
    assert ways("koncert nixda")["any"] == search.search("koncert").total
    assert ways("погода")["all"] == search.search("погода", set="all").total > 0
    assert not ways("nixda")
    assert not ways("nixda", base_forms=True, set="dropped")
