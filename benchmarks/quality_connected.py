"""Connected text: what the calibrated cuts lose of text in forty languages, and find of what is none.

Texts are paragraphs, alone and in twos, fives and tens, and the text of development pages as the extractor gives it.
What is none is made from their words: tag clouds, word lists, price lists, link farms, and salad of random words, drawn from
all words alike or as often as they occur.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator

from pages import data_directory
from quality_badness import documents

from paberki.extraction import extract
from paberki.extraction.evaluation.gold_pages import read_gold
from paberki.lexicon import texts_of
from paberki.quality.connected.connectedness import reasons
from paberki.quality.connected.profiles import Profiles, learn, words_in
from paberki.quality.connected.word_order import function_words

UNSPACED = ("ja", "zh")
SHORTEST = 200
"""Characters that a text must have; shorter pages are left out by another rule."""
EACH = 30
_SAME = {"no": "nb"}


class Judge:
    """The profiles of all languages, and what is not connected by them."""

    def __init__(self, train: dict[str, list[str]]) -> None:
        self.profiles = Profiles({lang: learn(some[:2000]) for lang, some in train.items()})

    def failures(self, texts: list[str], lang: str) -> list[str]:
        array = texts_of(texts)
        measured = function_words(lang, {}).measure(array)
        return reasons(texts, measured, self.profiles.look_up(array).lead(lang)[0])


def no_text(paragraphs: list[str], lang: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Pages without sentences, by kind."""
    blank = "" if lang in UNSPACED else " "
    small = [word for one in words_in(texts_of(paragraphs)).to_pylist() for word in one]
    raw = [word for one in paragraphs for word in (one if lang in UNSPACED else one.split())]
    counts = Counter(small)
    common, rest = [word for word, _ in counts.most_common(8)], [word for word, _ in counts.most_common()[100:]]
    for _ in range(EACH):
        size = rng.randint(80, 500) * (3 if lang in UNSPACED else 1)
        some = rng.choices(rest, [counts[word] for word in rest], k=size)
        yield "tag cloud", (blank or ", ").join(some)
        yield "word list", (blank or "\n").join(sorted(rng.sample(sorted(counts), min(size, len(counts)))))
        pairs = zip(some[::2], some[1::2], strict=False)
        yield "price list", "\n".join(f"{a.capitalize()} {b} {rng.randint(1, 999)},99 EUR" for a, b in pairs)
        word, keys = rng.choice(common), some[:5]
        links = (f"{rng.choice(keys).capitalize()} {one} {word} {rng.choice(some)}" for one in some[: size // 4])
        yield "link farm", " | ".join(links)
        yield "salad of all words", blank.join(rng.choices(sorted(counts), k=size))
        yield "salad of frequent words", blank.join(rng.choices(raw, k=size))
        yield "the same, small letters", blank.join(rng.choices(small, k=size))


def tell(name: str, hits: int, total: int, where: Counter[str]) -> None:
    some = ", ".join(f"{count} {lang}" for lang, count in where.most_common(6))
    print(f"  {name:28} {hits:5} of {total:5}  {hits / max(total, 1):.4f}   {some}")


def run(rows, texts: int) -> None:
    train, paragraphs = defaultdict(list), defaultdict(list)
    for row in rows("langid/ud_train_text.jsonl.xz"):
        train[row["lang"]].append(row["text"])
    for row in rows("langid/ud_paragraphs_dev.jsonl.xz"):
        paragraphs[row["lang"]].append(row["text"])
    judge, rng = Judge(train), random.Random(7)
    print("text that is lost")
    for size in (1, 2, 5, 10):
        total, where = 0, Counter[str]()
        for lang, some in sorted(paragraphs.items()):
            long_texts = [one for one in documents(some, size) if len(one) >= SHORTEST]
            total += len(long_texts)
            where[lang] += sum(map(bool, judge.failures(long_texts, lang))) if long_texts else 0
        tell(f"{size} paragraphs", where.total(), total, +where)
    folder = data_directory()
    if folder:
        pages = [(_SAME.get(one.lang, one.lang), extract(one.html, url=one.url).text) for one in read_gold(folder)]
        pages = [(lang, text) for lang, text in pages if lang in train and len(text) >= SHORTEST]
        where = Counter(lang for lang, text in pages if judge.failures([text], lang)[0])
        tell("pages", where.total(), len(pages), where)
    print("what is none and found; languages in which it is missed")
    hits, total, missed = Counter[str](), Counter[str](), defaultdict(Counter)
    for lang, some in sorted(paragraphs.items()):
        for kind, text in no_text(some, lang, rng):
            total[kind] += 1
            label = bool(judge.failures([text], lang)[0])
            hits[kind] += label
            missed[kind][lang] += not label
    for kind in total:
        tell(kind, hits[kind], total[kind], +missed[kind])
