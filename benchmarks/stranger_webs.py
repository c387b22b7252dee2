"""Webs with the shapes of real programs, unlike those on which the order of requests was found.

python benchmarks/harvest.py archive     Japanese: a few huge archives by year and month, many tiny hosts, empty front pages
python benchmarks/harvest.py forums      Serbian in two scripts: threads of several pages, profiles, reply forms, blogs with tags
python benchmarks/harvest.py shops       German: products, facets, files, dead links, redirects, slow hosts
python benchmarks/harvest.py tongues     Slovene: every other host says everything in three languages
python benchmarks/harvest.py tail        Croatian: hundreds of tiny hosts, and services whose subdomains are farms

Hosts have names, some of the good ones under other top-level domains and some foreign ones under that of the language.
Texts are many (``texts``), so that pages of a large host do not resemble each other.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable
from typing import ClassVar

from simulated_web import Page, SimulatedWeb, Site, text_of

from paberki.identification.word_evidence import to_cyrillic

_SYLLABLES = ("ba", "ko", "ri", "mo", "ta", "lu", "ne", "sa", "vi", "do")
Values = dict[str, str]


def _word(text: str, letters: str = "abcdefghijklmnoprstuvz") -> str:
    return "".join(letters[byte % len(letters)] for byte in hashlib.md5(text.encode()).digest()[:7])


class StrangerWeb(SimulatedWeb):
    """A web with host names, whose pages are looked up in the subclass's regions first."""

    has_names = True
    texts = 20_000
    domain = "hr"

    def _host_names(self, count: int) -> list[str]:
        pick = random.Random(f"names {self.seed}")
        ends = (self.domain, self.domain, self.domain, "com", "org", "eu")
        words = ["".join(pick.choices(_SYLLABLES, k=3)) for _ in range(count)]
        return [f"{word}{number}.{pick.choice(ends)}" for number, word in enumerate(words)]

    def page(self, host: str, target: str) -> Page:
        site = self.sites.get(host)
        if site is not None and target != "/robots.txt":
            path, _, query = target.partition("?")
            values = dict(part.partition("=")[::2] for part in query.split("&") if part)
            if (own := self._own(site, path, values)) is not None:
                return own
        return super().page(host, target)

    def _own(self, site: Site, path: str, values: Values) -> Page | None:
        """A page of what this web adds; None for what all webs have."""
        raise NotImplementedError

    def _make_page(self, site: Site, label: str, links: list[str], text: str = "", **more: str) -> Page:
        return Page(self._html(site, label, text, links), label=label, **more)  # type: ignore[arg-type]


class ArchiveWeb(StrangerWeb):
    """Articles are found through year and month alone; front pages have no text, and other hosts stand on a page of
    links. Sitemaps list everything on one host in three, and junk on another."""

    language, domain = "ja", "jp"
    foreign = ("en", "de")
    zipf = 1.3
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "news": (0.10, 5.0), "blog": (0.45, 0.7), "institution": (0.14, 1.0), "foreign": (0.14, 1.0),
        "mixed": (0.05, 1.0), "farm": (0.03, 0.7), "mirror": (0.03, 1.0), "trap": (0.06, 0.3),
    }  # fmt: skip

    def _month(self, site: Site, number: int) -> tuple[int, int]:
        year, rest = divmod(number * 16 * 12 // max(1, site.first), 12)
        return 2009 + year, 1 + rest

    def path(self, site: Site, number: int) -> str:
        year, month = self._month(site, number)
        if site.kind == "institution":
            return f"/docs/{_word(f'{site.name} {number}')}/{number}/"
        if site.kind == "blog":
            return f"/entry-{number}.html"
        return f"/news/{year}/{month:02}/{number}_{_word(f'{site.name} {number}')}"

    def _number(self, site: Site, path: str, values: Values) -> int | None:
        form = {"institution": r"/docs/\w+/(\d+)/", "blog": r"/entry-(\d+)\.html"}
        match = re.fullmatch(form.get(site.kind, r"/news/\d+/\d+/(\d+)_\w+"), path)
        return int(match[1]) if match else None

    def _own(self, site: Site, path: str, values: Values) -> Page | None:
        if path == "/":
            latest = [self.path(site, n) for n in range(max(0, site.size - 3), site.size)]
            return self._make_page(site, "front", ["/archive/", "/about.html", "/links.html", *latest])
        if path == "/links.html":
            return self._make_page(site, "list", [self.url(name, "/") for name in site.neighbours])
        if path == "/about.html":
            return self._make_page(site, "thin", ["/"], "<p>お問い合わせはこちら。</p>")
        if path == "/sitemap.xml":
            return self._map(site)
        if re.fullmatch(r"/tag/\w+", path):
            return self._make_page(site, "thin", ["/", f"/tag/{_word(path)}"])
        return self._archive(site, path) if path.startswith("/archive/") else None

    def _archive(self, site: Site, path: str) -> Page | None:
        months: dict[tuple[int, int], list[int]] = {}
        for number in range(site.size):
            months.setdefault(self._month(site, number), []).append(number)
        parts = [int(part) for part in path.split("/")[2:] if part.isdecimal()]
        if not parts:
            return self._make_page(site, "list", [f"/archive/{year}/" for year in sorted({year for year, _ in months})])
        if len(parts) == 1:
            return self._make_page(site, "list", [f"{path}{month:02}/" for year, month in months if year == parts[0]])
        return self._make_page(site, "list", [self.path(site, n) for n in months.get((parts[0], parts[1]), [])])

    def _map(self, site: Site) -> Page:
        paths = [self.path(site, number) for number in range(site.size)]
        if self.place[site.name] % 3 == 1:
            paths = [f"/tag/{_word(f'{site.name} {number}')}" for number in range(site.size)]
        body = "".join(f"<url><loc>{self.url(site.name, path)}</loc></url>" for path in paths)
        return Page(f"<urlset>{body}</urlset>".encode(), label="sitemap", type="text/xml")

    def page(self, host: str, target: str) -> Page:
        if target == "/robots.txt" and host in self.place and self.place[host] % 3:
            return Page(f"User-agent: *\nDisallow: /private/\nSitemap: {self.url(host, '/sitemap.xml')}\n".encode())
        return super().page(host, target)

    def lists(self, site: Site) -> int:
        return 3 + len({self._month(site, number) for number in range(site.size)}) * 13 // 12

    def _article_links(self, site: Site, number: int, pick: random.Random) -> list[str]:
        return [self.url(pick.choice(site.neighbours), "/")] if number % 6 == 0 else ["/links.html"]


class ForumsWeb(StrangerWeb):
    """Threads of three pages at their own addresses and at one per post, with profiles and forms beside each post; blogs
    with tags, authors, months and reply links."""

    language, domain = "sr", "rs"
    foreign = ("sl", "de", "en", "cs")
    zipf = 0.9
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "forum": (0.36, 2.0), "blog": (0.3, 1.0), "news": (0.08, 3.0), "institution": (0.06, 1.0),
        "foreign": (0.1, 1.0), "shop": (0.05, 1.0), "trap": (0.05, 0.3),
    }  # fmt: skip

    def path(self, site: Site, number: int) -> str:
        if site.kind == "forum":
            topic, part = divmod(number, 3)
            return f"/viewtopic.php?f={topic % 5}&t={topic}" + (f"&start={15 * part}" if part else "")
        if site.kind == "blog":
            return f"/{2012 + number % 9}/{1 + number % 12:02}/{_word(f'{site.name} {number}')}-{_word(f'b{number}')}-{number}/"
        return f"/vesti/{_word(f'{site.name} {number}')}/{number}/"

    def _number(self, site: Site, path: str, values: Values) -> int | None:
        if site.kind == "forum":
            topic, start = values.get("t", ""), values.get("start", "0")
            if path != "/viewtopic.php" or not topic.isdecimal() or not start.isdecimal():
                return None
            return 3 * int(topic) + int(start) // 15
        form = r"/\d+/\d+/\w+-\w+-(\d+)/" if site.kind == "blog" else r"/vesti/\w+/(\d+)/"
        match = re.fullmatch(form, path)
        return int(match[1]) if match else None

    def _own(self, site: Site, path: str, values: Values) -> Page | None:
        own = self._forum if site.kind == "forum" else self._blog if site.kind == "blog" else None
        return own(site, path, values) if own else None

    def _forum(self, site: Site, path: str, values: Values) -> Page | None:
        topics = 1 + (site.size - 1) // 3
        if path == "/":
            links = [f"/viewforum.php?f={n}" for n in range(5)] + ["/ucp.php?mode=login", "/memberlist.php"]
            return self._make_page(site, "front", links + self._home_links(site))
        if path == "/viewforum.php":
            board, start = int(values.get("f") or 0), int(values.get("start") or 0)
            own = [t for t in range(topics) if t % 5 == board][start : start + 20]
            links = [self.path(site, 3 * t) for t in own]
            links += [f"/memberlist.php?mode=viewprofile&u={t % 400}" for t in own]
            links += [f"/viewforum.php?f={board}&start={start + 20}"] if len(own) == 20 else []
            return self._make_page(site, "list", links)
        if path == "/viewtopic.php" and values.get("p", "").isdecimal():
            number = int(values["p"]) // 4
            if number < site.size:
                article = self._article(site, site, number)
                return Page(article.body, good=article.good, label="copy", address=self.path(site, number))
        if path in ("/memberlist.php", "/ucp.php", "/posting.php"):
            return self._make_page(site, "thin", ["/", "/ucp.php?mode=register"], "<p>Пријавите се.</p>")
        return None

    def _blog(self, site: Site, path: str, values: Values) -> Page | None:
        if values.get("replytocom", "").isdecimal() and (number := self._number(site, path, values)) is not None:
            article = self._article(site, site, number) if number < site.size else None
            return article and Page(article.body, good=article.good, label="copy", address=self.path(site, number))
        match = re.fullmatch(r"/(tag|author|category)/(\w+)/", path)
        if match:
            pick = random.Random(f"{self.seed} {site.name} {path}")
            return self._make_page(site, "list", [self.path(site, pick.randrange(site.size)) for _ in range(5)])
        return None

    def is_good(self, site: Site, number: int) -> bool:
        return super().is_good(site, number) and not (site.kind == "forum" and number // 3 % 4 == 3)

    def _article(self, site: Site, real: Site, number: int) -> Page:
        if site.kind == "forum" and number // 3 % 4 == 3:
            links = [self.path(site, number - number % 3), f"/posting.php?mode=reply&t={number // 3}"]
            return self._make_page(site, "thin", links, "<p>Хвала!</p><p>И мени.</p>")
        return super()._article(site, real, number)

    def _article_links(self, site: Site, number: int, pick: random.Random) -> list[str]:
        links = [self.url(pick.choice(site.neighbours), "/")] if number % 3 == 0 else []
        if site.kind == "forum":
            links += [f"/viewtopic.php?p={4 * number + n}" for n in range(3)]
            links += [f"/memberlist.php?mode=viewprofile&u={pick.randrange(400)}" for _ in range(3)]
            links += [f"/posting.php?mode=reply&t={number // 3}", f"/posting.php?mode=quote&p={4 * number}"]
            links += [self.path(site, n) for n in range(number, min(site.size, number - number % 3 + 3))]
        if site.kind == "blog":
            links += [f"{self.path(site, number)}?replytocom={n}" for n in range(number % 4)]
            links += [f"/tag/{_word(str(pick.randrange(60)))}/" for _ in range(3)]
        return links

    def _html(self, site: Site, title: str, text: str, links: list[str]) -> bytes:
        if site.language == "sr" and self.place[site.name] % 2:
            parts = re.split(r"(<[^>]*>)", text)
            text = "".join(part if part.startswith("<") else _cyrillic(part) for part in parts)
        return super()._html(site, title, text, links)


def _cyrillic(text: str) -> str:
    words = (to_cyrillic(word.lower()) for word in text.split(" "))
    return " ".join(
        new.capitalize() if old[:1].isupper() else new for old, new in zip(text.split(" "), words, strict=True)
    )


class ShopsWeb(StrangerWeb):
    """Products and facets in plenty with a few guides between them; institutions with files and dead links; redirects."""

    language, domain = "de", "de"
    foreign = ("en", "cs", "sl")
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "shop": (0.34, 2.5), "blog": (0.24, 1.0), "news": (0.08, 3.0), "institution": (0.14, 1.5),
        "foreign": (0.1, 1.0), "farm": (0.05, 0.7), "trap": (0.05, 0.3),
    }  # fmt: skip

    def wait(self, host: str) -> float:
        return 0.5 if self.place.get(host, 1) % 9 == 0 else 0.0

    def is_good(self, site: Site, number: int) -> bool:
        return number % 7 == 0 if site.kind == "shop" else super().is_good(site, number)

    def path(self, site: Site, number: int) -> str:
        if site.kind == "shop":
            return f"/{'ratgeber' if number % 7 == 0 else 'produkt'}/{_word(f'{site.name} {number}')}-{number}"
        return (
            f"/aktuell/{number}"
            if site.kind == "institution"
            else f"/{_word(f'{site.name}{number}')}-{_word(str(number))}-{number}"
        )

    def _number(self, site: Site, path: str, values: Values) -> int | None:
        match = re.fullmatch(r"/(?:ratgeber|produkt|aktuell|\w+-\w+)[/-](?:\w+-)?(\d+)", path)
        number = int(match[1]) if match else None
        return number if number is not None and path == self.path(site, number) else None

    def _own(self, site: Site, path: str, values: Values) -> Page | None:
        if path.startswith("/kategorie/") and site.kind == "shop":
            pick = random.Random(f"{self.seed} {site.name} {path} {sorted(values.items())}")
            links = [self.path(site, pick.randrange(site.size)) for _ in range(6)]
            for key in ("farbe", "groesse", "marke", "sort", "seite"):
                facets = {**values, key: str(pick.randrange(8))}
                links.append(f"{path}?" + "&".join(f"{k}={v}" for k, v in facets.items()))
            return Page(self._html(site, "Kategorie", "", links), trap=len(values) > 1, label="list")
        if path in ("/warenkorb", "/merkliste", "/impressum", "/agb"):
            return self._make_page(site, "thin", ["/"], "<p>Ihr Warenkorb ist leer.</p>")
        if path == "/download":
            return Page(b"%PDF-1.4 " + bytes(3000), label="file", type="application/pdf")
        if path.startswith("/alt/"):
            return Page(b"<html><body>Nicht gefunden</body></html>", status=404, label="error")
        if path.startswith("/r/") and path[3:].isdecimal():
            target = self.path(site, int(path[3:]) % site.size)
            return Page(b"", status=302, location=target, label="redirect")
        return None

    def _article(self, site: Site, real: Site, number: int) -> Page:
        if site.kind == "shop" and number % 7:
            text = f"<p>Artikel {number}</p><p>{number % 90},99 Euro</p><p>Lieferbar in 3 Tagen</p>"
            links = [self.path(site, (number + step) % site.size) for step in (1, 2, 7)]
            return self._make_page(
                site, "thin", [*links, f"/warenkorb?add={number}", f"/merkliste?id={number}", "/agb"], text
            )
        if site.kind == "shop":
            pick = random.Random(f"{self.seed} {site.name} {number}")
            text = text_of("de", self.seed * 1000 + pick.randrange(self.texts), self.kilobytes) + f"<p>{number}</p>"
            links = [self.path(site, (number + step) % site.size) for step in (1, 7, 14)]
            return Page(self._html(site, str(number), text, links), good=True)
        return super()._article(site, real, number)

    def _article_links(self, site: Site, number: int, pick: random.Random) -> list[str]:
        links = [self.url(pick.choice(site.neighbours), "/")] if number % 2 == 0 else []
        if site.kind == "institution":
            links += [f"/download?id={number}", f"/alt/{number}.htm", f"/r/{number + 1}"]
        return links

    def _home_links(self, site: Site) -> list[str]:
        shelves = [f"/kategorie/{name}" for name in ("schuhe", "taschen", "uhren")] if site.kind == "shop" else []
        return [*shelves, "/impressum", *super()._home_links(site)[:5]]


class TonguesWeb(StrangerWeb):
    """Institutions say everything in three languages, behind a front page that asks which; a third of all hosts are in
    another language, many under the top-level domain of this one."""

    language, domain = "sl", "si"
    foreign = ("hr", "de", "en", "cs")
    zipf = 0.7
    tongues = ("en", "sl", "de")
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "institution": (0.3, 1.5), "news": (0.08, 3.0), "blog": (0.18, 1.0), "shop": (0.04, 1.0), "foreign": (0.28, 1.5),
        "mixed": (0.05, 1.0), "mirror": (0.03, 1.0), "trap": (0.04, 0.3),
    }  # fmt: skip

    def path(self, site: Site, number: int) -> str:
        if site.kind != "institution":
            return super().path(site, number)
        tongue = self.tongues[number % 3]
        if self.place[site.name] % 2:
            return f"/{tongue}/vsebina/{number // 3}"
        return f"/index.php?page={number // 3}&lang={tongue}"

    def _number(self, site: Site, path: str, values: Values) -> int | None:
        if site.kind != "institution":
            return super()._number(site, path, values)
        match = re.fullmatch(r"/(\w\w)/vsebina/(\d+)", path)
        tongue, number_text = match.groups() if match else (values.get("lang", ""), values.get("page", ""))
        if tongue not in self.tongues or not number_text.isdecimal() or (match is None and path != "/index.php"):
            return None
        return 3 * int(number_text) + self.tongues.index(tongue)

    def is_good(self, site: Site, number: int) -> bool:
        return number % 3 == 1 if site.kind == "institution" else super().is_good(site, number)

    def _article(self, site: Site, real: Site, number: int) -> Page:
        if site.kind != "institution":
            return super()._article(site, real, number)
        pick = random.Random(f"{self.seed} {site.name} {number}")
        tongue = self.tongues[number % 3]
        text = text_of(tongue, self.seed * 1000 + pick.randrange(self.texts), self.kilobytes) + f"<p>{number}</p>"
        links = [self.path(site, 3 * pick.randrange(1 + (site.size - 3) // 3) + number % 3) for _ in range(5)]
        links += [self.path(site, n) for n in range(number - number % 3, min(site.size, number - number % 3 + 3))]
        links += [self.url(pick.choice(site.neighbours), "/")] if number % 2 else []
        return Page(self._html(site, str(number), text, links), good=number % 3 == 1, label="other language")

    def _own(self, site: Site, path: str, values: Values) -> Page | None:
        if site.kind != "institution":
            return None
        if path == "/":
            return self._make_page(site, "front", [f"/{tongue}/" for tongue in self.tongues])
        match = re.fullmatch(r"/(en|sl|de)/(?:seznam/(\d+)/)?", path)
        if match is None:
            return None
        tongue, number = self.tongues.index(match[1]), int(match[2] or 0)
        own = [3 * n + tongue for n in range(20 * number, 20 * number + 20) if 3 * n + tongue < site.size]
        links = [self.path(site, n) for n in own]
        links += [f"/{match[1]}/seznam/{number + 1}/"] if len(own) == 20 else []
        return self._make_page(site, "list", links if number else [*links, *self._home_links(site)])


class TailWeb(StrangerWeb):
    """Most hosts have a dozen pages or fewer and are known from few others; three services have farms as subdomains."""

    zipf = 0.1
    seed_hosts = 5
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "blog": (0.42, 1.0), "institution": (0.14, 1.0), "news": (0.02, 8.0), "shop": (0.1, 1.0), "forum": (0.03, 2.0),
        "foreign": (0.12, 1.0), "farm": (0.12, 0.5), "mirror": (0.03, 1.0), "trap": (0.02, 0.3),
    }  # fmt: skip

    def __init__(self, seed: int, hosts: int, *more: int, **options: int) -> None:
        super().__init__(seed, 2 * hosts, *more, **options)

    def _neighbours(self, at: int, sites: list[Site], weights: list[float], pick: random.Random) -> list[str]:
        if sites[at].kind == "farm":
            return [site.name for site in sites if site.kind == "farm"][:20]
        return pick.choices([site.name for site in sites], k=5)

    def _host_names(self, count: int) -> list[str]:
        names = super()._host_names(count)
        pick = random.Random(f"services {self.seed}")
        return [f"{_word(name)}.{pick.choice(('mojweb', 'stranica', 'blogovi'))}.{self.domain}"
                if pick.random() < 0.3 else name for name in names]  # fmt: skip

    def _own(self, site: Site, path: str, values: Values) -> Page | None:
        if path == "/onama":
            return self._make_page(site, "thin", ["/"], "<p>Pišite nam.</p>")
        return None

    def _article_links(self, site: Site, number: int, pick: random.Random) -> list[str]:
        return ["/onama", self.url(pick.choice(site.neighbours), "/")]


Make = Callable[..., SimulatedWeb]
STRANGERS: dict[str, type[SimulatedWeb]] = {
    "archive": ArchiveWeb, "forums": ForumsWeb, "shops": ShopsWeb, "tongues": TonguesWeb, "tail": TailWeb,
}  # fmt: skip
