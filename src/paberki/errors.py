"""Everything that can go wrong and be reported to a person.

    PaberkiError            anything paberki says in one line, exit code 2 unless said otherwise
    ├── ConfigError         a recipe, preset or option is wrong
    ├── ContractError       a stage breaks its declaration, or a plan does not fit together
    ├── MissingExtra        an optional part is not installed; the message says what to install
    ├── StoreError          a corpus directory, layer or lock is not what it should be
    ├── InputError          a file given to us cannot be read
    ├── FetchError          a page could not be fetched
    ├── QueryError          a condition, an SQL query or a corpus query is wrong
    ├── MachineFault        no memory, no disk space, a worker killed from outside: nothing is wrong with any page
    ├── TooManyErrors       more records failed than the limit allows, exit code 1
    └── Stopped             somebody asked us to stop, exit code 130

A record that fails is not an exception but data: it gets an ``error`` {stage, code, detail} in its row and the run
goes on. Messages say what happened, in which file or record, and what to do next.
"""

from __future__ import annotations


class PaberkiError(Exception):
    """Base of all errors that are shown without a traceback."""

    exit_code = 2


class ConfigError(PaberkiError):
    """Raised when a recipe, preset or option cannot mean anything."""


class ContractError(PaberkiError):
    """Raised when stages do not fit together or one breaks what it declared."""


class MissingExtra(PaberkiError):
    """Raised where an optional part is used that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; type: pip install 'paberki[{extra}]'")


class StoreError(PaberkiError):
    """Raised when a corpus directory, a layer or a lock is not what it should be."""


class InputError(PaberkiError):
    """Raised when a given file cannot be read at all; damaged records inside a file are data instead."""


class FetchError(PaberkiError):
    """Raised inside the crawler for one page; it ends up in the crawl log."""


class QueryError(PaberkiError):
    """Raised when a condition, an SQL query or a corpus query is wrong or not allowed.

    Errors of corpus queries say where: ``position`` and ``length`` count characters of the query text, ``expected``
    lists what could stand there, ``suggestion`` is the nearest name that exists.
    """

    def __init__(
        self,
        message: str,
        *,
        position: int | None = None,
        length: int = 0,
        expected: tuple[str, ...] = (),
        suggestion: str | None = None,
    ) -> None:
        super().__init__(message)
        self.position = position
        self.length = length
        self.expected = expected
        self.suggestion = suggestion


class MachineFault(PaberkiError):
    """Raised when the machine and no page is the cause; the same command goes on where it was."""


class TooManyErrors(PaberkiError):
    """Raised by the runner when the share of failed records exceeds ``--max-errors``."""

    exit_code = 1


class Stopped(PaberkiError):
    """Raised when ctrl-C or SIGTERM ended the run; what is written is whole."""

    exit_code = 130
