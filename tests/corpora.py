"""Pages that tests are made of, and what must not depend on where and when a corpus was built."""

from __future__ import annotations

import random

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


def layer_bytes(corpus: Corpus) -> dict[str, bytes]:
    """Bytes of everything that must not depend on where and when a corpus was built."""
    root = corpus.root
    files = [*root.glob("layers/**/*.parquet"), root / "layers/manifest.json", *root.glob("models/*")]
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(files)}
