"""Comments of readers in exports: paragraphs of a type of their own, left out by a rule."""

from __future__ import annotations

import re
from pathlib import Path

import paberki
from corpora import article

PAGE = article(1).replace(
    "<div id=footer>",
    "<div id=comments><ol><li class=comment><div class=comment-body><p>Mislim da je to odlična vijest za sve nas u ovom "
    "gradu.</p></div></li><li class=comment><div class=comment-body><p>Ja se ne slažem, jer nas opet nitko nije pitao što "
    "mislimo o tome.</p></div></li></ol></div><div id=footer>",
)
RULE = """
[[select.blocks]]
reason = "comment"
drop = "block.label = 'comment'"
"""


def vertical(folder: Path, rule: str = "") -> str:
    """A vertical file of a corpus of this page and some without comments."""
    pages = folder / "pages"
    pages.mkdir(parents=True)
    for number in range(2, 5):
        (pages / f"{number}.html").write_text(article(number), "utf-8")
    (pages / "1.html").write_text(PAGE, "utf-8")
    corpus = paberki.new(folder / "hr", lang="hr")
    recipe = corpus.directory.recipe
    recipe.write_text('remove = ["annotate.v1"]\n' + recipe.read_text("utf-8") + rule, "utf-8")
    corpus.add([pages])
    corpus.build(jobs=1)
    corpus.export("vert", folder / "hr.vert")
    return (folder / "hr.vert").read_text("utf-8")


def test_comments_are_paragraphs_of_their_own_type(tmp_path: Path) -> None:
    text = vertical(tmp_path)
    assert re.findall(r'<p type="comment"[^>]* post="(\d)"', text) == ["1", "2"]
    assert "odlična" in text
    assert text.count("<p ") + text.count("<p>") > 20


def test_a_rule_leaves_them_out(tmp_path: Path) -> None:
    text = vertical(tmp_path, RULE)
    assert "comment" not in text
    assert "odlična" not in text
