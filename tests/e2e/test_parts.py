"""Builds in parts: processes side by side, with the joins between them, give the bytes of one build."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import fine, paberki, refused
from disturbed import start

from corpora import layer_bytes
from paberki.corpus import Corpus
from paberki.engine.build_parts import missing as absent

Make = Callable[..., Corpus]
Pages = Callable[..., Path]
MOST_ROUNDS = 12


def missing(root: Path) -> str:
    """What status says is missing."""
    found = re.search(r"^missing: (.*)$", fine("status", root).out, re.MULTILINE)
    return found[1] if found else ""


def unfinished(corpus: Corpus) -> list[str]:
    """The same, without a process of its own."""
    return absent(corpus.directory, corpus.plan())


def side_by_side(root: Path, count: int) -> None:
    """All parts at the same time, in processes of their own."""
    running = [
        start("build", str(root), "--part", f"{number}/{count}", "--jobs", "1") for number in range(1, count + 1)
    ]
    for process in running:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err.decode()


@pytest.fixture
def whole_and_shared(corpus: Make, pages: Pages) -> tuple[Corpus, Corpus]:
    source = pages(260)
    whole, shared = corpus(source, name="whole"), corpus(source, name="shared")
    whole.build(jobs=2)
    return whole, shared


@pytest.mark.slow
def test_parts_and_joins_in_turn_give_the_bytes_of_one_build(whole_and_shared: tuple[Corpus, Corpus]) -> None:
    whole, shared = whole_and_shared
    root = shared.root
    fine("build", root, "--joins", "--quiet")
    rounds = 0
    while missing(root):
        side_by_side(root, 2)
        fine("build", root, "--joins", "--quiet")
        rounds += 1
        assert rounds < MOST_ROUNDS
    assert rounds > 1
    assert layer_bytes(shared) == layer_bytes(whole)
    assert not list(root.glob("layers/**/*.parts"))
    assert all(tally.pages == 0 for tally in shared.build(jobs=1).stages if tally.stage != "index")


@pytest.mark.slow
def test_a_plain_build_takes_over_at_any_point(whole_and_shared: tuple[Corpus, Corpus]) -> None:
    whole, shared = whole_and_shared
    root = shared.root
    assert "--joins" in paberki("build", root, "--part", "1/2", "--jobs", 1).out
    fine("build", root, "--joins", "--quiet")
    assert "missing: part 2/2" in paberki("build", root, "--part", "1/2", "--jobs", 1).out
    fine("build", root, "--quiet")
    assert layer_bytes(shared) == layer_bytes(whole)
    assert missing(root) == ""


def test_parts_of_a_corpus_with_a_single_chunk(corpus: Make, pages: Pages) -> None:
    source = pages(12)
    whole, shared = corpus(source, name="whole"), corpus(source, name="shared")
    whole.build(jobs=1)
    shared.build(jobs=1, joins=True)
    for _ in range(MOST_ROUNDS):
        if not unfinished(shared):
            break
        shared.build(jobs=1, part=(1, 2))
        assert unfinished(shared) == ["part 2/2"]
        shared.build(jobs=1, part=(2, 2))
        assert unfinished(shared) == ["joins"]
        shared.build(jobs=1, joins=True)
    assert layer_bytes(shared) == layer_bytes(whole)


def test_options_that_do_not_go_together_are_refused(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(2))
    assert "--joins" in refused("build", made.root, "--part", "1/2", "--joins")
    assert "--refit" in refused("build", made.root, "--part", "1/2", "--refit")
    assert "i/n" in refused("build", made.root, "--part", "3/2")
