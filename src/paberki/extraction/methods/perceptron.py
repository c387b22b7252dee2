"""P5's perceptron: nine numbers about a paragraph and its neighbours tell text from boilerplate (P5 §3.2 [32]).

``variant="2012"`` is the paper's: nine features, text above the cut-off .48. ``variant="2015"`` follows what later
versions of texrex did: 37 features, 18 hidden units, a score that rises with boilerplate and a cut-off of .55, pages
with too little text dropped as a whole, and a rule for "read more". Its features are published nowhere but in code;
ours are our own choice of the same kinds. Weights: ``perceptron.json``, made by ``paberki train perceptron``, which
names the sets they were trained on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from paberki.corpus_file import NO_FILE, CorpusFile, path_of, place_of, shipped
from paberki.errors import ConfigError
from paberki.extraction.html.page_blocks import Block

Floats = npt.NDArray[np.float64]
Variant = Literal["2012", "2015"]

_MOST_CHARS: Final = 100_000
"""Characters of a block that are looked at one by one."""
_READ_MORE: Final = re.compile(
    r"\b(?:read more|continue reading|weiterlesen|mehr lesen|lire la suite|leer más|leggi tutto|čitaj(?:te)? (?:dalje|više)|"
    r"opširnije|preberi več|více|číst dále|czytaj (?:dalej|więcej)|läs mer|lees meer|подробнее|читать далее|опширније)\W*$"
    r"|続きを読む",
    re.IGNORECASE,
)


MODEL: Final = "extraction/perceptron.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class PerceptronConfig:
    """Which network, and where text ends."""

    variant: Variant = "2012"
    """2012: nine features (P5). 2015: 37 features, and rules for whole pages."""
    cutoff: float | None = None
    """Score below which a block is boilerplate (2012), or above which it is (2015); by default .48 and .55."""
    weights: CorpusFile = NO_FILE
    """File with weights of your own, made by ``paberki train perceptron``."""
    min_good_blocks: int = 1
    """2015: pages with fewer good blocks have no text."""
    min_good_block_share: float = 0.02
    """2015: pages with a smaller share of good blocks have no text; texrex took .1, of larger blocks."""
    min_good_chars: int = 500
    """2015: pages with fewer characters in good blocks have no text."""
    min_good_char_share: float = 0.1
    """2015: pages with a smaller share of characters in good blocks have no text; texrex took .25."""


@dataclass(frozen=True, slots=True)
class Network:
    """A multi-layer perceptron with one hidden layer and the scaling of its input."""

    mean: Floats
    deviation: Floats
    hidden_layer: Floats
    """Weights of the hidden layer, one row per unit; the last column is the bias."""
    output: Floats
    sources: tuple[str, ...] = ()

    def score(self, features: Floats) -> Floats:
        """Output in (0, 1] for every row: hidden tanh, then the symmetric Gaussian exp(−z²) (P5 §3.2)."""
        inputs = (features - self.mean) / self.deviation
        units = np.tanh(inputs @ self.hidden_layer[:, :-1].T + self.hidden_layer[:, -1])
        z = units @ self.output[:-1] + self.output[-1]
        return np.asarray(np.exp(-z * z), np.float64)


def perceptron(blocks: Sequence[Block], config: PerceptronConfig | None = None) -> None:
    """Label blocks in place by the score of the network, a number in (0, 1]."""
    config = config or PerceptronConfig()
    if not blocks:
        return
    network = load(place_of(config.weights), config.variant)
    scores = network.score(features(blocks, config.variant))
    if config.variant == "2015":
        _label_2015(blocks, scores, config)
        return
    cutoff = 0.48 if config.cutoff is None else config.cutoff
    for block, score in zip(blocks, scores.tolist(), strict=True):
        _set(block, score, score >= cutoff, "score at or above the cut-off", "score below the cut-off")


def _label_2015(blocks: Sequence[Block], scores: Floats, config: PerceptronConfig) -> None:
    cutoff = 0.55 if config.cutoff is None else config.cutoff
    for block, score in zip(blocks, scores.tolist(), strict=True):
        _set(block, score, score <= cutoff, "score at or below the cut-off", "score above the cut-off")
        if block.kept and len(block.text) < 200 and _READ_MORE.search(block.text):
            _set(block, score, False, "", "ends in an invitation to read more")
    good = [block for block in blocks if block.kept]
    chars, good_chars = sum(len(block.text) for block in blocks), sum(len(block.text) for block in good)
    enough = (
        len(good) >= max(config.min_good_blocks, config.min_good_block_share * len(blocks))
        and good_chars >= max(config.min_good_chars, config.min_good_char_share * chars)
    )  # fmt: skip
    for block in () if enough else good:
        _set(block, block.score, False, "", "the page has too little text")


def _set(block: Block, score: float, is_text: bool, yes: str, no: str) -> None:
    block.score, block.kept = score, is_text
    block.label, block.reason = ("text", yes) if is_text else ("boilerplate", no)


# ---- features ----

NAMES_2012: Final = (
    "text ÷ markup", "text ÷ markup ±1", "text ÷ markup ±2", "text characters", "upper ÷ lower",
    "non-letters ÷ letters", "non-letters ÷ letters ±1", "non-letters ÷ letters ±2", "percentile in the text mass",
)  # fmt: skip
_TAGS: Final = ("p", "div", "li", "td", "h", "blockquote", "article", "section")
_PATH_WORDS: Final = ("nav", "menu", "foot", "head", "comment", "side", "content", "article", "main")
NAMES_2015: Final = (
    *NAMES_2012, "link share", "link share ±1", "link share ±2", "sentence signs", "ends a sentence", "starts a sentence",
    "words", "mean word length", "copyright", "digits", "questions and exclamations", "inline tags", "depth",
    "distance from the middle", "share of the page", "characters of the page", *(f"tag {tag}" for tag in _TAGS[:6]),
    *(f"path {word}" for word in _PATH_WORDS[:6]),
)  # fmt: skip
assert len(NAMES_2012) == 9
assert len(NAMES_2015) == 37


def features(blocks: Sequence[Block], variant: Variant = "2012") -> Floats:
    """One row per block. Ratios are log(1 + x), so that no page is out of all proportion."""
    if not blocks:
        return np.zeros((0, len(NAMES_2015 if variant == "2015" else NAMES_2012)))
    text = np.array([len(block.text) for block in blocks], np.float64)
    markup = np.array([block.markup for block in blocks], np.float64)
    letters, upper, lower = (np.array(column, np.float64) for column in zip(*map(_cases, blocks), strict=True))
    other = text - letters
    mass = np.cumsum(text)
    columns = [
        *(_ratio(_around(text, reach), _around(markup, reach)) for reach in (0, 1, 2)),
        np.log1p(text),
        _ratio(upper, lower),
        *(_ratio(_around(other, reach), _around(letters, reach)) for reach in (0, 1, 2)),
        (mass - text / 2) / max(mass[-1], 1.0),
    ]
    if variant == "2015":
        columns += _more(blocks, text, mass)
    return np.column_stack(columns)


def _more(blocks: Sequence[Block], text: Floats, mass: Floats) -> list[Floats]:
    links = np.array([block.link_chars for block in blocks], np.float64)
    rows = np.array([_counts(block) for block in blocks], np.float64)
    middle = np.abs((mass - text / 2) / max(mass[-1], 1.0) - 0.5)
    return [
        *(_around(links, reach) / np.maximum(_around(text, reach), 1.0) for reach in (0, 1, 2)),
        *rows[:, :10].T,
        middle,
        text / max(mass[-1], 1.0),
        np.full(len(text), np.log1p(mass[-1])),
        *rows[:, 10:].T,
    ]


def _counts(block: Block) -> list[float]:
    text, path = block.text, block.path.lower()
    words = text.count(" ") + 1
    return [
        sum(text.count(sign) for sign in ".!?。！？") / words,
        float(text.rstrip("\"'”’»)")[-1:] in ".!?…。！？" and bool(text)),
        float(text[:1].isupper()),
        float(np.log1p(words)),
        len(text) / words,
        float("©" in text or "copyright" in text.lower()),
        sum(char.isdigit() for char in text[:2000]) / max(1, min(len(text), 2000)),
        (text.count("?") + text.count("!")) / words,
        float(np.log1p(block.tag_count)),
        float(np.log1p(path.count(">"))),
        *(float(block.tag.startswith(tag)) for tag in _TAGS[:6]),
        *(float(word in path) for word in _PATH_WORDS[:6]),
    ]


def _cases(block: Block) -> tuple[float, float, float]:
    """Letters, large and small ones; of a very long block as many as its beginning would have."""
    text = block.text[:_MOST_CHARS]
    whole = len(block.text) / max(1, len(text))
    lower, upper = text.lower(), text.upper()
    letters = sum(map(str.isalpha, text))
    small = sum(a != b for a, b in zip(text, upper, strict=False)) if len(upper) == len(text) else letters
    large = sum(a != b for a, b in zip(text, lower, strict=False)) if len(lower) == len(text) else 0
    return whole * letters, whole * large, whole * small


def _around(values: Floats, reach: int) -> Floats:
    """Sums over windows that reach so many blocks to both sides."""
    if not reach:
        return values
    sums = np.concatenate(([0.0], np.cumsum(values)))
    at = np.arange(len(values))
    return np.asarray(sums[np.minimum(at + reach + 1, len(values))] - sums[np.maximum(at - reach, 0)], np.float64)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.asarray(np.log1p(above / np.maximum(below, 1.0)), np.float64)


# ---- weights ----


@lru_cache(maxsize=8)
def load(path: str, variant: Variant) -> Network:
    """The network of a variant, from a file of weights or from the package."""
    place = path_of(path) if path else shipped(MODEL)
    try:
        content = json.loads(place.read_text(encoding="utf-8"))
        return from_plain(content[variant], variant)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        hint = "make some with: paberki train perceptron DATA"
        raise ConfigError(
            f"{path or 'perceptron.json'}: no weights for the variant {variant} ({error}); {hint}"
        ) from error


def from_plain(content: dict[str, Any], variant: Variant = "2012") -> Network:
    """A network from what :func:`plain` gave; ValueError where its numbers do not fit together."""
    mean, deviation, hidden_layer, output = (
        np.array(content[name], np.float64) for name in ("mean", "deviation", "hidden", "output")
    )
    inputs, units = len(NAMES_2015 if variant == "2015" else NAMES_2012), len(output) - 1
    if (
        (mean.shape, deviation.shape) != ((inputs,), (inputs,))
        or hidden_layer.shape != (units, inputs + 1)
        or units < 1
    ):
        raise ValueError(f"it should have {inputs} inputs and as many outputs as hidden units and one more")
    if (
        not all(np.isfinite(array).all() for array in (mean, deviation, hidden_layer, output))
        or not (deviation > 0).all()
    ):
        raise ValueError("a weight that is no number, or a deviation that is not above 0")
    return Network(mean, deviation, hidden_layer, output, tuple(map(str, content.get("sources", ()))))


def plain(network: Network) -> dict[str, Any]:
    """A network as lists of numbers, rounded to what matters."""
    return {
        "sources": list(network.sources),
        "mean": np.round(network.mean, 4).tolist(),
        "deviation": np.round(network.deviation, 4).tolist(),
        "hidden": np.round(network.hidden_layer, 4).tolist(),
        "output": np.round(network.output, 4).tolist(),
    }
