"""The card of a corpus: data sheet (Gebru et al. 2021, Datasheets for Datasets) and Hugging Face card in one, from its numbers.

Every number comes from the corpus itself. Questions that a corpus cannot answer about itself, such as who paid for it, are
left open in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from paberki.amounts import number, percent, several
from paberki.engine.plan import Plan
from paberki.markup.charts import histogram
from paberki.recipe.corpus_recipe import Recipe
from paberki.release.card_facts import CardFacts, card_facts
from paberki.release.corpus_licence import licence_code, licence_statement
from paberki.release.markdown import escape, image, table, yaml
from paberki.report.figures.attrition import attrition_figure
from paberki.report.figures.documents_per_host import hosts_figure
from paberki.store.directory import Directory

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"),
          (10**8, "10M<n<100M"), (10**9, "100M<n<1B"), (10**10, "1B<n<10B"))  # fmt: skip


def card(directory: Directory, plan: Plan, recipe: Recipe, *, release: str = "", doi: str = "") -> str:
    """Markdown with a YAML head."""
    return card_text(recipe, card_facts(directory, plan, recipe), release=release, doi=doi)


def card_text(recipe: Recipe, facts: CardFacts, *, release: str = "", doi: str = "") -> str:
    """The card of these numbers."""
    sections = [
        _head(recipe, facts),
        f"# {escape(recipe.name)}{f' {escape(release)}' if release else ''}\n\n{_summary(recipe, facts)}",
        _motivation(recipe),
        _composition(recipe, facts),
        _collection(facts),
        _processing(recipe, facts),
        _uses(facts),
        _distribution(facts),
        _maintenance(recipe, facts, release, doi),
    ]
    return "\n\n".join(sections) + "\n"


def _head(recipe: Recipe, facts: CardFacts) -> str:
    kept_languages = [one.lang for one in facts.languages if one.kept] or list(recipe.lang)
    values: dict[str, Any] = {
        "pretty_name": recipe.name,
        "language": kept_languages[:20],
        "license": licence_code(facts),
        "size_categories": [next((name for most, name in _SIZES if facts.pages < most), "n>1T")],
        "task_categories": ["text-generation", "fill-mask"],
        "multilinguality": "multilingual" if len(kept_languages) > 1 else "monolingual",
        "source_datasets": ["original"],
        "tags": ["web corpus", "paberki"],
        "corpus": {"pages": facts.pages, "words": facts.words},
    }
    return f"---\n{yaml(values)}---"


def _summary(recipe: Recipe, facts: CardFacts) -> str:
    tokens = f", {several(facts.tokens, 'token')}" if facts.tokens else ""
    languages = ", ".join(recipe.lang) or "any language"
    return (
        f"A web corpus of {escape(languages)}: {several(facts.pages, 'page')} with {several(facts.words, 'word')}{tokens}, "
        f"from {several(facts.hosts.kept_hosts, 'host')}."
    )


def _motivation(recipe: Recipe) -> str:
    return (
        "## Motivation\n\n"
        f"The corpus was made after the preset `{recipe.preset}` of paberki, to study and to model "
        f"{escape(', '.join(recipe.lang) or 'the languages of a web')} as it is written on the web. Who made it, for whom "
        "and with whose money is for its makers to add here."
    )


def _composition(recipe: Recipe, facts: CardFacts) -> str:
    languages = [(one.lang, number(one.kept), number(one.kept_words)) for one in facts.languages if one.kept]
    hosts = [(one.host, number(one.kept), percent(one.kept_share)) for one in facts.hosts.top if one.kept]
    bins = [(f"{one.start:,}".replace(",", " "), one.pages) for one in facts.lengths.bins]
    lengths = histogram("lengths", "Lengths of kept texts", "Characters per page.", bins, axis="characters")
    parts = [
        "## Composition",
        f"An instance is a web page: its text without navigation and advertisements, cut into paragraphs, with "
        f"{'annotated tokens and ' if facts.annotated else ''}what is known about it. A page has "
        f"{number(round(facts.lengths.mean))} characters on average, half of the pages at most {number(facts.lengths.median)}.",
        image("Lengths of kept texts", lengths),
        table(("characters from", "pages"), [(number(one.start), number(one.pages)) for one in facts.lengths.bins]),
        "### Languages",
        table(("language", "pages", "words"), languages),
        "### Hosts",
        f"{number(facts.hosts.half)} of {number(facts.hosts.kept_hosts)} hosts have half of the pages.",
        image("Kept pages per host", hosts_figure(facts.hosts)),
        table(("host", "pages", "share"), hosts),
        "### Quality",
        _scores(facts),
        "### Personal data",
        _personal(facts),
        "### Known gaps",
        _gaps(recipe, facts),
    ]
    return "\n\n".join(part for part in parts if part)


def _scores(facts: CardFacts) -> str:
    if not facts.scores:
        return "The recipe has no scores of quality."
    rows = [(name, *(f"{value:.4g}" for value in values)) for name, *values in facts.scores]
    return table(("score", "5 %", "25 %", "median", "75 %", "95 %"), rows)


def _personal(facts: CardFacts) -> str:
    if not facts.personal:
        return (
            "No personal data of the types that are looked for (addresses, telephone numbers, account numbers, national "
            "identity numbers) was found, or the recipe does not look for them. Names of people are in the texts."
        )
    rows = [(name, number(spans), number(pages)) for name, spans, pages in facts.personal]
    return (
        table(("type", "places", "pages"), rows)
        + "\n\nNames of people are in the texts and are not counted. Exports made with `--mask` hold the type in the place of the data."
    )


def _gaps(recipe: Recipe, facts: CardFacts) -> str:
    gaps = [
        f"{number(row.pages)} pages were left out as {escape(row.reason)} ({escape(row.meaning)})."
        for row in facts.largest_reasons
    ]
    if facts.dates[2]:
        gaps.append(f"{number(facts.dates[2])} pages have no date.")
    if facts.annotated is not None and facts.annotated < facts.pages:
        gaps.append(f"{number(facts.pages - facts.annotated)} pages are not annotated.")
    if facts.taken_down:
        gaps.append(f"{number(facts.taken_down)} pages were taken down on request.")
    missing = [lang for lang in recipe.lang if lang not in {one.lang for one in facts.languages if one.kept}]
    if missing:
        gaps.append(f"No page is in {escape(', '.join(missing))}, which the recipe asks for.")
    gaps.append("Pages behind logins, in applications and outside of the crawled hosts are not there.")
    return "\n".join(f"- {gap}" for gap in gaps)


def _collection(facts: CardFacts) -> str:
    first, last, _ = facts.dates
    dates = f"between {first:%Y-%m-%d} and {last:%Y-%m-%d}" if first and last else "at times that are not known"
    how = f"The pages were captured {dates} and lie in {number(facts.archives)} archive files."
    if facts.crawl is not None:
        how += (
            f" The crawler sent {several(facts.crawl.requests, 'request')}; it obeys robots.txt "
            f"({number(facts.crawl.robots_denied)} addresses were not asked for) and keeps no page whose owner does not want it "
            f"({several(facts.crawl.opted_out, 'page')})."
        )
    years = table(("year", "pages"), [(year, number(pages)) for year, pages in facts.years])
    return f"## Collection\n\n{how}" + (f"\n\n{years}" if facts.years else "")


def _processing(recipe: Recipe, facts: CardFacts) -> str:
    rows = [(row.reason, row.meaning, number(row.pages), number(row.left_pages)) for row in facts.attrition]
    stages = "\n".join(f"1. `{stage.name}`" for stage, _ in recipe.stages)
    return (
        "## Processing\n\nNothing was deleted: a page that is left out keeps its row and the reason.\n\n"
        + image("What was left out", attrition_figure(facts.attrition))
        + "\n\n"
        + table(("step", "rule", "pages", "left"), rows, words=2)
        + f"\n\nStages, in this order:\n\n{stages}"
    )


def _uses(facts: CardFacts) -> str:
    return (
        "## Uses\n\nLinguistic research, lexicography, and training of language models. The web is not the language: "
        f"{number(facts.hosts.half)} hosts have half of the pages, and what is said there may be false, hostile or private. "
        "The corpus must not be used to identify people."
    )


def _distribution(facts: CardFacts) -> str:
    return f"## Distribution and rights\n\n{licence_statement(facts)}"


def _maintenance(recipe: Recipe, facts: CardFacts, release: str, doi: str) -> str:
    cite = f"{recipe.name}{f', version {release}' if release else ''}, web corpus{f', https://doi.org/{doi}' if doi else ''}"
    contact = getattr(recipe.crawl, "contact", "")
    return (
        "## Maintenance\n\n"
        f"Pages are taken down on request{f' to {escape(contact)}' if contact else ''}; {number(facts.taken_down)} were so far. "
        "Every release lists what was taken down since the one before.\n\n"
        f"### How to cite\n\n> {escape(cite)}. Made with paberki {version('paberki')}."
    )


def headings() -> Sequence[str]:
    """Sections that every card has."""
    return ("Motivation", "Composition", "Collection", "Processing", "Uses", "Distribution and rights", "Maintenance")
