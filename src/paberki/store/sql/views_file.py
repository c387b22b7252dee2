"""``views.sql``: the corpus for DuckDB without this program.

A build writes it beside the recipe. It has a view for each layer with the ``id`` of every page, ``pages`` with all layers
side by side, and ``texts`` with the text of the blocks that are kept. Paths are relative, so a corpus can be moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from paberki.store.built_layers import Layout
from paberki.store.directory import Directory
from paberki.store.files import write_text
from paberki.store.layer import SHARD, column_names
from paberki.store.sql.quoting import quote_name

__all__ = ["views_sql", "write_views"]

FILE: Final = "views.sql"
_HEAD: Final = """\
-- The corpus for DuckDB. In the directory of the corpus, type: duckdb -init views.sql
--   select host, count(*) from pages where keep group by all order by all;
--   select id, url, text from texts limit 5;
-- Written by paberki build; pages that were taken down have no content in the layers.
"""
_TEXTS: Final = """\
create or replace view texts as
select id, url, host, date, {lang}title,
  array_to_string([pair[1].text for pair in list_zip(blocks, block_keep) if pair[2]], chr(10)) as text
from pages where keep;
"""


def write_views(directory: Directory, layout: Layout) -> None:
    """Write the file for the layers that are there."""
    write_text(directory.root / FILE, views_sql(directory, layout))


def views_sql(directory: Directory, layout: Layout) -> str:
    """The statements."""
    return _HEAD + "\n".join(_statements(directory, layout))


def _statements(directory: Directory, layout: Layout) -> Iterator[str]:
    layers = [name for name in layout.layers if directory.layer(name, 0).is_file()]
    for name in layers:
        own = "id, " if name == "archive" else ""
        yield (
            f"create or replace view {quote_name(f'layer_{name}')} as\n"
            f"select printf('%09d', {SHARD} * parse_filename(filename, true)::int + file_row_number) as id,\n"
            f"  * exclude ({own}filename, file_row_number)\n"
            f"from read_parquet('layers/{name}/[0-9]*.parquet', filename = true, file_row_number = true);\n"
        )
    stored_columns = {name: column_names(directory.layer(name, 0)) for name in layers}
    columns = [column for column in layout.columns.values() if column.name in stored_columns.get(column.layer, ())]
    column_list = ",\n  ".join(f"{quote_name(column.layer)}.{quote_name(column.name)}" for column in columns)
    files = "\n  positional join ".join(
        f"read_parquet('layers/{name}/[0-9]*.parquet') as {quote_name(name)}" for name in layers
    )
    yield f"create or replace view pages as\nselect\n  {column_list}\nfrom {files};\n"
    names = {column.name for column in columns}
    if {"blocks", "block_keep", "keep", "title"} <= names:
        yield _TEXTS.format(lang="lang, " if "lang" in names else "")
