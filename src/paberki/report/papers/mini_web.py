"""A corpus of the bundled mini-web with a paper's preset, so that anybody can see all tables and figures at once.

Hosts keep their national domains (``.hr``, ``.rs``, ``.jp`` instead of ``.hr.test``), because P3 learns languages from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from paberki.corpus import Corpus, new_corpus
from paberki.demo.plans import SEED_HOSTS
from paberki.demo.responses import SiteResponses
from paberki.demo.world import world
from paberki.engine.progress import Progress
from paberki.extraction.evaluation.gold_pages import GoldPage

LANGUAGES: Final = {"P1": ["hr"], "P2": ["hr"], "P3": ["hr", "sr"], "P4": ["ja"], "P5": ["hr"]}
PRESETS: Final = {"P1": "hrwac2011", "P2": "czweb2010", "P3": "hbs2014", "P4": "tsubaki2008", "P5": "cow2012"}
_RECIPES: Final = {
    "P1": '\nadd = ["annotate.v1"]\n[[select.pages]]\nreason = "size"\ndrop = ""\n',
    "P2": '\nadd = ["annotate.v1"]\n',
    "P5": '\n[[select.pages]]\nreason = "too-short"\ndrop = "char_count < 1000"\n',
}
"""What the mini-web needs: its pages are smaller than 50 kB (P1), and few have 2,000 characters (P5)."""
NOTES: Final = {
    "P1": "Mini-web: without P1's least size of 50 kB, which none of its pages has.",
    "P2": "Mini-web: Croatian in place of Czech; the pages of its largest host stand for the reference corpus.",
    "P3": "Mini-web: the national domains hr and rs.",
    "P4": "Mini-web: one Japanese newspaper.",
    "P5": "Mini-web: Croatian; least length 1,000 characters in place of 2,000.",
}


def real_host(host: str) -> str:
    """The name of a host on its national domain."""
    return host.removesuffix(".test")


def _locate(host: str, path: str) -> str:
    return f"http://{real_host(host)}{path}"


def mini_pages() -> Iterator[tuple[str, str, Any]]:
    """Address, HTML and truth of every page of the mini-web."""
    sites = world()
    answers = SiteResponses(sites, _locate)
    for host, site in sites.items():
        for path, page in site.pages.items():
            answer = answers.answer(host, path)
            if answer.status == 200 and page.content_type == "text/html":
                yield _locate(host, path), answer.body.decode(page.charset.codec or "utf-8", "replace"), page.truth()


def build_mini(folder: Path, paper: str, listen: Callable[[Progress], None] | None = None) -> Corpus:
    """Build the corpus of a paper in a folder."""
    source = folder / "pages.jsonl"
    with source.open("w", encoding="utf-8", errors="replace") as file:
        for url, html, _ in mini_pages():
            file.write(json.dumps({"url": url, "html": html, "date": "2026-01-01T00:00:00Z"}) + "\n")
    corpus = new_corpus(folder / "corpus", lang=LANGUAGES[paper], preset=PRESETS[paper], name="mini-web")
    recipe = corpus.directory.recipe
    head, _, tail = recipe.read_text("utf-8").partition("\n[crawl]")
    own = _RECIPES.get(paper, "\n")
    keys, _, rules = own.partition("[[")
    seeds = "".join(f"http://{real_host(host)}/\n" for host in SEED_HOSTS)
    (corpus.root / "seeds.txt").write_text(seeds, "utf-8")
    text = f'{head}{keys}\n[crawl]\nseeds = ["seeds.txt"]{tail}\n{"[[" if rules else ""}{rules}'
    recipe.write_text(text, "utf-8")
    corpus.add([source])
    corpus.build(max_errors=0.5, listen=listen)
    return corpus


def gold_pages(lang: str, kinds: tuple[str, ...] = ("article", "post", "notice")) -> list[GoldPage]:
    """Pages of the mini-web with their true text."""
    return [
        GoldPage("mini-web", url, html, truth.wanted, url=url, lang=truth.language, type=truth.kind)
        for url, html, truth in mini_pages()
        if truth.language == lang and truth.wanted and truth.kind in kinds
    ]
