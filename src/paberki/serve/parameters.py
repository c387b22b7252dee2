"""Parameters of addresses: names, types, limits and defaults, each once. Reading and the OpenAPI document use this list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from paberki.nearest import nearest
from paberki.serve.json_answers import Refusal

__all__ = ["PARAMETERS", "Parameter", "check_names", "read"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; numbers have limits, texts a length and perhaps a list of values."""

    name: str
    meaning: str
    kind: type = str
    default: Any = None
    least: int = 0
    most: int = 1_000_000_000
    """The largest number, or the most characters."""
    choices: tuple[str, ...] = ()

    def read(self, text: str | None) -> Any:
        """The value of a text; the default where there is none."""
        if text is None or (text == "" and self.kind is not str):
            return self.default
        if self.kind is bool:
            return self._truth(text)
        return self._number(text) if self.kind is int else self._text(text)

    def _number(self, text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 12):
            raise Refusal(400, f"{self.name}: {text[:80]!r} is not a whole number")
        if not self.least <= int(text) <= self.most:
            raise Refusal(400, f"{self.name}: {int(text)} is not between {self.least} and {self.most}")
        return int(text)

    def _truth(self, text: str) -> bool:
        if text.lower() not in ("0", "1", "true", "false"):
            raise Refusal(400, f"{self.name}: {text[:80]!r} is neither 1 nor 0")
        return text.lower() in ("1", "true")

    def _text(self, text: str) -> str | None:
        if len(text) > self.most:
            raise Refusal(400, f"{self.name}: {len(text)} characters are too many, {self.most} may be given")
        if "\0" in text:
            raise Refusal(400, f"{self.name}: the character 0 cannot be searched for")
        if self.choices and text and text not in self.choices:
            raise Refusal(
                400, f"{self.name}: no {text[:80]!r}{nearest(text, self.choices)}; there are: {', '.join(self.choices)}"
            )
        return text or self.default


_TEXT, _NAME = 4_000, 200
_ALL = (
    Parameter("corpus", "name of a corpus of this server; the first one if it is not given", most=_NAME),
    Parameter("build", "the build that is meant; if the corpus is another one by now, the answer is 409", most=_NAME),
    Parameter("q", "a query in CQL, or words", default="", most=_TEXT),
    Parameter("where", "a condition on columns of pages, for example: host = 'a.hr' and badness < 5", most=_TEXT),
    Parameter("set", "kept, dropped or all", most=_NAME),
    Parameter("fold", "near-copies once", bool, False),
    Parameter("forms", "words in all their forms, but for those in quotes", bool, False),
    Parameter("cut", "what if pages were kept under this condition, for example: badness < 8", most=_TEXT),
    Parameter("sample", "a random sample of so many hits", int, most=10_000_000),
    Parameter("seed", "another seed, another sample", int, 1, most=(1 << 32) - 1),
    Parameter("sort", "left, right, node, an attribute, LABEL.attribute, doc.column; - before a key turns it", most=_NAME),
    Parameter("strategy", "standard, shortest, longest, traditional or all", most=_NAME,
              choices=("standard", "shortest", "longest", "traditional", "all")),
    Parameter("dialect", "cqp, manatee or blacklab", default="cqp", most=_NAME, choices=("cqp", "manatee", "blacklab")),
    Parameter("view", "kwic, sentence or table", default="kwic", most=_NAME, choices=("kwic", "sentence", "table")),
    Parameter("per_page", "rows of one answer", int, 50, 1, 1000),
    Parameter("from", "number of the first row, from 0", int, 0, most=10_000_000),
    Parameter("by", "attribute or column that a list is by; several with commas between", most=_NAME),
    Parameter("attr", "a positional attribute: word, lemma, …", most=_NAME),
    Parameter("prefix", "beginning of the values", default="", most=_NAME),
    Parameter("window", "tokens before and behind, for example -5..5", default="-5..5", most=40),
    Parameter("measure", "association measure", most=_NAME),
    Parameter("min", "rows with at least so many hits", int, 1, 1),
    Parameter("n", "tokens of an n-gram", int, 2, 1, 10),
    Parameter("lemma", "a lemma; A..B compares two", default="", most=_NAME),
    Parameter("format", "format of a file", most=_NAME),
    Parameter("task", "name of a coding task", most=_NAME),
    Parameter("coder", "name of a coder", most=_NAME),
    Parameter("s", "number of a sentence of the page, from 0", int, most=10_000_000),
)  # fmt: skip
PARAMETERS: Mapping[str, Parameter] = {one.name: one for one in _ALL}
"""All parameters by name."""


def read(parameters: Mapping[str, str], names: Iterable[str]) -> dict[str, Any]:
    """Values of some parameters."""
    return {name: PARAMETERS[name].read(parameters.get(name)) for name in names}


def check_names(parameters: Mapping[str, str], names: Iterable[str]) -> None:
    """Refuse a parameter that no address has: it is a typing error more often than anything else.

    One that only other addresses have is not read; so an address can be changed into its neighbour by its path alone.
    """
    for name in parameters:
        if name not in PARAMETERS:
            allowed_names = ", ".join(names)
            raise Refusal(
                400, f"no parameter {name[:80]!r}{nearest(name[:80], PARAMETERS)}; there are: {allowed_names}"
            )
