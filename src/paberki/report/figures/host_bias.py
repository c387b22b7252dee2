"""Host bias: which share of the URLs comes from the n most popular hosts? (P5 §2, Figs. 1–3) [70]

Of the seeds and of the kept pages a seeded sample of 10,000 URLs is taken each. Three curves over n: the share of the seeds
on their n most popular hosts, the share of the corpus on its own n most popular hosts, and the share of the corpus on the
n most popular hosts of the seeds. ``hosts_for_half`` is the fewest hosts that have half of the sample.
"""

from __future__ import annotations

import heapq
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from paberki.markup.plots import Curve, curves
from paberki.report.page_counts import Counter
from paberki.report.section import Figure, Section
from paberki.web.registered_domains import split_url

SAMPLE: Final = 10_000
SEED: Final = 1
_POINTS: Final = 120
_MOST_SEED_BYTES: Final = 1 << 30


def sample(addresses: Iterable[str], seed: int = SEED, count: int = SAMPLE) -> list[str]:
    """A random sample of addresses, the same for the same seed in whatever order they come."""
    keyed_addresses = (
        (blake2b(f"{seed} {one}".encode("utf-8", "replace"), digest_size=8).digest(), one) for one in addresses
    )
    return [address for _, address in heapq.nsmallest(count, keyed_addresses)]


def host_of(url: str) -> str:
    """The host of an address; the address itself where it has none."""
    try:
        return (split_url(url if "://" in url else f"http://{url}").hostname or url).lower()
    except ValueError:
        return url


def hosts_for_half(counts: Tally[str]) -> int:
    """Fewest hosts that have at least half of the URLs."""
    total, running = counts.total(), 0
    for number, (_, count) in enumerate(_popular(counts), 1):
        running += count
        if 2 * running >= total:
            return number
    return 0


def _popular(counts: Tally[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def curve(counts: Tally[str], order: Sequence[str], last: int) -> list[float]:
    """Cumulative share of the URLs on the first hosts of an order, for n = 1 … last."""
    total, running, shares = max(counts.total(), 1), 0, []
    for number in range(last):
        running += counts[order[number]] if number < len(order) else 0
        shares.append(running / total)
    return shares


def host_bias(counter: Counter, seed_files: Sequence[Path], seeds: Sequence[str] = (), *, seed: int = SEED) -> Section:
    """The three curves, or the one of the corpus where there are no seeds."""
    corpus = Tally(map(host_of, sample(_kept_addresses(counter), seed)))
    seed_hosts = Tally(map(host_of, sample((*seeds, *_seed_lines(seed_files)), seed)))
    title = "Bias towards hosts"
    if not corpus:
        return Section("host_bias", title, missing="No page is kept.")
    own, theirs = ([host for host, _ in _popular(one)] for one in (corpus, seed_hosts))
    last = max(len(own), len(theirs))
    lines = {"corpus": curve(corpus, own, last)}
    if seed_hosts:
        lines = {"seeds": curve(seed_hosts, theirs, last), **lines, "corpus_of_seed_hosts": curve(corpus, theirs, last)}
    ranks = sorted({round(last ** (step / _POINTS)) for step in range(_POINTS + 1)} | {1, last})
    rows = [{"hosts": rank, **{name: shares[rank - 1] for name, shares in lines.items()}} for rank in ranks]
    return _section(title, rows, corpus, seed_hosts, seed)


def _section(title: str, rows: list[dict[str, Any]], corpus: Tally[str], seeds: Tally[str], seed: int) -> Section:
    half, seeds_half = hosts_for_half(corpus), hosts_for_half(seeds)
    caption = (
        f"Which share of the URLs comes from the n most popular hosts (P5 Figs. 1–3). Half of the corpus comes from {half:,} "
        "hosts" + (f", half of the seeds from {seeds_half:,}." if seeds else ".")
    )
    names = {"seeds": "seeds", "corpus": "corpus", "corpus_of_seed_hosts": "corpus on the seeds' top hosts"}
    share_curves = [
        Curve(label, [(row["hosts"], row[name]) for row in rows]) for name, label in names.items() if name in rows[0]
    ]
    svg = curves(
        "host_bias",
        "Bias towards hosts (P5 Figs. 1–3)",
        caption,
        share_curves,
        across="number of most popular hosts (logarithmic)",
        upwards="share of URLs",
        top=1.0,
        logarithmic=True,
    )
    notes = [
        f"Sample of {corpus.total():,} kept pages"
        + (f" and {seeds.total():,} seeds" if seeds else "")
        + f", seed {seed}."
    ]
    if not seeds:
        notes.append(
            "There are no seeds to compare with: name their files in the recipe, [crawl] seeds = ['seeds.txt']."
        )
    values = {
        "hosts_for_half": half,
        "seeds_hosts_for_half": seeds_half if seeds else None,
        "sample": corpus.total(),
        "seeds_sample": seeds.total(),
        "seed": seed,
    }
    return Section("host_bias", title, caption, values, rows, [Figure("host_bias", svg)], notes)


def _kept_addresses(counter: Counter) -> Iterator[str]:
    return (url for (url,) in counter.stream("SELECT url FROM pages WHERE keep AND url IS NOT NULL"))


def _seed_lines(files: Sequence[Path]) -> Iterator[str]:
    """Addresses in seed files, one per line; files that are gone count as empty."""
    for path in files:
        if path.is_file() and path.stat().st_size <= _MOST_SEED_BYTES:
            with path.open(encoding="utf-8", errors="replace") as lines:
                yield from (line.split()[0] for line in lines if line.strip() and not line.lstrip().startswith("#"))
