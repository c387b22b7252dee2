"""paberki search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet, Where

if TYPE_CHECKING:
    from paberki.corpus import Corpus
    from paberki.search.searching import DocumentHit, DocumentHits

_Words = Annotated[str, typer.Argument(metavar="WORDS", help='Words, "phrases", AND OR NOT, field:words, ~20w.')]
_Set = Annotated[str, typer.Option("--set", metavar="NAME", help="kept, dropped or all pages.")]
_First = Annotated[int, typer.Option("--first", "-n", metavar="N", min=1, help="How many pages to list.")]
_From = Annotated[int, typer.Option("--from", metavar="RANK", min=1, help="Rank of the first page listed.")]
_All = Annotated[bool, typer.Option("--all", help="List all pages that match.")]
_Any = Annotated[bool, typer.Option("--any", help="Words side by side are joined by OR instead of AND.")]
_Forms = Annotated[bool, typer.Option("--forms", help="Words in all their forms, but for those in quotes.")]
_Fold = Annotated[bool, typer.Option("--fold", help="Near-copies once.")]
_Count = Annotated[bool, typer.Option("--count", help="Print the number of pages alone.")]
_Sort = Annotated[
    str, typer.Option("--sort", metavar="NAME", help="score, or a column (largest first; -NAME for smallest first).")
]
_Near = Annotated[int | None, typer.Option("--near", metavar="N", min=1, help="All words within N words.")]
_Relations = Annotated[
    float,
    typer.Option("--relations", metavar="SHARE", min=0.0, max=1.0, help="Share of dependency pairs in the score."),
]
_Force = Annotated[bool, typer.Option("--force-relations", help="Only pages where words are in a relation of grammar.")]
_Blocks = Annotated[
    str,
    typer.Option("--blocks", metavar="LABELS", help="Words stand in blocks with these labels: heading,list,comment."),
]
_Thesaurus = Annotated[
    Path | None, typer.Option("--thesaurus", metavar="FILE", help="Lines: word TAB synonym or hypernym TAB word.")
]
_NoSnippets = Annotated[bool, typer.Option("--no-snippets", help="No text of the pages.")]


def run(
    directory: Dir,
    words: _Words,
    set_name: _Set = "kept",
    first: _First = 20,
    start: _From = 1,
    everything: _All = False,
    some: _Any = False,
    forms: _Forms = False,
    fold: _Fold = False,
    count: _Count = False,
    sort: _Sort = "score",
    near: _Near = None,
    relations: _Relations = 0.2,
    force_relations: _Force = False,
    blocks: _Blocks = "",
    thesaurus: _Thesaurus = None,
    where: Where = None,
    no_snippets: _NoSnippets = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find documents: pages that are about some words, the best first.

    Fields are title, anchor, lemma, labels of blocks (heading, list, …) and every column of pages.

    \b
    Examples:
      paberki search hr 'stari grad'
      paberki search hr 'stari grad' --forms
      paberki search hr '"stari grad" NOT more' --json
      paberki search hr 'grad title:vijesti date:2019..2021 badness:<5'
      paberki search hr '"grad more"~20w' --set all
    """
    from paberki.cli.caret import with_caret
    from paberki.corpus import Corpus
    from paberki.search.asking.thesaurus import Thesaurus, read_thesaurus

    options: dict[str, Any] = {
        "set": set_name, "operator": "OR" if some else "AND", "first": start,
        "size": 0 if count else None if everything else first, "fold": fold, "sort": sort, "near": near, "alpha": relations, "base_forms": forms,
        "force_pairs": force_relations, "block_types": tuple(part.strip() for part in blocks.split(",") if part.strip()),
        "thesaurus": read_thesaurus(thesaurus) if thesaurus else Thesaurus(), "snippets": not no_snippets,
    }  # fmt: skip
    corpus = Corpus(directory)
    with show.watching(quiet=quiet or json) as listen:
        _prepare(corpus, listen)
    with with_caret(words):
        hits = corpus.search(words, where=where, **options)
    if json:
        show.as_json(hits.to_dict())
    elif not quiet:
        _print(hits, count=count)
        if not hits.total and not count:
            _print_wider(corpus, words, where, options)


def _prepare(corpus: Any, listen: Any) -> None:
    """Bring the index up to date before the search, so that people see why they wait."""
    import time

    from paberki.engine.progress import Progress
    from paberki.search.opening import open_documents

    progress = Progress(stage="index of documents", unit="pages", started=time.time())

    def tell(page_count: int, share: float) -> None:
        progress.done, progress.total = page_count, int(page_count / share) if share else 0
        if listen:
            listen(progress)

    corpus._documents = open_documents(corpus, tell)


def _print(hits: DocumentHits, *, count: bool) -> None:
    number = f"{'' if hits.exact else 'at least '}{show.several(hits.total, 'page')}"
    if not count:
        for row in hits.rows:
            show.say(_lines(row))
        number = f"{show.count(len(hits.rows))} of {number}, {hits.took_ms:.1f} ms"
    show.say(number)


def _print_wider(corpus: Corpus, words: str, where: str | None, options: dict[str, Any]) -> None:
    """Where nothing was found: what would find something, ready to be typed."""
    from paberki.search.asking.wider import wider_searches
    from paberki.search.opening import pages_where
    from paberki.search.searching import SearchRequest

    pages = pages_where(corpus, where) if where is not None else None
    flags = {"forms": "--forms", "any": "--any", "all": "--set all"}
    for one in wider_searches(corpus.documents, words, SearchRequest(**options, pages=pages)):
        show.say(f"{show.several(one.total, 'page')} with {flags[one.way]}")


def _lines(row: DocumentHit) -> str:
    why = f"  left out: {row.reason}" if row.keep is False else ""
    copies = f"  and {show.several(row.copies, 'copy')}" if row.copies else ""
    head = f"{row.rank:>3}. {row.title or '(no title)'}  [{row.score:.3f}]{why}{copies}"
    text = f"\n     {row.snippet}" if row.snippet else ""
    return f"{head}\n     {row.id}  {row.url}{text}"
