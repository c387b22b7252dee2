"""Which values of a lexicon match a string of a query.

Strings that are literals, or literals with ``.*`` around them, are looked up or searched for as bytes. Everything else goes
to RE2 (through Arrow), whose time is linear in the text whatever the pattern. What RE2 cannot do (look-around, references
to groups) goes to the ``regex`` package, which stops after some seconds.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from paberki.arrow import pa, pc
from paberki.errors import QueryError
from paberki.kernels import load
from paberki.query.index.folding import Kind, fold_strings
from paberki.query.index.lexicon import lexicon_strings
from paberki.query.matching.budget import check_time
from paberki.query.matching.conditions.beginnings import leading_strings
from paberki.query.matching.conditions.id_set import IdSet, union
from paberki.query.matching.conditions.look_around import (
    UCP,
    edge_condition,
    possessive_signs,
    spelled_out,
    wider_patterns,
    without_needless_look,
)
from paberki.query.matching.distinct import distinct

_KERNEL: Final = "paberki.query.matching.conditions.literals_kernel"
_META: Final = frozenset(".^$*+?{}[]|()\\")
_BEYOND_RE2: Final = re.compile(r"\(\?<?[=!]|\(\?>|\\[1-9]|\\[gk][{<]")
_ESCAPED_LETTER: Final = re.compile(r"\\(\\|[^\x00-\x7f])")
_MARKS: Final = re.compile(r"[\u0300-\u036f]")
_UNICODE: Final = {"\\w": r"\p{L}\p{N}\p{M}_", "\\d": r"\p{Nd}"}
_SECONDS: Final = 5.0
"""How long a pattern with look-around may take on one lexicon."""
_VALUE_SECONDS: Final = 0.08
"""A value that takes longer would take for ever."""
_FEW: Final = 4096
_MOST_STRINGS: Final = 4
"""Strings that are searched for one by one; an engine for patterns takes as long as five of them."""


class PatternTargets(Protocol):
    """What patterns are matched against."""

    lexicon_bytes: npt.NDArray[np.uint8]

    @property
    def size(self) -> int: ...
    @property
    def lexicon_offsets(self) -> npt.NDArray[np.int64]: ...
    @property
    def strings(self) -> pa.Array: ...
    def id_of(self, text: str) -> int: ...
    def prefix_ids(self, prefix: str) -> npt.NDArray[Any]: ...


def literal_of(pattern: str) -> str | None:
    """The string that a pattern without operators matches, None where it has operators."""
    letters = []
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            at += 1
            sign = pattern[at : at + 1]
            if not sign or (sign.isascii() and sign.isalnum()):
                return None
        elif sign in _META:
            return None
        letters.append(sign)
        at += 1
    return "".join(letters)


def alternatives_of(pattern: str) -> list[str] | None:
    """The strings of ``a|b|c`` or ``(a|b|c)``, None where one of them has operators."""
    inside = pattern[1:-1] if pattern.startswith("(") and pattern.endswith(")") else pattern
    if "|" not in inside or re.search(r"\\\|", inside):
        return None
    strings = [literal_of(part) for part in inside.split("|")]
    return None if None in strings else [one for one in strings if one is not None]


def surrounded_literal(pattern: str) -> tuple[str, bool, bool] | None:
    """``.*abc.*`` as its literal and whether ``.*`` stands before and after it."""
    before = pattern.startswith(".*")
    after = pattern.endswith(".*") and len(pattern) > 2 and not pattern.endswith("\\.*")
    inside = pattern[2 if before else 0 : -2 if after else len(pattern)]
    literal = literal_of(inside)
    return None if not literal else (literal, before, after)


def _is_beyond_re2(pattern: str) -> bool:
    """Whether a pattern has look-around, references, or parts that give nothing back."""
    return _BEYOND_RE2.search(pattern) is not None or ("+" in pattern and bool(possessive_signs(pattern)))


def surrounded_alternatives(pattern: str) -> list[tuple[str, bool, bool]] | None:
    """The same for each of several strings: ``.*(ost|nje)``."""
    before, after = pattern.startswith(".*"), pattern.endswith(").*")
    inside = pattern[2 if before else 0 : -2 if after else len(pattern)]
    if not (before or after) or not inside.startswith("(") or inside.startswith("(?"):
        return None
    strings = alternatives_of(inside)
    if strings is None or len(strings) > _MOST_STRINGS or "" in strings:
        return None
    return [(one, before, after) for one in strings]


def check(pattern: str) -> None:
    """Raise a :class:`QueryError` if this is no regular expression."""
    if (
        literal_of(pattern) is not None
        or alternatives_of(pattern) is not None
        or surrounded_literal(pattern) is not None
        or surrounded_alternatives(pattern) is not None
    ):
        return
    if _is_beyond_re2(pattern):
        _compiled_beyond(spelled_out(pattern), "")
        return
    try:
        for whole in (_for_re2(pattern), _with_anchors(pattern, "")):  # the brackets of a)(b match only between others
            pc.match_substring_regex(_one_string("x"), whole)
    except pa.ArrowInvalid as error:
        reason = str(error).removeprefix("Invalid regular expression: ").rpartition(": ")[0] or str(error)
        raise QueryError(f"the regular expression {pattern[:60]!r} is wrong: {reason}") from None


def matching(values: PatternTargets, pattern: str, ignore_case: bool = False) -> IdSet:
    """Ids of the values that a regular expression matches as a whole."""
    size = values.size
    if not ignore_case:
        literal = literal_of(pattern)
        if literal is not None:
            return IdSet.of_ids(size, values.id_of(literal))
        strings = alternatives_of(pattern)
        if strings is not None:
            return IdSet.of_ids(size, *(values.id_of(one) for one in strings))
        infix = surrounded_literal(pattern)
        if infix is not None:
            return _containing(values, *infix)
        infixes = surrounded_alternatives(pattern)
        if infixes is not None:
            return union(size, [_containing(values, *one) for one in infixes])
    if pattern == ".*":
        return IdSet(size, table=np.ones(size, np.bool_))
    if _is_beyond_re2(pattern):
        pattern = spelled_out(pattern)
        part_matches = _by_parts(values, pattern, ignore_case, lambda part: matching(values, part, ignore_case))
        return part_matches if part_matches is not None else _beyond(values, pattern, ignore_case)
    leading = None if ignore_case else leading_strings(pattern)
    if leading is not None:
        ids = distinct(np.concatenate([values.prefix_ids(one) for one in leading.strings]).astype(np.int64))
        if leading.rest == ".*":
            return IdSet(size, ids)
        if len(ids) <= max(_FEW, size // 4):
            return IdSet(size, ids[_re2(values.strings.take(_numbers(ids)), pattern, False)])
    return IdSet(size, table=_re2(values.strings, pattern, ignore_case))


def _one_string(text: str) -> pa.Array:
    """An Arrow array of one string. ``pa.array`` would import pandas, which takes longer than most queries."""
    raw = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
    return lexicon_strings(raw, np.array([0, len(raw)], np.int64))


def _numbers(ids: npt.NDArray[Any]) -> pa.Array:
    """Ids as an Arrow array, for the same reason."""
    return pa.Array.from_buffers(pa.int64(), len(ids), [None, pa.py_buffer(np.ascontiguousarray(ids, np.int64))])


def _fold(text: str, kind: Kind) -> str:
    """A string of a query without capitals, diacritics or both."""
    folded_text: str = fold_strings(_one_string(text), kind)[0].as_py()
    return folded_text


def _containing(values: PatternTargets, literal: str, before: bool, after: bool) -> IdSet:
    if not before:
        return IdSet(values.size, np.sort(values.prefix_ids(literal)))
    raw = np.frombuffer(literal.encode("utf-8", "surrogatepass"), np.uint8)
    out = np.zeros(values.size, np.bool_)
    kernel = load(_KERNEL)
    if after:
        kernel.containing(values.lexicon_bytes, values.lexicon_offsets, raw, _rarest(values, raw), out)
    else:
        kernel.ending_with(values.lexicon_bytes, values.lexicon_offsets, raw, out)
    return IdSet(values.size, table=out)


def _starting(values: PatternTargets, literal: str, whole: bool) -> IdSet:
    """The same as :meth:`id_of` and :meth:`prefix_ids` for lexicons whose order is not stored: they are read through."""
    raw = np.frombuffer(literal.encode("utf-8", "surrogatepass"), np.uint8)
    if not len(raw):
        return IdSet.of_ids(values.size, values.id_of(""))
    out = np.zeros(values.size, np.bool_)
    load(_KERNEL).starting_with(values.lexicon_bytes, values.lexicon_offsets, raw, whole, out)
    return IdSet(values.size, table=out)


def _rarest(values: PatternTargets, literal: npt.NDArray[np.uint8]) -> int:
    """Place of the byte of a literal that is rarest in a stretch of the lexicon."""
    counts = np.bincount(values.lexicon_bytes[:65536], minlength=256)
    return int(np.argmin(counts[literal]))


def _with_anchors(pattern: str, flags: str) -> str:
    """A pattern for RE2 that must match the whole value."""
    return f"(?{flags}s)^(?:{_for_re2(pattern)})$"


def _for_re2(pattern: str) -> str:
    """A pattern as RE2 spells it."""
    if pattern.startswith(UCP):
        pattern = pattern[len(UCP) :]
        for escape, letters in _UNICODE.items():
            inside = re.compile(rf"(\[[^\]]*){re.escape(escape)}")
            while (match := inside.search(pattern)) is not None:
                pattern = pattern[: match.end(1)] + letters + pattern[match.end() :]
            pattern = pattern.replace(escape, f"[{letters}]")
    return _ESCAPED_LETTER.sub(lambda match: match[0] if match[1] == "\\" else match[1], pattern)


def _re2(strings: pa.Array, pattern: str, ignore_case: bool) -> npt.NDArray[np.bool_]:
    try:
        answers = pc.match_substring_regex(strings, _with_anchors(pattern, "i" if ignore_case else ""))
    except pa.ArrowInvalid as error:
        raise QueryError(f"the regular expression {pattern[:60]!r} is wrong: {error}") from None
    return bools(answers)


def bools(answers: pa.Array) -> npt.NDArray[np.bool_]:
    """Arrow's truth values without nulls as numpy has them; ``to_numpy`` would import pandas."""
    if not len(answers):
        return np.zeros(0, np.bool_)
    bits = np.frombuffer(answers.buffers()[1], np.uint8)
    return np.unpackbits(bits, count=answers.offset + len(answers), bitorder="little")[answers.offset :].astype(
        np.bool_
    )


def _compiled_beyond(pattern: str, flags: str) -> Any:
    try:
        import regex
    except ImportError:
        raise QueryError(
            f"the regular expression {pattern[:60]!r} needs look-around or references; type: pip install regex"
        ) from None
    try:
        regex.compile(pattern)  # the brackets of a)(b match only between others
        return regex.compile(f"(?{flags}s)(?:{pattern})")
    except regex.error as error:
        raise QueryError(f"the regular expression {pattern[:60]!r} is wrong: {error}") from None


def _by_parts(
    values: PatternTargets, pattern: str, ignore_case: bool, match_part: Callable[[str], IdSet]
) -> IdSet | None:
    """Look-around by sets of ids, and the engine without bound for what linear time leaves; None where that cannot be."""
    try:
        simpler = without_needless_look(pattern)
        if simpler is not None:
            return match_part(simpler)
        edge = edge_condition(pattern)
        if edge is not None:
            besides = match_part(edge.condition)
            return match_part(edge.rest) & (~besides if edge.negated else besides)
        candidates = None
        for wider in wider_patterns(pattern):
            if not _is_beyond_re2(wider):
                others = match_part(wider)
                candidates = others if candidates is None else candidates & others
    except QueryError:
        return None  # one engine understands what the other does not
    return None if candidates is None else _beyond(values, pattern, ignore_case, candidates.ids)


def _beyond(
    values: PatternTargets, pattern: str, ignore_case: bool, candidates: npt.NDArray[np.int64] | None = None
) -> IdSet:
    """Patterns that need time without bound get some seconds, and for one value much less."""
    regex = _compiled_beyond(pattern, "i" if ignore_case else "")
    deadline = time.monotonic() + _SECONDS
    ids = np.arange(values.size) if candidates is None else candidates
    holds = np.zeros(len(ids), np.bool_)
    try:
        for low in range(0, len(ids), _FEW):
            check_time()
            if time.monotonic() > deadline:
                raise TimeoutError
            some = values.strings.take(_numbers(ids[low : low + _FEW])).to_pylist()
            holds[low : low + _FEW] = [_matches(regex, value) for value in some]
    except TimeoutError:
        raise QueryError(
            f"the regular expression {pattern[:60]!r} takes too long; write it without look-around"
        ) from None
    return IdSet(values.size, np.sort(ids[holds]))


def _matches(regex: Any, value: str) -> bool:
    """Whether a value matches. One that seems to take long gets a second chance: the machine may be busy."""
    try:
        return regex.fullmatch(value, timeout=_VALUE_SECONDS) is not None
    except TimeoutError:
        check_time()
        return regex.fullmatch(value, timeout=_VALUE_SECONDS) is not None


def folded_matching(attribute: Any, pattern: str, flags: Kind, literal: bool) -> IdSet:
    """The same without regard to case (c), diacritics (d) or both, for an attribute with folded values."""
    plain = pattern if literal else literal_of(pattern)
    strings = None if plain is not None else alternatives_of(pattern)
    infix = None if literal or plain is not None else surrounded_literal(pattern)
    if plain is None and strings is None and infix is None and flags == "c":
        if _is_beyond_re2(pattern):
            spelled_pattern = spelled_out(pattern)
            parts = _by_parts(
                attribute, spelled_pattern, True, lambda part: folded_matching(attribute, part, "c", False)
            )
            if parts is not None:
                return parts
        return matching(attribute, pattern, ignore_case=True)
    lexicon = attribute.folded_lexicon(flags)
    if plain is not None:
        entries = _starting(lexicon, _fold(plain, flags), True)
    elif strings is not None:
        entries = union(lexicon.size, [_starting(lexicon, one, True) for one in {_fold(one, flags) for one in strings}])
    elif infix is not None and not infix[1]:
        entries = _starting(lexicon, _fold(infix[0], flags), False)
    elif infix is not None:
        entries = _containing(lexicon, _fold(infix[0], flags), *infix[1:])
    else:
        bare = _fold(pattern, "d")
        entries = matching(lexicon, bare, ignore_case="c" in flags)
    if len(entries.ids) == 1:
        return IdSet(attribute.size, np.flatnonzero(lexicon.ids == entries.ids[0]))
    return IdSet(attribute.size, table=entries.table[lexicon.ids])


__all__ = ["check", "folded_matching", "literal_of", "matching", "union"]
