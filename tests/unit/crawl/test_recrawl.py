"""A second look: conditional requests, revisit records, change found with few requests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import Answer, Web

from corpora import article
from paberki.archive.reading.warc import scan
from paberki.crawl import CrawlStats
from paberki.crawl.steering.recrawl import moment_of

Run = Callable[..., CrawlStats]


class Site:
    """A list page, articles that change when told to, with or without validators."""

    def __init__(self, web: Web, host: str, count: int, *, validators: bool = True) -> None:
        self.web, self.host, self.count, self.validators = web, host, count, validators
        self.version = dict.fromkeys(range(count), 0)
        self.conditional: list[tuple[str, int]] = []
        web.serve(host)

    def answer(self, path: str, conditions: dict[str, str]) -> Answer:
        if path == "/":
            body = "".join(f"<a href=/vijesti/clanak-broj-{i}>x</a>" for i in self.version)
        else:
            number = int(path.rpartition("-")[2]) if path.startswith("/vijesti/clanak") else -1
            if number not in self.version:
                return Answer("", 404)
            body = article(10_000 * len(self.host) + 1000 * self.version[number] + number).replace(
                "<a href=/vijesti>", "<a>"
            )
        tag = f'"{hashlib.md5(body.encode()).hexdigest()}"'
        if self.validators and conditions.get("If-None-Match") == tag:
            return Answer("", 304, headers={"ETag": tag})
        return Answer(body, headers={"ETag": tag} if self.validators else {})


@pytest.fixture
def sites(web: Web) -> dict[str, Site]:
    made: dict[str, Site] = {}
    web.conditional = lambda host, path, headers: made[host].answer(path, headers)
    return made


def revisits(folder: Path) -> list[tuple[str, str]]:
    found = []
    for path in sorted(folder.glob("*.gz")):
        for record in scan(path):
            if record.type == "revisit":
                assert record.headers["warc-refers-to-target-uri"] == record.url
                assert record.headers["warc-refers-to-date"]
                found.append((record.url or "", record.headers["warc-profile"].rpartition("/")[2]))
    return found


def test_unchanged_pages_are_not_sent_again(web: Web, run: Run, sites: dict[str, Site], tmp_path: Path) -> None:
    site = sites["a.hr"] = Site(web, "a.hr", 8)
    plain = sites["b.hr"] = Site(web, "b.hr", 3, validators=False)
    run("a.hr", "b.hr", languages=("hr",))
    first = len(web.asked)
    assert first == 13
    site.version[3] = 1
    site.version[99] = 0
    stats = run("a.hr", "b.hr", languages=("hr",), recrawl=True)
    again = web.asked[first:]
    assert len({(hit.host, hit.path) for hit in again}) == len(again) == 14
    unconditional = [hit.path for hit in again if hit.host == "a.hr" and "If-None-Match" not in hit.headers]
    assert unconditional == ["/vijesti/clanak-broj-99"]
    kinds = [profile for _, profile in revisits(tmp_path / "warc")]
    assert kinds.count("server-not-modified") == 7
    assert kinds.count("identical-payload-digest") == plain.count + 1
    assert stats.unchanged == 11


def test_what_does_not_change_comes_later(web: Web, run: Run, sites: dict[str, Site]) -> None:
    quiet = sites["quiet.hr"] = Site(web, "quiet.hr", 120)
    busy = sites["busy.hr"] = Site(web, "busy.hr", 60)
    run("quiet.hr", "busy.hr", languages=("hr",))
    first = len(web.asked)
    for number in range(0, 60, 2):
        busy.version[number] = 1
    quiet.version[1000] = 0
    run("quiet.hr", "busy.hr", languages=("hr",), recrawl=True, max_pages=110)
    again = web.asked[first:]
    assert len([hit for hit in again if hit.host == "busy.hr"]) >= 58
    assert "/vijesti/clanak-broj-1000" in [hit.path for hit in again]
    run("quiet.hr", "busy.hr", languages=("hr",), recrawl=True)
    assert len(web.asked) == 2 * first + 1


def test_a_change_that_nothing_announces_is_found_while_there_are_requests(
    web: Web, run: Run, sites: dict[str, Site]
) -> None:
    site = sites["quiet.hr"] = Site(web, "quiet.hr", 120)
    run("quiet.hr", languages=("hr",), max_good_per_host=200)
    first = len(web.asked)
    site.version[119] = 1
    stats = run("quiet.hr", languages=("hr",), recrawl=True, max_pages=first)
    assert "/vijesti/clanak-broj-119" in {hit.path for hit in web.asked[first:]}
    assert stats.requests == 2 * first


def test_hosts_that_had_their_quota_are_looked_at_again(web: Web, run: Run, sites: dict[str, Site]) -> None:
    site = sites["a.hr"] = Site(web, "a.hr", 10)
    run("a.hr", languages=("hr",), max_good_per_host=5)
    first = [hit.path for hit in web.asked]
    site.version = dict.fromkeys(site.version, 1)
    run("a.hr", languages=("hr",), max_good_per_host=5, recrawl=True)
    assert {hit.path for hit in web.asked[len(first) :]} == set(first)


def test_an_interrupted_round_goes_on_and_a_finished_one_begins_anew(
    web: Web, run: Run, sites: dict[str, Site]
) -> None:
    sites["a.hr"] = Site(web, "a.hr", 10)
    run("a.hr", languages=("hr",))
    first = len(web.asked)
    assert run("a.hr", languages=("hr",), recrawl=True, max_pages=4).requests == first + 4
    run("a.hr", languages=("hr",), recrawl=True)
    assert len(web.asked) == 2 * first
    run("a.hr", languages=("hr",), recrawl=True)
    assert len(web.asked) == 3 * first


def test_sitemaps_say_what_is_worth_a_look(web: Web, run: Run, sites: dict[str, Site]) -> None:
    site = sites["a.hr"] = Site(web, "a.hr", 40)
    dates = dict.fromkeys(range(40), "2001-01-01")

    def sitemap() -> Answer:
        rows = [
            f"<url><loc>http://a.hr/vijesti/clanak-broj-{i}</loc><lastmod>{date}</lastmod></url>"
            for i, date in dates.items()
        ]
        return Answer(f"<urlset>{''.join(rows)}</urlset>", type="text/xml")

    web.put("a.hr/robots.txt", Answer("Sitemap: http://a.hr/map.xml", type="text/plain"))
    web.put("a.hr/map.xml", sitemap)
    run("a.hr", languages=("hr",))
    first = len(web.asked)
    site.version[7], dates[7] = 1, "2100-01-01"
    run("a.hr", languages=("hr",), recrawl=True)
    again = [hit.path for hit in web.asked[first:]]
    assert sorted(again[:3]) == ["/", "/map.xml", "/vijesti/clanak-broj-7"]
    assert len(again) == len(set(again)) == 42


def test_dates() -> None:
    assert moment_of("1970-01-01T00:01:00Z") == 60
    assert moment_of("1970-01-01") == 86399
    assert moment_of("Thu, 01 Jan 1970 00:01:00 GMT") == 60
    for nothing in (None, "", "yesterday", "2024-13-45"):
        assert moment_of(nothing) is None


def test_in_a_calm_web_few_requests_find_what_changes(web: Web, run: Run, sites: dict[str, Site]) -> None:
    names = ["a" * i + ".hr" for i in range(1, 13)]
    for name in names:
        sites[name] = Site(web, name, 25)
    run(*names, languages=("hr",))
    first = len(web.asked)
    busy = sites[names[5]]
    for number in range(0, 25, 3):
        busy.version[number] = 1
    run(*names, languages=("hr",), recrawl=True, max_pages=int(0.6 * first))
    again = web.asked[first:]
    seen = {hit.path for hit in again if hit.host == busy.host}
    assert all(f"/vijesti/clanak-broj-{number}" in seen for number in range(0, 25, 3))
