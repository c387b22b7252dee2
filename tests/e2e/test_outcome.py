"""What a build says when it ends: what is kept, what each stage cost, what failed, and what to look at."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from disturbed import poisoned_recipe, run

from paberki.corpus import Corpus

Make = Callable[..., Corpus]
Pages = Callable[..., Path]


def typed(text: str, verb: str) -> tuple[int, str, str]:
    """Run the command that a message suggests, as it stands there."""
    found = re.search(rf"paberki ({verb} .*)$", text.strip().splitlines()[-1])
    assert found, text
    return run(*shlex.split(found[1]))


def test_too_many_failures_are_counted_explained_and_found(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(20, {"00005-raise.html": b"<p>POISON-RAISE</p>"}), name="one corpus")
    poisoned_recipe(made.directory.recipe)
    for _ in range(2):  # what was finished before counts the second time, too
        code, _, err = run("build", str(made.root), "--max-errors", "0", "--jobs", "1")
        assert code == 1
        assert "1 of 21 records failed" in err
        assert "ValueError: this page raises" in err
        code, out, err = typed(err, "sql")
        assert code == 0, err
        assert "000000005" in out
        assert "poison.test.v1" in out
    code, out, err = run("build", str(made.root), "--max-errors", "10%", "--jobs", "1")
    assert code == 0, err
    assert "kept 20 of 21 pages" in out
    assert "left out: error 1" in out
    said = json.loads(run("status", str(made.root), "--stages", "--json")[1])["stages"]
    costs = {one["stage"]: one for one in said}
    assert list(costs)[:3] == ["archive.v1", "captures.v1", "decode.declared.v1"]
    assert costs["poison.test.v1"]["errors"] == 1
    assert "extract.tagpath.v1" in run("status", str(made.root), "--stages")[1]


def test_fused_stages_are_told_apart(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(20, {"00005-raise.html": b"<p>POISON-RAISE</p>"}))
    poisoned_recipe(made.directory.recipe)
    profile, log = made.root / "profile.json", made.root / "build.log"
    code, out, err = run(
        "build", str(made.root), "--json", "--jobs", "1", "--profile", str(profile), "--log-file", str(log)
    )
    assert code == 0, err
    _check_profile(json.loads(profile.read_text("utf-8")))
    failed = next(line for line in log.read_text("utf-8").splitlines() if "WARNING" in line)
    assert re.search(r"\.warc\.gz, byte \d+: page 000000005 \(file:.*raise\.html\) failed in poison.test.v1: ", failed)
    stages = {one["stage"]: one for one in json.loads(out)["stages"]}
    (logged,) = (json.loads(path.read_text("utf-8")) for path in (made.root / "runs").glob("*.json"))
    assert logged["result"]["stages"] == list(stages.values())
    entered = [stages[name]["pages_in"] for name in ("decode.declared.v1", "poison.test.v1", "extract.tagpath.v1")]
    assert entered == [21, 21, 20]
    assert all(one["cpu_seconds"] > 0 for one in stages.values())
    assert stages["extract.tagpath.v1"]["cpu_seconds"] != stages["poison.test.v1"]["cpu_seconds"]
    assert all(one["peak_bytes"] > 10 << 20 for one in stages.values())
    assert 0 < stages["extract.tagpath.v1"]["bytes_in"] < stages["decode.declared.v1"]["bytes_in"]
    text = run("status", str(made.root), "--prometheus")[1]
    assert 'paberki_stage_pages_in{corpus="corpus",stage="extract.tagpath.v1"} 20\n' in text
    assert all(re.fullmatch(r"# (HELP|TYPE) .+|paberki_\w+\{[^}]+\} [\d.]+", line) for line in text.splitlines())


def _check_profile(profile: dict[str, Any]) -> None:
    """A file that speedscope reads: frames by number, a weight for each sample, one profile for each process."""
    frames, profiles = profile["shared"]["frames"], profile["profiles"]
    assert len(profiles) >= 2, "this process and a worker"
    for one in profiles:
        assert len(one["samples"]) == len(one["weights"]) > 0
        assert all(0 <= number < len(frames) for stack in one["samples"] for number in stack)
    assert any(frame["name"].endswith("MapTask.run") for frame in frames)


def test_a_build_that_keeps_nothing_says_what_to_look_at(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(0, {f"{at}.html": b"<p>Kratko.</p>" for at in range(5)}))
    code, out, err = run("build", str(made.root), "--jobs", "1")
    assert code == 0, err
    assert "kept 0 of 5 pages, 0 words" in out
    assert "no page is kept; the largest reason is" in out.splitlines()[-1]
    code, out, err = typed(out, "peek")
    assert code == 0, err
    assert "left out:" in out
