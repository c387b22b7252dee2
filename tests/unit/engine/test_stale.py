"""Change one thing: these layers are stale, those are not, and the plan says why.

Select reads the errors of every layer, so it is stale with any of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from corpora import copy_of, corpus_of, write_pages
from paberki import corpus_file
from paberki.corpus import Corpus
from paberki.engine.dry_run import forecast
from paberki.errors import ConfigError

RECIPE = """
[linear_tone]
file = "tone.json"
[marks]
lists = ["ads=lists/ads.txt"]
"""
STAGES = (
    'stages = ["captures.v1", "decode.model.v1", "extract.learned.v1", "quality.linear.tone.v1", '
    '"quality.marks.v1", "dedup.exact.v1", "select.v1"]\n'
)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("stale")
    made = corpus_of(folder / "corpus", write_pages(folder / "pages", 6), recipe=RECIPE)
    recipe = made.directory.recipe
    recipe.write_text(STAGES + recipe.read_text("utf-8"), "utf-8")
    (made.root / "lists").mkdir()
    (made.root / "lists/ads.txt").write_text("oglasi.hr\n")
    (made.root / "tone.json").write_text(json.dumps({"labels": ["a", "b"], "words": {"danas": [1, 0]}}))
    made.build(jobs=1)
    return made


@pytest.fixture
def built(original: Corpus, tmp_path: Path) -> Corpus:
    return copy_of(original, tmp_path / "corpus")


def stale(corpus: Corpus) -> dict[str, str]:
    _, stages = forecast(corpus.directory, corpus.plan())
    by_name = {step.stage.name: step.stage.layer for step in corpus.plan().steps}
    return {by_name[one.stage]: one.note for one in stages if one.todo}


def _write(name: str, text: str) -> Callable[[Corpus, pytest.MonkeyPatch], None]:
    return lambda corpus, _: [(corpus.root / name).write_text(text), None][1]  # type: ignore[func-returns-value]


def _settings(old: str, new: str) -> Callable[[Corpus, pytest.MonkeyPatch], None]:
    def change(corpus: Corpus, _: pytest.MonkeyPatch) -> None:
        recipe = corpus.directory.recipe
        recipe.write_text(recipe.read_text("utf-8").replace(old, new), "utf-8")

    return change


def _shipped(name: str) -> Callable[[Corpus, pytest.MonkeyPatch], None]:
    def change(corpus: Corpus, patch: pytest.MonkeyPatch) -> None:
        before, other = corpus_file.shipped, corpus.root / "other"
        other.write_bytes(b"retrained")
        from paberki.engine import build_state

        patch.setattr(build_state, "shipped", lambda wanted: other if wanted == name else before(wanted))

    return change


@pytest.mark.parametrize(
    ("change", "layers", "why"),
    [
        (lambda *_: None, set(), {}),
        (_write("tone.json", '{"labels": ["a", "b"], "words": {"danas": [2, 0]}}'), {"linear_tone", "select"}, {"linear_tone": "files changed: tone.json"}),
        (_write("lists/ads.txt", "drugi.hr\n"), {"marks", "select"}, {"marks": "files changed: ads=lists/ads.txt"}),
        (_settings('file = "tone.json"', 'file = "tone.json"\nmax_chars = 9'), {"linear_tone", "select"}, {"linear_tone": "settings changed: max_chars"}),
        (_settings("[marks]", "[dedup]\nby = \"fingerprint\"\n[marks]"), {"dedup", "select"}, {"dedup": "settings changed: by"}),
        (_shipped("extraction/learned.npz"), {"extract", "linear_tone", "marks", "select"}, {"extract": "another version of the package: extraction/learned.npz", "marks": "made from what changes: extract"}),
        (_shipped("decoding/charset.model"), {"decode", "extract", "linear_tone", "marks", "select"}, {"decode": "another version of the package: decoding/charset.model"}),
    ],
)  # fmt: skip
def test_what_is_stale(
    built: Corpus, monkeypatch: pytest.MonkeyPatch, change: Callable[..., None], layers: set[str], why: dict[str, str]
) -> None:
    change(built, monkeypatch)
    found = stale(built)
    assert set(found) == layers
    for layer, reason in why.items():
        assert found[layer] == reason


def test_a_corpus_can_move(built: Corpus, tmp_path: Path) -> None:
    built.root.rename(tmp_path / "elsewhere")
    assert stale(Corpus(tmp_path / "elsewhere")) == {}


def test_a_missing_file_is_an_error_before_any_page(built: Corpus) -> None:
    (built.root / "tone.json").unlink()
    with pytest.raises(ConfigError, match=r"\[linear_tone\] file = 'tone.json': .*cannot be read"):
        built.build(jobs=1)
    assert list(built.pages("id"))  # what is there can still be read
