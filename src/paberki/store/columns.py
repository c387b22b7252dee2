"""The schema: every column of every layer, its level, type, unit, meaning and the paper it comes from.

This is the only list of columns. SQL views, exports, masking, help and documentation are derived from it. Column names
are unique over the whole corpus, so that all layers together read as one wide table; only ``error`` occurs in every
layer. Columns of third-party stages are declared with the stage and look the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa

Level = Literal["page", "block", "sentence", "token"]
"""What one value of a column describes. Columns of the other three levels hold a list for each page: one item for each
block of ``extract.blocks``, for each sentence or for each token."""

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
PASSAGE = pa.struct(
    [
        ("block", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("words", pa.int32()),
        ("of", pa.string()),
    ]
)
"""Characters of a block from start to end, how many words they are, and the id of the page that has them too."""
CONTAMINATION = pa.struct(
    [
        ("block", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("words", pa.int32()),
        ("of", pa.string()),
        ("text", pa.string()),
    ]
)
"""The same for a test set: its name and, after a colon, the number of the item; with the words themselves."""

BREAKPOINT = pa.struct([("view", pa.int32()), ("text", pa.int32())])
"""From this character of a view on, characters correspond one to one to those of the text from there on; two at one place
of the view frame what was left out (:mod:`paberki.extraction.repair.breakpoints`)."""


@dataclass(frozen=True, slots=True)
class BlockField:
    """One field of ``extract.blocks``."""

    name: str
    type: pa.DataType
    meaning: str
    unit: str = ""


BLOCK_FIELDS: tuple[BlockField, ...] = (
    BlockField("text", pa.string(), "text of the block, repaired where something was broken"),
    BlockField("start", pa.int64(), "where the block begins in the payload", "bytes"),
    BlockField("end", pa.int64(), "where the block ends in the payload", "bytes"),
    BlockField("path", WORD, "elements around the block, with ids and classes"),
    BlockField("label", WORD, "what the block is: text, heading, list, comment, boilerplate, …"),
    BlockField("score", pa.float32(), "how sure the extractor is that the block is text"),
    BlockField("kept", pa.bool_(), "the extractor takes the block for text"),
    BlockField("reason", WORD, "why the extractor decided so"),
    BlockField("chars", pa.int32(), "length of the text", "characters"),
    BlockField("words", pa.int32(), "white-space separated words of the text"),
    BlockField("link_share", pa.float32(), "share of the characters that belong to links"),
    BlockField("source", pa.string(), "what the page has in place of the text; null where the two are equal"),
    BlockField(
        "breakpoints", pa.list_(BREAKPOINT), "from characters of the text to those of its source; null without one"
    ),
)
"""What a block is. The extractor fills each field by its name, see :mod:`paberki.extraction.block_columns`."""
BLOCK = pa.struct([(field.name, field.type) for field in BLOCK_FIELDS])

ANNOTATION = pa.struct(
    [
        ("scheme", WORD),
        *((layer, pa.list_(WORD)) for layer in ("upos", "xpos", "feats", "lemma")),
        ("head", pa.list_(pa.int32())),
        *((layer, pa.list_(WORD)) for layer in ("deprel", "ner")),
    ]
)
"""What one tagger says about the tokens of a page; a layer that it does not have is empty."""
RESTORED = pa.struct([("text", pa.string()), ("breakpoints", pa.list_(BREAKPOINT))])
LICENCE = pa.struct(
    [
        ("name", pa.string()),
        ("url", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("confidence", pa.float32()),
    ]
)
IMPORTED_PAGE = "text/x-paberki-page"
"""Media type of pages that were imported with their annotation."""
PAIR = pa.struct([("name", pa.string()), ("value", pa.string())])
PERSONAL = pa.struct([("block", pa.int32()), ("start", pa.int32()), ("end", pa.int32()), ("type", pa.string())])
"""Characters ``start`` to ``end`` of the text of a block."""


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
    wsf: str = ""
    """Name in Web Standard Format (P4 §2.1) where it has another one there."""
    level: Level = "page"
    """What one value describes."""
    exported: bool = True
    """Exports write the column unless they are told otherwise."""
    verdict: bool = False
    """The column tells why a page was left out: exports write it where they write such pages."""
    personal: bool = False
    """The column can hold text, addresses or names in which personal data may stand; exports can mask them."""

    @property
    def holds_content(self) -> bool:
        """The column says what is on a page: hidden for pages that were taken down."""
        return self.personal or self.level != "page"

    @property
    def output_name(self) -> str:
        """The verbatim name: that of the paper, or the column's own."""
        return self.attribute or self.name

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names that queries know the column by."""
        return tuple(name for name in (self.attribute, self.wsf) if name)

    @property
    def full(self) -> str:
        """Name that stages use in ``needs``: layer and column."""
        return f"{self.layer}.{self.name}"


_Row = tuple[str, pa.DataType, str] | tuple[str, pa.DataType, str, dict[str, Any]]


def _columns(layer: str, *rows: _Row) -> list[Column]:
    """Columns of one layer; a fourth item of a row holds what differs from the rest."""
    return [
        Column(row[0], layer, row[1], row[2], **{"exported": False, **(row[3] if len(row) > 3 else {})}) for row in rows
    ]


_GOPHER = {"source": "Rae et al. 2021"}
_C4 = {"source": "Raffel et al. 2020"}
_FINEWEB = {"source": "Penedo et al. 2024"}

BUILTIN: tuple[Column, ...] = (
    *_columns(
        "archive",
        ("id", pa.string(), "page id: nine digits, shard × 10,000 + row", {"source": "P4 §2.1", "exported": True}),
        ("key", pa.string(), "stable key: hash of URL, capture time and payload digest", {"exported": True}),
        ("url", pa.string(), "address of the page", {"exported": True, "personal": True}),
        ("host", pa.string(), "host name in the URL, without port", {"exported": True}),
        (
            "domain",
            pa.string(),
            "registered domain of the host by the public suffix list",
            {"source": "P3 §3", "exported": True},
        ),
        ("date", TIME, "time of capture; null when the record has none", {"attribute": "crawl_date", "exported": True}),
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
        ("fingerprint", pa.string(), "hash of 128 bytes evenly spread over the payload", {"source": "P5 §3.4"}),
        ("truncated", pa.bool_(), "the payload was cut by the crawler or damaged in the archive"),
        ("source_id", pa.string(), "id in the file that the page was imported from; exports write it"),
        (
            "attributes",
            pa.list_(PAIR),
            "attributes that this file gives the page; exports write them in place of computed ones",
            {"personal": True},
        ),
        (
            "block_attributes",
            pa.list_(pa.list_(PAIR)),
            "attributes that it gives each paragraph",
            {"level": "block", "personal": True},
        ),
    ),
    *_columns(
        "captures",
        ("capture", pa.int32(), "which capture of this URL, 1 = first; null for failed requests"),
        ("latest", pa.bool_(), "no later successful capture of this URL exists; null for failed requests"),
        ("last_seen", TIME, "when the page was last seen unchanged, revisit records included"),
    ),
    *_columns(
        "decode",
        ("encoding", pa.string(), "encoding the page was read in", {"wsf": "OriginalEncoding", "exported": True}),
        ("replaced_count", pa.int32(), "undecodable byte sequences that became U+FFFD"),
        (
            "invalid_count",
            pa.int32(),
            "characters that no text has: U+FFFD in the page itself, controls, noncharacters; scripts do not count",
            {"source": "P1 §2.3, P2 §3"},
        ),
        ("decode_evidence", EVIDENCE, "what BOM, HTTP, meta, validation and model said; the last decided"),
    ),
    *_columns(
        "extract",
        ("title", pa.string(), "title of the page", {"source": "P4 §2.1", "exported": True, "personal": True}),
        ("title_span", SPAN, "where the title stands in the payload", {"unit": "bytes", "source": "P4 §2.1"}),
        ("keywords", pa.string(), "meta keywords", {"source": "P4 §2.1", "personal": True}),
        ("keywords_span", SPAN, "where the keywords stand in the payload", {"unit": "bytes", "source": "P4 §2.1"}),
        ("description", pa.string(), "meta description", {"source": "P4 §2.1", "personal": True}),
        (
            "description_span",
            SPAN,
            "where the description stands in the payload",
            {"unit": "bytes", "source": "P4 §2.1"},
        ),
        ("declared_language", pa.string(), "language the page declares"),
        ("links", pa.list_(LINK), "out-links with anchor text and byte span", {"source": "P4 §2.1", "personal": True}),
        ("blocks", pa.list_(BLOCK), "every block of text with its byte span, label and reason", {"personal": True}),
        ("char_count", pa.int32(), "characters in all blocks", {"source": "P5 §4.1"}),
        ("kept_char_count", pa.int32(), "characters in the blocks that the extractor kept"),
        ("page_type", WORD, "article, forum, product, listing, documentation or other; null where nobody told"),
        (
            "comment_post",
            pa.list_(pa.int32()),
            "number of the post that a comment of a reader belongs to, from 1 on; null for other blocks",
            {"attribute": "post", "exported": True, "level": "block"},
        ),
        ("extract_fallback", WORD, "how the text was found where the usual way gave next to none; null elsewhere"),
    ),
    *_columns(
        "identify",
        ("lang", pa.string(), "language of the kept text, ISO 639-1", {"source": "P3 §5", "exported": True}),
        ("lang_p", pa.float32(), "probability of that language", {"exported": True}),
        ("script", pa.string(), "main script of the kept text, ISO 15924", {"exported": True}),
        ("cyrillic_num", pa.int32(), "Cyrillic letters in the kept text", {"source": "P3 §3", "exported": True}),
        ("cyrillic_perc", pa.float32(), "Cyrillic letters per hundred letters", {"source": "P3 §3", "exported": True}),
        (
            "block_lang",
            pa.list_(pa.string()),
            "language of each kept block, null where it is too short to tell",
            {"attribute": "lang", "exported": True, "level": "block"},
        ),
        ("block_lang_p", pa.list_(pa.float32()), "probability of that language", {"level": "block"}),
        (
            "langdistr",
            pa.string(),
            "log-probability of each language ÷ |sum of these|, likeliest first; sums to −1, and is no probability",
            {"source": "P3 §5", "exported": True},
        ),
        ("lang_probs", pa.list_(SHARE), "calibrated probability of each language the page may be in, likeliest first"),
        ("lang_shares", pa.list_(SHARE), "share of the kept characters that each language has, by blocks"),
        ("hiragana_share", pa.float32(), "hiragana among the letters of the kept text"),
        ("katakana_share", pa.float32(), "katakana among the letters of the kept text"),
        ("kanji_share", pa.float32(), "Chinese characters among the letters of the kept text"),
        ("particle_share", pa.float32(), "が を に は の で among the letters of the kept text", {"source": "P4 §3.2"}),
        ("japanese", pa.bool_(), "particle_share is above 0.5 %", {"source": "P4 §3.2"}),
        (
            "japanese_sentence_share",
            pa.float32(),
            "share of sentences with at least 60 % kana, kanji and punctuation, on pages with kana",
            {"source": "WWW2sf"},
        ),
    ),
    *_columns(
        "close",
        (
            "close_lang",
            pa.string(),
            "language of the page, close ones decided with site and declaration; und where nobody can tell",
            {"source": "P3 §5", "exported": True},
        ),
        ("close_p", pa.float32(), "probability of the likeliest of the close languages; null for pages in others"),
    ),
    *_columns(
        "sites",
        (
            "site_lang",
            pa.string(),
            "language of the page, close ones decided for the whole site",
            {"source": "P3 §5", "exported": True},
        ),
        ("site_pages", pa.int32(), "pages of the site in close languages; null for pages in others"),
    ),
    *_columns(
        "quality",
        (
            "badness",
            pa.float32(),
            "shortfall of frequent function words",
            {"source": "P5 §3.3, eq. 1–3", "exported": True},
        ),
        (
            "connected",
            pa.bool_(),
            "the page is connected text: badness is at or below the limit, or nothing speaks against it",
            {"source": "P5 §3.3"},
        ),
        ("badness_profile", WORD, "language of the profile that the badness is against", {"source": "P5 §3.3"}),
        ("badness_other", WORD, "language whose common words explain the text better, if there is one"),
        ("function_types", pa.int32(), "different function words of the language in the text", {"source": "P5 §3.3"}),
        ("function_tokens", pa.int32(), "function words of the language in the text", {"source": "P5 §3.3"}),
        (
            "function_share",
            pa.float32(),
            "function words relative to what text of the language has: 1 is usual, 0 none",
        ),
        ("word_order", pa.float32(), "standard deviations by which words are in better order than shuffled ones"),
        ("disconnection", WORD, "why the page is not connected text; null for text"),
    ),
    *_columns(
        "rules",
        ("gopher_word_count", pa.int32(), "words that are more than signs", _GOPHER),
        ("gopher_mean_word_length", pa.float32(), "mean length of words", {**_GOPHER, "unit": "characters"}),
        ("gopher_hash_ratio", pa.float32(), "hash signs per word", _GOPHER),
        ("gopher_ellipsis_ratio", pa.float32(), "ellipses per word", _GOPHER),
        ("gopher_bullet_line_share", pa.float32(), "share of lines that start with a bullet", _GOPHER),
        ("gopher_ellipsis_line_share", pa.float32(), "share of lines that end with an ellipsis", _GOPHER),
        ("gopher_alpha_word_share", pa.float32(), "share of words with a letter", _GOPHER),
        ("gopher_stop_word_count", pa.int32(), "different stop words of the language in the text", _GOPHER),
        ("gopher_dup_para_share", pa.float32(), "share of paragraphs seen before in the text", _GOPHER),
        ("gopher_dup_para_char_share", pa.float32(), "share of characters in such paragraphs", _GOPHER),
        ("gopher_dup_line_share", pa.float32(), "share of lines seen before in the text", _GOPHER),
        ("gopher_dup_line_char_share", pa.float32(), "share of characters in such lines", _GOPHER),
        *(
            (f"gopher_top_{n}gram_share", pa.float32(), f"share of characters in the top run of {n} words", _GOPHER)
            for n in range(2, 5)
        ),
        *(
            (f"gopher_dup_{n}gram_share", pa.float32(), f"share of characters in repeated runs of {n} words", _GOPHER)
            for n in range(5, 11)
        ),
        ("c4_line_count", pa.int32(), "lines that C4 would keep", _C4),
        ("c4_sentence_count", pa.int32(), "sentences in the lines that C4 would keep", _C4),
        ("c4_lorem_ipsum_count", pa.int32(), "such lines with lorem ipsum", _C4),
        ("c4_bracket_line_count", pa.int32(), "such lines with a curly bracket", _C4),
        ("c4_javascript_line_count", pa.int32(), "lines dropped because they speak of javascript", _C4),
        ("c4_policy_line_count", pa.int32(), "lines dropped because they speak of cookies or terms of use", _C4),
        ("mc4_long_line_count", pa.int32(), "lines with at least 200 characters", {"source": "Xue et al. 2021"}),
        ("fineweb_terminal_line_share", pa.float32(), "share of lines that end as sentences do", _FINEWEB),
        ("fineweb_short_line_share", pa.float32(), "share of lines with at most 30 characters", _FINEWEB),
        ("fineweb_dup_char_share", pa.float32(), "share of characters in lines seen before", _FINEWEB),
        ("fineweb_newline_ratio", pa.float32(), "line ends per word", _FINEWEB),
        ("punctuation_share", pa.float32(), "punctuation and symbols among characters", {"source": "P1 §2.3"}),
        ("letter_share", pa.float32(), "letters and marks among all characters", {"source": "Abadji et al. 2022"}),
        (
            "annotations",
            pa.list_(pa.string()),
            "tiny, short_sentences, header, footer, noisy: short lines everywhere, above, below; few letters",
            {"source": "Abadji et al. 2022"},
        ),
    ),
    *_columns(
        "graphs",
        (
            "ngram3",
            pa.float32(),
            "mean log-probability of 100 characters by the corpus's own character trigrams; low: odd text",
            {"source": "P3 §6", "attribute": "3graph", "exported": True},
        ),
        (
            "ngram12",
            pa.float32(),
            "the same by 12-grams; measures redundancy rather than quality: high where the corpus repeats itself",
            {"source": "P3 §6", "attribute": "12graph", "exported": True},
        ),
        (
            "perplexity",
            pa.float32(),
            "perplexity per character under the corpus's own trigrams",
            {"unit": "characters"},
        ),
        (
            "diacr_perc",
            pa.float32(),
            "characters with a diacritic per hundred that are not space",
            {"source": "P3 §6", "exported": True},
        ),
    ),
    *_columns(
        "percentiles",
        (
            "ngram3_rank",
            pa.float32(),
            "surviving pages of the corpus with an equal or lower ngram3 per hundred",
            {"source": "P3 §6", "attribute": "3graph_cumul", "exported": True},
        ),
        (
            "ngram12_rank",
            pa.float32(),
            "surviving pages with an equal or lower ngram12 per hundred; a rank of redundancy rather than quality",
            {"source": "P3 §6", "attribute": "12graph_cumul", "exported": True},
        ),
        (
            "ngram3_lang_rank",
            pa.float32(),
            "the same for ngram3 within its language",
            {"attribute": "3graph_cumul_lang", "exported": True},
        ),
        (
            "ngram12_lang_rank",
            pa.float32(),
            "the same for ngram12 within its language",
            {"attribute": "12graph_cumul_lang", "exported": True},
        ),
        ("outliers", pa.list_(pa.string()), "measures beyond what is usual for the language in this corpus"),
        ("outlier_count", pa.int32(), "number of such measures"),
    ),
    *_columns(
        "linear",
        ("linear_label", WORD, "label that the model file gives the page", {"exported": True}),
        ("linear_score", pa.float32(), "probability of the wanted label, or of the one given", {"exported": True}),
        ("kenlm_perplexity", pa.float32(), "perplexity per word under the KenLM file", {"unit": "words"}),
    ),
    *_columns(
        "restored",
        (
            "restored",
            pa.list_(RESTORED),
            "kept blocks of bare pages with diacritics restored, or without the words that lack them; null where nothing changes",
            {"source": "P2 §5", "level": "block", "personal": True},
        ),
        ("restored_count", pa.int32(), "words that were given diacritics, or dropped", {"source": "P2 §5"}),
    ),
    *_columns(
        "script_view",
        (
            "script_view",
            pa.list_(RESTORED),
            "kept blocks in the other script, null where nothing changes",
            {"source": "P3 §3", "level": "block", "personal": True},
        ),
    ),
    *_columns(
        "rights",
        ("signals", pa.list_(pa.string()), "what the page says about its use: source:name=value"),
        ("opted_out", pa.bool_(), "one of these statements speaks against keeping the page"),
        ("licences", pa.list_(LICENCE), "licences that the page names, with place in the payload and confidence"),
        ("open_licence", WORD, "the licence named with most confidence, if it is an open one", {"exported": True}),
    ),
    *_columns(
        "robots",
        ("robots_allowed", pa.bool_(), "the host's archived robots.txt allows the page; null without one"),
        ("robots_signals", pa.list_(pa.string()), "preferences about use that it states for the page"),
    ),
    *_columns(
        "personal",
        ("personal", pa.list_(PERSONAL), "personal data in kept blocks: block, span in its text, type"),
        ("personal_count", pa.int32(), "number of such spans"),
    ),
    *_columns(
        "marks",
        ("listed", pa.list_(pa.string()), "categories of the user's block lists that the page falls under"),
        ("translated_by", WORD, "machine translation that the page shows signs of"),
        ("spam_marks", pa.int32(), "signs of spam: stuffed keywords, hidden text, link farms"),
    ),
    *_columns(
        "dedup",
        (
            "dup_exact",
            pa.string(),
            "key of the first page with the same payload; null when unique",
            {"source": "P1 §2.1", "exported": True},
        ),
        ("dup_exact_count", pa.int32(), "number of pages with the same payload", {"exported": True}),
    ),
    *_columns(
        "metadata",
        ("published", pa.date32(), "day of publication, as the page says"),
        ("modified", pa.date32(), "day of the last change, as the page says"),
        ("date_source", WORD, "where the date was found: json-ld, meta, microdata, url, time, text or body"),
        ("server_date", pa.date32(), "day of the HTTP header Last-Modified", {"source": "texrex"}),
        ("author", pa.string(), "author of the page, several divided by semicolons", {"personal": True}),
        ("site", pa.string(), "name of the site"),
        ("licence", pa.string(), "licence of the page: an address or its words", {"personal": True}),
        ("categories", pa.list_(pa.string()), "sections of the site that the page is in"),
        ("tags", pa.list_(pa.string()), "keywords, tags of articles included", {"personal": True}),
        ("doctype", pa.string(), "document type of the page", {"source": "texrex"}),
        ("canonical", pa.string(), "address that the page gives as its own", {"personal": True}),
        ("base", pa.string(), "address that relative links start from, where the page sets one", {"personal": True}),
        ("location", pa.string(), "address that HTTP redirects to", {"personal": True}),
    ),
    *_columns(
        "external",
        ("external", pa.string(), "what an external command made of the page", {"source": "P5 §3", "personal": True}),
    ),
    *_columns(
        "decisions",
        (
            "block_decision",
            pa.list_(pa.string()),
            "label that another method would give each block",
            {"source": "P5 §3.2, footnote 3", "level": "block"},
        ),
        (
            "block_decision_score",
            pa.list_(pa.float32()),
            "score that it would give each block",
            {"source": "P5 §3.2, footnote 3", "level": "block"},
        ),
    ),
    *_columns(
        "echoes",
        (
            "block_repeat_of",
            pa.list_(pa.int32()),
            "number of the first block of the page with the same text; null for blocks that repeat none",
            {"source": "texrex", "level": "block"},
        ),
    ),
    *_columns(
        "links",
        ("address", pa.string(), "address of the page, redirects and canonical links followed", {"personal": True}),
        (
            "targets",
            pa.list_(pa.string()),
            "where each out-link leads in the end; null where it is no web address",
            {"personal": True},
        ),
    ),
    *_columns(
        "inlinks",
        (
            "inlinks",
            pa.list_(INLINK),
            "anchors that lead to the page, with the page they are on",
            {"source": "P4 §2.1", "personal": True},
        ),
        ("inlink_count", pa.int32(), "number of links to the page", {"source": "P4 §2.1"}),
    ),
    *_columns(
        "signatures",
        ("shingle_count", pa.int32(), "number of different runs of five words in the kept text", {"source": "P5 §3.4"}),
        ("text_digest", pa.binary(), "digest of the words of the kept text; null when it has none"),
        ("signature", pa.binary(), "smallest values of hash functions over these runs", {"source": "P5 §3.4"}),
        ("few_shingles", pa.list_(pa.uint64()), "the hashed runs themselves, where there are few"),
    ),
    *_columns(
        "near",
        (
            "dup_cluster",
            pa.string(),
            "key of the first page of its cluster of near-duplicates; null when it has none",
            {"exported": True},
        ),
        ("dup_size", pa.int32(), "number of pages in the cluster", {"exported": True}),
        (
            "dup_similarity",
            pa.float32(),
            "share of the runs of five words that it has in common with the page most like it",
            {"source": "P5 §3.4", "exported": True},
        ),
        (
            "dup_longer",
            pa.list_(pa.string()),
            "keys of the longer pages that it resembles, the longest first",
            {"source": "P5 §3.4"},
        ),
        ("dup_elsewhere", pa.string(), "key of the page of another corpus that is most like it"),
        (
            "dup_corpus",
            pa.string(),
            "name of that corpus; null when its copies, if any, are in this one",
            {"verdict": True},
        ),
    ),
    *_columns(
        "furniture",
        (
            "furniture",
            pa.list_(pa.int8()),
            "1 for kept blocks that stand on many pages of the host: notices, buttons, menus",
            {"level": "block"},
        ),
    ),
    *_columns(
        "copies",
        (
            "copy_of",
            pa.string(),
            "key of the copy that stays in its place, decided before select",
            {"source": "P5 §3.4"},
        ),
        ("copy_taken_down", pa.bool_(), "that copy was taken down, and this one with it"),
    ),
    *_columns(
        "listed",
        ("in_list", pa.bool_(), "the page is in the list that the corpus was rebuilt from"),
        ("block_in_list", pa.list_(pa.bool_()), "the block is in that list", {"level": "block"}),
    ),
    *_columns(
        "documents",
        (
            "dup_share",
            pa.float32(),
            "share of its words in runs of words that stand on earlier pages",
            {"source": "P3 §3"},
        ),
    ),
    *_columns(
        "repeats",
        (
            "repeated",
            pa.list_(pa.int8()),
            "1 for blocks whose text stands earlier on a page of the same domain",
            {"source": "P1 §2.2", "level": "block"},
        ),
        (
            "repeats_of",
            pa.list_(pa.string()),
            "where: id of the page and number of the block",
            {"source": "P1 §2.2", "level": "block"},
        ),
    ),
    *_columns(
        "paragraphs",
        (
            "neardupe",
            pa.list_(pa.int8()),
            "1 for blocks that mostly repeat kept blocks of earlier pages, 0 for the other kept blocks",
            {"source": "P3 §3", "exported": True, "level": "block"},
        ),
        (
            "neardupe_of",
            pa.list_(pa.string()),
            "the block that most of it repeats: id of the page and number of the block",
            {"level": "block"},
        ),
    ),
    *_columns(
        "passages",
        ("passages", pa.list_(PASSAGE), "long runs of words that stand on an earlier page too"),
        ("passage_share", pa.float32(), "share of the words of the page in such passages"),
    ),
    *_columns(
        "contamination",
        ("contaminated", pa.list_(CONTAMINATION), "passages that stand in a given test set"),
        ("contaminated_share", pa.float32(), "share of the words of the page in such passages"),
    ),
    *_columns(
        "annotate",
        ("annotated", WORD, "language whose model annotated the page; null where it was not annotated"),
        (
            "schemes",
            pa.list_(WORD),
            "names of the taggers; what the first says is in tok_…, what the others say in other_annotations",
            {"source": "P4 §2.1"},
        ),
        ("token_count", pa.int32(), "tokens of the annotated blocks", {"source": "P3 Table 1"}),
        ("sentence_count", pa.int32(), "sentences of the annotated blocks"),
        ("oov_count", pa.int32(), "tokens that no lexicon knows", {"source": "P2 Fig. 3"}),
        ("sent_block", pa.list_(pa.int32()), "number of the block that each sentence is in", {"level": "sentence"}),
        ("sent_length", pa.list_(pa.int32()), "tokens of each sentence", {"level": "sentence"}),
        (
            "tok_start",
            pa.list_(pa.int32()),
            "where each token begins in the text of its block",
            {"unit": "characters", "level": "token"},
        ),
        (
            "tok_end",
            pa.list_(pa.int32()),
            "where each token ends in the text of its block",
            {"unit": "characters", "level": "token"},
        ),
        (
            "tok_byte_start",
            pa.list_(pa.int64()),
            "where each token begins in the payload",
            {"unit": "bytes", "source": "P4 §2.1", "level": "token"},
        ),
        (
            "tok_byte_end",
            pa.list_(pa.int64()),
            "where each token ends in the payload",
            {"unit": "bytes", "level": "token"},
        ),
        ("tok_upos", pa.list_(WORD), "universal part of speech of each token", {"level": "token"}),
        (
            "tok_xpos",
            pa.list_(WORD),
            "MULTEXT-East or treebank tag of each token",
            {"source": "P1 §2.3, P3 §4", "level": "token"},
        ),
        ("tok_feats", pa.list_(WORD), "universal features of each token", {"level": "token"}),
        (
            "tok_lemma",
            pa.list_(WORD),
            "lemma of each token",
            {"source": "P1 §2.3, P3 §4", "personal": True, "level": "token"},
        ),
        (
            "tok_head",
            pa.list_(pa.int32()),
            "head of each token within its sentence, from 1; 0 is the root",
            {"level": "token"},
        ),
        ("tok_deprel", pa.list_(WORD), "relation of each token to its head", {"source": "P3 §4", "level": "token"}),
        ("tok_ner", pa.list_(WORD), "part of a name: B-per, I-per, O", {"source": "P2 §4", "level": "token"}),
        (
            "tok_frame",
            pa.list_(WORD),
            "valency frame of each token, null where none fits",
            {"source": "P2 §4", "level": "token"},
        ),
        ("tok_oov", pa.list_(pa.bool_()), "no lexicon knows the token", {"source": "P2 Fig. 3", "level": "token"}),
        ("tok_deps", pa.list_(WORD), "enhanced dependencies of each token in the imported file", {"level": "token"}),
        (
            "tok_misc",
            pa.list_(WORD),
            "what else the imported file says of each token, as in the last column of CoNLL-U",
            {"level": "token", "personal": True},
        ),
        (
            "sent_comments",
            pa.list_(pa.string()),
            "comments of each sentence in the imported file",
            {"level": "sentence", "personal": True},
        ),
        (
            "sent_nodes",
            pa.list_(pa.string()),
            "multiword tokens and empty nodes of each sentence in the imported file, as lines of CoNLL-U",
            {"level": "sentence", "personal": True},
        ),
        (
            "other_annotations",
            pa.list_(ANNOTATION),
            "what further taggers say about the same tokens, one item for each of them",
            {"source": "P4 §2.1", "personal": True},
        ),
    ),
    *_columns(
        "select",
        ("keep", pa.bool_(), "the page is in the corpus", {"verdict": True}),
        (
            "reason",
            pa.string(),
            "why it is not; null for kept pages",
            {"source": "P1 Table 1, P5 Table 2", "verdict": True},
        ),
        (
            "dup_of",
            pa.string(),
            "key of the copy that stays, for pages left out as copies; of a page elsewhere where dup_corpus says so",
            {"verdict": True},
        ),
        ("block_keep", pa.list_(pa.bool_()), "which blocks are in the text of the page", {"level": "block"}),
        ("block_reason", pa.list_(pa.string()), "why a block is not; null for kept blocks", {"level": "block"}),
        ("selected_char_count", pa.int32(), "characters in the selected blocks", {"exported": True}),
        ("selected_word_count", pa.int32(), "white-space separated words in the selected blocks", {"exported": True}),
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
