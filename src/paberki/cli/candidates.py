"""What can stand at the end of a command line that is being typed; the scripts of ``paberki completion`` ask.

Nothing is imported that is not needed: an answer must come while somebody waits for the tab key. Names of stages are
read from the sources of the modules that declare them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from paberki.cli.verbs import names

__all__ = ["candidates"]

_STAGE: Final = re.compile(r'_stage\(\s*"([\w.]+\.v\d+)"')
_CORPUS_FILES: Final = ("corpus.toml", "index.json")
_SHELLS: Final = ("bash", "zsh", "fish")


def candidates(words: list[str]) -> list[str]:
    """Values for the last word, which may be empty, behind the words before it. None where files are meant."""
    *before, last = words or [""]
    if not before:
        return _starting(last, names())
    if before[0] not in names():
        return []
    command, place = _inner(before)
    inner = getattr(command, "commands", None)
    if inner is not None:
        return _starting(last, inner)
    if last.startswith("-"):
        return _starting(
            last, [name for one in command.params for name in (*one.opts, *one.secondary_opts) if name[0] == "-"]
        )
    return _starting(last, _values(before, _parameter(command, place), place))


def _starting(text: str, values: Iterable[str]) -> list[str]:
    return sorted(value for value in values if value.startswith(text))


def _inner(before: list[str]) -> tuple[Any, list[str]]:
    """The command that the words name, and the words behind it."""
    import typer

    from paberki.cli.app import app_of

    command: Any = typer.main.get_command(app_of(before[0]))
    rest = list(before)
    while rest and rest[0] in (inner := getattr(command, "commands", {})):
        command = inner[rest.pop(0)]
    return command, rest


def _parameter(command: Any, words: list[str]) -> Any:
    """The option whose value comes next, else the argument that does."""
    options = {name: one for one in command.params for name in one.opts if name[0] == "-" and not one.is_flag}
    if words and words[-1] in options:
        return options[words[-1]]
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    typed_arguments = [
        word for at, word in enumerate(words) if word[:1] != "-" and (at == 0 or words[at - 1] not in options)
    ]
    return arguments[min(len(typed_arguments), len(arguments) - 1)] if arguments else None


def _values(words: list[str], parameter: Any, rest: list[str]) -> Iterable[str]:
    kind = "" if parameter is None else str(parameter.metavar or parameter.name).strip("[]").upper()
    name = "" if parameter is None else parameter.name
    if kind == "DIR" or name == "directory":
        return _corpora()
    if name in ("stage", "until") or kind == "STAGE":
        return _stages()
    if name == "form" or kind in ("FORMAT", "FORM"):
        from paberki.export.format_list import FORMATS

        return FORMATS
    if name == "shell":
        return _SHELLS
    corpus = next((Path(word) for word in rest if (Path(word) / "corpus.toml").is_file()), None)
    if corpus and name == "reason":
        return _reasons(corpus)
    return _columns() if name in ("score", "columns", "dist", "column") else ()


def _corpora() -> list[str]:
    """Corpora and indexes in this directory and one below."""
    return [
        str(path.parent) for name in _CORPUS_FILES for depth in ("*", "*/*") for path in Path().glob(f"{depth}/{name}")
    ]


def _stages() -> list[str]:
    package = Path(__file__).parents[1]
    modules = ("archive", "decoding", "extraction", "identification", "quality", "dedup", "annotation", "store")
    texts = (path.read_text("utf-8") for name in modules for path in (package / name).rglob("*.py"))
    return sorted({stage for text in texts for stage in _STAGE.findall(text)})


def _columns() -> list[str]:
    from paberki.store.columns import BUILTIN

    return [column.name for column in BUILTIN]


def _reasons(corpus: Path) -> list[str]:
    import pyarrow.parquet as pq

    files = sorted((corpus / "layers" / "select").glob("*.parquet"))[:20]
    chunks = [chunk for path in files for chunk in pq.ParquetFile(path).read(["reason"]).column("reason").chunks]
    return sorted({reason for chunk in chunks for reason in chunk.unique().to_pylist() if reason})
