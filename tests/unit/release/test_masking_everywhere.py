"""Planted personal data leaves in no format: not in titles, lemmas, addresses or anchors."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from urllib.parse import unquote

import pyarrow.parquet as pq
import pytest

import paberki
from corpora import SENTENCES
from paberki.corpus import Corpus
from paberki.errors import ConfigError
from paberki.export import FORMATS
from paberki.export.masking import Mask
from paberki.release.rebuild import rebuild

EMAIL, PHONE, IBAN, NATIONAL_ID = (
    "petra.kovac@posta.example.hr",
    "+385 98 765 4321",
    "HR1210010051863000160",
    "69435151530",
)
PLANTED = (EMAIL, PHONE, IBAN, NATIONAL_ID)
ALL = "Pišite na {}, nazovite {}, uplatite na {}; OIB {} je njezin.".format(*PLANTED)
PAGE = (
    f"<html lang=hr><head><title>Kontakt {EMAIL} {PHONE} {IBAN} {NATIONAL_ID}</title>"
    f"<meta name=description content='{ALL}'><meta name=author content='{EMAIL}'></head><body><div>"
    f"<p>{' '.join(SENTENCES[:4])} {ALL}</p><p>{ALL} {' '.join(SENTENCES[4:])}</p>"
    f"<p>{' '.join(SENTENCES)} <a href='/osoba/{NATIONAL_ID}?racun={IBAN}&mail={EMAIL}'>{ALL}</a></p></div></body></html>"
)
URL = f"http://a.hr/osoba/{NATIONAL_ID}-opis?iban={IBAN}&mail={EMAIL.replace('@', '%40')}&tel=%2B385987654321"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("planted")
    (root / "web.jsonl").write_text(json.dumps({"url": URL, "html": PAGE}) + "\n", "utf-8")
    made = paberki.new(root / "c", lang="hr")
    with made.directory.recipe.open("a") as file:
        file.write('[[select.pages]]\nreason = "not-connected"\ndrop = ""\n')
    made.add([root / "web.jsonl"])
    made.build(jobs=1)
    return made


def squeezed(text: str) -> str:
    """The text without what formats put between letters, so that data cut into tokens is found too."""
    return re.sub(r"[^A-Za-z0-9@+]", "", unquote(text))


def content_of(path: Path) -> str:
    files = sorted(path.rglob("*")) if path.is_dir() else sorted(path.parent.glob(f"{path.name}*"))
    tables = [
        json.dumps(pq.read_table(one).to_pylist(), default=str) for one in files if one.read_bytes()[:4] == b"PAR1"
    ]
    return "".join([*tables, *(one.read_bytes().decode("utf-8", "replace") for one in files if one.is_file())])


@pytest.mark.parametrize("tokens", [None, True])
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_nothing_planted_leaves(corpus: Corpus, tmp_path: Path, form: str, tokens: bool | None) -> None:
    with contextlib.suppress(ConfigError):  # a format may need a file that is not here, or have no tokens
        corpus.export(form, tmp_path / f"plain.{form}", tokens=tokens)
        assert squeezed(NATIONAL_ID) in squeezed(content_of(tmp_path / f"plain.{form}")), (
            "the test looks at the right place"
        )
        corpus.export(form, tmp_path / f"masked.{form}", mask=True, tokens=tokens)
        content = squeezed(content_of(tmp_path / f"masked.{form}"))
        assert [secret for secret in PLANTED if squeezed(secret) in content] == []
        assert "kovac" not in content.lower()


def test_a_masked_list_restores_the_corpus(corpus: Corpus, tmp_path: Path) -> None:
    corpus.export("recipe-list", tmp_path / "list.jsonl", mask=True)
    result = rebuild(tmp_path / "list.jsonl", sorted(corpus.root.glob("warc/*.warc.gz")), tmp_path / "again", jobs=1)
    assert (result.restored, result.gone, result.different) == (1, [], [])


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        (f"http://a.hr/{NATIONAL_ID}", "http://a.hr/[oib]"),
        (f"http://a.hr/ivo-{NATIONAL_ID}.html", "http://a.hr/ivo-[oib].html"),
        (f"http://a.hr/?r={IBAN.lower()}", "http://a.hr/?r=[iban]"),
        ("http://a.hr/12345678901/2024-05-17", "http://a.hr/12345678901/2024-05-17"),
        ("http://a.hr/clanak-20240517123456", "http://a.hr/clanak-20240517123456"),
    ],
)
def test_numbers_in_addresses_are_masked_where_their_checksum_holds(url: str, masked: str) -> None:
    assert Mask().text(url) == masked
