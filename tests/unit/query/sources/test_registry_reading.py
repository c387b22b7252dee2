"""Registry files of Manatee and CWB."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.errors import InputError
from paberki.query.sources.registry_reading import looks_like_registry, read_registry

MANATEE = """
# a corpus of our own
NAME "Our corpus"
PATH /corpora/ours
VERTICAL "ours.vert"
LANGUAGE "Croatian"
ENCODING utf-8
ATTRIBUTE word {
    TYPE "FD_FGD"
}
ATTRIBUTE   lc {
  LABEL "word (lowercase)"
  DYNAMIC utf8lowercase
  FROMATTR word
}
ATTRIBUTE lempos
ATTRIBUTE feats { MULTIVALUE yes
  MULTISEP "," }
STRUCTURE doc {
   ATTRIBUTE id
   ATTRIBUTE year { TYPE "MD_MD" }
}
STRUCTURE s
"""
CWB = """
##
## registry entry for corpus OURS
##
NAME "Our corpus"
ID   ours
HOME /corpora/data/ours
INFO /corpora/data/ours/.info

##:: charset = "utf8"
ATTRIBUTE word
ATTRIBUTE pos
ATTRIBUTE lemma

STRUCTURE s
STRUCTURE text_id   # [annotations]
"""


def test_manatee(tmp_path: Path) -> None:
    path = tmp_path / "ours"
    path.write_text(MANATEE, "utf-8")
    registry = read_registry(path)
    assert registry.attributes == ["word", "lempos", "feats*"]
    assert registry.vertical == tmp_path / "ours.vert"
    assert (registry.name, registry.lang) == ("Our corpus", "Croatian")
    assert registry.separators == {"feats": ","}
    assert looks_like_registry(path)


def test_cwb(tmp_path: Path) -> None:
    path = tmp_path / "ours"
    path.write_text(CWB, "utf-8")
    registry = read_registry(path)
    assert registry.attributes == ["word", "pos", "lemma"]
    assert registry.vertical is None
    assert looks_like_registry(path)


def test_what_is_none(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("<doc>\nATTRIBUTE word\n</doc>\n", "utf-8")
    assert not looks_like_registry(path)
    assert not looks_like_registry(tmp_path / "none")
    path.write_text("NAME x\nATTRIBUTE", "utf-8")
    assert not looks_like_registry(path)
    path.write_text("NAME x {", "utf-8")
    with pytest.raises(InputError, match="without attributes"):
        read_registry(path)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("a.vert", "a.vert"),
        ("| gzip -dc 'a b.vert.gz'", "a b.vert.gz"),
        ("|zcat a.vert.gz", "a.vert.gz"),
        ("| cat a/part-*.vert", None),
        ("| rm a.vert", None),
        ("| cat 'a", None),
    ],
)
def test_a_command_that_prints_one_file_names_the_vertical(tmp_path: Path, value: str, name: str | None) -> None:
    (tmp_path / "r").write_text(f'VERTICAL "{value}"\nATTRIBUTE word\n', "utf-8")
    assert read_registry(tmp_path / "r").vertical == (name and tmp_path / name)
