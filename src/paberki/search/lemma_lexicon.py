"""Which lemma a word form has most often in this corpus: what people type is a form, terms of relations are lemmas."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from paberki.store.files import replacing

FILE: Final = "lemmas.arrow"
PART: Final = "lemmas-{:05d}.arrow"
_MOST_FORMS: Final = 60


def write_part(path: Path, forms: Counter[tuple[str, str]]) -> None:
    """The counts of one shard."""
    rows = sorted(forms.items())
    table = pa.table(
        {
            "form": pa.array([form for (form, _), _ in rows], pa.string()),
            "lemma": pa.array([lemma for (_, lemma), _ in rows], pa.string()),
            "count": pa.array([count for _, count in rows], pa.int64()),
        }
    )
    _write(path, table)


def join_parts(directory: Path, parts: Sequence[Path]) -> None:
    """The lexicon of all shards."""
    tables = [table for path in parts if (table := _read(path)) is not None]
    if not tables:
        return
    counts = pa.concat_tables(tables).group_by(["form", "lemma"]).aggregate([("count", "sum")])
    by_frequency = counts.sort_by([("form", "ascending"), ("count_sum", "descending"), ("lemma", "ascending")])
    forms = by_frequency.column("form").combine_chunks()
    if len(forms):
        first = pa.concat_arrays([pa.array([True]), pc.not_equal(forms[1:], forms[:-1])])
        by_frequency = by_frequency.filter(first)
    _write(directory / FILE, by_frequency.select(["form", "lemma"]))


class LemmaLexicon:
    """Looks lemmas up; a form that it does not have is its own lemma."""

    def __init__(self, directory: Path) -> None:
        table = _read(directory / FILE)
        self._forms = table.column("form").combine_chunks() if table is not None else pa.array([], pa.string())
        self._lemmas = table.column("lemma").combine_chunks() if table is not None else self._forms

    def __len__(self) -> int:
        return len(self._forms)

    def lemma(self, form: str) -> str:
        """The most frequent lemma of a form."""
        place = bisect_left(range(len(self._forms)), form.encode(), key=lambda at: self._forms[at].as_py().encode())
        if place < len(self._forms) and self._forms[place].as_py() == form:
            return str(self._lemmas[place])
        return form

    def forms(self, lemma: str) -> list[str]:
        """Forms whose most frequent lemma this is."""
        if not len(self):
            return []
        forms: list[str] = self._forms.filter(pc.equal(self._lemmas, lemma)).slice(0, _MOST_FORMS).to_pylist()
        return forms


def _write(path: Path, table: pa.Table) -> None:
    with replacing(path) as beside, pa.OSFile(str(beside), "wb") as sink, pa.ipc.new_file(sink, table.schema) as out:
        out.write_table(table)


def _read(path: Path) -> pa.Table | None:
    if not path.is_file():
        return None
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()
