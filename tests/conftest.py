"""What all tests share: small corpora made of real files, and no way to the network but loopback."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

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


@pytest.fixture
def pages(tmp_path: Path) -> Callable[..., Path]:
    """Write a directory of articles; ``extra`` adds files with given names and bytes."""

    def make(count: int = 40, extra: dict[str, bytes] | None = None, name: str = "pages") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for number in range(count):
            (folder / f"{number:05d}.html").write_text(article(number), "utf-8")
        for file, data in (extra or {}).items():
            (folder / file).write_bytes(data)
        return folder

    return make


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., Corpus]:
    """Make a corpus with sources imported, not yet built."""

    def make(*sources: Path, name: str = "corpus", recipe: str = "", **options: str) -> Corpus:
        made = paberki.new(tmp_path / name, **{"lang": "hr", **options})
        if recipe:
            with made.directory.recipe.open("a", encoding="utf-8") as file:
                file.write(recipe)
        made.add(sources)
        return made

    return make


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests may talk to this machine only."""
    real = socket.socket.connect
    own = {one.address for addresses in psutil.net_if_addrs().values() for one in addresses}

    def connect(self: socket.socket, address: object) -> None:
        host = str(address[0]) if isinstance(address, tuple) else ""
        if host and host not in own and not host.startswith(("127.", "::1", "localhost")):
            raise AssertionError(f"a test tried to reach {address}")
        real(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", connect)


def layer_bytes(corpus: Corpus) -> dict[str, bytes]:
    """Bytes of everything that must not depend on where and when a corpus was built."""
    root = corpus.root
    files = [*root.glob("layers/**/*.parquet"), root / "layers/manifest.json", *root.glob("models/*")]
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(files)}
