"""Which verbs there are, and what each is for; nothing is imported to find out.

The summary and the example of a verb are those of its docstring, read from the source: ``paberki --help`` answers before
the libraries of any verb are loaded.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

__all__ = [
    "GROUPS",
    "VerbSummary",
    "is_read_in_pages",
    "makes_tables",
    "module_of",
    "names",
    "runs_no_stage",
    "summary_of",
]

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "make": ("new", "seeds", "import", "crawl", "build", "index", "rebuild"),
    "look": ("status", "plan", "peek", "explain", "page", "report", "compare", "code", "replicate", "sql", "tune"),
    "search": ("query", "search", "wordlist", "ngrams", "keywords", "sketch", "similar", "trend", "serve"),
    "take away": ("export", "release", "card", "takedown"),
    "learn": ("train", "eval", "plugin"),
    "texts without a corpus": ("decode", "extract", "identify", "annotate", "reduce"),
    "machine": ("demo", "doctor", "stages", "settings", "columns", "completion"),
}
"""Verbs by what somebody wants to do. A verb is the module of this package with its name."""
_OWN_WORDS: Final = frozenset({"import"})
"""Verbs that Python has taken; the module has an underscore behind its name."""
_HELP: Final = re.compile(r'(?:^def run\(.*?\) -> None:\n {4}|help=)("""|")(.*?)\1', re.DOTALL | re.MULTILINE)
"""The docstring of a verb, or the help of a group of verbs, whichever comes first in the module."""


class VerbSummary(NamedTuple):
    """A verb in the overview."""

    name: str
    summary: str
    example: str


def names() -> tuple[str, ...]:
    """All verbs, in the order of the overview."""
    return tuple(verb for verbs in GROUPS.values() for verb in verbs)


def runs_no_stage(verb: str) -> bool:
    """Whether a verb only reads: it runs no code of other packages."""
    return verb in (*GROUPS["look"], *GROUPS["search"], "export")


def is_read_in_pages(verb: str = "--help") -> bool:
    """Whether the answer of a verb is something to read that may be longer than a screen."""
    return verb in ("-h", "--help", "peek", "explain", "page", "plan", "compare", "stages", "settings", "columns")


def makes_tables(verb: str) -> bool:
    """Whether a verb always makes tables of Arrow, so that its library may be imported at once."""
    return verb in ("build", "index", "demo", "rebuild", "export", "release")


def module_of(verb: str) -> str:
    """The module that holds a verb."""
    return f"paberki.cli.{verb}_" if verb in _OWN_WORDS else f"paberki.cli.{verb}"


def summary_of(verb: str) -> VerbSummary:
    """First sentence and first example of a verb's docstring."""
    path = Path(__file__).with_name(module_of(verb).rpartition(".")[2] + ".py")
    source = path.read_text("utf-8")
    match = _HELP.search(source, _start(source))
    text = match[2] if match else ""
    first = " ".join(text.partition("\n\n")[0].split())
    example = next((line.strip() for line in text.splitlines() if line.strip().startswith("paberki ")), "")
    return VerbSummary(verb, first, example)


def _start(source: str) -> int:
    """Where the verb, or the group of verbs, is defined: options before it have helps of their own."""
    return max(source.find("\ndef run("), source.find("\napp = typer"), 0)
