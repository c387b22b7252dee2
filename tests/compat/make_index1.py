"""Makes ``index1/``, a small index in the first format, and ``index1.json``, what must be found in it for ever.

    python tests/compat/make_index1.py

Run once; a change of the format gets an index of its own, and this one stays as it is.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from paberki.query.index.reader import Index, open_index
from paberki.query.sources.vertical import index_vertical

HERE = Path(__file__).parent
TEXT = """\
<doc id="1" year="2020" host="a.example">
<p>
<s>
Vjetar\tvjetar\tN\t|Case=Nom|\t2\tnsubj
puše\tpuhati\tV\t|Mood=Ind|Number=Sing|\t0\troot
<name type="loc">
preko\tpreko\tS\t|\t4\tcase
Čiova\tČiovo\tN\t|Case=Gen|\t2\tobl
</name>
<g/>
,\t,\tZ\t|\t6\tpunct
puše\tpuhati\tV\t|Mood=Ind|Number=Sing|\t2\tconj
<g/>
.\t.\tZ\t|\t2\tpunct
</s>
</p>
</doc>
<doc id="2" year="2021">
<p>
<s>
VJETAR\tvjetar\tN\t|Case=Nom|\t2\tnsubj
stade\tstati\tV\t|Mood=Ind|\t0\troot
</s>
</p>
</doc>
"""
COLUMNS = ("word", "lemma", "tag", "feats*", "head", "deprel")


def content(index: Index) -> dict[str, Any]:
    """Everything in an index, in plain values."""
    found: dict[str, Any] = {"tokens": index.tokens, "lang": index.lang, "attributes": {}, "structures": {}}
    segment = index.segments[0]
    for name in index.attributes:
        attribute = segment.attribute(name)
        found["attributes"][name] = {
            "tokens": attribute.values(attribute.ids),
            "counts": attribute.counts.tolist(),
            "alphabet": [
                attribute.value(at) for at in sorted(range(attribute.size), key=attribute.collation_rank.item)
            ],
            "places": [attribute.positions(number).tolist() for number in range(attribute.size)],
        }
    for name in index.structures:
        structure = segment.structure(name)
        values = {key: structure.attribute(key) for key in structure.attributes}
        found["structures"][name] = {
            "spans": [structure.starts.tolist(), structure.ends.tolist()],
            "values": {key: one.values(one.ids) for key, one in values.items()},
        }
    found["head"] = segment.head.tolist() if segment.head is not None else None
    found["glue"] = segment.glue.at(range(segment.tokens)).tolist()
    return found


def main() -> None:
    """Write the index and what is in it."""
    out = HERE / "index1"
    shutil.rmtree(out, ignore_errors=True)
    source = HERE / "index1.vert"
    source.write_text(TEXT, "utf-8")
    index_vertical(source, out, COLUMNS, lang="hr", name="old")
    source.unlink()
    (out / "index.lock").unlink()
    expected = json.dumps(content(open_index(out)), ensure_ascii=False, indent=1)
    (HERE / "index1.json").write_text(expected + "\n", "utf-8")


if __name__ == "__main__":
    main()
