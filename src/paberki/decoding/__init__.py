"""Bytes of a page -> text, with the evidence for the encoding that was chosen.

Order of evidence: byte order mark; escape sequences and the pattern of UTF-16; bytes that are valid UTF-8 whatever the
page says, a few damaged ones included; a model of how bytes follow each other in 30 languages and their encodings, with
the declarations of HTTP header and page as a prior. Labels mean what they mean on the web
(:mod:`paberki.decoding.encoding_labels`), and characters are neither repaired nor normalised.
"""

from __future__ import annotations

from paberki.decoding.decoded import Decoded, Evidence
from paberki.decoding.encoding_labels import decode_as, resolve
from paberki.decoding.page_decoding import decode

__all__ = ["Decoded", "Evidence", "decode", "decode_as", "resolve"]
