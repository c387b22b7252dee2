"""Who may ask the service, what strangers cannot do, and what bad input does to it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from commandline import fine, new, packed, record, refused, response
from serving import Serving

from corpora import article

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ORIGINAL_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
HOSTILE = (
    "", " ", "\x01", "%00", "../../etc/passwd", "'; DROP TABLE pages; --", '"', "[", "[]{0,1000000}", "(" * 500, "[word=\"(a+)+$\"]",
    "<script>alert(1)</script>", "a" * 3999, "\U0001f600" * 50, "\u202eabc", "9" * 400, "-1", "1e309", "NaN", "null", "$lang",
    "host = 'a' or 1 = 1", "badness <", "\ud7ff\uffff", "[word=\"a\" & ]", "../..", "%s%n", "true", "[[]]", "{}",
)  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with a page that would do harm."""
    base = tmp_path_factory.mktemp("secure")
    evil = article(5).replace(
        "</body>", "<script>document.title='hacked'</script><img src=http://evil.example/x></body>"
    )
    pages = [record(f"http://a.hr/{number}", response(article(number).encode())) for number in range(4)]
    (base / "a.warc.gz").write_bytes(packed(*pages, record("http://a.hr/evil", response(evil.encode()))))
    root = new(base / "corpus", base / "a.warc.gz")
    fine("build", root, "--jobs", 1, "--quiet")
    return root


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Serving]:
    """A server that only reads."""
    with Serving(root) as serving:
        yield serving


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "", "[::2]", "a b", "localhost@evil"]
)
def test_a_foreign_host_is_refused(server: Serving, host: str) -> None:
    assert server.ask("GET", "/api/v1/corpus", headers={"Host": host}).status == 400


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:99"])
def test_names_of_this_machine_are_not(server: Serving, host: str) -> None:
    assert server.ask("GET", "/api/v1/corpus", headers={"Host": host}).status == 200


def test_changes_need_token_and_origin(server: Serving) -> None:
    body, token, own = {"name": "a", "q": "b"}, server.token, f"http://127.0.0.1:{server.port}"
    assert server.ask("POST", "/api/v1/saved", body).status == 403
    assert server.ask("POST", "/api/v1/saved", body, {"X-Paberki-Token": token[:-1] + "!"}).status == 403
    foreign = {"X-Paberki-Token": token, "Origin": "http://evil.example"}
    assert server.ask("POST", "/api/v1/parse", {"tree": {}}, foreign).status == 403
    assert server.ask("POST", "/api/v1/parse", {"tree": {}}, {**foreign, "Origin": "null"}).status == 403
    assert server.ask("POST", "/api/v1/parse", {"tree": {}}, {**foreign, "Origin": own}).status == 400
    assert server.ask("DELETE", "/api/v1/jobs/x").status == 403


def test_without_edit_nothing_is_written(server: Serving, root: Path) -> None:
    recipe = (root / "corpus.toml").read_bytes()
    key = "0" * 32
    for name, body in (
        ("saved", {"name": "a", "q": "b"}),
        ("select", {"cut": "badness < 1", "write": True}),
        ("codings", {"task": "t", "coder": "ana", "key": key, "variable": "aim", "value": "fiction"}),
        ("labels", {"key": key, "start": 1, "end": 2, "label": "x"}),
    ):
        answer = server.post(name, body)
        assert answer.status == 403, name
        assert "--edit" in answer.json["error"]
    assert server.post("select", {"cut": "badness < 1"}).status == 200
    assert (root / "corpus.toml").read_bytes() == recipe
    assert not (root / "saved.json").exists()
    assert not (root / "codings").exists()


def test_headers_keep_pages_from_doing_harm(server: Serving) -> None:
    for path in ("/", "/api/v1/corpus", "/healthz", "/metrics", "/nothing", "/static/nothing"):
        headers = server.ask("GET", path).headers
        assert headers["content-security-policy"] == PAGE_POLICY, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    page = server.fine("hits", q="[]", where="url = 'http://a.hr/evil'", set="all")["rows"][0]["page"]
    original = server.get(f"pages/{page}/original")
    assert b"hacked" in original.body
    assert original.headers["content-security-policy"] == ORIGINAL_POLICY
    assert original.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", [
    "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fapp.py", "//etc/passwd", "/static//etc/passwd",
    "/api/v1/pages/..%2f..%2fcorpus.toml/original", "/api/v1/export/..%2f..%2fcorpus.toml", "/api/v1/clusters/..%2f1",
])  # fmt: skip
def test_no_path_leads_out_of_the_corpus(server: Serving, path: str) -> None:
    assert server.ask("GET", path).status in (400, 404)


@pytest.mark.parametrize("name", [
    "hits", "frequency", "collocations", "distribution", "dispersion", "trend", "words", "ngrams", "keywords", "sketch", "similar",
    "values", "parse", "select", "search", "export", "codings", "corpus", "pages/0", "pages/0/tokens",
])  # fmt: skip
def test_hostile_values_are_answered_or_refused(server: Serving, name: str) -> None:
    parameters = ("q", "where", "set", "cut", "sort", "by", "attr", "prefix", "window", "measure", "min", "n", "lemma", "s", "from",
                  "per_page", "sample", "seed", "view", "strategy", "dialect", "fold", "build", "corpus", "format", "task")  # fmt: skip
    addresses = [
        f"/api/v1/{name}?{'' if one == 'q' else 'q=a&lemma=a&'}{one}={quote(value, errors='surrogatepass')}"
        for number, one in enumerate(parameters)
        for value in HOSTILE[number % 9 :: 9]
    ]
    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(lambda path: server.ask("GET", path).status, addresses))
    assert set(statuses) <= {200, 400, 404, 409, 429, 503}, [  # 503: its time was up
        pair for pair in zip(statuses, addresses, strict=True) if pair[0] >= 500
    ]


def test_sizes_are_limited(server: Serving) -> None:
    assert server.get("hits", q="a" * 5000).status == 400
    assert server.ask("GET", f"/api/v1/hits?q={'a' * 70_000}").status == 414
    assert server.post("parse", b"x" * 2_000_000).status == 413
    for body in (
        b"",
        b"[]",
        b"{",
        b"\xff",
        b'{"tree": 1}',
        b'{"tree": {"kind": "nothing"}}',
        b'{"no": 1}',
        b"[" * 100_000,
    ):
        assert server.post("parse", body).status == 400
    assert server.get("hits", q="a", per_page=1001).status == 400


def test_what_is_no_http_does_not_disturb(server: Serving) -> None:
    for junk in (b"\x00\x01\x02\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n", b"A" * 100_000):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            connection.sendall(junk)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(100)
    assert server.ask("GET", "/healthz").status == 200
    assert server.ask("PUT", "/api/v1/corpus").status == 405


def test_a_read_token_is_needed_by_every_request(root: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a-token-of-many-characters\n")
    with Serving(root, "--read-token", tmp_path / "token") as server:
        for path in ("/", "/healthz", "/api/v1/corpus", "/static/x", "/metrics"):
            assert server.ask("GET", path).status == 401
        bearer = {"Authorization": "Bearer a-token-of-many-characters"}
        assert server.ask("GET", "/api/v1/corpus", headers=bearer).status == 200
        assert (
            server.ask("GET", "/api/v1/corpus", headers={"Authorization": "Bearer a-token-of-many-character"}).status
            == 401
        )


def test_another_address_needs_a_token(root: Path, tmp_path: Path) -> None:
    assert "--read-token" in refused("serve", root, "--host", "0.0.0.0", "--port", "0")
    for text in ("", "two words", "ž"):
        (tmp_path / "no-token").write_text(text, "utf-8")
        assert "one line with a token" in refused("serve", root, "--read-token", tmp_path / "no-token")


def test_with_edit_people_write_beside_the_corpus(root: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    with Serving(copy, "--edit") as server:
        assert server.post("saved", {"name": "towns", "q": '[lemma="grad"]'}).status == 200
        assert [row["name"] for row in server.fine("saved")["rows"]] == ["towns"]
        assert server.post("saved/towns", None, "DELETE").status == 200
        assert server.fine("saved")["rows"] == []
        row = server.fine("hits", q='[lemma="grad"]', per_page=1)["rows"][0]
        coding = {"task": "genre", "coder": "ana", "key": row["key"], "variable": "aim", "value": "fiction"}
        assert server.post("codings", coding).status == 200
        labels = server.fine("codings", task="genre", coder="ana")["rows"]
        assert [(one["key"], one["variable"], one["value"]) for one in labels] == [(row["key"], "aim", "fiction")]
        assert server.post("codings", {**coding, "value": "nonsense"}).status == 400
        assert server.post("codings", {**coding, "task": "../x"}).status == 400
        label = {"key": row["key"], "start": row["bytes"][0], "end": row["bytes"][1], "label": "good"}
        assert server.post("labels", label).status == 200
        assert [one["label"] for one in server.fine("labels")["rows"]] == ["good"]
        answer = server.post("select", {"cut": "token_count < 100", "write": True})
        assert answer.status == 200
        assert "paberki build" in answer.json["next_command"]
        assert "token_count < 100" in (copy / "corpus.toml").read_text()
