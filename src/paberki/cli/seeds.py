"""paberki seeds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet, several_languages

app = typer.Typer(
    no_args_is_help=True,
    help="""Where a crawl starts: search queries, URLs from an index, home pages, sitemaps.

\b
From words to a crawl without any search service:
  paberki seeds queries words.tsv --lang hr -o queries.txt
  paberki seeds lookup queries.txt cdx-00123.gz --tld hr -o urls.txt
  paberki seeds homes urls.txt --tld hr -o seeds.txt
  paberki new hr --lang hr --tld hr --seeds seeds.txt
""",
)

Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write; standard output if not given.")
]
Tld = Annotated[list[str], typer.Option("--tld", help="Only hosts on this top-level domain; repeat for several.")]
Lang = Annotated[
    list[str], typer.Option("--lang", "-l", callback=several_languages, help="Language, ISO 639-1; repeat for several.")
]


def _deliver(name: str, lines: Sequence[str], out: Path | None, *, json: bool, quiet: bool, **facts: object) -> None:
    """Write lines to a file or standard output; with ``json``, lines without a file go into the JSON object."""
    from paberki.store.files import explain, write_text

    if out is not None and str(out) != "-":
        try:
            write_text(out, "".join(f"{line}\n" for line in lines))
        except OSError as error:
            raise explain(error, f"writing {out}") from error
    elif not json:
        typer.echo("".join(f"{line}\n" for line in lines), nl=False)
        return
    if json:
        summary = {"file": str(out), name: len(lines)} if out is not None else {name: list(lines)}
        show.as_json(summary | facts)
    else:
        show.say(f"{out}: {show.count(len(lines))} {name.replace('_', ' ')}", quiet=quiet)


def _ranks(text: str) -> tuple[int, int]:
    first, dash, last = text.replace(",", "").replace("–", "-").partition("-")
    if not dash or not first.strip().isdecimal() or not last.strip().isdecimal():
        raise typer.BadParameter(f"--ranks {text}: write e.g. 1000-10000")
    return int(first), int(last)


@app.command()
def queries(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Word list (word, tab, count), text file, or corpus directory.")
    ],
    size: Annotated[int, typer.Option("--words", min=1, max=10, help="Words per query: 2 as P1 and P3, 3 as P5.")] = 2,
    ranks: Annotated[
        str | None, typer.Option(metavar="FIRST-LAST", help="Frequency ranks; 1000-10000, for triples 1001-6000.")
    ] = None,
    content: Annotated[
        bool | None, typer.Option("--content/--all-words", help="Rank only content words; default for triples.")
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many queries.")] = 1000,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal queries.")] = 1,
    lang: Lang = [],  # noqa: B006 - typer wants a literal
    out: Out = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Random tuples of mid-frequency words, one query per line, for any search service.

    \b
    Bigrams of words ranked 1,000 to 10,000 (hrWaC), triples of content words ranked 1,001 to 6,000 (COW).
    Content words are told by the third column of a word list (N, V, A, R or NOUN, VERB, ADJ, ADV), else by not being
    function words of --lang.

    \b
    Examples:
      paberki seeds queries words.tsv -o queries.txt
      paberki seeds queries words.tsv --words 3 --lang hr -n 5000
      paberki seeds queries old-corpus/ --ranks 500-5000 --seed 7
    """
    from paberki.seeding.frequent_words import function_words, ranked_words
    from paberki.seeding.word_tuples import TRIPLES, Draw
    from paberki.seeding.word_tuples import queries as draw_queries

    usual = TRIPLES if size >= 3 else Draw()
    first, last = _ranks(ranks) if ranks else (usual.first_rank, usual.last_rank)
    draw = Draw(
        size=size,
        first_rank=first,
        last_rank=last,
        content=usual.content if content is None else content,
        count=count,
        seed=seed,
    )
    drawn_queries = draw_queries(ranked_words(source), draw, function_words(lang))
    _deliver(
        "queries",
        [" ".join(query) for query in drawn_queries],
        out,
        json=json,
        quiet=quiet,
        draw=dataclasses.asdict(draw),
    )


@app.command()
def lookup(
    query_file: Annotated[Path, typer.Argument(metavar="QUERIES", help="Queries, one per line.")],
    indexes: Annotated[list[Path], typer.Argument(metavar="INDEX…", help="Common Crawl index files, CDXJ, also .gz.")],
    tld: Tld = [],  # noqa: B006
    lang: Lang = [],  # noqa: B006
    hits: Annotated[int, typer.Option(min=1, help="Most URLs per query.")] = 10,
    least: Annotated[
        int | None, typer.Option(min=1, help="How many words of a query have to be in a URL; default all.")
    ] = None,
    out: Out = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Seed URLs for queries from a Common Crawl index file, offline: the words are sought in the URLs.

    \b
    Examples:
      paberki seeds lookup queries.txt cdx-00123.gz --tld hr -o seeds.txt
      paberki seeds lookup queries.txt cdx-*.gz --lang hr --least 1
    """
    from paberki.seeding.common_crawl_index import captures, three_letters
    from paberki.seeding.homes import domain_names
    from paberki.seeding.lookup import Lookup
    from paberki.seeding.seed_lines import read_lines

    matches = Lookup([line.split() for line in read_lines(query_file) if line.strip()], hits=hits, least=least)
    domains, codes = domain_names(tld), three_letters(lang)
    for index in indexes:
        for capture in captures(index, tld=domains):
            if capture.is_page and capture.is_in(codes):
                matches.offer(capture)
    _deliver("urls", matches.urls, out, json=json, quiet=quiet, queries_with_hits=matches.answered_count)


@app.command()
def homes(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE…", help="URL lists, index files, sitemaps, corpus directories; - is standard input."
        ),
    ],
    tld: Tld = [],  # noqa: B006
    lang: Lang = [],  # noqa: B006
    out: Out = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Home pages of the hosts in URL lists, indexes, sitemaps or older corpora, each host once.

    \b
    --lang counts where an index names the languages of its pages.

    \b
    Examples:
      paberki seeds homes urls.txt --tld hr -o seeds.txt
      paberki seeds homes old-corpus/ --tld hr
      paberki seeds homes cdx-00123.gz --tld hr --lang hr
    """
    from paberki.seeding.homes import domain_names, home_pages, urls_of

    domains = domain_names(tld)
    urls = (url for source in sources for url in urls_of(source, tld=domains, languages=lang))
    _deliver("home_pages", home_pages(urls, tld=domains), out, json=json, quiet=quiet)


@app.command()
def sitemaps(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Sitemaps or feeds on disk, also .gz.")],
    tld: Tld = [],  # noqa: B006
    out: Out = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """URLs that sitemaps and feeds list. (A crawl finds the sitemaps of its hosts by itself.)

    \b
    Examples:
      paberki seeds sitemaps sitemap.xml.gz -o seeds.txt
    """
    from paberki.seeding.homes import domain_names, on_domain, sitemap_urls

    domains = domain_names(tld)
    urls = dict.fromkeys(url for path in files for url in sitemap_urls(path) if on_domain(url, domains))
    _deliver("urls", list(urls), out, json=json, quiet=quiet)


@app.command()
def size(
    indexes: Annotated[list[Path], typer.Argument(metavar="INDEX…", help="Common Crawl index files, CDXJ, also .gz.")],
    tld: Annotated[list[str], typer.Option("--tld", help="National top-level domain.")],
    lang: Annotated[list[str], typer.Option("--lang", "-l", callback=several_languages, help="Language, ISO 639-1.")],
    share: Annotated[
        float,
        typer.Option(min=1e-9, max=1.0, help="Share of the whole index in these lines, if drawn at random."),
    ] = 1.0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Estimate the size of a web from a Common Crawl index: pages in a language, anywhere and on its domain.

    \b
    An index is sorted by host name from the right, so that a domain is in a few neighbouring files: give these and no
    --share to count a domain, or lines drawn at random and their --share to estimate a language anywhere.

    \b
    Examples:
      paberki seeds size cdx-0012*.gz --lang hr --tld hr
      paberki seeds size sample.cdxj --lang hr --tld hr --share 0.001
    """
    from paberki.seeding.common_crawl_index import captures, three_letters
    from paberki.seeding.homes import domain_names
    from paberki.seeding.size import web_size

    estimate = web_size(
        (capture for index in indexes for capture in captures(index)),
        codes=three_letters(lang),
        tld=domain_names(tld),
    )
    extents = {"in the language": estimate.language, "on the domain": estimate.domain, "both": estimate.both}
    if json:
        counts = {name.replace(" ", "_"): extent.scaled(share) for name, extent in extents.items()}
        show.as_json({"lang": lang, "tld": tld, "index_lines": estimate.lines, "share": share, **counts})
    elif not quiet:
        rows = [(name, *map(show.count, extent.scaled(share).values())) for name, extent in extents.items()]
        title = f"{', '.join(lang)} and .{', .'.join(tld)} in {show.count(estimate.lines)} captures"
        show.table(("", "pages", "hosts", "domains"), rows, title=title, right=(1, 2, 3))
