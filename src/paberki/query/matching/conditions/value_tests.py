"""Comparisons of an attribute's values with constants, as sets of ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.arrow import pa, pc
from paberki.errors import QueryError
from paberki.query.index.folding import fold_strings
from paberki.query.index.lexicon import ValueLexicon
from paberki.query.index.reader import Index
from paberki.query.matching.conditions.functions import STRINGS, fold_kind, member_count, strings_of, truth
from paberki.query.matching.conditions.id_set import IdSet, union
from paberki.query.matching.conditions.regexes import bools, folded_matching, matching
from paberki.query.syntax.terms import (
    And,
    Anything,
    Attribute,
    Call,
    Comparison,
    Condition,
    Interval,
    Not,
    Number,
    Or,
    Test,
    Text,
)

_COMPARE: Final[dict[str, Any]] = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
_COMPARE_STRINGS: Final = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}


Totals = Callable[[], npt.NDArray[Any]]
"""How often each value of the attribute occurs in all segments."""


def id_set(lexicon: Any, condition: Condition, totals: Totals | None = None) -> IdSet:
    """Ids whose values satisfy a condition about this one attribute."""
    size = lexicon.size
    match condition:
        case Anything():
            return IdSet(size, table=np.ones(size, np.bool_))
        case Not(part):
            return ~id_set(lexicon, part, totals)
        case And(parts):
            first, *others = [id_set(lexicon, part, totals) for part in parts]
            for other in others:
                first = first & other
            return first
        case Or(parts):
            return union(size, [id_set(lexicon, part, totals) for part in parts])
        case Test(Call() as call):
            return _with_prefix(lexicon, call)
        case Test():
            return ~IdSet.of_ids(size, lexicon.id_of(""))
        case Comparison(negated=True):
            return ~_comparison(lexicon, condition, totals)
        case Comparison():
            return _comparison(lexicon, condition, totals)
        case _:
            raise QueryError("only attributes can be compared here")


def _comparison(lexicon: Any, comparison: Comparison, totals: Totals | None) -> IdSet:
    left, operator, right = comparison.left, comparison.operator, comparison.right
    multi = bool(getattr(lexicon, "multi", False))
    if isinstance(left, Call) and left.name in STRINGS:
        results = _results(lexicon, left)
        return IdSet(lexicon.size, table=_comparison(results, _of_value(comparison), None).table[results.numbers])
    if isinstance(left, Call):
        return _measure(lexicon, left, operator, right, totals)
    if isinstance(right, Text) and operator in ("=", "==", "contains", "matches"):
        if operator in ("contains", "matches"):
            return _members(lexicon, right, False, whole=operator == "matches", multi=multi)
        ids = _textual(lexicon, right, operator == "==")
        return ids | _members(lexicon, right, operator == "==", whole=False, multi=True) if multi else ids
    if isinstance(right, Interval):
        numbers = numbers_of(lexicon)
        low = -np.inf if right.low is None else right.low
        high = np.inf if right.high is None else right.high
        return IdSet(lexicon.size, table=(numbers >= low) & (numbers <= high))
    if isinstance(right, Number | Text) and operator in (*_COMPARE, "="):
        return _compare_order(lexicon, operator, right)
    raise QueryError("an attribute is compared with something that is no constant")


class _Results(ValueLexicon):
    """Strings that a function makes of the values of a lexicon; ``numbers`` has the id here of each id there."""

    numbers: npt.NDArray[np.int64]


def _of_value(comparison: Comparison) -> Comparison:
    return Comparison(Attribute(""), comparison.operator, comparison.right)


def _results(lexicon: Any, call: Call) -> _Results:
    if call.name == "normalize" and isinstance(call.arguments[0], Attribute):
        strings = fold_strings(lexicon.strings, fold_kind(call))
    else:
        firsts, seconds = (_strings_of(lexicon, argument) for argument in call.arguments)
        strings = pa.array(strings_of(call, firsts, seconds), pa.large_string())
    dictionary_array = strings.dictionary_encode()
    results = _Results.of_strings(dictionary_array.dictionary)
    assert isinstance(results, _Results)
    results.numbers = dictionary_array.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return results


def _strings_of(lexicon: Any, operand: Any) -> list[str]:
    """An argument of a function for every value."""
    if isinstance(operand, Text):
        return [operand.value] * lexicon.size
    if isinstance(operand, Call) and operand.name in STRINGS:
        results = _results(lexicon, operand)
        return results.values(results.numbers)
    if isinstance(operand, Attribute):
        values: list[str] = lexicon.values(range(lexicon.size))
        return values
    raise QueryError("this is no string", position=max(getattr(operand, "at", (0, 0))[0], 0))


def _with_prefix(lexicon: Any, call: Call) -> IdSet:
    """``is_prefix``: values that begin with a string, or that a string begins with."""
    first, second = call.arguments
    if isinstance(first, Text) and isinstance(second, Attribute) and hasattr(lexicon, "prefix_ids"):
        return IdSet(lexicon.size, np.sort(lexicon.prefix_ids(first.value)))
    if isinstance(first, Attribute) and isinstance(second, Text):
        text = second.value
        return IdSet.of_ids(lexicon.size, *(lexicon.id_of(text[:length]) for length in range(len(text) + 1)))
    pairs = zip(_strings_of(lexicon, first), _strings_of(lexicon, second), strict=True)
    return IdSet(lexicon.size, table=np.array([truth(*pair) for pair in pairs], np.bool_))


def _textual(lexicon: Any, text: Text, literal: bool) -> IdSet:
    if text.flags and hasattr(lexicon, "folded_lexicon"):
        return folded_matching(lexicon, text.value, text.flags, literal)  # type: ignore[arg-type]
    if text.flags:
        return folded_matching(_Folding(lexicon), text.value, text.flags, literal)  # type: ignore[arg-type]
    if literal:
        return IdSet.of_ids(lexicon.size, lexicon.id_of(text.value))
    return matching(lexicon, text.value)


class _Folding:
    """A small lexicon that can be folded, as those of structures and members."""

    def __init__(self, lexicon: Any) -> None:
        self._lexicon = lexicon

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lexicon, name)

    def folded_lexicon(self, kind: str) -> Any:
        from paberki.query.index.lexicon import fold

        return fold(self._lexicon, np.ones(self._lexicon.size), kind)  # type: ignore[arg-type]


def _members(lexicon: Any, text: Text, literal: bool, *, whole: bool, multi: bool) -> IdSet:
    """Sets with a member that matches; ``whole``: all of whose members match, which the empty set does not."""
    if not multi:
        return _of_split(lexicon, text, whole)
    values = _textual(lexicon.set_values, text, literal).table
    offsets = np.asarray(lexicon.set_offsets, np.int64)
    hits = values[lexicon.set_members].astype(np.int64)
    sums = np.concatenate([[0], np.cumsum(hits)])
    counts = sums[offsets[1:]] - sums[offsets[:-1]]
    sizes = np.diff(offsets)
    return IdSet(lexicon.size, table=(counts == sizes) & (sizes > 0) if whole else counts > 0)


def _of_split(lexicon: Any, text: Text, whole: bool) -> IdSet:
    """The same for plain values that are written as sets, with bars between members."""
    from paberki.query.index.lexicon import ValueLexicon

    members = [[one for one in value.split("|") if one] for value in lexicon.values(range(lexicon.size))]
    distinct = sorted({one for some in members for one in some})
    values = ValueLexicon.of_strings(pa.array(distinct, pa.large_string()))
    good = set(values.values(_textual(values, text, False).ids))
    test = all if whole else any
    table = [bool(some) and test(one in good for one in some) for some in members]
    return IdSet(lexicon.size, table=np.array(table, np.bool_))


def _measure(lexicon: Any, call: Call, operator: str, right: Any, totals: Totals | None) -> IdSet:
    """Functions of a value: its length, its frequency, the size of a set."""
    if not isinstance(right, Number):
        raise QueryError(f"{call.name}() is a number and cannot be compared with a string", position=call.at[0])
    if len(call.arguments) == 1 and isinstance(inner := call.arguments[0], Call) and inner.name in STRINGS:
        results = _results(lexicon, inner)
        outer = Comparison(Call(call.name, (Attribute(""),), call.at), operator, right)
        return IdSet(lexicon.size, table=_comparison(results, outer, None).table[results.numbers])
    if call.name == "f":
        numbers = (lexicon.counts if totals is None else totals()).astype(np.float64)
    elif call.name == "strlen":
        numbers = pc.utf8_length(lexicon.strings).to_numpy(zero_copy_only=False).astype(np.float64)
    elif call.name == "ambiguity" and getattr(lexicon, "multi", False):
        numbers = np.diff(np.asarray(lexicon.set_offsets, np.int64)).astype(np.float64)
    elif call.name == "ambiguity":
        numbers = np.array([*map(member_count, lexicon.values(range(lexicon.size)))], np.float64)
    elif call.name == "int":
        numbers = numbers_of(lexicon)
    else:
        raise QueryError(f"there is no function {call.name!r}", position=call.at[0], length=call.at[1])
    return IdSet(lexicon.size, table=number_test(numbers, operator, right.value))


def number_test(numbers: npt.NDArray[np.float64], operator: str, bound: float) -> npt.NDArray[np.bool_]:
    """Which numbers stand in this relation to a bound."""
    if operator in ("=", "=="):
        return np.asarray(numbers == bound)
    answer: npt.NDArray[np.bool_] = _COMPARE[operator](numbers, bound)
    return answer


def _compare_order(lexicon: Any, operator: str, right: Number | Text) -> IdSet:
    """Values before or behind a bound: as numbers where both are, else by code point."""
    numbers = numbers_of(lexicon)
    try:
        bound = float(right.value)
    except ValueError:
        bound = np.nan
    as_numbers = number_test(numbers, operator, bound)
    if isinstance(right, Number):
        return IdSet(lexicon.size, table=as_numbers)
    strings = bools(
        pc.call_function(_COMPARE_STRINGS[operator], [lexicon.strings, pa.scalar(right.value, pa.large_string())])
    )
    both = ~np.isnan(numbers) & (not np.isnan(bound))
    return IdSet(lexicon.size, table=np.where(both, as_numbers, strings))


def frequencies(index: Index, attribute: Any) -> npt.NDArray[np.float64]:
    """How often each value of an attribute of a segment occurs in all segments."""
    table = np.zeros(attribute.size)
    for segment in index.segments:
        other = segment.attribute(attribute.name)
        if other is attribute:
            table += other.counts
            continue
        ids = pc.fill_null(pc.index_in(attribute.strings, value_set=other.strings), -1).to_numpy(zero_copy_only=False)
        table += np.where(ids >= 0, other.counts[np.maximum(ids, 0)], 0)
    return table


def numbers_of(lexicon: Any) -> npt.NDArray[np.float64]:
    """Values as numbers, NaN where they are none."""
    strings = lexicon.strings
    pattern = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
    numeric = pc.if_else(pc.match_substring_regex(strings, pattern), strings, pa.scalar(None, pa.large_string()))
    cast = pc.cast(numeric, pa.float64())
    numbers = np.frombuffer(cast.buffers()[1], np.float64)[: len(cast)] if len(cast) else np.zeros(0)
    return np.where(bools(pc.is_valid(cast)), numbers, np.nan) if len(cast) else numbers


def attribute_names(condition: Condition) -> set[Attribute]:
    """All attributes that a condition names."""
    match condition:
        case And(parts) | Or(parts):
            return {name for part in parts for name in attribute_names(part)}
        case Not(part):
            return attribute_names(part)
        case Test(operand):
            return _in_operand(operand)
        case Comparison():
            return _in_operand(condition.left) | _in_operand(condition.right)
        case _:
            return set()


def _in_operand(operand: Any) -> set[Attribute]:
    if isinstance(operand, Attribute):
        return {operand}
    if isinstance(operand, Call):
        return {name for one in operand.arguments for name in _in_operand(one)}
    return set()
