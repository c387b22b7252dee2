"""The codings of a corpus on disk: what the command line and the coding page of the web interface share.

``DIR/codings/TASK/`` holds ``scheme.json``, ``sample.csv`` (what is to be coded) and one coding file per coder. A label
is written by rewriting the coder's file beside and renaming it, under a lock: a sample has hundreds of rows, not
millions. Labels hang on keys and byte spans, so that rebuilding the corpus does not touch them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from paberki.coding.agreement import agree
from paberki.coding.coding_file import Coding, CodingFile, Place, read_coding, write_coding
from paberki.coding.coding_scheme import GENRE, Scheme, scheme_of, spelling
from paberki.coding.shares import shares
from paberki.errors import ConfigError, StoreError
from paberki.nearest import nearest
from paberki.store.directory import Directory
from paberki.store.files import read_json, write_json
from paberki.store.lock import hold

FOLDER: Final = "codings"
_SAMPLE: Final = "sample"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class CodingStore:
    """All coding tasks of a corpus.

    >>> import tempfile
    >>> store = CodingStore(Directory(tempfile.mkdtemp()))
    >>> store.create("genre", [Coding(Place("k1"), "000000001", "https://a.hr/")])
    >>> store.write("genre", "ana", Place("k1"), {"aim": "fiction"})
    >>> store.read("genre", "ana").labels("aim")
    {Place(key='k1', start=None, end=None): 'fiction'}
    """

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        self.folder = directory.root / FOLDER

    def tasks(self) -> list[str]:
        """Names of all tasks."""
        return sorted(path.parent.name for path in self.folder.glob("*/scheme.json"))

    def create(self, task: str, rows: Iterable[Coding], scheme: Scheme = GENRE) -> None:
        """Begin a task with the pages or blocks to code; an existing one is an error, because labels hang on it."""
        folder = self._folder(task)
        if (folder / "scheme.json").exists():
            raise StoreError(f"{folder}: is a coding task already; choose another name")
        sample = list(rows)
        write_coding(folder / f"{_SAMPLE}.csv", sample, scheme, blocks=_are_blocks(sample))
        write_json(folder / "scheme.json", scheme.as_json())

    def include(self, task: str, row: Coding, scheme: Scheme = GENRE) -> None:
        """Have a page or block in a task, so that it can be labelled; a task that does not exist begins with it.

        Samples are drawn before coding; this is for labels that people set while they read.
        """
        folder = self._folder(task)
        with hold(self.directory.lock("codings"), doing="writing codings", wait=True):
            if not (folder / "scheme.json").exists():
                self.create(task, [row], scheme)
                return
            sample = {one.place: one for one in self.sample(task)}
            if row.place not in sample:
                rows = [*sample.values(), row]
                write_coding(folder / f"{_SAMPLE}.csv", rows, self.scheme(task), blocks=_are_blocks(rows))

    def scheme(self, task: str) -> Scheme:
        """The variables of a task and their values."""
        path = self._folder(task) / "scheme.json"
        try:
            return scheme_of(read_json(path), str(path))
        except FileNotFoundError as error:
            raise StoreError(f"there is no coding task {task!r}{nearest(task, self.tasks())}") from error

    def sample(self, task: str) -> list[Coding]:
        """What is to be coded, in the order drawn."""
        return list(self._file(task, _SAMPLE).rows.values())

    def coders(self, task: str) -> list[str]:
        """Who has coded something."""
        return sorted(path.stem for path in self._folder(task).glob("*.csv") if path.stem != _SAMPLE)

    def read(self, task: str, coder: str) -> CodingFile:
        """The codings of one coder; the whole sample without labels before the first."""
        _check_coder(coder)
        return self._file(task, coder if coder in self.coders(task) else _SAMPLE, coder)

    def write(self, task: str, coder: str, place: Place, labels: Mapping[str, str]) -> None:
        """Set the labels of one page or block; an empty value takes a label back, others stay."""
        scheme = self.scheme(task)
        new_labels = {name: _check_value(scheme, name, value) for name, value in labels.items()}
        _check_coder(coder)
        with hold(self.directory.lock("codings"), doing="writing codings", wait=True):
            rows = {**self._file(task, _SAMPLE).rows, **self.read(task, coder).rows}
            if place not in rows:
                raise StoreError(f"{place.key} is not in the sample of the coding task {task!r}")
            all_labels = {**rows[place].labels, **new_labels}
            rows[place] = replace(rows[place], labels={name: value for name, value in all_labels.items() if value})
            blocks = _are_blocks(rows.values())
            write_coding(self._folder(task) / f"{coder}.csv", rows.values(), scheme, blocks=blocks)

    def hide(self, keys: Collection[str]) -> list[Path]:
        """Blank the addresses and texts of pages that were taken down; their labels stay. The files that had some."""
        changed = []
        with hold(self.directory.lock("codings"), doing="writing codings", wait=True):
            for task in self.tasks():
                for path in sorted(self._folder(task).glob("*.csv")):
                    rows = list(read_coding(path, self.scheme(task)).rows.values())
                    hidden = [replace(row, url="", text="") if row.place.key in keys else row for row in rows]
                    if hidden != rows:
                        write_coding(path, hidden, self.scheme(task), blocks=_are_blocks(rows))
                        changed.append(path)
        return changed

    def progress(self, task: str) -> dict[str, int]:
        """How many items each coder has finished: all variables have a value."""
        names = self.scheme(task).names
        files = {coder: self.read(task, coder) for coder in self.coders(task)}
        return {
            coder: sum(all(name in row.labels for name in names) for row in file.rows.values())
            for coder, file in files.items()
        }

    def agreement(self, task: str) -> dict[str, dict[str, Any]]:
        """Agreement and κ so far, per variable; empty as long as there are fewer than two coders."""
        files = [self.read(task, coder) for coder in self.coders(task)]
        return agree(files) if len(files) > 1 else {}

    def shares(self, task: str, coder: str) -> dict[str, list[dict[str, Any]]]:
        """Shares and 90 % intervals so far, of one coder."""
        return shares(self.read(task, coder))

    def _file(self, task: str, name: str, coder: str = "") -> CodingFile:
        path = self._folder(task) / f"{name}.csv"
        return replace(read_coding(path, self.scheme(task)), coder=coder or name)

    def _folder(self, task: str) -> Path:
        if not _NAME.fullmatch(task):
            raise ConfigError(f"{task!r} cannot be the name of a coding task; take letters, digits and hyphens")
        return self.folder / task


def _check_coder(coder: str) -> None:
    if not _NAME.fullmatch(coder) or coder == _SAMPLE:
        raise ConfigError(f"{coder!r} cannot be the name of a coder; take letters, digits and hyphens")


def _check_value(scheme: Scheme, name: str, value: str) -> str:
    """The value as the scheme spells it."""
    if name not in scheme.names:
        raise ConfigError(f"there is no variable {name!r}{nearest(name, scheme.names)}")
    short, values = spelling(value), scheme.variable(name).values
    if short and values and short not in values:
        raise ConfigError(f"{value!r} is not a value of {name}; there are {', '.join(values)}")
    return short


def _are_blocks(rows: Iterable[Coding]) -> bool:
    return any(row.place.start is not None for row in rows)
