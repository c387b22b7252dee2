"""Records: fields, defaults, equality; and what a query must not import."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from paberki.installed import installed_version
from paberki.record import Record


class Stone(Record):
    name: str
    weight: int = 1
    at: tuple[int, int] = (-1, 0)


def test_a_record_is_compared_by_content_but_for_its_place() -> None:
    assert Stone("a") == Stone("a", 1, (3, 4)) != Stone("a", 2)
    assert hash(Stone("a")) == hash(Stone(name="a", weight=1, at=(3, 4)))
    assert repr(Stone("a", 2)) == "Stone(name='a', weight=2)"
    assert pickle.loads(pickle.dumps(Stone("a", 2, (3, 4)))).at == (3, 4)
    assert Stone("a").changed(weight=5) == Stone("a", 5)
    match Stone("a", 7):
        case Stone(name, weight):
            assert (name, weight) == ("a", 7)


@pytest.mark.parametrize("make", [lambda: Stone(), lambda: Stone("a", 1, (0, 0), 4), lambda: Stone("a", colour=1)])
def test_wrong_values_are_refused(make: object) -> None:
    with pytest.raises(TypeError, match="Stone"):
        make()  # type: ignore[operator]
    with pytest.raises(AttributeError):
        Stone("a").name = "b"  # type: ignore[misc]


def test_versions_are_those_of_the_packages() -> None:
    import numpy as np

    assert installed_version("numpy") == np.__version__
    assert installed_version("no-such-package") == ""


def test_a_query_waits_for_no_large_library(tmp_path: Path) -> None:
    source = tmp_path / "a.vert"
    source.write_text('<doc id="1" year="2020">\n<s>\nkuća\nje\nstara\n</s>\n</doc>\n', "utf-8")
    code = "import sys; from paberki.cli import main\ntry: main()\nexcept SystemExit: print(*sys.modules)"

    def run(*words: str, **more: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True, env={**os.environ, **more}
        ).stdout

    run("index", str(tmp_path / "out"), "--vertical", str(source), "--attributes", "word")
    modules = run("query", str(tmp_path / "out"), '"kuća"', "--first", "5").split()
    assert "numpy" in modules
    assert not {"pyarrow", "pandas", "numba", "duckdb", "typer", "email", "importlib.metadata"} & set(modules)


def test_bytecode_is_kept_in_the_cache_where_it_may_not_lie_beside_the_sources(tmp_path: Path) -> None:
    code = "import sys; from paberki.cli.bytecode import keep_bytecode; keep_bytecode(); import paberki.errors, tabnanny; print(sys.pycache_prefix)"
    kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": str(tmp_path)}
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=kept).stdout
    if said.strip() == "None":
        pytest.skip("this package was compiled when it was installed")
    assert list(tmp_path.rglob("errors.*.pyc"))
    (tmp_path / "paberki" / "bytecode").chmod(0o777)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=kept).stdout
    assert said.strip() == "None"
