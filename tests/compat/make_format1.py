"""Makes ``format1/``, a small corpus in the first format, and ``expected.json``, what must be found in it for ever.

    python tests/compat/make_format1.py

Run once; a change of the format gets a corpus of its own, and this one stays as it is.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import paberki

HERE = Path(__file__).parent
CROATIAN = (
    "Jutros je na otoku puhao jak vjetar, pa brodovi nisu mogli isploviti iz luke.",
    "Stariji ljudi kažu da se takvo vrijeme ne pamti već dvadeset godina.",
    "Djeca su ipak otišla u školu, jer je put preko brda ostao otvoren.",
    "Načelnik je rekao da će se šteta moći procijeniti tek kad se more smiri.",
    "U selu nije bilo struje, ali nitko se nije žalio ni na mrak ni na hladnoću.",
    "Ribari su popravljali mreže i pričali o zimama koje su bile još gore.",
)
ENGLISH = (
    "The wind was so strong this morning that the boats could not leave the harbour.",
    "The old people say that they have not seen anything like it for twenty years.",
    "The children went to school all the same, because the road over the hill was open.",
    "There was no light in the village, but nobody said a word about the dark or the cold.",
)


def page(title: str, sentences: tuple[str, ...], number: int) -> str:
    """A page with a menu and four paragraphs, no two of which are the same."""
    turned = [sentences[(number + at) % len(sentences)] for at in range(len(sentences))]
    body = "".join(f"<p>{' '.join(turned)} To je bilo {number}. put, u {at}. satu.</p>" for at in range(1, 5))
    menu = "<ul id=nav><li><a href=/>Početna</a></li><li><a href=/o-nama>O nama</a></li></ul>"
    return (
        f"<!doctype html><html><head><title>{title} {number}</title></head><body>{menu}<div>{body}</div></body></html>"
    )


def pages() -> dict[str, bytes]:
    """Twelve pages by file name."""
    made = {f"hr-{number}.html": page("Vijest", CROATIAN, number).encode() for number in range(7)}
    made |= {f"en-{number}.html": page("News", ENGLISH, number).encode() for number in range(2)}
    made["hr-2-copy.html"] = made["hr-2.html"]
    made["hr-old.html"] = (
        page("Stara vijest", CROATIAN, 9).replace("<head>", "<head><meta charset=windows-1250>").encode("cp1250")
    )
    made["short.html"] = b"<p>Kratko.</p>"
    return made


def expected(corpus: paberki.Corpus) -> dict[str, object]:
    """What must stay readable: identity, text and verdict of every page."""
    names = (
        "id",
        "key",
        "url",
        "status",
        "mime",
        "sha224",
        "encoding",
        "title",
        "lang",
        "keep",
        "reason",
        "dup_of",
        "text",
    )
    return {"pages": [dict(row) for row in corpus.pages(*names, kept=False)]}


def main() -> None:
    """Make both."""
    target = HERE / "format1"
    if target.exists():
        raise SystemExit(f"{target} is there; it is never made again")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "stranice"
        source.mkdir()
        for name, data in pages().items():
            (source / name).write_bytes(data)
        corpus = paberki.new(Path(folder) / "corpus", lang="hr", name="format1")
        corpus.add([source], base_url="http://otok.hr/", copy=True)
        corpus.build(jobs=1)
        for name in ("corpus.toml", "warc", "layers", "models"):
            copy = shutil.copy2 if (corpus.root / name).is_file() else shutil.copytree
            target.mkdir(exist_ok=True)
            copy(corpus.root / name, target / name)
        text = json.dumps(expected(corpus), ensure_ascii=False, indent=1)
        (HERE / "expected.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
