"""Badness: one language's documents against those of 39 others, and connected text against lists of words (P5 §3.3)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import numpy as np

from paberki.lexicon import texts_of
from paberki.quality.profiles import LIMITS, Profiles, learn, words_in

TEN = 10


def documents(pieces: list[str], each: int) -> list[str]:
    return ["\n".join(pieces[at : at + each]) for at in range(0, len(pieces) - each + 1, each)]


def scores(kept: int, right: int, wanted: int) -> str:
    return f"precision {right / max(1, kept):.4f}  recall {right / max(1, wanted):.4f}"


def lists_of_words(texts: list[str], rng: random.Random, count: int) -> list[str]:
    """Tag clouds of content words, alphabetical lists, menus."""
    words = Counter(words_in(texts_of(texts)).flatten().to_pylist())
    content = [word for word, _ in words.most_common()[100:]]
    weights = [words[word] for word in content]
    made = []
    for number in range(count):
        some = rng.choices(content, weights, k=rng.randint(100, 400))
        if number % 3 == 0:
            made.append(" ".join(some))
        elif number % 3 == 1:
            made.append("\n".join(sorted(some)))
        else:
            menu = [" ".join(some[at : at + rng.randint(1, 3)]).capitalize() for at in range(0, len(some), 3)]
            made.append(" | ".join(menu))
    return made


CLOSE = {"sr": "hr", "nn": "nb", "da": "nb", "gl": "pt", "sk": "cs"}
"""Languages whose commonest words are the same; told apart by identify, not by ten function words."""


def language_filter(profiles: Profiles, every: list[tuple[str, str]], types: int) -> None:
    """One profile at a time, and the best of all."""
    gold = np.array([lang for lang, _ in every])
    languages = np.array(profiles.languages)
    counted = profiles.look_up(texts_of([text for _, text in every]))
    found = np.array([counted.badness(lang, "2012") for lang in languages])
    best = languages[found.argmin(axis=0)]
    merged = np.array([CLOSE.get(lang, lang) for lang in gold])
    for name, group in (("all 40 languages", gold), ("close languages merged", merged)):
        kept = right = kept_best = right_best = wanted = 0
        for row, lang in enumerate(languages):
            lang = CLOSE.get(lang, lang) if group is merged else lang
            passes, own = found[row] <= types, (gold == languages[row])
            kept, right, wanted = (
                kept + int(passes.sum()),
                right + int((passes & (group == lang)).sum()),
                wanted + int(own.sum()),
            )
            mine = passes & (best == languages[row])
            kept_best, right_best = kept_best + int(mine.sum()), right_best + int((mine & (group == lang)).sum())
        if group is gold:
            print(f"  {name:24} profile of one language  {scores(kept, right, wanted)}")
        print(f"  {name:24} best of all profiles     {scores(kept_best, right_best, wanted)}")


def run(rows, texts: int) -> None:
    rng = random.Random(7)
    train, test = defaultdict(list), defaultdict(list)
    for row in rows("langid/ud_train_text.jsonl.xz"):
        train[row["lang"]].append(row["text"])
    for row in rows("langid/ud_paragraphs_dev.jsonl.xz"):
        test[row["lang"]].append(row["text"])
    learnt = {lang: documents(some, 30) for lang, some in train.items()}
    every = [(lang, text) for lang, some in test.items() for text in documents(some, TEN)]
    for types in (10, 20):
        profiles = Profiles({lang: learn(some, types=types) for lang, some in learnt.items()}, types=types)
        print(f"{types} words, limit {types}, ten paragraphs a document, {len(every)} documents")
        language_filter(profiles, every, types)
        apart = [lang for lang in ("de", "en", "sl", "sv", "ja", "hu", "fi", "el", "tr") if lang in profiles.languages]
        for variant in ("2012", "2013"):
            limit = LIMITS[variant] * types / 10
            kept = right = wanted = own_kept = list_kept = list_count = 0
            for lang in profiles.languages:
                own = [text for one, text in every if one == lang]
                passed = sum(score <= limit for score in profiles.badness(own, lang, variant))
                made = lists_of_words(train[lang], rng, len(own))
                list_kept += sum(score <= limit for score in profiles.badness(made, lang, variant))
                list_count += len(made)
                own_kept, wanted = own_kept + passed, wanted + len(own)
            print(
                f"  {variant}: connected text against {list_count} lists, clouds and menus: "
                f"{scores(own_kept + list_kept, own_kept, wanted)}"
            )
            kept = right = wanted = 0
            for lang in apart:
                passes = [score <= limit for score in profiles.badness([text for _, text in every], lang, variant)]
                kept, wanted = kept + sum(passes), wanted + sum(one == lang for one, _ in every)
                right += sum(is_in for is_in, (one, _) in zip(passes, every, strict=True) if one == lang)
            print(
                f"  {variant}: one profile each of {' '.join(apart)} against the other 39: {scores(kept, right, wanted)}"
            )
