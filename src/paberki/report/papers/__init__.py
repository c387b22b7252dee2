"""The tables and figures of the five papers, ours beside the published ones."""

from __future__ import annotations

from paberki.report.papers.replicate import replicate

__all__ = ["replicate"]
