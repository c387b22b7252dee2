"""paberki demo."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet
from paberki.errors import Stopped, StoreError

if TYPE_CHECKING:
    from paberki.corpus import Corpus
    from paberki.report.written_report import Report

MARK = "demo"


def run(
    directory: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to put the corpus.")] = Path("demo-corpus"),
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Workers; default: one per core.")] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Only serve the small web, until ctrl-C, for a crawl of your own.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Crawl a small web that comes with paberki, build a Croatian corpus of it, and show what came out.

    The web is served on this machine only: some twenty hosts with news, blogs, forums, shops, traps and spam in seven
    languages, many encodings, duplicates and mirrors. A demo corpus of an earlier run is replaced.

    \b
    Examples:
      paberki demo
      paberki demo /tmp/demo
      paberki demo /tmp/web --serve        leaves seeds and addresses in /tmp/web, and says how to crawl them
    """
    if serve:
        _serve(directory, quiet=quiet)
        return
    from paberki.corpus import new_corpus
    from paberki.report.written_report import write_report

    start = time.monotonic()
    quiet = quiet or json
    _clear(directory)
    corpus = new_corpus(directory, lang="hr", name="demo")
    corpus.directory.private.mkdir(exist_ok=True)
    (corpus.directory.private / MARK).touch()
    _crawl(corpus, quiet=quiet)
    show.say("building …", quiet=quiet)
    with show.watching(quiet=quiet) as listen:
        result = corpus.build(jobs=jobs, listen=listen)
    report = write_report(corpus.directory, corpus.plan(), corpus.recipe)
    seconds = time.monotonic() - start
    if json:
        show.as_json(
            {"directory": str(directory), "pages": result.pages, "report": str(report.page), "seconds": seconds}
        )
        return
    if not quiet:
        show.say(f"  {show.several(result.pages, 'page')} in {result.seconds:.1f} s\n")
        _show(corpus, report)


def _crawl(corpus: Corpus, *, quiet: bool) -> None:
    """Serve the small web and crawl it, with delays that only a machine of one's own allows."""
    from paberki.cli.crawl import crawl_corpus, crawl_line
    from paberki.crawl import CrawlConfig
    from paberki.demo.web import MiniWeb

    with MiniWeb() as web:
        config = CrawlConfig(
            seeds=tuple(web.seeds),
            hosts=("*.test",),
            languages=corpus.recipe.lang,
            delay=0.005,
            ip_delay=0.0,
            max_crawl_delay=0.02,
            retry_delay=0.2,
            max_per_template=25,
            allow_networks=(web.network,),
            user_agent="paberki-demo/1.0",
        )
        show.say(f"crawling {len(web.addresses)} hosts on {web.network} …", quiet=quiet)
        resolve = {host: (where.ip, where.port) for host, where in web.addresses.items()}
        stats = crawl_corpus(corpus.directory, config, quiet=True, resolve=resolve)
    show.say(f"  {crawl_line(stats)}", quiet=quiet)


def _serve(folder: Path, *, quiet: bool) -> None:
    """Serve the small web until somebody stops it."""
    from paberki.demo.web import MiniWeb
    from paberki.store.files import write_text

    _clear(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with MiniWeb() as web:
        write_text(folder / "seeds.txt", "".join(f"{url}\n" for url in web.seeds))
        hosts = [f"{where.ip} {host}\n" for host, where in web.addresses.items()]
        write_text(folder / "hosts.txt", "".join(hosts))
        command = _command()
        show.say(
            f"serving {len(web.addresses)} hosts on {web.network}; ctrl-C stops. In another terminal:\n"
            f"    {command} new my-corpus --lang hr --domains test\n"
            f"    {command} crawl my-corpus --seeds {folder / 'seeds.txt'} --hosts-file {folder / 'hosts.txt'} "
            f"--allow-network {web.network} --delay 0.01 --ip-delay 0 --contact me@example.org\n"
            f"    {command} build my-corpus",
            quiet=quiet,
        )
        with contextlib.suppress(Stopped):
            while True:
                time.sleep(3600)


def _clear(directory: Path) -> None:
    """Remove the corpus of an earlier demo, and nothing else."""
    if (directory / ".paberki" / MARK).exists():
        shutil.rmtree(directory)
    elif directory.exists() and any(directory.iterdir()):
        raise StoreError(f"{directory}: exists and is not a demo corpus; choose another directory: paberki demo DIR")


def _show(corpus: Corpus, report: Report) -> None:
    from paberki.cli.report import print_attrition, print_hosts
    from paberki.report.peek import peek

    print_attrition(report.sections["attrition"])
    show.say("")
    print_hosts(report.sections["documents_per_host"])
    show.say("\nSample")
    for sample in peek(corpus.directory, corpus.plan(), n=3):
        show.say(f"{sample['id']}  {sample['url']}")
        for line in sample["text"].splitlines()[:3]:
            show.say(f"    {line[:200]}")
    _show_words(corpus)
    root, command = corpus.root, _command()
    example = next(iter(corpus.pages("id", kept=False, where="reason = 'duplicate'")), {"id": "000000000"})["id"]
    show.say(
        f"""
Report
    {report.page.resolve().as_uri()}

Next
    {command} explain {root} {example}
    {command} peek {root} --reason duplicate
    {command} sql {root} "select lang, count(*) from pages group by all order by 2 desc"
    {command} export {root} jsonl -o {root}.jsonl
    {command} export {root} conllu -o {root}.conllu
    {command} query {root} '[lemma="grad"]'
    {command} serve {root}
    {command} new my-corpus --lang hr
then {command} import my-corpus FILE.warc.gz, and {command} build my-corpus"""
    )


def _command() -> str:
    """How to call this program: by its name if it is on the PATH, otherwise by its path."""
    if shutil.which("paberki") is not None:
        return "paberki"
    program = Path(sys.argv[0])
    if program.name == "paberki":
        return os.path.relpath(program) if program.resolve().is_relative_to(Path.cwd()) else str(program)
    return f"{sys.executable} -m paberki"


def _show_words(corpus: Corpus) -> None:
    """The first annotated sentence: word/lemma/tag."""
    columns = ("blocks", "sent_block", "sent_length", "tok_start", "tok_end", "tok_lemma", "tok_xpos")
    page = next(iter(corpus.pages(*columns, where="token_count > 0")), None)
    if page is not None:
        text = page["blocks"][page["sent_block"][0]]["text"]
        fields = (page[name][: page["sent_length"][0]] for name in columns[3:])
        words = [f"{text[start:end]}/{lemma}/{tag}" for start, end, lemma, tag in zip(*fields, strict=True)]
        show.say(f"\nAnnotated\n    {' '.join(words)[:400]}")
