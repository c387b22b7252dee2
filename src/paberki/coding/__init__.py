"""Coding by people: what kind of text is this page? (P5 §4.4)

A coder reads a drawn sample and gives every page one value for each variable of a scheme. A coding file is CSV with one
row per page (or per block): ``id``, ``key`` and ``url``, for blocks ``start`` and ``end`` too, then one column for each
variable. Labels hang on the page's key and the byte span, which never change, so that they survive every rebuild.
"""

from __future__ import annotations

from paberki.coding.agreement import agree, kappa
from paberki.coding.coding_file import Coding, CodingFile, read_coding, write_coding
from paberki.coding.coding_scheme import GENRE, Scheme, Variable, load_scheme
from paberki.coding.coding_store import CodingStore
from paberki.coding.shares import half_width, shares

__all__ = [
    "GENRE",
    "Coding",
    "CodingFile",
    "CodingStore",
    "Scheme",
    "Variable",
    "agree",
    "half_width",
    "kappa",
    "load_scheme",
    "read_coding",
    "shares",
    "write_coding",
]
