"""The facts about one page, section by section, as values that go into JSON as they are."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, Final

import pyarrow as pa

from paberki.report.one_page.row import Row
from paberki.store.built_layers import Layout
from paberki.store.columns import Column

SOURCES: Final = {
    "bom": "byte order mark",
    "http": "HTTP header",
    "meta": "meta element",
    "valid": "the bytes are valid in it",
    "model": "model of languages",
    "detector": "detector",
}
"""Evidence for an encoding, in words."""
BEGINNING = 100
"""Characters shown of each block."""
PROVENANCE: Final = ("archive", "captures")
"""Layers that say where a page comes from."""
_TOLD_ELSEWHERE: Final = frozenset(
    (
        *PROVENANCE,
        "decode",
        "extract",
        "identify",
        "sites",
        "annotate",
        "select",
        "dedup",
        "near",
        "documents",
        "repeats",
    )
)
"""Layers with a section of their own; all other layers are shown as scores."""
_BADNESS: Final = ("badness", "connected", "badness_profile")


def plain(value: Any) -> Any:
    """Dates as text, single-precision numbers without their tail."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds") + "Z"
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return value


def page_facts(row: Row, layout: Layout, others: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """Where the page comes from."""
    names = [column.name for column in layout.columns.values() if column.layer in PROVENANCE]
    facts = {name: plain(row[name]) for name in names if name in row.values}
    if not row.is_taken_down:
        facts["title"] = row["title"]
    facts["other_captures"] = [{name: plain(value) for name, value in one.items()} for one in others]
    return facts


def encoding_facts(row: Row) -> dict[str, Any]:
    """How the bytes were read."""
    return {
        "encoding": row["encoding"],
        "replaced_count": row["replaced_count"],
        "evidence": row["decode_evidence"] or [],
    }


def extraction_facts(row: Row, method: str) -> dict[str, Any]:
    """The blocks of the page: what each is, and whether it is in the text."""
    blocks = row["blocks"] or []
    keep = row["block_keep"] or [None] * len(blocks)
    why = row["block_reason"] or [None] * len(blocks)
    langs = row["block_lang"] or [None] * len(blocks)
    block_facts = []
    for number, (block, stays, reason, lang) in enumerate(zip(blocks, keep, why, langs, strict=True)):
        block_facts.append(
            {
                "number": number,
                "kept": block["kept"] if stays is None else stays,
                "label": block["label"],
                "score": plain(block["score"]),
                "start": block["start"],
                "end": block["end"],
                "path": block["path"],
                "extraction_reason": block["reason"],
                "reason": reason,
                "lang": lang,
                "chars": block["chars"],
                "text": None if row.is_taken_down else beginning(block["text"] or ""),
            }
        )
    return {
        "method": method,
        "fallback": row["extract_fallback"],
        "block_count": len(blocks),
        "kept_block_count": sum(bool(one["kept"]) for one in block_facts),
        "char_count": row["char_count"],
        "selected_char_count": row["selected_char_count"],
        "selected_word_count": row["selected_word_count"],
        "blocks": block_facts,
    }


def beginning(text: str, length: int = BEGINNING) -> str:
    """The first characters of a text on one line."""
    line = " ".join(text[: length * 4].split())
    return line if len(line) <= length and len(text) <= length * 4 else f"{line[:length].rstrip()}…"


def language_facts(row: Row) -> dict[str, Any]:
    """Language and script."""
    blocks_by_language = Counter(lang or "unknown" for lang in row["block_lang"] or [])
    return {
        "lang": row["lang"],
        "lang_p": plain(row["lang_p"]),
        "declared_language": row["declared_language"],
        "langdistr": row["langdistr"],
        "lang_probs": {one["lang"]: plain(one["share"]) for one in row["lang_probs"] or []},
        "lang_shares": {one["lang"]: plain(one["share"]) for one in row["lang_shares"] or []},
        "site_lang": row["site_lang"],
        "script": row["script"],
        "cyrillic_perc": plain(row["cyrillic_perc"]),
        "block_langs": dict(blocks_by_language.most_common()),
    }


def score_facts(row: Row, layout: Layout, limit: float | None) -> dict[str, Any]:
    """Badness against its limit (P5 §3.3), and what every other stage found, stages of the user's included."""
    more = {
        column.name: {"value": plain(row[column.name]), "meaning": column.meaning}
        for column in layout.columns.values()
        if column.layer not in _TOLD_ELSEWHERE and column.name not in _BADNESS and _is_score(column)
        and row[column.name] is not None and not (row.is_taken_down and column.holds_content)
    }  # fmt: skip
    return {"badness": plain(row["badness"]), "limit": limit, "connected": row["connected"], "more": more}


def _is_score(column: Column) -> bool:
    """One value for the page, or a list of words."""
    items = column.type.value_type if pa.types.is_list(column.type) else column.type
    return column.level == "page" and not pa.types.is_nested(items) and not pa.types.is_binary(items)


def annotation_facts(row: Row) -> dict[str, Any]:
    """What annotation made of the page."""
    return {name: row[name] for name in ("annotated", "token_count", "sentence_count", "oov_count")}
