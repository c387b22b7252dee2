"""Coding schemes: variables and their values, in the order in which a coder in doubt takes them (P5 §4.4).

P5 revised the scheme of Sharoff (2006). Its rule for doubtful pages: take the topmost value that fits.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from paberki.errors import ConfigError

_SEPARATORS: Final = re.compile(r"[\s,./_-]+")
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
RESERVED: Final = ("id", "key", "url", "start", "end", "text")
"""Columns of a coding file that are no variables."""
_MOST: Final = 1_000_000
"""Bytes of a scheme file; more than that is not a scheme."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One question to the coder and the values it can have; without values any word is taken."""

    name: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scheme:
    """The variables of one coding task."""

    variables: tuple[Variable, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables, in order."""
        return tuple(variable.name for variable in self.variables)

    def variable(self, name: str) -> Variable:
        """The variable of that name; one that the scheme does not have takes any value."""
        return next((one for one in self.variables if one.name == name), Variable(name))

    def as_json(self) -> dict[str, list[str]]:
        """Values by variable."""
        return {variable.name: list(variable.values) for variable in self.variables}


GENRE: Final = Scheme(
    (
        Variable("authorship", ("single-female", "single-male", "multiple", "corporate", "unknown")),
        Variable("mode", ("written", "spoken", "quasi-spontaneous", "blogmix")),
        Variable("audience", ("general", "informed", "professional")),
        Variable("aim", ("recommendation", "instruction", "information", "discussion", "fiction")),
        Variable(
            "domain",
            (
                "science",
                "technology",
                "medical",
                "pol-soc-hist",
                "business-law",
                "arts",
                "beliefs",
                "life-leisure",
            ),
        ),
    )
)
"""Genre as P5 codes it (§4.4, Table 6)."""
BLOCKS: Final = Scheme((Variable("label", ("text", "header", "boilerplate")),))
"""Blocks as P5's *textrain* and P2's Victor code them; ``paberki train`` learns from them."""


def spelling(value: str) -> str:
    """A value as it is compared: ``Single, female`` and ``single_female`` are ``single-female``."""
    return _SEPARATORS.sub("-", value.strip().lower()).strip("-")


def load_scheme(path: Path) -> Scheme:
    """A scheme in a TOML file: one line ``variable = ["value", "value"]`` for each variable, doubtful values last."""
    try:
        with path.open("rb") as file:
            table = tomllib.loads(file.read(_MOST).decode("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise ConfigError(f"{path}: not a scheme: {error}; write lines such as aim = ['fiction', 'other']") from error
    return scheme_of(table, str(path))


def scheme_of(table: dict[str, Any], where: str) -> Scheme:
    """The scheme in a table of lists, checked."""
    if not table:
        raise ConfigError(f"{where}: no variable; write lines such as aim = ['fiction', 'other']")
    for name, values in table.items():
        if not _NAME.fullmatch(name) or name in RESERVED:
            raise ConfigError(f"{where}: {name!r} cannot be a variable; take a word of small letters")
        if not isinstance(values, list) or not all(isinstance(one, str) and spelling(one) for one in values):
            raise ConfigError(f"{where}: {name} must be a list of values: {name} = ['one', 'two']")
    return Scheme(tuple(Variable(name, tuple(dict.fromkeys(map(spelling, table[name])))) for name in table))
