"""Full disks, read-only corpora, two builds at once: said in one line, and the same command goes on."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commandline import fine, left_overs, new, paberki, packed, record, refused, response

from corpora import article, layer_bytes
from paberki.corpus import Corpus
from paberki.store.lock import holder

Tmp = pytest.TempPathFactory


def plain(root: Path, *sources: Path) -> Path:
    """A corpus that is not annotated: words made up by chance take long, and are not what is tried here."""
    new(root, *sources)
    stages = [stage.name for stage, _ in Corpus(root).recipe.stages if stage.name != "annotate.v1"]
    recipe = root / "corpus.toml"
    recipe.write_text(f"stages = {json.dumps(stages)}\n{recipe.read_text('utf-8')}", "utf-8")
    return root


# ---- disks ----


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Small disks of their own, where this machine lets us mount them."""
    mounted: list[Path] = []

    def mount(options: str, place: Path | None = None) -> Path:
        path = place or tmp_path / f"disk{len(mounted)}"
        path.mkdir(exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "paberki-test", path], capture_output=True)
        if done.returncode:
            pytest.skip(f"cannot mount a disk here: {done.stderr.decode().strip()}")
        if path not in mounted:
            mounted.append(path)
        return path

    yield mount
    for path in mounted:
        subprocess.run(["umount", path], check=True)


def resize(path: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", path], check=True)


@pytest.fixture(scope="module")
def many(tmp_path_factory: Tmp) -> Path:
    """An archive whose layers take more than a megabyte."""
    path = tmp_path_factory.mktemp("many") / "many.warc.gz"
    noise = random.Random(3)
    words = [noise.randbytes(6).hex() for _ in range(3000)]
    pages = [
        article(number).replace("Luka", "".join(f"<p>{' '.join(noise.choices(words, k=80))}.</p>" for _ in range(4)))
        for number in range(700)
    ]
    path.write_bytes(packed(*(record(f"http://a.hr/{at}", response(page.encode())) for at, page in enumerate(pages))))
    return path


@pytest.mark.parametrize("size", ["400k", pytest.param("1200k", marks=pytest.mark.slow)])
def test_full_disk_is_said_and_the_same_command_goes_on(
    tmp_path: Path, disk: Callable[..., Path], many: Path, size: str
) -> None:
    calm = plain(tmp_path / "calm", many)
    fine("build", calm, "--jobs", 1, "--quiet")
    place = disk(f"size={size}")
    root = plain(place / "corpus", many)
    line = refused("build", root, "--jobs", 1, "--quiet")
    assert "no space left" in line
    assert "same command" in line
    resize(place, "size=50m")
    fine("build", root, "--jobs", 2, "--quiet")
    assert layer_bytes(Corpus(root)) == layer_bytes(Corpus(calm))
    assert not left_overs(root)


def test_full_disk_during_import_and_export(tmp_path: Path, disk: Callable[..., Path], built: Path, many: Path) -> None:
    place = disk("size=100k")
    root = plain(place / "corpus")
    assert "no space left" in refused("import", root, many, "--copy")
    assert not list((root / "warc").iterdir())
    for form in ("jsonl", "parquet", "vert"):
        assert "no space left" in refused("export", built, form, "-o", _filled(place) / f"x.{form}")
        assert not list(place.glob("*x*"))


def _filled(place: Path) -> Path:
    with (place / "filler").open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    return place


@pytest.mark.slow
def test_file_size_limit_is_said(tmp_path: Path, many: Path) -> None:
    root = plain(tmp_path / "corpus", many)
    line = refused("build", root, "--jobs", 1, "--quiet", limit_file_size=100)
    assert "size limit" in line or "File too large" in line
    fine("build", root, "--jobs", 1, "--quiet")


@pytest.mark.slow
def test_read_only_corpus_can_be_read(tmp_path: Path, disk: Callable[..., Path], built: Path) -> None:
    place = disk("size=20m")
    root = place / "corpus"
    shutil.copytree(built, root, symlinks=True)
    before = layer_bytes(Corpus(root))
    resize(place, "ro")
    assert fine("status", root, "--json").json["kept"] == 12
    assert fine("sql", root, "select count(*) as n from pages", "--json").json == [{"n": 12}]
    for words in (
        ("plan",),
        ("peek",),
        ("explain", "000000003"),
        ("doctor",),
        ("export", "vert", "-o", tmp_path / "x"),
    ):
        done = paberki(words[0], root, *words[1:])
        assert "Traceback" not in done.err
        assert done.code == 0 or words[0] == "doctor", done
    for words in (("build",), ("import", tmp_path), ("report",), ("export", "jsonl", "-o", root / "x")):
        (tmp_path / "page.html").write_text(article(1), "utf-8")
        line = refused(words[0], root, *words[1:])
        assert "read-only" in line
    assert fine("report", root, "-o", tmp_path / "report", "--quiet").out == ""
    assert "read-only" in refused("new", place / "other", "--lang", "hr")
    resize(place, "rw")
    assert layer_bytes(Corpus(root)) == before


# ---- two at once ----


def test_second_build_names_the_first(tmp_path: Path, many: Path) -> None:
    import signal

    from disturbed import start

    root = plain(tmp_path / "corpus", many)
    first = start("build", str(root), "--jobs", "1", "--quiet")
    try:
        own = f"process {first.pid} "  # it takes the lock first, and then writes who it is
        while first.poll() is None and own not in str(holder(root / ".paberki" / "layers.lock")):
            time.sleep(0.002)
        os.kill(first.pid, signal.SIGSTOP)
        assert own in fine("status", root, "--json").json["building"]
        line = refused("build", root)
        assert own in line
        assert "build" in line
        text = fine("status", root).out
        assert f"building: {own}" in text
        fine("plan", root)
    finally:
        os.kill(first.pid, signal.SIGCONT)
        _, err = first.communicate(timeout=60)
    assert first.returncode == 0, err
    assert fine("status", root, "--json").json["building"] is None
