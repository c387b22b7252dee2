"""Text of strangers never reaches the terminal as commands."""

from __future__ import annotations

import unicodedata

from paberki.terminal import visible


def test_controls_are_shown() -> None:
    assert visible("\x1b[2J\x07\x7f\x9b31m") == "␛[2J␇␡<U+009B>31m"
    assert visible("moc.knab\u202e") == "moc.knab<U+202E>"
    assert visible("a\ud800b") == "a<U+D800>b"


def test_no_control_is_left() -> None:
    everything = "".join(map(chr, range(0x110000)))
    left = {unicodedata.category(char) for char in visible(everything)}
    assert not left & {"Cc", "Cs", "Zl", "Zp"}
    kept = visible(everything, lines=True)
    assert {char for char in kept if unicodedata.category(char) == "Cc"} == {"\t", "\n"}


def test_plain_text_is_itself() -> None:
    for text in ("", "Žuta kuća 漢字 – «ok»", "👩\u200d💻"):
        assert visible(text) == text
