"""The part of a page that is looked at: stretches around bytes above 0x7F, spread over the whole page."""

from __future__ import annotations

from typing import Final

import numpy as np

WHOLE_BYTES: Final = 2048
"""Pages up to this size are looked at as they are."""

_STRETCHES: Final = 24
_SHORTEST: Final = 96
"""Bytes of a stretch; where there are few of them, they are longer, so that the language shows."""


def sample_of(data: bytes) -> bytes:
    """Some two or three kilobytes. High bytes in tags and scripts count as well: they are text of the same page."""
    if len(data) <= WHOLE_BYTES:
        return data
    high = (np.frombuffer(data, np.uint8) > 0x7F).nonzero()[0]
    anchors = high[:: len(high) // _STRETCHES + 1].tolist()
    length = max(_SHORTEST, WHOLE_BYTES // max(len(anchors), 1))
    parts = []
    end = 0
    for place in anchors:
        if place >= end:
            parts.append(data[max(place - length // 3, end) : place + length])
            end = place + length
    return b" ".join(parts)
