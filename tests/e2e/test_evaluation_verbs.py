"""report, compare, code and replicate as people use them: names, keys and columns of their answers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from commandline import fine, paberki, refused

VARIABLES = ["authorship", "mode", "audience", "aim", "domain"]


def test_report_has_the_words_of_the_papers(built: Path, tmp_path: Path) -> None:
    answer = fine("report", built, "--out", tmp_path / "report", "--json").json
    assert {"reason", "pages", "share", "tokens"} <= answer["attrition"]["rows"][0].keys()
    assert answer["host_bias"]["hosts_for_half"] == 1
    assert {"type", "occurrences", "share"} <= answer["kwic_duplication"]["rows"][0].keys()
    assert {"upos", "share"} <= answer["pos"]["rows"][0].keys()
    assert {"mean", "rows"} <= answer["diacritics"].keys()
    assert {"mean", "sd", "runs"} <= answer["homogeneity"].keys()
    assert {"phys", "docn", "parn"} <= answer["duplicates"].keys()
    assert {"lang", "pages"} <= answer["languages"]["rows"][0].keys()
    for name in ("status", "charset", "mime", "licence", "opt_out", "sentence_length", "oov", "documents_per_host"):
        assert "rows" in answer[name], name
        assert (tmp_path / "report" / f"{name}.json").is_file()
        assert (tmp_path / "report" / f"{name}.csv").is_file()
    assert sum(row["share"] for row in answer["pos"]["rows"]) == pytest.approx(1)


def test_report_with_topics_and_a_reference(built: Path, tmp_path: Path) -> None:
    (tmp_path / "news.vert").write_text("<doc>\n<s>\nPas\tpas\tN\nspava\tspavati\tV\n</s>\n</doc>\n" * 99, "utf-8")
    options = ("--topics", "--topic-count", 3, "--reference", tmp_path / "news.vert", "--out", tmp_path / "report")
    answer = fine("report", built, *options, "--json").json
    assert {row["corpus"] for row in answer["pos"]["rows"]} == {"corpus", "news"}
    assert {"share", "words"} <= answer["topics"]["rows"][0].keys()
    assert sum(row["share"] for row in answer["topics"]["rows"]) == pytest.approx(1)


def test_coding_from_the_draw_to_the_intervals(built: Path, tmp_path: Path) -> None:
    sample = tmp_path / "sample.csv"
    assert fine("code", "draw", built, "-n", 8, "--seed", 7, "-o", sample, "--json").json["pages"] == 8
    first = sample.read_bytes()
    fine("code", "draw", built, "-n", 8, "--seed", 7, "-o", sample, "--quiet")
    assert sample.read_bytes() == first
    fine("code", "draw", built, "-n", 8, "--seed", 8, "-o", tmp_path / "other.csv", "--quiet")
    assert (tmp_path / "other.csv").read_bytes() != first
    with sample.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["id", "key", "url", *VARIABLES]
    for name, aims in (("ana", ["fiction"] * 8), ("ivo", ["fiction"] * 6 + ["discussion"] * 2)):
        with (tmp_path / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows({**row, "aim": aim, "mode": "written"} for row, aim in zip(rows, aims, strict=True))
    answer = fine("code", "agree", tmp_path / "ana.csv", tmp_path / "ivo.csv", "--json").json
    assert list(answer) == VARIABLES
    assert (answer["aim"]["agreement"], answer["aim"]["kappa"]) == (0.75, 0)
    shares = fine("code", "shares", tmp_path / "ivo.csv", "--json").json
    fiction = next(one for one in shares["aim"] if one["value"] == "fiction")
    assert fiction["share"] == 0.75
    assert fiction["interval"] == pytest.approx(1.645 * (0.75 * 0.25 / 8) ** 0.5)
    assert "75.0%" in fine("code", "agree", tmp_path / "ana.csv", tmp_path / "ivo.csv").out


def test_unknown_values_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,key,url,mode\n1,k1,u,writen\n2,k2,u,spoken\n", "utf-8")
    done = paberki("code", "shares", path, "--json")
    assert done.code == 0
    assert "line 2: 'writen'" in done.err
    assert done.json["mode"][1] == {"value": "spoken", "share": 1.0, "interval": 0.0, "count": 1, "n": 1}
    assert "no such" in refused("code", "shares", tmp_path / "none.csv").lower()


def test_compare_a_corpus_with_a_vertical_file(built: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.vert"
    lines = ["<doc>", "<s>", *["Pas\tpas\tN", "spava\tspavati\tV", ".\t.\tZ"] * 400, "broken", "</s>", "</doc>"]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    answer = fine("compare", built, path, "--out", tmp_path / "out", "--json").json
    assert answer["skipped"] == 1
    assert {"word", "log_likelihood", "diff"} <= answer["keywords"]["rows"][0].keys()
    assert {"mean", "sd", "runs"} <= answer["homogeneity"]["rows"][0].keys()
    for name in ("similarity", "chi2", "cross_entropy", "known_similarity", "oov", "sentence_length"):
        assert name in answer
    assert (tmp_path / "out" / "index.html").is_file()
    assert "two or more" in refused("compare", built, "--out", tmp_path / "out")
    assert "no such file" in refused("compare", built, tmp_path / "none", "--out", tmp_path / "out")


@pytest.mark.slow
def test_replicate_on_the_mini_web(tmp_path: Path) -> None:
    done = paberki("replicate", "P4", "--out", tmp_path / "p4")  # on a slow machine progress is told
    assert done.code == 0, done.err
    for label in ("Table 1", "Table 2", "Table 3", "Figure 1", "Figure 2"):
        assert label in done.out
        name = label.lower().replace(" ", "-")
        assert json.loads((tmp_path / "p4" / f"{name}.json").read_text("utf-8"))["label"] == label
        assert (tmp_path / "p4" / f"{name}.csv").is_file()
    assert "P1, P2, P3, P4, P5" in refused("replicate", "P9", "--out", tmp_path / "p9")


def test_replicate_a_corpus(built: Path, tmp_path: Path) -> None:
    items = {item["label"]: item for item in fine("replicate", "P5", built, "--out", tmp_path, "--json").json["items"]}
    assert {f"Table {number}" for number in range(1, 7)} | {
        f"Figure {number}" for number in range(1, 5)
    } <= items.keys()
    total = items["Table 2"]["rows"][-1]
    assert total["published"] == 122_842_518
    assert (tmp_path / "figure-1.svg").is_file()


def test_labelled_blocks_train_an_extractor(built: Path, tmp_path: Path) -> None:
    blocks = tmp_path / "blocks.csv"
    fine("code", "draw", built, "-n", 4, "--blocks", "-o", blocks, "--quiet")
    with blocks.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["id", "key", "url", "start", "end", "label", "text"]
    with blocks.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows({**row, "label": "text" if len(row["text"]) > 60 else "boilerplate"} for row in rows)
    answer = fine("code", "blocks", built, blocks, "-o", tmp_path / "coded.jsonl", "--json").json
    assert (answer["pages"], answer["incomplete"]) == (4, 0)
    pages = [json.loads(line) for line in (tmp_path / "coded.jsonl").read_text("utf-8").splitlines()]
    assert sum(len(page["blocks"]) for page in pages) == len(rows)
    assert {block["label"] for page in pages for block in page["blocks"]} == {"text", "boilerplate"}
