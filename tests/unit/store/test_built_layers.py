"""A corpus that has been built is read without its recipe and without the stages that made it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from paberki.corpus import Corpus
from paberki.errors import ConfigError, StoreError
from paberki.store import layer
from paberki.store.built_layers import built_layers
from paberki.store.columns import ERROR, builtin, schema
from paberki.store.directory import Directory, Manifest, Shard
from paberki.store.reading import read_pages


def write(directory: Directory, name: str, shape: pa.Schema, rows: list[dict]) -> None:
    table = pa.Table.from_pylist([{field.name: row.get(field.name) for field in shape} for row in rows], shape)
    layer.write(directory.layer(name, 0), shape, [table], key="", keys="pages")


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Directory]:
    """Three pages, two of them kept, with a layer of a stage that nobody knows."""
    directory = Directory(tmp_path / "corpus")
    urls = ["http://a.hr/", "http://b.hr/", "http://c.hr/"]
    archive = [{"id": f"{row:09d}", "key": f"k{row}", "url": url} for row, url in enumerate(urls)]
    blocks = [{"blocks": [{"text": f"Tekst {row}."}]} for row in range(3)]
    select = [{"keep": row != 1, "block_keep": [True]} for row in range(3)]
    strange = pa.schema([("shouting", pa.string()), ("error", ERROR)])
    write(directory, "archive", schema(builtin("archive")), archive)
    write(directory, "extract", schema(builtin("extract")), blocks)
    write(directory, "select", schema(builtin("select")), select)
    write(directory, "shout", strange, [{"shouting": "loud"}] * 3)
    directory.seal(Manifest(shards=[Shard(3, "pages")]))
    return directory


def test_layers_come_in_the_order_of_the_schema(built: Directory) -> None:
    layers = built_layers(built)
    assert layers.layers == ["archive", "extract", "select", "shout"]
    assert layers.columns["select.keep"] == builtin("select", "keep")[0]
    assert "shout.error" not in layers.columns


def test_columns_that_nobody_knows_may_hold_personal_data(built: Directory) -> None:
    column = built_layers(built).columns["shout.shouting"]
    assert (column.type, column.personal, column.holds_content) == (pa.string(), True, True)


def test_pages_are_read_from_the_files_alone(built: Directory) -> None:
    pages = list(read_pages(built, None, ("url", "text", "shouting")))
    assert [page["url"] for page in pages] == ["http://a.hr/", "http://c.hr/"]
    assert pages[0] == {"url": "http://a.hr/", "text": "Tekst 0.", "shouting": "loud"}


def test_a_corpus_without_a_recipe_opens(built: Directory) -> None:
    corpus = Corpus(built.root)
    assert len(list(corpus.pages("url", kept=False))) == 3
    assert corpus.sql("select count(*) from pages where keep and shouting = 'loud'")[1] == [(2,)]
    with pytest.raises(ConfigError, match="corpus.toml: cannot be read"):
        corpus.plan()


def test_a_stage_that_is_not_installed_does_not_hinder_reading(built: Directory) -> None:
    built.recipe.write_text('lang = "hr"\nstages = ["decode.model.v1", "other.package.v1"]\n')
    assert len(list(Corpus(built.root).pages("url"))) == 2


def test_a_recipe_that_cannot_be_read_is_still_an_error(built: Directory) -> None:
    built.recipe.write_text("lang = [\n")
    with pytest.raises(ConfigError):
        list(Corpus(built.root).pages("url"))


def test_a_directory_without_recipe_and_pages_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a corpus"):
        Directory.open(tmp_path)


def test_content_of_pages_that_were_taken_down_is_hidden(built: Directory) -> None:
    built.root.joinpath("tombstones.jsonl").write_text('{"key": "k0"}\n')
    pages = list(read_pages(built, None, ("key", "shouting"), kept=False))
    assert [page["shouting"] for page in pages] == [None, "loud", "loud"]
