"""Builds the regular part of every host: its texts, its listings and its home page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from paberki.demo.cyrillic_pages import to_cyrillic
from paberki.demo.plans import CYR, CYR_META_WRONG, CYR_SILENT, UTF8, SitePlan
from paberki.demo.pool import pool
from paberki.demo.prose import ProseBlock, Writer
from paberki.demo.site_model import Charset, ListingEntry, Site, SitePage

_KINDS = {"news": "article", "blog": "post", "forum": "thread", "institution": "notice", "shop": "product"}
_CYRILLIC_CHARSETS = (UTF8, CYR, CYR_META_WRONG, CYR_SILENT)


def build(plan: SitePlan) -> Site:
    """A host with its ordinary pages; ``oddities`` adds the rest."""
    site = Site(
        plan.host, plan.name, plan.language, plan.template, plan.style,
        friends=plan.friends, robots=plan.robots, gzip=plan.gzip,
    )  # fmt: skip
    for page in _pages(plan):
        site.add(page)
    # The listings need the texts, the home page needs the listings.
    for page in (*_sections(plan, site), _about(plan), _contact(plan)):
        site.add(page)
    site.menu = [ListingEntry(p.path, p.title) for p in site.pages.values() if p.kind == "section"]
    site.add(_home(plan, site))
    if plan.language == "ja":
        site.pages = {path: replace(page, script="Jpan") for path, page in site.pages.items()}
    return site


def _pages(plan: SitePlan) -> Iterator[SitePage]:
    topics = pool(plan.language).subjects
    for number in range(1, plan.size + 1):
        topic = {"forum": "forum", "shop": "shop"}.get(plan.template, topics[number % len(topics)])
        # Runs of four, because the topic repeats every eight: both scripts must see every topic.
        cyrillic = plan.language == "sr" and plan.template == "news" and (number // 4 + number) % 2 == 1
        path = plan.path.format(topic=topic, n=number, script="cir" if cyrillic else "lat")
        page = _page(plan, path, topic, plan.charsets[number % len(plan.charsets)], number)
        yield in_cyrillic(page, _CYRILLIC_CHARSETS[number % 4]) if cyrillic else page


def _page(plan: SitePlan, path: str, topic: str, charset: Charset, number: int) -> SitePage:
    writer = Writer(pool(plan.language), plan.host + path)
    page = SitePage(
        plan.host, path, _KINDS.get(plan.template, "spam"), plan.language, "",
        charset=charset, section=topic, byline=dateline(plan.language, number),
        should_fetch=is_allowed(plan, path),
    )  # fmt: skip
    if plan.template == "farm":
        return _spam(page, writer)
    if plan.template == "forum":
        posts = writer.posts("forum", writer.rng.randint(4, 9), 1, 4)
        blocks = tuple(ProseBlock("p", text) for text in posts)
    elif plan.template == "shop":
        source = writer.sentences("shop", general=False)
        blocks = tuple(ProseBlock("p", writer.paragraph(source, 2, 4)) for _ in range(writer.rng.randint(2, 4)))
    else:
        blocks = writer.article(topic)
    chatty = plan.template in {"news", "blog"} and number % 2 == 0
    comments = writer.posts("comment", writer.rng.randint(2, 5), 1, 2) if chatty else ()
    return replace(page, title=writer.title(topic), blocks=blocks, comments=comments)


def _spam(page: SitePage, writer: Writer) -> SitePage:
    filler = tuple(writer.salad(writer.rng.randint(30, 90)) for _ in range(6))
    return replace(page, title=writer.salad(4).capitalize(), filler=filler)


def is_allowed(plan: SitePlan, path: str) -> bool:
    """Whether the robots.txt written for this host lets a crawler fetch ``path``."""
    rules = [line.removeprefix("Disallow: ") for line in (plan.robots or "").splitlines() if "Disallow: /" in line]
    return not any(path.startswith(rule) for rule in rules)


def dateline(language: str, number: int) -> str:
    """A date that depends on the page's number only."""
    day, month, year = number * 7 % 28 + 1, number % 12 + 1, 2008 + number % 15
    if language in {"en", "ja"}:
        return f"{year}-{month:02}-{day:02}"
    return f"{day}. {month}. {year}" + ("." if language in {"hr", "sr"} else "")


def in_cyrillic(page: SitePage, charset: Charset) -> SitePage:
    """The same page written in Cyrillic."""
    return replace(
        page,
        script="Cyrl",
        charset=charset,
        title=to_cyrillic(page.title),
        blocks=tuple(ProseBlock(block.kind, to_cyrillic(block.text)) for block in page.blocks),
        comments=tuple(map(to_cyrillic, page.comments)),
    )


def entry(page: SitePage) -> ListingEntry:
    """A teaser: the title and the beginning of the text, cut in the middle of a sentence."""
    teaser = page.blocks[0].text[:110] + "..." if page.blocks else ""
    return ListingEntry(page.path, page.title, teaser)


def _sections(plan: SitePlan, site: Site) -> list[SitePage]:
    """One listing per topic; hosts with one topic have one listing in parts of twelve."""
    texts = list(site.pages.values())
    if plan.template in {"forum", "shop", "farm", "blog"}:
        parts = [texts[i : i + 12] for i in range(0, len(texts), 12)]
        groups = [(f"/stranica/{n}", f"{plan.name} {n}", part) for n, part in enumerate(parts, 1)]
    else:
        topics = pool(plan.language).topics
        groups = [
            (f"/rubrika/{key}/", topics[key].name, [p for p in texts if p.section == key])
            for key in pool(plan.language).subjects
        ]
    return [_listing(plan, path, title, members) for path, title, members in groups]


def _listing(plan: SitePlan, path: str, title: str, members: list[SitePage]) -> SitePage:
    # A listing in a single-byte encoding cannot show Cyrillic teasers, but character references can.
    return SitePage(
        plan.host, path, "section", plan.language, title, charset=plan.charsets[0],
        entries=tuple(map(entry, members)), should_fetch=is_allowed(plan, path),
    )  # fmt: skip


def _about(plan: SitePlan) -> SitePage:
    words = pool(plan.language)
    path = "/info/about"
    writer = Writer(words, plan.host + path)
    return SitePage(
        plan.host, path, "about", plan.language, words.labels["about"], charset=plan.charsets[0],
        blocks=writer.article(writer.rng.choice(words.subjects), 4), should_fetch=is_allowed(plan, path),
    )  # fmt: skip


def _contact(plan: SitePlan) -> SitePage:
    words = pool(plan.language)
    path = "/info/contact"
    writer = Writer(words, plan.host + path)
    rows = tuple(_telephone(writer, number) for number in range(12))
    return SitePage(
        plan.host, path, "list", plan.language, words.labels["contact"], charset=plan.charsets[0], rows=rows,
        should_fetch=is_allowed(plan, path),
    )  # fmt: skip


def _telephone(writer: Writer, number: int) -> tuple[str, str]:
    person = writer.fill("{woman}" if number % 2 else "{man}")
    return person, f"0{writer.rng.randint(10, 99)} {writer.rng.randint(1000, 9999)} {number:03}"


def _home(plan: SitePlan, site: Site) -> SitePage:
    texts = [page for page in site.pages.values() if page.kind not in {"section", "about", "list"}]
    return SitePage(
        plan.host, "/", "home", plan.language, plan.name, charset=plan.charsets[0],
        entries=tuple(map(entry, texts[:10])), should_fetch=is_allowed(plan, "/"),
    )  # fmt: skip
