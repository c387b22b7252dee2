"""The command line: one file per verb."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Any, cast

_ALONE = frozenset({"query", "wordlist", "ngrams", "keywords", "sketch", "similar", "trend"})
"""Verbs that do not wait until all others are imported."""


def _stop(number: int, frame: FrameType | None) -> None:
    from paberki.errors import Stopped

    raise Stopped("stopped; run the same command to go on")


def main() -> None:
    """Run the command line; what goes wrong is said in one line."""
    from paberki.errors import PaberkiError

    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)  # the library under the command line would swallow ctrl-C without a word
    try:
        sys.exit(_run())
    except PaberkiError as error:
        _end(str(error), error.exit_code)
    except BrokenPipeError:
        # The reader went away (head, less): not an error, but Python must not try to flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        from paberki.store.files import explain

        _end(str(explain(error, "working")), 2)


def _run() -> int:
    """The exit code of the verb; a wrong option is an error like any other, not a box of six lines."""
    if sys.argv[1:2] == ["query"] and _answered_quickly():
        return 0
    import typer

    from paberki.errors import ConfigError

    wrong_usage = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])  # not exported by name
    try:
        command = typer.main.get_command(_app())
        if {"-h", "--help"} & set(sys.argv[1:]) or len(sys.argv) < 2:
            _keep_brackets(command)
        return command(prog_name="paberki", standalone_mode=False) or 0
    except wrong_usage as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            return 2
        verb = error.ctx.command_path if error.ctx else "paberki"
        raise ConfigError(f"{error.format_message().rstrip('.')}; see: {verb} --help") from error
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise


def _answered_quickly() -> bool:
    """Whether a query was plain enough to be read without the library for options."""
    from paberki.cli.quick import read

    request = read(sys.argv[2:])
    if request is None:
        return False
    from paberki.cli.answer import answer

    answer(request)
    return True


def _app() -> Any:
    """The command line; with the one verb alone where people wait for the answer of a search."""
    verb = sys.argv[1] if len(sys.argv) > 1 else ""
    if verb not in _ALONE:
        from paberki.cli.app import app

        return app
    from importlib import import_module

    from paberki.cli.frame import new_app

    module = import_module(f"paberki.cli.{verb}")
    alone = new_app()
    alone.command(name=verb, cls=getattr(module, "COMMAND", None))(module.run)
    return alone


def _keep_brackets(command: Any) -> None:
    """Square brackets in help texts are what they look like, not markup."""
    from rich.markup import escape

    for one in (command, *command.params):
        if getattr(one, "help", None):
            one.help = escape(one.help)
    for inner in getattr(command, "commands", {}).values():
        _keep_brackets(inner)


def _end(message: str, code: int) -> None:
    from paberki.terminal import visible

    sys.stderr.write(f"paberki: {visible(message, lines=True)}\n")
    sys.stderr.flush()
    sys.exit(code)
