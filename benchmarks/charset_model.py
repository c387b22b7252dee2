"""Make the model of encodings that is in the package: ``python benchmarks/charset_model.py``.

Texts are looked for in ``PABERKI_DATA`` (default ``../shared/data``); they stay there, the model holds counts only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from decode_cases import half, read_jsonl

from paberki.decoding.charset_training import train
from paberki.decoding.letter_counts import SHIPPED, Counts, write_counts
from paberki.decoding.training_texts import read_texts

SOURCES = (
    "Universal Dependencies treebanks, training parts in 38 languages, text only (CC BY-SA 3.0/4.0, some CC BY-NC-SA)",
    "ReLDI-NormTagNER-hr, SETimes.SR, Janes-Tag, training parts, text only (CC BY-SA 4.0)",
    "GNOME user documentation 43 in 18 languages (CC BY-SA 3.0)",
    "DSL Corpus Collection 2014 and 2015, Bosnian, Croatian, Serbian news sentences (research use)",
    "development halves of the DAnIEL, Fundus, trafilatura and other sets of news pages (counts only)",
)
TREEBANKS = "hr.train hr.web.train sr.train sr.morph.train sl.web.train sk.train en.train de.train ja.train"


def data_directory() -> Path:
    """Where the texts are."""
    return Path(os.environ.get("PABERKI_DATA", Path(__file__).parents[2] / "shared" / "data"))


def texts(data: Path, side: int | None = None) -> Iterator[tuple[str, str]]:
    """All texts, or all but the documents on the other side."""
    for row in read_jsonl(data / "encoding" / "texts.dev.jsonl.xz"):
        if side is None or half(row["name"].partition("|")[2]) == side:
            yield row["lang"], row["text"]
    for name in ("langid/ud_train_text.jsonl.xz", "langid/hbs_train.jsonl.xz"):
        yield from read_texts(data / name)
    for name in TREEBANKS.split():
        yield from read_texts(data / "treebanks" / f"{name}.conllu.xz")


def model_of_half(data: Path, side: int) -> Counts:
    """A model that has not seen the documents of the other side."""
    return train(texts(data, side), SOURCES)


if __name__ == "__main__":
    write_counts(SHIPPED, train(texts(data_directory()), SOURCES))
    print(f"{SHIPPED}: {SHIPPED.stat().st_size:,} bytes")
