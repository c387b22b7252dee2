"""Lines around posts, bylines, cookie notices, tables of contents and players are no text, wherever they stand."""

from __future__ import annotations

from itertools import pairwise

from corpora import SENTENCES
from paberki.extraction import extract

PROSE = (
    "Jučer smo obišli nekoliko vrtova u okolici i vidjeli kako se sade stare sorte koje više nitko ne uzgaja u gradu.",
    "Zemlja mora biti prozračna i dobro pognojena, a sadnice se ne smiju zalijevati odmah nakon presađivanja.",
    "Ako netko ima iskustva s ovom sortom, molim da napiše kada ju je posadio i koliko je plodova dobio.",
    "Kod nas na otoku vjetar slomi sve što nije vezano, pa svaka biljka dobije svoj kolac odmah u travnju.",
    "Sjeme čuvam u papirnatim vrećicama na suhom mjestu, i nakon tri godine nikne više od polovice.",
)
PARAGRAPHS = "".join(f"<p>{one}</p>" for one in PROSE)


def text_of(body: str, url: str = "http://www.vrt.hr/clanak/stare-sorte") -> str:
    """What is kept of a page; all of its prose must be there."""
    text = extract(f"<html><head><title>Stare sorte</title></head><body>{body}</body></html>", url=url).text
    assert all(one in text for one in PROSE)
    return text


def post(number: int, prose: str) -> str:
    return (
        f'<div id="p{number}" class="post"><dl class="postprofile"><dt><a href="/u{number}">vrtlar{number}</a></dt>'
        f"<dd>Posts: {4032 + number}</dd><dd>Joined: 1{number} Jan 2010</dd><dd>Registrirani korisnik</dd></dl>"
        f'<div class="postbody"><p class="author">by vrtlar{number} » Mon May {number}, 2015 10:0{number} am</p>'
        f'<div class="content">{prose}</div><div class="signature">Tko sadi, taj i bere.</div><p>#{number} Odgovori</p></div></div>'
    )


def test_frames_of_posts() -> None:
    posts = "".join(post(number, prose) for number, prose in enumerate(PROSE, 1))
    text = text_of(posts, "http://forum.vrt.hr/viewtopic.php?t=12")
    for line in ("Posts:", "Joined:", "Registrirani", "Odgovori", "bere", "2015", "vrtlar"):
        assert line not in text


def test_numbers_of_chapters_stay() -> None:
    chapters = "".join(f"<h2>Poglavlje {number}</h2><p>{one}</p>" for number, one in enumerate(PROSE, 1))
    text = text_of(chapters)
    assert "Poglavlje 3" in text


def test_bylines_and_cookie_notices() -> None:
    notice = "Ova stranica koristi kolačiće kako bi vam pružila bolje korisničko iskustvo na svim uređajima."
    text = text_of(
        f'<div class="bar"><p>{notice}</p></div><h1>Sorte</h1><p>Text: Ana Anić, 1. 9. 2013</p><p>Posted by Ana on May 12, 2014 in Vrt</p>{PARAGRAPHS}'
    )
    assert "kolačiće" not in text
    assert "Posted" not in text
    assert "Anić" not in text


def test_what_a_page_is_filed_under_and_grids_say_nothing_about_an_element() -> None:
    others = "".join(f"<div class=intro><p>{one} {other}</p></div>" for one, other in pairwise(SENTENCES))
    for name in ("post tag-cookies category-recepti", "post tag-consent", "grid normal-gutter"):
        text_of(f"<h1>Stare sorte</h1>{others}<div class='{name}'>{PARAGRAPHS}</div>")


def test_a_paragraph_that_mentions_cookies_stays() -> None:
    mention = "Dok smo sadili, jeli smo domaće kolačiće s orasima koje je susjeda ispekla dan prije za sve nas."
    assert mention in text_of(f"<h1>Stare sorte</h1><div>{PARAGRAPHS}<p>{mention}</p></div>")


def test_a_page_about_cookies_keeps_them() -> None:
    sentences = [f"{one} Kolačići se brišu u postavkama preglednika broj {number}." for number, one in enumerate(PROSE)]
    body = "".join(f"<p>{one}</p>" for one in sentences)
    text = extract(f"<html><body><h1>Kolačići</h1>{body}</body></html>").text
    assert all(one in text for one in sentences)


def test_named_elements() -> None:
    contents = "".join(f'<li><a href="#s{number}">{number} Poglavlje o sorti</a></li>' for number in range(6))
    text = text_of(
        f'<div id="toc"><h2>Sadržaj</h2><ul>{contents}</ul></div><div class="video-js"><p>To view this video please enable '
        f"JavaScript, and consider upgrading to a browser that supports it.</p></div>{PARAGRAPHS}"
    )
    assert "Poglavlje" not in text
    assert "JavaScript" not in text


def test_code_is_labelled() -> None:
    listing = (
        '<table class="highlight"><tr><td class="lineno">1<br>2</td><td>import os<br>print(os.name)</td></tr></table>'
    )
    page = extract(f"<html><body>{''.join(f'<p>{one}</p>{listing}' for one in PROSE)}</body></html>")
    labels = {block.label for block in page.blocks if block.kept and "os" in block.text and len(block.text) < 20}
    assert labels == {"code"}
    assert not [block for block in page.blocks if block.kept and block.text in ("1", "2")]


def test_a_class_of_the_body_says_nothing_even_if_a_line_stands_outside() -> None:
    text_of(f'<p class="lead">Stare sorte povrća u vrtu.</p><div class="cookie-consent-given">{PARAGRAPHS}</div>')


NOTICE = (
    "Vlasnik i nositelj prava projekta „Stare sorte“: © Vrt d.o.o. Svako prenošenje teksta dopušteno je samo uz navođenje izvora.",
    "Uredništvo ne odgovara za točnost podataka u oglasima, a mišljenja čitatelja nisu nužno i mišljenja uredništva ovih stranica.",
)


def test_the_notice_of_the_owner_below_the_text() -> None:
    links = "".join(f"<li><a href=/{number}>Rubrika broj {number}</a></li>" for number in range(12))
    notice = "".join(f"<p>{one}</p>" for one in NOTICE)
    article = f"<h1>Stare sorte</h1>{PARAGRAPHS}"
    text = text_of(f"<div>{article}</div><ul>{links}</ul><div>{notice}</div>")
    assert not any(one in text for one in NOTICE)
    text = text_of(f"<div>{article}{notice}</div><ul>{links}</ul>")  # an article about rights
    assert all(one in text for one in NOTICE)


def test_paragraphs_in_elements_that_are_named_like_code_are_text() -> None:
    html = f"<html><body><div class='crayon article-texte'><h1>Stare sorte</h1>{PARAGRAPHS}<div>for x in y: print(x)</div></div></body></html>"
    labels = {block.text: block.label for block in extract(html).blocks}
    assert {labels[one] for one in PROSE} == {"text"}
    assert labels["Stare sorte"] == "heading"
