"""TSUBAKI's open API, asked by a client written from the text of the paper alone (P4 §4)."""

from __future__ import annotations

import re
import shutil
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from paberki.corpus import Corpus
from paberki.export.page_forms import page_form
from paberki.search.searching import DocumentSearch
from paberki.serve import create_app


class Client2008:
    """What somebody would have written in 2008: section 4.2 in two steps, parameters of table 3, elements of figure 2."""

    def __init__(self, api: str) -> None:
        self.api = api

    def collect_ids(self, query: str, **parameters: str) -> list[str]:
        """Step 1: the ids of a search result."""
        root = ElementTree.fromstring(self._get(query=query, **parameters))
        assert root.tag == "ResultSet"
        return [result.attrib["Id"] for result in root.findall("Result")]

    def standard_format(self, page: str) -> ElementTree.Element:
        """Step 2: the standard format data of a page."""
        return ElementTree.fromstring(self._get(id=page, format="xml"))

    def original(self, page: str) -> bytes:
        """Step 2 for the page itself."""
        return self._get(id=page, format="html")

    def _get(self, **parameters: str) -> bytes:
        with urllib.request.urlopen(f"{self.api}?{urllib.parse.urlencode(parameters)}", timeout=30) as answer:
            content: bytes = answer.read()
            return content


@pytest.fixture(scope="module")
def address(search_corpus: Path) -> Iterator[str]:
    """A server on loopback."""
    import socket
    import threading
    import time

    import uvicorn

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(create_app(search_corpus), port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)


@pytest.fixture(scope="module")
def client(search_corpus: Path) -> TestClient:
    return TestClient(create_app(search_corpus), base_url="http://localhost")


@pytest.mark.parametrize("path", ["/api", "/api.cgi"])
def test_a_client_of_2008(address: str, path: str, search_corpus: Path) -> None:
    client = Client2008(address + path)
    ids = client.collect_ids("nitko", starts="1", results="20")
    assert len(ids) == 20
    assert all(re.fullmatch(r"[0-9]{9}", one) for one in ids)
    corpus = Corpus(search_corpus)
    for one in ids[:3]:
        page = client.standard_format(one)
        assert page.tag == "StandardFormat"
        assert page.find("Text/S/RawString") is not None
        assert client.original(one) == page_form(corpus, one, "html").data
    with pytest.raises(urllib.error.HTTPError) as error:
        client.original("999999999")
    assert error.value.code == 404
    error.value.close()


def test_the_answer_is_that_of_figure_2(client: TestClient) -> None:
    answer = client.get("/api", params={"query": "koncert <&>", "logical_operator": "OR", "start": "2", "results": "3"})
    assert answer.headers["content-type"].startswith("text/xml")
    root = ElementTree.fromstring(answer.content)
    assert list(root.attrib) == [
        "time", "query", "totalResultsAvailable", "totalResultsReturned", "firstResultPosition", "logicalOperator",
        "forceDpnd", "dpnd", "filterSimpages", "sort_by",
    ]  # fmt: skip
    assert root.attrib["query"] == "koncert <&>"
    assert (root.attrib["firstResultPosition"], root.attrib["totalResultsReturned"]) == ("2", "3")
    assert (root.attrib["logicalOperator"], root.attrib["dpnd"], root.attrib["sort_by"]) == ("OR", "1", "score")
    assert [result.attrib["Rank"] for result in root] == ["2", "3", "4"]
    for result in root:
        assert re.fullmatch(r"\d+\.\d{5}", result.attrib["Score"])
        assert [child.tag for child in result] == ["Title", "Url", "Cache"]
        assert int(result.findtext("Cache/Size") or 0) > 0
        cached = client.get(result.findtext("Cache/Url") or "")
        assert cached.content == client.get("/api", params={"id": result.attrib["Id"], "format": "html"}).content


def test_defaults_are_those_of_table_3(client: TestClient, search_corpus: Path) -> None:
    root = ElementTree.fromstring(client.get("/api?query=nitko").content)
    assert len(root) == 20
    assert root.attrib["logicalOperator"] == "AND"
    assert root.attrib["filterSimpages"] == "0"
    assert root.find("Result/Snippet") is None
    total = DocumentSearch(search_corpus).search("nitko").total
    assert root.attrib["totalResultsAvailable"] == str(total)
    everything = ElementTree.fromstring(client.get("/api?query=nitko&results=all").content)
    assert len(everything) == total


def test_options(client: TestClient) -> None:
    def root(**parameters: str) -> ElementTree.Element:
        return ElementTree.fromstring(client.get("/api", params=parameters).content)

    assert "koncert" in (root(query="koncert", snippets="1").findtext("Result/Snippet") or "")
    kwic = root(query="koncert", kwic="1", kwic_window_size="2").find("Result/KWIC")
    assert kwic is not None
    assert [child.tag for child in kwic] == ["Keyword", "LeftContext", "RightContext"]
    assert len((kwic.findtext("LeftContext") or "").split()) == 2
    assert (
        client.get("/api?query=koncert&only_hitcount=1").text == root(query="koncert").attrib["totalResultsAvailable"]
    )
    items = root(query="koncert", result_items="Id:Url")[0]
    assert list(items.attrib) == ["Rank", "Id"]
    assert [child.tag for child in items] == ["Url"]
    site = root(query="koncert", site="kodirano.hr")
    assert {urllib.parse.urlsplit(one.findtext("Url") or "").hostname for one in site} == {"kodirano.hr"}
    assert len(root(site="kodirano.hr", results="all")) == 5
    assert root(query="stari grad", force_dpnd="1").attrib["forceDpnd"] == "1"
    assert (
        root(query="stari grad", logical_operator="DPND_AND").attrib["totalResultsAvailable"]
        == (root(query='"stari grad"').attrib["totalResultsAvailable"])
    )
    near = int(root(query="more luke", near="12").attrib["totalResultsAvailable"])
    assert near == int(root(query='"more luke"~12w').attrib["totalResultsAvailable"])
    info = ElementTree.fromstring(client.get("/api?field=Title:Url&id=000000001").content)
    assert info.findtext("Result/Url") == "http://novine.hr/clanak/1"
    posted = client.post(
        "/api", content=b"query=koncert&results=1", headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert len(ElementTree.fromstring(posted.content)) == 1


def test_similar_pages_are_left_out(client: TestClient) -> None:
    every = ElementTree.fromstring(client.get("/api?query=nitko&set=all&results=all").content)
    fewer = ElementTree.fromstring(client.get("/api?query=nitko&set=all&results=all&filter_simpages=1").content)
    assert fewer.attrib["filterSimpages"] == "1"
    assert 0 < len(fewer) < len(every)


def test_synonyms_of_a_thesaurus(search_corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(search_corpus, tmp_path / "copy")
    (tmp_path / "copy" / "thesaurus.tsv").write_text("brodica\tsynonym\tčamci\n", "utf-8")
    client = TestClient(create_app(tmp_path / "copy"), base_url="http://localhost")
    assert (
        client.get("/api?query=brodica&only_hitcount=1").text
        == client.get("/api?query=čamci&only_hitcount=1").text
        != "0"
    )
    assert client.get("/api?query=brodica&only_hitcount=1&synonym=0").text == "0"


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ("", 400), ("query=", 400), ("query=a%0Ab", 400), ("query=a&start=0", 400), ("query=a&start=x", 400),
        ("query=a&results=0", 400), ("query=a&results=-5", 400), ("query=a&logical_operator=XOR", 400), ("query=a&snippets=2", 400),
        ("query=%22a", 400), ("query=(a", 400), ("query=a&unknown=1", 200), ("query=a&unknown=1&strict=1", 400),
        ("id=1", 400), ("id=1&format=pdf", 400), ("format=xml", 400), ("id=&format=xml", 400), ("id=abc&format=xml", 404),
        ("id=000000034&format=html", 404), ("id=99999999999999999999&format=html", 404), ("id=../../etc&format=html", 404),
        ("id=1&format=xml", 200), ("id=0000000001&format=xml", 200), ("query=a&result_items=Foo", 400),
        ("query=a&sort_by=nothing", 400), ("query=a&set=some", 400), ("query=%00", 200), ("query=a&corpus=none", 404),
    ],
)  # fmt: skip
def test_errors_are_plain_text(client: TestClient, parameters: str, status: int) -> None:
    answer = client.get(f"/api?{parameters}")
    assert answer.status_code == status, answer.text
    if status >= 400:
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.text.count("\n") == 1


def test_the_original_page_can_do_nothing(client: TestClient) -> None:
    answer = client.get("/api?id=1&format=html")
    assert answer.headers["content-security-policy"] == (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'"
    )
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_a_page_that_is_taken_down_is_gone_at_once(search_corpus: Path, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(search_corpus, root)
    client = TestClient(create_app(root), base_url="http://localhost")
    first = ElementTree.fromstring(client.get("/api?query=nitko&results=all").content)
    gone = first[0].attrib["Id"]
    assert client.get(f"/api?id={gone}&format=html").status_code == 200
    key = next(page["key"] for page in Corpus(root).pages("id", "key") if page["id"] == gone)
    (root / "tombstones.jsonl").write_text(f'{{"key": "{key}"}}\n', "utf-8")
    after = ElementTree.fromstring(client.get("/api?query=nitko&results=all").content)
    assert gone not in {result.attrib["Id"] for result in after}
    for form in ("html", "xml", "text", "json"):
        assert client.get(f"/api?id={gone}&format={form}").status_code == 404


def test_without_an_index_of_documents(search_corpus: Path, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(search_corpus, root)
    shutil.rmtree(root / "search")
    answer = TestClient(create_app(root), base_url="http://localhost").get("/api?query=nitko")
    assert answer.status_code == 503
    assert "paberki index" in answer.text
    assert not (root / "search").exists()


def test_words_are_found_by_their_base_forms(client: TestClient, search_corpus: Path) -> None:
    """P4 §3 looks for base forms; words in quotes are looked for as they stand."""
    rows = Corpus(search_corpus).query('[lemma="grad"]').freq("word").to_pylist()
    forms = {row["word"].lower() for row in rows}
    assert len(forms) > 1
    totals = set()
    for form in forms:
        answer = ElementTree.fromstring(client.get("/api", params={"query": form, "snippets": "1"}).content)
        totals.add(int(answer.attrib["totalResultsAvailable"]))
        snippets = " ".join(one.text or "" for one in answer.iter("Snippet")).lower()
        assert any(other in snippets for other in forms)
        exact = ElementTree.fromstring(client.get("/api", params={"query": f'"{form}"'}).content)
        assert int(exact.attrib["totalResultsAvailable"]) <= min(totals)
    assert len(totals) == 1
