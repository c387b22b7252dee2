"""A small web for the interface: hosts, years, copies, rubbish, hostile pages, bytes of an old encoding."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import paberki
from corpora import SENTENCES

LONG = (
    "Kada je stari ribar ujutro polako izašao iz male kamene kuće na kraju uske ulice i pogledao prema mirnom moru , "
    "vidio je da u luku ulazi veliki bijeli brod koji nitko u gradu prije toga nikada nije vidio ."
)
"""One sentence of some forty words."""
SORTED = ("cesta", "čamac", "ćup", "dan")
"""Words that follow *nalazi* and show the order of the alphabet."""
HOSTILE_TITLE = "</title><script>document.title='hacked'</script><img src=x onerror=alert(1)>"


def paragraphs(seed: int, count: int = 6) -> list[str]:
    pick = random.Random(seed)
    return [" ".join(pick.sample(SENTENCES, 4)) + f" To je bilo {pick.randint(1, 10**6)}. put." for _ in range(count)]


def html(title: str, inside: list[str], extra: str = "", head: str = "<meta charset=utf-8>") -> str:
    body = "".join(f"<p>{one}</p>" for one in inside)
    return f"<!doctype html><html lang=hr><head>{head}<title>{title}</title></head><body><div class=main>{body}</div>{extra}</body></html>"


def pages() -> dict[str, tuple[bytes, str]]:
    """Address, bytes and date of every page."""
    made: dict[str, tuple[bytes, str]] = {}
    for seed in range(24):
        host, year = ("prvi", "drugi", "treci")[seed % 3], (2019, 2020, 2021)[seed % 3]
        made[f"http://{host}.hr/{seed}"] = (
            html(f"Članak {seed}", paragraphs(seed)).encode(),
            f"{year}-03-0{seed % 9 + 1}T08:00:00Z",
        )
    order = [
        f"Na karti se nalazi {word} koji svi dobro poznaju iz priča starih ljudi." for word in (*SORTED[::-1], *SORTED)
    ]
    made["http://prvi.hr/red"] = (
        html("Red", [*paragraphs(91, 2), " ".join(order), LONG]).encode(),
        "2021-05-01T08:00:00Z",
    )
    split = [*paragraphs(92, 2), "U starom <b>gra</b>du je <i>lijepo</i> vrijeme, a čamac čeka goste iz svih krajeva."]
    made["http://drugi.hr/stara"] = (
        html("Stara stranica", split, head="<meta charset=windows-1250>").encode("cp1250"),
        "2020-05-01T08:00:00Z",
    )
    made["http://treci.hr/formula"] = (
        html("Formula", [*paragraphs(93, 3), "=1+1 piše na ploči u gradu, a nitko ne zna zašto je to tako."]).encode(),
        "2021-06-01T08:00:00Z",
    )
    hostile = (
        "<script>document.title='hacked';fetch('http://elsewhere.test/')</script><img src='http://elsewhere.test/x.png' onerror=alert(2)>"
        "<iframe src='javascript:alert(3)'></iframe><a href='javascript:alert(4)' autofocus onfocus=alert(5)>x</a><svg onload=alert(6)></svg>"
    )
    made["http://drugi.hr/<zlo>"] = (html(HOSTILE_TITLE, paragraphs(94), hostile).encode(), "2020-07-01T08:00:00Z")
    for copy in range(3):
        made[f"http://treci.hr/kopija{copy}"] = (
            html("Kopija", paragraphs(95)).encode(),
            f"2021-08-0{copy + 1}T08:00:00Z",
        )
    rubbish = " ".join(f"grad {word} kupi jeftino" for word in ("auto", "kuća", "stan", "mobitel", "sat", "put") * 12)
    for number in range(3):
        made[f"http://cetvrti.hr/popis{number}"] = (
            html(f"Popis {number}", [f"{rubbish} {number} {rubbish} {number * 7}"] * 2).encode(),
            "2021-09-01T08:00:00Z",
        )
    return made


def record(url: str, body: bytes, date: str) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
        f"WARC-Record-ID: <urn:uuid:{random.Random(url).randbytes(16).hex()}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0)


def warc(path: Path, made: dict[str, tuple[bytes, str]]) -> Path:
    path.write_bytes(b"".join(record(url, body, date) for url, (body, date) in made.items()))
    return path


def build(root: Path, archive: Path) -> Path:
    """A corpus of these pages, built and indexed."""
    corpus = paberki.new(root, lang="hr")
    corpus.add([archive])
    corpus.build(jobs=1)
    return root
