"""CoNLL-U: words, multiword tokens, empty nodes, documents, paragraphs, spaces, faults."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paberki.query.index.reader import Index, open_index
from paberki.query.sources.conllu_source import index_conllu

TEXT = """\
# newdoc id = d1
# newpar
# sent_id = 1
# text = Išla bih.
# genre = "news"
1\tIšla\tići\tVERB\tVmp\tGender=Fem|Number=Sing\t0\troot\t_\t_
2\tbih\tbiti\tAUX\tVaa\tMood=Cnd\t1\taux\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\tZ\t_\t1\tpunct\t_\t_

# sent_id = 2
1-2\tdámelo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tda\tdar\tVERB\t_\t_\t0\troot\t_\t_
2\tmelo\tél\tPRON\t_\t_\t1\tobj\t_\t_
2.1\tghost\tghost\tVERB\t_\t_\t_\t_\t_\t_
3\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_

# newdoc id = d2
# newpar id = p9
1\t<s>\t&amp;\tX\t_\t_\t0\troot\t_\t_
broken line
3\tx\tx\tX\t_\t_\t0\troot\t_\t_
"""


def indexed(tmp_path: Path, text: str = TEXT) -> Index:
    (tmp_path / "x.conllu").write_text(text, "utf-8")
    account = index_conllu(tmp_path / "x.conllu", tmp_path / "out", lang="hr")
    if text == TEXT:
        assert (account.tokens, account.broken_count, account.broken_lines) == (8, 1, [20])
    return open_index(tmp_path / "out")


def test_words_and_structures(tmp_path: Path) -> None:
    index = indexed(tmp_path)
    segment = index.segments[0]
    assert index.attributes == ("word", "lc", "lemma", "upos", "xpos", "feats", "deprel")
    assert index.aliases == {"tag": "xpos", "pos": "upos"}
    word, lemma = segment.attribute("word"), segment.attribute("lemma")
    assert word.values(word.ids) == ["Išla", "bih", ".", "da", "melo", "!", "<s>", "x"]
    assert lemma.values(lemma.ids)[-2] == "&amp;"
    assert segment.head.tolist() == [0, -1, -2, 0, -1, -2, 0, 0]
    assert segment.glue.at(np.arange(8)).tolist() == [False, False, True, False, True, True, False, False]
    assert segment.structure("doc").ends.tolist() == [6, 8]
    assert segment.structure("doc").attribute("id").values([0, 1]) == ["d1", "d2"]
    paragraphs = segment.structure("p").attribute("id")
    assert paragraphs.values(paragraphs.ids) == ["", "p9"]
    sentences = segment.structure("s")
    assert sentences.attribute("id").values(sentences.attribute("id").ids) == ["1", "2", ""]
    assert sentences.attribute("genre").value(sentences.attribute("genre").ids[0]) == '"news"'
    multiword = segment.structure("mwt")
    assert (multiword.starts.tolist(), multiword.ends.tolist()) == ([3], [5])
    assert multiword.attribute("form").value(0) == "dámelo"
    feats = segment.attribute("feats")
    assert feats.values(feats.ids)[:3] == ["|Gender=Fem|Number=Sing|", "|Mood=Cnd|", "|"]


def test_line_ends_of_other_systems_and_no_last_line(tmp_path: Path) -> None:
    index = indexed(tmp_path, TEXT.replace("\n", "\r\n").rstrip())
    assert index.tokens == 8


def test_sentences_across_blocks(tmp_path: Path) -> None:
    row = "\tw\tw\tX\t_\t_\t0\troot\t_\t_\n"
    many = "".join("".join(f"{at}{row}" for at in range(1, 11)) + "\n" for _ in range(30_000))
    index = indexed(tmp_path, many)
    assert index.tokens == 300_000
    assert index.segments[0].structure("s").size == 30_000


def test_a_broken_line_costs_no_other_word(tmp_path: Path) -> None:
    rest = "X\t_\t_"
    text = (
        f"1\ta\ta\t{rest}\t4\tdep\t_\t_\n2\tbroken\n3-4\tcd\t_\t_\t_\t_\t_\t_\t_\t_\n3\tc\tc\t{rest}\t2\tdep\t_\t_\n"
        f"4\td\td\t{rest}\t0\troot\t_\t_\n4\tagain\te\t{rest}\t1\tdep\t_\t_\n²\tf\tf\t{rest}\t1\tdep\t_\t_\n"
        f"5-6\tgh\t_\t_\t_\t_\t_\t_\t_\t_\n5\tg\tg\t{rest}\t4\tdep\t_\t_\n7\ti\ti\t{rest}\t6\tdep\t_\t_\n\n1\th\th\t{rest}\t0\troot\t_\t_\n"
    )
    index = indexed(tmp_path, text)
    word = index.segments[0].attribute("word")
    assert word.values(word.ids) == ["a", "c", "d", "g", "i", "h"]
    assert index.segments[0].head.tolist() == [2, 0, 0, -1, 0, 0]
    multiword = index.segments[0].structure("mwt")
    assert (multiword.starts.tolist(), multiword.ends.tolist()) == ([1, 3], [3, 4])
