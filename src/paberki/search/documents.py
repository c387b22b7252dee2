"""Documents of a shard for the engine, row group by row group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa

from paberki.search.asking.relation_terms import RelationTerms, relation_terms
from paberki.search.document_tokens import (
    DocumentTexts,
    Flags,
    SearchTokens,
    annotated_tokens,
    chosen_blocks,
    document_texts,
    lines_words,
    words_of,
)
from paberki.search.engine import EngineDocument, Kind
from paberki.search.page_fields import LABEL_SIGN, engine_values, word_field
from paberki.search.stored_page import packed_spans, page_bytes
from paberki.store import layer
from paberki.store.batch import field_of_blocks
from paberki.store.blocks import lengths_of
from paberki.store.columns import Column
from paberki.store.directory import Directory

_ANNOTATED: Final = (
    "sent_block", "sent_length", "tok_start", "tok_end", "tok_lemma", "tok_head", "tok_deprel",
)  # fmt: skip
_ABOUT: Final = ("id", "key", "url", "host", "date", "title", "lang", "keep", "reason", "payload_bytes", "warc_length")
_CLUSTERS: Final = ("dup_cluster", "dup_exact")
_ANCHORS: Final = 50
"""Different anchors per page that become words."""
PLAIN_LABEL: Final = "text"


@dataclass(slots=True)
class ShardReader:
    """The columns of one shard."""

    directory: Directory
    number: int
    columns: Mapping[str, Column]
    """Columns that are there, by name."""
    kinds: Mapping[str, Kind]
    languages: frozenset[str]
    """Languages of the corpus."""
    tombstones: frozenset[str]
    forms: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often a form has a lemma."""

    def documents(self) -> Iterator[list[EngineDocument]]:
        """Documents of each row group."""
        with ExitStack() as stack:
            names = {one.layer for one in self.columns.values()}
            files = {
                name: stack.enter_context(layer.LayerFile(self.directory.layer(name, self.number))) for name in names
            }
            for group in range(files["archive"].groups):
                yield self._group(files, group)

    def _group(self, files: Mapping[str, layer.LayerFile], group: int) -> list[EngineDocument]:
        column_names = dict.fromkeys([*self.kinds, *_ABOUT, *_CLUSTERS, "inlinks", "block_keep", *_ANNOTATED])
        by_layer: dict[str, list[str]] = {}
        for name in column_names:
            if name in self.columns:
                by_layer.setdefault(self.columns[name].layer, []).append(name)
        by_layer["extract"] = [*by_layer.get("extract", []), "blocks.text", "blocks.kept", "blocks.label"]
        arrays: dict[str, pa.Array] = {}
        for name, own in by_layer.items():
            arrays |= files[name].read(group, own)
        return self._documents(arrays)

    def _documents(self, arrays: Mapping[str, pa.Array]) -> list[EngineDocument]:
        texts = arrays["blocks.text"]
        edges = np.concatenate([[0], np.cumsum(lengths_of(texts))]).astype(np.int64)
        block_flags = chosen_blocks(arrays["blocks.kept"], arrays.get("keep"), arrays.get("block_keep"))
        langs = arrays["lang"].to_pylist() if "lang" in arrays else [None] * len(texts)
        annotation_tokens = annotated_tokens(arrays, edges) if "tok_start" in arrays else None
        page_texts = document_texts(texts, block_flags, annotation_tokens, langs, self.languages)
        words = words_of(texts, page_texts.tokens, page_texts.page_edges)
        relations = self._relations(arrays, texts, annotation_tokens, edges, block_flags)
        typed_words = _typed_words(texts, page_texts, arrays["blocks.label"])
        pages = _rows(arrays, [name for name in dict.fromkeys([*self.kinds, *_ABOUT, *_CLUSTERS]) if name in arrays])
        own = [lang if lang in self.languages else "" for lang in langs]
        titles = lines_words([page.get("title") or "" for page in pages], own)
        anchors = lines_words(_anchors(arrays.get("inlinks"), len(texts)), own)
        spans = packed_spans(page_texts.starts, page_texts.ends, page_texts.page_edges)
        documents = []
        for at, page in enumerate(pages):
            if page["key"] not in self.tombstones:
                fields = {"body": words[at], "typed": typed_words[at], "title": titles[at], "anchor": anchors[at]}
                if relations is not None:
                    fields |= {"lemma": relations.lemmas[at], "pairs": relations.pairs[at]}
                documents.append(self._document(page, fields, page_texts.texts[at], spans[at]))
        return documents

    def _relations(
        self,
        arrays: Mapping[str, pa.Array],
        texts: pa.Array,
        annotation_tokens: SearchTokens | None,
        edges: Any,
        block_flags: Flags,
    ) -> RelationTerms | None:
        if (
            annotation_tokens is None
            or "tok_lemma" not in arrays
            or "tok_head" not in arrays
            or not len(annotation_tokens)
        ):
            return None
        page_edges = np.searchsorted(annotation_tokens.blocks, edges)
        forms = words_of(texts, annotation_tokens, page_edges)
        terms = relation_terms(arrays, forms, block_flags[annotation_tokens.blocks], np.diff(page_edges))
        self.forms.update(terms.forms)
        return terms

    def _document(self, page: Mapping[str, Any], fields: Mapping[str, str], text: str, spans: bytes) -> EngineDocument:
        of = "kept" if page.get("keep") or "keep" not in page else "dropped"
        about = {name: page.get(name) for name in _ABOUT}
        about["cluster"] = next((page[name] for name in _CLUSTERS if page.get(name)), None)
        about["date"] = about["date"].isoformat(timespec="seconds") + "Z" if about["date"] else None
        field_words = {word_field(name, of): words for name, words in fields.items() if words}
        return EngineDocument(
            int(page["id"]), page_bytes(about, text, spans), field_words, engine_values(self.kinds, page)
        )


def _rows(arrays: Mapping[str, pa.Array], names: list[str]) -> list[dict[str, Any]]:
    columns = []
    for name in names:
        values = arrays[name]
        try:
            columns.append(values.to_pylist())
        except (OverflowError, ValueError):  # a time outside Python's calendar
            columns.append([_or_none(one) for one in values])
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _or_none(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except (OverflowError, ValueError):
        return None


def _anchors(inlinks: pa.Array | None, count: int) -> list[str]:
    """The different anchors of each page, joined."""
    if inlinks is None:
        return [""] * count
    texts = field_of_blocks(inlinks, "text").to_pylist()
    return [" ".join(list(dict.fromkeys(one for one in own or () if one))[:_ANCHORS]) for own in texts]


def _typed_words(texts: pa.Array, page_texts: DocumentTexts, labels: pa.Array) -> list[str]:
    """Words in blocks that are not plain text, each after the label of its block."""
    flat = labels.flatten()
    flat = flat if pa.types.is_dictionary(flat.type) else flat.dictionary_encode()
    codes = flat.indices.fill_null(-1).to_numpy(zero_copy_only=False)[page_texts.tokens.blocks]
    typed_words: list[list[str]] = [[] for _ in range(len(texts))]
    counts = np.diff(page_texts.page_edges)
    pages = np.repeat(np.arange(len(counts)), counts)
    for code, label in enumerate(flat.dictionary.to_pylist()):
        mask = codes == code
        if label in (None, PLAIN_LABEL) or not mask.any():
            continue
        edges = np.searchsorted(pages[mask], np.arange(len(counts) + 1))
        sign = f"{label}{LABEL_SIGN}"
        for page, words in enumerate(words_of(texts, page_texts.tokens.filter(mask), edges)):
            if words:
                typed_words[page].append(sign + f" {sign}".join(words.split(" ")))
    return [" ".join(parts) for parts in typed_words]
