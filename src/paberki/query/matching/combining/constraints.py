"""Conditions on the labels of matches (after ``::``), for many matches at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.arrow import pa, pc
from paberki.errors import QueryError
from paberki.query.index.lexicon import ValueLexicon
from paberki.query.matching.automata.bindings import translation
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.conditions.functions import STRINGS, member_count, strings_of, truth
from paberki.query.matching.conditions.id_set import Bools
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import ValueTest
from paberki.query.matching.conditions.value_tests import frequencies, id_set, number_test, numbers_of
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
    Operand,
    Or,
    Test,
    Text,
)

Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

DISTANCES: Final = frozenset({"distance", "dist", "distabs"})
THIS: Final = "_"
"""The token itself, in conditions on one token."""


@dataclass(slots=True)
class LabelValues:
    """Values of a label's tokens: ids of a lexicon, −1 where there is none."""

    ids: Places
    lexicon: Any
    attribute: str | None = None
    """The positional attribute, None for attributes of structures and for features."""


class ValuePairs(NamedTuple):
    """Pairs of strings, each once; which matches have one, and its number."""

    firsts: list[str]
    seconds: list[str]
    present: Bools
    numbers: Places

    def spread(self, answers: npt.NDArray[Any], otherwise: Any) -> npt.NDArray[Any]:
        """What is true of pairs as what is true of matches."""
        out = np.full(len(self.present), otherwise, answers.dtype)
        out[self.present] = answers[self.numbers]
        return out


class Constraint:
    """Conditions on matches of one segment."""

    def __init__(self, evaluator: Evaluator, names: Names, *, absolute: bool = False) -> None:
        self._evaluator, self._names = evaluator, names
        self._absolute = absolute
        """In trees, ``distance`` has no sign."""
        self._labels: Mapping[str, Places] = {}
        self._ends: Mapping[str, Places] = {}
        self._count = 0

    def holds(self, condition: Condition, labels: Mapping[str, Places], ends: Mapping[str, Places]) -> Bools:
        """Which matches satisfy a condition. ``labels`` has ``match`` and ``matchend``, the first and last token."""
        self._labels, self._ends = labels, ends
        self._count = len(labels["match"])
        return self._holds(condition)

    def _holds(self, condition: Condition) -> Bools:
        match condition:
            case Anything():
                return np.ones(self._count, np.bool_)
            case And(parts):
                return np.asarray(np.logical_and.reduce([self._holds(part) for part in parts]))
            case Or(parts):
                return np.asarray(np.logical_or.reduce([self._holds(part) for part in parts]))
            case Not(part):
                return ~self._holds(part)
            case Test(Attribute(name=name, label=None)) if name in self._labels:
                return self._labels[name] >= 0
            case Test(Attribute() as attribute):
                return self._is_in(attribute)
            case Test(Call("is_prefix") as call):
                pairs = self._pairs(call)
                return pairs.spread(np.array([*map(truth, pairs.firsts, pairs.seconds)], np.bool_), False)
            case Test(Call("ignore")):
                return np.ones(self._count, np.bool_)
            case Comparison():
                return self._comparison(condition)
            case _:
                raise QueryError("this is no condition on labels")

    def _is_in(self, attribute: Attribute) -> Bools:
        """``a.np``: the token is in a region; ``a.Case``: it has a value."""
        if self._names.token_attribute(attribute.name) or not self._names.is_structure(attribute.name):
            return self._column(attribute).ids >= 0
        places = self._places(attribute.label or "match", attribute)
        inside = np.zeros(len(places), np.bool_)
        present = places >= 0
        inside[present] = self._evaluator.segment.structure(attribute.name).region_of(places[present]) >= 0
        return inside

    def _comparison(self, node: Comparison) -> Bools:
        left, right = node.left, node.right
        if self._is_column(left) and isinstance(right, Text | Interval):
            return self._with_constant(node, left, right)
        if self._is_column(right) and isinstance(left, Text):
            mirror = Comparison(right, _mirror(node.operator), left, node.negated, node.at)
            return self._with_constant(mirror, right, left)
        if self._is_column(left) and self._is_column(right):
            return self._compare_columns(node, left, right)
        first, second = self._numbers(left), self._numbers(right)
        answers = number_test(first - second, node.operator, 0) & ~np.isnan(first) & ~np.isnan(second)
        return np.asarray((answers != node.negated) & ~np.isnan(first) & ~np.isnan(second))

    def _is_column(self, operand: Operand) -> bool:
        if isinstance(operand, Attribute):
            return operand.label is not None or operand.name not in (*self._labels, THIS)
        return isinstance(operand, Call) and operand.name in STRINGS

    def _with_constant(self, node: Comparison, left: Operand, right: Text | Interval) -> Bools:
        column = self._texts(left)
        comparison = Comparison(Attribute(""), node.operator, right, node.negated)
        if column.attribute is not None:
            matching_ids = self._evaluator.id_set(ValueTest(column.attribute, comparison))
        else:
            matching_ids = id_set(column.lexicon, comparison)
        answers = np.zeros(len(column.ids), np.bool_)
        present = column.ids >= 0
        answers[present] = matching_ids.holds(column.ids[present])
        return answers

    def _compare_columns(self, node: Comparison, left: Operand, right: Operand) -> Bools:
        first, second = self._texts(left), self._texts(right)
        present = (first.ids >= 0) & (second.ids >= 0)
        if node.operator not in ("=", "=="):
            answers = self._compare_order(node.operator, first, second, present)
            return np.asarray(present & (answers != node.negated))
        if first.attribute is not None and second.attribute is not None:
            ids = first.ids
            if first.attribute != second.attribute:
                table = translation(self._evaluator.segment, first.attribute, second.attribute)
                ids = np.where(ids >= 0, table[np.maximum(ids, 0)], -1)
            return np.asarray(present & ((ids == second.ids) != node.negated))
        same = _strings(first) == _strings(second)
        return np.asarray(present & (same != node.negated))

    def _compare_order(self, operator: str, first: LabelValues, second: LabelValues, present: Bools) -> Bools:
        left, right = _strings(first), _strings(second)
        numeric = [_as_numbers(first), _as_numbers(second)]
        both = ~np.isnan(numeric[0]) & ~np.isnan(numeric[1])
        compare = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}[operator]
        answers: Bools = np.where(both, compare(*numeric), compare(left.astype(str), right.astype(str))) & present
        return answers

    def _texts(self, operand: Operand) -> LabelValues:
        """Strings: values of a label's token, what a function makes of them, or the same one for every match."""
        match operand:
            case Attribute():
                return self._column(operand)
            case Text(value):
                lexicon = ValueLexicon.of_strings(pa.array([value], pa.large_string()))
                return LabelValues(np.zeros(self._count, np.int64), lexicon)
            case Call(name) if name in STRINGS:
                pairs = self._pairs(operand)
                results = pa.array(strings_of(operand, pairs.firsts, pairs.seconds), pa.large_string())
                dictionary_array = results.dictionary_encode()
                numbers = dictionary_array.indices.to_numpy(zero_copy_only=False).astype(np.int64)
                return LabelValues(pairs.spread(numbers, -1), ValueLexicon.of_strings(dictionary_array.dictionary))
            case _:
                place = getattr(operand, "at", (0, 0))
                raise QueryError("this is no string", position=max(place[0], 0), length=place[1])

    def _pairs(self, call: Call) -> ValuePairs:
        """The different pairs of values of the arguments of a function."""
        first, second = (self._texts(argument) for argument in call.arguments)
        present = (first.ids >= 0) & (second.ids >= 0)
        size = max(second.lexicon.size, 1)
        keys, numbers = np.unique(first.ids[present] * size + second.ids[present], return_inverse=True)
        return ValuePairs(first.lexicon.values(keys // size), second.lexicon.values(keys % size), present, numbers)

    def _column(self, attribute: Attribute) -> LabelValues:
        places = self._places(attribute.label or "match", attribute)
        real = self._names.token_attribute(attribute.name)
        present = places >= 0
        ids = np.full(len(places), -1, np.int64)
        segment = self._evaluator.segment
        if real is not None:
            ids[present] = segment.attribute(real).ids_at(places[present])
            return LabelValues(ids, segment.attribute(real), real)
        pair = self._names.structure_attribute(attribute.name)
        if pair is not None:
            return self._region_column(pair, places)
        feature = self._names.feature(attribute.name)
        if feature is None:
            self._names.unknown_attribute(attribute)
        values, table = feature_values(segment, *feature)
        ids[present] = table[segment.attribute(feature[0]).ids_at(places[present])]
        return LabelValues(ids, values)

    def _region_column(self, pair: tuple[str, str], places: Places) -> LabelValues:
        structure = self._evaluator.segment.structure(pair[0])
        regions = np.full(len(places), -1, np.int64)
        present = places >= 0
        regions[present] = structure.region_of(places[present])
        values = structure.attribute(pair[1])
        ids = (
            np.where(regions >= 0, values.ids[np.maximum(regions, 0)].astype(np.int64), -1)
            if structure.size
            else regions
        )
        return LabelValues(ids, values)

    def _places(self, label: str, attribute: Attribute) -> Places:
        if label not in self._labels:
            self._names.unknown("label", label, tuple(self._labels), attribute.at)
        return self._labels[label]

    def _numbers(self, operand: Operand) -> Numbers:
        match operand:
            case Number(value):
                return np.full(self._count, float(value))
            case Attribute(name=name, label=None) if name in self._labels or name == THIS:
                return _missing(self._labels["match" if name == THIS else name])
            case Attribute():
                return _as_numbers(self._column(operand))
            case Call():
                return self._call(operand)
            case Text(value):
                try:
                    return np.full(self._count, float(value))
                except ValueError:
                    return np.full(self._count, np.nan)
            case _:
                raise QueryError("this cannot be compared with a number")

    def _call(self, call: Call) -> Numbers:
        values = call.arguments
        if call.name in DISTANCES and len(values) == 2:
            difference = self._numbers(values[1]) - self._numbers(values[0])
            has_sign = call.name == "dist" or (call.name == "distance" and not self._absolute)
            return difference if has_sign else np.abs(difference)
        if call.name in ("add", "sub", "mul") and len(values) == 2:
            first, second = self._numbers(values[0]), self._numbers(values[1])
            return {"add": first + second, "sub": first - second, "mul": first * second}[call.name]
        if call.name in ("is_prefix", "ignore"):
            return self._holds(Test(call)).astype(np.float64)
        if call.name in ("start", "end") and len(values) == 1 and isinstance(values[0], Attribute):
            return self._edge(call.name, values[0])
        if call.name in ("f", "strlen", "int", "ambiguity") and len(values) == 1 and self._is_column(values[0]):
            return self._measure(call, values[0])
        if call.name in ("lbound_of", "rbound_of") and len(values) == 2 and isinstance(values[0], Attribute):
            return self._boundary(call, values[0])
        raise QueryError(
            f"there is no function {call.name!r} of {len(values)} arguments (character {call.at[0] + 1})",
            position=max(call.at[0], 0),
            length=call.at[1],
        )

    def _edge(self, name: str, label: Attribute) -> Numbers:
        places = self._places(label.name, label)
        if name == "start":
            return _missing(places)
        return _missing(self._ends.get(label.name, np.where(places < 0, -1, places + 1)))

    def _measure(self, call: Call, operand: Operand) -> Numbers:
        column = self._texts(operand)
        if call.name == "f":
            if column.attribute is None:
                raise QueryError("f() takes an attribute of tokens", position=max(call.at[0], 0), length=call.at[1])
            table = frequencies(self._names.index, column.lexicon)
        elif call.name == "strlen":
            table = pc.utf8_length(column.lexicon.strings).to_numpy(zero_copy_only=False).astype(np.float64)
        elif call.name == "int":
            table = numbers_of(column.lexicon)
        elif getattr(column.lexicon, "multi", False):
            table = np.diff(np.asarray(column.lexicon.set_offsets, np.int64)).astype(np.float64)
        else:
            table = np.array([*map(member_count, column.lexicon.values(range(column.lexicon.size)))], np.float64)
        return (
            np.where(column.ids >= 0, table[np.maximum(column.ids, 0)], np.nan)
            if len(table)
            else np.full(self._count, np.nan)
        )

    def _boundary(self, call: Call, name: Attribute) -> Numbers:
        structure = self._evaluator.segment.structure(self._names.structure(name.name, name.at))
        places = self._numbers(call.arguments[1])
        regions = np.full(self._count, -1, np.int64)
        present = ~np.isnan(places)
        regions[present] = structure.region_of(places[present].astype(np.int64))
        edges = structure.starts if call.name == "lbound_of" else structure.ends - 1
        return np.where(regions >= 0, edges[np.maximum(regions, 0)].astype(np.float64), np.nan)


def _missing(places: Places) -> Numbers:
    return np.where(places < 0, np.nan, places.astype(np.float64))


def _mirror(operator: str) -> str:
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(operator, operator)


def _strings(column: LabelValues) -> npt.NDArray[Any]:
    strings = np.array([*column.lexicon.values(range(column.lexicon.size)), ""], object)
    return strings[column.ids]


def _as_numbers(column: LabelValues) -> Numbers:
    return np.append(numbers_of(column.lexicon), np.nan)[column.ids]


def feature_values(segment: Any, attribute: str, key: str) -> tuple[ValueLexicon, Places]:
    """The values of a feature such as Case, and for every set of features the value it has, −1 for none."""
    sets = segment.attribute(attribute)
    members = sets.set_values.values(range(sets.set_values.size))
    member_values = [member.partition("=")[2] if member.partition("=")[0] == key else None for member in members]
    distinct = sorted({value for value in member_values if value is not None})
    numbers = {value: number for number, value in enumerate(distinct)}
    of_member = np.array([-1 if value is None else numbers[value] for value in member_values], np.int64)
    table = np.full(sets.size, -1, np.int64)
    offsets = np.asarray(sets.set_offsets, np.int64)
    owners = np.repeat(np.arange(sets.size), np.diff(offsets))
    values = of_member[np.asarray(sets.set_members, np.int64)]
    present = values >= 0
    table[owners[present][::-1]] = values[present][::-1]
    return ValueLexicon.of_strings(pa.array(distinct, pa.large_string())), table
