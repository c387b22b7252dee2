"""In-links of a real corpus: the transpose of its out-links, through redirects and canonical addresses."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq

from paberki.corpus import Corpus
from paberki.extraction.about.inlinks import Aliases, AliasesConfig, _pairs, address

STAGES = """stages = ["captures.v1", "decode.declared.v1", "extract.tagpath.v1", "metadata.page.v1", "links.aliases.v1",
"links.targets.v1", "links.incoming.v1"]
"""
HEAD = "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n{more}\r\n"


def record(url: str, html: str = "", status: str = "200 OK", more: str = "") -> bytes:
    body = HEAD.format(status=status, more=more).encode() + html.encode()
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
    head += f"WARC-Record-ID: <urn:uuid:{random.Random(url).randbytes(16).hex()}>\r\n"
    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def built(corpus: Callable[..., Corpus], tmp_path: Path, records: list[bytes], jobs: int = 1) -> Corpus:
    source = tmp_path / "pages.warc"
    source.write_bytes(b"".join(records))
    made = corpus(source)
    recipe = made.directory.recipe
    recipe.write_text(STAGES + recipe.read_text("utf-8"), "utf-8")
    made.build(jobs=jobs)
    return made


def rows(corpus: Corpus, layer: str) -> list[dict]:
    return [
        row
        for path in sorted((corpus.root / "layers" / layer).glob("*.parquet"))
        for row in pq.read_table(path).to_pylist()
    ]


def test_in_links_are_the_transpose_of_the_out_links(corpus, tmp_path):
    chance = random.Random(5)
    urls = [f"http://h{n % 4}.hr/p{n}" for n in range(40)]
    records = []
    for number, url in enumerate(urls):
        out = [chance.choice(urls) for _ in range(6)] + ["http://elsewhere.hr/", "mailto:a@b.hr", "#top", f"p{number}"]
        records.append(record(url, "".join(f'<p><a href="{to}">riječ {n}</a>' for n, to in enumerate(out))))
    made = built(corpus, tmp_path, records, jobs=2)
    page_of = {row["url"]: row["id"] for row in rows(made, "archive")}
    wanted = defaultdict(list)
    for page, links, found in zip(rows(made, "archive"), rows(made, "extract"), rows(made, "links"), strict=True):
        for link, target in zip(links["links"], found["targets"], strict=True):
            if target in page_of and target != page["url"]:
                wanted[page_of[target]].append((page["id"], link["text"]))
    for page, incoming in zip(rows(made, "archive"), rows(made, "inlinks"), strict=True):
        got = [(one["source"], one["text"]) for one in incoming["inlinks"] or []]
        assert sorted(got) == sorted(wanted[page["id"]])
        assert incoming["inlink_count"] == len(got)
    assert sum(map(len, wanted.values())) > 200


def test_redirects_canonical_addresses_and_bases(corpus, tmp_path):
    made = built(
        corpus,
        tmp_path,
        [
            record("http://a.hr/", '<base href="http://b.hr/x/"><a href="one">jedan</a> <a href="/old">stari</a> <a href="/kopija">kopija</a>'),
            record("http://b.hr/x/one", "<p>1"),
            record("http://b.hr/old", status="301 Moved", more="Location: /older\r\n"),
            record("http://b.hr/older", status="302 Found", more="Location: http://b.hr/new\r\n"),
            record("http://b.hr/new", "<p>novi"),
            record("http://b.hr/kopija", '<link rel="canonical" href="http://b.hr/new"><p>kopija'),
            record("http://b.hr/loop", status="301 Moved", more="Location: /loop2\r\n"),
            record("http://b.hr/loop2", status="301 Moved", more="Location: /loop\r\n"),
            record("http://b.hr/gone", status="301 Moved", more="Location: http://c.hr/nowhere\r\n"),
            record("http://b.hr/last", '<a href="/gone">nema</a><a href="/loop">krug</a>'),
        ],
    )  # fmt: skip
    found = {
        page["url"]: [one["text"] for one in incoming["inlinks"] or []]
        for page, incoming in zip(rows(made, "archive"), rows(made, "inlinks"), strict=True)
    }
    assert found["http://b.hr/x/one"] == ["jedan"]
    assert found["http://b.hr/new"] == ["stari", "kopija"]
    assert found["http://b.hr/kopija"] == found["http://b.hr/old"] == []
    assert found["http://b.hr/gone"] == ["nema"]
    assert found["http://b.hr/loop"] == ["krug"]


def test_aliases_are_the_same_in_any_order():
    config = AliasesConfig(most=3)
    tables = [
        _pairs({"http://a/": "http://b/", "http://c/": "http://d/"}),
        _pairs({"http://b/": "http://e/"}),
        _pairs({"http://a/": "http://a/z"}),
    ]
    forward = Aliases.merge([Aliases.merge(tables[:2], config), tables[2]], config)
    backward = Aliases.merge([tables[2], Aliases.merge([tables[1], tables[0]], config)], config)
    assert forward.equals(backward)


def test_addresses():
    assert address("/b#c", "http://A.hr:80/x") == "http://a.hr/b"
    assert address("javascript:void(0)", "http://a.hr/") is None
    assert address("http://[", "http://a.hr/") is None
    assert address("x" * 9000, "http://a.hr/") is None
