"""In-links: who links to a page, and with which words (P4 §2.1 [36]).

Three stages, because a link can lead to its page by a detour: ``links.aliases.v1`` learns from the whole corpus which
addresses redirect or give another address as their own; ``links.targets.v1`` writes down where every link of a page
leads in the end; ``links.incoming.v1`` turns that round. They need ``metadata.page.v1`` before them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import ada_url
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.model import Model
from paberki.stage import Columns, fit_stage, join_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import INLINK, builtin
from paberki.store.group_hashes import hashes

MAX_ADDRESS: Final = 2_000
HOPS: Final = 10
"""Redirects followed from one address."""
ALIASES = pa.schema([("url", pa.string()), ("target", pa.string())])


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasesConfig:
    """What makes two addresses one."""

    redirects: bool = True
    """Follow HTTP redirects that were archived."""
    canonical: bool = True
    """Believe pages that give another address as their own."""
    most: int = 2_000_000
    """Aliases that are kept at most, to bound memory: those with the smallest addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingConfig:
    """How many in-links a page keeps."""

    most: int = 1_000
    """Anchors kept per page, in the order of the pages they come from; ``inlink_count`` counts all."""
    own: bool = False
    """Whether links of a page to itself count."""


def address(link: str, base: str | None = None) -> str | None:
    """Absolute http(s) address without fragment, spelt as the WHATWG URL standard does; None if there is none."""
    if len(link) > 2 * MAX_ADDRESS:
        return None
    try:
        url = ada_url.join_url(base, link) if base else ada_url.normalize_url(link)
    except ValueError:
        return None
    url = url.partition("#")[0]
    return url if url.startswith(("http://", "https://")) and len(url) <= MAX_ADDRESS else None


@fit_stage(
    "links.aliases.v1",
    layer="links.aliases",
    needs=("archive.url", "metadata.location", "metadata.canonical"),
    config=AliasesConfig,
)
class Aliases:
    """Addresses that stand for others: archived redirects (RFC 9110 §15.4) and canonical links (RFC 6596)."""

    @staticmethod
    def observe(batch: Batch, config: AliasesConfig, seen: pa.Table | None = None) -> pa.Table:
        """Pairs of address and target of this batch."""
        pairs: dict[str, str] = {}
        needs = ("archive.url", "metadata.location", "metadata.canonical")
        for url, location, canonical in zip(*(batch[name] for name in needs), strict=True):
            declared_target = (location if config.redirects else None) or (canonical if config.canonical else None)
            here = address(url) if declared_target else None
            target = address(declared_target, here) if here and declared_target else None
            if here and target and target != here:
                pairs[here] = target
        return _pairs(pairs)

    @staticmethod
    def merge(tables: list[pa.Table], config: AliasesConfig) -> pa.Table:
        """All pairs, sorted; of several targets of one address the smallest, so that the order of batches does not matter."""
        table = pa.concat_tables(tables).sort_by([("url", "ascending"), ("target", "ascending")])
        table = (
            table.group_by("url", use_threads=False).aggregate([("target", "min")]).rename_columns(["url", "target"])
        )
        return table.sort_by("url").slice(0, config.most).cast(ALIASES).combine_chunks()

    @staticmethod
    def finish(table: pa.Table, config: AliasesConfig) -> pa.Table:
        """Follow chains to their end; addresses on a circle stand for themselves."""
        pairs = dict(zip(table.column("url").to_pylist(), table.column("target").to_pylist(), strict=True))
        ends = {url: end for url in pairs if (end := _end(url, pairs)) != url}
        return _pairs(ends)


def _end(url: str, pairs: Mapping[str, str]) -> str:
    passed_urls = {url}
    end = url
    for _ in range(HOPS):
        following = pairs.get(end)
        if following is None:
            return end
        if following in passed_urls:
            return url
        passed_urls.add(following)
        end = following
    return end


def _pairs(pairs: Mapping[str, str]) -> pa.Table:
    urls = sorted(pairs)
    return pa.table([pa.array(urls, pa.string()), pa.array([pairs[url] for url in urls], pa.string())], schema=ALIASES)


@lru_cache(maxsize=4)
def _alias_of(model: Model) -> dict[str, str]:
    table = model.table
    return dict(zip(table.column("url").to_pylist(), table.column("target").to_pylist(), strict=True))


@map_stage(
    "links.targets.v1",
    layer="links",
    needs=("archive.url", "metadata.base", "extract.links.target"),
    adds=builtin("links"),
    models=("links.aliases",),
)
def targets(batch: Batch, config: object, model: Model) -> Columns:
    """Where each out-link leads in the end: joined with the base, redirects followed, canonical (P4 §2.1)."""
    aliases = _alias_of(model)
    own: list[str | None] = []
    rows: list[list[str | None] | None] = []
    needs = ("archive.url", "metadata.base", "extract.links.target")
    for url, base, links in zip(*(batch[name] for name in needs), strict=True):
        here = address(url or "")
        own.append(aliases.get(here, here) if here else None)
        start = (address(base, here) if base else None) or here
        addresses: dict[str, str | None] = {}
        for link in links or ():
            if link not in addresses:
                place = address(link, start)
                addresses[link] = aliases.get(place, place) if place else None
        rows.append(None if links is None else [addresses[link] for link in links])
    return {"address": own, "targets": rows}


@join_stage(
    "links.incoming.v1",
    layer="inlinks",
    needs=("archive.id", "archive.url", "links.address", "links.targets", "extract.links.text"),
    adds=builtin("inlinks"),
    config=IncomingConfig,
)
class Incoming:
    """In-links with their anchors: the transpose of the out-links (P4 §2.1).

    A page gets the links to its own address and to all that redirect to it or name it as canonical. If no page has
    that address itself, the pages that point to it get them. Every capture of an address gets the same in-links.
    """

    @staticmethod
    def emit(batch: Batch, config: IncomingConfig) -> pa.Table:
        """A row per page under its address, and a row per link under its target; rank −1 marks links."""
        places = batch.arrow("links.address")
        own = pa.array([address(url or "") for url in batch["archive.url"]], pa.string())
        ranks = pc.not_equal(places, own).cast(pa.int8())
        pages = pa.array(batch.pages, pa.int64())
        here = pa.table(
            {
                "group": hashes(places), "page": pages, "rank": ranks, "place": places,
                "text": pa.nulls(len(batch), pa.string()), "source": batch.arrow("archive.id"),
            }
        ).filter(places.is_valid())  # fmt: skip
        rows = pa.concat_tables([here, _link_rows(batch, pages, places, config)])
        return rows.sort_by([("page", "ascending"), ("rank", "ascending")])

    @staticmethod
    def resolve(rows: pa.Table, config: IncomingConfig) -> pa.Table:
        """Links to each address, for the pages that have it."""
        rows = rows.sort_by(
            [("group", "ascending"), ("place", "ascending"), ("rank", "ascending"), ("page", "ascending")]
        )
        place = rows.column("place").combine_chunks()
        rank = rows.column("rank").to_numpy()
        page = rows.column("page").to_numpy()
        text, source = rows.column("text").to_pylist(), rows.column("source").to_pylist()
        new = np.r_[True, pc.not_equal(place[1:], place[:-1]).to_numpy(zero_copy_only=False)] if len(rank) else []
        starts = np.flatnonzero(new)
        ends = np.r_[starts[1:], len(rank)] if len(starts) else starts
        decisions: list[tuple[int, int, list[dict[str, str]]]] = []
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            pages = start + int(np.searchsorted(rank[start:end], 0))
            if start == pages or pages == end:
                continue  # no page links here, or there is no such page
            last = pages + int(np.searchsorted(rank[pages:end], rank[pages], "right"))
            anchors = [{"text": text[at], "source": source[at]} for at in range(start, min(pages, start + config.most))]
            decisions += [(int(page[at]), pages - start, anchors) for at in range(pages, last)]
        return pa.table(
            {
                "page": pa.array([one[0] for one in decisions], pa.int64()),
                "inlink_count": pa.array([one[1] for one in decisions], pa.int32()),
                "inlinks": pa.array([one[2] for one in decisions], pa.list_(INLINK)),
            }
        )

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: IncomingConfig) -> Columns:
        """The decisions are the columns; a page that nobody links to counts zero."""
        return {
            "inlinks": decisions.column("inlinks"),
            "inlink_count": decisions.column("inlink_count").fill_null(0),
        }


def _link_rows(batch: Batch, pages: pa.Array, places: pa.Array, config: IncomingConfig) -> pa.Table:
    links = batch.arrow("links.targets")
    target, text = pc.list_flatten(links), pc.list_flatten(batch.arrow("extract.links.text"))
    parent = pc.list_parent_indices(links)
    foreign = target.is_valid()
    if not config.own:
        foreign = pc.and_(foreign, pc.fill_null(pc.not_equal(target, places.take(parent)), True))
    target, text, parent = (column.filter(foreign) for column in (target, text, parent))
    return pa.table(
        {
            "group": hashes(target), "page": pages.take(parent), "rank": pa.array(np.full(len(target), -1, np.int8)),
            "place": target, "text": text, "source": batch.arrow("archive.id").take(parent),
        }
    )  # fmt: skip
