"""P2, a web corpus of Czech: parts of speech, sentences, unknown words, homogeneity (P2 Figs. 1–3, Table 1)."""

from __future__ import annotations

from typing import Final

from paberki.report.papers.paper_item import Item, of_section, row
from paberki.report.papers.paper_view import PaperView
from paberki.report.words.homogeneity import homogeneity
from paberki.report.words.parts_of_speech import parts_of_speech
from paberki.report.words.sentence_lengths import sentence_lengths
from paberki.report.words.similarity import similarity
from paberki.report.words.unknown_words import unknown_words

_HOMOGENEITY: Final = {"WEB": (0.986, 0.004), "SYN2005": (0.938, 0.023)}
_BETWEEN: Final = 0.741
_SAYS: Final = {
    "Figure 1": "P2: there is no big difference in the proportions of parts of speech.",
    "Figure 2": "P2: the web corpus contains in general longer sentences than SYN2005.",
    "Figure 3": "P2: the web corpus contains more out-of-vocabulary words; missing diacritics are a main reason.",
}


def items(view: PaperView) -> list[Item]:
    """Figures 1 to 3 and Table 1."""
    sources = view.comparison_sources
    if not sources:
        missing = str(view.words)
        return [Item(label, "", (), missing=missing) for label in (*_SAYS, "Table 1")]
    figures = []
    makers = (parts_of_speech, sentence_lengths, unknown_words)
    for (label, says), make in zip(_SAYS.items(), makers, strict=True):
        section = make(sources)
        figures.append(of_section(label, section, [{"corpus": "published", "says": says}], section.rows))
    return [*figures, _table(view)]


def _table(view: PaperView) -> Item:
    sources = view.comparison_sources
    names = ("web", "reference")
    rows = []
    for (published_name, (mean, sd)), name, source in zip(_HOMOGENEITY.items(), names, sources, strict=False):
        values = homogeneity(source).values
        what = f"homogeneity, {name} ({source.name}; {published_name})"
        rows.append(row(what, values.get("mean"), mean, ours_sd=values.get("sd"), published_sd=sd))
    if len(sources) > 1:
        between = similarity(sources[:2])[0].values["spearman"]
        rows.append(row("similarity of the two (SYN2005 vs WEB)", between, _BETWEEN, ours_sd=None, published_sd=None))
    notes = ["Ranks of the 500 most frequent words, 10 random halvings."]
    if len(sources) < 2:
        notes.append("For the similarity name a reference: paberki replicate P2 DIR --reference FILE --out FOLDER")
    return Item("Table 1", "Spearman rank correlation: homogeneity and similarity", rows, notes=notes)
