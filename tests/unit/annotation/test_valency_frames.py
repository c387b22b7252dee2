"""A user's lexicon of frames, matched with trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.annotation.document import Document
from paberki.annotation.parsing.valency_frames import frames_of, read_lexicon
from paberki.errors import InputError

LEXICON = "# verbs\ndati\tdati-1\tnsubj? obj:Acc iobj:Dat\ndati\tdati-2\tobj:Acc\nčekati\tčekati-na\tobl:na+Acc\n"


def _lexicon(tmp_path: Path, text: str = LEXICON) -> Path:
    (tmp_path / "frames.tsv").write_text(text, "utf-8")
    return tmp_path / "frames.tsv"


def _document(*words: tuple[str, int, str, str]) -> Document:
    """Lemma, head, relation and case of each word."""
    count = len(words)
    return Document(
        text="",
        forms=[lemma for lemma, *_ in words],
        starts=[0] * count,
        ends=[0] * count,
        edges=[0, count],
        lemma=[lemma for lemma, *_ in words],
        head=[head for _, head, _, _ in words],
        deprel=[relation for *_, relation, _ in words],
        feats=[f"Case={case}" if case else "_" for *_, case in words],
    )


def test_the_frame_with_most_slots_is_chosen(tmp_path: Path) -> None:
    lexicon = read_lexicon(_lexicon(tmp_path))
    give = _document(("dati", 0, "root", ""), ("knjiga", 1, "obj", "Acc"), ("brat", 1, "iobj", "Dat"))
    assert frames_of(give, lexicon) == ["dati-1", None, None]
    less = _document(("dati", 0, "root", ""), ("knjiga", 1, "obj", "Acc"))
    assert frames_of(less, lexicon) == ["dati-2", None]


def test_a_preposition_is_part_of_a_slot(tmp_path: Path) -> None:
    lexicon = read_lexicon(_lexicon(tmp_path))
    wait = _document(("čekati", 0, "root", ""), ("na", 3, "case", ""), ("vlak", 1, "obl", "Acc"))
    assert frames_of(wait, lexicon)[0] == "čekati-na"
    other = _document(("čekati", 0, "root", ""), ("za", 3, "case", ""), ("vlak", 1, "obl", "Acc"))
    assert frames_of(other, lexicon)[0] is None


def test_without_trees_there_are_no_frames(tmp_path: Path) -> None:
    document = _document(("dati", 0, "root", ""))
    document.head = None
    assert frames_of(document, read_lexicon(_lexicon(tmp_path))) == [None]


@pytest.mark.parametrize("line", ["dati\tdati-1", "dati\tda|ti\tobj", "dati\t \tobj", "dati\ta b\tobj"])
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match="line 2"):
        read_lexicon(_lexicon(tmp_path, f"# comment\n{line}\n"))


def test_a_missing_lexicon_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none.tsv"):
        read_lexicon(tmp_path / "none.tsv")
