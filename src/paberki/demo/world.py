"""Puts the hosts and their oddities together, once per process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from paberki.demo import oddities as odd
from paberki.demo import plans
from paberki.demo.site_building import build
from paberki.demo.site_model import Site
from paberki.demo.traps import add_entrances


@cache
def world() -> Mapping[str, Site]:
    """All hosts by name. Treat as read-only: every MiniWeb of the process shares it."""
    sites = {plan.host: build(plan) for plan in plans.PLANS}
    _news(sites[plans.NEWS])
    _council(sites[plans.COUNCIL])
    _others(sites)
    add_entrances(sites[plans.COUNCIL], sites[plans.SHOP])
    blog = sites[plans.BLOG]
    odd.quotations(blog, odd.texts(blog)[3::5])
    sites[plans.MIRROR] = odd.mirror(blog, plans.MIRROR)
    return sites


def _news(site: Site) -> None:
    own = odd.texts(site)
    odd.print_versions(site, own[:6])
    odd.second_addresses(site, own[6:10], "ref=naslovnica")
    odd.reprints(site, own[10:16])
    odd.reframed(site, own[16:20])
    odd.guest(site, "/gost/english.html", "en", "travel")
    odd.guest(site, "/gost/deutsch.html", "de", "science")
    odd.redirects(site)
    odd.untyped(site)
    odd.tag_page(site)
    odd.dead_ends(site)


def _council(site: Site) -> None:
    odd.forbidden(site)
    odd.lists(site, plans.LATIN2)
    odd.short_notes(site)
    odd.plain_note(site)


def _others(sites: Mapping[str, Site]) -> None:
    forum = sites[plans.FORUM]
    odd.second_addresses(forum, odd.texts(forum)[2:8], "sid=5f3c9a17e0")
    odd.lists(sites[plans.SHOP], plans.UTF8)
    for host in (plans.VESTI, plans.GLAS, plans.MINATO):
        odd.reprints(sites[host], odd.texts(sites[host])[4:8])
    for host in (plans.NOVINY, plans.BOTE):
        odd.print_versions(sites[host], odd.texts(sites[host])[1:4])
    harbour = sites[plans.HARBOUR]
    odd.second_addresses(harbour, odd.texts(harbour)[5:8], "utm_source=letter")
