"""What CoNLL-U says about tokens of a sentence follows them when some become one."""

from __future__ import annotations

from pathlib import Path

import paberki
from paberki.export.new_numbers import NewNumbers
from paberki.quality.permissions.personal import Personal

EMAIL = Personal(0, 9, "email")
ROWS = """\
# newdoc id = m1
# text = Piši na ana.horvat@x.hr pavidimo.
1\tPiši\t_\tVERB\t_\t_\t0\troot\t0:root\t_
2\tna\t_\tADP\t_\t_\t5\tcase\t5:case\t_
3\tana\t_\tX\t_\t_\t5\tdep\t5:dep\tSpaceAfter=No
4\t.\t_\tX\t_\t_\t5\tdep\t5:dep\tSpaceAfter=No
5\thorvat@x.hr\t_\tX\t_\t_\t1\tobl\t1:obl|5.1:obl\t_
5.1\thorvat\t_\tX\t_\t_\t_\t_\t1:obl\t_
6-7\tpavidimo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
6\tpa\t_\tX\t_\t_\t7\tcc\t7:cc\t_
7\tvidimo\t_\tX\t_\t_\t1\tconj\t1:conj|5.1:conj\tSpaceAfter=No
8\t.\t_\tX\t_\t_\t1\tpunct\t1:punct\t_

"""


def test_numbers() -> None:
    numbers = NewNumbers([(None, [0]), (EMAIL, [1, 2, 3]), (None, [4]), (None, [5])])
    lines = "0.1\ta" + "\t_" * 8 + "\n2.1\tb\tb" + "\t_" * 5 + "\t3:dep|4.1:dep\t_\n4.1\tc" + "\t_" * 8
    lines += "\n3-4\tx" + "\t_" * 8 + "\n4-5\ty" + "\t_" * 8 + "\n5-6\tz" + "\t_" * 8 + "\nodd"
    nodes = numbers.nodes(lines)
    assert nodes is not None
    rows = [line.split("\t") for line in nodes.split("\n")]
    assert [row[0] for row in rows] == ["0.1", "2.1", "2.2", "3-4", "odd"]
    assert rows[1][1:3] == rows[2][1:3] == ["[email]", "[email]"]
    assert rows[1][8] == "2:dep|2.2:dep"
    assert numbers.dependencies("3:dep|4.1:dep|0:root", "2") == "2.2:dep|0:root"
    assert numbers.dependencies("3:dep", "2") == "_"
    assert numbers.dependencies(None, "1") is None
    assert [numbers.of_token(number) for number in range(8)] == [0, 1, 2, 2, 2, 3, 4, 7]


def test_masked_files_keep_their_nodes_and_dependencies(tmp_path: Path) -> None:
    (tmp_path / "m.conllu").write_text(ROWS, "utf-8")
    (tmp_path / "n.conllu").write_text(ROWS.replace("# text", "# other").replace("m1", "n1"), "utf-8")
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([tmp_path / "m.conllu", tmp_path / "n.conllu"])
    corpus.build(jobs=1)
    corpus.export("conllu", tmp_path / "plain.conllu")
    assert (tmp_path / "plain.conllu").read_text("utf-8").count("# text = Piši na ana.horvat@x.hr pavidimo.\n") == 2
    corpus.export("conllu", tmp_path / "masked.conllu", mask=True)
    for text in (tmp_path / "masked.conllu").read_text("utf-8").split("\n\n")[:2]:
        assert "horvat" not in text
        assert "# text = Piši na [email] pavidimo.\n" in text
        rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
        assert [row[0] for row in rows] == ["1", "2", "3", "3.1", "4-5", "4", "5", "6"]
        assert [row[8] for row in rows] == [
            "0:root",
            "3:case",
            "1:obl|3.1:obl",
            "1:obl",
            "_",
            "5:cc",
            "1:conj|3.1:conj",
            "1:punct",
        ]
