"""Small sites as exports, compared with files that people have looked at: one in every format, plain and masked, and one
in each of five other languages in the formats that show most.

After a change that is meant to be seen, write the files anew and look at the difference:

    python tests/golden/test_exports.py
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import paberki
from paberki.corpus import Corpus
from paberki.export.format_list import FORMATS

HERE = Path(__file__).parent
IN_EVERY_FORMAT = "hr"
NEEDS = {"ja": ("fugashi", "unidic_lite")}
"""What the annotation of a language needs beside the package."""
SITES = sorted(path.parent for path in HERE.glob("*/site.jsonl"))
CASES = [
    (site, form, mask)
    for site in SITES
    for form, mask in (
        [(form, mask) for form in sorted(FORMATS) for mask in (False, True)]
        if site.name == IN_EVERY_FORMAT
        else [("conllu", False), ("jsonl", True), ("text", False)]
    )
]
RECIPE = """
[[select.pages]]
reason = "not-connected"
drop = ""
"""


def build(site: Path, root: Path) -> Corpus:
    """The corpus of a site; the name of its folder is the language."""
    corpus = paberki.new(root / site.name, lang=site.name, name=site.name)
    with corpus.directory.recipe.open("a", encoding="utf-8") as file:
        file.write(RECIPE)
    corpus.add([site / "site.jsonl"])
    corpus.build(jobs=1)
    return corpus


def exported(corpus: Corpus, form: str, folder: Path, *, mask: bool) -> str:
    """What a format says; a table as JSON lines."""
    out = folder / f"{form}-{mask}"
    corpus.export(form, out, mask=mask)
    if form != "parquet":
        text = re.sub(r"[\w-]+\.warc\.gz", "site.warc.gz", out.read_bytes().decode("utf-8"))
        return re.sub(r"\"offset\": \d+, \"length\": \d+", '"offset": 0, "length": 0', text)
    rows = pq.read_table(out).to_pylist()
    return "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)


def expected(site: Path, form: str, *, mask: bool) -> Path:
    """The file to compare with."""
    return site / "expected" / f"{form}{'-masked' if mask else ''}.txt"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Corpus]:
    @cache
    def corpus_of(site: Path) -> Corpus:
        for module in NEEDS.get(site.name, ()):
            pytest.importorskip(module)
        return build(site, tmp_path_factory.mktemp("golden"))

    return corpus_of


@pytest.mark.parametrize(("site", "form", "mask"), CASES, ids=lambda value: getattr(value, "name", str(value)))
def test_exports(built: Callable[[Path], Corpus], tmp_path: Path, site: Path, form: str, mask: bool) -> None:
    text = expected(site, form, mask=mask).read_bytes().decode("utf-8")
    assert exported(built(site), form, tmp_path, mask=mask) == text


@pytest.mark.parametrize("site", [site for site in SITES if site.name != IN_EVERY_FORMAT], ids=lambda site: site.name)
def test_articles_stay_and_the_rest_has_reasons(built: Callable[[Path], Corpus], site: Path) -> None:
    rows = built(site).pages("url", "reason", "lang", kept=False)
    pages = {str(row["url"]).split("/", 3)[3]: (row["lang"], row["reason"]) for row in rows}
    (copy,) = [path for path in pages if path.startswith("print/")]
    assert pages.pop(copy) == (site.name, "duplicate")
    assert pages.pop("en") == ("en", "other-language")
    assert pages.pop("n")[1] in ("too-short", "no-text")
    assert set(pages.values()) == {(site.name, None)}
    assert len(pages) == 7


def write_all() -> None:
    """Write all expected files."""
    for site in SITES:
        with tempfile.TemporaryDirectory() as folder:
            corpus = build(site, Path(folder))
            for form, mask in [case[1:] for case in CASES if case[0] == site]:
                out = expected(site, form, mask=mask)
                out.parent.mkdir(exist_ok=True)
                out.write_bytes(exported(corpus, form, Path(folder), mask=mask).encode("utf-8"))
            sys.stdout.write(f"{site.name}: {len(list(corpus.pages('id')))} pages\n")


if __name__ == "__main__":
    write_all()
