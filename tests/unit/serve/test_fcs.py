"""CLARIN's federated content search: the expectations of its validator, and both query languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from starlette.testclient import TestClient

from paberki.corpus import Corpus
from paberki.errors import QueryError
from paberki.serve import create_app
from paberki.serve.fcs.contextual import Boolean, Clause, Modifier, parse
from paberki.serve.fcs.diagnostics import SruError
from paberki.serve.fcs.query_translation import from_contextual, from_fcs_ql

SPACES = {
    "sru2": "http://docs.oasis-open.org/ns/search-ws/sruResponse",
    "sru1": "http://www.loc.gov/zing/srw/",
    "diag2": "http://docs.oasis-open.org/ns/search-ws/diagnostic",
    "diag1": "http://www.loc.gov/zing/srw/diagnostic/",
    "zr": "http://explain.z3950.org/dtd/2.0/",
    "ed": "http://clarin.eu/fcs/endpoint-description",
    "fcs": "http://clarin.eu/fcs/resource",
    "hits": "http://clarin.eu/fcs/dataview/hits",
    "adv": "http://clarin.eu/fcs/dataview/advanced",
}
PARSER = etree.XMLParser(resolve_entities=False, no_network=True)
UNUSUAL = "=+&*<lange//>Nase"


@pytest.fixture(scope="module")
def client(search_corpus: Path) -> TestClient:
    return TestClient(create_app(search_corpus), base_url="http://localhost")


class Answer:
    """An answer as a tree."""

    def __init__(self, content: bytes) -> None:
        self.tree = etree.fromstring(content, PARSER)

    def texts(self, path: str) -> list[str]:
        return [str(one.text) for one in self.tree.findall(path, SPACES)]

    @property
    def codes(self) -> list[str]:
        return [*self.texts(".//diag2:uri"), *self.texts(".//diag1:uri")]


def ask(client: TestClient, **parameters: str) -> Answer:
    names = {name.replace("__", "-"): value for name, value in parameters.items()}
    answer = client.get("/fcs", params=names)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/sru+xml")
    return Answer(answer.content)


def search(client: TestClient, query: str, **parameters: str) -> Answer:
    return ask(client, query=query, **parameters)


def legacy(client: TestClient, **parameters: str) -> Answer:
    return ask(client, version="1.2", **parameters)


# Explain


def test_explain_without_arguments(client: TestClient) -> None:
    answer = ask(client)
    assert answer.tree.tag == f"{{{SPACES['sru2']}}}explainResponse"
    assert answer.texts("sru2:version") == ["2.0"]
    assert answer.texts("sru2:record/sru2:recordSchema") == ["http://explain.z3950.org/dtd/2.0/"]
    assert answer.codes == []


def test_explain_with_operation_and_version(client: TestClient) -> None:
    answer = legacy(client, operation="explain")
    assert answer.tree.tag == f"{{{SPACES['sru1']}}}explainResponse"
    assert answer.texts("sru1:version") == ["1.2"]


def test_explain_without_version(client: TestClient) -> None:
    assert ask(client, operation="explain").codes == []


@pytest.mark.parametrize("version", ["9.9", "0", "x"])
@pytest.mark.parametrize("operation", ["explain", "searchRetrieve", None])
def test_an_unknown_version_is_a_diagnostic(client: TestClient, version: str, operation: str | None) -> None:
    more = {"operation": operation} if operation else {}
    assert ask(client, version=version, **more).codes == ["info:srw/diagnostic/1/5"]


@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_explain_with_a_wrong_packing(client: TestClient, version: str) -> None:
    assert ask(client, operation="explain", version=version, recordPacking="invalid").codes == [
        "info:srw/diagnostic/1/71"
    ]


def test_explain_has_a_title_in_english(client: TestClient) -> None:
    titles = ask(client).tree.findall(".//zr:databaseInfo/zr:title[@lang='en']", SPACES)
    assert [title.text for title in titles] == ["probni"]


def test_explain_names_schema_index_and_limits(client: TestClient) -> None:
    tree = ask(client).tree
    assert tree.find(".//zr:schema[@identifier='http://clarin.eu/fcs/resource']", SPACES) is not None
    assert tree.find(".//zr:index[@search='true']", SPACES) is not None
    assert int(tree.findtext(".//zr:default[@type='numberOfRecords']", namespaces=SPACES)) > 0
    assert int(tree.findtext(".//zr:setting[@type='maximumRecords']", namespaces=SPACES)) > 0


def test_without_asking_there_is_no_description(client: TestClient) -> None:
    assert ask(client).tree.find(".//ed:EndpointDescription", SPACES) is None


@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_endpoint_description(client: TestClient, version: str) -> None:
    answer = ask(client, operation="explain", version=version, x__fcs__endpoint__description="true")
    described = answer.tree.find(".//ed:EndpointDescription", SPACES)
    assert described.get("version") == "2"
    capabilities = answer.texts(".//ed:Capability")
    assert [one.rpartition("/")[2] for one in capabilities] == ["basic-search", "advanced-search"]
    views = {one.get("id"): one.text for one in described.iter(f"{{{SPACES['ed']}}}SupportedDataView")}
    assert views == {"hits": "application/x-clarin-fcs-hits+xml", "adv": "application/x-clarin-fcs-adv+xml"}
    assert answer.texts(".//ed:SupportedLayer") == ["text", "lemma", "pos"]
    resource = described.find("ed:Resources/ed:Resource", SPACES)
    assert resource.get("pid") == "probni"
    titles = resource.findall("ed:Title", SPACES)
    assert [(one.text, one.get("{http://www.w3.org/XML/1998/namespace}lang")) for one in titles] == [("probni", "en")]
    assert answer.texts(".//ed:Language") == ["hrv"]
    known = {one.get("id") for one in described.iter(f"{{{SPACES['ed']}}}SupportedLayer")}
    assert set(resource.find("ed:AvailableLayers", SPACES).get("ref").split()) <= known
    assert set(resource.find("ed:AvailableDataViews", SPACES).get("ref").split()) == set(views)


def test_a_recipe_can_name_identifier_and_title(search_corpus: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(search_corpus, tmp_path / "copy")
    recipe = tmp_path / "copy" / "corpus.toml"
    recipe.write_text(recipe.read_text("utf-8") + '\n[fcs]\npid = "hdl:1/2"\ntitle = "Trial"\n', "utf-8")
    client = TestClient(create_app(tmp_path / "copy"), base_url="http://localhost")
    answer = ask(client, x__fcs__endpoint__description="true")
    assert answer.tree.find(".//ed:Resource", SPACES).get("pid") == "hdl:1/2"
    assert answer.texts(".//ed:Resource/ed:Title") == ["Trial"]


# Scan


@pytest.mark.parametrize(
    "parameters",
    [
        {"operation": "scan", "version": "1.2", "scanClause": "fcs.resource"}, {"operation": "scan", "version": "1.2"},
        {"scanClause": "fcs.resource=root"}, {"operation": "scan", "version": "1.2", "scanClause": "x", "maximumTerms": "-1"},
        {"operation": "scan", "version": "1.2", "scanClause": "x", "responsePosition": "invalid"},
    ],
)  # fmt: skip
def test_scan_is_not_supported(client: TestClient, parameters: dict[str, str]) -> None:
    assert ask(client, **parameters).codes == ["info:srw/diagnostic/1/4"]


def test_an_unknown_operation(client: TestClient) -> None:
    assert legacy(client, operation="update").codes == ["info:srw/diagnostic/1/4"]


# Search


@pytest.mark.parametrize("word", ["koncert", "čamci", "Čamci", UNUSUAL, "a", "京都"])
@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_search_for_words(client: TestClient, word: str, version: str) -> None:
    quoted = f'"{word}"'
    more = {"operation": "searchRetrieve"} if version == "1.2" else {}
    answer = ask(client, version=version, query=quoted, **more)
    assert answer.codes == []
    total = int(answer.texts(f"sru{version[0]}:numberOfRecords")[0])
    assert (total > 0) == (word.lower() in ("koncert", "čamci", "a"))


def test_counts_and_words_are_those_of_the_corpus(client: TestClient, search_corpus: Path) -> None:
    answer = search(client, "čamci")
    hits = Corpus(search_corpus).query('"čamci"%c')
    assert answer.texts("sru2:numberOfRecords") == [str(hits.count())]
    assert answer.texts("sru2:resultCountPrecision") == ["info:srw/vocabulary/resultCountPrecision/1/exact"]
    assert {one.lower() for one in answer.texts(".//hits:Hit")} == {"čamci"}
    first = answer.tree.find(".//hits:Result", SPACES)
    assert "".join(first.itertext()) == "Vijeće je odlučilo da se čamci ne smiju vezati uz obalu."


def test_records_have_schema_and_position(client: TestClient) -> None:
    answer = search(client, "nitko", maximumRecords="2", startRecord="3")
    assert answer.texts(".//sru2:recordSchema") == ["http://clarin.eu/fcs/resource"] * 2
    assert answer.texts(".//sru2:recordPosition") == ["3", "4"]
    assert answer.texts("sru2:nextRecordPosition") == ["5"]
    resource = answer.tree.find(".//fcs:Resource", SPACES)
    assert resource.get("pid") == "probni"
    assert resource.find("fcs:ResourceFragment", SPACES).get("ref").startswith("http://")


def test_maximum_records(client: TestClient) -> None:
    assert len(search(client, "nitko", maximumRecords="1").texts(".//hits:Hit")) == 1
    assert search(client, "nitko", maximumRecords="0").texts(".//hits:Hit") == []


@pytest.mark.parametrize("value", ["0", "-1", "invalid", "1.5", ""])
@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_a_wrong_start_record(client: TestClient, value: str, version: str) -> None:
    answer = ask(client, operation="searchRetrieve", version=version, query="nitko", startRecord=value)
    assert answer.codes == ["info:srw/diagnostic/1/6"]


@pytest.mark.parametrize("value", ["-1", "invalid"])
def test_a_wrong_maximum(client: TestClient, value: str) -> None:
    assert search(client, "nitko", maximumRecords=value).codes == ["info:srw/diagnostic/1/6"]


def test_start_beyond_the_end(client: TestClient) -> None:
    assert search(client, "nitko", startRecord="100000").codes == ["info:srw/diagnostic/1/61"]


@pytest.mark.parametrize("query", ['"nitko', "((nitko)", "nitko and", "nitko =", ")", "a b c d =", "= a"])
@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_a_broken_query(client: TestClient, query: str, version: str) -> None:
    assert ask(client, operation="searchRetrieve", version=version, query=query).codes == ["info:srw/diagnostic/1/10"]


def test_a_missing_query(client: TestClient) -> None:
    assert legacy(client, operation="searchRetrieve").codes == ["info:srw/diagnostic/1/7"]


def test_wrong_packing_schema_and_query_type(client: TestClient) -> None:
    assert legacy(client, operation="searchRetrieve", query="a", recordPacking="foo").codes == [
        "info:srw/diagnostic/1/71"
    ]
    assert search(client, "a", recordXMLEscaping="foo").codes == ["info:srw/diagnostic/1/71"]
    assert search(client, "a", recordSchema="http://example.org/x").codes == ["info:srw/diagnostic/1/66"]
    assert search(client, "a", recordSchema="http://clarin.eu/fcs/resource").codes == []
    assert search(client, "a", queryType="sql").codes == ["info:srw/diagnostic/1/6"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("a prox/unit=page b", 42), ("a prox/distance>3 b", 40), ("a prox/distance=x b", 41), ("a prox/sideways b", 46),
        ("a prox/unit=sentence/distance=2 b", 41), ("dc.title = a", 16), ("fcs.words > a", 19), ("words =/stem a", 20),
        ("a sortBy dc.date", 80), ("a and/x=1 b", 46), (" or ".join("abcdefghij"), 48),
    ],
)  # fmt: skip
def test_what_is_not_supported_has_its_diagnostic(client: TestClient, query: str, code: int) -> None:
    assert search(client, query).codes == [f"info:srw/diagnostic/1/{code}"]


def test_records_as_text(client: TestClient) -> None:
    answer = search(client, "čamci", recordXMLEscaping="string", maximumRecords="1")
    inner = etree.fromstring(answer.texts(".//sru2:recordData")[0], PARSER)
    assert inner.tag == f"{{{SPACES['fcs']}}}Resource"


def test_contexts_and_views(client: TestClient) -> None:
    assert search(client, "čamci", x__fcs__context="probni").codes == []
    assert search(client, "čamci", x__fcs__context="other").codes == ["http://clarin.eu/fcs/diagnostic/1"]
    both = search(client, "čamci", x__fcs__context="probni,other")
    assert both.codes == ["http://clarin.eu/fcs/diagnostic/1"]
    assert both.texts(".//hits:Hit")
    assert search(client, "čamci", x__fcs__dataviews="kwic").codes == ["http://clarin.eu/fcs/diagnostic/4"]


def test_posted_requests(client: TestClient) -> None:
    answer = client.post("/fcs", data={"query": "čamci", "maximumRecords": "1"})
    assert Answer(answer.content).texts(".//hits:Hit") == ["čamci"]


# Advanced search


@pytest.mark.parametrize(
    ("query", "cql"),
    [
        ('"čamci"', '"čamci"'), ("'ČAMCI'/c", '"ČAMCI"%c'), ('[lemma="čamac"]', '[lemma="čamac"]'),
        ('[pos="ADJ"] [lemma = "grad" & pos = "NOUN"]', '[upos="ADJ"] [lemma="grad" & upos="NOUN"]'),
        ('[word="stari"/i] []{0,3} [text="more"] within s', '[word="stari"%c] []{0,3} [word="more"] within <s/>'),
        ('[ud:pos!="NOUN"] "."/l', '[upos!="NOUN"] "\\."'), ('("koncert" | "most")+', '("koncert" | "most")+'),
        ('[!pos="NOUN"] within sentence', '[!upos="NOUN"] within <s/>'),
    ],
)  # fmt: skip
def test_advanced_search_finds_what_cql_finds(client: TestClient, search_corpus: Path, query: str, cql: str) -> None:
    answer = search(client, query, queryType="fcs", maximumRecords="3")
    assert answer.codes == []
    hits = Corpus(search_corpus).query(cql)
    assert answer.texts("sru2:numberOfRecords") == [str(hits.count())]
    assert hits.count() > 0


def test_advanced_search_has_both_views(client: TestClient) -> None:
    answer = search(client, '[pos="ADJ"] [lemma="grad"]', queryType="fcs", maximumRecords="1")
    views = answer.tree.findall(".//fcs:DataView", SPACES)
    assert [one.get("type") for one in views] == [
        "application/x-clarin-fcs-hits+xml",
        "application/x-clarin-fcs-adv+xml",
    ]
    layers = answer.tree.findall(".//adv:Layer", SPACES)
    assert len(layers) == 3
    segments = [one.get("id") for one in answer.tree.findall(".//adv:Segment", SPACES)]
    assert len(set(segments)) == len(segments)
    for one in layers:
        spans = one.findall("adv:Span", SPACES)
        assert [span.get("ref") for span in spans] == segments
    shown: list[Any] = [span.text for span in layers[0].findall("adv:Span[@highlight]", SPACES)]
    assert " ".join(shown) == answer.texts(".//hits:Hit")[0]


@pytest.mark.parametrize("query", ["[", '[x="a"]', '"a"/q', '"a" within foo', "[pos=NOUN]", '"(a"', '"a"{3,1}', "§"])
def test_wrong_advanced_queries(client: TestClient, query: str) -> None:
    assert "http://clarin.eu/fcs/diagnostic/10" in search(client, query, queryType="fcs").codes


# Query languages


def test_the_whole_grammar_of_contextual_queries_is_read() -> None:
    query = parse(
        '> dc = "info:x" dc.title any/stem/rel.x>=2 "fish \\"n\\" chips" and/a=b (x or y) sortBy dc.date/desc title'
    )
    assert query.prefixes == (("dc", "info:x"),)
    assert query.sort_keys == (("dc.date", (Modifier("desc"),)), ("title", ()))
    assert isinstance(query.root, Boolean)
    assert query.root.modifiers == (Modifier("a", "=", "b"),)
    left, right = query.root.left, query.root.right
    assert isinstance(left, Clause)
    assert (left.index, left.relation, left.term) == ("dc.title", "any", 'fish "n" chips')
    assert left.modifiers == (Modifier("stem"), Modifier("rel.x", ">=", "2"))
    assert isinstance(right, Boolean)
    assert parse("a AND b or c").root == Boolean(
        "or", Boolean("and", Clause("a"), Clause("b", position=6)), Clause("c", position=11)
    )


@pytest.mark.parametrize(
    "text", ["", "(", "a b", "a b and", "a and or b", 'a "b" c', ">", "a/b", "(" * 99 + "a" + ")" * 99, "a" * 10_001]
)
def test_wrong_contextual_queries(text: str) -> None:
    with pytest.raises(QueryError):
        parse(text)


def test_words_stay_words() -> None:
    assert from_contextual('"a.b*"', str.split, ()) == '"a\\.b\\*"%c'
    assert from_contextual("a and b", str.split, ("s",)).endswith("within <s/>")
    with pytest.raises(SruError):
        from_contextual("a not b", str.split, ())
    assert from_fcs_ql('[ lemma = "x" ] { 2 , 3 }', ("word", "lemma")) == '[ lemma = "x" ] {2,3}'


@pytest.mark.parametrize(
    ("query", "own"),
    [
        ("u not je", '"u"%c within (<s/> !containing "je"%c)'),
        ("(u not je) and na", '(("u"%c []* "na"%c | "na"%c []* "u"%c) within <s/>) within (<s/> !containing "je"%c)'),
        ("u prox je", '("u"%c "je"%c | "je"%c "u"%c) within <s/>'),
        ("u prox/distance<=3/ordered je", '"u"%c []{0,2} "je"%c within <s/>'),
        ("u prox/unit=word/distance=2 je", '("u"%c [] "je"%c | "je"%c [] "u"%c) within <s/>'),
        ("u prox/unit=sentence je", '("u"%c []* "je"%c | "je"%c []* "u"%c) within <s/>'),
    ],
)
def test_words_that_are_not_there_and_words_nearby(
    client: TestClient, search_corpus: Path, query: str, own: str
) -> None:
    answer = search(client, query)
    assert answer.codes == []
    assert answer.texts("sru2:numberOfRecords") == [str(Corpus(search_corpus).query(own).count())]
