"""paberki train tagger, lemmatiser, parser, ner, tokeniser: commands of :mod:`paberki.cli.train`.

Each writes its layer into a model file; if the file is there already, its other layers stay, so that one file can hold
everything a language needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet

if TYPE_CHECKING:
    from paberki.annotation.files.annotation_model_file import AnnotationModelFile, Part
    from paberki.annotation.files.conllu_reading import Tree
    from paberki.annotation.tagging.tagger_training import Tagged

Data = Annotated[list[Path], typer.Argument(metavar="DATA…", help="Treebanks: .conllu, also packed as .xz or .gz.")]
Names = Annotated[
    list[Path], typer.Argument(metavar="DATA…", help="Form and label in two columns, or .conllu with NER=.")
]
Dev = Annotated[Path | None, typer.Option("--dev", metavar="FILE", help="Gold sentences to measure the result on.")]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Model to write, or to add the layer to.")]
Seed = Annotated[int, typer.Option("--seed", min=0, max=1 << 31, help="The same seed gives the same bytes.")]
Lang = Annotated[str, typer.Option("--lang", "-l", help="Language; else the beginning of the first file's name.")]
Source = Annotated[
    str | None,
    typer.Option("--source", metavar="WORDS", help="Learn only from sentences whose # source holds these words."),
]
Tags = Annotated[str, typer.Option("--tags", help="Tag to learn: xpos, upos+feats, or auto.")]
Future = Annotated[
    bool | None,
    typer.Option(
        "--future/--no-future",
        help="Double sentences that have an analytic future (radit ćemo) with the synthetic one (radićemo, Vmf1p), and "
        "learn the forms of all verbs; needs MULTEXT-East tags. Usual for bs and sr.",
    ),
]
Rounds = Annotated[
    int, typer.Option("--rounds", min=1, max=200, help="Times that the data are gone through; 0: as usual.")
]


def tagger(
    data: Data,
    output: Output,
    dev: Dev = None,
    seed: Seed = 1,
    lang: Lang = "",
    source: Source = None,
    tags: Tags = "auto",
    raw: Annotated[
        Path | None,
        typer.Option("--raw", metavar="TEXT", help="Plain text to learn from as well, tagged by a combination (P2)."),
    ] = None,
    future: Future = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn a tagger.

    \b
    Examples:
      paberki train tagger hr.train.conllu.xz hr.web.train.conllu.xz --dev hr.dev.conllu.xz -o hr.annotation
      paberki train tagger hr.train.conllu.xz sr.train.conllu.xz --lang sr --future -o sr.annotation
      paberki annotate --text page.txt --lang hr --model hr.annotation
    """
    from paberki.annotation.annotation_training import learn_lemmas, learn_tagger, trees_with_tags
    from paberki.annotation.files import model_layers
    from paberki.annotation.tagging.synthetic_future import add_forms
    from paberki.annotation.tagging.tagger_training import TaggerConfig

    lang = _language(lang, data)
    trees = trees_with_tags(_trees(data, source))
    scheme = _scheme(tags, trees)
    config = TaggerConfig(seed=seed)
    log = _log(quiet or json)
    copies = _future(future, trees, scheme, lang, log)
    trees = [*trees, *copies]
    fresh: list[Tagged] = []
    if raw is not None:
        from paberki.annotation.tagging.self_training import fresh_chunks

        fresh = fresh_chunks(trees, raw, scheme, config, log, lang)
    tagger_model, table = learn_tagger(trees, scheme, config, log, lang, fresh)
    if copies:
        tagger_model.lexicon = add_forms(tagger_model.lexicon, tagger_model.tags, learn_lemmas(trees, scheme, lang))
    parts = {"tagger": model_layers.tagger_parts(tagger_model), "table": model_layers.table_parts(table)}
    about = {"sentences": len(trees), "scheme": scheme, "seed": seed, "future": len(copies)}
    _write(output, lang, parts, about, data, dev, json, quiet)


def lemmatiser(
    data: Data,
    output: Output,
    dev: Dev = None,
    seed: Seed = 1,
    lang: Lang = "",
    source: Source = None,
    tags: Tags = "auto",
    future: Future = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn a lemmatiser: lemmas that were seen, and rules for endings.

    \b
    Examples:
      paberki train lemmatiser hr.train.conllu.xz --dev hr.dev.conllu.xz -o hr.annotation
    """
    from paberki.annotation.annotation_training import learn_lemmas, trees_with_tags
    from paberki.annotation.files import model_layers
    from paberki.annotation.tagging.synthetic_future import add_lemmas

    lang = _language(lang, data)
    trees = trees_with_tags(_trees(data, source))
    scheme = _scheme(tags, trees)
    copies = _future(future, trees, scheme, lang, _log(quiet or json))
    lemmas = learn_lemmas([*trees, *copies], scheme, lang)
    if copies:
        add_lemmas(lemmas)
    parts = {"lemmas": model_layers.lemmatiser_parts(lemmas, {})}
    _write(output, lang, parts, {"sentences": len(trees), "scheme": scheme}, data, dev, json, quiet)


def parser(
    data: Data,
    output: Output,
    dev: Dev = None,
    seed: Seed = 1,
    lang: Lang = "",
    source: Source = None,
    tags: Tags = "auto",
    rounds: Rounds = 10,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn a parser.

    Sentences without heads help as well: the tagger whose mistakes it learns to live with is better for them, and
    several parsers vote on their trees.

    \b
    Examples:
      paberki train parser hr.train.conllu.xz --dev hr.dev.conllu.xz -o hr.annotation
    """
    from paberki.annotation.annotation_training import learn_parser, trees_with_tags
    from paberki.annotation.files import model_layers
    from paberki.annotation.parsing.parser_training import ParserConfig

    lang = _language(lang, data)
    trees = trees_with_tags(_trees(data, source))
    scheme = _scheme(tags, trees)
    parsed_trees = [tree for tree in trees if tree.parsed]
    config = ParserConfig(seed=seed, rounds=rounds)
    parts = {"parser": model_layers.parser_parts(learn_parser(trees, scheme, config, lang, log=_log(quiet or json)))}
    _write(output, lang, parts, {"sentences": len(parsed_trees), "seed": seed}, data, dev, json, quiet)


def ner(
    data: Names,
    output: Output,
    dev: Dev = None,
    seed: Seed = 1,
    lang: Lang = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn names. They are found with the help of tags: of the tagger in the same file, else of the language's own.

    \b
    Examples:
      paberki train ner hr.names.tsv --dev hr.names.dev.tsv --lang hr -o hr.annotation
    """
    from paberki.annotation.annotation_training import learn_names, read_labelled
    from paberki.annotation.files import model_layers
    from paberki.annotation.files.model_catalogue import annotator
    from paberki.annotation.names.name_finder import NamesConfig

    lang = _language(lang, data)
    sentences = [sentence for path in data for sentence in read_labelled(path)]
    tagger = annotator(lang, (output,) if output.exists() else ()).tagger
    if tagger is None:
        from paberki.errors import ConfigError

        raise ConfigError(f"{output} has no tagger; first: paberki train tagger DATA -o {output}")
    finder = learn_names(sentences, tagger, NamesConfig(seed=seed), _log(quiet or json))
    _write(
        output,
        lang,
        {"names": model_layers.names_parts(finder)},
        {"sentences": len(sentences), "seed": seed},
        data,
        dev,
        json,
        quiet,
    )


def tokeniser(
    data: Data,
    output: Output,
    dev: Dev = None,
    seed: Seed = 1,
    lang: Lang = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn where tokens and sentences end, from sentences that tell where spaces are missing.

    \b
    Examples:
      paberki train tokeniser hr.train.conllu.xz --dev hr.dev.conllu.xz -o hr.annotation
    """
    from paberki.annotation.annotation_training import learn_splitter
    from paberki.annotation.files import model_layers

    lang = _language(lang, data)
    trees = _trees(data, None)
    parts = {"tokens": model_layers.splitter_parts(learn_splitter(trees, lang, seed))}
    _write(output, lang, parts, {"sentences": len(trees), "seed": seed}, data, dev, json, quiet)


def _language(lang: str, data: list[Path]) -> str:
    return lang or data[0].name.partition(".")[0].partition("_")[0] or "und"


def _log(quiet: bool) -> Callable[[str], None]:
    return lambda line: show.say(line, quiet=quiet)


def _trees(data: list[Path], source: str | None) -> list[Tree]:
    from paberki.annotation.files.conllu_reading import read_trees
    from paberki.errors import ConfigError

    trees = [tree for path in data for tree in read_trees(path)]
    if source is not None:
        trees = [tree for tree in trees if source in (tree.comment("source") or "")]
    if not trees:
        raise ConfigError("no sentences in this data")
    return trees


def _future(is_asked: bool | None, trees: list[Tree], scheme: str, lang: str, log: Callable[[str], None]) -> list[Tree]:
    """Copies of sentences with the synthetic future, where it is asked for or usual."""
    from paberki.annotation.tagging.synthetic_future import LANGUAGES, synthetic_copies
    from paberki.annotation.tagging.tag_table import XPOS
    from paberki.errors import ConfigError

    if is_asked is False or (is_asked is None and lang not in LANGUAGES):
        return []
    copies = synthetic_copies(trees) if scheme == XPOS else []
    if copies:
        log(f"{len(copies)} sentences are learnt from with the synthetic future as well")
    elif is_asked:
        raise ConfigError(
            "no sentence has an analytic future that could be made synthetic: an infinitive without its last vowel, "
            "tagged Vmn (radit), before ću, ćeš, će, ćemo or ćete"
        )
    return copies


def _scheme(tags: str, trees: list[Tree]) -> str:
    from paberki.annotation.annotation_training import choose_scheme
    from paberki.annotation.tagging.tag_table import UPOS, XPOS
    from paberki.errors import ConfigError

    if tags == "auto":
        return choose_scheme(trees)
    if tags not in (UPOS, XPOS):
        raise ConfigError(f"unknown tags {tags!r}; known: auto, {XPOS}, {UPOS}")
    return tags


def _write(
    output: Path,
    lang: str,
    parts: Mapping[str, Mapping[str, Part]],
    about: dict[str, Any],
    data: list[Path],
    dev: Path | None,
    json: bool,
    quiet: bool,
) -> None:
    from paberki.annotation.files.annotation_model_file import AnnotationModelFile, load_model, save

    model = load_model(output) if output.exists() else AnnotationModelFile({"lang": lang, "langs": [lang]})
    for name, own in parts.items():
        model.put(name, own, {**about, "data": [path.name for path in data]})
    save(model, output)
    scores = _scores(model, output, lang, list(parts), dev) if dev else {}
    size = output.stat().st_size
    if json:
        show.as_json({"model": str(output), "layers": model.layers, "bytes": size, "dev": scores, **about})
        return
    show.say(f"{output}: {', '.join(model.layers)}; {show.size(size)}", quiet=quiet)
    for name, value in scores.items():
        show.say(f"  {name} {value:.2f}", quiet=quiet)


def _scores(model: AnnotationModelFile, output: Path, lang: str, parts: list[str], dev: Path) -> dict[str, float]:
    """Scores of the new layer on held-out sentences, with the other layers of the file."""
    from paberki.annotation.annotation_scores import FIGURES, evaluate, evaluate_names, evaluate_raw
    from paberki.annotation.annotation_training import read_labelled
    from paberki.annotation.dev_scores import gold_tag_scores, own_annotator
    from paberki.annotation.files.conllu_reading import read_trees
    from paberki.annotation.files.model_catalogue import annotator

    if "names" in parts:
        return {
            f"F1 {kind}": counts.f
            for kind, counts in evaluate_names(annotator(lang, (output,)), read_labelled(dev)).items()
        }
    own = own_annotator(model, lang)
    trees = list(read_trees(dev))
    if "tokens" in parts:
        return {f"F {name}": counts.f for name, counts in evaluate_raw(own, trees).items()}
    if own.tagger is None:
        return gold_tag_scores(own, model, trees)
    scores = evaluate(own, trees, dev.name)
    return {figure: value for figure in FIGURES if (value := scores.percent(figure)) is not None}
