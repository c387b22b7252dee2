"""Comparing corpora: homogeneity, similarity, keywords, parts of speech, lengths, unknown words, duplication, topics."""

from __future__ import annotations

from paberki.report.comparison.compare import Comparison, compare

__all__ = ["Comparison", "compare"]
