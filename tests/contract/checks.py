"""What every stage owes its users, as functions that fail with an assertion: ours and third-party stages alike.

``python checks.py`` prints a digest of what every stage makes of the sample, for comparing processes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import pickle
import random
import re
import tempfile
import types
import typing
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.archive.archive_rows import page_row
from paberki.archive.payload import Payload
from paberki.archive.reading.archived_record import ArchiveRecord, RecordLimits
from paberki.corpus_file import CorpusFile
from paberki.engine.passes.apply_tasks import one_per_page
from paberki.engine.passes.map_tasks import StageRun, run_apply, run_map
from paberki.engine.plan import Plan, Step, make_plan
from paberki.languages import Language
from paberki.model import Model
from paberki.recipe.corpus_recipe import parse
from paberki.recipe.settings import build, plain
from paberki.stage import NAME, Memory, Stage, field_help, find, stages
from paberki.store.batch import Batch
from paberki.store.columns import ERROR, builtin, schema
from paberki.store.portions import Portions

SOURCE = re.compile(r"P[1-5]|RFC|WHATWG|no paper")
CROATIAN = (
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje.",
    "Rekli su da se tu nalazi ono što traže već nekoliko godina, ali nitko im nije vjerovao.",
    "Predsjednik društva je najavio da će se radovi nastaviti i sljedeće godine na istom mjestu.",
    "Knjiga koju je napisala govori o djetinjstvu na otoku i o ljudima koji su otišli.",
    "Ako se ništa ne promijeni, most bi mogao biti gotov prije kraja ljeta.",
)
ENGLISH = (
    "The committee said that it would not be able to finish the work before the end of the year.",
    "There was nobody in the house when they came back from the market with all of the children.",
)
Page = tuple[bytes, str, str]
"""Payload, media type, charset of the HTTP header."""


def html(sentences: Sequence[str], seed: int, paragraphs: int = 5) -> str:
    """A small page with a menu, paragraphs and a footer."""
    pick = random.Random(seed)
    body = "".join(
        f"<p>{' '.join(pick.choices(sentences, k=5))} {pick.randint(1, 10**6)} put.</p>" for _ in range(paragraphs)
    )
    menu = "<ul id=nav><li><a href=/>Početna</a><li><a href='/a?b=1&amp;c=2'>Vijesti</a></ul>"
    return (
        f"<!doctype html><html lang=hr><title>Naslov {seed} &amp; još</title>{menu}<div class=main>{body}</div></html>"
    )


def ordinary_pages() -> list[Page]:
    """Pages as a crawl brings them: articles, copies, other languages and encodings, plain text, binaries, nothing."""
    found: list[Page] = [(html(CROATIAN, seed).encode(), "text/html", "utf-8") for seed in range(12)]
    found += [(html(ENGLISH, seed, 8).encode(), "text/html", "") for seed in range(3)]
    found += [(html(CROATIAN, 30).encode("cp1250"), "text/html", "windows-1250")]
    found += [(html(CROATIAN, 31).encode("iso-8859-2"), "text/html", "")]
    found += [(html(CROATIAN, 32).encode("utf-16"), "text/html", "utf-16")]
    found += [
        (html(CROATIAN, 33).replace("<title>", "<link rel=canonical href=/drugdje><title>").encode(), "text/html", "")
    ]
    found += found[:8]
    found += [("\n\n".join(CROATIAN * 4).encode(), "text/plain", "utf-8")]
    found += [(b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "image/png", ""), (b"", "text/html", "")]
    return found


NESTED = b"<div>" * 20_000 + CROATIAN[0].encode() + b"</div>" * 20_000
ODD_PAGES: dict[str, Page] = {
    "empty": (b"", "text/html", ""),
    "nuls": (bytes(5000), "text/html", "utf-8"),
    "all-bytes": (bytes(range(256)) * 20, "text/html", "windows-1250"),
    "binary-as-html": (random.Random(1).randbytes(60_000), "text/html", "utf-8"),
    "huge": (html(CROATIAN, 1, 5000).encode()[: 2 << 20].ljust(2 << 20, b"x"), "text/html", "utf-8"),
    "one-huge-word": (b"<p>" + b"a" * (1 << 20), "text/html", ""),
    "deep": (NESTED, "text/html", "utf-8"),
    "deep-inline": (b"<b><i>" * 20_000 + b"x", "text/html", "utf-8"),
    "unclosed": (b"<p>a<p>b<table><tr><td>c<p" * 500, "text/html", "utf-8"),
    "open-comment": (b"<p>a</p><!-- " + b"b " * 5000, "text/html", "utf-8"),
    "open-script": (b"<p>a</p><script>" + b"'</p>' " * 5000, "text/html", "utf-8"),
    "wrong-charset": (html(CROATIAN, 2).encode("cp1250"), "text/html", "utf-8"),
    "unknown-charset": (html(CROATIAN, 2).encode(), "text/html", "klingon-8"),
    "surrogates": ("<p>a\ud800b\udfffc</p>".encode("utf-8", "surrogatepass"), "text/html", "utf-8"),
    "noncharacters": ("<p>\ufffe\uffff\U0010ffff\x00\x01\x85\u2028</p>".encode(), "text/html", "utf-8"),
    "entities": (b"<p>" + b"&amp;amp; &#0; &#xD800; &#x110000; &notanentity; &" * 100, "text/html", "utf-8"),
    "no-mime": (html(CROATIAN, 3).encode(), "", ""),
}


def batch_of(pages: Sequence[Page], first: int = 0) -> Batch:
    """A batch with the archive columns of these pages, made by the archive's own code, and their payloads."""
    rows = []
    for number, (payload, mime, charset) in enumerate(pages, first):
        kind = f"Content-Type: {mime}{f'; charset={charset}' if charset else ''}\r\n" if mime else ""
        body = f"HTTP/1.1 200 OK\r\n{kind}\r\n".encode() + payload
        url = f"http://h{number % 3}.hr/{number // 2}"
        headers = {"warc-target-uri": url, "warc-date": f"2020-01-{1 + number % 28:02d}T00:00:00Z"}
        headers["content-type"] = "application/http; msgtype=response"
        row = page_row(ArchiveRecord(number * 10, 10, "response", headers, body), "x.warc", RecordLimits())
        rows.append({"id": f"{number:09d}", **row})
    table = pa.Table.from_pylist(rows, schema(builtin("archive")))
    columns = {f"archive.{name}": table.column(name).combine_chunks() for name in table.column_names}
    pages_ = np.arange(first, first + len(rows), dtype=np.int64)
    return Batch(
        pages_,
        columns,
        values={"payload": [page[0] for page in pages], "responses": [Payload(page[0]) for page in pages]},
    )


def rows_of(batch: Batch, rows: Sequence[int]) -> Batch:
    """Some rows of a batch, in that order."""
    take = pa.array(rows, pa.int64())
    columns = {name: array.take(take) for name, array in batch._columns.items()}
    values = {name: [some[row] for row in rows] for name, some in batch._values.items()}
    return Batch(batch.pages[list(rows)], columns, values=values)


def copy_of(batch: Batch) -> Batch:
    """A batch of its own with the same rows: what is cached in it is not seen in the other."""
    return Batch(batch.pages.copy(), batch._columns, values=batch._values)


def config_of(stage: Stage) -> Any:
    """The settings that the default recipe gives a stage, else its defaults."""
    for one, config in parse('lang = "hr"', "default").stages:
        if one.name == stage.name:
            return config
    return build(stage.config, {"lang": ["hr"]} if "lang" in _fields(stage.config) else {}, str)


def _fields(config: type) -> dict[str, Any]:
    return {field.name: field for field in dataclasses.fields(config)}


def _providers(stage: Stage, there: set[str]) -> list[Stage]:
    """Stages that must come before this one, which the default recipe does not have, in their order."""
    found: list[Stage] = []
    wanted = [need.split(".")[0] for need in stage.needs if "." in need] if not callable(stage.needs) else []
    for layer in (*wanted, *stage.models):
        provider = next((one for one in stages().values() if one.layer == layer), None)
        if provider is not None and layer not in there:
            found += [*_providers(provider, there), provider]
            there |= {one.layer for one in found}
    return found


@lru_cache(maxsize=64)
def plan_with(name: str) -> Plan:
    """The default recipe with this stage in it: in the place of the one that writes the same layer, or near the end."""
    uses = list(parse('lang = "hr"', "default").stages)
    stage = find(name)
    if name not in [one.name for one, _ in uses]:
        at = next((at for at, (one, _) in enumerate(uses) if one.layer == stage.layer), None)
        if at is None:
            for one in (*_providers(stage, {use.layer for use, _ in uses}), stage):
                uses.insert(len(uses) - 1, (one, config_of(one)))
        else:
            there = {use.layer for use, _ in uses}
            uses[at : at + 1] = [(one, config_of(one)) for one in (*_providers(stage, there), stage)]
    return make_plan(uses)


def step_of(name: str) -> Step:
    """The step of a stage in its plan."""
    return next(step for step in plan_with(name).steps if step.stage.name == name)


def prepared(name: str, pages: Sequence[Page]) -> tuple[Batch, list[Model]]:
    """The input of a stage: all stages before it have run over these pages, in the order of the plan."""
    batch, models = batch_of(pages), dict[str, Model]()
    for step in plan_with(name).steps:
        stage = step.stage
        if stage.name == name:
            return batch, [models[one] for one in stage.models]
        if stage.kind == "fit":
            models[stage.layer] = fitted(step, [batch])
            continue
        given = [models[one] for one in stage.models]
        if stage.kind == "map":
            columns, values = run_map(stage, run_of(step), batch, given)
        else:
            columns, values = joined(step, batch), {}
        full = {f"{stage.layer}.{column}": array for column, array in columns.items()}
        batch.add({**full, f"{stage.layer}.error": pa.nulls(len(batch), ERROR)}, values)
    raise AssertionError(f"{name} is not in its own plan")


@lru_cache(maxsize=64)
def sample(name: str) -> tuple[Batch, list[Model]]:
    """The input of a stage for the ordinary pages. Do not change it; copy_of gives one that may be used."""
    return prepared(name, ordinary_pages())


def run_of(step: Step) -> StageRun:
    """A step as the engine runs it."""
    return StageRun(step.stage.name, step.config, step.needs, "")


def fitted(step: Step, batches: Sequence[Batch]) -> Model:
    """The model that a fit stage learns from these batches."""
    stage = step.stage
    partials = [stage.fit.observe(batch.view(step.needs), step.config) for batch in batches]
    table = stage.fit.finish(stage.fit.merge(partials, step.config), step.config)
    return Model(hashlib.blake2b(repr(table.to_pydict()).encode(), digest_size=16).hexdigest(), table)


def emitted(step: Step, batch: Batch) -> pa.Table:
    """Rows that a join emits for a batch; a walk, which is a join without resolve, has no groups."""
    join = step.stage.join
    table = join.emit(batch.view(step.needs), step.config)
    assert ("group" in table.column_names) == (join.resolve is not None)
    assert join.resolve is None or table.schema.field("group").type == pa.uint64()
    assert table.schema.field("page").type == pa.int64()
    return table


def decided(step: Step, batch: Batch, *ranges: pa.Table) -> pa.Table:
    """Decisions of a join, from one range of groups or several, in the order of pages."""
    join = step.stage.join

    def read(pages: np.ndarray, columns: Sequence[str] = ()) -> Iterator[Batch]:
        yield rows_of(batch, np.searchsorted(batch.pages, pages).tolist()).view(columns or step.solve_needs)

    tables = [join.resolve(rows, step.config) if join.resolve else rows.sort_by("page") for rows in ranges]
    if join.check:
        tables = in_tables(join.check(in_portions(pa.concat_tables(tables)), read, step.config))
    if join.solve:
        with tempfile.TemporaryDirectory() as folder:
            memory = Memory(Path(folder), (("",),))
            tables = in_tables(join.solve(in_portions(pa.concat_tables(tables)), read, step.config, memory))
        pages = np.concatenate([one.column("page").to_numpy() for one in tables])
        assert (np.diff(pages) > 0).all(), "decisions are not in the order of pages"
    return pa.concat_tables(tables).sort_by("page")


def in_tables(tables: Any) -> list[pa.Table]:
    """What check or solve returned, a table or several of one schema, as a list."""
    tables = [tables] if isinstance(tables, pa.Table) else list(tables)
    assert all(one.schema.equals(tables[0].schema) for one in tables)
    return tables


def in_portions(table: pa.Table) -> Portions:
    """Two portions of whole pages, and one without rows."""
    page = table.column("page").to_numpy()
    first = page < (np.median(page) if len(page) else 0)
    return Portions.of(table.slice(0, 0), table.filter(pa.array(first)), table.filter(pa.array(~first)))


def joined(step: Step, batch: Batch) -> dict[str, pa.Array]:
    """All three steps of a join over one batch."""
    decisions = decided(step, batch, emitted(step, batch))
    return run_apply(step.stage, run_of(step), batch, one_per_page(decisions, batch.pages))


def result(step: Step, batch: Batch, models: Sequence[Model]) -> dict[str, pa.Array]:
    """What a map or join stage makes of a batch, without touching that batch."""
    batch = copy_of(batch)
    if step.stage.kind == "map":
        return run_map(step.stage, run_of(step), batch, models)[0]
    return joined(step, batch)


def values_of(columns: dict[str, pa.Array]) -> dict[str, list[Any]]:
    """Columns as plain values, for comparing."""
    return {name: array.to_pylist() for name, array in columns.items()}


# ---- the declaration ----


def check_declaration(stage: Stage) -> None:
    """Name, docstring, columns, functions."""
    assert NAME.fullmatch(stage.name)
    assert SOURCE.search(stage.doc), f"{stage.name}: the docstring names no source (P1 … P5, RFC, WHATWG or 'no paper')"
    for column in stage.adds:
        assert column.layer == stage.layer
        assert len(column.meaning.split()) >= 2, column.name
    assert stage.functions
    for function in stage.functions:
        assert pickle.loads(pickle.dumps(function)) is function, f"{function} is not importable by its name"


def check_config(stage: Stage) -> None:
    """A frozen, documented dataclass that survives a trip through TOML-like values and through pickle."""
    assert dataclasses.is_dataclass(stage.config)
    assert stage.config.__dataclass_params__.frozen  # type: ignore[attr-defined]
    help_texts = field_help(stage.config)
    hints = typing.get_type_hints(stage.config)
    for name in _fields(stage.config):
        assert help_texts.get(name, "").strip(), f"{stage.name}: the setting {name} has no docstring"
        assert readable(hints[name]), f"{stage.name}: a recipe cannot say {name} ({hints[name]})"
    for config in (build(stage.config, {}, str), config_of(stage)):
        assert pickle.loads(pickle.dumps(config)) == config
        assert build(stage.config, json.loads(json.dumps(plain(config))), str) == config
        hash(config)


def readable(hint: Any) -> bool:
    """Whether a recipe can give a setting of this type."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return len(arguments) == 2 and types.NoneType in arguments and any(readable(one) for one in arguments)
    if origin is typing.Literal:
        return all(isinstance(one, str | int | float | bool) for one in arguments)
    if origin is tuple:
        return len(arguments) == 2 and arguments[1] is Ellipsis and readable(arguments[0])
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        return all(readable(one) for one in hints.values())
    return hint in (str, int, float, bool) or (isinstance(hint, type) and issubclass(hint, CorpusFile | Language))


# ---- map and join ----


def check_result(step: Step, batch: Batch, models: Sequence[Model]) -> dict[str, pa.Array]:
    """Exactly the declared columns, in the declared types, one value for each page."""
    columns = result(step, batch, models)
    assert {name: array.type for name, array in columns.items()} == {one.name: one.type for one in step.stage.adds}
    assert all(len(array) == len(batch) for array in columns.values())
    for array in columns.values():
        array.validate(full=True)
    return columns


def check_repeats(step: Step, batch: Batch, models: Sequence[Model]) -> None:
    """Twice the same input, twice the same output."""
    assert values_of(result(step, batch, models)) == values_of(result(step, batch, models))


def check_leaves_input_alone(step: Step, batch: Batch, models: Sequence[Model]) -> None:
    """The columns, values, settings and models that a stage was handed are as they were."""
    columns = {name: array.to_pylist() for name, array in batch._columns.items()}
    values = pickle.dumps({name: list(some) for name, some in batch._values.items()})
    tables = [model.table.to_pylist() for model in models]
    config, pages = pickle.dumps(step.config), batch.pages.tolist()
    used = copy_of(batch)
    if step.stage.kind == "map":
        run_map(step.stage, run_of(step), used, models)
    else:
        joined(step, used)
    assert {name: used._columns[name].to_pylist() for name in columns} == columns
    assert pickle.dumps({name: list(used._values[name]) for name in batch._values}) == values
    assert [model.table.to_pylist() for model in models] == tables
    assert (pickle.dumps(step.config), used.pages.tolist()) == (config, pages)


def check_rows_are_independent(step: Step, batch: Batch, models: Sequence[Model]) -> None:
    """A batch gives what its rows give one by one, and what they give in another order."""
    whole = values_of(result(step, batch, models))
    single = [values_of(result(step, rows_of(batch, [row]), models)) for row in range(len(batch))]
    for name, values in whole.items():
        assert [one[name][0] for one in single] == values, name
    order = random.Random(7).sample(range(len(batch)), len(batch))
    shuffled = values_of(result(step, rows_of(batch, order), models))
    for name, values in whole.items():
        assert shuffled[name] == [values[row] for row in order], name


def check_empty(step: Step, batch: Batch, models: Sequence[Model]) -> None:
    """A batch without pages gives columns without rows."""
    check_result(step, rows_of(batch, []), models)


# ---- fit ----


def check_fit(step: Step, batch: Batch) -> None:
    """How pages are cut into batches and partials into groups does not matter; the same twice; nothing gives nothing."""
    stage, config = step.stage, step.config
    observe, merge, finish = stage.fit.observe, stage.fit.merge, stage.fit.finish
    cuts = [0, 1, len(batch) // 3, len(batch) // 2, len(batch)]
    pieces = [rows_of(batch, range(low, high)) for low, high in itertools.pairwise(cuts)]
    a, b, c, d = (observe(piece.view(step.needs), config) for piece in pieces)
    whole = observe(copy_of(batch).view(step.needs), config)
    groupings = [
        merge([a, b, c, d], config),
        merge([merge([a, b], config), merge([c, d], config)], config),
        merge([merge([merge([a, b], config), c], config), d], config),
        merge([a, merge([b, merge([c, d], config)], config)], config),
        merge([whole], config),
    ]
    for table in groupings:
        assert table.equals(whole), "merge depends on the grouping, or observe on the batch"
    models = [finish(table, config) for table in (*groupings, whole)]
    assert all(model.equals(models[0]) for model in models)
    assert models[0].num_rows, "the sample teaches nothing, so that nothing was tested"
    for table in (whole, models[0]):
        assert pickle.loads(pickle.dumps(table)).equals(table)
    nothing = observe(rows_of(batch, []).view(step.needs), config)
    assert nothing.schema == whole.schema
    assert merge([nothing, whole], config).equals(whole)
    assert finish(nothing, config).schema == models[0].schema


# ---- join ----


def check_join(step: Step, batch: Batch) -> None:
    """Groups are whole and independent: order of rows, cuts into batches and ranges of groups do not matter."""
    rows = emitted(step, batch)
    halves = [rows_of(batch, range(low, high)) for low, high in ((0, 5), (5, len(batch)))]
    cut = pa.concat_tables([emitted(step, half) for half in halves])
    assert cut.to_pylist() == rows.to_pylist(), "emit depends on the batch"
    assert rows.num_rows > 1, "the sample has no groups, so that nothing was tested"
    decisions = decided(step, batch, rows)
    pages = decisions.column("page").to_pylist()
    assert pages == sorted(set(pages))
    assert set(pages) <= set(batch.pages.tolist())
    for seed in range(3):
        order = random.Random(seed).sample(range(rows.num_rows), rows.num_rows)
        assert decided(step, batch, rows.take(pa.array(order))).to_pylist() == decisions.to_pylist(), (
            "resolve depends on order"
        )
    if step.stage.join.resolve:
        check_groups_are_whole(step, batch, rows, decisions)
    none = decided(step, batch, rows.slice(0, 0))
    assert none.schema == decisions.schema
    columns = run_apply(step.stage, run_of(step), copy_of(batch), one_per_page(none, batch.pages))
    assert all(len(array) == len(batch) for array in columns.values())


def check_groups_are_whole(step: Step, batch: Batch, rows: pa.Table, decisions: pa.Table) -> None:
    """Groups may be resolved in two ranges."""
    middle = pa.scalar(sorted(rows.column("group").to_pylist())[rows.num_rows // 2], pa.uint64())
    low = rows.filter(pc.less(rows.column("group"), middle))
    high = rows.filter(pc.greater_equal(rows.column("group"), middle))
    assert decided(step, batch, low, high).to_pylist() == decisions.to_pylist(), "resolve looks beyond the group"


# ---- other processes ----


def digest(name: str) -> str:
    """Digest of the bytes that a stage makes of the sample."""
    batch, models = sample(name)
    step = step_of(name)
    table = fitted(step, [batch]).table if step.stage.kind == "fit" else pa.table(result(step, batch, models))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks().unify_dictionaries())
    return hashlib.blake2b(sink.getvalue(), digest_size=16).hexdigest()


if __name__ == "__main__":
    print(json.dumps({name: digest(name) for name in stages()}))
