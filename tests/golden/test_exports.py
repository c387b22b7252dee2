"""A small site in every format, plain and masked, compared with files that people have looked at.

After a change that is meant to be seen, write the files anew and look at the difference:

    python tests/golden/test_exports.py
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import paberki
from paberki.corpus import Corpus
from paberki.export.format_list import FORMATS

HERE = Path(__file__).parent
SITES = sorted(path.parent for path in HERE.glob("*/site.jsonl"))
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


@pytest.fixture(scope="module", params=SITES, ids=lambda site: site.name)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Corpus]:
    return request.param, build(request.param, tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("mask", [False, True], ids=["plain", "masked"])
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_exports(built: tuple[Path, Corpus], tmp_path: Path, form: str, mask: bool) -> None:
    site, corpus = built
    assert exported(corpus, form, tmp_path, mask=mask) == expected(site, form, mask=mask).read_bytes().decode("utf-8")


def write_all() -> None:
    """Write all expected files."""
    for site in SITES:
        with tempfile.TemporaryDirectory() as folder:
            corpus = build(site, Path(folder))
            for form in FORMATS:
                for mask in (False, True):
                    out = expected(site, form, mask=mask)
                    out.parent.mkdir(exist_ok=True)
                    out.write_bytes(exported(corpus, form, Path(folder), mask=mask).encode("utf-8"))
            sys.stdout.write(f"{site.name}: {len(list(corpus.pages('id')))} pages\n")


if __name__ == "__main__":
    write_all()
