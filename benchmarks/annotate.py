"""Annotation: accuracy and speed, beside UDPipe trained on the same file in the same run; P3's figures redrawn.

    python benchmarks/annotate.py peer hr.train.conllu.xz hr.dev.conllu.xz [--passes 20] [--no-parser]
    python benchmarks/annotate.py speed hr.txt --lang hr
    python benchmarks/annotate.py all TREEBANKS --lang sl [--model FILE]
    python benchmarks/annotate.py raw hr.train.conllu.xz hr.dev.conllu.xz hr.txt
    python benchmarks/annotate.py p3 hr.set2015.train.conllu.xz [p3.set.hr.test.conllu p3.wiki.hr.test.conllu …]

``speed`` tells tokens per CPU second of running text at first sight and again, and of writing CoNLL-U. ``peer`` trains
tagger, lemmatiser and parser on the first file and measures on the second, by CPU time. UDPipe is held to as many passes
as are asked for (its authors use 20). ``all`` runs ``paberki train tagger``, ``lemmatiser`` and ``parser`` as they are on
all training files of a language in a folder, whatever their licence (for hr and sr, on those of both), and measures on
the dev files, with CPU seconds and memory of each command. ``raw`` tells what plain text brings to a tagger, with
P2's semi-supervised training. ``p3`` trains on the sentences of SETimes.HR alone and scores
lemma, MSD and LAS with P3's scheme of 15 relations; every further file is a test set. Without one, every tenth sentence
of SETimes.HR is held out, and the web pages in the same file are the other domain. Needs: pip install ufal.udpipe
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from paberki.annotation.annotation_scores import FIGURES, evaluate, score
from paberki.annotation.annotation_training import (
    choose_scheme,
    learn_lemmas,
    learn_parser,
    learn_tagger,
    trees_with_tags,
)
from paberki.annotation.files.annotation_model_file import load_model
from paberki.annotation.files.conllu_reading import Tree, document_of, read_trees
from paberki.annotation.files.model_catalogue import annotator, annotator_of
from paberki.annotation.files.model_layers import ready
from paberki.annotation.lemmas.lemmatiser import Lemmatiser
from paberki.annotation.parsing.parser_training import ParserConfig
from paberki.annotation.pipeline import ALL_LAYERS, Annotator
from paberki.annotation.tagging.self_training import fresh_chunks
from paberki.annotation.tagging.tagger_training import TaggerConfig


def trained(trees: list[Tree], lang: str, *, parser: bool = True, seed: int = 1) -> Annotator:
    """Our own layers from these sentences and nothing else."""
    trees = trees_with_tags(trees)
    scheme = choose_scheme(trees)
    tagger, table = learn_tagger(trees, scheme, TaggerConfig(seed=seed), lang=lang)
    annotator = Annotator(lang, tagger=tagger, table=table, lemmatiser=Lemmatiser.of(learn_lemmas(trees, scheme, lang)))
    if parser:
        assert tagger.unseen is not None
        tags = [tagger.tags[number] for number in tagger.unseen.tolist()]
        annotator.parser = learn_parser(trees, scheme, ParserConfig(seed=seed), lang, tags=tags)
    return annotator


def timed(annotate: object, trees: list[Tree], layers: tuple[str, ...]) -> float:
    """Tokens per CPU second; once to warm up, then the same again."""
    documents = [document_of(trees), document_of(trees)]
    annotate(documents[0], layers)  # type: ignore[operator]
    start = time.process_time()
    annotate(documents[1], layers)  # type: ignore[operator]
    return len(documents[1]) / (time.process_time() - start)


def peer(options: argparse.Namespace) -> dict[str, object]:
    """Both tools on one file."""
    train, test = list(read_trees(options.train)), list(read_trees(options.test))
    lang = options.train.name[:2]
    start = time.process_time()
    own = trained(train, lang, parser=not options.no_parser)
    figures: dict[str, object] = {"train_seconds": time.process_time() - start}
    scores = evaluate(own, test, "own")
    figures["paberki"] = {name: scores.percent(name) for name in FIGURES}
    figures["paberki_tokens_per_second"] = timed(own.add_layers, test, ("tag", "lemma"))
    start = time.process_time()
    other = udpipe(options.train, options.passes, not options.no_parser)
    figures["udpipe_train_seconds"] = time.process_time() - start
    document = document_of(test)
    other.add_layers(document)
    theirs = score(test, document, "udpipe")
    figures["udpipe"] = {name: theirs.percent(name) for name in FIGURES}
    if options.no_parser:
        figures["udpipe_tokens_per_second"] = timed(lambda one, _: other.add_layers(one), test, ())
    return figures


def udpipe(train: Path, passes: int, parser: bool):  # type: ignore[no-untyped-def]
    """UDPipe 1 trained on the same file."""
    import ufal.udpipe as library

    from paberki.annotation.adapters.udpipe import UDPipe

    reader = library.InputFormat.newConlluInputFormat()
    lines = []
    for tree in read_trees(train):
        for number, word in enumerate(tree.words, 1):
            head = word.head if word.head >= 0 else "_"
            lines.append(
                f"{number}\t{word.form}\t{word.lemma}\t{word.upos}\t{word.xpos}\t{word.feats}\t{head}\t{word.deprel}\t_\t_"
            )
        lines.append("")
    reader.setText("\n".join(lines) + "\n")
    sentences, sentence = library.Sentences(), library.Sentence()
    while reader.nextSentence(sentence):
        sentences.push_back(sentence)
        sentence = library.Sentence()
    error = library.ProcessingError()
    model = library.Trainer.train(
        "morphodita_parsito", sentences, library.Sentences(), "none", f"iterations={passes}",
        f"iterations={passes}" if parser else "none", error,
    )  # fmt: skip
    if error.occurred():
        sys.exit(error.message)
    with tempfile.NamedTemporaryFile(suffix=".udpipe") as file:
        file.write(model if isinstance(model, bytes) else model.encode("latin-1", "surrogateescape"))
        file.flush()
        return UDPipe(train.name[:2], file.name)


def speed(options: argparse.Namespace) -> dict[str, object]:
    """Running text through the shipped model, each time in a process of its own that has not seen its words."""
    command = [sys.executable, __file__, "speed", str(options.text), "--lang", options.lang, "--layers"]
    if options.layers is None:
        runs = [("tag_lemma", "tag,lemma"), ("all", ",".join(ALL_LAYERS))]
        outputs = {name: json.loads(subprocess.check_output([*command, layers])) for name, layers in runs}
        return {f"{name}_{figure}": value for name, figures in outputs.items() for figure, value in figures.items()}
    text = options.text.read_text("utf-8")
    start = time.process_time()
    own = annotator(options.lang)
    measures: dict[str, object] = {"load_seconds": time.process_time() - start}
    own.annotate(text[:2000])
    for name in ("tokens_per_second", "again"):
        start = time.process_time()
        document = own.annotate(text, options.layers.split(","))
        measures[name] = len(document) / (time.process_time() - start)
    start = time.process_time()
    document.to_conllu()
    measures["written"] = len(document) / (time.process_time() - start)
    measures["tokens"] = len(document)
    measures["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return measures


KINDS = ("train", "morph.train", "web.train")
TOGETHER = {"hr": ("hr", "sr"), "sr": ("sr", "hr")}


def everything(options: argparse.Namespace) -> dict[str, object]:
    """What a user gets who gives all there is to ``paberki train``; nothing but the commands' own settings."""
    langs = TOGETHER.get(options.lang, (options.lang,))
    files = [
        path for lang in langs for kind in KINDS if (path := options.treebanks / f"{lang}.{kind}.conllu.xz").exists()
    ]
    with tempfile.TemporaryDirectory() as folder:
        model = options.model or Path(folder) / f"{options.lang}.annotation"
        figures: dict[str, object] = {"files": [path.name for path in files]}
        for verb in ("tagger", "lemmatiser", "parser"):
            figures[verb] = measured([*map(str, files), "-o", str(model), "--quiet"], verb)
        own = annotator_of(options.lang, ready(load_model(model), options.lang))
        for path in sorted(file for lang in langs for file in options.treebanks.glob(f"{lang}.*dev.conllu.xz")):
            scores = evaluate(own, list(read_trees(path)), path.name)
            figures[path.name] = {name: scores.percent(name) for name in FIGURES}
        figures["megabytes"] = model.stat().st_size / 1e6
    return figures


def measured(arguments: list[str], verb: str) -> dict[str, float]:
    """CPU seconds and memory of a command in a process of its own."""
    child = os.posix_spawn(
        sys.executable, [sys.executable, "-m", "paberki", "train", verb, *arguments], dict(os.environ)
    )
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"paberki train {verb} failed")
    return {"cpu_seconds": usage.ru_utime + usage.ru_stime, "memory_mb": usage.ru_maxrss >> 10}


def raw(options: argparse.Namespace) -> dict[str, object]:
    """P2 §4.1: errors of a tagger from the manual data alone, and of one that has a fresh chunk of text in each round."""
    lang, config = options.train.name[:2], TaggerConfig()
    trees, test = trees_with_tags(list(read_trees(options.train))), list(read_trees(options.test))
    scheme = choose_scheme(trees)
    figures: dict[str, object] = {}
    errors = []
    for name, chunks in (("manual", []), ("with_text", fresh_chunks(trees, options.text, scheme, config, print, lang))):
        tagger, table = learn_tagger(trees, scheme, config, lang=lang, fresh=chunks)
        scores = evaluate(Annotator(lang, tagger=tagger, table=table), test, name)
        figures[name] = {
            "tag": scores.percent("XPOS"), "UPOS": scores.percent("UPOS"), "unknown": scores.unknown_percent("XPOS"),
        }  # fmt: skip
        errors.append(scores.total["XPOS"] - scores.right["XPOS"])
    figures["errors_less_percent"] = 100 * (1 - errors[1] / errors[0])
    return figures


def p3(options: argparse.Namespace) -> dict[str, object]:
    """P3 §4: trained on SETimes.HR only; other test sets show what other domains and Serbian cost."""
    every_tree = list(read_trees(options.train))
    train = [tree for tree in every_tree if (tree.comment("source") or "").endswith("set.hr")]
    tests = {path.name: list(read_trees(path)) for path in options.tests}
    if not tests:
        news = {id(tree) for tree in train}
        tests = {"news": train[::10], "web": [tree for tree in every_tree if id(tree) not in news]}
        train = [tree for number, tree in enumerate(train) if number % 10]
    own = trained(train, "hr")
    figures: dict[str, object] = {"training_tokens": sum(len(tree.words) for tree in train)}
    for name, trees in tests.items():
        scores = evaluate(own, trees, name)
        figures[name] = {
            "lemma": scores.percent("Lemma"),
            "msd": scores.percent("XPOS"),
            "las": scores.percent("LAS"),
            "tokens": scores.words,
        }
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    one = verbs.add_parser("peer")
    one.add_argument("train", type=Path)
    one.add_argument("test", type=Path)
    one.add_argument("--passes", type=int, default=20)
    one.add_argument("--no-parser", action="store_true", help="tagger and lemmatiser only; gives the speed of both")
    one.set_defaults(run=peer)
    one = verbs.add_parser("speed")
    one.add_argument("text", type=Path)
    one.add_argument("--lang", required=True)
    one.add_argument("--layers", help="measure these alone")
    one.set_defaults(run=speed)
    one = verbs.add_parser("all")
    one.add_argument("treebanks", type=Path)
    one.add_argument("--lang", required=True)
    one.add_argument("--model", type=Path, help="keep the model here")
    one.set_defaults(run=everything)
    one = verbs.add_parser("raw")
    one.add_argument("train", type=Path)
    one.add_argument("test", type=Path)
    one.add_argument("text", type=Path)
    one.set_defaults(run=raw)
    one = verbs.add_parser("p3")
    one.add_argument("train", type=Path)
    one.add_argument("tests", type=Path, nargs="*")
    one.set_defaults(run=p3)
    options = parser.parse_args()
    print(json.dumps(options.run(options), indent=1))
