"""A second web, unlike the first in all that a crawler could have been fitted to.

Another language (Czech), other shares of good and bad hosts, steeper sizes, other addresses, lists behind a parameter,
text between ``<br>`` in table cells, other endless regions and more of them. Constants that were found on the first
web are shown to hold here: ``python benchmarks/crawl.py coverage harvest --web second``.
"""

from __future__ import annotations

import hashlib
import re
from typing import ClassVar

from simulated_web import Page, SimulatedWeb, Site, text_of


def _token(text: str, length: int = 10) -> str:
    return hashlib.md5(text.encode()).hexdigest()[:length]


class SecondWeb(SimulatedWeb):
    """All hosts and their pages."""

    language = "cs"
    foreign = ("sl", "de", "en", "hr")
    zipf = 1.05
    texts = 20_000
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "news": (0.06, 4.0), "blog": (0.22, 0.8), "institution": (0.10, 1.5), "forum": (0.12, 1.0), "shop": (0.18, 1.5),
        "foreign": (0.12, 1.0), "mixed": (0.04, 2.0), "farm": (0.04, 1.0), "mirror": (0.02, 1.0), "trap": (0.10, 0.3),
    }  # fmt: skip
    changes: ClassVar[dict[str, float]] = {"news": 0.05, "forum": 0.15, "institution": 0.02}
    grows: ClassVar[dict[str, float]] = {"news": 0.1, "blog": 0.02}
    entrances: ClassVar[dict[str, str]] = {
        "days": "/kalendar/2024/5/", "search": "/hledat?q=praha", "sessions": "/s0a1b2c3d4e/stranka-1",
        "growing": "/vypis?razeni=cena", "filters": "/filtr/barva-1/", "login": "/prihlaseni?zpet=domu",
        "deeper": "/archiv/",
    }  # fmt: skip
    beside: ClassVar[dict[str, str]] = {"institution": "days", "shop": "filters", "forum": "login", "news": "search"}

    def path(self, site: Site, number: int) -> str:
        """Address of the numbered page of a host."""
        if site.kind == "forum":
            return f"/tema/{number}/"
        if site.kind == "shop":
            return f"/zbozi/{_token(f'{site.name} {number}', 6)}-{number}"
        if site.kind == "institution":
            return f"/index.php?id={number}&lang=cs"
        return f"/{2018 + number % 7}/{1 + number % 12:02}/{number}-zprava-z-mesta"

    def _number(self, site: Site, path: str, values: dict[str, str]) -> int | None:
        if site.kind == "institution":
            number = values.get("id", "") if path == "/index.php" else ""
        else:
            pattern = {"forum": r"/tema/(\d+)/", "shop": r"/zbozi/[0-9a-f]{6}-(\d+)"}
            match = re.fullmatch(pattern.get(site.kind, r"/\d{4}/\d\d/(\d+)-zprava-z-mesta"), path)
            number = match[1] if match else ""
        return int(number) if number.isdecimal() else None

    def _list_number(self, path: str, values: dict[str, str]) -> int | None:
        number = values.get("strana", "")
        return int(number) if path == "/seznam" and number.isdecimal() else None

    def list_path(self, number: int) -> str:
        """Address of the numbered list of a host's pages."""
        return f"/seznam?strana={number}"

    def _html(self, site: Site, title: str, text: str, links: list[str]) -> bytes:
        if site.kind in ("blog", "institution"):
            text = f"<table><tr><td>{re.sub('</?p[^>]*>', '<br>', text)}</td></tr></table>"
        return super()._html(site, title, text, links)

    def _trap(self, site: Site, path: str, values: dict[str, str]) -> Page | None:
        make = {
            "days": self._days, "search": self._search, "sessions": self._sessions, "growing": self._growing,
            "filters": self._filters, "login": self._login, "deeper": self._deeper,
        }.get(site.trap)  # fmt: skip
        content = make(path, values) if make else None
        return None if content is None else Page(self._html(site, "Stránka", content[0], content[1]), trap=True)

    def _days(self, path: str, values: dict[str, str]) -> tuple[str, list[str]] | None:
        match = re.match(r"/kalendar/(\d{1,4})/(\d{1,2})/", path)
        if match is None:
            return None
        at = 12 * int(match[1]) + int(match[2]) - 1
        months = [f"/kalendar/{m // 12}/{m % 12 + 1}/" for m in (at - 1, at + 1, at + 12)]
        return "<p>Žádné akce.</p>", months + [f"/kalendar/{match[1]}/{match[2]}/{day}/" for day in (1, 8, 15, 22)]

    def _search(self, path: str, values: dict[str, str]) -> tuple[str, list[str]] | None:
        if path != "/hledat":
            return None
        query = values.get("q", "")
        return f"<p>Pro dotaz {query} nic nemáme.</p>", [f"/hledat?q={_token(query + str(n), 5)}" for n in range(6)]

    def _sessions(self, path: str, values: dict[str, str]) -> tuple[str, list[str]] | None:
        match = re.fullmatch(r"/s[0-9a-f]{10}/stranka-(\d)", path)
        if match is None:
            return None
        return text_of("cs", int(match[1]), 2), [f"/s{_token(f'{path} {n}')}/stranka-{n}" for n in range(6)]

    def _growing(self, path: str, values: dict[str, str]) -> tuple[str, list[str]] | None:
        if path != "/vypis":
            return None
        query = "&".join(f"{key}={value}" for key, value in values.items())
        return text_of("cs", 20, 1), [f"/vypis?{query}&{name}{len(values)}=1" for name in ("sloupec", "smer", "pocet")]

    def _filters(self, path: str, values: dict[str, str]) -> tuple[str, list[str]] | None:
        if not path.startswith("/filtr/"):
            return None
        filters = [part for part in path.split("/") if part][1:]
        more = [f"{name}-{value}" for name in ("barva", "znacka", "cena") for value in range(4)]
        return "", ["/filtr/" + "/".join([*filters, one]) + "/" for one in more if one not in filters]

    def _login(self, path: str, values: dict[str, str]) -> tuple[str, list[str]] | None:
        if path != "/prihlaseni":
            return None
        back = values.get("zpet", "")
        return "<p>Přihlaste se prosím.</p>", [f"/prihlaseni?zpet={_token(back + str(n))}" for n in range(4)]

    def _deeper(self, path: str, values: dict[str, str]) -> tuple[str, list[str]] | None:
        return (text_of("cs", 30, 2), [f"{path}{n}/" for n in ("x", "y", "z")]) if path.startswith("/archiv/") else None
