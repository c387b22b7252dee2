"""How strongly two things go together: measures over four numbers.

f(x,y) is how often they occur together, f(x) how often the first, f(y) how often the second occurs, N the number of
tokens; E = f(x)·f(y) ÷ N is what chance would give.

* ``logdice``: 14 + log2(2·f(x,y) ÷ (f(x) + f(y))) (Rychlý 2008); does not depend on the size of the corpus
* ``mi``: log2(f(x,y) ÷ E); prefers rare words
* ``mi3``: log2(f(x,y)³ ÷ E)
* ``t``: (f(x,y) − E) ÷ √f(x,y); prefers frequent words
* ``ll``: log-likelihood ratio (Dunning 1993), 2·Σ O·ln(O ÷ E) over the four cells of the table with the margins f(x) and
  f(y); negative where they go together less than by chance. A cell that windows around several hits make negative is 0
* ``minsens``: the smaller of f(x,y) ÷ f(x) and f(x,y) ÷ f(y) (Pedersen 1998)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.nearest import nearest

__all__ = ["MEASURES", "measure"]

_Numbers = NDArray[np.float64]


def _logdice(both: _Numbers, first: _Numbers, second: _Numbers, tokens: float) -> _Numbers:
    return 14 + np.log2(2 * both / (first + second))


def _mi(both: _Numbers, first: _Numbers, second: _Numbers, tokens: float) -> _Numbers:
    return np.log2(both * tokens / (first * second))


def _mi3(both: _Numbers, first: _Numbers, second: _Numbers, tokens: float) -> _Numbers:
    return np.log2(both**3 * tokens / (first * second))


def _t(both: _Numbers, first: _Numbers, second: _Numbers, tokens: float) -> _Numbers:
    return (both - first * second / tokens) / np.sqrt(both)


def _ll(both: _Numbers, first: _Numbers, second: _Numbers, tokens: float) -> _Numbers:
    observed_counts = (both, first - both, second - both, tokens - first - second + both)
    rest_first, rest_second = tokens - first, tokens - second
    expected_counts = (
        first * second / tokens,
        first * rest_second / tokens,
        rest_first * second / tokens,
        rest_first * rest_second / tokens,
    )
    total = np.zeros_like(both)
    for count, chance in zip(observed_counts, expected_counts, strict=True):
        real = np.where((count > 0) & (chance > 0), count, 1.0)
        total += np.where((count > 0) & (chance > 0), real * np.log(real / np.where(chance > 0, chance, 1.0)), 0.0)
    return np.sign(both - expected_counts[0]) * 2 * total


def _minsens(both: _Numbers, first: _Numbers, second: _Numbers, tokens: float) -> _Numbers:
    return np.minimum(both / first, both / second)


MEASURES: Final[dict[str, Callable[[_Numbers, _Numbers, _Numbers, float], _Numbers]]] = {
    "logdice": _logdice,
    "mi": _mi,
    "mi3": _mi3,
    "t": _t,
    "ll": _ll,
    "minsens": _minsens,
}


def measure(name: str, both: NDArray[Any], first: Any, second: NDArray[Any], tokens: int) -> _Numbers:
    """A measure for every row; ``both`` is above 0."""
    if name not in MEASURES:
        raise QueryError(f"no measure {name!r}{nearest(name, MEASURES)}; there are: {', '.join(MEASURES)}")
    together = np.asarray(both, np.float64)
    first_counts = np.broadcast_to(np.asarray(first, np.float64), together.shape)
    return MEASURES[name](together, first_counts, np.asarray(second, np.float64), float(max(tokens, 1)))
