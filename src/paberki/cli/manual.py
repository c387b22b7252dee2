"""The manual page: every verb with its examples, arguments and options, in the language of ``man``.

The wheel carries it as ``share/man/man1/paberki.1``; a test compares that file with what is made here.
"""

from __future__ import annotations

import re
from typing import Any

from paberki.cli import verbs
from paberki.cli.help_page import SHARED, argument_name, meaning_of, option_name

__all__ = ["manual"]


def manual() -> str:
    """The whole page."""
    import typer

    from paberki.cli.app import app_of

    lines = [".TH PABERKI 1", ".SH NAME", r"paberki \- from a national web to a text corpus", ".SH SYNOPSIS"]
    lines += [r".B paberki", r"\fIVERB\fR [\fIarguments\fR] [\fIoptions\fR]", ".SH DESCRIPTION"]
    lines += ["Every verb explains itself:", r".B paberki \fIVERB\fB --help", ".SH OPTIONS OF EVERY VERB"]
    for name, meaning in SHARED:
        lines += [".TP", f".B {_escape(name)}", _escape(meaning)]
    for title, names in verbs.GROUPS.items():
        lines.append(f".SH {title.upper()}")
        for name in names:
            command = typer.main.get_command(app_of(name)).commands[name]  # type: ignore[attr-defined]
            lines += _verb(f"paberki {name}", command)
    lines += [".SH FIRST STEPS", ".nf", "paberki demo", ".fi"]
    return "\n".join(lines) + "\n"


def _verb(path: str, command: Any) -> list[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument" and not one.hidden]
    usage = " ".join([path, *map(argument_name, arguments)])
    lines = [f".SS {_escape(usage)}", *_prose(command.help or "")]
    for one in arguments:
        if one.help:
            lines += [".TP", f".I {_escape(argument_name(one))}", _escape(meaning_of(one))]
    for one in command.params:
        if one.param_type_name == "option" and not one.hidden:
            lines += [".TP", f".B {_escape(option_name(one))}", _escape(meaning_of(one))]
    for name, inner in getattr(command, "commands", {}).items():
        lines += _verb(f"{path} {name}", inner)
    return lines


def _prose(text: str) -> list[str]:
    lines = []
    for part in text.strip().split("\n\n"):
        if part.startswith("\b"):
            lines += [".PP", ".nf", *map(_escape, part.removeprefix("\b").strip("\n").splitlines()), ".fi"]
        else:
            lines += [".PP", _escape(" ".join(part.split()))]
    return lines


def _escape(text: str) -> str:
    """Text in which nothing is a command of the typesetter; words that are not ASCII by their names."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    text = re.sub(r"[^\x00-\x7f]", lambda match: rf"\[u{ord(match[0]):04X}]", text)
    return rf"\&{text}" if text.startswith((".", "'")) else text
