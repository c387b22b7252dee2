"""Endless regions of many kinds, each on a host of its own beside good pages, all in one crawl."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from loopback import SETTINGS, Answer, Web

from corpora import article
from paberki.crawl import CrawlConfig, CrawlStats, crawl

GOOD = 24
MOST = 100
"""Requests that a trap may cost; the promise is 250."""
WILD = "divlji.hr"
LETTERS = str.maketrans("0123456789", "ghijklmnop")


def text(seed: int) -> str:
    return article(seed).partition("<div class=main>")[2].partition("</div>")[0]


def links(*targets: str) -> str:
    return "<html lang=hr><body>" + " ".join(f"<a href='{target}'>{target}</a>" for target in targets)


def token(of: str, length: int = 12) -> str:
    return hashlib.sha256(of.encode()).hexdigest()[:length]


def calendar(path: str) -> Answer:
    year, month = (int(part) for part in path.split("/")[2:4])
    at = 12 * year + month - 1
    months = [f"/kalendar/{m // 12:04}/{m % 12 + 1:02}/" for m in (at - 1, at + 1)]
    return Answer(links(*months, *(f"{path}{day}" for day in range(1, 29, 7))) + "<p>Nema događaja.")


def both_ways(path: str) -> Answer:
    values = dict(part.split("=") for part in path.partition("?")[2].split("&"))
    at = 12 * int(values["godina"]) + int(values["mjesec"])
    steps = [f"/raspored?godina={m // 12}&mjesec={m % 12}" for m in (at - 1, at + 1, at - 12, at + 12)]
    return Answer(links(*steps) + f"<p>Raspored za mjesec {values['mjesec']} godine {values['godina']}.")


def facets(path: str) -> Answer:
    """Parameters in the order in which they were chosen."""
    chosen = [part for part in path.partition("?")[2].split("&") if part]
    names = {part.partition("=")[0] for part in chosen}
    more = [f"{name}={value}" for name in ("boja", "marka", "vel", "red") if name not in names for value in range(4)]
    return Answer(links(*("/ponuda?" + "&".join([*chosen, one]) for one in more)) + text(1))


def path_facets(path: str) -> Answer:
    chosen = [part for part in path.split("/") if part][1:]
    more = [f"{name}-{value}" for name in ("boja", "marka", "vel", "red") for value in range(4)]
    following = ("/".join([*chosen, one]) for one in more if one not in chosen)
    return Answer(links(*(f"/filtar/{one}/" for one in following)) + text(1))


def growing_query(path: str) -> Answer:
    return Answer(links(f"{path}&stranica=1", f"{path}&sort=2") + text(2))


def session_in_path(path: str) -> Answer:
    """The same ten pages under ever new session ids."""
    number = int(path.rpartition("-")[2])
    others = (f"/s{token(f'{path} {n}')}/stranica-{n}" for n in range(10))
    return Answer(links(*others) + text(100 + number))


def session_of_letters(path: str) -> Answer:
    names = (token(f"{path} {n}").translate(LETTERS) for n in range(10))
    others = (f"/{name}/stranica-{n}" for n, name in enumerate(names))
    return Answer(links(*others) + text(300 + int(path.rpartition("-")[2])))


def session_in_parameter(path: str) -> Answer:
    others = (f"/tema?t={n}&kljuc={token(f'{path} {n}')}" for n in range(10))
    return Answer(links(*others) + text(200 + int(path.partition("t=")[2].partition("&")[0])))


def deeper(path: str) -> Answer:
    return Answer(links("dalje/", "natrag/") + "<p>Ništa posebno, žao nam je.")


def back_and_forth(path: str) -> Answer:
    return Answer(links("a/" if path.endswith("b/") else "b/") + text(3))


def soft_error(path: str) -> Answer:
    others = (f"/{token(path + str(n), 6)}-{token(str(n) + path, 6)}.html" for n in range(6))
    return Answer(links(*others) + "<p>Stranica koju tražite ne postoji ili je premještena, žao nam je zbog toga.")


def login(path: str) -> Answer:
    return Answer(links(f"/prijava?natrag={token(path)}", f"/prijava?natrag={token(path + 'x')}") + "<p>Prijavite se.")


def search(path: str) -> Answer:
    others = (f"/trazi?q={token(path + str(n), 5)}+{token(str(n), 4)}" for n in range(8))
    return Answer(links(*others) + f"<p>Za upit {path[9:]} nema rezultata. Pokušajte s nekim drugim upitom.")


def redirects(path: str) -> Answer:
    return Answer("", 302, headers={"Location": f"/dalje/{int(path.rpartition('/')[2]) + 1}"})


def redirects_by_token(path: str) -> Answer:
    return Answer("", 302, headers={"Location": f"/ulaz?t={token(path)}"})


def counter(path: str) -> Answer:
    number = int(path.rpartition("=")[2])
    same = text(4)
    return Answer(links(*(f"/broj?n={number + step}" for step in (1, 2, 3))) + f"<p>Stavka {number}.</p>" + same)


def replies(path: str) -> Answer:
    number = int(path.rpartition("=")[2])
    return Answer(links(*(f"/rasprava?odgovor={number + n}" for n in range(1, 9))) + text(5))


TRAPS: dict[str, tuple[str, Callable[[str], Answer]]] = {
    "calendar": ("/kalendar/2024/05/", calendar),
    "both-ways": ("/raspored?godina=2024&mjesec=5", both_ways),
    "facets": ("/ponuda?boja=1", facets),
    "path-facets": ("/filtar/boja-1/", path_facets),
    "growing-query": ("/popis?stranica=1", growing_query),
    "session-in-path": ("/s0123456789ab/stranica-1", session_in_path),
    "session-of-letters": ("/abcdefghijkl/stranica-1", session_of_letters),
    "session-in-parameter": ("/tema?t=1", session_in_parameter),
    "deeper": ("/arhiva/", deeper),
    "back-and-forth": ("/a/", back_and_forth),
    "soft-error": ("/stara-stranica.html", soft_error),
    "login": ("/prijava?natrag=1", login),
    "search": ("/trazi?q=x", search),
    "redirects": ("/dalje/1", redirects),
    "redirects-by-token": ("/ulaz?t=1", redirects_by_token),
    "counter": ("/broj?n=1", counter),
    "replies": ("/rasprava?odgovor=1", replies),
}


def wild(host: str) -> Answer:
    """Every name of the domain has a page, with a text that is nearly the same and links to ten further names."""
    names = (f"http://{token(f'{host} {n}', 8)}.{WILD}/" for n in range(10))
    return Answer(links("/o-nama", *names) + text(6) + f"<p>Dobro došli na {host}.</p>")


def answer(host: str, path: str) -> Answer:
    if host.endswith(WILD):
        return wild(host) if path in ("/", "/o-nama") else Answer("", 404)
    entrance, make = TRAPS[host.removesuffix(".hr")]
    if path == "/":
        return Answer(links(*(f"/vijesti/clanak-o-svemu-{n}" for n in range(0, GOOD, 6)), entrance))
    if path.startswith("/vijesti/"):
        number = int(path.rpartition("-")[2])
        following = f"/vijesti/clanak-o-svemu-{(number + 1) % GOOD}"
        seed = 1000 + 100 * list(TRAPS).index(host.removesuffix(".hr")) + number
        return Answer(links(following, "/", entrance) + text(seed))
    return make(path) if path not in ("/robots.txt", "/favicon.ico") else Answer("", 404)


class Names(dict[str, tuple[str, int | None]]):
    """A name server with a wildcard."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or str(name).endswith(f".{WILD}")

    def __missing__(self, name: str) -> tuple[str, int | None]:
        return self[WILD]


@pytest.fixture(scope="module")
def crawled() -> Iterator[tuple[Web, CrawlStats]]:
    """One crawl of all hosts, to its end."""
    web = Web()
    hosts = [f"{name}.hr" for name in TRAPS]
    for host in (*hosts, WILD):
        web.serve(host)
    web.fallback = answer
    config = CrawlConfig(**SETTINGS, seeds=(*hosts, WILD), languages=("hr",), ip_delay=0.0)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        stats = crawl(config, warc=folder / "warc", state=folder / "state", resolve=Names(web.resolve))
    yield web, stats
    web.close()


@pytest.mark.parametrize("name", TRAPS)
def test_endless_regions_cost_little(crawled: tuple[Web, CrawlStats], name: str) -> None:
    paths = crawled[0].paths(f"{name}.hr")
    good = [path for path in paths if path.startswith("/vijesti/")]
    assert len(set(good)) == len(good) == GOOD
    assert 0 < len(paths) - GOOD - 1 <= MOST


def test_endless_names_cost_little(crawled: tuple[Web, CrawlStats]) -> None:
    web, _ = crawled
    pages = [hit for hit in web.asked if hit.host.endswith(WILD)]
    files = [hit for hit in web.hits if hit.host.endswith(WILD)]
    assert 8 < len(pages) <= MOST
    assert len(files) <= 250, len(pages)


def test_nothing_is_asked_for_twice(crawled: tuple[Web, CrawlStats]) -> None:
    asked = Counter((hit.host, hit.path) for hit in crawled[0].asked)
    assert [one for one, times in asked.items() if times > 1] == []
