"""Functions of queries, with the names and the meaning that CQP's manual gives them.

Numbers: ``f`` (frequency of a value), ``strlen``, ``int``, ``ambiguity`` (members of a set), ``dist``, ``distance`` (signed),
``distabs``, ``add``, ``sub``, ``mul``, ``lbound_of``, ``rbound_of``, ``start``, ``end``. Strings: ``prefix`` (the longest that two
strings begin with), ``minus`` (the first without it), ``normalize`` (without capitals, diacritics or both), ``unify`` (the members
that two sets share). Truths: ``is_prefix``, ``lbound``, ``rbound``, ``ignore``, which is always true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from paberki.arrow import pa
from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.index.folding import KINDS, Kind, fold_strings
from paberki.query.syntax.terms import And, Call, Comparison, Condition, Not, Operand, Or, Test, Text

__all__ = ["FUNCTIONS", "STRINGS", "check_calls", "fold_kind", "member_count", "strings_of", "truth"]

FUNCTIONS: Final = {
    "f": 1, "strlen": 1, "int": 1, "ambiguity": 1, "lbound": 1, "rbound": 1, "start": 1, "end": 1, "ignore": 1, "dist": 2,
    "distance": 2, "distabs": 2, "add": 2, "sub": 2, "mul": 2, "lbound_of": 2, "rbound_of": 2, "prefix": 2, "is_prefix": 2,
    "minus": 2, "unify": 2, "normalize": 2,
}  # fmt: skip
"""How many arguments each takes."""
STRINGS: Final = frozenset({"prefix", "minus", "normalize", "unify"})
"""Those whose result is a string."""


def check_calls(condition: Condition) -> None:
    """Raise an error where a condition calls a function that does not exist, or with a wrong number of arguments."""
    for call in _calls(condition):
        arity, number = FUNCTIONS.get(call.name), len(call.arguments)
        if arity is None:
            reason = (
                f"there is no function {call.name!r}{nearest(call.name, FUNCTIONS)}; there are: {', '.join(FUNCTIONS)}"
            )
        elif arity != number:
            reason = f"there is no function {call.name!r} of {number} arguments; it takes {arity}"
        elif call.name == "normalize" and _kind(call.arguments[1]) is None:
            reason = 'normalize() takes a string and what is to be left out: "c" (capitals), "d" (diacritics) or "cd"'
        else:
            continue
        place = f" (character {call.at[0] + 1})" if call.at[0] >= 0 else ""
        raise QueryError(f"{reason}{place}", position=max(call.at[0], 0), length=call.at[1], expected=tuple(FUNCTIONS))


def _calls(condition: Condition) -> Iterator[Call]:
    match condition:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _calls(part)
        case Not(part):
            yield from _calls(part)
        case Test(operand):
            yield from _calls_in(operand)
        case Comparison():
            yield from _calls_in(condition.left)
            yield from _calls_in(condition.right)
        case _:
            return


def _calls_in(operand: Operand) -> Iterator[Call]:
    if isinstance(operand, Call):
        yield operand
        for argument in operand.arguments:
            yield from _calls_in(argument)


def _kind(flags: Operand) -> Kind | None:
    letters = "".join(sorted(set(flags.value.removeprefix("%")))) if isinstance(flags, Text) else ""
    return letters if letters in KINDS else None


def fold_kind(call: Call) -> Kind:
    """What ``normalize`` leaves out."""
    kind = _kind(call.arguments[1])
    assert kind is not None
    return kind


def strings_of(call: Call, firsts: Sequence[str], seconds: Sequence[str]) -> list[str]:
    """The results of a function for pairs of strings."""
    if call.name == "normalize":
        folded_texts: list[str] = fold_strings(pa.array(firsts, pa.large_string()), fold_kind(call)).to_pylist()
        return folded_texts
    function = {"prefix": _prefix, "minus": _minus, "unify": _unify}[call.name]
    return [function(first, second) for first, second in zip(firsts, seconds, strict=True)]


def truth(first: str, second: str) -> bool:
    """``is_prefix``."""
    return second.startswith(first)


def member_count(value: str) -> int:
    """How many members a set has that is written with bars between them."""
    return sum(1 for member in value.split("|") if member)


def _prefix(first: str, second: str) -> str:
    size = min(len(first), len(second))
    return first[: next((at for at in range(size) if first[at] != second[at]), size)]


def _minus(first: str, second: str) -> str:
    return first[len(_prefix(first, second)) :]


def _unify(first: str, second: str) -> str:
    others = set(second.split("|"))
    shared = sorted({member for member in first.split("|") if member and member in others})
    return "|" + "".join(f"{member}|" for member in shared)
