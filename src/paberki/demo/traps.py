"""The endless parts: a calendar that turns for ever and a catalogue that can be filtered without end."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

from paberki.demo import plans
from paberki.demo.pool import pool
from paberki.demo.prose import Writer
from paberki.demo.site_model import ListingEntry, Site, SitePage

CALENDAR = "/kalendar"
CATALOGUE = "/katalog"
_FACETS = {
    "boja": ("plava", "crvena", "siva", "bijela"),
    "velicina": ("s", "m", "l", "xl"),
    "materijal": ("lan", "vuna", "pamuk"),
    "sort": ("cijena", "naziv", "novo"),
}


def trap_of(host: str, path: str) -> str | None:
    """``calendar`` or ``facet`` if the address lies in an endless region."""
    return {(plans.COUNCIL, CALENDAR): "calendar", (plans.SHOP, CATALOGUE): "facet"}.get((host, urlsplit(path).path))


def add_entrances(council: Site, shop: Site) -> None:
    """Add the entrance page of each trap to the truth; the endless pages behind it are not part of it."""
    for site, path in ((council, CALENDAR), (shop, CATALOGUE)):
        page = trap_page(site, path)
        assert page is not None
        site.add(page)
        site.service.append(ListingEntry(path, page.title))


def trap_page(site: Site, path: str) -> SitePage | None:
    """Make the page of a trap for one request; None if the address is not in a trap."""
    trap = trap_of(site.host, path)
    if trap is None:
        return None
    query = parse_qsl(urlsplit(path).query)
    return _month(site, path, query) if trap == "calendar" else _filter_page(site, path, query)


def _month(site: Site, path: str, query: list[tuple[str, str]]) -> SitePage:
    text = dict(query).get("mjesec", "1")
    number = int(text) if text.lstrip("-").isdecimal() and len(text) < 10 else 1
    labels = pool(site.language).labels
    writer = Writer(pool(site.language), f"calendar/{number}")
    rows = tuple((f"{day}.", writer.fill("{place.loc}, {n:9-19} h")) for day in range(1, 29, 3))
    entries = (
        ListingEntry(f"{CALENDAR}?mjesec={number - 1}", labels["previous"]),
        ListingEntry(f"{CALENDAR}?mjesec={number + 1}", labels["next"]),
    )
    title = f"{labels['calendar']} {number}"
    return SitePage(
        site.host, path, "trap", site.language, title,
        rows=rows, entries=entries, trap="calendar", charset=plans.LATIN2,
    )  # fmt: skip


def _filter_page(site: Site, path: str, query: list[tuple[str, str]]) -> SitePage:
    """Every facet can be added to the ones chosen, in any order and more than once."""
    filters = query[-12:]
    narrower = [
        ListingEntry(f"{CATALOGUE}?{urlencode([*filters, (facet, value)])}", f"{facet}: {value}")
        for facet, values in _FACETS.items()
        for value in values
        if (facet, value) not in filters[-2:]
    ]
    products = [page for page in site.pages.values() if page.kind == "product"]
    offset = len(urlencode(filters)) % len(products)
    entries = [ListingEntry(page.path, page.title) for page in products[offset : offset + 8]]
    title = " ".join([site.name, *(value for _, value in filters)])
    return SitePage(
        site.host, path, "trap", site.language, title, entries=(*entries, *narrower), trap="facet",
    )  # fmt: skip
