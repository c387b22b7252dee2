"""How right a method is on texts with known languages, and where two methods differ (P3 §5).

Disagreements are judged by people: a seeded sample of them is written out, one JSON object per line with an empty
``right``, into which the judge writes the code of the right language, or NA for a text in several; the same file is
read back and counted.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from paberki.errors import ConfigError, InputError
from paberki.identification.answer import Identification
from paberki.identification.methods.method_registry import Method
from paberki.identification.training.calibration import calibration_error
from paberki.store.files import write_text

UNKNOWN: Final = "und"
MIXED: Final = "NA"
CLOSE: Final = {"bs": "hbs", "hr": "hbs", "sr": "hbs", "sh": "hbs", "nb": "no", "nn": "no"}
"""Close languages, counted as one in the merged accuracy."""
_PIECE: Final = 2000

Text = tuple[str, str]


@dataclass(frozen=True, slots=True)
class LanguageResult:
    """The answers of a method, with the right ones."""

    method: str
    right: Sequence[str]
    answers: Sequence[Identification]
    seconds: float

    @property
    def languages(self) -> list[str]:
        """Languages that were answered."""
        return [answer.lang or UNKNOWN for answer in self.answers]

    @property
    def accuracy(self) -> float:
        """Share of texts whose language was found."""
        return _share(self.languages, self.right)

    @property
    def merged(self) -> float:
        """The same with close languages counted as one."""
        return _share([CLOSE.get(one, one) for one in self.languages], [CLOSE.get(one, one) for one in self.right])

    @property
    def calibration(self) -> float:
        """Expected calibration error of the probabilities of the answers."""
        sure = [answer.probs.get(answer.lang or "", 0.0) for answer in self.answers]
        return calibration_error(sure, [one == other for one, other in zip(self.languages, self.right, strict=True)])

    def confusion(self) -> Counter[tuple[str, str]]:
        """How often each language was taken for each."""
        return Counter(zip(self.right, self.languages, strict=True))

    def by_language(self) -> list[tuple[str, int, float, float]]:
        """Language, texts, share found (recall), share of its answers that are right (precision)."""
        counts = self.confusion()
        total, answered = Counter(self.right), Counter(self.languages)
        return [
            (name, total[name], counts[name, name] / total[name], counts[name, name] / max(answered[name], 1))
            for name in sorted(total)
        ]


def _share(answers: Sequence[str], right: Sequence[str]) -> float:
    return sum(one == other for one, other in zip(answers, right, strict=True)) / max(len(right), 1)


def evaluate(
    texts: Sequence[Text], name: str, method: Method, languages: Sequence[str] | None = None
) -> LanguageResult:
    """Let a method identify all texts."""
    start = time.process_time()
    answers = method.identify([text for _, text in texts], languages)
    return LanguageResult(name, [lang for lang, _ in texts], answers, time.process_time() - start)


def agreement(one: LanguageResult, other: LanguageResult) -> float:
    """Share of texts about which two methods say the same."""
    return _share(one.languages, other.languages)


def write_pool(
    path: Path, texts: Sequence[Text], one: LanguageResult, other: LanguageResult, size: int, seed: int
) -> int:
    """Write a sample of the texts about which two methods differ, to be judged; their number."""
    differ = [row for row, pair in enumerate(zip(one.languages, other.languages, strict=True)) if pair[0] != pair[1]]
    sample = sorted(random.Random(seed).sample(differ, min(size, len(differ))))  # noqa: S311 - a sample, no secret
    lines = (
        json.dumps(
            {
                "row": row, one.method: one.languages[row], other.method: other.languages[row], "right": "",
                "text": texts[row][1][:_PIECE],
            },
            ensure_ascii=False,
        )
        for row in sample
    )  # fmt: skip
    write_text(path, "".join(f"{line}\n" for line in lines))
    return len(sample)


@dataclass(frozen=True, slots=True)
class JudgedPool:
    """How the judge decided about disagreements of two methods."""

    methods: tuple[str, str]
    first: int
    second: int
    neither: int
    mixed: int
    open: int
    """Not judged yet."""


def read_pool(path: Path) -> JudgedPool:
    """Count a judged sample."""
    rows = list(_rows(path))
    if not rows:
        raise ConfigError(f"{path}: nothing to count")
    one, other = (name for name in rows[0] if name not in ("row", "right", "text"))
    tally: Counter[str] = Counter()
    for row in rows:
        right = str(row["right"]).strip()
        kinds = {"": "open", MIXED: "mixed", MIXED.lower(): "mixed", str(row[one]): "first", str(row[other]): "second"}
        tally[kinds.get(right, "neither")] += 1
    return JudgedPool((one, other), tally["first"], tally["second"], tally["neither"], tally["mixed"], tally["open"])


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            names = [name for name in row if name not in ("row", "right", "text")]
            if len(names) != 2 or "right" not in row:
                raise ValueError("not two methods and 'right'")
        except (ValueError, TypeError) as error:
            raise ConfigError(f"{path}, line {number}: not a line of a pool of disagreements ({error})") from error
        yield row
