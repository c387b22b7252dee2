"""Dates, authors, sites and licences as pages state them."""

from __future__ import annotations

import time
from datetime import date

import pytest

from paberki.extraction.about.dates import machine_date, month
from paberki.extraction.about.metadata import metadata

ARTICLE = """<!DOCTYPE html><html lang="hr"><head><title>Naslov članka - Novine</title>
<meta property="og:site_name" content="Novine &amp; list"><meta name="keywords" content="more, otok">
<meta property="article:section" content="Kultura"><link rel="canonical" href="https://novine.hr/1">
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
{"@type":"WebSite","name":"Stranica","datePublished":"2001-01-01"},
{"@type":"NewsArticle","headline":"Naslov","datePublished":"2021-03-04T22:10:00+01:00",
"dateModified":"2021-03-06","author":[{"@type":"Person","name":"Ana Anić"},{"name":"Ivo Ivić"}],
"license":"https://creativecommons.org/licenses/by/4.0/",
"articleSection":["Film"],}]}</script></head><body><h1>Naslov članka</h1><p>9. svibnja 2020.</p></body></html>"""


def test_json_ld_of_the_article_comes_first():
    found = metadata(ARTICLE, "https://novine.hr/clanak")
    assert (found.published, found.modified, found.date_source) == ("2021-03-04", "2021-03-06", "json-ld")
    assert found.date == "2021-03-04"
    assert found.author == "Ana Anić; Ivo Ivić"
    assert found.site == "Novine & list"
    assert found.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert found.categories == ("Kultura", "Film")
    assert found.keywords == ("more", "otok")
    assert found.doctype == "html"
    assert found.canonical == "https://novine.hr/1"


@pytest.mark.parametrize(
    ("body", "url", "day", "source"),
    [
        ('<meta property="article:published_time" content="2019-05-06T07:08:09Z">', None, "2019-05-06", "meta"),
        ("<META NAME='DC.date.issued' CONTENT='2019-05-06'>", None, "2019-05-06", "meta"),
        ('<body><span itemprop="datePublished" content="2018-02-01">x</span>', None, "2018-02-01", "microdata"),
        ('<body><time datetime="2017-01-02T10:00">2. siječnja</time>', None, "2017-01-02", "time"),
        ("<body><p>x", "https://a.hr/2016/11/12/naslov", "2016-11-12", "url"),
        ("<body><p>x", "https://a.hr/20161112-naslov", "2016-11-12", "url"),
        ("<body><h1>Naslov</h1><div>Objavljeno: 14. kolovoza 2015. u 12:30</div>", None, "2015-08-14", "text"),
        ("<body><h1>Titel</h1><p>Am 3. März 2014 war es so weit.", None, "2014-03-03", "text"),
        ("<body><h1>題名</h1><p>2013年7月9日 更新", None, "2013-07-09", "text"),
        ("<html lang=en-US><body><h1>Title</h1><p>Posted Sept. 7, 2012 by me", None, "2012-09-07", "text"),
        ('<html lang="en-US"><body><h1>Title</h1><p>10/11/2012', None, "2012-10-11", "text"),
        ('<html lang="en-GB"><body><h1>Title</h1><p>10/11/2012', None, "2012-11-10", "text"),
        ('<html lang=cs><body><h1>Název</h1><p>5. listopadu 2011', None, "2011-11-05", "text"),
        ('<html lang=hr><body><h1>Naslov</h1><p>5. listopada 2011.', None, "2011-10-05", "text"),
        ('<html lang=pl><body><h1>Tytuł</h1><p>5 listopada 2011', None, "2011-11-05", "text"),
        ('<body><p class="createdate">&nbsp;01/11/11-10:18</p>', None, "2011-11-01", "text"),
        ("<body><p>Ništa 1. 2. ovdje", None, None, None),
    ],
)  # fmt: skip
def test_sources(body, url, day, source):
    found = metadata(body, url)
    assert (found.date, found.date_source) == (day, source)


def test_the_day_of_the_address_wins_over_the_same_night_in_utc():
    html = '<script type="application/ld+json">{"@type":"Article","datePublished":"2019-11-20T02:00:00Z"}</script>'
    assert metadata(html, "https://a.com/2019/11/19/x").published == "2019-11-19"


def test_nothing_is_younger_than_its_capture():
    html = '<meta name="date" content="2031-01-01"><body><time datetime="2019-01-01">'
    assert metadata(html, captured=date(2020, 1, 1)).published == "2019-01-01"


def test_server_date_is_kept_apart():
    found = metadata("<p>x", server_date="Wed, 04 Mar 2020 10:00:00 GMT")
    assert (found.server_date, found.date) == ("2020-03-04", None)


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("20200304", date(2020, 3, 4)),
        ("20200304T101010", date(2020, 3, 4)),
        ("1583318400", date(2020, 3, 4)),
        ("2020-3-4 10:00", date(2020, 3, 4)),
        ("4.3.2020.", date(2020, 3, 4)),
        ("Среда, 4 марта 2020", date(2020, 3, 4)),
        ("2020. március 4.", date(2020, 3, 4)),
        ("4 de marzo de 2020", date(2020, 3, 4)),
        ("31.2.2020", None),
        ("0000-00-00", None),
        ("yesterday", None),
    ],
)
def test_values_that_are_dates(value, day):
    assert machine_date(value) == day


def test_months_of_close_languages_differ():
    assert [month("listopada", lang) for lang in ("hr", "pl", "uk")] == [10, 11, 11]
    assert [month("srpna", "cs"), month("srpnja", "hr")] == [8, 7]


def test_broken_json_still_gives_its_date():
    html = '<script type="application/ld+json">{"a": "x\ny", "datePublished": "2020-02-03", "b": {]</script>'
    assert metadata(html).published == "2020-02-03"


def test_licence_of_a_link():
    html = '<a href="https://creativecommons.org/licenses/by-sa/3.0/" rel="license">CC</a>'
    assert metadata(html).licence == "https://creativecommons.org/licenses/by-sa/3.0/"


@pytest.mark.parametrize(
    "html",
    [
        "<meta " * 200_000,
        '<meta name="date" content="' + "2" * 1_000_000,
        '<script type="application/ld+json">' + "[" * 500_000,
        '<script type="application/ld+json">' * 30_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "<time>" * 200_000,
        '<p class="date">' * 100_000,
        "1999 " * 200_000,
        "<h1>" + "12. 12. " * 100_000,
        '<a rel="license' * 100_000,
        "<link canonical" * 100_000,
        "<" * 1_000_000,
    ],
)
def test_hostile_pages_take_little_time(html):
    began = time.process_time()
    metadata(html, "http://a.hr/" + "2020/" * 10_000)
    assert time.process_time() - began < 5
