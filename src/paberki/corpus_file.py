"""Files named in settings. They are looked for beside the recipe, and their content counts as part of the settings."""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from paberki.errors import ConfigError

CATEGORY: Final = "="
"""Separates an optional category from the file: ``spam=lists/spam.txt``."""


class CorpusFile(str):
    """The name of a file in a setting, as written in the recipe, so that keys do not depend on where the corpus lies."""

    folder: Path | None = None
    """Directory of the recipe; None for settings that do not come from one."""

    @classmethod
    def beside(cls, name: str, folder: Path | None) -> CorpusFile:
        """A file named by a recipe in this directory."""
        file = cls(name)
        file.folder = folder
        return file

    @property
    def path(self) -> Path:
        """Where the file is."""
        return path_of(self, self.folder)

    def missing(self) -> str:
        """What is wrong with the file; empty when it can be read."""
        if not self:
            return ""
        try:
            with open(self.path, "rb") as file:
                file.read(1)
        except OSError as error:
            return f"{self.path}: cannot be read ({error.strerror}); files of a recipe are looked for beside it"
        return ""

    def digest(self) -> str:
        """Digest of its content; empty where no file is named."""
        return content_digest(self.path) if self else ""


NO_FILE: Final = CorpusFile()


class CommandWord(CorpusFile):
    """One word of a command: a program, an argument, or a file beside the recipe."""

    @property
    def path(self) -> Path:
        """The file that the word names: beside the recipe, else a program on the search path; or the bare word."""
        beside = path_of(self, self.folder)
        return beside if beside.is_file() else Path(shutil.which(self) or self)

    def argument(self) -> str:
        """The word as it is handed to the system: a file beside the recipe by its path, all else as written."""
        beside = path_of(self, self.folder)
        return str(beside) if self.folder is not None and beside.is_file() else str(self)

    def missing(self) -> str:
        """Arguments need not be files."""
        return ""

    def digest(self) -> str:
        """Digest of the file that the word names; empty for other words."""
        return content_digest(self.path) if self.path.is_file() else ""


def path_of(name: str, folder: Path | None = None) -> Path:
    """Path of a named file, relative to a directory and without its category."""
    if isinstance(name, CorpusFile) and folder is None:
        folder = name.folder
    path = Path(name.rpartition(CATEGORY)[2].strip()).expanduser()
    return folder / path if folder is not None else path


def place_of(name: str) -> str:
    """The same as text, as a key for caches; empty where no file is named."""
    return str(path_of(name)) if name else ""


def shipped(name: str) -> Path:
    """A file of this package, named from its top: ``extraction/learned.npz``."""
    return Path(str(files("paberki"))) / name


def files_of(config: Any, prefix: str = "") -> Iterator[tuple[str, CorpusFile]]:
    """Every file that a configuration names, with the setting that names it."""
    if isinstance(config, CorpusFile):
        yield prefix, config
    elif isinstance(config, tuple):
        for one in config:
            yield from files_of(one, prefix)
    elif dataclasses.is_dataclass(config) and not isinstance(config, type):
        for field in dataclasses.fields(config):
            yield from files_of(getattr(config, field.name), f"{prefix}.{field.name}" if prefix else field.name)


def content_digest(path: Path) -> str:
    """Digest of what a file holds; read again when its size or time has changed."""
    try:
        about = path.stat()
        return _digest(path, about.st_mtime_ns, about.st_size)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error


@lru_cache(maxsize=256)
def _digest(path: Path, mtime_ns: int, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
