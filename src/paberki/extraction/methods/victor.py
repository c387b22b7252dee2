"""Victor: a conditional random field reads a page as a sequence of blocks: header, text or other (P2 §3 [31]).

Every block has a vector of discretised features that independent modules compute; modules can be switched off, and
the edges of the bins are settings. Headers and text are kept. Needs python-crfsuite (``pip install
'paberki[victor]'``); the model ``victor.crf`` is made by ``paberki train victor``.

A block is what stands between two tags, inline or not: ``Hello <b>world</b>!`` is three (P2 §3, step 4).

Deviation: P2 runs CRF++ with a file of templates, we give the neighbours' features by their offset.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from paberki.corpus_file import NO_FILE, CorpusFile, path_of, place_of, shipped
from paberki.errors import ConfigError, MissingExtra
from paberki.extraction.html.page_blocks import Block
from paberki.extraction.methods.crf_file import check_crf
from paberki.kernels.preparation import prepared

OTHER, HEADER, TEXT = "other", "header", "text"
_MOST_BLOCKS: Final = 10_000
"""Longest page in blocks; longer ones were not written by people, and would take minutes and gigabytes."""
_MOST_CHARS: Final = 20_000
"""Characters of a block whose letters and signs are counted."""
_SENTENCE: Final = re.compile(r"[.!?…。！？](?:\s|$|[\"”»)])")
_STEP: Final = re.compile(r"[>.#_\s-]+")
_CLASSES: Final = frozenset(
    ("nav", "menu", "footer", "header", "sidebar", "comment", "comments", "content", "article", "main", "post", "entry",
     "body", "text", "title", "headline", "related", "share", "social", "widget", "breadcrumb", "breadcrumbs", "meta",
     "date", "author", "tags", "login", "search", "banner", "ad", "ads", "copyright", "list", "teaser", "story")
)  # fmt: skip


MODEL: Final = "extraction/victor.crf"


@dataclass(frozen=True, slots=True, kw_only=True)
class VictorConfig:
    """Which modules compute features, where bins end, and how far a block looks."""

    markup: bool = True
    """Innermost tags, depth, and how the path differs from that of the neighbours."""
    content: bool = True
    """Lengths, sentences, words, capitals, digits, punctuation."""
    links: bool = True
    """Share of characters in links, and inline tags."""
    position: bool = True
    """Place on the page, and share of its text."""
    names: bool = True
    """Words in ids and classes along the path, e.g. nav, comment, content."""
    repeats: bool = True
    """Whether the same text occurs more than once on the page, and how much text shares the path."""
    length_bins: tuple[float, ...] = (3, 8, 15, 30, 60, 100, 150, 250, 400, 800)
    """Edges of the bins for lengths in characters."""
    count_bins: tuple[float, ...] = (1, 2, 3, 5, 8, 13, 20, 40)
    """Edges of the bins for counts."""
    share_bins: tuple[float, ...] = (0.001, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 0.95)
    """Edges of the bins for shares."""
    window: int = 1
    """How many neighbours on either side lend a block their features."""
    model: CorpusFile = NO_FILE
    """File with a model of your own, made by ``paberki train victor``."""


@dataclass(slots=True)
class _Page:
    blocks: Sequence[Block]
    chars: int
    places: list[int] = field(default_factory=list)
    texts: dict[str, int] = field(default_factory=dict)
    paths: dict[str, int] = field(default_factory=dict)


def victor(blocks: Sequence[Block], config: VictorConfig | None = None) -> None:
    """Label blocks in place as header, text or other; ``score`` is the probability of not being other."""
    config = config or VictorConfig()
    if not blocks:
        return
    for block in blocks[_MOST_BLOCKS:]:
        block.label, block.kept, block.score = OTHER, False, 0.0
        block.reason = f"after the first {_MOST_BLOCKS} blocks of the page"
    blocks = blocks[:_MOST_BLOCKS]
    tagger = load(place_of(config.model))
    tagger.set(features(blocks, config))
    labels = tagger.tag()
    for number, (block, label) in enumerate(zip(blocks, labels, strict=True)):
        block.label = label
        block.kept = label != OTHER
        block.score = 1.0 - tagger.marginal(OTHER, number)
        block.reason = f"labelled {label} in its sequence"


def features(blocks: Sequence[Block], config: VictorConfig) -> list[list[str]]:
    """Features of all blocks as words, the neighbours' included."""
    page = _Page(blocks, max(1, sum(len(block.text) for block in blocks)))
    before = 0
    for block in blocks:
        page.places.append(before)
        before += len(block.text)
        page.texts[block.text] = page.texts.get(block.text, 0) + 1
        page.paths[block.path] = page.paths.get(block.path, 0) + len(block.text)
    modules = [module for name, module in _MODULES.items() if getattr(config, name)]
    own = [[one for module in modules for one in module(page, number, config)] for number in range(len(blocks))]
    rows = []
    for number in range(len(blocks)):
        row = ["bias", *own[number]]
        for offset in range(-config.window, config.window + 1):
            other = number + offset
            if offset:
                row += [f"{offset}:{one}" for one in own[other]] if 0 <= other < len(blocks) else [f"{offset}:edge"]
        rows.append(row)
    return rows


def _bin(value: float, edges: Sequence[float]) -> int:
    return bisect_right(edges, value)


def _markup(page: _Page, number: int, config: VictorConfig) -> list[str]:
    block = page.blocks[number]
    steps = [re.split(r"[.#]", step)[0] for step in block.path.split(">")[-3:]]
    names = [f"tag={block.tag}", f"tags={'>'.join(steps)}", f"depth={min(block.path.count('>'), 20) // 2}"]
    if number:
        names.append(f"same-path={page.blocks[number - 1].path == block.path}")
    return names


def _content(page: _Page, number: int, config: VictorConfig) -> list[str]:
    text = page.blocks[number].text[:_MOST_CHARS]
    size = max(1, len(text))
    letters = sum(map(str.isalpha, text)) or 1
    return [
        f"chars={_bin(len(text), config.length_bins)}",
        f"words={_bin(text.count(' ') + 1, config.count_bins)}",
        f"sentences={_bin(len(_SENTENCE.findall(text)), config.count_bins)}",
        f"ends={text[-1:] in '.!?…。！？' if text else False}",
        f"starts={text[:1].isupper()}",
        f"upper={_bin(sum(map(str.isupper, text)) / letters, config.share_bins)}",
        f"digits={_bin(sum(map(str.isdigit, text)) / size, config.share_bins)}",
        f"signs={_bin(sum(not char.isalnum() and char != ' ' for char in text) / size, config.share_bins)}",
        f"copyright={'©' in text}",
        f"colon={text.endswith(':')}",
    ]


def _links(page: _Page, number: int, config: VictorConfig) -> list[str]:
    block = page.blocks[number]
    return [
        f"links={_bin(block.link_density, config.share_bins)}",
        f"inline={_bin(block.tag_count, config.count_bins)}",
    ]


def _position(page: _Page, number: int, config: VictorConfig) -> list[str]:
    return [
        f"place={int(10 * page.places[number] / page.chars)}",
        f"order={int(10 * number / len(page.blocks))}",
        f"share={_bin(len(page.blocks[number].text) / page.chars, config.share_bins)}",
        f"page={int(math.log2(page.chars + 1))}",
    ]


def _names(page: _Page, number: int, config: VictorConfig) -> list[str]:
    words = set(_STEP.split(page.blocks[number].path.lower()))
    return [f"name={word}" for word in sorted(words & _CLASSES)]


def _repeats(page: _Page, number: int, config: VictorConfig) -> list[str]:
    block = page.blocks[number]
    return [
        f"repeated={page.texts[block.text] > 1}",
        f"path-share={_bin(page.paths[block.path] / page.chars, config.share_bins)}",
    ]


_MODULES: Final[dict[str, Callable[[_Page, int, VictorConfig], list[str]]]] = {
    "markup": _markup, "content": _content, "links": _links, "position": _position, "names": _names,
    "repeats": _repeats,
}  # fmt: skip


def crfsuite() -> Any:
    """The library, or a word on how to get it."""
    try:
        import pycrfsuite
    except ImportError as error:
        raise MissingExtra("python-crfsuite, which the method 'victor' needs,", "victor") from error
    return pycrfsuite


@lru_cache(maxsize=4)
@prepared
def load(path: str) -> Any:
    """A tagger with the model of a file, or with that of the package."""
    library = crfsuite()
    place = path_of(path) if path else shipped(MODEL)
    hint = "make one with: paberki train victor DATA"
    if not place.exists():
        raise ConfigError(f"{place}: no model for the method 'victor'; {hint}")
    tagger = library.Tagger()
    try:
        check_crf(place.read_bytes())
        tagger.open(str(place))
        if OTHER not in tagger.labels():
            raise ValueError(f"it has no label {OTHER!r}")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{place}: not a model of the method 'victor' ({error}); {hint}") from error
    return tagger
