"""The command line: one file per verb."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType


def _stop(number: int, frame: FrameType | None) -> None:
    from paberki.errors import Stopped

    raise Stopped("stopped; run the same command to go on")


def main() -> None:
    """Run the command line; what goes wrong is said in one line."""
    from paberki.errors import PaberkiError

    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)  # the library under the command line would swallow ctrl-C without a word
    try:
        from paberki.cli.app import app

        app(prog_name="paberki")
    except PaberkiError as error:
        _end(str(error), error.exit_code)
    except BrokenPipeError:
        # The reader went away (head, less): not an error, but Python must not try to flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        from paberki.store.files import explain

        _end(str(explain(error, "working")), 2)


def _end(message: str, code: int) -> None:
    sys.stderr.write(f"paberki: {message}\n")
    sys.stderr.flush()
    sys.exit(code)
