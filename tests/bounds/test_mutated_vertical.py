"""Damaged vertical text through the kernels of the index; ``make test`` also runs this with every array access checked."""

from __future__ import annotations

import random
from pathlib import Path

from paberki.errors import InputError
from paberki.query.index.reader import open_index
from paberki.query.sources.vertical import index_vertical

PIECES = (
    b"<s>", b"</s>", b'<doc id="1" x=\'2\' y=3 z>', b"<", b">", b"</", b"</>", b"<g/>", b"<g>", b"<a/>", b"<!", b"<?", b"\t", b"\n", b"\r\n",
    b"rije\xc4\x8d\trije\xc4\x8d\tN", b'<x a="', b'<x a=">', b"<x =>", b"<x a= b>", b"<_>", b"\xff", b"\0", b"&amp;", b"&#x;", b"|a|b|", b"12",
)  # fmt: skip


def test_no_damaged_text_makes_a_kernel_leave_its_arrays(tmp_path: Path) -> None:
    some = random.Random(7)
    for number in range(60):
        text = b"".join(some.choice(PIECES) + some.choice((b"", b"\n", b"\t")) for _ in range(some.randrange(1, 400)))
        source, out = tmp_path / f"{number}.vert", tmp_path / f"{number}.out"
        source.write_bytes(text)
        try:
            account = index_vertical(source, out, ("word", "tag*", "head"), segment_tokens=some.choice((None, 1, 20)))
        except InputError:
            continue
        index = open_index(out)
        assert index.tokens == account.tokens
        for segment in index.segments:
            for name in index.attributes:
                attribute = segment.attribute(name)
                everything = attribute.positions(range(attribute.size))
                assert everything.tolist() == list(range(segment.tokens))
