"""The hosts: who they are, what language and template they use, how their bytes are encoded."""

from __future__ import annotations

from dataclasses import dataclass

from paberki.demo.site_model import Charset, Style

UTF8 = Charset()
UTF8_META = Charset(http=None)
UTF8_HTTP = Charset(meta=None)
UTF8_SILENT = Charset(http=None, meta=None)
WIN = Charset("windows-1250", "windows-1250", "windows-1250")
WIN_META = Charset("windows-1250", None, "windows-1250")
WIN_SILENT = Charset("windows-1250", None, None)
WIN_AS_LATIN2 = Charset("windows-1250", None, "iso-8859-2")
WIN_AS_UTF8 = Charset("windows-1250", None, "utf-8")
LATIN2 = Charset("iso-8859-2", None, "iso-8859-2")
LATIN2_HTTP_UTF8 = Charset("iso-8859-2", "utf-8", "iso-8859-2")
UTF8_AS_LATIN2 = Charset("utf-8", None, "iso-8859-2")
UTF8_META_WRONG = Charset("utf-8", "utf-8", "windows-1250")
CYR = Charset("windows-1251", None, "windows-1251")
CYR_META_WRONG = Charset("windows-1251", "windows-1251", "utf-8")
CYR_SILENT = Charset("windows-1251", None, None)
SJIS = Charset("shift_jis", None, "shift_jis")
SJIS_HTTP = Charset("shift_jis", "shift_jis", None)
SJIS_SILENT = Charset("shift_jis", None, None)
SJIS_AS_EUC = Charset("shift_jis", None, "euc-jp")
EUC = Charset("euc-jp", None, "euc-jp")
EUC_AS_UTF8 = Charset("euc-jp", "utf-8", "euc-jp")

OPEN = "User-agent: *\nDisallow:\n"


@dataclass(frozen=True)
class SitePlan:
    """One host. The first charset, always a right one, serves the home page and the listings."""

    host: str
    name: str
    language: str
    template: str
    size: int
    path: str
    style: Style
    charsets: tuple[Charset, ...] = (UTF8,)
    friends: tuple[str, ...] = ()
    robots: str | None = OPEN
    gzip: bool = False


NEWS = "dnevnik-luka.hr.test"
BLOG = "zapisi-s-otoka.hr.test"
FORUM = "forum-vrtlara.hr.test"
COUNCIL = "opcina-brezovac.hr.test"
SHOP = "trgovina-dunja.hr.test"
OLD = "stari-portal.hr.test"
MIRROR = "zrcalo-zapisa.hr.test"
FARM = "kazalo-veza.hr.test"
CLOSED = "zatvoreno.hr.test"
VESTI = "vesti-ravnica.rs.test"
DRINA = "blog-kod-skele.rs.test"
GLAS = "gorski-glas.si.test"
NOVINY = "noviny-podhradi.cz.test"
MINATO = "minato-shimbun.jp.test"
BOTE = "wiesental-bote.de.test"
HARBOUR = "harbour-review.com.test"
PALACE = "link-palace.com.test"

SEED_HOSTS = (NEWS, COUNCIL, VESTI, GLAS, MINATO)

PLANS = (
    SitePlan(
        NEWS, "Dnevnik Luka", "hr", "news", 50, "/{topic}/{n}.html",
        Style(naming=0, links="absolute"), (UTF8, UTF8_META, UTF8_HTTP, UTF8_META_WRONG),
        (BLOG, FORUM, SHOP, BOTE, FARM), gzip=True,
    ),
    SitePlan(
        BLOG, "Zapisi s otoka", "hr", "blog", 30, "/zapis/{n}",
        Style(naming=3), (UTF8, UTF8_META, UTF8_SILENT), (OLD, MIRROR, DRINA),
    ),
    SitePlan(
        FORUM, "Forum vrtlara", "hr", "forum", 28, "/viewtopic.php?t={n}",
        Style(frame="table", naming=4), (WIN_META, WIN, WIN_AS_LATIN2, WIN_AS_UTF8, WIN_SILENT), (SHOP, NEWS),
    ),
    SitePlan(
        COUNCIL, "Općina Brezovac", "hr", "institution", 32, "/obavijesti/{n}.html",
        Style(frame="xhtml", naming=1), (LATIN2, LATIN2, LATIN2_HTTP_UTF8, WIN_META), (OLD, NEWS, CLOSED),
        robots="User-agent: *\nDisallow: /interno/\nAllow: /\nCrawl-delay: 1\n",
    ),
    SitePlan(
        SHOP, "Trgovina Dunja", "hr", "shop", 28, "/proizvod/{n}",
        Style(naming=2), (UTF8, UTF8_META), (FARM, BLOG), gzip=True,
    ),
    SitePlan(
        OLD, "Stari portal", "hr", "news", 28, "/clanci/{topic}{n}.htm",
        Style(frame="table", sloppy=True, naming=4, links="relative"),
        (WIN_META, WIN_AS_LATIN2, WIN_SILENT, WIN_META), (NEWS, NOVINY),
    ),
    SitePlan(FARM, "Kazalo veza", "hr", "farm", 14, "/kljuc/{n}.html", Style(sloppy=True, naming=2)),
    SitePlan(
        CLOSED, "Zatvoreno", "hr", "blog", 5, "/tajna/{n}", Style(naming=0),
        robots="User-agent: *\nDisallow: /\n",
    ),
    SitePlan(
        VESTI, "Vesti Ravnica", "sr", "news", 32, "/{script}/{topic}/{n}",
        Style(naming=1), (UTF8, UTF8_META), (DRINA, GLAS, NEWS), gzip=True,
    ),
    SitePlan(
        DRINA, "Blog kod skele", "sr", "blog", 18, "/tekst-{n}.php",
        Style(frame="xhtml", naming=3), (WIN, WIN_META, WIN_AS_LATIN2, UTF8_META), (VESTI,),
    ),
    SitePlan(
        GLAS, "Gorski glas", "sl", "news", 28, "/{topic}/clanek-{n}",
        Style(frame="xhtml", naming=0), (UTF8, LATIN2, UTF8_AS_LATIN2, UTF8_HTTP), (NOVINY, BOTE),
    ),
    SitePlan(
        NOVINY, "Noviny Podhradí", "cs", "news", 28, "/{topic}/{n}.html",
        Style(sloppy=True, naming=1), (WIN_META, WIN, WIN_AS_LATIN2, WIN_SILENT, UTF8), (GLAS, HARBOUR),
    ),
    SitePlan(
        MINATO, "みなと新報", "ja", "news", 28, "/kiji/{topic}/{n}.html",
        Style(frame="table", naming=4), (SJIS, EUC, UTF8, SJIS_SILENT, SJIS_HTTP, SJIS_AS_EUC, EUC_AS_UTF8),
        (HARBOUR,),
    ),
    SitePlan(
        BOTE, "Wiesental-Bote", "de", "news", 26, "/{topic}/artikel{n}",
        Style(naming=2), (UTF8, UTF8_META), (HARBOUR, GLAS), robots=None, gzip=True,
    ),
    SitePlan(
        HARBOUR, "The Harbour Review", "en", "blog", 26, "/posts/{n}",
        Style(naming=3), (UTF8, UTF8_META, UTF8_HTTP), (PALACE, BOTE),
    ),
    SitePlan(
        PALACE, "Link Palace", "en", "farm", 16, "/best/{n}.html", Style(sloppy=True, naming=4),
        friends=(FARM,),
    ),
)  # fmt: skip
