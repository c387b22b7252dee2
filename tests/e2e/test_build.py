"""Whole builds: determinism, skipping, resuming, changed settings, growth, parts."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from corpora import article, layer_bytes
from paberki.corpus import Corpus
from paberki.errors import ConfigError, StoreError, TooManyErrors

Make = Callable[..., Corpus]
Pages = Callable[..., Path]


def column(corpus: Corpus, layer: str, name: str) -> list[object]:
    files = sorted((corpus.root / "layers" / layer).glob("*.parquet"))
    return [value for path in files for value in pq.read_table(path).column(name).to_pylist()]


@pytest.mark.slow
def test_same_input_gives_the_same_bytes_anywhere(corpus: Make, pages: Pages) -> None:
    source = pages(60, {"copy.html": article(3).encode(), "empty.html": b" "})
    one, other = corpus(source, name="one"), corpus(source, name="elsewhere/other")
    one.build(jobs=1)
    other.build(jobs=3)
    assert layer_bytes(one) == layer_bytes(other)
    assert len(layer_bytes(one)) >= 9


def test_layers_are_aligned_and_nothing_is_lost(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(30, {"copy.html": article(3).encode(), "short.html": b"<p>Kratko.</p>"}))
    result = made.build(jobs=2)
    assert result.pages == 32
    for layer in ("archive", "captures", "decode", "extract", "identify", "quality", "dedup", "select"):
        assert len(column(made, layer, "error")) == 32
    keep, reason = column(made, "select", "keep"), column(made, "select", "reason")
    assert all(kept == (why is None) for kept, why in zip(keep, reason, strict=True))
    assert sorted(why for why in reason if why) == ["duplicate", "too-short"]
    assert column(made, "archive", "id") == [f"{number:09d}" for number in range(32)]


def test_second_build_does_nothing(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(20))
    made.build(jobs=2)
    before = {path: path.stat().st_mtime_ns for path in made.root.glob("layers/**/*.parquet")}
    again = made.build(jobs=2)
    assert all(tally.pages == 0 for tally in again.stages)
    assert {path: path.stat().st_mtime_ns for path in made.root.glob("layers/**/*.parquet")} == before


def test_changed_rule_runs_select_and_what_looks_at_it(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(20))
    made.build(jobs=2)
    with made.directory.recipe.open("a") as file:
        file.write('[[select.pages]]\nreason = "too-short"\ndrop = "selected_char_count < 100000"\n')
    again = made.build(jobs=2)
    assert [tally.stage for tally in again.stages if tally.pages] == ["select.v1", "dedup.paragraphs.v1"]
    assert set(column(made, "select", "reason")) == {"too-short"}


def test_changed_setting_runs_what_depends_on_it(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(20))
    made.build(jobs=2)
    with made.directory.recipe.open("a") as file:
        file.write("[identify]\nmin_block_chars = 10\n")
    ran = [tally.stage for tally in made.build(jobs=2).stages if tally.pages]
    assert "identify.general.v1" in ran
    assert "select.v1" in ran
    assert "extract.learned.v1" not in ran
    assert "decode.model.v1" not in ran


def test_growth_keeps_old_shards_and_models(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(20))
    made.build(jobs=2)
    before = layer_bytes(made)
    made.add([pages(15, name="more")])
    grown = made.build(jobs=2)
    assert (grown.pages, grown.new_pages) == (35, 15)
    after = layer_bytes(made)
    model = [name for name in before if name.startswith("models/quality.profile")]
    assert model
    assert all(after[name] == before[name] for name in model)
    assert all(after[f"layers/{layer}/00000.parquet"] == before[f"layers/{layer}/00000.parquet"]
               for layer in ("archive", "decode", "extract", "identify", "quality"))  # fmt: skip
    # The new pages repeat the old ones, so the duplicate labels of the first shard change.
    assert column(made, "dedup", "dup_exact_count") == [2] * 15 + [1] * 5 + [2] * 15


def test_refit_learns_again(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(5))
    made.build(jobs=1)
    folder = pages(12, name="more")
    made.add([folder])
    made.build(jobs=1)
    before = (made.root / "models/pins.json").read_text()
    made.build(jobs=1, refit=True)
    assert (made.root / "models/pins.json").read_text() != before
    models = [file.name.rpartition("-")[0] for file in (made.root / "models").glob("*.arrow")]
    assert len(models) == len(set(models)), "the model before is gone"


def test_import_twice_is_import_once(corpus: Make, pages: Pages) -> None:
    source = pages(5)
    made = corpus(source)
    (again,) = made.add([source])
    assert again.known
    assert made.build(jobs=1).pages == 5


def test_until_stops_there(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(5))
    made.build(jobs=1, until="extract")
    assert (made.root / "layers/extract/00000.parquet").exists()
    assert not (made.root / "layers/identify").exists()
    with pytest.raises(Exception, match="did you mean 'extract'"):
        made.build(until="extrct")


def test_two_builds_at_once_are_refused_by_name(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(300))
    started = threading.Event()
    thread = threading.Thread(target=lambda: made.build(jobs=1, listen=lambda _: started.set()))
    thread.start()
    started.wait(20)
    with pytest.raises(StoreError, match=r"process \d+ on .* is building already"):
        made.build(jobs=1)
    thread.join()


def test_tombstones_are_honoured(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(6))
    made.build(jobs=1)
    key = column(made, "archive", "key")[2]
    (made.root / "tombstones.jsonl").write_text(f'{{"key": "{key}"}}\n')
    made.build(jobs=1)
    assert column(made, "select", "reason")[2] == "taken-down"
    assert column(made, "extract", "blocks")[2] is None
    assert column(made, "select", "keep").count(True) == 5


def test_too_many_errors_end_the_build(corpus: Make, pages: Pages, tmp_path: Path) -> None:
    broken = tmp_path / "broken.warc"
    record = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 10\r\n\r\n0123456789\r\n\r\n"
    broken.write_bytes(record * 30)  # no URL: every record is an error
    made = corpus(broken)
    with pytest.raises(TooManyErrors, match="30 of 30 records failed in archive"):
        made.build(jobs=1)


def test_command_line_says_errors_in_one_line(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "paberki", *words], capture_output=True, text=True)

    missing = run("build", str(tmp_path / "nothing"))
    assert missing.returncode == 2
    assert missing.stderr.count("\n") == 1
    assert "paberki new" in missing.stderr
    made = tmp_path / "c"
    assert run("new", str(made), "--lang", "hr").returncode == 0
    (made / "corpus.toml").write_text('preset = "modern"\n[extrct]\nmin_words = 3\n')
    typo = run("build", str(made))
    assert typo.returncode == 2
    assert "line 2" in typo.stderr
    assert "did you mean 'extract'" in typo.stderr


def test_a_recipe_runs_no_program_unless_the_user_says_so(corpus: Make, pages: Pages, tmp_path: Path) -> None:
    made, mark = corpus(pages(2)), tmp_path / "mark"
    stages = '["captures.v1", "decode.declared.v1", "extract.tagpath.v1", "external.command.v1"]'
    command = f'[external]\ncommand = ["sh", "-c", "touch {mark}; echo done"]\n'
    made.directory.recipe.write_text(
        f"stages = {stages}\n" + made.directory.recipe.read_text("utf-8") + command, "utf-8"
    )
    with pytest.raises(ConfigError, match="would run the program 'sh'; .* --allow-commands"):
        made.build(jobs=1)
    assert not mark.exists()
    assert not (made.root / "layers").exists()
    made.build(jobs=1, allow_commands=True)
    assert mark.exists()
    assert column(made, "external", "external") == ["done\n"] * 2


def test_leftovers_of_killed_builds_go_with_the_next_one(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(3))
    made.build(jobs=1, until="extract")
    private, layers = made.directory.private, made.directory.layers
    left = [
        private / "scan" / "a.warc-0-100.parquet",
        private / "fit" / "quality.profile" / "00000.arrow",
        private / ".tmp-build.json-0123",
        private / "build-1-of-2.json",
        layers / "extract" / "00000.parts" / "000.parquet",
        made.directory.models / ".tmp-x",
    ]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
    made.build(jobs=1, until="extract")
    assert not [path for path in left if path.exists()]
