"""paberki annotate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.input_file import read_text
from paberki.cli.options import Quiet, one_language

if TYPE_CHECKING:
    from paberki.annotation import Document


def run(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE|-]", help="Text to annotate, as with --text.")] = None,
    text: Annotated[
        Path | None, typer.Option("--text", metavar="FILE|-", help="Plain text; each line is a paragraph.")
    ] = None,
    conllu: Annotated[
        Path | None, typer.Option("--conllu", metavar="FILE|-", help="CoNLL-U whose sentences are annotated anew.")
    ] = None,
    keep_tokens: Annotated[
        bool, typer.Option("--keep-tokens", help="With --conllu: tokens and sentences stay as they are.")
    ] = False,
    lang: Annotated[
        str, typer.Option("--lang", "-l", callback=one_language, help="Language of the text: hr, sr, bs, sl, cs, …")
    ] = "",
    form: Annotated[str, typer.Option("--format", "-f", help="conllu, vert or json.")] = "conllu",
    model: Annotated[
        list[Path], typer.Option("--model", "-m", metavar="FILE", help="Layers from this model; may be repeated.")
    ] = [],  # noqa: B006 - typer wants a literal
    tagger: Annotated[
        list[str],
        typer.Option(
            "--tagger",
            metavar="NAME",
            help="Another tool: udpipe:MODEL, spacy:PACKAGE, stanza, classla, command:…; repeated: several annotations.",
        ),
    ] = [],  # noqa: B006 - typer wants a literal
    quiet: Quiet = False,
) -> None:
    """Sentences, tokens, tags, lemmas, trees and names of a text, to standard output.

    \b
    Examples:
      paberki annotate --text page.txt --lang hr
      paberki annotate --conllu gold.conllu --keep-tokens --lang sr --format vert
      echo 'Pas laje.' | paberki annotate - --lang hr
    """
    from paberki.errors import ConfigError

    text = text or file
    if (text is None) == (conllu is None):
        raise ConfigError("give one file with --text or --conllu; - reads standard input")
    if form not in ("conllu", "vert", "json"):
        raise ConfigError(f"no format {form!r}; known: conllu, vert, json")
    if not lang:
        raise ConfigError("say which language it is, for example --lang hr")
    for document in _documents(text, conllu, keep_tokens, lang, model, tagger):
        output = {"conllu": document.to_conllu, "vert": document.to_vert, "json": document.to_json}[form]()
        if not quiet:
            show.page_text(output + ("\n" if form == "json" else ""))


def _documents(
    text: Path | None, conllu: Path | None, keep: bool, lang: str, models: list[Path], taggers: list[str]
) -> list[Document]:
    from paberki.annotation.adapters import adapter
    from paberki.annotation.files.conllu_reading import document_of, read_trees
    from paberki.annotation.files.model_catalogue import annotator

    tools = [adapter(name, lang) for name in taggers]
    if not tools:
        tools = [annotator(lang, tuple(models))]
    if conllu is not None:
        trees = list(read_trees(conllu))
        if keep:
            documents = []
            for tool in tools:
                document = document_of(trees, lang)
                tool.add_layers(document)
                documents.append(document)
            return _name_schemes(documents, taggers)
        words = "\n".join(tree.text for tree in trees)
    else:
        assert text is not None
        words = read_text(text)
    return _name_schemes([tool.annotate(words) for tool in tools], taggers)


def _name_schemes(documents: list[Document], names: list[str]) -> list[Document]:
    """With several annotations, add a comment with the tagger to each sentence."""
    if len(documents) > 1:
        for document, name in zip(documents, names, strict=True):
            comment = f"# scheme = {name}"
            if document.comments is None:
                document.comments = [
                    [f"# sent_id = {one.number + 1}", f"# text = {' '.join(one.text.split())}"]
                    for one in document.sentences
                ]
            document.comments = [[*lines, comment] for lines in document.comments]
    return documents
