"""A corpus is built and looked at in a real notebook."""

from __future__ import annotations

import json
from pathlib import Path

import nbclient
import nbformat

from corpora import article

CELLS = (
    "import paberki\ncorpus = paberki.new('hr', lang='hr')\ncorpus.add('web.jsonl')\nbuilt = corpus.build(jobs=1)",
    "corpus",
)


def test_a_build_draws_a_bar_and_a_corpus_a_table(tmp_path: Path) -> None:
    rows = [{"url": f"http://a.hr/{number}", "html": article(number)} for number in range(3)]
    (tmp_path / "web.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    (bar,) = [one for one in book.cells[0].outputs if one.output_type == "display_data"]
    assert "<progress" in bar.data["text/html"]
    assert "pages" in bar.data["text/html"]
    assert "verdict" in book.cells[1].outputs[0].data["text/html"]
