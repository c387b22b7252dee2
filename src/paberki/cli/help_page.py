"""Help as plain text: the overview of all verbs, and the page of one. No library formats it, so it comes at once.

Examples are never wrapped, flags have no type, values are named by words.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from paberki.cli import verbs

__all__ = ["SHARED", "argument_name", "meaning_of", "option_name", "overview", "page"]

_HEAD: Final = "From a national web to a clean, annotated, searchable, documented text corpus."
SHARED: Final = (
    ("--json", "Print JSON: one object, or one for each line where rows are many; errors too."),
    ("-q, --quiet", "Print nothing but errors."),
    ("-v, --verbose", "Say on standard error what is being done; -vv says more."),
    ("--log-file FILE", "Write the same to a file."),
)
"""Options of every verb."""
_WORDS: Final = {int: "NUMBER", float: "NUMBER", Path: "PATH", str: "TEXT"}
_TYPES: Final = {
    "int": "NUMBER",
    "integer": "NUMBER",
    "float": "NUMBER",
    "path": "PATH",
    "file": "PATH",
    "directory": "PATH",
}
"""Names of types in versions of the library that do not keep the annotation."""


def overview() -> str:
    """What can be typed, by what somebody wants to do."""
    width = _width()
    lines = [_HEAD, "", f"{_bold('Usage:')} paberki VERB … (each explains itself: paberki VERB --help)", ""]
    column = max(map(len, verbs.names())) + 4
    for title, names in verbs.GROUPS.items():
        summaries = [verbs.summary_of(name) for name in names]
        lines.append(_bold(title.capitalize()))
        for verb in summaries:
            lines += _entry(verb.name, verb.summary, column, width)
        example = next((verb.example for verb in summaries if verb.example), "")
        lines += [f"  e.g. {example}", ""] if example else [""]
    lines.append(_bold("Every verb"))
    lines += [line for name, meaning in SHARED for line in _entry(name, meaning, 24, width)]
    lines += ["", "Start with: paberki demo"]
    return "\n".join(lines) + "\n"


def page(command: Any, path: str) -> str:
    """The help of a verb: what it does, its examples, arguments and options."""
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    arguments = [one for one in command.params if one.param_type_name == "argument" and not one.hidden]
    inner = getattr(command, "commands", None)
    usage = " ".join([path, *(["VERB …"] if inner else []), *(argument_name(one) for one in arguments)])
    blocks = [f"{_bold('Usage:')} {usage}{'' if inner else ' [options]'}", _prose(command.help or "")]
    if inner:
        blocks.append(_table("Verbs", [(name, _first(one.help or "")) for name, one in inner.items()]))
    blocks.append(_table("Arguments", [(argument_name(one), meaning_of(one)) for one in arguments if one.help]))
    blocks.append(
        _table("Options", [*((option_name(one), meaning_of(one)) for one in options), ("-h, --help", "Show this.")])
    )
    return "\n\n".join(block for block in blocks if block) + "\n"


def _width() -> int:
    return min(max(shutil.get_terminal_size((100, 40)).columns, 40), 120)


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


def _first(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())


def _prose(text: str) -> str:
    """Paragraphs filled to the width; those behind a form mark (examples) as they stand."""
    return "\n\n".join(_paragraph(part) for part in text.strip().split("\n\n"))


def _paragraph(text: str) -> str:
    if text.startswith("\b"):
        return text.removeprefix("\b").strip("\n")
    return "\n".join(textwrap.wrap(" ".join(text.split()), _width(), break_on_hyphens=False, break_long_words=False))


def _table(title: str, rows: Sequence[tuple[str, str]]) -> str:
    if not rows:
        return ""
    column = min(max(len(name) for name, _ in rows) + 4, 34)
    lines = [line for name, meaning in rows for line in _entry(name, meaning, column, _width())]
    return "\n".join([_bold(f"{title}:"), *lines])


def _entry(name: str, meaning: str, column: int, width: int) -> Iterator[str]:
    """A name and its meaning beside it, or below it where the name is long."""
    room = max(width - column, 24)
    lines: Iterable[str] = textwrap.wrap(meaning, room, break_on_hyphens=False, break_long_words=False) or [""]
    head = f"  {name}"
    for line in lines:
        if len(head) > column - 2:
            yield head
            head = ""
        yield f"{head:<{column}}{line}".rstrip()
        head = ""


def argument_name(one: Any) -> str:
    """An argument as it stands in the usage: in brackets where it may be left out."""
    name = (one.metavar or one.name).strip("[]{}").upper() + ("…" if one.nargs != 1 else "")
    return name if one.required else f"[{name}]"


def option_name(one: Any) -> str:
    """An option with its short form and the kind of its value."""
    spellings = sorted([*one.opts, *one.secondary_opts], key=len)
    return ", ".join(spellings) + ("" if one.is_flag else f" {one.metavar or _word(one)}")


def _word(one: Any) -> str:
    """What kind of value an option takes."""
    kind = getattr(getattr(one, "type_descriptor", None), "annotation", None)
    if kind is not None:
        return _WORDS.get(kind, "TEXT")
    name = getattr(getattr(one, "type", None), "name", "")
    return _TYPES.get(name.removesuffix(" range"), "TEXT")


def meaning_of(one: Any) -> str:
    """The help of a parameter, with its default where there is one to name."""
    text = one.help or ""
    default = one.default
    if isinstance(default, bool) or not isinstance(default, str | int | float | Path) or default == "":
        return text
    if "default" in text.lower() or not getattr(one, "show_default", True):
        return text
    return f"{text} Default: {default}."
