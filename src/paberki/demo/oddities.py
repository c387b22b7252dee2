"""Oddities of real webs: second addresses, reprints, redirects, dead ends and files that are not pages."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterable
from dataclasses import replace

from paberki.demo import plans
from paberki.demo.cyrillic_pages import to_cyrillic
from paberki.demo.pool import pool
from paberki.demo.prose import ProseBlock, Writer
from paberki.demo.site_building import entry
from paberki.demo.site_model import Charset, ListingEntry, Site, SitePage


def texts(site: Site) -> list[SitePage]:
    """The host's own texts, in the order of their numbers."""
    kinds = {"article", "post", "thread", "product", "notice"}
    return [page for page in site.pages.values() if page.kind in kinds and not page.near_duplicate_group]


def link(site: Site, *entries: ListingEntry) -> None:
    """Make odd addresses reachable: they are listed in the home page's service box."""
    site.service.extend(entries)


def second_addresses(site: Site, pages: Iterable[SitePage], suffix: str) -> None:
    """The same bytes again under a session or referrer parameter."""
    for page in pages:
        group = f"{site.host}{page.path}"
        site.pages[page.path] = replace(page, duplicate_group=group)
        other = page.path + ("&" if "?" in page.path else "?") + suffix
        site.add(replace(page, path=other, duplicate_group=group))
        site.aliases[other] = page.path
        link(site, ListingEntry(other, page.title))


def _family(site: Site, page: SitePage) -> str:
    """Put ``page`` at the head of a near-duplicate group."""
    group = f"{site.host}{page.path}"
    site.pages[page.path] = replace(page, near_duplicate_group=group)
    return group


def print_versions(site: Site, pages: Iterable[SitePage]) -> None:
    """The text alone, for the printer."""
    for page in pages:
        group = _family(site, page)
        path = page.path + ("&" if "?" in page.path else "?") + "print=1"
        site.add(replace(page, path=path, bare=True, comments=(), near_duplicate_group=group))
        link(site, ListingEntry(path, page.title))


def reprints(site: Site, pages: Iterable[SitePage]) -> None:
    """The article again under a new headline and date, with one sentence more."""
    for number, page in enumerate(pages, 1):
        group = _family(site, page)
        path = f"/arhiva/{number}.html"
        writer = Writer(pool(page.language), site.host + path)
        last = page.blocks[-1]
        text = writer.pool.joiner.join([last.text, _own_script(page, next(writer.sentences(page.section)))])
        title = _own_script(page, writer.title(page.section))
        blocks = (*page.blocks[:-1], replace(last, text=text))
        copy = replace(page, path=path, title=title, blocks=blocks, byline="1. 1. 2024.", near_duplicate_group=group)
        site.add(copy)
        link(site, entry(copy))


def _own_script(page: SitePage, text: str) -> str:
    return to_cyrillic(text) if page.script == "Cyrl" else text


def reframed(site: Site, pages: Iterable[SitePage]) -> None:
    """The same title and text in other furniture."""
    for number, page in enumerate(pages, 1):
        group = _family(site, page)
        path = f"/izdvojeno/{number}.html"
        site.add(replace(page, path=path, variant=1, near_duplicate_group=group))
        link(site, ListingEntry(path, page.title))


def guest(site: Site, path: str, language: str, topic: str) -> None:
    """An article in a foreign language."""
    writer = Writer(pool(language), site.host + path)
    page = SitePage(
        site.host,
        path,
        "article",
        language,
        writer.title(topic),
        blocks=writer.article(topic, 6),
        section=topic,
    )
    link(site, entry(site.add(page)))


def quotations(site: Site, pages: Iterable[SitePage]) -> None:
    """An English quotation in the middle of the text."""
    for page in pages:
        writer = Writer(pool("en"), "quotation" + page.path)
        quote = ProseBlock("quote", writer.paragraph(writer.sentences(page.section), 2, 3))
        middle = len(page.blocks) // 2
        site.pages[page.path] = replace(page, blocks=(*page.blocks[:middle], quote, *page.blocks[middle:]))


def redirects(site: Site) -> None:
    """A permanent one, a temporary one, a chain of three, a loop, and one to another host."""
    own = texts(site)
    table = {
        "/stara-adresa": (301, site.host, own[24].path),
        "/danas": (302, site.host, own[25].path),
        "/put-1": (301, site.host, "/put-2"),
        "/put-2": (302, site.host, "/put-3"),
        "/put-3": (301, site.host, own[26].path),
        "/krug-a": (302, site.host, "/krug-b"),
        "/krug-b": (302, site.host, "/krug-a"),
        "/preseljeno": (301, plans.BLOG, "/zapis/3"),
    }
    site.redirects.update(table)
    link(site, *(ListingEntry(path, path.strip("/")) for path in table if path not in {"/put-2", "/put-3", "/krug-b"}))


def dead_ends(site: Site) -> None:
    """Missing pages, a failing script, an image, a document, and bytes that pose as HTML."""
    site.failures["/greska.html"] = 500
    site.blobs["/slike/luka.png"] = ("image/png", _png())
    site.blobs["/dokumenti/izvjestaj.pdf"] = (
        "application/pdf",
        b"%PDF-1.4\n" + _noise("pdf", 3000) + b"\n%%EOF\n",
    )
    site.blobs["/prilog/katalog.html"] = ("text/html", _noise("katalog", 4000))
    site.add(
        SitePage(
            site.host, "/prilog/katalog.html", "binary", site.language, "",
            charset=Charset("", None, None),
        )
    )  # fmt: skip
    link(site, *(ListingEntry(path, path.strip("/")) for path in ("/nema.html", *site.failures, *site.blobs)))


def _noise(seed: str, size: int) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - reproducible, not secret


def _png() -> bytes:
    """A real image of 8 x 8 grey pixels."""
    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + bytes([32 * row] * 8) for row in range(8)))
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    body = b"".join(struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + body


def untyped(site: Site) -> None:
    """A page that is sent without Content-Type."""
    writer = Writer(pool(site.language), site.host + "untyped")
    page = SitePage(
        site.host, "/bez-tipa.html", "article", site.language, writer.title("culture"), section="culture",
        blocks=writer.article("culture"), content_type=None, charset=plans.UTF8_META,
    )  # fmt: skip
    link(site, entry(site.add(page)))


def forbidden(site: Site) -> None:
    """Real texts in a directory that robots.txt closes, linked like any other."""
    for number in range(1, 5):
        path = f"/interno/{number}.html"
        writer = Writer(pool(site.language), site.host + path)
        page = SitePage(
            site.host, path, "notice", site.language, writer.title("politics"), section="politics",
            blocks=writer.article("politics"), should_fetch=False, charset=plans.LATIN2,
        )  # fmt: skip
        link(site, entry(site.add(page)))


def lists(site: Site, charset: Charset) -> None:
    """A price list and a telephone list: words, but no sentences."""
    labels = pool(site.language).labels
    for path, label in (("/cjenik.html", "prices"), ("/imenik.html", "phones")):
        writer = Writer(pool(site.language), site.host + path)
        rows = tuple(
            (writer.salad(2), f"{writer.fill('{price}')} EUR" if label == "prices" else f"01 555 {number:04}")
            for number in range(40)
        )
        page = SitePage(site.host, path, "list", site.language, labels[label], rows=rows, charset=charset)
        link(site, ListingEntry(site.add(page).path, page.title))


def tag_page(site: Site) -> None:
    """Nothing but keywords and counts."""
    words = pool(site.language)
    rows = tuple((tag, str(number * 3 % 17 + 1)) for number, tag in enumerate(words.slots["tag"]))
    page = SitePage(site.host, "/oznake", "list", site.language, words.labels["tags"], rows=rows)
    link(site, ListingEntry(site.add(page).path, page.title))


def short_notes(site: Site) -> None:
    """Pages with one sentence and all the furniture."""
    words = pool(site.language)
    for number in range(1, 4):
        path = f"/kratko/{number}.html"
        text = words.labels["short"] if number == 1 else Writer(words, path).fill(words.topics["general"].sentences[0])
        page = SitePage(
            site.host, path, "short", site.language, f"{words.labels['contact']} {number}",
            blocks=(ProseBlock("p", text),), charset=plans.LATIN2,
        )  # fmt: skip
        link(site, ListingEntry(site.add(page).path, page.title))


def plain_note(site: Site) -> None:
    """A notice sent as text/plain."""
    writer = Writer(pool(site.language), site.host + "plain")
    page = SitePage(
        site.host, "/obavijest.txt", "plain", site.language, writer.title("weather"), section="weather",
        blocks=writer.article("weather", 5), content_type="text/plain", charset=plans.UTF8_HTTP,
    )  # fmt: skip
    link(site, entry(site.add(page)))


def mirror(original: Site, host: str) -> Site:
    """The whole host again under another name; its links are root-relative, so even the bytes agree."""
    copy = replace(original, host=host, pages={}, mirror_of=original.host, aliases={})
    for path, page in list(original.pages.items()):
        group = f"{original.host}{path}"
        original.pages[path] = replace(page, duplicate_group=group)
        copy.pages[path] = replace(page, host=host, duplicate_group=group)
    return copy
