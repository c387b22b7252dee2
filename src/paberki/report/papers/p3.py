"""P3, {bs,hr,sr}WaC: sizes, two classifiers, verdicts, languages, diacritics (P3 Tables 1–4, Fig. 1)."""

from __future__ import annotations

from typing import Any, Final

from paberki.report.figures.duplicate_clusters import deduplicated_sizes, duplicates_in
from paberki.report.figures.identifiers import identifiers_section
from paberki.report.figures.language_shares import by_tld
from paberki.report.papers.paper_item import Item, of_section, row
from paberki.report.papers.paper_view import PaperView
from paberki.report.words.diacritics import diacritics

_SIZES: Final = {
    "bsWaC 1.0": (722, 429, 288),
    "hrWaC new": (1779, 1134, 700),
    "hrWaC 2.0": (2686, 1910, 1340),
    "srWaC 1.0": (1554, 894, 557),
}
_CLASSIFIERS: Final = {"hrWaC": (0.0042, 0.003, 0.7315), "srWaC": (0.0193, 0.0128, 0.8053)}
_VERDICTS: Final = {"hrWaC": (0.18, 0.62, 0.20), "srWaC": (0.10, 0.48, 0.42)}
_LANGUAGES: Final = {
    "bsWaC": {"bs": 0.780, "hr": 0.165, "sr": 0.055},
    "hrWaC": {"hr": 0.997, "sr": 0.003},
    "srWaC": {"hr": 0.013, "sr": 0.987},
}


def items(view: PaperView) -> list[Item]:
    """Tables 1 to 4 and Figure 1."""
    figure = of_section(
        "Figure 1",
        view.of_words("diacritics", "Diacritics", diacritics),
        [{"corpus": "published", "says": "P3: near-normal distribution with a small peak at 0."}],
    )
    return [_sizes(view), *_classifiers(view), _languages(view), figure]


def _sizes(view: PaperView) -> Item:
    sizes = deduplicated_sizes(view.counter, duplicates_in(view.counter))
    own = {name.upper(): None if value is None else value / 1e6 for name, value in sizes.items()}
    rows: list[dict[str, Any]] = [{"corpus": "ours", **own}]
    rows += [{"corpus": name, "PHYS": a, "DOCN": b, "PARN": c} for name, (a, b, c) in _SIZES.items()]
    note = "Millions of tokens after physical, document and paragraph deduplication; ours in words between spaces."
    return Item("Table 1", "Size of the corpora in Mtokens", rows, notes=[note])


def _classifiers(view: PaperView) -> list[Item]:
    section = identifiers_section(view.counter)
    confusion = [line for line in section.tables.get("Confusion", ()) if line["a"] == "LM1"]
    rows: list[dict[str, Any]] = []
    for lang in view.corpus.recipe.lang:
        total = sum(line["pages"] for line in confusion if lang in (line["a_lang"], line["b_lang"]))
        other = {
            name: sum(
                line["pages"]
                for line in confusion
                if line[f"{key}_lang"] != lang and lang in (line["a_lang"], line["b_lang"])
            )
            for name, key in (("BL", "b"), ("LM1", "a"))
        }
        agreement_count = sum(line["pages"] for line in confusion if line["a_lang"] == line["b_lang"] == lang)
        if total:
            shares = {name: count / total for name, count in other.items()}
            rows.append({"corpus": f"ours, {lang}", **shares, "agreement": agreement_count / total})
    rows += [{"corpus": name, "BL": a, "LM1": b, "agreement": c} for name, (a, b, c) in _CLASSIFIERS.items()]
    missing = "" if confusion else section.missing or "LM1 has no model of two languages here; use the preset hbs2014."
    second = Item("Table 2", "Documents identified as the other language", rows, missing=missing)
    verdicts = [{"corpus": name, "BL": a, "LM1": b, "NA": c} for name, (a, b, c) in _VERDICTS.items()]
    how = (
        "People judge: write what each classifier says into two coding files, then paberki code pool A.csv B.csv -n 100 "
        "-o pool.csv, and paberki code verdicts pool.csv"
    )
    return [second, Item("Table 3", "Correct decisions where classifiers disagree", verdicts, missing=how)]


def _languages(view: PaperView) -> Item:
    rows = [
        row(f".{line['tld']}, {line['lang']}", line["share"], None, pages=line["pages"])
        for line in by_tld(view.counter)
    ]
    rows += [
        row(f"{corpus}, {lang}", None, share) for corpus, shares in _LANGUAGES.items() for lang, share in shares.items()
    ]
    return Item("Table 4", "Distribution of identified languages", rows)
