"""A small corpus for tests of document search, Web Standard Format and the open interfaces.

Pages are Croatian articles, and pages in other languages and encodings that are left out; they link to each other. One copy is
built per test run, whichever worker asks first.
"""

from __future__ import annotations

import gzip
import random
from pathlib import Path

from paberki.corpus import Corpus, new_corpus
from paberki.store.lock import hold

CROATIAN = (
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje.",
    "Rekli su da se tu nalazi ono što traže već nekoliko godina.",
    "Predsjednik društva je najavio da će se radovi nastaviti i sljedeće godine.",
    "Nitko nije očekivao da će se na otvorenju okupiti toliko ljudi.",
    "Knjiga koju je napisala govori o djetinjstvu na otoku i o ljudima koji su otišli.",
    "Ako se ništa ne promijeni, most bi mogao biti gotov prije kraja ljeta.",
    "U subotu je na trgu održan koncert na kojem su svirali mladi glazbenici.",
    "Stanovnici se žale da autobus ne vozi redovito i da ih nitko ne sluša.",
    "Stari grad leži uz more, a nova cesta vodi do luke.",
    "Vijeće je odlučilo da se čamci ne smiju vezati uz obalu.",
)
RUSSIAN = (
    "Сегодня в городе была хорошая погода, и гости приехали со всех концов страны.",
    "Никто не ожидал, что на открытии соберётся столько людей.",
    "Книга рассказывает о детстве на острове и о людях, которые уехали.",
    "Председатель общества сообщил, что работы продолжатся и в следующем году.",
)
JAPANESE = (
    "今日は町の天気がよく、遠くからたくさんの人が来ました。",
    "この本は島で過ごした子どものころのことを書いています。",
    "橋の工事は来年も続くと市長が話しました。",
    "土曜日に広場で若い音楽家の演奏会がありました。",
)
ENGLISH = (
    "The weather in the town was fine today, and guests came from all parts of the country.",
    "Nobody expected that so many people would come to the opening.",
    "The book she wrote is about a childhood on the island and the people who left.",
)
ENCODED = (
    ("utf-8", CROATIAN), ("cp1250", CROATIAN), ("iso-8859-2", CROATIAN), ("utf-16-le", CROATIAN), ("utf-16-be", CROATIAN),
    ("windows-1251", RUSSIAN), ("koi8-r", RUSSIAN), ("euc-jp", JAPANESE), ("shift_jis", JAPANESE),
    ("iso-2022-jp", JAPANESE), ("utf-8", JAPANESE), ("utf-8", ENGLISH),
)  # fmt: skip
HOST = "http://novine.hr"


def page(number: int, sentences: tuple[str, ...], encoding: str, *, copy_of: int | None = None) -> bytes:
    """The bytes of a page: markup inside of sentences, references, comments, and a head that says things about it."""
    pick = random.Random(number if copy_of is None else copy_of)
    paragraphs = []
    for _ in range(6):
        chosen = [*pick.sample(sentences, min(3, len(sentences))), f"{pick.randint(1000, 999_999)}."]
        words = " ".join(chosen).split(" ")
        at = pick.randrange(len(words))
        words[at] = pick.choice(
            ("<b>{}</b>", "<i class='x'>{}</i>", "{}<!-- note -->", "<a href='/{}'>{}</a>")
        ).replace("{}", words[at])
        paragraphs.append(f"<p>{' '.join(words)} &amp; &#8222;kraj&#8220;</p>" if encoding != "x" else "")
    links = "".join(f'<li><a href="/clanak/{other}">Članak {other}</a></li>' for other in pick.sample(range(20), 3))
    title = f"{sentences[0][:20]} {number}"
    html = (
        f"<!doctype html><html><head><title>{title} &amp; drugo</title>"
        f'<meta name="keywords" content="{sentences[1][:12]}, broj {number}">'
        f"<meta name='description' content='{sentences[2][:30]} &quot;{number}&quot;'></head>"
        f"<body><ul id=nav>{links}</ul><div class=main><h1>{title}</h1>{''.join(paragraphs)}</div></body></html>"
    )
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    return mark + html.encode(encoding, "xmlcharrefreplace")


def _record(url: str, payload: bytes, charset: str) -> bytes:
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\n\r\n".encode() + payload
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 20{10 + len(url) % 10}-05-06T07:08:09Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{random.Random(url).randbytes(16).hex()}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + body + b"\r\n\r\n", 6, mtime=0)


def make_corpus(root: Path) -> Corpus:
    """Build it."""
    records = [_record(f"{HOST}/clanak/{number}", page(number, CROATIAN, "utf-8"), "utf-8") for number in range(20)]
    records.append(_record("http://zrcalo.hr/kopija", page(99, CROATIAN, "utf-8", copy_of=3), "utf-8"))
    for number, (encoding, sentences) in enumerate(ENCODED, 100):
        records.append(_record(f"http://kodirano.hr/{number}", page(number, sentences, encoding), encoding))
    short = "<html><head><title>Kratko</title></head><body><p>Jedna kratka rečenica o svjetioniku.</p></body></html>"
    records.append(_record("http://kratko.hr/", short.encode(), "utf-8"))
    source = root.parent / "search.warc.gz"
    source.write_bytes(b"".join(records))
    corpus = new_corpus(root, lang="hr", name="probni")
    corpus.add([source])
    corpus.build(jobs=1)
    return corpus


def shared_corpus(basetemp: Path) -> Path:
    """The corpus of this test run; tests only read it."""
    folder = basetemp / "search-corpus"
    folder.mkdir(exist_ok=True)
    with hold(folder / "lock", doing="building", wait=True):
        if not (folder / "ready").exists():
            make_corpus(folder / "corpus")
            (folder / "ready").touch()
    return folder / "corpus"
