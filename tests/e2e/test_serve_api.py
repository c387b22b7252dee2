"""The JSON API over a corpus of ours and over an index of a foreign one, in one server."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commandline import fine, good, new, packed, record
from serving import Serving

from corpora import article
from smallcorpus import make_index, tokens

GRAD = '[lemma="grad"]'
LATIN = (
    article(77)
    .replace("<head>", "<head><meta charset=windows-1250>")
    .replace("</p>", " Kuća je stara, a čovjek koji je živio u njoj otišao je prošle godine.</p>", 1)
    .encode("cp1250")
)
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A built corpus with a page in another encoding, and a foreign index."""
    base = tmp_path_factory.mktemp("served")
    pages = [good(f"http://a.hr/{number}", number) for number in range(8)]
    pages += [good("http://b.hr/kopija", 3), record("http://b.hr/latin", HTTP + LATIN)]
    (base / "a.warc.gz").write_bytes(packed(*pages))
    root = new(base / "corpus", base / "a.warc.gz")
    fine("build", root, "--jobs", 1, "--quiet")
    make_index(base)
    return root, base / "index"


@pytest.fixture(scope="module")
def server(roots: tuple[Path, Path]) -> Iterator[Serving]:
    """A server that only reads."""
    with Serving(*roots) as serving:
        yield serving


def test_the_envelope_names_what_answered(server: Serving) -> None:
    answer = server.fine("hits", q=GRAD, per_page=2)
    names = {
        "corpus",
        "build",
        "selection",
        "query",
        "canonical",
        "strategy",
        "took_ms",
        "count",
        "rows",
        "next",
        "links",
    }
    assert set(answer) == names
    assert set(answer["count"]) == {"value", "state", "searched"}
    assert set(answer["links"]) == {"events", "job", "concordance"}
    needed = {"left", "node", "right", "page", "url", "host", "date", "start", "end", "bytes"}
    assert needed <= set(answer["rows"][0])
    assert (answer["corpus"], answer["query"], answer["canonical"]) == ("corpus", GRAD, GRAD)


def test_lines_are_those_of_the_command_line(server: Serving, roots: tuple[Path, Path]) -> None:
    lines = fine("query", roots[0], GRAD, "--json", "--quiet").out.splitlines()
    expected = [(row["left"], row["node"], row["right"]) for row in map(json.loads, lines)]
    rows, path = [], f"/api/v1/hits?q={'%5Blemma%3D%22grad%22%5D'}&per_page=7"
    while path:
        answer = server.ask("GET", path).json
        rows += [(row["left"], row["node"], row["right"]) for row in answer["rows"]]
        path = answer["next"]
    assert rows == expected
    assert answer["count"] == {"value": len(expected), "state": "done", "searched": 1.0}


def test_bytes_of_a_hit_are_in_the_original_page(server: Serving) -> None:
    query = '[word=".*[čćžšđ].*"]'
    latin = server.fine("hits", q=query, where="url = 'http://b.hr/latin'", per_page=20)["rows"]
    assert latin
    for row in [*latin, *server.fine("hits", q=query, per_page=20)["rows"]]:
        page = server.get(f"pages/{row['page']}/original")
        encoding = server.fine(f"pages/{row['page']}")["encoding"]
        start, end = row["bytes"]
        assert page.body[start:end].decode(encoding) == row["node"]
    assert server.get(f"pages/{latin[0]['page']}/original").body == LATIN


def test_events_tell_the_count_until_it_is_done(server: Serving) -> None:
    answer = server.fine("hits", q='[lemma="b.*"]')
    stream = server.ask("GET", answer["links"]["events"])
    assert stream.headers["content-type"].startswith("text/event-stream")
    events = [
        json.loads(line.removeprefix("data: ")) for line in stream.body.decode().split("\n") if line.startswith("data")
    ]
    assert set(events[-1]) == {"value", "state", "searched"}
    assert events[-1]["state"] == "done"
    assert events[-1]["value"] == server.fine("frequency", q='[lemma="b.*"]', by="word")["count"]["value"]


def test_a_job_is_told_and_cancelled(server: Serving) -> None:
    answer = server.fine("hits", q='[lemma="c.*"]')
    job = answer["links"]["job"]
    assert server.ask("GET", job).json["count"]["state"] in ("running", "done")
    assert server.ask("DELETE", job).status == 403
    assert server.ask("DELETE", job, headers={"X-Paberki-Token": server.token}).status == 200
    assert server.get("jobs/nothing").status == 404


def test_lists_have_their_columns(server: Serving) -> None:
    spread = {"hits", "pages", "hosts", "arf", "dp", "per_million"}
    for name, parameters, attribute in (
        ("frequency", {"q": GRAD, "by": "word"}, "word"),
        ("words", {"by": "lemma"}, "lemma"),
        ("ngrams", {"n": 3, "attr": "word"}, "word"),
        ("keywords", {"where": "host = 'b.hr'"}, "lemma"),
        ("collocations", {"q": GRAD, "window": "-2..2", "measure": "ll", "by": "upos"}, "upos"),
        ("collocations", {"q": GRAD}, "collocate"),
        ("distribution", {"q": GRAD, "by": "host"}, "host"),
        ("trend", {"q": GRAD, "by": "year"}, "year"),
    ):
        rows = server.fine(name, **parameters)["rows"]
        assert {attribute, *spread} <= set(rows[0]), name
    rows = server.fine("values", attr="lemma", prefix="g", per_page=3)["rows"]
    assert all(set(row) == {"value", "hits"} and row["value"].lower().startswith("g") for row in rows)
    assert [row["hits"] for row in rows] == sorted((row["hits"] for row in rows), reverse=True)
    assert {"word", "lemma", "doc.host"} <= {row["name"] for row in server.fine("attributes")["rows"]}


def test_distribution_adds_up(server: Serving) -> None:
    answer = server.fine("distribution", q=GRAD, by="host")
    assert sum(row["hits"] for row in answer["rows"]) == answer["count"]["value"]
    parts = server.fine("dispersion", q=GRAD)
    assert sum(row["hits"] for row in parts["rows"]) == parts["figures"]["hits"] == answer["count"]["value"]


def test_sample_and_sort_are_repeatable(server: Serving) -> None:
    def starts(**options: Any) -> list[int]:
        return [row["start"] for row in server.fine("hits", q='[upos="NOUN"]', per_page=50, **options)["rows"]]

    assert starts(sample=10, seed=7) == starts(sample=10, seed=7) != starts(sample=10, seed=8)
    assert len(starts(sample=10)) == 10
    nodes = [row["node"] for row in server.fine("hits", q='[word="[sšt].*"]', sort="node", per_page=500)["rows"]]
    assert "".join(dict.fromkeys(node[0] for node in nodes)) == "sšt"


def test_sets_and_conditions_choose_pages(server: Serving) -> None:
    counts = {name: server.fine("hits", q=GRAD, set=name)["count"]["value"] for name in ("kept", "dropped", "all")}
    assert counts["kept"] + counts["dropped"] == counts["all"] > counts["kept"]
    assert all(row["reason"] for row in server.fine("hits", q=GRAD, set="dropped")["rows"])
    rows = server.fine("hits", q=GRAD, where="host = 'b.hr'", set="all")["rows"]
    assert rows
    assert {row["host"] for row in rows} == {"b.hr"}


def test_a_cut_loses_and_wins_lines(server: Serving) -> None:
    now = server.fine("hits", q=GRAD)["count"]["value"]
    cut = "token_count < 200"
    then, lost, won = (
        server.fine("hits", q=GRAD, cut=cut, set=name)["count"]["value"] for name in ("kept", "lost", "won")
    )
    assert now - lost + won == then < now
    answer = server.fine("select", cut=cut, q=GRAD)
    assert (answer["then"]["hits"], answer["lost"]["hits"], answer["won"]["hits"]) == (then, lost, won)
    assert {row["reason"] for row in answer["rows"]} >= {None, "duplicate"}


def test_the_corpus_and_its_sizes(server: Serving, roots: tuple[Path, Path]) -> None:
    facts = server.fine("corpus")
    assert facts["kept_tokens"] == server.fine("hits", q="[]")["count"]["value"] < facts["tokens"]
    assert facts["kept_pages"] < facts["pages"] == 10
    assert facts["corpora"] == ["corpus", "index"]
    assert json.loads(server.ask("GET", "/healthz").body)["status"] == "ready"
    metrics = server.ask("GET", "/metrics").body.decode()
    assert re.search(r'paberki_requests_total\{route="/api/v1/corpus",status="200"\} [1-9]', metrics)


def test_a_query_and_its_tree_go_both_ways(server: Serving) -> None:
    text = '[lemma="grad" & upos="NOUN"] []{0,2} "je"%c within <s/>'
    answer = server.fine("parse", q=text)
    back = server.post("parse", {"tree": answer["tree"]})
    assert back.json["canonical"] == answer["canonical"]
    assert server.fine("parse", q=answer["canonical"])["tree"] == answer["tree"]


def test_words_are_a_query(server: Serving) -> None:
    expected = server.fine("hits", q='[word="stara"%c | lemma="stara"%c]')
    assert server.fine("hits", q="Stara")["count"]["value"] == expected["count"]["value"] > 0
    assert server.fine("hits", q="star* , a")["rows"][0]["node"] == "stara, a"
    assert server.fine("hits", q="a+b (c)")["count"]["value"] == 0


def test_errors_say_where_and_what(server: Serving) -> None:
    answer = server.get("hits", q='[word="a"')
    assert answer.status == 400
    assert set(answer.json) == {"error", "position", "expected", "suggestion"}
    assert answer.json["position"] == 9
    assert server.get("hits", q='[lema="x"]').json["suggestion"] == "lemma"
    assert server.get("hits", q=GRAD, build="other").status == 409
    assert server.fine("hits", q=GRAD, build=server.fine("corpus")["build"])["rows"]
    assert server.get("hits", q=GRAD, corpus="nothing").status == 404
    assert "did you mean" in server.get("hits", q=GRAD, per_pag=3).json["error"]


def test_a_page_and_what_is_in_it(server: Serving, roots: tuple[Path, Path]) -> None:
    row = server.fine("hits", q=GRAD, per_page=1)["rows"][0]
    page = server.fine(f"pages/{row['page']}")
    assert {"id", "key", "url", "host", "date", "title", "warc_file", "warc_offset", "encoding", "blocks"} <= set(page)
    assert page["date"] == row["date"]
    assert (roots[0] / "warc" / page["warc_file"]).exists()
    assert server.fine(f"pages/{page['key']}")["id"] == page["id"]
    text = server.fine(f"pages/{row['page']}/text")
    assert row["node"] in text["text"]
    all_tokens = server.fine(f"pages/{row['page']}/tokens")
    at = next(one for one in all_tokens["rows"] if one["position"] == row["start"])
    assert at["word"] == row["node"]
    assert at["bytes"] == row["bytes"]
    tree = server.fine(f"pages/{row['page']}/tree", s=0)["rows"]
    assert [one["id"] for one in tree] == list(range(1, len(tree) + 1))
    assert sum(one["head"] == 0 for one in tree) == 1
    assert server.get(f"pages/{row['page']}/tree", s=10_000).status == 404
    explained = server.fine(f"pages/{row['page']}/explain")["explanation"]
    assert explained["page"]["id"] == page["id"]
    assert "verdict" in explained


@pytest.mark.parametrize("name", ["999999999", "abc", "0" * 32, "..", "%2e%2e%2fcorpus.toml", "-1", "1e3", "１２"])
def test_unknown_pages_are_not_found(server: Serving, name: str) -> None:
    from urllib.parse import quote

    for end in ("", "/original", "/text", "/tokens", "/tree", "/explain"):
        assert server.ask("GET", f"/api/v1/pages/{quote(name, safe='%')}{end}").status == 404


def test_copies_are_one_cluster(server: Serving) -> None:
    copy = next(row for row in server.fine("hits", q=GRAD, set="all", where="url = 'http://b.hr/kopija'")["rows"])
    rows = server.fine(f"clusters/{copy['page']}")["rows"]
    assert {row["url"] for row in rows} == {"http://a.hr/3", "http://b.hr/kopija"}
    folded = server.fine("hits", q=GRAD, set="all", fold=1)["count"]["value"]
    assert folded < server.fine("hits", q=GRAD, set="all")["count"]["value"]


def test_documents_are_searched(server: Serving) -> None:
    answer = server.fine("search", q="kuća")
    assert [row["url"] for row in answer["rows"]] == ["http://b.hr/latin"]
    assert answer["count"]["value"] == 1
    assert server.get("search", q='"').status == 400
    assert server.get("search", q="grad", corpus="index").status == 404


def test_an_index_of_a_foreign_corpus_is_served(server: Serving) -> None:
    answer = server.fine("hits", q=GRAD, corpus="index")
    assert answer["corpus"] == "index"
    assert answer["selection"] == "all"
    assert answer["count"]["value"] == tokens(1).count("grad")
    row = answer["rows"][0]
    assert row["page"] == "d1"
    assert row["bytes"] is None
    assert server.fine("pages/d1", corpus="index")["host"] == "a.example"
    assert server.fine("pages/d1/text", corpus="index")["text"].startswith("Stari Grad spava. Vidim")
    assert len(server.fine("pages/d1/tree", corpus="index", s=1)["rows"]) == 6
    assert server.get("pages/d1/original", corpus="index").status == 404
    assert server.get("pages/zz", corpus="index").status == 404
    assert server.fine("crawl", corpus="index")["status"] is None


def test_hits_are_exported_by_address_and_as_a_job(server: Serving) -> None:
    number = server.fine("hits", q=GRAD)["count"]["value"]
    file = server.get("export", q=GRAD, format="csv")
    assert file.headers["content-disposition"].startswith("attachment")
    assert len([line for line in file.body.decode().splitlines() if not line.startswith("#")]) == number + 1
    assert server.get("export", q=GRAD, format="exe").status == 400
    for body in ({"format": "jsonl", "q": GRAD}, {"format": "jsonl"}):
        job = server.post("export", body).json
        for _ in range(200):
            job = server.ask("GET", job["links"]["job"]).json
            if job["count"]["state"] != "running":
                break
            time.sleep(0.2)
        assert job["count"]["state"] == "done", job
        assert len(server.ask("GET", job["file"]).body.splitlines()) >= job["count"]["value"] > 0


def test_crawl_events_stay_open_and_end_with_the_client(server: Serving) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", "/api/v1/crawl/events")
    answer = connection.getresponse()
    assert json.loads(answer.readline().decode().removeprefix("data: "))["running"] is False
    connection.close()
