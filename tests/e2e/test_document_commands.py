"""Every command that the documents show runs as it is printed, on the demo corpus and on files made of it."""

from __future__ import annotations

import gzip
import lzma
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from commandline import fine
from small_web_crawl import crawl_small_web

import paberki

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = sorted(
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if re.search(r"(?m)^(    )?paberki ", path.read_text("utf-8"))
)
ELSEWHERE: Final = {
    r"^paberki serve": "runs until it is stopped; tests/e2e/test_serve_running.py starts it",
    r"^paberki (demo|doctor --warm)": "tests/e2e/test_cli_verbs.py",
    r"^paberki replicate": "tests/e2e/test_evaluation_verbs.py",
    r"^paberki (train|eval)": "needs pages with gold text; tests/unit/cli has the verbs",
    r"--model hr.annotation": "needs the model that the lines before it train",
    r"--topics": "needs an extra",
    r"/corpora/registry": "tests/unit/query/sources has registry files",
    r"block_decision": "a column of a stage that the text before it describes",
    r"SLURM": "the variable belongs to a cluster",
    r"…": "a line with a gap",
}
"""Commands that are not run here, and why."""
LIKE_THE_DEMO: Final = ("hr", "sl", "sr", "cs", "en", "demo-corpus")
TOKENS: Final = """\
<doc id="1">
<s>
Stari\tstar\tA\t|Case=Nom|\t2\tamod
grad\tgrad\tN\t|Case=Nom|\t0\troot
</s>
</doc>
"""
CONLLU: Final = """\
# newdoc id = 1
# sent_id = 1
# text = Stari grad
1\tStari\tstar\tADJ\tA\tCase=Nom\t2\tamod\t_\t_
2\tgrad\tgrad\tNOUN\tN\tCase=Nom\t0\troot\t_\t_

"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first pages of the demo corpus: enough for every command, and quickly built again."""
    corpus = paberki.new(tmp_path_factory.mktemp("demo") / "demo-corpus", lang="hr", name="demo")
    crawl_small_web(corpus, max_pages=200)
    corpus.build(jobs=os.cpu_count())
    return corpus.root


@pytest.fixture(scope="module")
def page(demo: Path) -> dict[str, str]:
    row: dict[str, str] = fine("sql", demo, "select id, url, host from pages where keep limit 1", "--json").json[0]
    return row


def commands(document: Path) -> list[str]:
    """The lines that begin with the program's name, without comments; a backslash goes on in the next line."""
    text = document.read_text("utf-8").replace("\\\n", " ")
    lines = re.findall(r"(?m)^(?:    )?(paberki .*)", text)
    return [re.sub(r"\s{2,}(#.*|all .*|a page .*)$", "", line) for line in lines if document.name != "papers.md"]


def provide(folder: Path, demo: Path, name: str) -> None:
    """A file or corpus with this name, if a command reads one and no earlier command wrote it."""
    path = folder / name
    if path.exists():
        return
    if name in LIKE_THE_DEMO:
        shutil.copytree(demo, path)
    elif name.endswith(".warc.gz"):
        shutil.copy(next((demo / "warc").glob("*.warc.gz")), path)
    elif name == "seeds.txt":
        path.write_text("http://a.hr/\n")
    elif name.endswith(".tsv"):
        path.write_text("grad\tmesto\n", "utf-8")
    elif re.search(r"\.(vert|conllu)(\.gz|\.xz)?$", name):
        made = (TOKENS if ".vert" in name else CONLLU).encode()
        pack: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress}
        path.write_bytes(pack.get(path.suffix, bytes)(made))
    elif name in ("ana.csv", "ivo.csv"):
        fine("code", "draw", demo, "-n", 5, "--seed", 7, "-o", path)


def of_the_demo(command: str, page: dict[str, str]) -> str:
    """The command with a page and a host that are there, and with files that exist; a crawl becomes an import."""
    command = re.sub(r"^paberki crawl (\S+).*", r"paberki import \1 CC-MAIN-1.warc.gz", command)
    for name, value in [("https://example.hr/page", page["url"]), ("example.hr", page["host"])]:
        command = command.replace(name, value)
    return command.replace("000012345", str(page["id"])).replace("CC-MAIN-*.warc.gz", "CC-MAIN-1.warc.gz")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_run_as_printed(document: Path, demo: Path, page: dict[str, str], tmp_path: Path) -> None:
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "200"}
    for command in commands(document):
        if any(re.search(pattern, command) for pattern in ELSEWHERE):
            continue
        line = of_the_demo(command, page)
        written = re.search(r"(?:-o|--out) (\S+)|^paberki new (\S+)", line)
        for word in re.findall(r"[\w.-]+", line):
            if written is None or word not in written.groups():
                provide(tmp_path, demo, word)
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{command}\n{done.stderr[-2000:]}"
        assert "Traceback" not in done.stderr, command
