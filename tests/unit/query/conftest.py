"""Small corpora of our own for tests of queries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from paberki.query.index.reader import Index, open_index
from paberki.query.sources.vertical import index_vertical

COLUMNS = ("word", "lemma", "tag", "feats*", "head", "deprel")
TEXT = """\
<doc id="a" year="2019" host="x.example">
<p>
<s id="1">
Čamac\tčamac\tN\t|Case=Nom|Number=Sing|\t2\tnsubj
plovi\tploviti\tV\t|Number=Sing|\t0\troot
morem\tmore\tN\t|Case=Ins|Number=Sing|\t2\tobl
<g/>
.\t.\tZ\t|\t2\tpunct
</s>
<s id="2">
<np>
Stari\tstar\tA\t|Case=Nom|\t2\tamod
<np>
čamac\tčamac\tN\t|Case=Nom|Number=Sing|\t3\tnsubj
</np>
</np>
plovi\tploviti\tV\t|Number=Sing|\t0\troot
</s>
</p>
</doc>
<doc id="b" year="2021" host="y.example">
<p>
<s id="3">
CAMAC\tcamac\tX\t_\t0\troot
&lt;\t&lt;\tZ\t\t1\tpunct
</s>
</p>
</doc>
"""


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Index]:
    """Makes an index of vertical text."""

    def made(text: str = TEXT, columns: tuple[str, ...] = COLUMNS, **options: object) -> Index:
        source = tmp_path / "some.vert"
        source.write_text(text, "utf-8")
        index_vertical(source, tmp_path / "out", columns, **options)
        return open_index(tmp_path / "out")

    return made
