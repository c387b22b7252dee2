"""P5, COW: sizes, attrition, duplication, shingling, coders, genres, host bias, cut-off, throughput (P5 Tables 1–6,
Figs. 1–4) [53, 68, 70, 72–74, 82–84].

P5 gives 7.63 million documents (Tables 1, 4) and 7,759,892 (Fig. 1) for DECOW2012, and ± 3.0 for 1 % spoken where its formula
gives ± 1.2; both stand here as printed.
"""

from __future__ import annotations

from typing import Any, Final

from paberki.coding.coding_store import CodingStore
from paberki.report.figures.attrition import attrition_in
from paberki.report.figures.cutoff import cutoff_figure
from paberki.report.figures.duplicate_clusters import duplicates_in
from paberki.report.figures.host_bias import host_bias
from paberki.report.figures.sizes import sizes_section
from paberki.report.papers.cow_genres import AGREEMENT, GENRES
from paberki.report.papers.mini_web import gold_pages
from paberki.report.papers.paper_item import Item, of_section, row
from paberki.report.papers.paper_view import PaperView
from paberki.report.words.kwic_duplication import kwic_duplication

_SIZES: Final = {"SECOW2011": (1.91, 1750), "ESCOW2012": (1.30, 1587), "DECOW2012": (7.63, 9108)}
_DISCARDED: Final = {
    "Threshold": (93_604_922, 0.7167, ("too-short",)),
    "Language": (16_882_377, 0.1293, ("not-connected", "other-language")),
    "Perfect dup.": (3_179_884, 0.0243, ("duplicate",)),
    "Near dup.": (9_175_335, 0.0703, ("near-duplicate",)),
}
_TOTAL: Final = (122_842_518, 0.9406)
_KWIC: Final = {
    "DECOW2012": {"und": 0.0925, "die": 0.0570, "der": 0.0611},
    "deWaC": {"der": 0.1140, "die": 0.1119, "und": 0.1109},
}
_SHINGLED: Final = {
    "DECOW2012": (16.94, 7.63, 0.549),
    "ESCOW2012": (3.50, 1.30, 0.630),
    "deWaC": (1.75, 1.50, 0.143),
    "frWaC": (2.27, 1.47, 0.350),
}
_BIAS: Final = {
    "Figure 1": ("DECOW2012", 258, 1276),
    "Figure 2": ("SECOW2011", 29, None),
    "Figure 3": ("deWaC, shingled", None, None),
}
_CODE: Final = "People code: paberki code draw DIR -n 200 --task genre, then two coders, then the same command again."


def items(view: PaperView) -> list[Item]:
    """All tables and figures, and the throughput of section 3.5."""
    return [*_tables(view), *_genres(view), *_bias(view), _cutoff(view), _throughput(view)]


def _tables(view: PaperView) -> list[Item]:
    kept_row = sizes_section(view.counter).rows[1]
    size = {"documents": kept_row["pages"] / 1e6, "tokens": kept_row.get("tokens", kept_row["words"]) / 1e6}
    sizes: list[dict[str, Any]] = [{"corpus": "ours", **size}]
    sizes += [{"corpus": name, "documents": a, "tokens": b} for name, (a, b) in _SIZES.items()]
    kwic = view.of_words("kwic_duplication", "Duplicated strings", kwic_duplication)
    published = [
        {"corpus": corpus, "type": word, "share": share}
        for corpus, words in _KWIC.items()
        for word, share in words.items()
    ]
    return [
        Item("Table 1", "Document and token counts (million)", sizes),
        _attrition(view),
        of_section("Table 3", kwic, published),
        _shingling(view),
    ]


def _attrition(view: PaperView) -> Item:
    lines = attrition_in(view.counter, view.corpus.recipe)
    crawled_pages = lines[0].pages
    pages = {line.reason: line.pages for line in lines if line.kind == "dropped"}
    rows = []
    for name, (published, share, reasons) in _DISCARDED.items():
        own = sum(pages.pop(reason, 0) for reason in reasons)
        rows.append(
            row(name, own, published, ours_share=own / crawled_pages if crawled_pages else 0.0, published_share=share)
        )
    others = sum(pages.values())
    rows.append(
        row("Other", others, None, ours_share=others / crawled_pages if crawled_pages else 0.0, published_share=None)
    )
    total = crawled_pages - lines[-1].pages
    share = total / crawled_pages if crawled_pages else 0.0
    rows.append(row("Total", total, _TOTAL[0], ours_share=share, published_share=_TOTAL[1]))
    notes = ["Other: reasons that P5 does not list, such as pages that are no HTML or have a wrong status."]
    return Item("Table 2", "Documents discarded by the algorithms", rows, notes=notes)


def _shingling(view: PaperView) -> Item:
    facts = duplicates_in(view.counter)
    before, after = facts.before[0] / 1e6, facts.after[0] / 1e6
    share = 1 - after / before if before else 0.0
    rows: list[dict[str, Any]] = [{"corpus": "ours", "before": before, "after": after, "reduction_share": share}]
    rows += [{"corpus": name, "before": a, "after": b, "reduction_share": c} for name, (a, b, c) in _SHINGLED.items()]
    notes = ["Millions of documents. For a corpus of others: paberki reduce FILE"]
    return Item("Table 4", "Reduction by w-shingling", rows, notes=notes)


def _genres(view: PaperView) -> list[Item]:
    """Agreement and genres, where people have coded the corpus."""
    store = CodingStore(view.corpus.directory)
    task = next((task for task in store.tasks() if "authorship" in store.scheme(task).names), None)
    coders = store.coders(task) if task else []
    agreement = store.agreement(task) if task else {}
    shares = store.shares(task, coders[0]) if task and coders else {}
    fifth = [
        row(name, agreement.get(name, {}).get("agreement"), raw)
        | {"ours_kappa": agreement.get(name, {}).get("kappa"), "published_kappa": kappa}
        for name, (raw, kappa) in AGREEMENT.items()
    ]
    sixth = []
    for variable, values in GENRES.items():
        own = {one["value"]: one for one in shares.get(variable, ())}
        for value, (share, interval) in values.items():
            ours = own.get(value, {})
            line = row(f"{variable}: {value}", ours.get("share"), share / 100)
            sixth.append(line | {"ours_interval": ours.get("interval"), "published_interval": interval / 100})
    title = "Inter-rater agreement per variable"
    return [
        Item("Table 5", title, fifth, missing="" if agreement else _CODE),
        Item("Table 6", "Genres with 90 % intervals (DECOW2012)", sixth, missing="" if shares else _CODE),
    ]


def _bias(view: PaperView) -> list[Item]:
    section = host_bias(view.counter, view.corpus.seed_files, view.corpus.seeds)
    items = []
    for label, (corpus, seeds, final) in _BIAS.items():
        rows = [
            row("hosts that have half of the seeds", section.values.get("seeds_hosts_for_half"), seeds),
            row("hosts that have half of the corpus", section.values.get("hosts_for_half"), final),
        ]
        svg = section.figures[0].svg if section.figures else ""
        items.append(
            Item(label, f"Host bias, beside {corpus}", rows, svg, [section.caption, *section.notes], section.missing)
        )
    return items


def _cutoff(view: PaperView) -> Item:
    title = "Quality of boilerplate removal depending on the cut-off"
    if not view.is_mini:
        missing = "Coded pages are needed; measure with: paberki eval extract CODED --method perceptron"
        return Item("Figure 4", title, [{"corpus": "published", "cutoff": 0.48}], missing=missing)
    from paberki.extraction.evaluation.method_scores import evaluate

    evaluation = evaluate(gold_pages("hr")[:60], "perceptron")
    points = evaluation.curve()
    rows: list[dict[str, Any]] = [
        {"corpus": "ours", "cutoff": one.cutoff, "precision": one.precision, "recall": one.recall, "f1": one.f}
        for one in points
    ]
    best = evaluation.best()
    svg = cutoff_figure(points, "Precision, recall and F against the cut-off (P5 Fig. 4)")
    inner = svg.partition("?>\n")[2]
    notes = [f"Best F at {best.cutoff:.2f}; P5 takes .48." if best else ""]
    return Item("Figure 4", title, [*rows, {"corpus": "published", "cutoff": 0.48}], inner, notes)


def _throughput(view: PaperView) -> Item:
    cleaning = view.throughput("decode", "extract", "identify", "quality", "dedup.exact")
    shingling = view.throughput("dedup.signatures", "dedup.near", "dedup.shared", "copies")
    rows = [
        row("clean-up, documents per CPU second", cleaning, 171.8),
        row("shingling, documents per CPU second", shingling, 85.2),
    ]
    notes = [
        "Published: 8.8 days for 130.6 million documents, 2.3 days for 16.9 million, Xeon 5160 at 3 GHz (P5 §3.5)."
    ]
    missing = "" if cleaning else "No build of this corpus has noted its times; they are in runs/ after a build."
    return Item("Section 3.5", "Throughput", rows, notes=notes, missing=missing)
