"""The index of a corpus directory, brought up to date: new shards become new segments, changed ones replace theirs.

A segment holds whole shards, and the manifest says from what each was made. Columns of pages and blocks lie beside it, since
they change more often than tokens. Many small segments are made into one again from the layers.
"""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from paberki.errors import StoreError
from paberki.query.index.manifest import IndexManifest, SegmentEntry
from paberki.query.index.reader import DIRECTORY
from paberki.query.index.segment import Segment
from paberki.query.index.writing.building import (
    COLUMNS_SUFFIX,
    IndexBuilder,
    making,
    manifest_before,
    put_in_force,
    sweep,
)
from paberki.query.index.writing.segment_writer import Schema
from paberki.query.sources.layers import BLOCK_NUMBER, COMMIT, PAGE, SENTENCE_NUMBER, Ints, layer_schema
from paberki.query.sources.page_attributes import LayerPlaces, attribute_names, write_attributes
from paberki.query.sources.selections import carried_over, select_key, selected_blocks, write_selection
from paberki.query.sources.shards import ShardSource, add_shard, has_tokens
from paberki.query.sources.vertical import Account, aliases_of
from paberki.query.statistics.prepared import prepare_lists
from paberki.store import layer
from paberki.store.columns import Column
from paberki.store.directory import Directory, Shard

SMALL_TOKENS: Final = 8_000_000
SMALL_SEGMENTS: Final = 8
"""So many segments with fewer tokens than that are made into one."""
TRIES: Final = 3
"""How often a corpus is read again that changes while it is read."""
_INDEXED: Final = ("archive", "extract")


@dataclass(slots=True)
class Update:
    """What was done."""

    tokens: int = 0
    """Tokens of the index."""
    new_tokens: int = 0
    """Those that were read from the layers."""
    segments: int = 0
    shards: int = 0
    """Shards that were read."""
    waiting_shards: int = 0
    """Shards that the build has not finished yet."""
    changed: bool = False
    documents: int = 0
    """Documents that can be searched, where these were indexed too."""
    selections: list[str] = field(default_factory=list)
    """Keys of what ``kept`` was and is."""


@dataclass(slots=True)
class _State:
    """The corpus as it was when indexing began."""

    directory: Directory
    out: Path
    schema: Schema
    columns: Mapping[str, Column]
    shards: list[Shard]
    keys: dict[str, str]
    """What the tokens of each finished shard are made from."""
    annotated: bool
    plain_languages: frozenset[str]
    """Languages of the corpus whose pages nothing annotates: of these the words alone are indexed."""
    old: IndexManifest | None
    listen: Callable[[Account], None] | None

    @property
    def first_pages(self) -> Ints:
        """Number of the first page of each shard, and of the one after the last."""
        return np.concatenate([[0], np.cumsum([shard.rows for shard in self.shards])]).astype(np.int64)


def index_corpus(
    directory: Directory,
    plan: Any,
    *,
    name: str,
    lang: str | None,
    listen: Callable[[Account], None] | None = None,
    segment_tokens: int | None = None,
) -> Update:
    """Bring the index of a corpus up to date."""
    out = directory.root / DIRECTORY
    with making(out, directory.lock("index")):
        for _ in range(TRIES):
            state = _state(directory, plan, out, lang, listen)
            sweep(out, state.old)
            update = _update(state, name, segment_tokens)
            if update is not None:
                if update.changed:
                    prepare_lists(out)
                return update
    raise StoreError(f"{directory.root}: a build changes the corpus again and again; type the same when it has ended")


def _state(
    directory: Directory, plan: Any, out: Path, lang: str | None, listen: Callable[[Account], None] | None
) -> _State:
    shards = directory.manifest().shards
    if not shards:
        raise StoreError(f"{directory.root}: no pages yet; type: paberki build {directory.root}")
    annotated, plain_languages = _annotation(directory, plan, shards)
    schema = layer_schema(lang, annotated=annotated)
    keys = _token_keys(directory, shards, annotated, plain_languages)
    if not keys:
        raise StoreError(f"{directory.root}: nothing to index yet; type: paberki build {directory.root}")
    old = manifest_before(out)
    if old and (old.attributes != schema.all_attributes or old.lang != lang):
        old = dataclasses.replace(old, segments=())
    columns = {column.name: column for column in plan.columns.values()}
    return _State(directory, out, schema, columns, shards, keys, annotated, plain_languages, old, listen)


def _annotation(directory: Directory, plan: Any, shards: Sequence[Shard]) -> tuple[bool, frozenset[str]]:
    """Whether the corpus is annotated, and its languages without a model; imported pages are annotated in any language."""
    config = next((step.config for step in plan.steps if step.stage.layer == "annotate"), None)
    if config is None:
        return False, frozenset()
    with_model = config.known_languages()
    plain_languages = frozenset() if with_model is None else frozenset(config.corpus_lang) - with_model
    if with_model or with_model is None:
        return True, plain_languages
    files = [directory.layer("annotate", number) for number in range(len(shards))]
    return any(has_tokens(file) for file in files if file.is_file()), plain_languages


def _token_keys(
    directory: Directory, shards: Sequence[Shard], annotated: bool, plain_languages: frozenset[str]
) -> dict[str, str]:
    """For each shard that is finished, what its tokens are made from."""
    layers = (*_INDEXED, "annotate") if annotated else _INDEXED
    keys = {}
    for number, shard in enumerate(shards):
        footers = [layer.footer(directory.layer(name, number)) for name in layers]
        if all((one is not None and one.keys == shard.keys) or (name == "archive" and one)
               for name, one in zip(layers, footers, strict=True)):  # fmt: skip
            facts = [f"{one.key} {one.failed} {one.rows}" for one in footers if one]
            facts += sorted(plain_languages) if annotated else []
            keys[str(number)] = hashlib.blake2b("\n".join(facts).encode(), digest_size=8).hexdigest()
    return keys


def _update(state: _State, name: str, segment_tokens: int | None) -> Update | None:
    """Make what is missing and put it in force; None where the corpus changed meanwhile."""
    old_entries = state.old.segments if state.old else ()
    kept_entries = _kept_entries(state, old_entries)
    covered_shards = {shard for entry in kept_entries for shard in entry.shards}
    missing_shards = sorted((shard for shard in state.keys if shard not in covered_shards), key=int)
    commit = state.old.commit + 1 if state.old else 1
    builder = IndexBuilder(state.out, state.schema)
    builder.segment_tokens = segment_tokens or builder.segment_tokens
    try:
        entries = [
            *kept_entries,
            *_new_entries(state, builder, missing_shards, _commits(state, old_entries, kept_entries), commit),
        ]
        entries.sort(key=lambda entry: min(map(int, entry.shards)))
        shards = state.directory.manifest().shards
        if _token_keys(state.directory, shards, state.annotated, state.plain_languages) != state.keys:
            sweep(state.out, state.old)
            return None
        manifest = _manifest(state, name, entries, builder, commit)
    except BaseException:
        builder.abandon()
        sweep(state.out, manifest_before(state.out))
        raise
    update = Update(
        tokens=sum(entry.tokens for entry in entries),
        new_tokens=sum(entry.tokens for entry in builder.segments),
        segments=len(entries),
        shards=len(missing_shards),
        waiting_shards=len(state.shards) - len(state.keys),
        selections=list(manifest.selections),
    )
    if state.old is None or dataclasses.replace(manifest, commit=state.old.commit) != manifest_before(state.out):
        put_in_force(state.out, manifest)
        update.changed = True
    return update


def _kept_entries(state: _State, entries: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Segments whose shards are as they were; small ones only while there are few."""
    fine = [entry for entry in entries if all(state.keys.get(shard) == key for shard, key in entry.shards.items())]
    fine = [entry for entry in fine if (state.out / entry.file).is_file()]
    small = [entry for entry in fine if entry.tokens < SMALL_TOKENS]
    return [entry for entry in fine if entry not in small] if len(small) >= SMALL_SEGMENTS else fine


def _commits(state: _State, old: Sequence[SegmentEntry], kept_entries: Sequence[SegmentEntry]) -> dict[int, int]:
    """Commit numbers of the pages of segments that go, by the number of the page."""
    commits: dict[int, int] = {}
    for entry in old:
        if entry not in kept_entries and state.old is not None and (state.out / entry.file).is_file():
            pages = _open(state.out, entry, state.old.structures).structure("doc")
            numbers = (pages.attribute(part).whole_numbers.tolist() for part in (PAGE, COMMIT))
            commits.update(zip(*numbers, strict=True))
    return commits


def _open(out: Path, entry: SegmentEntry, structures: Mapping[str, Sequence[str]], number: int = 0) -> Segment:
    columns = out / entry.columns if entry.columns else None
    return Segment(out / entry.file, number, entry.digest, 0, structures, columns)


def _new_entries(
    state: _State, builder: IndexBuilder, missing_shards: Sequence[str], commits: Mapping[int, int], commit: int
) -> list[SegmentEntry]:
    """Segments of these shards, cut where one is full."""
    entries: list[SegmentEntry] = []
    account, shards = Account(), {}
    tombstone_keys = state.directory.tombstones()
    source = ShardSource(state.directory, state.annotated, state.plain_languages, _language_column(state.columns))
    for number, shard in enumerate(missing_shards):
        shards[shard] = state.keys[shard]
        first = int(state.first_pages[int(shard)])
        for tokens, share in add_shard(builder.writer, source, int(shard), first, tombstone_keys, commits, commit):
            account.tokens += tokens
            account.share = (number + share) / len(missing_shards)
            if state.listen:
                state.listen(account)
        if builder.full or number + 1 == len(missing_shards):
            before = len(builder.segments)
            builder.cut()
            if len(builder.segments) > before:
                builder.segments[-1] = dataclasses.replace(builder.segments[-1], shards=shards)
                entries.append(builder.segments[-1])
            shards = {}
    return entries


def _language_column(columns: Mapping[str, Column]) -> tuple[str, str] | None:
    """Layer and name of the column that says in which language a page is."""
    column = columns.get("lang")
    return (column.layer, column.name) if column else None


def _places(state: _State, segment: Segment) -> LayerPlaces:
    pages, blocks = segment.structure("doc"), segment.structure("p")
    numbers = pages.attribute(PAGE).whole_numbers
    shards = np.searchsorted(state.first_pages, numbers, "right") - 1
    rows = numbers - state.first_pages[shards]
    return LayerPlaces(shards, rows, pages.region_of(blocks.starts), blocks.attribute(BLOCK_NUMBER).whole_numbers)


_OWN: Final = {"doc": (PAGE, COMMIT), "p": (BLOCK_NUMBER,), "s": (SENTENCE_NUMBER,), "name": ("type",)}


def _manifest(
    state: _State, name: str, entries: Sequence[SegmentEntry], builder: IndexBuilder, commit: int
) -> IndexManifest:
    """Attributes, selections and segments together."""
    structures: dict[str, tuple[str, ...]] = dict(_OWN)
    complete = []
    for entry in entries:
        segment = _open(state.out, entry, _OWN)
        entry = _with_columns(state, entry, segment)
        complete.append(entry)
    there = _readable(state, [shard for entry in entries for shard in entry.shards])
    structures |= {key: (*_OWN[key], *own) for key, own in attribute_names(there).items()}
    manifest = builder.manifest("corpus", name, aliases_of(state.schema.attributes))
    manifest = dataclasses.replace(manifest, segments=tuple(complete), structures=structures, commit=commit)
    return _with_selections(state, manifest)


def _readable(state: _State, shards: Sequence[str]) -> dict[str, Column]:
    """Columns of layers that are there for all these shards."""
    layers = {column.layer for column in state.columns.values()}
    whole = {}
    for name in layers:
        files = [state.directory.layer(name, int(shard)) for shard in shards]
        if files and all(file.is_file() for file in files):
            whole[name] = layer.column_names(files[0])
    return {key: column for key, column in state.columns.items() if key in whole.get(column.layer, ())}


def _with_columns(state: _State, entry: SegmentEntry, segment: Segment) -> SegmentEntry:
    """The segment with attributes of pages and blocks as the layers have them now."""
    columns = _readable(state, list(entry.shards))
    facts = sorted(f"{column.full} {column.type}" for column in columns.values())
    for name in sorted({column.layer for column in columns.values()}):
        for shard in entry.shards:
            footer = layer.footer(state.directory.layer(name, int(shard)))
            facts.append(f"{name} {shard} {footer.key} {footer.failed}" if footer else f"{name} {shard}")
    key = hashlib.blake2b("\n".join(facts).encode(), digest_size=8).hexdigest()
    if entry.columns_key == key and (state.out / entry.columns).is_file():
        return entry
    path = state.out / f"{secrets.token_hex(6)}{COLUMNS_SUFFIX}"
    write_attributes(path, state.directory, columns, _places(state, segment))
    return dataclasses.replace(entry, columns=path.name, columns_key=key)


def _with_selections(state: _State, manifest: IndexManifest) -> IndexManifest:
    """The manifest with all selections of before and the one of now."""
    segments = [_open(state.out, entry, manifest.structures, at) for at, entry in enumerate(manifest.segments)]
    selections = {}
    if state.old is not None:
        before = [_open(state.out, entry, state.old.structures, at) for at, entry in enumerate(state.old.segments)]
        selections = carried_over(state.out, state.old, before, segments)
    key = select_key(state.directory, sorted({int(shard) for entry in manifest.segments for shard in entry.shards}))
    if key is None or "select" not in {column.layer for column in state.columns.values()}:
        current = state.old.selection if state.old else ""
        return dataclasses.replace(manifest, selections=selections, selection=current if current in selections else "")
    if key not in selections:
        bits = {one.file: selected_blocks(state.directory, _places(state, one)) for one in segments}
        selections[key] = write_selection(state.out, key, bits, segments)
    return dataclasses.replace(manifest, selections=selections, selection=key)
