"""Names that people give topics (P1 §3 names them by hand), in a file beside the report.

The file is CSV: a name and the words of the topic. A topic of a later model gets the name of the entry with which it shares
most words, at least half of them, so that names survive a corpus that has grown.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from paberki.errors import InputError
from paberki.store.files import write_text

FILE: Final = "topic-names.csv"
_HEAD: Final = ("name", "words")
_MOST_BYTES: Final = 1 << 24


@dataclass(frozen=True, slots=True)
class TopicNames:
    """Named sets of words."""

    entries: Sequence[tuple[str, frozenset[str]]]
    path: Path | None = None

    def of(self, words: Sequence[str]) -> str:
        """The name of a topic with these words; empty where nobody has named it."""
        best, most = "", (len(words) + 1) // 2
        for name, topic_words in self.entries:
            common = len(topic_words & set(words))
            if name and common >= most:
                best, most = name, common + 1
        return best


def read_names(path: Path) -> TopicNames:
    """The names in a file; none where there is no such file."""
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        return TopicNames((), path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: names of topics cannot be read ({error}); save the file as CSV UTF-8") from error
    first = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    entries = [((row.get("name") or "").strip(), frozenset((row.get("words") or "").split())) for row in rows]
    return TopicNames(entries, path)


def write_names(path: Path, topics: Sequence[Sequence[str]], names: TopicNames) -> None:
    """Write all topics of a model with the names they have, for people to add others."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEAD)
    writer.writerows((names.of(words), " ".join(words)) for words in topics)
    write_text(path, text.getvalue())
