"""paberki eval corpus: a command of :mod:`paberki.cli.eval`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet, one_language

if TYPE_CHECKING:
    from paberki.corpus import Corpus
    from paberki.extraction.evaluation.corpus_scores import CorpusPage, CorpusScores

HEADS = ("", "pages", "recall", "precision", "F", "lost", "wrong language", "duplicates", "comments F", "CPU s")


def corpus(
    warc: Annotated[Path, typer.Argument(metavar="WARC", help="Archive with the pages, or a folder of archives.")],
    gold: Annotated[Path, typer.Argument(metavar="GOLD.jsonl", help="What a corpus of it should hold.")],
    peer: Annotated[
        list[str], typer.Option("--peer", metavar="COMMAND", help="Other tools to run beside; may be repeated.")
    ] = [],  # noqa: B006 - typer wants a literal
    preset: Annotated[str, typer.Option("--preset", help="Recipe to build with.")] = "modern",
    lang: Annotated[
        str, typer.Option("--lang", "-l", help="Language of the corpus; else that of most gold pages.")
    ] = "",
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Build the corpus here and leave it.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE.jsonl", help="One line per wanted page and system.")
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes; else one per core.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build a corpus from an archive and compare it with gold: recall, precision and F of the text (means over pages),
    pages lost whole, pages in a wrong language, copies left.

    A line of GOLD.jsonl is {"url": …, "gold": TEXT, "lang": "hr", "copy_of": URL, "gold_comments": TEXT}; only url is
    needed. A peer gets the archive and the language, as {warc} and {lang} or as its last arguments, and prints
    {"url": …, "text": …} for every page that it keeps. Annotation is left out of the build.

    \b
    Examples:
      paberki eval corpus pages.warc.gz gold.jsonl
      paberki eval corpus pages.warc.gz gold.jsonl --peer "python chain.py {warc} {lang}" --log pages.jsonl
      paberki eval corpus pages.warc.gz gold.jsonl --preset llm --keep /tmp/en
    """
    from paberki.cli.peer_command import run_peer
    from paberki.extraction.evaluation.corpus_gold import language_of, read_corpus_gold
    from paberki.extraction.evaluation.corpus_scores import judge_corpus
    from paberki.store.scratch import scratch_folder

    documents = read_corpus_gold(gold)
    code = one_language(lang) or language_of(documents)
    with ExitStack() as stack:
        root = keep or stack.enter_context(scratch_folder()) / "corpus"
        new_corpus, seconds = _build(root, warc, preset, code, jobs, quiet=quiet or json)
        pages, reasons = _pages(new_corpus)
    own = judge_corpus(documents, pages, code, reasons)
    systems = [("paberki", own, seconds)]
    for command in peer:
        show.say(f"running {command}", quiet=quiet or json)
        kept_pages, seconds = run_peer(command, warc, code)
        systems.append((command, judge_corpus(documents, kept_pages, code), seconds))
    if log is not None:
        _log(systems, log)
    facts = [_facts(*one) for one in systems]
    if json:
        show.as_json({"lang": code, "preset": preset, **facts[0], "peers": facts[1:]})
    elif not quiet:
        _tell(facts)


def _build(
    root: Path, warc: Path, preset: str, lang: str, jobs: int | None, *, quiet: bool
) -> tuple[Corpus, float]:  # fmt: skip
    """A corpus of the archive without annotation, and the CPU seconds of everything from import to select."""
    from paberki.cli.peer_command import children_seconds
    from paberki.corpus import compile_kernels, new_corpus
    from paberki.store.files import write_text

    corpus = new_corpus(root, lang=lang, preset=preset)
    names = [stage.name for stage, _ in corpus.recipe.stages]
    annotating = [name for name in names if name.startswith("annotate.")]
    recipe = corpus.directory.recipe
    if annotating:
        write_text(recipe, f"remove = {annotating!r}\n".replace("'", '"') + recipe.read_text("utf-8"))
    compile_kernels(names)  # once for a machine, no part of a build
    before = time.process_time() + children_seconds()
    with show.watching(quiet=quiet) as listen:
        corpus.add([warc], copy=True)
        corpus.build(jobs=jobs, listen=listen)
    return corpus, time.process_time() + children_seconds() - before


def _pages(corpus: Corpus) -> tuple[dict[str, CorpusPage], dict[str, str]]:
    """The pages that a corpus kept, by address, and why it left others out."""
    from paberki.extraction.evaluation.corpus_scores import CorpusPage

    pages: dict[str, CorpusPage] = {}
    reasons: dict[str, str] = {}
    for row in corpus.pages("url", "keep", "reason", "blocks", "block_keep", kept=False):
        if not row["keep"]:
            reasons.setdefault(row["url"], row["reason"] or "")
            continue
        blocks = [block for block, stays in zip(row["blocks"], row["block_keep"], strict=True) if stays]
        comments = frozenset(number for number, block in enumerate(blocks) if block["label"] == "comment")
        pages[row["url"]] = CorpusPage([block["text"] for block in blocks], comments)
    return pages, reasons


def _facts(name: str, scores: CorpusScores, seconds: float) -> dict[str, Any]:
    reasons = Counter(one.reason or "nothing of its text" for one in scores.missing_pages)
    return {
        "system": name, "pages": len(scores.judged), "recall": scores.recall, "precision": scores.precision,
        "f": scores.f, "lost": len(scores.missing_pages), "lost_reasons": dict(reasons.most_common()),
        "wrong_language": len(scores.wrong_language), "foreign_pages": scores.foreign,
        "duplicates": len(scores.duplicates), "copies": scores.copies, "comments": scores.comments,
        "cpu_seconds": round(seconds, 2),
    }  # fmt: skip


def _tell(facts: list[dict[str, Any]]) -> None:
    number: Callable[[float | None], str] = lambda value: "" if value is None else f"{value:.4f}"  # noqa: E731
    rows = [
        (
            one["system"][:60], one["pages"], number(one["recall"]), number(one["precision"]), number(one["f"]),
            one["lost"], f"{one['wrong_language']} of {one['foreign_pages']}", f"{one['duplicates']} of {one['copies']}",
            number(one["comments"]), f"{one['cpu_seconds']:.1f}",
        )
        for one in facts
    ]  # fmt: skip
    show.table(HEADS, rows, right=range(1, len(HEADS)))
    for reason, count in facts[0]["lost_reasons"].items():
        show.say(f"  lost by paberki: {count} {reason}")


def _log(systems: list[tuple[str, CorpusScores, float]], path: Path) -> None:
    from dataclasses import asdict
    from json import dumps

    with path.open("w", encoding="utf-8") as file:
        for name, scores, _ in systems:
            for one in scores.judged:
                file.write(dumps({"system": name, **asdict(one)}, ensure_ascii=False) + "\n")
