"""Genres and agreement of coders as P5 Tables 5 and 6 print them, for DECOW2012."""

from __future__ import annotations

from typing import Final

AGREEMENT: Final = {
    "authorship": (0.89, 0.85),
    "mode": (0.98, 0.94),
    "audience": (0.88, 0.64),
    "aim": (0.73, 0.61),
    "domain": (0.86, 0.82),
}
"""Raw agreement and Cohen's κ of two coders, n = 200."""
GENRES: Final = {
    "authorship": {
        "single-female": (6.0, 2.8),
        "single-male": (11.5, 3.7),
        "multiple": (36.0, 5.6),
        "corporate": (21.0, 4.7),
        "unknown": (25.5, 5.0),
    },
    "mode": {"written": (71.0, 5.0), "spoken": (1.0, 3.0), "quasi-spontaneous": (22.5, 4.9), "blogmix": (4.5, 2.4)},
    "audience": {"general": (75.5, 5.0), "informed": (17.0, 4.4), "professional": (7.5, 3.0)},
    "aim": {
        "recommendation": (12.5, 3.8),
        "instruction": (4.5, 2.4),
        "information": (36.0, 5.5),
        "discussion": (47.0, 5.8),
        "fiction": (0.0, 0.0),
    },
    "domain": {
        "science": (2.5, 1.8),
        "technology": (14.0, 4.0),
        "medical": (4.5, 2.4),
        "pol-soc-hist": (21.5, 4.8),
        "business-law": (10.0, 3.5),
        "arts": (8.5, 3.2),
        "beliefs": (5.0, 2.5),
        "life-leisure": (34.0, 5.5),
    },
}
"""Per cent and half of the 90 % interval."""
