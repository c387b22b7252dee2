"""Comparing corpora: homogeneity, similarity, keywords, parts of speech, lengths, unknown words, duplication, topics."""

from __future__ import annotations

from paberki.report.comparison.compare import CorpusComparison, compare

__all__ = ["CorpusComparison", "compare"]
