"""The command line: one file per verb."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from paberki.errors import PaberkiError


def _stop(number: int, frame: FrameType | None) -> None:
    from paberki.errors import Stopped

    raise Stopped("stopped; run the same command to go on")


def main() -> None:
    """Run the command line; an error is one line."""
    from paberki.errors import PaberkiError

    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)  # the library under the command line would swallow ctrl-C without a word
    try:
        if any(word.startswith(("-v", "--v", "--log-file")) for word in sys.argv):
            from paberki.cli.logs import log_options

            sys.argv[1:] = log_options(sys.argv[1:])
        if _is_read_in_pages():
            from paberki.cli.pager import through_pager

            with through_pager():
                code = _run()
            sys.exit(code)
        sys.exit(_run())
    except PaberkiError as error:
        reason = _signal_behind(error) or error
        _end(str(reason), reason.exit_code, reason)
    except BrokenPipeError:
        # The reader went away (head, less): not an error, but Python must not try to flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        from paberki.store.files import explain

        _end(str(explain(error, "working")), 2)


def _is_read_in_pages() -> bool:
    """Whether somebody at a terminal may get more than a screen to read."""
    from paberki.cli.verbs import is_read_in_pages

    return sys.stdout.isatty() and ("--help" in sys.argv or is_read_in_pages(*sys.argv[1:2]))


def _signal_behind(error: BaseException | None) -> PaberkiError | None:
    """The stop that an error comes from: a signal can arrive anywhere, also where an error is being reworded."""
    from paberki.errors import Stopped

    while error is not None:
        if isinstance(error, Stopped):
            return error
        error = error.__cause__ or error.__context__
    return None


def _run() -> int:
    """The exit code of the verb; a wrong option is an error like any other, not a box of six lines."""
    if sys.argv[1:2] != ["train"]:  # nothing else multiplies matrices, and to start threads takes a tenth of a second
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["query"] and _answered_quickly():
        return 0
    if sys.argv[1:3] == ["completion", "words"]:
        from paberki.cli.candidates import candidates

        sys.stdout.writelines(f"{word}\n" for word in candidates(sys.argv[3:]))
        return 0
    if sys.argv[1:2] in ([], ["-h"], ["--help"]):
        from paberki.cli.help_page import overview

        sys.stdout.write(overview())
        return 0 if sys.argv[1:] else 2
    from paberki.cli.verbs import makes_tables, runs_no_stage
    from paberki.import_guard import leave_pandas_alone, without

    if runs_no_stage(sys.argv[1]):
        with without("pandas"):  # pyarrow would import it, and nothing here uses it
            return _run_verb()
    if makes_tables(sys.argv[1]) and "--help" not in sys.argv:
        leave_pandas_alone()  # code of other packages may want it
    return _run_verb()


def _run_verb() -> int:
    import typer

    from paberki.errors import ConfigError

    wrong_usage = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])  # not exported by name
    try:
        command = typer.main.get_command(_app())
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
    from paberki.cli.bytecode import keep_bytecode

    keep_bytecode()
    from paberki.cli.quick import read

    request = read(sys.argv[2:])
    if request is None:
        return False
    from paberki.cli.query_actions import answer

    answer(request)
    return True


def _app() -> Any:
    """The command line with the one verb that is asked for, or with all where there is no such verb."""
    from paberki.cli.app import app_of
    from paberki.cli.verbs import names

    verb = sys.argv[1]
    return app_of(verb) if verb in names() else app_of(*names())


def _facts_of(error: BaseException | None) -> dict[str, Any]:
    """What an error of a query knows beside its words: the one that the query itself raised, not what was made of it."""
    while error is not None and getattr(error, "position", None) is None:
        error = error.__cause__
    names = ("position", "length", "expected", "suggestion")
    return {name: value for name in names if (value := getattr(error, name, None)) not in (None, "", ())}


def _end(message: str, code: int, error: PaberkiError | None = None) -> None:
    """Say what went wrong and end; with ``--json`` as an object on standard output too."""
    from paberki.terminal import visible

    if "paberki.cli.logs" in sys.modules:
        from paberki.cli.logs import log_error

        log_error(message, error)
    if "--json" in sys.argv:
        import json

        facts = _facts_of(error)
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.write(json.dumps({"error": message, "exit_code": code, **facts}, ensure_ascii=False) + "\n")
            sys.stdout.flush()
    if "--json" not in sys.argv or not sys.stdout.isatty():
        sys.stderr.write(f"paberki: {visible(message, lines=True)}\n")
        sys.stderr.flush()
    sys.exit(code)
