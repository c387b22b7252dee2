"""The cheap judge: what it takes for running text, in which language, and which pages it takes for copies."""

from __future__ import annotations

import subprocess
import sys

import pytest

from paberki.crawl.reading.page_reading import PageReading, read
from paberki.crawl.reading.quick_decoding import characters
from paberki.crawl.reading.quick_language import language_of
from paberki.crawl.reading.simhash import distance, simhash
from paberki.demo.pool import pool
from paberki.demo.prose import Writer


def text(language: str, number: int = 1, paragraphs: int = 6) -> list[str]:
    words = pool(language)
    writer = Writer(words, f"judge {number}")
    return [block.text for block in writer.article(writer.rng.choice(words.subjects), paragraphs)]


def page(paragraphs: list[str], before: str = "", after: str = "") -> str:
    body = "\n".join(f"<p>{one}</p>" for one in paragraphs)
    return f"<html><head><title>Naslov</title></head><body>{before}<div class=main>{body}</div>{after}</body></html>"


def judged(html: str | bytes, *languages: str, content_type: str = "text/html") -> PageReading:
    body = html.encode() if isinstance(html, str) else html
    return read(body, url="http://a.hr/", content_type=content_type, languages=languages, agent="paberki")


@pytest.mark.parametrize("language", ["hr", "sr", "sl", "cs", "de", "en", "ja"])
def test_articles_are_good_in_their_own_language_only(language: str) -> None:
    own = judged(page(text(language)), language)
    assert own.good
    assert own.lang == language
    assert own.good_bytes > 300
    assert judged(page(text(language))).good
    foreign = judged(page(text(language)), "hu")
    assert not foreign.good
    assert foreign.good_bytes == 0
    assert foreign.lang == language


@pytest.mark.parametrize(
    ("language", "codec", "declared"),
    [
        ("hr", "cp1250", "windows-1250"),
        ("hr", "cp1250", ""),
        ("hr", "cp1250", "utf-8"),
        ("hr", "cp1250", "iso-8859-2"),
        ("hr", "iso-8859-2", "iso-8859-2"),
        ("cs", "cp1250", ""),
        ("ja", "shift_jis", ""),
        ("ja", "shift_jis", "euc-jp"),
        ("ja", "euc-jp", "shift_jis"),
        ("ja", "iso-2022-jp", ""),
        ("hr", "utf-16", ""),
        ("hr", "utf-16-le", ""),
        ("hr", "utf-8-sig", "iso-8859-1"),
    ],
)
def test_encodings_that_are_declared_wrongly_or_not_at_all(language: str, codec: str, declared: str) -> None:
    body = page(text(language)).encode(codec, "replace")
    assert judged(body, language, content_type=f"text/html; charset={declared}").good


def test_cyrillic() -> None:
    russian = [
        "Вчера в городе прошла большая выставка, на которую пришли люди со всей страны, и все были очень довольны.",
        "Мы не знали, что это будет так интересно, но потом оказалось, что там можно было увидеть почти всё.",
        "Он сказал, что если бы не погода, то они могли бы остаться ещё на один день в этом доме у моря.",
    ]
    for codec in ("utf-8", "cp1251", "koi8-r"):
        reading = judged(page(russian).encode(codec), "ru")
        assert (reading.good, reading.lang) == (True, "ru")


def test_unknown_languages_are_believed_where_they_are_wanted() -> None:
    basque = [
        "Atzo arratsaldean herriko plazan jende asko bildu zen eta denek gogotik abestu zuten gauerdira arte.",
        "Liburutegi berriak hamar mila liburu baino gehiago izango ditu, eta haurrentzako gela handi bat ere bai.",
        "Alkateak esan zuenez, lanak datorren urtean hasiko dira, baina dirua lortzea ez da erraza izango.",
    ]
    assert judged(page(basque), "eu").good
    assert not judged(page(text("de")), "eu").good
    assert judged(page(text("hr")), "bs").good


def test_no_running_text() -> None:
    menu = "".join(f"<li><a href='/{n}'>Rubrika broj {n} i sve o njoj na jednom mjestu</a></li>" for n in range(60))
    prices = "".join(f"<tr><td>Artikl {n}</td><td>{n},00 kn</td><td>Dostupno.</td></tr>" for n in range(60))
    notice = (
        "<p>Ova stranica koristi kolačiće. Nastavkom pregledavanja prihvaćate njihovu upotrebu na svom računalu.</p>"
    )
    spam = f"<p>{Writer(pool('hr'), 'salad').salad(400)}.</p>"
    code = "<script>" + "var x = 'Ovo je rečenica koja nije tekst stranice nego dio programa.';\n" * 50 + "</script>"
    for body in (menu, f"<table>{prices}</table>", notice, code, "", "<div>" * 60_000):
        reading = judged(f"<html><body>{body}</body></html>", "hr")
        assert (reading.good, reading.good_bytes < 200) == (False, True)
    assert not judged(spam, "hr").good


def test_linked_text_is_not_running_text() -> None:
    sentence = "Gosti su došli iz svih gradova i ostali do kraja jer je sve bilo onako kako treba biti."
    linked = "".join(f"<p><a href='/{n}'>{sentence}</a></p>" for n in range(9))
    assert not judged(linked, "hr").good
    some = "".join(
        f"<p>{sentence} Više o tome <a href='/{n}'>ovdje</a>, <b>ako</b> vas zanima što je bilo.</p>" for n in range(9)
    )
    assert judged(some, "hr").good


def test_markup_inside_paragraphs_and_entities() -> None:
    body = "<br>".join(
        "<font>Gosti</font> su do&scaron;li iz <i>svih</i> gradova &ndash; i ostali do kraja jer je sve bilo <b>onako</b> kako treba <b>biti.</b>"
        for _ in range(6)
    )
    reading = judged(f"<td>{body}</td>", "hr")
    assert reading.good


def test_near_duplicates_have_near_fingerprints() -> None:
    one = text("hr", 1, 12)
    changed = [*one[:-1], one[-1].replace("a", "e", 1)]
    fingerprint = judged(page(one, "<p>Danas je 1. svibnja.</p>"), "hr").simhash
    assert distance(fingerprint, judged(page(changed, after="<ul><li>drugo</li></ul>"), "hr").simhash) <= 6
    others = [judged(page(text("hr", number, 12)), "hr").simhash for number in range(2, 30)]
    assert min(distance(fingerprint, other) for other in others) > 6
    assert judged("<p>Kratko.</p>", "hr").simhash == 0
    assert simhash("日本語の文章です。" * 5) != simhash("別の日本語のテキスト。" * 5) != 0


def test_fingerprints_are_the_same_anywhere() -> None:
    words = "jedan dva tri četiri pet šest sedam osam devet deset jedanaest dvanaest trinaest"
    assert simhash(words) == 1685458067797263102


def test_characters_tell_their_codec() -> None:
    assert characters("čaša".encode("cp1250"), "text/html; charset=windows-1250") == ("čaša", "cp1250")
    assert characters(b"plain") == ("plain", "utf-8")
    assert characters(b"\xef\xbb\xbf\xc4\x8d") == ("č", "utf-8")


def test_languages_of_short_texts() -> None:
    assert language_of("Jag tror att det är en av de bästa böcker som har skrivits på svenska.")[0] == "sv"
    assert language_of("Eu acho que é um dos melhores livros que já foram escritos em português.")[0] == "pt"
    assert language_of("12345 67890")[0] is None
    assert language_of("") == (None, 0.0)


def test_reading_imports_nothing_heavy() -> None:
    code = (
        "import sys, paberki.crawl.reading.page_reading, paberki.web.sitemaps, paberki.web.rights; "
        "print(*({'numba', 'pyarrow', 'duckdb', 'aiohttp', 'lxml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
