"""paberki wordlist."""

from __future__ import annotations

from paberki.cli.list_options import Attribute, Corpus, ListRequest, list_verb


@list_verb()
def run(
    directory: Corpus,
    attribute: Attribute = "word",
    *,
    request: ListRequest,
) -> None:
    """List the values of an attribute, with hits, pages, hosts, ARF and DP.

    \b
    Examples:
      paberki wordlist hr --attr lemma --first 100
      paberki wordlist hr --attr word --regex '.*anje' --min 5 --format csv --out anje.csv
    """
    corpus = request.open(directory)
    request.show_of(corpus, corpus.wordlist(attribute, **request.rows), f"{attribute} by frequency")
