"""Make the model of languages that is in the package: ``python benchmarks/langid_model.py --more train.jsonl``.

Texts are looked for in ``PABERKI_DATA`` (default ``../shared/data``); they stay there, the model holds weights only.
``--more`` is the file of Indonesian and Malay texts that ``indonesian_malay.py`` makes.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Iterator
from pathlib import Path

from charset_model import data_directory

from paberki.decoding.training_texts import read_texts
from paberki.identification.language_model_file import read_model, write_model
from paberki.identification.methods.general import MEMBERS, SHIPPED
from paberki.identification.training.classic_training import train_classic
from paberki.identification.training.general_training import Text, TrainingSettings, train
from paberki.identification.training.sibling_training import train_siblings

SOURCES = (
    "Universal Dependencies treebanks, training parts (nb, nn, zh: development parts) in 40 languages, text only "
    "(CC BY-SA 3.0/4.0, some CC BY-NC-SA)",
    "UD_Czech-CAC and -CLTT, UD_Croatian-SET, UD_Serbian-SET, SETimes.SR, text only (CC BY-SA 4.0)",
    "ReLDI-NormTagNER-hr and -sr, Janes-Tag, text only (CC BY-SA 4.0)",
    "GNOME user documentation 43 (CC BY-SA 3.0)",
    "DSL Corpus Collection 2014, 2015 and 2017, Bosnian, Croatian and Serbian news sentences (research use)",
)
MORE = (
    "messages of Chromium (BSD-3-Clause), Firefox and Thunderbird (MPL-2.0) in Indonesian and Malay; frequencies of words "
    "of wordfreq (CC BY-SA 4.0); Indonesian news sentences of nlp-id (MIT)"
)
TREEBANKS = ("sl.web.train", "hr.web.train", "hr.train sr.train sr.morph.train", "hr.web.dev sr.web.dev")
"""What is in one string counts as one source: Croatian and Serbian texts of the same kind."""
CZECH = ("UD_Czech-CAC", "UD_Czech-CLTT")


def files(data: Path, *, held_out: bool) -> Iterator[list[Text]]:
    """The texts of each source; with ``held_out`` without those that measure close languages."""
    yield list(read_texts(data / "langid/ud_train_text.jsonl.xz"))
    yield [
        pair
        for name in ("hbs_train", *(() if held_out else ("hbs_dev",)))
        for pair in read_texts(data / f"langid/{name}.jsonl.xz")
    ]
    yield [("cs", text) for text in _czech(data / "treebanks/cs.train.conllu.xz")]
    for names in TREEBANKS:
        yield [pair for name in names.split() for pair in read_texts(data / f"treebanks/{name}.conllu.xz")]
    yield list(_documentation(data / "encoding/texts.dev.jsonl.xz"))


def _czech(path: Path) -> Iterator[str]:
    source = ""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# source = "):
                source = line[11:]
            elif line.startswith("# text = ") and source.startswith(CZECH):
                yield line[9:].strip()


def _documentation(path: Path) -> Iterator[Text]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["name"].startswith("gnome"):
                yield from ((row["lang"], part) for part in row["text"].split("\n") if len(part) > 20)


def siblings_again(path: Path, texts: list[list[Text]]) -> None:
    """Learn close languages anew and leave the rest of a model as it is."""
    file = read_model(path)
    model = train_siblings([[pair for pair in source if pair[0] in MEMBERS] for source in texts])
    scales = [*model.weights.scales, file.about["scales"][-1]]
    arrays = {name: array.copy() for name, array in file.arrays.items()}
    about = {**file.about, "sibling_values": model.values, "scales": scales}
    write_model(path, about, {**arrays, "sibling_words": model.weights.words, "sibling_runs": model.weights.runs})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=SHIPPED)
    parser.add_argument("--held-out", action="store_true", help="do not learn from hbs_dev, so that it can measure")
    parser.add_argument("--classic-only", action="store_true", help="only the model of markov and ngram")
    parser.add_argument(
        "--siblings-only", action="store_true", help="only the close languages of a model that is there"
    )
    parser.add_argument("--more", type=Path, action="append", default=[], help="further texts, one source each")
    parser.add_argument("--rounds", type=int, default=TrainingSettings().rounds)
    parser.add_argument("--examples", type=int, default=TrainingSettings().examples)
    options = parser.parse_args()
    started = time.process_time()
    settings = TrainingSettings(rounds=options.rounds, examples=options.examples)
    texts = list(files(data_directory(), held_out=options.held_out))
    classic_texts = list(texts)
    texts += [list(read_texts(path)) for path in options.more]
    sources = (*SOURCES, *([MORE] if options.more else ()))
    classic = options.output.with_name("classic.model")
    if options.siblings_only:
        siblings_again(options.output, texts)
    else:
        write_model(classic, *train_classic(classic_texts, SOURCES))
    if not options.classic_only and not options.siblings_only:
        write_model(options.output, *train(texts, sources, settings, lambda line: print(line, flush=True)))
    for path in (options.output, classic):
        print(f"{path}: {path.stat().st_size:,} bytes")
    print(f"{time.process_time() - started:.0f} s CPU")
