# mypy: ignore-errors
"""Ways through an automaton with the labels they set, compiled: see :mod:`paberki.query.matching.automata.bindings`.

A way reads one token per step, so that its depth is its length. Ways are tried in order of preference.

Invariants: ``nodes[s]:nodes[s + 1]`` are the edges of state s, the last state stands for the beginning; rows of ``stack``
and ``out`` have two numbers before the registers; ``stack`` has more rows than the longest run has tokens.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import reads, types, writes

OPEN: Final = -2
"""The end of a run that had to stop before it was clear."""
BEGIN, LENGTH, GOAL = 0, 1, 2
"""Columns of ``runs``: place in the masks; tokens, negative where the run is cut off; the end to reach or −1."""
TARGET, SETS, IS_FINAL = 0, 1, 2
"""Columns of ``edges``: state, bits of the registers that are set, whether the state is final."""
STATE, OWN, OTHER, REGISTER, NEGATED = 0, 1, 2, 3, 4
"""Columns of ``checks``: the state's token must have in column OWN what a label's token has in OTHER, or not."""
SOURCE, CURSOR, REGISTERS = 0, 1, 2
DONE, ROWS, STEPS = 0, 1, 2
"""Places of ``progress``: runs that are complete, rows written, steps taken (set to the most that are allowed before)."""
_WORD: Final = 6
_LAST_BIT: Final = 63
_ONE: Final = np.uint64(1)
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(32)


@inner
def _mix(key, value):
    key = (key ^ np.uint64(value)) * _MIX
    return key ^ (key >> _HALF)


@inner
def _checks_hold(checks, columns, stack, depth, begin, target):
    """Whether the token after ``depth`` tokens has the values that labels ask for."""
    for number in range(checks.shape[0]):
        if checks[number, STATE] == target:
            place = stack[depth + 1, REGISTERS + checks[number, REGISTER]]
            if place < 0:
                return False
            same = (
                columns[checks[number, OWN], begin + depth] == columns[checks[number, OTHER], begin + place]
                and columns[checks[number, OWN], begin + depth] >= 0
            )
            if same == (checks[number, NEGATED] != 0):
                return False
    return True


@kernel(
    reads(types.uint64, 2), reads(types.int64, 2), reads(types.int64), reads(types.int64, 2), reads(types.int64, 2),
    reads(types.int64, 2), writes(types.int64, 2), writes(types.uint64), writes(types.int64, 2), writes(types.int64),
    returns=types.void,
)  # fmt: skip
def enumerate_ways(fails, runs, nodes, edges, columns, checks, stack, memory, out, progress):
    """Write run, end and registers (all relative to the run's beginning, −1 for none) of every way that ends.

    Runs with a goal write the first way to it alone. Stops before a run for which there is no room or no more steps.
    """
    registers = stack.shape[1] - REGISTERS
    start = len(nodes) - 2
    most = progress[STEPS]
    steps = rows = np.int64(0)
    progress[DONE] = progress[ROWS] = 0
    for number in range(runs.shape[0]):
        begin, length, goal = runs[number, BEGIN], abs(runs[number, LENGTH]), runs[number, GOAL]
        is_open = False
        stack[0, SOURCE], stack[0, CURSOR] = start, nodes[start]
        for register in range(registers):
            stack[0, REGISTERS + register] = -1
        depth = np.int64(0)
        while depth >= 0:
            edge = stack[depth, CURSOR]
            if edge == nodes[stack[depth, SOURCE] + 1]:
                depth -= 1
                continue
            stack[depth, CURSOR] += 1
            steps += 1
            if steps > most:
                progress[STEPS] = -1
                return
            target = edges[edge, TARGET]
            if (fails[begin + depth, target >> _WORD] >> np.uint64(target & _LAST_BIT)) & _ONE:
                continue
            key = _mix(_mix(_mix(_MIX, number), target), depth)
            for register in range(registers):
                place = stack[depth, REGISTERS + register]
                if (edges[edge, SETS] >> register) & 1:
                    place = depth
                stack[depth + 1, REGISTERS + register] = place
                key = _mix(key, place)
            if edges[edge, IS_FINAL]:
                if depth > 0 and (goal < 0 or depth == goal):
                    if rows == out.shape[0]:
                        return
                    out[rows, 0], out[rows, 1] = number, depth
                    for register in range(registers):
                        out[rows, 2 + register] = stack[depth + 1, REGISTERS + register]
                    rows += 1
                    if goal >= 0:
                        break
                continue
            if depth >= length or depth == goal:
                is_open = is_open or runs[number, LENGTH] < 0
                continue
            if not _checks_hold(checks, columns, stack, depth, begin, target):
                continue
            slot = key & np.uint64(len(memory) - 1)
            if memory[slot] == key:
                continue
            memory[slot] = key
            depth += 1
            stack[depth, SOURCE], stack[depth, CURSOR] = target, nodes[target]
        if is_open:
            if rows == out.shape[0]:
                return
            out[rows, 0], out[rows, 1] = number, OPEN
            rows += 1
        progress[DONE], progress[ROWS] = number + 1, rows
