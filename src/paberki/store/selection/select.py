"""Select: the recipe's rules, in order, decide which pages and blocks are in the corpus, and why the others are not.

Block rules come first, because page rules may ask how much text is left. Which of several copies stays is the last
rule, among the pages that survived all others: else a group whose best copy fails another rule would vanish. Exact copies
of a page that was taken down go with it. Stages before select that look at surviving pages only apply the rules
whose columns exist so far (:func:`judge`), after ``copies.v1`` has chosen among copies
(:mod:`paberki.store.selection.copy_choice`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.errors import ConfigError, QueryError
from paberki.languages import Language
from paberki.nearest import nearest
from paberki.stage import Columns, Memory, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.columns import BLOCK, IMPORTED_PAGE, builtin
from paberki.store.directory import TAKEN_DOWN
from paberki.store.group_hashes import hashes
from paberki.store.portions import Portions
from paberki.store.reading import adders_of
from paberki.store.selection.condition import Condition, parse
from paberki.web.scope import HostScope

ERROR_REASON = "error"
OUT_OF_SCOPE = "out-of-scope"
DUPLICATE = "duplicate"
NEAR_DUPLICATE = "near-duplicate"
"""Reason of copies that select itself finds, where an earlier stage has chosen among exact copies."""
COUNTED = ("selected_char_count", "selected_word_count")
"""Counts that block rules give and page rules may use."""
ELSEWHERE = ("dup_elsewhere", "dup_corpus")
"""Columns about copies in other corpora: such a page is left out, since the other corpus has it. They are read when the
layer that they are in decides about copies."""
ALWAYS = ("extract.blocks.chars", "extract.blocks.words", "archive.date", "archive.key", "archive.mime")
DECIDED = ("copy_of", "copy_taken_down")
"""Columns in which a stage before select has chosen among copies."""
_EXACT = ("dup_exact", "sha224")
"""Columns that equal copies have in common; the first one that a recipe has is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A reason and the condition under which a page or block is left out for it."""

    reason: str
    """Name of the reason, as it appears in tables."""
    drop: str
    """Condition; an empty one switches the rule off."""
    or_else: str = ""
    """Condition for recipes of a preset from which stages were taken that the first one needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectConfig:
    """What belongs to the corpus."""

    pages: tuple[Rule, ...] = ()
    """Rules for pages, in order; the first that holds gives the reason."""
    blocks: tuple[Rule, ...] = ()
    """Rules for blocks of text, in order."""
    copies: str = "dup_exact"
    """Column that names groups of copies, of which one stays: the longest, then the earliest; or, like dup_longer, the
    pages that make this one superfluous if they stay themselves; empty = keep all."""
    lang: tuple[Language, ...] = ()
    """Languages of the corpus, as $lang in conditions; rules that mention $lang are left out when there are none."""
    imported: Literal["keep", "judge"] = "keep"
    """Pages of vertical, CoNLL-U, TEI, WSF and Parquet files: keep them all, or judge them by the rules like others."""
    scope: tuple[str, ...] = ()
    """Hosts of the corpus: ``.hr``, ``unizg.hr`` with its subdomains, ``*.blog.hr``; what [crawl] says when not given.
    Web pages of others are labelled ``out-of-scope``; without any, no page is."""


def rules_in_force(rules: Sequence[Rule], config: SelectConfig) -> list[tuple[str, Condition]]:
    """Parsed rules, without those that are switched off and those that use $lang in a recipe without languages."""
    conditions = [(rule.reason, parse(rule.drop)) for rule in rules if rule.drop.strip()]
    return [(reason, condition) for reason, condition in conditions if config.lang or "lang" not in condition.variables]


def needs(config: SelectConfig, columns: Mapping[str, str]) -> Sequence[str]:
    """Columns that the rules mention; unknown ones are errors with the nearest right name."""
    full_names = list(ALWAYS)
    fields = {f"block.{field.name}": f"extract.blocks.{field.name}" for field in BLOCK}
    for rules, names in ((config.blocks, {**columns, **fields}), (config.pages, dict(columns))):
        for reason, condition in rules_in_force(rules, config):
            for name in condition.names:
                if name in COUNTED and rules is config.pages:
                    continue
                if name not in names:
                    choices = (*names, *COUNTED) if rules is config.pages else names
                    hint = f"; {adders}" if (adders := adders_of(name)) else nearest(name, choices)
                    raise ConfigError(f"select rule {reason!r}: there is no column {name!r}{hint}")
                full_names.append(names[name])
    if config.copies and config.copies not in columns:
        raise ConfigError(f"select: copies = {config.copies!r} is not a column{nearest(config.copies, columns)}")
    if config.copies:
        full_names.append(columns[config.copies])
        layer = columns[config.copies].partition(".")[0]
        full_names += [columns[name] for name in ELSEWHERE if columns.get(name, "").partition(".")[0] == layer]
    full_names += [columns[name] for name in DECIDED if name in columns]
    full_names.append(next((columns[name] for name in _EXACT if name in columns), "archive.sha224"))
    if config.scope:
        full_names.append("archive.host")
    full_names += [f"{layer}.error" for layer in dict.fromkeys(full.partition(".")[0] for full in columns.values())]
    return tuple(dict.fromkeys(full_names))


def check_rules(config: SelectConfig, types: Mapping[str, pa.DataType]) -> None:
    """Refuse rules that compare things of different kinds; ``types`` are those of all columns by their short names."""
    counts = dict.fromkeys(COUNTED, pa.int32())
    fields = {f"block.{field.name}": field.type for field in BLOCK}
    for rules, known in ((config.blocks, {**types, **fields}), (config.pages, {**types, **counts})):
        for reason, condition in rules_in_force(rules, config):
            columns = {name: _no_values(known[name], of_blocks=rules is config.blocks) for name in condition.names}
            try:
                condition.evaluate(columns.__getitem__, {"lang": config.lang})
            except QueryError as error:
                raise ConfigError(f"select rule {reason!r}: {error}") from error


def _no_values(kind: pa.DataType, *, of_blocks: bool) -> pa.Array:
    if of_blocks and pa.types.is_list(kind):
        kind = kind.value_type
    return pa.array([], kind.value_type if pa.types.is_dictionary(kind) else kind)


@dataclass(slots=True)
class RuleVerdict:
    """What the rules say about the pages of a batch."""

    reason: pa.Array
    block_reason: pa.ListArray
    chars: Any
    words: Any


def judge(batch: Batch, config: SelectConfig) -> RuleVerdict:
    """Apply all rules but the one about copies."""
    blocks = _Blocks(batch)
    block_reason = _reasons(rules_in_force(config.blocks, config), blocks.column, config, blocks.count)
    exempt = _exempt(batch, config)
    block_reason = pc.if_else(exempt.take(blocks.parents), pa.scalar(None, pa.string()), block_reason)
    stays = block_reason.is_null()
    chars, words = blocks.sums("chars", stays), blocks.sums("words", stays)
    count_columns = {"selected_char_count": pa.array(chars), "selected_word_count": pa.array(words)}

    def column(name: str) -> pa.Array:
        return count_columns[name] if name in count_columns else batch.arrow(batch.full_name(name))

    reason = _reasons(rules_in_force(config.pages, config), column, config, len(batch))
    if config.scope:
        reason = pc.if_else(_outside(batch.arrow("archive.host"), config), OUT_OF_SCOPE, reason)
    reason = pc.if_else(exempt, pa.scalar(None, pa.string()), reason)
    reason = pc.if_else(_failed_pages(batch), ERROR_REASON, reason)
    reason = pc.if_else(pa.array(_tombstone_mask(batch)), TAKEN_DOWN, reason)
    elsewhere = _column(batch, ELSEWHERE[0])
    if elsewhere is not None:
        reason = pc.if_else(pc.and_(pc.and_not(elsewhere.is_valid(), exempt), reason.is_null()), DUPLICATE, reason)
    copies, taken_down = (_column(batch, name) for name in DECIDED)
    if copies is not None and taken_down is not None:
        why = pc.if_else(taken_down.fill_null(False), TAKEN_DOWN, DUPLICATE)
        reason = pc.if_else(pc.and_(pc.and_not(copies.is_valid(), exempt), reason.is_null()), why, reason)
    if batch.held_back:
        held_back = pa.array([row in batch.held_back for row in range(len(batch))])
        reason = pc.if_else(pc.and_(held_back, reason.is_null()), TAKEN_DOWN, reason)
    return RuleVerdict(reason, blocks.as_lists(block_reason), chars, words)


def _exempt(batch: Batch, config: SelectConfig) -> pa.Array:
    """Pages that no rule leaves out: those that were imported with annotation, since their corpus was selected before."""
    if config.imported == "judge":
        return pa.array(np.zeros(len(batch), bool))
    return pc.equal(batch.arrow("archive.mime"), IMPORTED_PAGE).fill_null(False)


def _outside(hosts: pa.Array, config: SelectConfig) -> pa.Array:
    """Which pages are on hosts that are not in scope; pages without a host were imported as files and never are."""
    scope = _scope(config.scope)
    return pa.array([bool(host) and host not in scope for host in hosts.to_pylist()], pa.bool_())


@lru_cache(maxsize=2)
def _scope(patterns: tuple[str, ...]) -> HostScope:
    return HostScope(patterns)


def _column(batch: Batch, short_name: str) -> pa.Array | None:
    """A column that not every recipe has."""
    full = next((name for name in batch.names() if name.partition(".")[2] == short_name), None)
    return batch.arrow(full) if full else None


def _failed_pages(batch: Batch) -> pa.Array:
    failed_pages = pa.array(np.zeros(len(batch), bool))
    for name in batch.names():
        if name.endswith(".error"):
            failed_pages = pc.or_(failed_pages, batch.arrow(name).is_valid())
    return failed_pages


def _reasons(
    rules: Sequence[tuple[str, Condition]], column: Callable[[str], pa.Array], config: SelectConfig, rows: int
) -> pa.Array:
    """For each row the reason of the first rule that holds, null when none does."""
    reasons = pa.nulls(rows, pa.string())
    for reason, condition in reversed(rules):
        holds = condition.evaluate(column, {"lang": config.lang})
        if isinstance(holds, pa.Scalar):
            holds = pa.array([holds.as_py()] * rows, pa.bool_())
        reasons = pc.if_else(holds.fill_null(False), reason, reasons)
    return reasons


class _Blocks:
    """The blocks of all pages of a batch as one long table."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.shape = batch.arrow("extract.blocks.chars")
        self.parents = pc.list_parent_indices(self.shape)
        self.count = len(self.parents)

    def column(self, name: str) -> pa.Array:
        """A field of the blocks, a list column of a later stage, or a column of the page each block is on."""
        if name.startswith("block."):
            return self.batch.arrow(f"extract.blocks.{name.removeprefix('block.')}").flatten()
        values = self.batch.arrow(self.batch.full_name(name))
        return values.flatten() if pa.types.is_list(values.type) else values.take(self.parents)

    def sums(self, field: str, stays: pa.Array) -> Any:
        """Sum of a field over the blocks that stay, for each page."""
        values = self.column(f"block.{field}").to_numpy(zero_copy_only=False) * stays.to_numpy(zero_copy_only=False)
        sums = np.bincount(self.parents.to_numpy(), weights=values, minlength=len(self.batch))
        return sums.astype(np.int32)

    def as_lists(self, values: pa.Array) -> pa.ListArray:
        """One value for each block as lists of the same shape as the blocks; pages without blocks have null."""
        lengths = self.shape.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        offsets = np.r_[0, np.cumsum(lengths)].astype(np.int32)
        mask = self.shape.is_null()
        return pa.ListArray.from_arrays(pa.array(offsets), values, mask=mask)


@join_stage(
    "select.v1",
    layer="select",
    needs=needs,
    adds=builtin("select"),
    config=SelectConfig,
    behaviour="copies of what was taken down",
)
class Select:
    """Evaluate the recipe's rules to ``keep`` and ``reason`` for pages and blocks (P1 Table 1, P5 Table 2).

    Nothing is deleted; changing a threshold re-runs this stage and nothing before it (P3 §6: users set the cuts).
    """

    @staticmethod
    def emit(batch: Batch, config: SelectConfig) -> pa.Table:
        """Survivors that have copies, with what decides between them; and pages that were taken down."""
        verdict = judge(batch, config)
        alive = verdict.reason.is_null()
        groups = batch.arrow(batch.full_name(config.copies)) if config.copies else pa.nulls(len(batch), pa.string())
        if pa.types.is_list(groups.type):
            rows = _asking(batch, verdict, groups, _exempt(batch, config))
        else:
            rows = _candidates(batch, verdict, groups, np.zeros(len(batch), bool))
            rows = rows.filter(pc.and_(alive, pc.and_not(groups.is_valid(), _exempt(batch, config))))
        both = pa.concat_tables([rows, _beside_the_taken_down(batch, verdict)])
        return both.sort_by([(name, "ascending") for name in ("page", "group", "asks")])

    @staticmethod
    def resolve(rows: pa.Table, config: SelectConfig) -> pa.Table:
        """The longest copy stays, then the earliest capture, then the smallest key; the others name it.

        Where pages ask for one by its key, it stays for them if it has survived.
        """
        order = ("group", "asks", "chars", "date", "key", "page")
        rows = rows.sort_by([(name, "ascending") for name in order]).combine_chunks()
        group, asks = rows.column("group").to_numpy(), rows.column("asks").to_numpy()
        first = np.r_[True, group[1:] != group[:-1]] if len(group) else np.zeros(0, bool)
        head = np.maximum.accumulate(np.where(first, np.arange(len(group)), 0)) if len(group) else first.astype(int)
        take = pa.array(head, pa.int64())
        decisions = {name: rows.column(name) for name in ("page", "asks")}
        of_head = (("chars", "chars"), ("dup_of", "key"), ("lives", "lives"))
        decisions |= {name: rows.column(column).take(take) for name, column in of_head}
        loses = ~first & ~asks[head] & rows.column("lives").to_numpy()
        return pa.table(decisions).filter(pa.array(loses))

    @staticmethod
    def solve(portions: Portions, read: Read, config: SelectConfig, memory: Memory) -> Iterator[pa.Table]:
        """One decision for each page: if several pages replace it, one that was taken down, else the longest."""
        order = [(name, "ascending") for name in ("page", "lives", "chars", "dup_of")]
        for rows in portions:
            rows = rows.sort_by(order).combine_chunks()
            page = rows.column("page").to_numpy()
            first = np.r_[True, page[1:] != page[:-1]] if len(page) else np.zeros(0, bool)
            yield rows.select(["page", "dup_of", "lives"]).filter(pa.array(first))

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: SelectConfig) -> Columns:
        """Keep and reason for every page and block."""
        verdict = judge(batch, config)
        dup_of = decisions.column("dup_of").combine_chunks()
        elsewhere = _column(batch, ELSEWHERE[0])
        if elsewhere is not None:
            dup_of = pc.if_else(pc.equal(verdict.reason, DUPLICATE).fill_null(False), elsewhere, dup_of)
        copy_of = _column(batch, DECIDED[0])
        why = pc.if_else(
            decisions.column("lives").combine_chunks().fill_null(True),
            DUPLICATE if copy_of is None else NEAR_DUPLICATE,
            TAKEN_DOWN,
        )
        reason = pc.if_else(pc.and_(dup_of.is_valid(), verdict.reason.is_null()), why, verdict.reason)
        if copy_of is not None:
            dup_of = pc.coalesce(copy_of, dup_of)
        stays = pa.ListArray.from_arrays(
            verdict.block_reason.offsets,
            verdict.block_reason.values.is_null(),
            mask=verdict.block_reason.is_null(),
        )
        return {
            "keep": reason.is_null(),
            "reason": reason,
            "dup_of": dup_of,
            "block_keep": stays,
            "block_reason": verdict.block_reason,
            "selected_char_count": pa.array(verdict.chars, pa.int32()),
            "selected_word_count": pa.array(verdict.words, pa.int32()),
        }


def _candidates(batch: Batch, verdict: RuleVerdict, groups: pa.Array, asks: Any) -> pa.Table:
    return pa.table(
        {
            "group": hashes(groups),
            "page": pa.array(batch.pages, pa.int64()),
            "chars": pa.array(-verdict.chars.astype(np.int64)),
            "date": batch.arrow("archive.date").cast(pa.int64()).fill_null(np.iinfo(np.int64).max),
            "key": batch.arrow("archive.key"),
            "asks": pa.array(asks, pa.bool_()),
            "lives": pa.array(~_tombstone_mask(batch)),
        }
    )


def _tombstone_mask(batch: Batch) -> Any:
    tombstone_mask = np.zeros(len(batch), bool)
    tombstone_mask[list(batch.taken_down)] = True
    return tombstone_mask


def _beside_the_taken_down(batch: Batch, verdict: RuleVerdict) -> pa.Table:
    """Rows by which survivors find an equal copy that was taken down: both are in the group of their digest."""
    digests = next(column for name in _EXACT if (column := _column(batch, name)) is not None)
    tombstone_mask = _tombstone_mask(batch)
    row_mask = pc.and_(digests.is_valid(), pc.or_(verdict.reason.is_null(), pa.array(tombstone_mask)))
    groups = pc.binary_join_element_wise(TAKEN_DOWN, digests, " ")
    return _candidates(batch, verdict, groups, ~tombstone_mask).filter(row_mask)


def _asking(batch: Batch, verdict: RuleVerdict, keys: pa.ListArray, exempt: pa.Array) -> pa.Table:
    """Survivors in the group of their own key, and once more in the group of each key that they name."""
    alive = pc.and_not(verdict.reason.is_null(), exempt)
    mine = _candidates(batch, verdict, batch.arrow("archive.key"), np.zeros(len(batch), bool)).filter(alive)
    parents = pc.list_parent_indices(keys)
    asking = mine.schema.empty_table()
    if len(parents):
        asking = _candidates(batch, verdict, batch.arrow("archive.key"), np.ones(len(batch), bool)).take(parents)
        asking = asking.set_column(0, "group", hashes(keys.flatten())).filter(alive.take(parents))
    return pa.concat_tables([mine, asking])
