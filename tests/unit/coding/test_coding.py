"""Coding files, agreement, shares, pooling and the store that the coding page uses."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from paberki.coding import (
    GENRE,
    Coding,
    CodingStore,
    agree,
    half_width,
    kappa,
    load_scheme,
    read_coding,
    shares,
    write_coding,
)
from paberki.coding.coding_file import Place
from paberki.coding.pooling import verdicts, write_pool
from paberki.errors import ConfigError, InputError, StoreError
from paberki.store.directory import Directory


def coder_file(path: Path, *rows: str, head: str = "id,key,url,mode,aim") -> Path:
    path.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


def test_kappa_agrees_with_scikit_learn() -> None:
    pick = random.Random(5)
    for values in (2, 3, 8):
        for _ in range(20):
            first = [str(pick.randrange(values)) for _ in range(60)]
            second = [one if pick.random() < 0.6 else str(pick.randrange(values)) for one in first]
            assert kappa(first, second) == pytest.approx(cohen_kappa_score(first, second))


def test_kappa_of_one_value_is_not_defined() -> None:
    assert kappa(["a", "a"], ["a", "a"]) is None
    assert kappa([], []) is None
    assert kappa(["a", "a"], ["b", "b"]) == 0


def test_spreadsheet_spellings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "ana.csv"
    text = "ID;Key;URL;Authorship;Domain\r\n1;k1;http://a/;Single, female;Pol./Soc./Hist.\r\n2;k2;;single_male;\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    file = read_coding(path)
    assert file.coder == "ana"
    assert file.labels("authorship") == {Place("k1"): "single-female", Place("k2"): "single-male"}
    assert file.labels("domain") == {Place("k1"): "pol-soc-hist"}
    assert not file.problems


def test_unknown_values_double_and_keyless_rows_are_told(tmp_path: Path) -> None:
    rows = ("1,k1,u,writen,fiction", "2,k1,u,written,fiction", ",,u,written,", "", "4,k4,u,spoken,news")
    file = read_coding(coder_file(tmp_path / "a.csv", *rows))
    assert [(one.line, one.variable, one.value) for one in file.problems] == [
        (2, "mode", "writen"),
        (3, "", "k1"),
        (4, "", ""),
        (6, "aim", "news"),
    ]
    assert "did you mean 'written'?" in file.problems[0].message
    assert file.labels("mode") == {Place("k1"): "written", Place("k4"): "spoken"}


def test_missing_rows_and_a_third_coder(tmp_path: Path) -> None:
    one = read_coding(coder_file(tmp_path / "a.csv", "1,k1,u,written,fiction", "2,k2,u,spoken,", "3,k3,u,written,x"))
    two = read_coding(coder_file(tmp_path / "b.csv", "2,k2,u,spoken,fiction", "1,k1,u,spoken,fiction"))
    three = read_coding(coder_file(tmp_path / "c.csv", "1,k1,u,written,fiction", "2,k2,u,spoken,fiction"))
    pair = agree([one, two])
    assert pair["mode"]["agreement"] == 0.5
    assert (pair["mode"]["items"], pair["mode"]["missing"]) == (2, 1)
    assert pair["aim"]["unknown"] == [{"coder": "a", "line": 4, "value": "x"}]
    trio = agree([one, two, three])
    assert [one["agreement"] for one in trio["mode"]["pairs"]] == [0.5, 1.0, 0.5]
    assert trio["mode"]["agreement"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "no column key or id"),
        (b"id,key,url\n1,k,u\n", "no variable"),
        (b"id,key,mode\n1,k,\xe8\n", "line 2: not UTF-8"),
        (b"key,mode\n1,\x00" + b"x" * 200_000, "not a CSV file"),
    ],
)
def test_files_that_are_no_coding_files(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(text)
    with pytest.raises(InputError, match=message):
        read_coding(path)


def test_shares_have_all_values_and_the_interval_of_table_6(tmp_path: Path) -> None:
    rows = [f"{at},k{at},u,,{'information' if at < 72 else 'discussion'}" for at in range(200)]
    answer = shares(read_coding(coder_file(tmp_path / "a.csv", *rows)))
    by_value = {one["value"]: one for one in answer["aim"]}
    assert by_value["information"]["share"] == 0.36
    assert round(100 * by_value["information"]["interval"], 1) == 5.6
    assert by_value["fiction"] == {"value": "fiction", "share": 0.0, "interval": 0.0, "count": 0, "n": 200}
    assert all(one["share"] == 0 for one in answer["mode"])
    assert half_width(0.5, 0) == 0


def test_own_scheme(tmp_path: Path) -> None:
    path = tmp_path / "scheme.toml"
    path.write_text('register = ["Narrative", "How to"]\n', "utf-8")
    scheme = load_scheme(path)
    assert scheme.as_json() == {"register": ["narrative", "how-to"]}
    with pytest.raises(InputError, match="no variable 'mode'"):
        read_coding(coder_file(tmp_path / "a.csv", "1,k,u,x,y"), scheme)
    path.write_text('key = ["a"]\n', "utf-8")
    with pytest.raises(ConfigError, match="cannot be a variable"):
        load_scheme(path)


def test_pool_of_disagreements(tmp_path: Path) -> None:
    one = read_coding(coder_file(tmp_path / "a.csv", *(f"{at},k{at},=u,written,fiction" for at in range(9))))
    two = read_coding(coder_file(tmp_path / "b.csv", *(f"{at},k{at},u,spoken,fiction" for at in range(9))))
    path = tmp_path / "pool.csv"
    assert write_pool(path, [one, two], 4, 7) == (4, 9)
    first = path.read_text("utf-8")
    write_pool(path, [one, two], 4, 7)
    assert path.read_text("utf-8") == first
    lines = first.splitlines()
    assert lines[0] == "id,key,url,start,end,variable,a,b,verdict"
    assert ",'=u," in lines[1]
    judged = [line + verdict for line, verdict in zip(lines[1:], ("written", "Spoken", "na", ""), strict=True)]
    path.write_text("\n".join([lines[0], *judged]), "utf-8")
    assert verdicts(path) == {"mode": {"judged": 3, "open": 1, "na": 1, "right": {"a": 1, "b": 1}}}


def sample(count: int = 3) -> list[Coding]:
    return [Coding(Place(f"k{at}"), f"{at:09d}", f"http://a.hr/{at}") for at in range(count)]


def test_store_keeps_what_several_coders_write_at_once(tmp_path: Path) -> None:
    store = CodingStore(Directory(tmp_path))
    store.create("genre", sample(20))
    work = [(coder, f"k{at}") for at in range(20) for coder in ("ana", "ivo")]
    with ThreadPoolExecutor(8) as threads:
        for result in [
            threads.submit(store.write, "genre", coder, Place(key), {"aim": "fiction", "mode": "Written"})
            for coder, key in work
        ]:
            result.result()
    assert store.coders("genre") == ["ana", "ivo"]
    for coder in ("ana", "ivo"):
        assert store.read("genre", coder).labels("mode") == {Place(f"k{at}"): "written" for at in range(20)}
    assert store.agreement("genre")["aim"]["agreement"] == 1
    store.write("genre", "ana", Place("k0"), {"mode": ""})
    assert Place("k0") not in store.read("genre", "ana").labels("mode")
    assert store.shares("genre", "ana")["mode"][0]["count"] == 19
    assert store.progress("genre") == {"ana": 0, "ivo": 0}


def test_store_refuses_what_would_leave_its_folder_or_scheme(tmp_path: Path) -> None:
    store = CodingStore(Directory(tmp_path))
    store.create("genre", sample())
    with pytest.raises(StoreError, match="already"):
        store.create("genre", sample())
    for task, coder in (("../x", "ana"), ("genre", "../../x"), ("genre", "sample"), ("genre", "")):
        with pytest.raises(ConfigError):
            store.write(task, coder, Place("k1"), {"aim": "fiction"})
    with pytest.raises(ConfigError, match="not a value of aim"):
        store.write("genre", "ana", Place("k1"), {"aim": "news"})
    with pytest.raises(ConfigError, match="no variable"):
        store.write("genre", "ana", Place("k1"), {"aims": "fiction"})
    with pytest.raises(StoreError, match="not in the sample"):
        store.write("genre", "ana", Place("k9"), {"aim": "fiction"})
    with pytest.raises(StoreError, match="did you mean 'genre'"):
        store.scheme("genres")
    assert store.tasks() == ["genre"]


def test_block_codings_hang_on_byte_spans(tmp_path: Path) -> None:
    store = CodingStore(Directory(tmp_path))
    rows = [Coding(Place("k1", at, at + 10), "000000001", "http://a.hr/", {}, f"=text {at}") for at in (0, 10)]
    from paberki.coding.coding_scheme import BLOCKS

    store.create("blocks", rows, BLOCKS)
    store.write("blocks", "ana", Place("k1", 10, 20), {"label": "boilerplate"})
    assert store.read("blocks", "ana").labels("label") == {Place("k1", 10, 20): "boilerplate"}
    head = (tmp_path / "codings/blocks/ana.csv").read_text("utf-8").splitlines()[0]
    assert head == "id,key,url,start,end,label,text"


def test_written_files_are_read_again(tmp_path: Path) -> None:
    labels = {"mode": "blogmix", "domain": "business-law"}
    rows = [Coding(Place("k1"), "000000001", "http://a.hr/?a=1,2", labels), Coding(Place("k2"), "000000002", "")]
    assert write_coding(tmp_path / "a.csv", rows) == 2
    assert list(read_coding(tmp_path / "a.csv").rows.values()) == rows
    assert (tmp_path / "a.csv").read_text().splitlines()[0] == "id,key,url," + ",".join(GENRE.names)
