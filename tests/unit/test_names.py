"""Names say what a thing is: a class name occurs once, and a participle never stands alone."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")])
CLASS = re.compile(r"^\s*class (\w+)", re.MULTILINE)
PARTICIPLES = "found|said|told|given|made|known|chosen|asked|held|built|named|picked|counted|fitted|meant|shown|listed"
ALONE = re.compile(rf"^\s*(?:def |self\.)?_?(?:{PARTICIPLES})(?:\(| = |: )", re.MULTILINE)
OF_THE_JSON = {"    known: bool", "    known: float"}
"""Fields that ``import --json`` and the tables of reports print under this name."""


def test_a_class_name_occurs_once() -> None:
    places = defaultdict(list)
    for path in FILES:
        if path.is_relative_to(ROOT / "src"):
            for name in CLASS.findall(path.read_text("utf-8")):
                places[name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_participle_never_stands_alone() -> None:
    lines = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in FILES
        for line in path.read_text("utf-8").splitlines()
        if ALONE.match(line) and not any(line.startswith(one) for one in OF_THE_JSON)
    ]
    assert lines == []
