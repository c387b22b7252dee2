"""UTF-8 with damage, UTF-16 and UTF-32 without a mark, escape sequences, and bytes that are no text at all."""

import random

import pytest

from paberki.decoding import decode
from paberki.decoding.damaged_utf8 import read_damaged, resembles_utf8
from paberki.decoding.wide_encodings import wide_encoding

CROATIAN = "Željeznički promet između Zagreba i Šibenika ponovno je uspostavljen, kažu čelnici općine."
TEXTS = {
    "hr": CROATIAN,
    "en": "The museum of ships was opened yesterday in the old town, and it is free.",
    "ru": "Вчера в Москве открылась выставка старинных книг, на которой можно увидеть редкие издания.",
    "el": "Χθες άνοιξε στην Αθήνα μια έκθεση παλιών βιβλίων, όπου μπορεί κανείς να δει σπάνιες εκδόσεις.",
    "ja": "昨日、東京で古い本の展示会が開かれました。珍しい本をたくさん見ることができます。",
    "zh": "昨天，北京举行了一个古书展览，人们可以看到很多少见的书。门票是免费的。",
    "ko": "어제 서울에서 오래된 책 전시회가 열렸습니다. 많은 사람들이 책을 보러 왔습니다.",
}


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("language", TEXTS)
def test_wide_text_without_mark(language, codec):
    for text in (TEXTS[language], f"<html><title>x</title><p>{TEXTS[language]}</p></html>"):
        found = decode(text.encode(codec))
        assert (found.text, found.encoding) == (text, codec)


def test_legacy_text_is_not_wide():
    for language, codec in (("ja", "cp932"), ("ja", "euc_jp"), ("zh", "gb18030"), ("ko", "cp949"), ("ru", "cp866")):
        data = TEXTS[language].encode(codec)
        assert wide_encoding(data) is None
        assert wide_encoding(data + b" ") is None


@pytest.mark.parametrize("data", [b"", b"\0", b"a\0", b"\0" * 1000, bytes(range(256)) * 4])
def test_controls_alone_are_not_wide_text(data):
    found = decode(data)
    assert isinstance(found.text, str)


@pytest.mark.parametrize("codec", ["iso2022_jp", "iso2022_kr"])
def test_escape_sequences(codec):
    text = TEXTS["ja" if codec == "iso2022_jp" else "ko"]
    assert decode(text.encode(codec)).text == text


@pytest.mark.parametrize("seed", range(40))
def test_one_to_three_damaged_bytes(seed):
    dice = random.Random(seed)
    text = TEXTS[dice.choice(["hr", "ru", "el", "ja", "zh", "ko"])] * 3
    data = bytearray(text.encode())
    for _ in range(dice.randint(1, 3)):
        data[dice.randrange(len(data))] = dice.randrange(0x80, 0x100)
    found = decode(bytes(data))
    assert found.encoding == "utf-8"
    assert found.text == bytes(data).decode("utf-8", "replace")
    assert found.replaced_count == found.text.count("\ufffd")


def test_counts_of_whole_and_broken_sequences():
    reading = read_damaged("čšž \ufffd".encode() + b"\xff \xc5")
    assert (reading.whole, reading.broken_count) == (4, 2)


def test_legacy_text_does_not_resemble_utf8():
    data = CROATIAN.encode("cp1250")
    assert not resembles_utf8(data, 0)
    assert resembles_utf8(CROATIAN.encode() + b"\xff", len(CROATIAN.encode()))


@pytest.mark.parametrize("size", [200, 3000, 100_000])
def test_noise_is_labelled_and_not_guessed(size):
    found = decode(random.Random(size).randbytes(size))
    assert found.encoding == "utf-8"
    assert found.replaced_count > size // 10
    assert found.evidence[-1].source == "model"
    assert found.evidence[-1].encoding is None


def test_declared_encodings_the_model_does_not_know():
    thai = "วันนี้อากาศดีมาก เราจะไปเที่ยวทะเลกับเพื่อนและครอบครัว"
    arabic = "افتتح أمس في المدينة معرض للكتب القديمة، ويمكن للزوار مشاهدة طبعات نادرة."
    for text, codec, label in ((thai, "cp874", "tis-620"), (arabic, "cp1256", "windows-1256")):
        found = decode(text.encode(codec), http_charset=label)
        assert (found.text, found.encoding, found.evidence[-1].source) == (text, codec, "http")


def test_signs_that_lost_their_last_byte_are_damaged_utf8():
    damage = "It’s late—we’ll go—now".encode().replace("—".encode(), b'\xe2\x80"')
    found = decode(damage + b" \xa9 2002")
    assert found.encoding == "utf-8"
    assert found.text.startswith('It’s late\ufffd"we’ll go')


def test_noise_with_an_escape_sequence_is_no_japanese():
    noise = random.Random(1).randbytes(5000)
    assert not decode(noise + b"\x1b$B" + noise).encoding.startswith("iso2022")
