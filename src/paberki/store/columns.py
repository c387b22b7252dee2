"""The schema: every column of every layer, its type, unit, meaning and the paper it comes from.

Documentation, exports and the SQL views are generated from here. Column names are unique over the whole corpus, so
that all layers together read as one wide table; only ``error`` occurs in every layer. Columns of third-party stages
are declared with the stage and look the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

ERROR = pa.struct([("stage", pa.string()), ("code", pa.string()), ("detail", pa.string())])
TIME = pa.timestamp("ms")
"""All times are UTC; without a zone in the type, every reader shows the same. Parquet knows no whole seconds."""
WORD = pa.dictionary(pa.int32(), pa.string())
"""Strings that repeat: stored and held once."""
EVIDENCE = pa.list_(pa.struct([("source", pa.string()), ("encoding", pa.string()), ("detail", pa.string())]))
SPAN = pa.struct([("start", pa.int64()), ("end", pa.int64())])
LINK = pa.struct(
    [("text", pa.string()), ("target", pa.string()), ("rel", pa.string()), ("start", pa.int64()), ("end", pa.int64())]
)
SHARE = pa.struct([("lang", pa.string()), ("share", pa.float32())])
INLINK = pa.struct([("text", pa.string()), ("source", pa.string())])
"""An anchor and the id of the page that it is on."""
BLOCK = pa.struct(
    [
        ("text", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("path", WORD),
        ("label", WORD),
        ("score", pa.float32()),
        ("kept", pa.bool_()),
        ("reason", WORD),
        ("chars", pa.int32()),
        ("words", pa.int32()),
        ("link_share", pa.float32()),
    ]
)
BLOCK_AND_VIEW = pa.struct([*BLOCK, pa.field("normalised", pa.string())])
"""A block whose text may have a repaired view beside it; null where there is nothing to repair. What later stages and
readers ask for as ``blocks.text`` is the view where there is one, see :func:`paberki.store.batch.field_of_blocks`."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: where it lives, what it holds, and what it means."""

    name: str
    layer: str
    type: pa.DataType
    meaning: str
    unit: str = ""
    source: str = ""
    """Paper and section the column comes from."""
    attribute: str = ""
    """Name on output where a paper or format fixed another one."""

    @property
    def full(self) -> str:
        """Name that stages use in ``needs``: layer and column."""
        return f"{self.layer}.{self.name}"


def _columns(
    layer: str, *rows: tuple[str, pa.DataType, str] | tuple[str, pa.DataType, str, dict[str, str]]
) -> list[Column]:
    return [Column(row[0], layer, row[1], row[2], **(row[3] if len(row) > 3 else {})) for row in rows]


BUILTIN: tuple[Column, ...] = (
    *_columns(
        "archive",
        ("id", pa.string(), "page id: nine digits, shard × 10,000 + row", {"source": "P4 §3"}),
        ("key", pa.string(), "stable key: hash of URL, capture time and payload digest"),
        ("url", pa.string(), "address of the page", {"attribute": "Url"}),
        ("host", pa.string(), "host name in the URL, without port"),
        ("domain", pa.string(), "registered domain of the host by the public suffix list", {"source": "P3 §5"}),
        ("date", TIME, "time of capture; null when the record has none", {"attribute": "crawl_date"}),
        ("status", pa.int16(), "HTTP status; null for records that are not HTTP responses"),
        ("mime", pa.string(), "media type without parameters, lower case"),
        ("http_charset", pa.string(), "charset that HTTP declared, as written"),
        ("ip", pa.string(), "address the page came from, where the archive says"),
        ("record_type", pa.string(), "WARC record type"),
        ("warc_file", pa.string(), "name of the archive file in warc/"),
        ("warc_offset", pa.int64(), "where the record starts in that file", {"unit": "bytes"}),
        ("warc_length", pa.int64(), "length of the record in that file", {"unit": "bytes"}),
        ("payload_bytes", pa.int64(), "size of the page after content decoding", {"unit": "bytes"}),
        ("sha224", pa.string(), "SHA-224 of the payload, hexadecimal", {"source": "P1 §2.1"}),
        ("fingerprint", pa.string(), "hash of 128 bytes evenly spread over the payload", {"source": "P5 §3.2"}),
        ("truncated", pa.bool_(), "the payload was cut by the crawler or damaged in the archive"),
    ),
    *_columns(
        "captures",
        ("capture", pa.int32(), "which capture of this URL, 1 = first; null for failed requests"),
        ("latest", pa.bool_(), "no later successful capture of this URL exists; null for failed requests"),
        ("last_seen", TIME, "when the page was last seen unchanged, revisit records included"),
    ),
    *_columns(
        "decode",
        ("encoding", pa.string(), "encoding the page was read in", {"attribute": "OriginalEncoding"}),
        ("replaced_count", pa.int32(), "undecodable byte sequences that became U+FFFD"),
        ("decode_evidence", EVIDENCE, "what BOM, HTTP, meta, validation and model said; the last decided"),
    ),
    *_columns(
        "extract",
        ("title", pa.string(), "title of the page", {"source": "P4 §3"}),
        ("title_span", SPAN, "where the title stands in the payload", {"unit": "bytes", "source": "P4 §3"}),
        ("keywords", pa.string(), "meta keywords", {"source": "P4 §3"}),
        ("description", pa.string(), "meta description", {"source": "P4 §3"}),
        ("declared_language", pa.string(), "language the page declares"),
        ("links", pa.list_(LINK), "out-links with anchor text and byte span", {"source": "P4 §3"}),
        ("blocks", pa.list_(BLOCK_AND_VIEW), "every block of text with its byte span, label and reason"),
        ("char_count", pa.int32(), "characters in all blocks", {"source": "P5 §3.2"}),
        ("kept_char_count", pa.int32(), "characters in the blocks that the extractor kept"),
        ("page_type", WORD, "article, forum, product, listing, documentation or other; null where nobody told"),
    ),
    *_columns(
        "identify",
        ("lang", pa.string(), "language of the kept text, ISO 639-1", {"source": "P3 §4"}),
        ("lang_p", pa.float32(), "probability of that language"),
        ("script", pa.string(), "main script of the kept text, ISO 15924"),
        ("cyrillic_num", pa.int32(), "Cyrillic letters in the kept text", {"source": "P3 §5"}),
        ("cyrillic_perc", pa.float32(), "Cyrillic letters per hundred letters", {"source": "P3 §5"}),
        ("block_lang", pa.list_(pa.string()), "language of each kept block, null where it is too short to tell"),
        ("block_lang_p", pa.list_(pa.float32()), "probability of that language"),
        (
            "langdistr",
            pa.string(),
            "log-probability of each language ÷ |sum of these|, likeliest first; sums to −1, and is no probability",
            {"source": "P3 §5"},
        ),
        ("lang_probs", pa.list_(SHARE), "calibrated probability of each language the page may be in, likeliest first"),
        ("lang_shares", pa.list_(SHARE), "share of the kept characters that each language has, by blocks"),
        ("hiragana_share", pa.float32(), "hiragana among the letters of the kept text"),
        ("katakana_share", pa.float32(), "katakana among the letters of the kept text"),
        ("kanji_share", pa.float32(), "Chinese characters among the letters of the kept text"),
        ("particle_share", pa.float32(), "が を に は の で among the letters of the kept text", {"source": "P4 §2"}),
        ("japanese", pa.bool_(), "particle_share is above 0.5 %", {"source": "P4 §2"}),
    ),
    *_columns(
        "sites",
        ("site_lang", pa.string(), "language of the page, close ones decided for the whole site", {"source": "P3 §4"}),
        ("site_pages", pa.int32(), "pages of the site in close languages; null for pages in others"),
    ),
    *_columns(
        "quality",
        ("badness", pa.float32(), "shortfall of frequent function words", {"source": "P5 §3.3, eq. 1–3"}),
        (
            "connected",
            pa.bool_(),
            "badness is at or below the limit: the page is connected text",
            {"source": "P5 §3.3"},
        ),
    ),
    *_columns(
        "dedup",
        (
            "dup_exact",
            pa.string(),
            "key of the first page with the same payload; null when unique",
            {"source": "P1 §2.1"},
        ),
        ("dup_exact_count", pa.int32(), "number of pages with the same payload"),
    ),
    *_columns(
        "metadata",
        ("published", pa.date32(), "day of publication, as the page says"),
        ("modified", pa.date32(), "day of the last change, as the page says"),
        ("date_source", WORD, "where the date was found: json-ld, meta, microdata, url, time, text or body"),
        ("server_date", pa.date32(), "day of the HTTP header Last-Modified", {"source": "texrex"}),
        ("author", pa.string(), "author of the page, several divided by semicolons"),
        ("site", pa.string(), "name of the site"),
        ("licence", pa.string(), "licence of the page: an address or its words"),
        ("categories", pa.list_(pa.string()), "sections of the site that the page is in"),
        ("tags", pa.list_(pa.string()), "keywords, tags of articles included"),
        ("doctype", pa.string(), "document type of the page", {"source": "texrex"}),
        ("canonical", pa.string(), "address that the page gives as its own"),
        ("base", pa.string(), "address that relative links start from, where the page sets one"),
        ("location", pa.string(), "address that HTTP redirects to"),
    ),
    *_columns(
        "external",
        ("external", pa.string(), "what an external command made of the page", {"source": "P5 §3.1"}),
    ),
    *_columns(
        "decisions",
        (
            "block_decision",
            pa.list_(pa.string()),
            "label that another method would give each block",
            {"source": "P5 §3.2"},
        ),
        ("block_decision_score", pa.list_(pa.float32()), "score that it would give each block", {"source": "P5 §3.2"}),
    ),
    *_columns(
        "links",
        ("address", pa.string(), "address of the page, redirects and canonical links followed"),
        ("targets", pa.list_(pa.string()), "where each out-link leads in the end; null where it is no web address"),
    ),
    *_columns(
        "inlinks",
        ("inlinks", pa.list_(INLINK), "anchors that lead to the page, with the page they are on", {"source": "P4 §3"}),
        ("inlink_count", pa.int32(), "number of links to the page", {"source": "P4 §3"}),
    ),
    *_columns(
        "near",
        ("dup_cluster", pa.string(), "key of the first page of its cluster of near-duplicates; null when it has none"),
        ("dup_size", pa.int32(), "number of pages in the cluster"),
        (
            "dup_similarity",
            pa.float32(),
            "share of the runs of five words that it has in common with the page of the cluster most like it",
            {"source": "P5 §3.5"},
        ),
    ),
    *_columns(
        "select",
        ("keep", pa.bool_(), "the page is in the corpus"),
        ("reason", pa.string(), "why it is not; null for kept pages", {"source": "P1 Table 1, P5 Table 2"}),
        ("dup_of", pa.string(), "key of the copy that stays, for pages left out as copies"),
        ("block_keep", pa.list_(pa.bool_()), "which blocks are in the text of the page"),
        ("block_reason", pa.list_(pa.string()), "why a block is not; null for kept blocks"),
        ("selected_char_count", pa.int32(), "characters in the selected blocks"),
        ("selected_word_count", pa.int32(), "white-space separated words in the selected blocks"),
    ),
)

_BY_FULL = {column.full: column for column in BUILTIN}


def builtin(layer: str, *names: str) -> tuple[Column, ...]:
    """The named columns of one of our own layers, in that order; all of them without names."""
    if not names:
        return tuple(column for column in BUILTIN if column.layer == layer)
    return tuple(_BY_FULL[f"{layer}.{name}"] for name in names)


def schema(columns: tuple[Column, ...]) -> pa.Schema:
    """Arrow schema of a layer: its columns and, last, the error of the stage that wrote it."""
    return pa.schema([(column.name, column.type) for column in columns] + [("error", ERROR)])
