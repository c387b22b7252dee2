"""paberki identify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.input_file import read_text
from paberki.cli.options import Json, Quiet


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE|-", help="Text in UTF-8; - for standard input.")],
    languages: Annotated[
        str | None, typer.Option("--languages", "-l", metavar="hr,sr,…", help="Languages to choose from.")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", "-m", help="general, siblings, words, markov, ngram, vote or fasttext.")
    ] = "general",
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL", help="File made by paberki train, or of fastText.")
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Identify each line for itself.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say in which language and script a text is, and how sure that is.

    \b
    Examples:
      paberki identify page.txt
      echo "Kto to povedal?" | paberki identify - --json
      paberki identify comments.txt --lines --languages bs,hr,sr
    """
    from paberki.identification import identify_texts

    text = read_text(file)
    candidates = [name.strip() for name in languages.split(",") if name.strip()] if languages is not None else None
    texts = text.splitlines() if lines else [text]
    answers = identify_texts(texts, languages=candidates, method=method, model=model)
    facts = [{"lang": one.lang, "script": one.script, "probs": one.probs} for one in answers]
    if json:
        show.as_json(facts if lines else facts[0])
    elif not quiet:
        for one, line in zip(answers, texts, strict=True):
            probs = ", ".join(f"{name} {share:.3f}" for name, share in one.probs.items())
            summary = f"{one.lang or 'no language'}  {one.script}  {probs}".rstrip()
            show.say(f"{summary}  {line[:60]}" if lines else summary)
