"""Letters per script."""

from hypothesis import given
from hypothesis import strategies as st

from paberki.identification.methods.japanese_share import is_japanese, japanese_sentence_share
from paberki.identification.scripts import NAMES, script_totals
from paberki.identification.word_evidence import evidence
from paberki.lexicon import texts_of


def per_script(text: str) -> dict[str, int]:
    totals = script_totals(evidence(texts_of([text])).classes)[0]
    return {name: int(total) for name, total in zip(NAMES, totals, strict=True) if total}


def test_two_scripts():
    assert per_script("Књига 123 book, ЂЋ!") == {"Latn": 4, "Cyrl": 7}


def test_no_letters():
    assert per_script("123 – 45 %") == {}


def test_japanese_is_three_scripts():
    assert per_script("本をカメラ") == {"Hira": 1, "Kana": 3, "Hani": 1}


@given(st.text(st.sampled_from("aĆžЖђ漢か한שΩ1 \n𝄞\ud800"), max_size=80))
def test_every_letter_counts_once(text):
    assert sum(per_script(text).values()) == sum(char not in "1 \n𝄞\ud800" for char in text)


def test_japanese_sentences() -> None:
    assert is_japanese("今日は、とても良い天気です。")
    assert is_japanese("ﾊﾝｶｸｶﾅ!")
    assert is_japanese("Windows版もあります、お試しください。")
    assert not is_japanese("Windows 11 Professional 版")
    assert not is_japanese("   ")
    assert japanese_sentence_share("吾輩は猫である。名前はまだ無い。\nAll rights reserved.") == 2 / 3
    assert japanese_sentence_share("") is None
    assert japanese_sentence_share("！？" * 100_000) == 1.0
