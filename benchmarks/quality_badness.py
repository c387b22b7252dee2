"""Badness: one language's documents against those of 39 others, and connected text against lists of words (P5 §3.3).

A profile is learnt from the texts of one language and cut at the limit of its variant; documents are ten paragraphs. Lists
are tag clouds of content words, sorted lists and menus.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict

from paberki.lexicon import texts_of
from paberki.quality.connected.profiles import LIMITS, Profiles, learn, words_in

TEN = 10
LEARNT = 30
"""Sentences of a text that is learnt from: as long as ten paragraphs."""
Texts = dict[str, list[str]]


def documents(pieces: list[str], each: int) -> list[str]:
    return ["\n".join(pieces[at : at + each]) for at in range(0, len(pieces) - each + 1, each)]


def scores(passing: int, right: int, total: int) -> str:
    return f"precision {right / max(1, passing):.4f}  recall {right / max(1, total):.4f}"


def lists_of_words(texts: list[str], rng: random.Random, count: int) -> list[str]:
    """Tag clouds of content words, alphabetical lists, menus."""
    words = Counter(words_in(texts_of(texts)).flatten().to_pylist())
    content = [word for word, _ in words.most_common()[100:]]
    weights = [words[word] for word in content]
    lists = []
    for number in range(count):
        some = rng.choices(content, weights, k=rng.randint(100, 400))
        if number % 3 == 0:
            lists.append(" ".join(some))
        elif number % 3 == 1:
            lists.append("\n".join(sorted(some)))
        else:
            menu = [" ".join(some[at : at + rng.randint(1, 3)]).capitalize() for at in range(0, len(some), 3)]
            lists.append(" | ".join(menu))
    return lists


def language_filter(learnt: Texts, tests: Texts, variant: str) -> None:
    """What the profile of each language, learnt by itself, keeps of the documents of all."""
    gold = [lang for lang, some in tests.items() for _ in some]
    every = [text for some in tests.values() for text in some]
    passing = right = 0
    wrong: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for lang in sorted(tests):
        passes = Profiles({lang: learn(learnt[lang])}).connected(every, lang, variant)
        own = sum(one for one, name in zip(passes, gold, strict=True) if name == lang)
        passing, right = passing + sum(passes), right + own
        wrong.update(f"{name} as {lang}" for one, name in zip(passes, gold, strict=True) if one and name != lang)
        missing[lang] += len(tests[lang]) - own
    print(f"  {variant:8} {scores(passing, right, len(gold))}")
    print(f"           kept though in another language: {_top(wrong)}; lost: {_top(+missing)}")


def _top(counts: Counter[str]) -> str:
    items = ", ".join(f"{count} {name}" for name, count in counts.most_common(8))
    return f"{items}{', …' if len(counts) > 8 else ''}" if counts else "none"


def connected_text(learnt: Texts, tests: Texts, train: Texts, variant: str) -> None:
    """What each profile keeps of as many lists in its own language."""
    rng = random.Random(7)
    own = lists = 0
    for lang, some in sorted(tests.items()):
        profiles = Profiles({lang: learn(learnt[lang])})
        own += sum(profiles.connected(some, lang, variant))
        lists += sum(profiles.connected(lists_of_words(train[lang], rng, len(some)), lang, variant))
    print(f"  {variant:8} {scores(own + lists, own, sum(map(len, tests.values())))}")


def run(rows, texts: int) -> None:
    train, paragraphs = defaultdict(list), defaultdict(list)
    for row in rows("langid/ud_train_text.jsonl.xz"):
        train[row["lang"]].append(row["text"])
    for row in rows("langid/ud_paragraphs_dev.jsonl.xz"):
        paragraphs[row["lang"]].append(row["text"])
    first = {lang: some[: len(some) // 2] for lang, some in paragraphs.items()}
    second = {lang: some[len(some) // 2 :] for lang, some in paragraphs.items()}
    settings = {
        "other texts of the language": (
            {lang: documents(some, LEARNT) for lang, some in train.items()},
            {lang: documents(some, TEN) for lang, some in paragraphs.items()},
        ),
        "half of the paragraphs": (
            {lang: documents(some, TEN) for lang, some in first.items()},
            {lang: documents(some, TEN) for lang, some in second.items()},
        ),
    }
    for name, (learnt, tests) in settings.items():
        print(f"one language against the other {len(tests) - 1}, profile from {name}")
        for variant in LIMITS:
            language_filter(learnt, tests, variant)
        print(f"connected text against lists in the same language, profile from {name}")
        for variant in LIMITS:
            connected_text(learnt, tests, train, variant)
