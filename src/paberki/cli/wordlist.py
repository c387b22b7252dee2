"""paberki wordlist."""

from __future__ import annotations

from paberki.cli.list_options import (
    Attribute,
    Bare,
    Corpus,
    Exclude,
    First,
    Format,
    Include,
    JsonLines,
    Least,
    NoHeader,
    Out,
    Regex,
    Set,
    Timeout,
    Where,
)
from paberki.cli.listing import list_options, open_corpus, show_list, time_limit


def run(
    directory: Corpus,
    attribute: Attribute = "word",
    least: Least = 1,
    regex: Regex = None,
    include: Include = None,
    exclude: Exclude = None,
    where: Where = None,
    set_name: Set = None,
    first: First = None,
    form: Format = "text",
    out: Out = None,
    no_header: NoHeader = False,
    json: JsonLines = False,
    quiet: Bare = False,
    timeout: Timeout = None,
) -> None:
    """List the values of an attribute, with hits, pages, hosts, ARF and DP.

    \b
    Examples:
      paberki wordlist hr --attr lemma --first 100
      paberki wordlist hr --attr word --regex '.*anje' --min 5 --format csv --out anje.csv
    """
    from paberki.query.hits.export import list_header

    with time_limit(timeout):
        corpus = open_corpus(directory, where, set_name)
        table = corpus.wordlist(attribute, **list_options(include, exclude, regex, least))
        header = list_header(corpus._scope(), list=f"{attribute} by frequency")
        show_list(table, header, form="jsonl" if json else form, out=out, first=first, no_header=no_header or quiet)
