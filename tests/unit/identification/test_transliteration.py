"""Serbian in two scripts: both ways and back."""

from __future__ import annotations

import lzma
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.identification.stages.transliteration_stage import TransliterateConfig, transliterate
from paberki.languages.transliteration import cyrillic_view, latin_view, to_cyrillic, to_latin
from paberki.store.batch import Batch

# Stems in which letters that look like a digraph meet by chance, and neighbours in which they are one.
TEXT = """инјекц инјекци инјекцион инјекциј инјекта инјектор инјектира инјектова инјицира инјицир инјунктив инјури инјариц
    неинјектира конјугац конјугаци конјуген конјугова конјугира конјуга деконјугац неконјугова конјункц конјункци
    конјунктив конјунктивитис конјунктур конјунктурн неконјунктив конјектур конјектура ванјезичк ванјавн ванјадранск
    изванјезичк панјугословенск панјапанск танјуг танјугов танјуговск анјон анјонск кенјон бенјамин нетанјаху
    енјамбман надживе надживел надживео надживет надживљава надживот наджет наджел наджео наджњ наджње наджњев наджањ
    надждрел наджуп наджупан наджупанск наджандар наджупник ненадживе ненадживљен пренадживе одживе одживел одживет
    одживљава одживљен оджали оджалил оджалит оджаљен оджари оджарен оджел оджубор оджвака оджвал оджури
    оджурил оджурит оджмури оджуља оджвижда поджанр поджанров поджел поджег поджећ поджеж поджиг поджига поджигач
    поджиз поджизан поджил поджње поджњев поджупан поджупанск поджупник поджари поджариван поджут подживе
    подживеле поджбун преджеље преджелу предживот предживотн преджетв преджетвен преджупан предженидбен фелджандарм
    одјек одјека одјекну одјекива одјав одјави одјава одјаха одјашу одјур одјури одједном одјели одјељење подјармљ
    подјармити подјезик подједнак подјел подјела подјелов предјел предјело предјелн предјутр надјача надјачав надјуна
    адјектив адјективн адјунк адјункт адјутант адјутантск бдјети видјети видјел вриједје надјев надјену недјеља недјељн
    објекат објект објава субјекат субјект дисјункц интерјекц трансјадранск безјезичн разјари разјасни изјава изјавити
    изјед сјај сјакти тјескоб тјешити дјевојк дјед дјело дјеловати дјетињ дјечак сјевер сјећа пјев бјежа вјер мјера
    коњ коња коњу коњиц коњушар коњаник коњушниц књига књижар њега њему њива њушка вањски вањшт иње ињем ињу свиња
    свињетин кухиња кухињск лињ сањар мањина тањир тањур оџак оџачар оџаклиј наџак наџачић хоџа хоџинск џеп џепарац
    џамија џез џин имиџ менаџер буџет љубав људи поље воља коњак бања пиштољ краљ краљица земља земљиште"""
STEMS = TEXT.split()


def test_there_are_enough_stems() -> None:
    assert len(set(STEMS)) >= 200


@pytest.mark.parametrize("shape", [str, str.capitalize, str.upper])
def test_cyrillic_survives(shape) -> None:
    for stem in set(STEMS):
        word = shape(stem)
        assert to_cyrillic(to_latin(word)) == word
        assert to_cyrillic(to_latin(word + ("А" if shape is str.upper else "а"))).lower() == f"{word}а".lower()


def test_case_of_digraphs() -> None:
    assert (
        to_latin("Љубав ЉУБАВ љубав КРАЉ Љ. Њ. К. В. ЏЕП Џон") == "Ljubav LJUBAV ljubav KRALJ Lj. Nj. K. V. DŽEP Džon"
    )
    assert to_cyrillic("Ljubav LJUBAV ljubav KRALJ Lj. DŽEP Džon") == "Љубав ЉУБАВ љубав КРАЉ Љ. ЏЕП Џон"
    assert to_latin(to_cyrillic("LJubav lJ nJ LJ dŽ")) == "LJubav lJ nJ LJ dŽ"


def test_what_stays() -> None:
    text = "New York, II i XIV vek, https://ljubav.rs/ i pera@njuz.net"
    assert to_cyrillic(text) == "New York, II и XIV век, https://ljubav.rs/ и pera@njuz.net"
    assert to_latin("Щука, 123, abc") == "Щuka, 123, abc"


@given(st.text(st.sampled_from("abcčćdđžšljLJnNDŽŠ qxВ1.-ije"), max_size=40).filter(lambda text: "В" not in text))
def test_latin_survives(text: str) -> None:
    assert to_latin(to_cyrillic(text)) == text


@given(st.text(st.sampled_from("abdžljnLJNDŽ xљЊџЂжд1. "), max_size=40))
def test_views_lie_on_their_source(text: str) -> None:
    for view, plain in ((latin_view(text), to_latin(text)), (cyrillic_view(text), to_cyrillic(text))):
        assert view.text == plain
        places = [view.source_offset(place) for place in range(len(view.text) + 1)]
        assert places == sorted(places)
        assert places[0] == 0
        assert places[-1] == len(text)
        for place, char in enumerate(view.text):
            if not char.isalpha():
                assert text[places[place]] == char


def test_breakpoints() -> None:
    assert latin_view("Љубав, коњ").breaks == ((0, 0), (2, 1), (12, 10))
    assert cyrillic_view("Ljubav, konj").breaks == ((0, 0), (1, 2), (10, 12))
    assert latin_view("ništa novo").breaks == ((0, 0),)


_DATA = Path(os.environ.get("PABERKI_DATA", Path(__file__).parents[4] / "shared" / "data"))


@pytest.mark.skipif(not (_DATA / "treebanks").is_dir(), reason="no treebanks; set PABERKI_DATA")
def test_every_word_of_a_treebank() -> None:
    words = set()
    for name in ("sr.train", "sr.dev"):
        path = _DATA / "treebanks" / f"{name}.conllu.xz"
        if not path.is_file():
            pytest.skip(f"{path} is not there")
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            words |= {line.split("\t")[1] for line in lines if "\t" in line}
    words = {word for word in words if not any("\u0400" <= char <= "\u052f" for char in word)}
    assert len(words) > 5000
    assert [word for word in words if to_latin(to_cyrillic(word)) != word] == []


def test_a_page_gets_a_view_in_the_other_script() -> None:
    blocks = [
        [{"text": "Љубав и мир", "kept": True}, {"text": "Мени", "kept": False}, {"text": "Beograd", "kept": True}]
    ]
    array = pa.array(blocks * 3, pa.list_(pa.struct([("text", pa.string()), ("kept", pa.bool_())])))
    langs = pa.array(["sr", "ru", None])
    batch = Batch(np.arange(3, dtype=np.int64), {"extract.blocks": array, "identify.lang": langs})
    [first, *others] = transliterate(batch, TransliterateConfig())["script_view"].to_pylist()
    assert [one and one["text"] for one in first] == ["Ljubav i mir", None, None]
    assert first[0]["breakpoints"] == [{"view": 0, "text": 0}, {"view": 2, "text": 1}]
    assert others == [None, None]
    [back, *_] = transliterate(batch, TransliterateConfig(to="cyrillic"))["script_view"].to_pylist()
    assert [one and one["text"] for one in back] == [None, None, "Београд"]
