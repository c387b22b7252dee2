"""Sentences of Japanese web text as P4's tool cuts them."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.annotation.splitting.japanese_sentences import sentences_of


def cut(text: str) -> list[str]:
    return [text[begin:end] for begin, end in sentences_of(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["吾輩は猫である。", "名前はまだ無い（笑）。", "「本当？」と聞いた。"],
        ["今日は楽しかった！(^_^)", "明日も行きます。"],
        ["今日は楽しかった。(^^;)", "明日も行きます。"],
        ["今日は楽しかった(＾▽＾)／", "明日も行きます(T_T)", "終わり"],
        ["すみませんm(_ _)m", "また来ます。"],
        ["そうですね（笑）", "次は頑張ります（汗）", "では。"],
        ["疲れた…（苦笑）", "寝る。"],
        ["”元気ですか？はい。”と彼は言った。", "そして帰った。"],
        ['彼は"行く。来る。"と言った。', "終わり。"],
        ["“行く。来る。”と言った。", "終わり。"],
        ["Ａ．これは答えです。", "Ｂ．これも答えです。"],
        ["１．はじめに述べる。", "２．次に述べる。"],
        ["値は３．５です．", "次の文です．"],
        ["本当！と叫んだ。", "「行くぞ！」っていう話。"],
        ["すごい！！！", "なぜ？", "そう・・・", "うん♪", "はい。"],
        ["（これは。中の文です。）外の文です。", "次。"],
        ["開いた（括弧が閉じない。", "次の文。"],
        ["図(1)と(A)を見る。", "(注)は別。"],
        ["（笑）という字は面白い。", "ほんとに。"],
    ],
)
def test_sentences_of_a_line(parts):
    assert cut("".join(parts)) == parts


def test_a_face_after_a_space_stays_with_its_sentence():
    assert cut("楽しかった。 (^_^) 明日も。") == ["楽しかった。 (^_^)", "明日も。"]


def test_lists_are_folded_into_their_lead():
    assert cut("持ち物は、\n・水筒\n・帽子\n・弁当です。\n次の文。") == [
        "持ち物は、\n・水筒\n・帽子\n・弁当です。",
        "次の文。",
    ]
    assert cut("条件：\n（１）年齢\n（２）住所\n\n別の段落") == ["条件：\n（１）年齢\n（２）住所", "別の段落"]
    assert cut("見出し\n・水筒\n・帽子") == ["見出し", "・水筒", "・帽子"]
    assert cut("注意：\n長い段落です。二つの文があります。") == ["注意：", "長い段落です。", "二つの文があります。"]


@given(st.text('あ。！（）()”"^_;笑・．A1 \n、：wｗ', max_size=60))
def test_sentences_are_in_order_and_lose_nothing(text):
    spans = sentences_of(text)
    assert all(begin < end for begin, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    inside = "".join(text[begin:end] for begin, end in spans)
    assert "".join(inside.split()) == "".join(text.split())


@pytest.mark.parametrize("text", ["（あ。", "(^", "”。", "^_", "・・", "  （笑", "（(((", "a．"])
def test_hostile_lines_take_linear_time(text):
    begin = time.process_time()
    sentences_of(text * 40_000)
    assert time.process_time() - begin < 4.0
