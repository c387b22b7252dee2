"""paberki eval corpus: an archive is built and compared with gold, beside another chain given as a command."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from in_process import paberki, refused

from corpora import article
from paberki.archive.warc_writer import WarcWriter

ROOT = Path(__file__).parents[3]
ENGLISH = "<html><body><div class=main>" + "<p>This page is in another language, and nobody asked for it here.</p>" * 9
PEER = """
import json, sys
assert sys.argv[2] == "hr", sys.argv
print(json.dumps({"url": "http://a.example.hr/1", "text": "Danas je u gradu bilo lijepo vrijeme"}))
print(json.dumps({"url": "http://a.example.hr/en", "text": "This page is in another language"}))
"""


def write_pages(folder: Path) -> tuple[Path, Path]:
    """Five articles, a copy of the first, and a page in English; and the gold of it."""
    pages = {f"http://a.example.hr/{number}": article(number) for number in range(1, 6)}
    pages |= {"http://b.example.hr/copy": article(1), "http://a.example.hr/en": ENGLISH}
    warc, gold = folder / "pages.warc.gz", folder / "gold.jsonl"
    rows = []
    with WarcWriter(warc) as writer:
        for url, html in pages.items():
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html.encode()
            writer.write("response", url=url, date="2026-11-01T00:00:00Z", content_type="application/http; msgtype=response",
                         block=block)  # fmt: skip
            text = "\n".join(re.findall("<p>(.*?)</p>", html))
            copy = {"copy_of": "http://a.example.hr/1"} if "copy" in url else {}
            rows.append({"url": url, "gold": text, "lang": "en" if url.endswith("en") else "hr", **copy})
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return warc, gold


def test_a_build_and_a_peer_are_compared_with_gold(tmp_path: Path) -> None:
    warc, gold = write_pages(tmp_path)
    peer = tmp_path / "peer.py"
    peer.write_text(PEER, "utf-8")
    end = paberki(
        "eval", "corpus", warc, gold, "--peer", f"{sys.executable} {peer}", "--log", tmp_path / "log.jsonl", "--json"
    )
    assert end.code == 0, end.err
    facts = end.json
    assert (facts["lang"], facts["pages"], facts["copies"], facts["foreign_pages"]) == ("hr", 5, 1, 1)
    assert (facts["recall"], facts["precision"], facts["lost"]) == (1.0, 1.0, 0)
    assert (facts["wrong_language"], facts["duplicates"]) == (0, 0)
    assert facts["cpu_seconds"] > 0
    row = next(line for line in (ROOT / "docs" / "json.md").read_text("utf-8").splitlines() if "`eval corpus`" in line)
    assert list(facts) == re.findall(r"`(\w+)`", row.rpartition("object |")[2])
    (other,) = facts["peers"]
    assert (other["lost"], other["wrong_language"], other["duplicates"], other["precision"]) == (4, 1, 0, 1.0)
    assert 0 < other["recall"] < 0.1
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    assert next(row["url"] for row in log if row["system"] == "paberki") == "http://a.example.hr/1"
    assert len(log) == 10


def test_what_cannot_be_compared_is_refused_in_one_line(tmp_path: Path) -> None:
    warc, gold = write_pages(tmp_path)
    assert "nothing.jsonl" in refused("eval", "corpus", warc, tmp_path / "nothing.jsonl")
    broken = tmp_path / "broken.py"
    broken.write_text("import sys; sys.exit('no such model')", "utf-8")
    message = refused("eval", "corpus", warc, gold, "--peer", f"{sys.executable} {broken}", "--quiet")
    assert "no such model" in message
