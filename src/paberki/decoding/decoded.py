"""What decoding gives: text, the encoding it was read in, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from paberki.decoding.encoding_labels import SINGLE_BYTE, decode_as
from paberki.decoding.invalid_characters import count_invalid


class Evidence(NamedTuple):
    """One reason for an encoding: where it comes from (bom, http, meta, valid, model) and what it says."""

    source: str
    encoding: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a page. ``evidence`` is in the order it was looked at; the last piece decided."""

    text: str
    encoding: str
    evidence: tuple[Evidence, ...]
    replaced_count: int
    """Byte sequences that could not be decoded and became U+FFFD."""

    @property
    def invalid_count(self) -> int:
        """Other characters that do not belong in text: U+FFFD in the page itself, control characters, noncharacters."""
        return max(0, count_invalid(self.text) - self.replaced_count)


def read_as(data: bytes, codec: str, evidence: list[Evidence]) -> Decoded:
    """Decode a page whose encoding is settled."""
    text = decode_as(data, codec)
    replaced_count = text.count("\ufffd")
    if replaced_count and codec not in SINGLE_BYTE and codec.startswith("utf"):
        replaced_count -= min(replaced_count, data.count("\ufffd".encode(codec)))  # what the page itself holds
    return Decoded(text, codec, tuple(evidence), replaced_count)
