"""The verb and its process: where it listens, what it says, how it ends; and corpora that change while they are served."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import threading
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from commandline import fine, good, new, paberki, packed, record, refused, response
from serving import Serving

from smallcorpus import make_index

GRAD = '[lemma="grad"]'


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small foreign index."""
    base = tmp_path_factory.mktemp("foreign")
    make_index(base)
    return base / "index"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index on which a search takes some seconds."""
    base = tmp_path_factory.mktemp("large")
    lines = "".join(f"w{number % 97}\n" for number in range(400_000))
    (base / "a.vert").write_text('<doc id="d">\n' + lines + "</doc>\n")
    fine("index", base / "index", "--vertical", base / "a.vert", "--attributes", "word", "--quiet")
    return base / "index"


def test_every_page_says_what_an_index_without_pages_lacks(foreign: Path) -> None:
    with Serving(foreign) as server:
        for address in ("/search?q=grad", "/select", "/report", "/code", "/crawl"):
            answer = server.ask("GET", address)
            assert answer.status == 200, address
            assert b"ithout a corpus" in answer.body or b"no crawl" in answer.body


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_a_normal_end(foreign: Path, number: int) -> None:
    with Serving(foreign) as server:
        assert server.fine("hits", q=GRAD)["rows"]
        code, seconds, err = server.end(number)
    assert (code, err) == (0, "")
    assert seconds < 10


def test_what_is_wrong_is_said_in_one_line(foreign: Path, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port} is in use" in refused("serve", foreign, "--port", port)
    assert "paberki new" in refused("serve", tmp_path / "nothing", "--port", "0")
    (tmp_path / "corpus").mkdir()
    fine("new", tmp_path / "other", "--lang", "hr")
    assert "paberki index" in refused("serve", tmp_path / "other", "--port", "0")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "index.json").write_text("{}")
    assert "index" in refused("serve", tmp_path / "broken", "--port", "0")


def test_running_answers_end_and_streams_too(large: Path) -> None:
    """A search that would take half a minute ends with what it has; idle event streams do not hold the server."""
    slow = '[word=".*1"] []{0,1000} [word="zzz"]'
    with Serving(large) as server:
        streams = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        for one in streams:
            one.sendall(b"GET /api/v1/crawl/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert one.recv(20).startswith(b"HTTP/1.1 200")
        answers = []
        thread = threading.Thread(target=lambda: answers.append(server.get("frequency", q=slow, by="word")))
        thread.start()
        time.sleep(1)
        was_running = thread.is_alive()
        code, seconds, _ = server.end()
        thread.join(10)
        for one in streams:
            one.close()
    assert code == 0
    assert seconds < 10
    assert answers
    assert answers[0].status == 200
    assert not was_running or answers[0].json["count"]["state"] in ("stopped", "done")


def test_a_count_is_stopped(large: Path) -> None:
    with Serving(large) as server:
        answer = server.fine("hits", q='[word="w.*"] []{0,1000} [word="w5"]', per_page=1)
        job = answer["links"]["job"]
        began = time.monotonic()
        stopped = server.ask("DELETE", job, headers={"X-Paberki-Token": server.token}).json["count"]
        assert stopped["state"] in ("stopped", "done")
        assert time.monotonic() - began < 5
        assert server.fine("hits", q='[word="w5"]')["count"]["value"] == 400_000 // 97 + 1


def test_a_broken_index_is_503_until_it_is_mended(foreign: Path, tmp_path: Path) -> None:
    shutil.copytree(foreign, tmp_path / "index")
    with Serving(tmp_path / "index") as server:
        good_text = (tmp_path / "index" / "index.json").read_text()
        (tmp_path / "index" / "index.json").write_text("{}")
        answer = server.get("hits", q=GRAD)
        assert answer.status == 503
        assert "paberki index" in answer.json["error"]
        assert "retry-after" in answer.headers
        (tmp_path / "index" / "index.json").write_text(good_text)
        assert server.fine("hits", q=GRAD)["rows"]


def test_a_corpus_grows_shrinks_and_loses_pages_while_it_is_served(tmp_path: Path) -> None:
    """Every answer is of one build; a page that was taken down is gone at once."""
    (tmp_path / "a.warc.gz").write_bytes(packed(*(good(f"http://a.hr/{number}", number) for number in range(4))))
    (tmp_path / "b.warc.gz").write_bytes(packed(*(good(f"http://b.hr/{number}", 50 + number) for number in range(4))))
    root = new(tmp_path / "corpus", tmp_path / "a.warc.gz")
    fine("build", root, "--jobs", 1, "--quiet")
    with Serving(root) as server:
        sizes: dict[str, set[int]] = {}
        ended = threading.Event()

        def watch() -> None:
            while not ended.is_set():
                answer = server.fine("frequency", q="[]", by="lemma", per_page=1)
                sizes.setdefault(answer["build"], set()).add(answer["count"]["value"])

        thread = threading.Thread(target=watch)
        thread.start()
        before = server.fine("corpus")
        fine("import", root, tmp_path / "b.warc.gz", "--quiet")
        fine("build", root, "--jobs", 1, "--quiet")
        after = server.fine("corpus")
        ended.set()
        thread.join()
        assert after["build"] != before["build"]
        assert after["pages"] == 2 * before["pages"]
        assert all(len(values) == 1 for values in sizes.values()), sizes
        assert server.get("hits", q=GRAD, build=before["build"]).status == 409
        _take_down(server, root)


def _take_down(server: Serving, root: Path) -> None:
    row = server.fine("hits", q=GRAD, per_page=1)["rows"][0]
    number = server.fine("hits", q=GRAD, where=f"url = '{row['url']}'")["count"]["value"]
    total = server.fine("hits", q=GRAD)["count"]["value"]
    job = server.post("export", {"format": "jsonl", "q": GRAD}).json
    while (job := server.ask("GET", job["links"]["job"]).json)["count"]["state"] == "running":
        time.sleep(0.05)
    with (root / "tombstones.jsonl").open("a") as file:
        file.write(json.dumps({"key": row["key"]}) + "\n")
    assert server.fine("hits", q=GRAD, set="all")["count"]["value"] < total
    assert server.fine("hits", q=GRAD)["count"]["value"] == total - number
    for end in ("", "/original", "/text", "/tokens", "/tree", "/explain"):
        assert server.get(f"pages/{row['page']}{end}").status == 404
    assert server.get(f"pages/{row['key']}").status == 404
    assert server.ask("GET", job["file"]).status == 404
    assert row["url"].encode() not in server.get("export", q=GRAD, format="jsonl").body
    assert row["url"] not in [one["url"] for one in server.fine("search", q="grad", per_page=100)["rows"]]


RUSSIAN = "Город начал убирать улицы после праздника, и жителям это очень понравилось, говорят в совете города. " * 12
RUSSIAN_PAGE = f"<html lang=ru><meta charset=utf-8><title>Город</title><h1>Город</h1><p>{RUSSIAN}<p>{RUSSIAN}".encode()


def test_a_corpus_without_annotation_is_served(tmp_path: Path) -> None:
    """Its only page is in another language: no tokens, but pages and documents."""
    (tmp_path / "a.warc.gz").write_bytes(packed(record("http://a.ru/1", response(RUSSIAN_PAGE))))
    root = new(tmp_path / "corpus", tmp_path / "a.warc.gz", lang="hr")
    assert paberki("build", root, "--jobs", "1", "--quiet").code == 0
    asks = {"q": "город"}
    with Serving(root) as server:
        for name in ("hits", "frequency", "collocations", "distribution", "dispersion"):
            assert server.fine(name, **asks)["rows"] == [] or name == "dispersion"
        assert server.fine("hits", q="[]", sort="right", fold=1, sample=3)["count"]["value"] == 0
        assert server.fine("values", attr="word", prefix="г")["rows"] == []
        assert server.fine("words", attr="lemma")["rows"] == server.fine("ngrams", n=2)["rows"] == []
        assert server.fine("search", set="all", **asks)["rows"][0]["url"] == "http://a.ru/1"
        for path in (
            "/",
            "/concordance",
            "/concordance?q=a",
            "/words",
            "/ngrams",
            "/keywords",
            "/help",
            "/frequency?q=a",
            "/trend?q=a",
        ):
            assert server.ask("GET", path).status == 200, path
        for path in ("/", "/concordance?q=a"):
            assert b"no-annotation" in server.ask("GET", path).body


def test_a_language_without_a_model_has_words(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(packed(record("http://a.ru/1", response(RUSSIAN_PAGE))))
    root = new(tmp_path / "corpus", tmp_path / "a.warc.gz", lang="ru")
    assert paberki("build", root, "--jobs", "1", "--quiet").code == 0
    with Serving(root) as server:
        assert [row["name"] for row in server.fine("attributes")["rows"]][:2] == ["word", "lc"]
        for name in ("hits", "frequency", "collocations", "distribution"):
            assert server.fine(name, q='"жителям"', set="all")["rows"], name
        assert server.fine("words", set="all")["rows"][0]["word"]
        assert server.ask("GET", "/api/v1/words?attr=lemma").status == 400
        for path in ("/", "/concordance?q=жителям", "/collocations?q=жителям", "/words", "/keywords", "/sketch/город"):
            assert server.ask("GET", quote(path, safe="/?=")).status == 200, path
