"""What is served agrees with the truth."""

from __future__ import annotations

import html
import re
from collections import Counter

import pytest
from demo_client import ask, codec, resemblance, squeeze, visible

from paberki.demo.web import MiniWeb, Truth


def test_counts(truth: dict[str, Truth]) -> None:
    pages = [page for page in truth.values() if page.wanted]
    hosts = {page.host for page in truth.values()}
    assert len(hosts) >= 14
    assert len(pages) >= 340
    croatian = [page for page in pages if page.language == "hr"]
    assert len(croatian) >= 150
    assert len({page.host for page in croatian}) >= 5
    counts = Counter(page.language for page in pages)
    assert set(counts) == {"hr", "sr", "sl", "cs", "ja", "de", "en"}
    assert counts.most_common(1)[0][0] == "hr"
    assert min(counts.values()) >= 25


def test_distinct_wanted_texts(truth: dict[str, Truth]) -> None:
    assert len({page.wanted for page in truth.values() if page.wanted}) >= 340


def test_serbian_news_is_half_cyrillic(truth: dict[str, Truth]) -> None:
    scripts = Counter(
        page.script
        for page in truth.values()
        if page.host == "vesti-ravnica.rs.test" and page.kind == "article" and "arhiva" not in page.url_path
    )
    assert scripts["Cyrl"] == scripts["Latn"] == 16


def test_every_wanted_paragraph_is_on_its_page(web: MiniWeb, truth: dict[str, Truth]) -> None:
    for url, page in truth.items():
        reply = ask(web, url)
        assert reply.status == 200, url
        if page.kind == "binary":
            continue
        text = visible(reply.text(page))
        for line in (*page.wanted.splitlines(), page.title):
            assert squeeze(line) in text, (url, line)
        for line in page.comments.splitlines():
            assert squeeze(line) in text, (url, line)


def test_wanted_text_is_in_the_dom_order(web: MiniWeb, truth: dict[str, Truth]) -> None:
    for url, page in truth.items():
        if page.kind not in {"thread", "product", "article"}:
            continue
        text = visible(ask(web, url).text(page))
        place = 0
        for line in page.wanted.splitlines():
            place = text.find(squeeze(line), place)
            assert place >= 0, (url, line)


def test_all_encodings_occur_right_wrong_and_silent(truth: dict[str, Truth]) -> None:
    pages = [page for page in truth.values() if page.kind != "binary"]
    assert {page.encoding for page in pages} == {
        "utf-8", "windows-1250", "iso-8859-2", "windows-1251", "shift_jis", "euc-jp",
    }  # fmt: skip
    assert sum(not page.declared for page in pages) >= 15
    wrong = [page for page in pages if page.declared and page.declared != page.encoding]
    assert 30 <= len(wrong) <= len(pages) / 4
    assert {(page.encoding, page.declared) for page in wrong} >= {
        ("windows-1250", "iso-8859-2"),
        ("windows-1250", "utf-8"),
        ("iso-8859-2", "utf-8"),
        ("shift_jis", "euc-jp"),
    }


def test_wrong_declarations_are_really_wrong(web: MiniWeb, truth: dict[str, Truth]) -> None:
    for url, page in truth.items():
        if not page.declared or page.declared == page.encoding:
            continue
        misread = visible(ask(web, url).body.decode(codec(page.declared), "replace"))
        assert not all(squeeze(line) in misread for line in page.wanted.splitlines()), url


def test_declarations_are_where_the_truth_says(web: MiniWeb, truth: dict[str, Truth]) -> None:
    contradictions = 0
    for url, page in truth.items():
        reply = ask(web, url)
        http = re.search(r"charset=([\w-]+)", reply.headers.get("content-type", ""))
        meta = (
            re.search(rb"<meta[^>]*charset=\"?([\w-]+)", reply.body, re.IGNORECASE) if page.kind != "binary" else None
        )
        found = http.group(1) if http else meta.group(1).decode() if meta else ""
        assert found == page.declared, url
        contradictions += bool(http and meta and http.group(1) != meta.group(1).decode())
    assert contradictions >= 10


def test_exact_duplicates_have_the_same_bytes(web: MiniWeb, truth: dict[str, Truth]) -> None:
    groups: dict[str, set[bytes]] = {}
    sizes = Counter(page.duplicate_group for page in truth.values() if page.duplicate_group)
    for url, page in truth.items():
        if page.duplicate_group:
            groups.setdefault(page.duplicate_group, set()).add(ask(web, url).body)
    assert len(groups) >= 40
    assert all(len(bodies) == 1 for bodies in groups.values())
    assert all(size >= 2 for size in sizes.values())


def test_no_other_two_pages_have_the_same_bytes(web: MiniWeb, truth: dict[str, Truth]) -> None:
    owners: dict[bytes, str] = {}
    for url, page in truth.items():
        owner = owners.setdefault(ask(web, url).body, page.duplicate_group or url)
        assert owner == (page.duplicate_group or url)


def test_near_duplicates_resemble_each_other(truth: dict[str, Truth]) -> None:
    groups: dict[str, list[Truth]] = {}
    for page in truth.values():
        if page.near_duplicate_group:
            groups.setdefault(page.near_duplicate_group, []).append(page)
    assert len(groups) >= 25
    for name, members in groups.items():
        assert len(members) >= 2, name
        assert all(resemblance(members[0], other) > 0.7 for other in members[1:]), name
    assert sum(len({page.wanted for page in members}) > 1 for members in groups.values()) >= 10


def test_mirror_repeats_the_whole_host(truth: dict[str, Truth]) -> None:
    paths = {
        host: {page.url_path: page.wanted for page in truth.values() if page.host == host}
        for host in ("zapisi-s-otoka.hr.test", "zrcalo-zapisa.hr.test")
    }
    one, two = paths.values()
    assert one == two


def test_print_versions_have_little_furniture(web: MiniWeb, truth: dict[str, Truth]) -> None:
    versions = {url: page for url, page in truth.items() if url.endswith("print=1")}
    assert len(versions) >= 10
    for url, page in versions.items():
        assert len(visible(ask(web, url).text(page))) < len(squeeze(page.wanted)) + 250
        assert page.wanted == truth[url.removesuffix("?print=1")].wanted


def test_croatian_host_has_guests_and_quotations(truth: dict[str, Truth]) -> None:
    guests = {p.language for p in truth.values() if p.host == "dnevnik-luka.hr.test" and p.url_path.startswith("/gost")}
    assert guests == {"en", "de"}
    quoting = [
        page
        for page in truth.values()
        if page.host == "zapisi-s-otoka.hr.test" and any(" the " in line for line in page.wanted.splitlines())
    ]
    assert len(quoting) >= 4
    assert all(page.language == "hr" for page in quoting)


@pytest.mark.parametrize("kind", ["spam", "list", "home", "section", "trap", "binary"])
def test_nothing_is_wanted_of_menus_lists_and_spam(truth: dict[str, Truth], kind: str) -> None:
    pages = [page for page in truth.values() if page.kind == kind]
    assert pages
    assert not any(page.wanted for page in pages)


def test_furniture_and_dialects(web: MiniWeb) -> None:
    modern = ask(web, web.url("dnevnik-luka.hr.test", "/")).body.decode()
    for needle in ("<!DOCTYPE html>", "<nav>", "<svg", "<noscript>", "display:none", "<form", "kolačiće"):
        assert needle in modern, needle
    strict = ask(web, web.url("opcina-brezovac.hr.test", "/")).body.decode("iso-8859-2")
    assert strict.startswith("<?xml")
    assert "XHTML 1.0" in strict
    old = ask(web, web.url("stari-portal.hr.test", "/")).body.decode("windows-1250")
    assert "<FONT" in old
    assert "</LI>" not in old
    names = {
        host: set(re.findall(r'class="?([\w-]+)', html.unescape(ask(web, web.url(host, "/")).body.decode("latin-1"))))
        for host in ("dnevnik-luka.hr.test", "trgovina-dunja.hr.test", "wiesental-bote.de.test")
    }
    assert not set.intersection(*names.values())
