"""A small web of four hosts in three languages, with everything that can happen to a page."""

import json
import random

SENTENCES = {
    "hr": (
        "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje.",
        "Rekli su da se tu nalazi ono što traže već nekoliko godina.",
        "Predsjednik društva je najavio da će se radovi nastaviti i sljedeće godine.",
        "Nitko nije očekivao da će se na otvorenju okupiti toliko ljudi.",
        "Ako se ništa ne promijeni, most bi mogao biti gotov prije kraja ljeta.",
    ),
    "en": (
        "It was a fine day in the town and the guests had come from all over the country.",
        "They said that this was what they had been looking for these last few years.",
        "Nobody had thought that so many people would come to the opening of the bridge.",
        "If nothing changes, the work on it will be done before the end of the summer.",
        "The book that she wrote is about the island and the people who have left it.",
    ),
    "de": (
        "Es war ein schöner Tag in der Stadt, und die Gäste kamen aus allen Teilen des Landes.",
        "Sie sagten, dass sie genau das schon seit einigen Jahren gesucht hätten.",
        "Niemand hatte erwartet, dass so viele Menschen zu der Eröffnung kommen würden.",
        "Wenn sich nichts ändert, könnte die Brücke noch vor dem Ende des Sommers fertig sein.",
        "Das Buch, das sie geschrieben hat, handelt von der Insel und von den Menschen dort.",
    ),
}
HOSTILE = "<script>alert(1)</script>"
LONG_HOST = "a-very-long-host-name-that-goes-on-and-on-and-does-not-want-to-end.subdomain.of.primjer.hr"
GARBAGE = b"WARC/1.0\r\nWARC-Type: response\r\nthis is not a header\r\n\r\n"


def article(lang, seed, *, title=None, paragraphs=4):
    pick = random.Random(seed)
    body = "".join(
        f"<p>{' '.join(pick.sample(SENTENCES[lang], 4))} {pick.randint(1, 10**6)}.</p>" for _ in range(paragraphs)
    )
    title = (title or f"{lang} {seed}").replace("&", "&amp;").replace("<", "&lt;")
    return (
        f"<!doctype html><html lang={lang}><head><title>{title}</title></head><body>"
        f"<ul><li><a href=/>Početna</a></li><li><a href=/b>B</a></li></ul><div class=main>{body}</div></body></html>"
    )


def rows():
    """Pages of a table: address, time and HTML."""
    made = [(f"http://vijesti.hr/{number}", article("hr", number)) for number in range(14)]
    made += [(f"https://knjige.hr/{number}.html", article("hr", 100 + number)) for number in range(5)]
    made += [(f"http://{LONG_HOST}/", article("hr", 200))]
    made += [("http://zlo.hr/x", article("hr", 300, title=f'{HOSTILE} "&\x07'))]
    made += [("http://zlo.hr/'%22%3E%3Cimg%20src=x%3E", article("hr", 301))]
    made += [(f"http://english.hr/{number}", article("en", 400 + number)) for number in range(5)]
    made += [(f"http://deutsch.hr/{number}", article("de", 500 + number)) for number in range(4)]
    made += [("http://kratko.hr/1", article("hr", 600, paragraphs=0))]
    made += [
        ("http://kratko.hr/2", article("hr", 601, paragraphs=0).replace("</div>", f"<p>{SENTENCES['hr'][0]}</p></div>"))
    ]
    made += [(f"http://kopije.hr/{number}", article("hr", 703)) for number in range(3)]
    dated = [
        {"url": url, "html": html, "date": f"2026-11-{at % 28 + 1:02d}T10:00:00Z"}
        for at, (url, html) in enumerate(made)
    ]
    again = [
        {"url": "http://vijesti.hr/0", "html": article("hr", 800), "date": "2026-12-01T00:00:00Z"},
        {"url": "http://bez-datuma.hr/", "html": article("hr", 801)},
    ]
    return dated + again


def write_sources(folder):
    """A table, a directory of files, and an archive with a damaged record in the middle."""
    folder.mkdir()
    table = folder / "web.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows()), "utf-8")
    files = folder / "mapa"
    files.mkdir()
    for number in range(3):
        (files / f"{number}.html").write_text(article("hr", 900 + number), "utf-8")
    (files / "stara.html").write_bytes(article("hr", 910).encode("cp1250"))
    archive = folder / "damaged.warc"
    good = [_record(f"http://arhiv.hr/{number}", article("hr", 950 + number).encode()) for number in range(2)]
    archive.write_bytes(good[0] + GARBAGE + b"x" * 50 + b"\r\n\r\n" + good[1])
    return [table, files, archive]


def _record(url, body):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-02T00:00:00Z\r\n"
    head += f"WARC-Record-ID: <urn:uuid:{url}>\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"
