"""Bad pages cost themselves and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from disturbed import POISON, errors, poisoned_recipe, run

from paberki.corpus import Corpus

pytestmark = pytest.mark.waits


def select_of(root: Path) -> list[dict[str, object]]:
    return pq.read_table(root / "layers/select/00000.parquet").to_pylist()


def test_poison_costs_exactly_the_poisonous_pages(corpus: Callable[..., Corpus], pages: Callable[..., Path]) -> None:
    made = corpus(pages(60, POISON))
    poisoned_recipe(made.directory.recipe)
    code, _, err = run("build", str(made.root), "--jobs", "2")
    assert code == 0, err
    assert errors(made.root) == {
        "00010-raise.html": "exception",
        "00020-segfault.html": "crash",
        "00030-hang.html": "cpu",
        "00035-memory.html": "memory",
    }
    rows = select_of(made.root)
    assert [row["reason"] for row in rows].count("error") == 4
    assert sum(bool(row["keep"]) for row in rows) == 60
    # The same again is done already; with --retry-errors only the bad chunk is tried again, with the same end.
    before = {path: path.read_bytes() for path in made.root.glob("layers/*/*.parquet")}
    assert run("build", str(made.root))[0] == 0
    code, out, _ = run("build", str(made.root), "--retry-errors", "--json")
    assert code == 0
    assert {path: path.read_bytes() for path in made.root.glob("layers/*/*.parquet")} == before


def test_blocked_page_is_given_up(corpus: Callable[..., Corpus], pages: Callable[..., Path]) -> None:
    made = corpus(pages(10, {"sleep.html": b"<p>POISON-SLEEP</p>"}))
    poisoned_recipe(made.directory.recipe)
    assert run("build", str(made.root), "--jobs", "1")[0] == 0
    assert errors(made.root) == {"sleep.html": "hang"}


def test_max_errors_ends_the_build_with_code_one(corpus: Callable[..., Corpus], pages: Callable[..., Path]) -> None:
    made = corpus(pages(20, {"bad.html": b"<p>POISON-RAISE</p>"}))
    poisoned_recipe(made.directory.recipe)
    code, _, err = run("build", str(made.root), "--max-errors", "0", "--quiet")
    assert code == 1
    assert err.count("\n") == 1
    assert "--max-errors" in err
    assert run("build", str(made.root), "--max-errors", "10%")[0] == 0


def test_retry_heals_what_was_mended(
    corpus: Callable[..., Corpus], pages: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that failed because a limit was too low is right after the limit is raised."""
    made = corpus(pages(30, {"bad.html": b"<p>POISON-SLEEP</p>"}))
    poisoned_recipe(made.directory.recipe)
    assert run("build", str(made.root), "--jobs", "1")[0] == 0
    assert errors(made.root)
    poison = Path(__file__).parent.parent / "thirdparty" / "poison_stages.py"
    healed = made.root.parent / "healed"
    healed.mkdir()
    (healed / "poison_stages.py").write_text(poison.read_text("utf-8").replace("POISON-SLEEP", "NO-SUCH"))
    (healed / "poison_stages-1.0.dist-info").symlink_to(poison.parent / "poison_stages-1.0.dist-info")
    monkeypatch.setattr("disturbed.THIRD_PARTY", healed)
    code, out, err = run("build", str(made.root), "--retry-errors")
    assert code == 0, err
    assert "quality.profile.v2 was learnt without pages that had failed then (1)" in out
    assert f"paberki build {made.root} --refit" in out
    assert errors(made.root) == {}
    assert [row["reason"] for row in select_of(made.root)].count("error") == 0
