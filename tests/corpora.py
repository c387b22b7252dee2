"""Pages that tests are made of, and what must not depend on where and when a corpus was built."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from pathlib import Path

import paberki
from paberki.corpus import Corpus

SENTENCES = (
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje.",
    "Rekli su da se tu nalazi ono što traže već nekoliko godina.",
    "Predsjednik društva je najavio da će se radovi nastaviti i sljedeće godine.",
    "Nitko nije očekivao da će se na otvorenju okupiti toliko ljudi.",
    "Knjiga koju je napisala govori o djetinjstvu na otoku i o ljudima koji su otišli.",
    "Ako se ništa ne promijeni, most bi mogao biti gotov prije kraja ljeta.",
    "U subotu je na trgu održan koncert na kojem su svirali mladi glazbenici.",
    "Stanovnici se žale da autobus ne vozi redovito i da ih nitko ne sluša.",
)

WORDS = [
    "riječ",
    "grad",
    "more",
    "knjiga",
    "kuća",
    "put",
    "dan",
    "godina",
    "ruka",
    "voda",
    "sunce",
    "vjetar",
    "kamen",
    "šuma",
    "ptica",
    "glas",
    "noć",
    "zima",
    "jutro",
]


NO_INDEX = "\n[build]\nindex = false\n"


def article(seed: int, paragraphs: int = 6) -> str:
    """HTML of a small Croatian article; equal seeds give equal pages."""
    pick = random.Random(seed)
    body = "".join(
        f"<p>{' '.join(pick.sample(SENTENCES, 4))} To je bilo {pick.randint(1, 10**6)}. put.</p>"
        for _ in range(paragraphs)
    )
    return (
        f"<!doctype html><html lang=hr><head><title>Članak {seed}</title></head><body>"
        f"<ul id=nav><li><a href=/>Početna</a></li><li><a href=/vijesti>Vijesti</a></li></ul>"
        f"<div class=main>{body}</div><div id=footer>© 2026 Luka</div></body></html>"
    )


def write_pages(folder: Path, count: int = 40, extra: Mapping[str, bytes] | None = None) -> Path:
    """A directory of articles; ``extra`` adds files with given names and bytes."""
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:05d}.html").write_text(article(number), "utf-8")
    for file, data in (extra or {}).items():
        (folder / file).write_bytes(data)
    return folder


def corpus_of(root: Path, *sources: Path, recipe: str = "", **options: str) -> Corpus:
    """A corpus with sources imported, not yet built; ``recipe`` is written below what is there.

    Unless the recipe has a table [build], builds make no index, which would take a quarter of their time.
    """
    made = paberki.new(root, **{"lang": "hr", **options})
    with made.directory.recipe.open("a", encoding="utf-8") as file:
        file.write(recipe if "[build]" in recipe else recipe + NO_INDEX)
    made.add(sources)
    return made


def copy_of(corpus: Corpus, root: Path) -> Corpus:
    """The same corpus elsewhere: much quicker than building it again for every test that changes it."""
    shutil.copytree(corpus.root, root)
    return Corpus(root)


def layer_bytes(corpus: Corpus) -> dict[str, bytes]:
    """Bytes of everything that must not depend on where and when a corpus was built."""
    root = corpus.root
    files = [*root.glob("layers/**/*.parquet"), root / "layers/manifest.json", *root.glob("models/*")]
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(files)}
