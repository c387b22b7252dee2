"""P1, hrWaC and slWaC: attrition, extraction, topics (P1 Tables 1–3).

P1 says that 2.25 % of the Croatian documents are physical duplicates; its Table 1 gives 6.94 %. Neither is asserted.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, Final

from paberki.report.papers.hrwac_topics import TOPICS
from paberki.report.papers.mini_web import gold_pages
from paberki.report.papers.paper_item import Item, row
from paberki.report.papers.paper_view import PaperView
from paberki.report.words.topics import NO_NOUNS, learn_topics

_PUBLISHED: Final = {
    "# of seed domains": (12_033, 11_493),
    "# of domains crawled": (16_398, 18_418),
    "# of crawled documents": (15_747_585, 9_247_341),
    "# of documents after deduplication": (14_654_394, 9_022_716),
    "# of extracted documents": (3_924_194, 1_598_011),
    "# of language identified documents": (3_607_054, 1_337_286),
    "# of non-filtered documents": (3_409_226, 1_287_895),
    "# of tokens": (1_186_795_086, 380_299_844),
}
_EXTRACTION: Final = {
    "ContentExtractor": (0.979, 0.707, 0.821),
    "BTE": (0.570, 0.955, 0.713),
    "BoilerPipe": (0.847, 0.921, 0.882),
}
_METHODS: Final = {"ContentExtractor": "tagpath", "BTE": "bte", "learned (ours)": "learned"}
_PAGES: Final = 60


def items(view: PaperView) -> list[Item]:
    """Tables 1 to 3."""
    return [_attrition(view), _extraction(view), _topics(view)]


def _attrition(view: PaperView) -> Item:
    """Documents after each step, every step among those that the steps before it left (P1 Table 1)."""
    has = view.counter.has
    unique = "(dup_exact IS NULL OR dup_exact = key)" if has("dup_exact") else "true"
    text = f"{unique} AND coalesce(kept_char_count, 0) > 0" if has("kept_char_count") else unique
    language_list = ", ".join(f"'{lang}'" for lang in view.corpus.recipe.lang)
    lang = f"{text} AND lang IN ({language_list})" if has("lang") and language_list else text
    tokens = "token_count" if has("token_count") else "selected_word_count"
    seeds = {seed.split("/")[2] for seed in _seeds(view) if "://" in seed}
    ours = [
        len(seeds) or None,
        view.counter.rows("SELECT count(DISTINCT domain) FROM pages")[0][0],
        view.count("true"),
        view.count(unique),
        view.count(text),
        view.count(lang),
        view.count("keep"),
        int(view.counter.rows(f"SELECT coalesce(sum({tokens}), 0) FROM pages WHERE keep")[0][0]),
    ]
    rows = [
        row(what, own, hr, published_slwac=sl) for (what, (hr, sl)), own in zip(_PUBLISHED.items(), ours, strict=True)
    ]
    note = "Published: hrWaC; published_slwac: slWaC. P1's text says 2.25 % physical duplicates, its table 6.94 %."
    return Item("Table 1", "Numerical summary of the corpus creation process", rows, notes=[note])


def _seeds(view: PaperView) -> list[str]:
    lines = [
        line.strip() for path in view.corpus.seed_files for line in path.read_text("utf-8", "replace").splitlines()
    ]
    return [*view.corpus.seeds, *lines]


def _extraction(view: PaperView) -> Item:
    title = "Precision, recall and F1 of algorithms on content extraction"
    rows: list[dict[str, Any]] = [
        {"algorithm": name, "corpus": "published", "precision": p, "recall": r, "f1": f}
        for name, (p, r, f) in _EXTRACTION.items()
    ]
    if not view.is_mini:
        missing = "Gold texts of pages are needed; measure with: paberki eval extract GOLD --method tagpath"
        return Item("Table 2", title, rows, missing=missing)
    from paberki.extraction.evaluation.method_scores import evaluate, summary

    pages = gold_pages("hr")[:_PAGES]
    for name, method in _METHODS.items():
        scores = summary(name, evaluate(pages, method).judged)
        own = {"precision": scores.precision, "recall": scores.recall, "f1": scores.f.mean}
        rows.insert(len(rows) - 3, {"algorithm": name, "corpus": "ours", **own})
    notes = [f"Ours: {len(pages)} pages of the mini-web, whose text is known; mean over pages, by common subsequence."]
    return Item("Table 2", title, rows, notes=notes)


def _topics(view: PaperView) -> Item:
    title = "Twenty topics with the amount of text they cover and up to ten words"
    source = view.words
    model = None if isinstance(source, str) else learn_topics(source, count=view.topic_count)
    missing = source if isinstance(source, str) else "" if model else NO_NOUNS
    own = model.topics if model else ()
    rows = []
    for number, (topic, published) in enumerate(zip_longest(own, TOPICS), 1):
        name, percent, words, in_slwac = published or ("", None, "", None)
        line: dict[str, Any] = {"topic": number, "ours": topic.share if topic else None}
        line |= {"our_words": topic.first if topic else [], "published_name": name}
        line |= {
            "published": None if percent is None else percent / 100,
            "published_words": words,
            "in_slwac": in_slwac,
        }
        rows.append(line)
    notes = [model.about] if model else []
    notes.append("Published: hrWaC; rows are not aligned. P1 names topics by hand and finds 15 of 20 in slWaC too.")
    return Item("Table 3", title, rows, notes=notes, missing=missing)
