"""Endless regions cost few requests, and none of the good pages beside them is lost."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from loopback import Answer, Web

from corpora import article
from paberki.crawl import CrawlStats
from paberki.crawl.steering.template_names import DRY, TemplateNames
from paberki.crawl.steering.template_yields import Template, Templates
from paberki.crawl.steering.yield_tally import YieldTally

Run = Callable[..., CrawlStats]
GOOD = 60
PER_TRAP = 100
"""Requests that a trap may cost; the promise is 250."""


def text(seed: int) -> str:
    return article(seed).partition("<div class=main>")[2].partition("</div>")[0]


def links(targets: list[str]) -> str:
    return "<html lang=hr><body>" + " ".join(f"<a href='{target}'>{target}</a>" for target in targets)


def calendar(path: str) -> str:
    month = int(path.rpartition("m=")[2].partition("&")[0] or 0) if "m=" in path else 0
    days = [f"/kalendar?m={month}&d={day}" for day in range(1, 30, 5)]
    return links([f"/kalendar?m={month + 1}", f"/kalendar?m={month - 1}", *days])


def counter(path: str) -> str:
    number = int(path.rpartition("/")[2] or 0)
    return links([f"/broj/{number + step}" for step in (1, 2, 3)]) + text(1)


def session(path: str) -> str:
    pick = random.Random(path)
    return links([f"/s?stavka={i}&korisnik={pick.randrange(10**9)}" for i in range(5)]) + text(2)


def soft404(path: str) -> str:
    pick = random.Random(path)
    return links([f"/stari/{pick.randrange(10**9)}.html" for _ in range(5)]) + "<p>Stranica nije pronađena, žao nam je."


def facets(path: str) -> str:
    chosen = dict(part.split("=") for part in path.partition("?")[2].split("&") if "=" in part)
    found = []
    for name in ("boja", "velicina", "marka", "cijena", "poredak"):
        for value in range(4):
            both = {**chosen, name: str(value)}
            found.append("/shop?" + "&".join(f"{key}={both[key]}" for key in sorted(both)))
    return links(found)


def deep(path: str) -> str:
    return links([f"{path}{name}/" for name in ("lijevo", "desno", "ravno")]) + text(3)


TRAPS = {
    "/kalendar?m=1": calendar, "/broj/1": counter, "/s?stavka=1": session, "/stari/1.html": soft404,
    "/shop?boja=1": facets, "/put/": deep,
}  # fmt: skip


@pytest.mark.parametrize("entrance", TRAPS)
def test_traps_cost_little(web: Web, run: Run, entrance: str) -> None:
    make = TRAPS[entrance]
    prefix = entrance.strip("/").partition("?")[0].partition("/")[0]

    def answer(host: str, path: str) -> Answer:
        if path == "/":
            return Answer(links([f"/vijesti/clanak-o-svemu-{i}" for i in range(0, GOOD, 10)] + [entrance]))
        if path.startswith("/vijesti/"):
            number = int(path.rpartition("-")[2])
            following = f"/vijesti/clanak-o-svemu-{(number + 1) % GOOD}"
            return Answer(links([following, "/", entrance]) + text(1000 + number))
        return Answer(make(path)) if path.startswith(f"/{prefix}") else Answer("", 404)

    web.serve("a.hr")
    web.fallback = answer
    stats = run("a.hr", languages=("hr",))
    good = [path for path in web.paths("a.hr") if path.startswith("/vijesti/")]
    assert len(set(good)) == len(good) == GOOD
    wasted = len(web.asked) - GOOD - 1
    assert 0 < wasted <= PER_TRAP
    assert stats.queued > 0 or entrance == "/put/"


def test_a_kind_that_is_of_use_now_and_then_is_not_cut() -> None:
    pick = random.Random(1)
    cut = 0
    for _ in range(100):
        templates = Templates(TemplateNames())
        template = templates.by_name("/a/0")
        for fetches in range(300):
            templates.note(template, fetches, good=pick.random() < 0.3, leads=False)
            if template.cut_rule:
                cut += 1
                break
    assert cut <= 2


def test_a_cut_kind_is_tried_again_and_opens() -> None:
    templates = Templates(TemplateNames())
    template = templates.by_name("/a?x")
    templates.wait(template, 1000)
    fetches = 0
    while not template.cut_rule:
        fetches += 1
        templates.note(template, fetches, good=False, leads=False)
    assert fetches == DRY
    assert templates.best(fetches, 0.5)[0] is None
    assert templates.best(fetches + 200, 0.5)[0] is template
    templates.note(template, fetches + 200, good=True, leads=False)
    assert not template.cut_rule


def test_new_kinds_are_judged_by_their_kin() -> None:
    templates = Templates(TemplateNames())
    for number in range(60):
        template = templates.by_name(f"/shop?a{number}")
        templates.note(template, number, good=False, leads=False)
    assert templates.by_name("/shop?new").cut_rule == "parameters"
    assert templates.by_name("/other?new").cut_rule == ""


def test_what_is_useless_elsewhere_is_cut_sooner() -> None:
    names = TemplateNames()
    for fetch in range(2 * DRY):
        names.note("/cal?m", fetch % 3, good=False, leads=False)
    templates = Templates(names)
    template = templates.by_name("/cal?m")
    fetches = 0
    while not template.cut_rule:
        fetches += 1
        templates.note(template, fetches, good=False, leads=False)
    assert fetches < DRY


def test_what_hosts_have_in_common_is_expected_of_a_new_one() -> None:
    names = TemplateNames()
    for host in range(4):
        for _ in range(5):
            names.note_page(good=True, leads=False)
            names.note("/tekst/0", host, good=True, leads=False)
            names.note_page(good=False, leads=False)
            names.note("/slika/0", host, good=False, leads=False)
    templates = Templates(names)
    for name in ("/slika/0", "/novo/0", "/tekst/0"):
        templates.wait(templates.by_name(name), 1)
    order = []
    while (best := templates.best(9, 0.5)[0]) is not None:
        order.append(best.name)
        templates.wait(best, -1)
    assert order == ["/tekst/0", "/novo/0", "/slika/0"]
    assert names.is_good("/tekst/0")
    assert not names.is_good("/slika/0")


def test_tallies_survive() -> None:
    templates = Templates(TemplateNames())
    templates.load(Template(1, "/a/b/0", YieldTally(50, 0, 0, 50), 3))
    assert templates.by_name("/a/c/1").cut_rule == "folder"
    assert templates[1].waiting_urls == 3


def test_names_that_are_made_up() -> None:
    templates = Templates(TemplateNames())
    for number in range(40):
        templates.note(templates.by_name(f"/{'xyz'[number % 3] * number}q"), number, good=False, leads=False)
    assert templates.by_name("/new").cut_rule == "names"
    assert templates.by_name("/new/other").cut_rule == ""
    templates.note(templates.by_name("/good"), 41, good=True, leads=False)
    assert templates.by_name("/newer").cut_rule == ""


def test_one_useless_template_says_nothing_about_its_neighbours() -> None:
    templates = Templates(TemplateNames())
    useless = templates.by_name("/useless")
    for number in range(100):
        templates.note(useless, number, good=False, leads=False)
    assert templates.by_name("/new").cut_rule == ""
