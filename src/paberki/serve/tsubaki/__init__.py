"""TSUBAKI's open API (P4 §4): what programs of then ask, in the form in which they were answered."""

from __future__ import annotations

from paberki.serve.tsubaki.answering import PARAMETERS, routes

__all__ = ["PARAMETERS", "routes"]
