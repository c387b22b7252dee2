"""The verbs of the concordancer on the command line: every view, list and format, and what goes wrong."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paberki.query.index.reader import Index
from smallcorpus import tokens


def paberki(*words: object, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "paberki", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


def output_of(*words: object) -> str:
    done = paberki(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_count_begins_with_the_number(small: Index) -> None:
    out = output_of("query", small.path, '[lemma="grad"]', "--count")
    assert int(out.split()[0]) == tokens(1).count("grad")


def test_lines_in_a_pipe_have_a_header_and_are_not_coloured(small: Index) -> None:
    lines = output_of("query", small.path, '[lemma="grad"]', "--context", "2").splitlines()
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    assert facts["corpus"] == small.name
    assert facts["build"] == small.build
    assert {"subcorpus", "query", "strategy", "tokens", "hits"} <= set(facts)
    assert [line for line in lines if not line.startswith("#")] == [
        "Stari\tGrad\tspava.", "Vidim stari\tgrad\ti novi", ". Novi\tgrad\traste brzo", "spava,\tgrad\traste.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "first"),
    [
        (["--freq", "word"], "grad\t3\t"),
        (["--colloc", "lemma", "-1..1", "--measure", "mi"], ""),
        (["--dist", "host"], "a.example\t3\t"),
        (["--dist", "year"], "2019\t2\t"),
        (["--dispersion"], "hits\t4"),
        (["--freq", "word", "--regex", "G.*"], "Grad\t1\t"),
        (["--view", "table"], "Stari Grad spava"[:5]),
        (["--view", "sentence", "--good"], ""),
        (["--sort", "left", "--first", "1"], "Njiva spava,\tgrad"),
        (["--per-page", "1", "--no-overlap", "--fold", "--sample", "2"], ""),
        (["--filter", '+[lemma="rasti"]', "--filter", '-[lemma="njiva"]'], ""),
        (["--where", "year = 2021"], "Njiva spava,\tgrad"),
        (["--strategy", "all", "--dialect", "manatee"], "Stari\tGrad"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_lists_views_and_steps(small: Index, options: list[str], first: str) -> None:
    rows = [line for line in output_of("query", small.path, '[lemma="grad"]', *options).splitlines() if line[0] != "#"]
    is_list = options[0] in ("--freq", "--colloc", "--dist", "--dispersion") or "table" in options
    assert rows[1 if is_list else 0].startswith(first)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "xlsx", "conllu", "vert", "spans", "text"])
def test_formats_to_files(small: Index, tmp_path: Path, form: str) -> None:
    out = tmp_path / f"hits.{form}"
    assert output_of("query", small.path, '[lemma="grad"]', "--format", form, "--out", out) == ""
    assert out.stat().st_size > 15


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["wordlist", "--attr", "lemma", "--first", "1"], ".\t6\t"),
        (["ngrams", "--n", "2", "--attr", "lemma", "--regex", "stari .*"], "stari grad\t2\t"),
        (["sketch", "grad"], "nsubj of\trasti\t2\t"),
        (["sketch", "grad..njiva"], "nsubj of\trasti\t2\t"),
        (["similar", "njiva"], "cesta\t1\t"),
        (["trend", "--min", "4", "--first", "1"], ""),
        (["trend", '[lemma="grad"]'], "2019\t2\t"),
    ],
)
def test_other_verbs(small: Index, words: list[str], expected: str) -> None:
    verb, *options = words
    rows = [line for line in output_of(verb, small.path, *options).splitlines() if not line.startswith("#")]
    assert rows[1].startswith(expected)


def test_keywords_and_json(small: Index) -> None:
    lines = output_of(
        "keywords", small.path, small.path, "--where", "year = 2021", "--reference-where", "year < 2021",
        "--format", "jsonl", "--first", "2",
    ).splitlines()  # fmt: skip
    assert json.loads(lines[0])["header"]["reference tokens"] == 18
    assert json.loads(lines[1])["reference_hits"] == 0


def test_a_sketch_grammar(small: Index, tmp_path: Path) -> None:
    grammar = tmp_path / "grammar.txt"
    grammar.write_text(
        '# test\ndefine(`noun\', `[tag="N"]\')\n*STRUCTLIMIT s\n*DUAL\n=modifier/modifies\n2:[tag="A"] 1:noun\n',
        "utf-8",
    )
    rows = output_of("sketch", small.path, "grad", "--grammar", grammar).splitlines()
    assert [row.split("\t")[:3] for row in rows if row.startswith("mod")] == [
        ["modifier", "stari", "2"],
        ["modifier", "novi", "1"],
    ]
    other = output_of("sketch", small.path, "novi", "--grammar", grammar)
    assert "modifies\tgrad\t1" in other


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["query", '[lema="x"]'], "did you mean 'lemma'"),
        (["query", '[lemma="x"'], "^"),
        (["query", '"x"', "--sort", "lefft"], "did you mean 'left'"),
        (["query", '"x"', "--filter", "x"], "begin with +"),
        (["query", '"x"', "--colloc", "lemma 5"], "-5..5"),
        (["query", '"x"', "--view", "kwik"], "kwic"),
        (["query", '"x"', "--format", "pdf"], "csv"),
        (["query", '"grad"', "--where", "yaer = 1"], "did you mean 'year'"),
        (["query", '"grad"', "--where", "year ="], "condition"),
        (["query", '"x"', "--set", "nothing"], "nothing"),
        (["query", '"x"', "--first", "0"], "--first"),
        (["wordlist", "--include", "/nowhere"], "one value per line"),
        (["sketch", "nebo"], "does not occur"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(small: Index, words: list[str], message: str) -> None:
    verb, *options = words
    done = paberki(verb, small.path, *options)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert message in done.stderr
    assert done.stderr.startswith("paberki: ")


def test_the_place_of_a_mistake_is_marked(small: Index) -> None:
    done = paberki("query", small.path, '[word="a" & lema="x"]')
    _, query, carets = done.stderr.rstrip("\n").split("\n")
    assert query[carets.index("^") :].startswith("lema")


def test_a_directory_without_an_index(tmp_path: Path) -> None:
    done = paberki("query", tmp_path, '"x"')
    assert done.returncode == 2
    assert "paberki index" in done.stderr


def test_a_time_limit_ends_the_process(small: Index) -> None:
    began = time.monotonic()
    done = paberki(
        "query", small.path, "[]{0,40} [] within <doc/>", "--strategy", "all", "--timeout", "1", "--freq", "word"
    )
    assert time.monotonic() - began < 30
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr


def on_terminal(columns: int, *words: object) -> list[str]:
    """What a terminal of so many columns is sent."""
    script = (
        f"import fcntl, struct, termios; fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('4H', 24, {columns}, 0, 0))"
    )
    code = f"{script}; import sys; sys.argv = ['paberki', *{[str(word) for word in words]!r}]; from paberki.cli import main; main()"
    parts: list[bytes] = []
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    main, side = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=side, stderr=side, stdin=side, env=environment
    ) as running:
        os.close(side)
        while True:
            try:
                data = os.read(main, 65536)
            except OSError:
                break
            if not data:
                break
            parts.append(data)
        running.wait()
    os.close(main)
    return b"".join(parts).decode().replace("\r\n", "\n").splitlines()


@pytest.mark.parametrize("columns", [40, 80, 131])
def test_hits_are_in_the_middle_of_a_terminal(small: Index, columns: int) -> None:
    *lines, summary = on_terminal(columns, "query", small.path, '[lemma="grad"]')
    places = {line.index("\x1b[1;31m") for line in lines}
    assert len(lines) == 4
    assert len(places) == 1
    assert abs(places.pop() + 2 - columns / 2) <= 3
    assert all(len(re.sub("\x1b\\[[0-9;]*m", "", line)) <= columns for line in lines)
    assert "4 hits" in summary
