"""Options for every verb: ``-v`` says on standard error what the program does, ``--log-file`` writes it to a file.

Both use Python's own ``logging``; the loggers are named after the modules, below ``paberki``.
"""

from __future__ import annotations

from collections.abc import Sequence

from paberki.errors import ConfigError

__all__ = ["log_error", "log_options"]

_VERBOSE = {"-v": 1, "--verbose": 1, "-vv": 2}
_FILE = "--log-file"


def log_options(arguments: Sequence[str]) -> list[str]:
    """Set up the log that the arguments ask for; the arguments without these options."""
    rest, verbose, file = [], 0, ""
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in _VERBOSE:
            verbose += _VERBOSE[word]
        elif word == _FILE:
            file = next(words, "")
            if not file:
                raise ConfigError(f"{_FILE} needs the name of a file, e.g. {_FILE} build.log")
        elif word.startswith(f"{_FILE}="):
            file = word.partition("=")[2]
        else:
            rest.append(word)
    if verbose or file:
        _set_up(verbose, file)
    return rest


def log_error(message: str, error: BaseException | None) -> None:
    """The error that ends the program; its way through the code with ``-vv``."""
    import logging

    logger = logging.getLogger("paberki.cli")
    if not logger.hasHandlers():
        return  # logging itself would print the line, which the program prints already
    logger.error("%s", message, exc_info=error if logger.isEnabledFor(logging.DEBUG) else None)


def _set_up(verbose: int, file: str) -> None:
    import logging
    import time

    from paberki.terminal import visible

    class LineFormatter(logging.Formatter):
        """One record, one line; control characters of pages are shown, not sent."""

        converter = staticmethod(time.gmtime)

        def format(self, record: logging.LogRecord) -> str:
            return visible(super().format(record), lines=record.exc_info is not None)

    lines = LineFormatter("%(asctime)sZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
    handlers: list[logging.Handler] = [logging.StreamHandler()] if verbose else []
    if file:
        try:
            handlers.append(logging.FileHandler(file, encoding="utf-8", errors="backslashreplace"))
        except OSError as error:
            raise ConfigError(f"{_FILE} {file}: cannot be written ({error.strerror})") from error
    logger = logging.getLogger("paberki")
    logger.setLevel(logging.DEBUG if verbose > 1 else logging.INFO)
    for handler in handlers:
        handler.setFormatter(lines)
        logger.addHandler(handler)
