"""Make the models for annotation that come with paberki, from treebanks whose licence allows it.

    python benchmarks/annotation_models.py TREEBANKS -o src/paberki/annotation/models [--lang hbs] [--without-dev]
        [--tokens] [--names] [--trees]

TREEBANKS is a directory with ``hr.train.conllu.xz`` and so on, in which ``# source = …`` names the origin of each
sentence. Sentences of a source with a non-commercial licence are left out. Settings were chosen on the dev parts; the
models are then trained on train and dev together. With ``--tokens``, ``--names`` or ``--trees`` only that layer of the
models in the directory is made again.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from czech_tags import as_czech, positional, same_tags, without_lemma_features
from guessed_spaces import guessed
from present_relations import with_names_of_today, with_present_relations, with_relations_of
from tree_conversion import with_converted

from paberki.annotation.annotation_training import (
    choose_scheme,
    learn_lemmas,
    learn_names,
    learn_parser,
    learn_splitter,
    learn_tagger,
    read_labelled,
    trees_with_tags,
)
from paberki.annotation.files import model_layers
from paberki.annotation.files.annotation_model_file import AnnotationModelFile, load_model, save
from paberki.annotation.files.conllu_reading import Tree, TreeWord, read_trees
from paberki.annotation.files.model_catalogue import SUFFIX
from paberki.annotation.lemmas.lemmatiser import LearntLemmas
from paberki.annotation.names.name_finder import NamesConfig
from paberki.annotation.parsing.parser_training import ParserConfig
from paberki.annotation.splitting.splitter import Splitter
from paberki.annotation.tagging.synthetic_future import add_forms, with_synthetic
from paberki.annotation.tagging.tag_table import UPOS, TagTable, build_table, tag_of
from paberki.annotation.tagging.tagger import PerceptronTagger
from paberki.annotation.tagging.tagger_training import TaggerConfig, unseen_tags

BY_SA = "CC BY-SA 4.0"
OPEN = {
    "UD_Croatian-SET": BY_SA, "SETimes.HR+ set.hr": BY_SA, "hr500k": BY_SA, "reldi-hr": BY_SA,
    "UD_Serbian-SET": BY_SA, "SETimes.SR": BY_SA, "reldi-sr": BY_SA,
    "SUK_": BY_SA, "train_srl_ud": BY_SA, "dev_ud": BY_SA, "test_ud": BY_SA, "janes": BY_SA, "UD_Slovenian-SSJ": BY_SA,
    "UD_Czech-CAC": BY_SA, "UD_Czech-CLTT": BY_SA, "UD_Slovak-SNK": BY_SA, "UD_German-GSD": BY_SA,
    "UD_German-PUD": "CC BY-SA 3.0", "UD_Swedish-Talbanken": BY_SA, "UD_Swedish-PUD": "CC BY-SA 3.0",
    "UD_English-EWT": BY_SA,
}  # fmt: skip
"""Beginnings of the names of sources whose licence allows a model to be given away."""
SHUT = ("UD_Slovenian-SSJ@2015", "UD_Slovenian-SSJ@2016")
"""Versions of an open source that had a non-commercial licence."""
OTHER_TAGS = ("UD_German-PUD",)
"""Sources whose own tags are of another set than those of the other sources of the language."""
DATA = {
    "hbs": ("hr", "sr"), "sl": ("sl",), "cs": ("cs",), "sk": ("sk",), "de": ("de",), "sv": ("sv",), "en": ("en",),
}  # fmt: skip
HELP = {"cs": ("sk", 200_000)}
"""A language close by whose sentences help with tags and trees, and how many tokens of it: open Czech data are laws and
science, the Slovak ones have fiction."""
OTHER_SCHEME = "set2015.train"
"""Croatian trees of the scheme of SETimes.HR, which are converted."""
TREES = {"hbs": ("sl",), "sl": ("hr", "sr")}
"""Close languages whose trees help the parser, though not the tagger."""
TAGGER = TaggerConfig(rounds=5, folds=2)
TAGGERS = {"hbs": replace(TAGGER, margin=60)}
PARSER = ParserConfig(bits=17)
PARSERS = {
    "hbs": replace(PARSER, rounds=6, mixes=4),
    "sl": replace(PARSER, rounds=6, mixes=4),
    "cs": replace(PARSER, rounds=8, own_tags=False),
    "de": replace(PARSER, own_tags=False),
    "en": replace(PARSER, rounds=5),
    "sk": replace(PARSER, rounds=5, bits=16),
}
"""Settings other than the usual: large treebanks need fewer rounds, and a model should stay below six megabytes."""
SPLITTING = {
    "hbs": ("sl",),
    "sl": ("hr", "sr"),
    "cs": ("sl", "hr", "sr", "en"),
    "de": ("sl", "hr", "sr", "en"),
    "sv": ("sl", "hr", "sr", "en"),
}
"""Languages that help with the ends of sentences: laws and science have no questions and no direct speech."""
WITHOUT_SPACES = {"sk": "cs"}
"""A language whose training part does not tell where spaces are missing: they are guessed, and another one helps."""
CLEAR = {"cs": 0.0, "en": 0.0, "sk": 0.0, "sl": 0.5}
"""How much more must speak for the end of a sentence without a sign; others have 1.5."""
ORDERS = {"hbs": 3, "cs": 3}
"""In how many orders sentences are joined to learn where they end; usually in that of the files."""
KINDS, DEV = ("train", "morph.train", "web.train"), ("dev", "web.dev")
"""Files of a language to learn from, and to measure on."""
MOST = 110_000
"""Tokens of a language that is not one of the family; more cost time and room and bring little."""
NAMES = {
    "hbs": (
        "hr.ner.train",
        "hr.web.ner.train",
        "sr.ner.train",
        "hr.ner.dev",
        "hr.web.dev",
        "sr.ner.dev",
        "sr.web.ner.dev",
    ),
    "sl": ("sl.ner.train", "sl.morph.train", "sl.ner.dev", "sl.web.dev", "hr.ner.train", "hr.web.ner.train"),
}
"""Files with names. Those in two columns do not tell sources: the Croatian and Serbian ones are open, of the Slovene ones
those sentences that an open treebank has too."""
NAME_CONFIGS = {"hbs": NamesConfig(bits=19), "sl": NamesConfig()}


def allowed(tree: Tree) -> bool:
    """Whether the licence of the sentence's source allows it."""
    source = tree.comment("source") or ""
    return source.startswith(tuple(OPEN)) and not source.startswith(SHUT)


def present(tree: Tree) -> Tree:
    """A sentence without own tags of another set, and with today's names instead of those of UD 1."""
    if (tree.comment("source") or "").startswith(OTHER_TAGS):
        for word in tree.words:
            word.xpos = "_"
    return with_names_of_today(tree)


def read(folder: Path, lang: str, kinds: tuple[str, ...], everything: bool) -> list[Tree]:
    """The sentences of a language that may be used."""
    trees: list[Tree] = []
    for kind in kinds:
        path = folder / f"{lang}.{kind}.conllu.xz"
        if path.exists():
            trees += [present(tree) for tree in read_trees(path) if everything or allowed(tree)]
    return [with_present_relations(tree) for tree in trees] if lang in DATA["hbs"] else trees


def own_lemmas(joint: LearntLemmas, own: LearntLemmas) -> dict[tuple[str, str], str]:
    """Where a language's own data say something else than all together."""
    return {pair: lemma for pair, lemma in own.training_lemmas.items() if joint.training_lemmas.get(pair) != lemma}


def helping(folder: Path, name: str, everything: bool) -> list[Tree]:
    """Sentences of a language close by, evenly from all of its data."""
    lang, tokens = HELP.get(name, ("", 0))
    trees = thinned(trees_with_tags(read(folder, lang, ("train",), everything)), tokens) if lang else []
    if name != "cs":
        return trees
    return [as_czech(tree) for tree in trees if any(word.form != "_" for word in tree.words)]


def close_trees(folder: Path, name: str, own: list[Tree], everything: bool) -> list[Tree]:
    """Trees of close languages that have no other relations than the language's own trees."""
    relations = frozenset(word.deprel for tree in own if tree.parsed for word in tree.words)
    trees = (tree for lang in TREES.get(name, ()) for tree in read(folder, lang, ("train",), everything))
    return [close for tree in trees if (close := with_relations_of(name, relations, tree))]


def thinned(trees: list[Tree], tokens: int) -> list[Tree]:
    """About so many tokens, evenly from all the data."""
    return trees[:: max(1, round(sum(len(tree.words) for tree in trees) / tokens))]


def splitter(folder: Path, name: str, dev: bool, everything: bool) -> Splitter:
    """Tokens and sentences, from all that the language has."""
    kinds = (*KINDS, *(DEV if dev else ()))
    own = [tree for lang in DATA[name] for tree in trees_with_tags(read(folder, lang, kinds, everything))]
    trees, others = splitting(folder, name, own, everything)
    clear, orders = CLEAR.get(name, 1.5), ORDERS.get(name, 1)
    return learn_splitter(trees, name, 1, others, clear, orders, clauses=looks_at_clauses(name))


def looks_at_clauses(name: str) -> bool:
    """Whether verbs tell where sentences end: in German, Swedish, Slovak and English it brought nothing on the dev parts."""
    return name in NAMES or name in HELP


def make_tokens(folder: Path, name: str, dev: bool, everything: bool, out: Path) -> None:
    """Train that layer anew and put it into the model that is there."""
    path = out / f"{name}{SUFFIX}"
    model = load_model(path)
    model.put("tokens", model_layers.splitter_parts(splitter(folder, name, dev, everything)), {})
    save(model, path)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB", flush=True)


def splitting(folder: Path, name: str, own: list[Tree], everything: bool) -> tuple[list[Tree], list[list[Tree]]]:
    """What tokens and sentences are learnt from: the language's own sentences, and those of others, each by itself."""
    # South Slavic data are varied as a whole; for the others the treebanks alone are better.
    kinds = KINDS if name in NAMES else ("train",)
    others = [trees_with_tags(read(folder, lang, kinds, everything)) for lang in SPLITTING.get(name, ())]
    if not looks_at_clauses(name):
        others = [[tree for one in others for tree in one]]
    close = WITHOUT_SPACES.get(name)
    if not close:
        return own, others
    return [guessed(tree) for tree in own], [*others, trees_with_tags(read(folder, close, ("train",), everything))]


def own_table(own: list[Tree], learnt: list[Tree], all_of_them: TagTable, scheme: str, *, czech: bool) -> TagTable:
    """What tags stand for in the language itself; a tag that only the other one has keeps part of speech and features.

    ``learnt`` are the same sentences as the tagger learns them.
    """
    words = zip(_words(learnt), _words(own), strict=True)
    table = build_table((tag_of(word, scheme), whole) for word, whole in words if whole.xpos != "_")
    for tag, number in all_of_them.defaults.items():
        if tag not in table.defaults:
            upos, _, feats = all_of_them.analyses[number]
            table.defaults[tag] = len(table.analyses)
            table.analyses.append((upos, positional(upos, feats) if czech else "_", feats))
    return table


def _words(trees: list[Tree]) -> list[TreeWord]:
    return [word for tree in trees for word in tree.words]


def labelled(folder: Path, name: str, dev: bool, everything: bool) -> list[list[tuple[str, str]]]:
    """Sentences with names, if the licence of their source allows it."""
    open_sentences = {
        tuple(word.form for word in tree.words) for tree in read(folder, "sl", (*KINDS, *DEV), everything=False)
    }
    return [
        sentence
        for file in NAMES[name]
        if dev or not file.endswith(".dev")
        for sentence in read_labelled(next(folder.glob(f"{file}.*")), lambda tree: everything or allowed(tree))
        if everything or not file.startswith("sl.ner") or tuple(form for form, _ in sentence) in open_sentences
    ]


def put_names(
    model: AnnotationModelFile, tagger: PerceptronTagger, name: str, sentences: list[list[tuple[str, str]]]
) -> None:
    """Learn names with the tags of this tagger, and put them into the model."""
    names = learn_names(sentences, tagger, NAME_CONFIGS[name], print)
    model.put("names", model_layers.names_parts(names), {"sentences": len(sentences)})


def make_names(folder: Path, name: str, dev: bool, everything: bool, out: Path) -> None:
    """Train that layer anew with the tagger of the model that is there, and put it in."""
    if name not in NAMES:
        return
    path = out / f"{name}{SUFFIX}"
    model = load_model(path)
    tagger = model_layers.tagger_of(model_layers.tagger_ready(model.layer("tagger")))
    put_names(model, tagger, name, labelled(folder, name, dev, everything))
    save(model, path)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB", flush=True)


def sentences(folder: Path, name: str, dev: bool, everything: bool) -> dict[str, list[Tree]]:
    """Sentences with tags of each language of a model."""
    kinds = (*KINDS, *(DEV if dev else ()))
    by_language = {lang: trees_with_tags(read(folder, lang, kinds, everything)) for lang in DATA[name]}
    if name == "hbs":
        by_language["hr"] = with_converted(by_language["hr"], read(folder, "hr", (OTHER_SCHEME,), everything))
    return by_language


def make_parser(folder: Path, name: str, dev: bool, everything: bool, out: Path) -> None:
    """Train that layer anew with the tagger's data, and put it into the model that is there: the same as making it all."""
    if name not in NAMES:
        raise SystemExit(f"--trees: only for {', '.join(NAMES)}, whose sentences are all used")
    trees = [tree for one in sentences(folder, name, dev, everything).values() for tree in one]
    scheme = choose_scheme(trees)
    learnt = with_synthetic(trees) if name == "hbs" else trees
    tagged = [[(word.form, tag_of(word, scheme)) for word in tree.words] for tree in learnt]
    unseen = unseen_tags(tagged, TAGGERS.get(name, TAGGER), print, name)[: sum(len(tree.words) for tree in trees)]
    path = out / f"{name}{SUFFIX}"
    model = load_model(path)
    put_parser(model, folder, trees, scheme, unseen, everything)
    save(model, path)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB", flush=True)


def put_parser(
    model: AnnotationModelFile, folder: Path, trees: list[Tree], scheme: str, unseen: list[str], everything: bool
) -> None:
    """Learn a parser with the tags that a tagger gives to sentences it has not seen, and put it into the model."""
    name = model.about["lang"]
    close = close_trees(folder, name, trees, everything)
    parser = learn_parser(trees, scheme, PARSERS.get(name, PARSER), name, tags=unseen, others=close, log=print)
    model.about["sources"] = sources([*trees, *close])
    model.put("parser", model_layers.parser_parts(parser), {"sentences": sum(tree.parsed for tree in trees)})


def make(folder: Path, name: str, dev: bool, everything: bool, out: Path) -> None:
    """Train all layers of a model and write it."""
    start = time.process_time()
    by_language = sentences(folder, name, dev, everything)
    own = [tree for one in by_language.values() for tree in one]
    own = own if name in NAMES else thinned(own, MOST)
    whole, helpers = own, helping(folder, name, everything)
    if name == "cs":
        whole = same_tags(own)
        own, helpers = ([without_lemma_features(tree) for tree in some] for some in (whole, helpers))
    trees = [*own, *helpers]
    learnt = with_synthetic(trees) if name == "hbs" else trees
    scheme = UPOS if name == "cs" else choose_scheme(own)
    tagger, table = learn_tagger(learnt, scheme, TAGGERS.get(name, TAGGER), print, name)
    print(f"{name}: tagger after {time.process_time() - start:.0f} s, {scheme}", flush=True)
    if scheme == UPOS:
        table = own_table(whole, own, table, scheme, czech=name == "cs")
    lemmas = learn_lemmas(with_synthetic(own) if name == "hbs" else own, scheme, name)
    others = {}
    if len(by_language) > 1:
        others = {lang: own_lemmas(lemmas, learn_lemmas(one, scheme, lang)) for lang, one in by_language.items()}
    if name == "hbs":
        tagger.lexicon = add_forms(tagger.lexicon, tagger.tags, lemmas)
    assert tagger.unseen is not None
    count = sum(len(tree.words) for tree in trees)
    unseen = [tagger.tags[number] for number in tagger.unseen[:count].tolist()]
    model = AnnotationModelFile({"lang": name, "langs": list(DATA[name]) + (["bs"] if name == "hbs" else [])})
    model.about["licence"] = "CC BY-SA 4.0"
    model.put("tagger", model_layers.tagger_parts(tagger), {"sentences": len(trees), "tokens": count, "scheme": scheme})
    model.put("table", model_layers.table_parts(table), {})
    model.put("lemmas", model_layers.lemmatiser_parts(lemmas, others), {})
    put_parser(model, folder, trees, scheme, unseen, everything)
    print(f"{name}: parser after {time.process_time() - start:.0f} s", flush=True)
    model.put("tokens", model_layers.splitter_parts(splitter(folder, name, dev, everything)), {})
    if name in NAMES:
        put_names(model, tagger, name, labelled(folder, name, dev, everything))
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}{SUFFIX}"
    save(model, path)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, {time.process_time() - start:.0f} s", flush=True)


def sources(trees: list[Tree]) -> dict[str, str]:
    """Names of the sources with their licences."""
    names = {(tree.comment("source") or "").partition("@")[0] for tree in trees}
    return {
        name: next((OPEN[one] for one in OPEN if name.startswith(one)), "not for shipping") for name in sorted(names)
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--lang", action="append", choices=list(DATA))
    parser.add_argument("--without-dev", action="store_true", help="leave the dev parts for measuring")
    parser.add_argument("--everything", action="store_true", help="whatever the licence: not for shipping")
    parser.add_argument("--tokens", action="store_true", help="only tokens and sentences, in the models that are there")
    parser.add_argument("--names", action="store_true", help="only names, in the models that are there")
    parser.add_argument("--trees", action="store_true", help="only the parser, in the models that are there")
    options = parser.parse_args()
    ways = ((make_tokens, options.tokens), (make_names, options.names), (make_parser, options.trees))
    makers = [way for way, is_asked_for in ways if is_asked_for] or [make]
    for lang in options.lang or DATA:
        for way in makers:
            way(options.treebanks, lang, not options.without_dev, options.everything, options.output)
