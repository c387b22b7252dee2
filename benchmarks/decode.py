"""Encodings found by paberki and by its peers, in one process: ``python benchmarks/decode.py [--peers]``.

Cases are made from texts (see ``decode_cases.py``) and, as far as there are any, taken from the web. The model is counted
anew without the documents that cases are made of. A case is right when the decoded text is the one that was encoded.
Texts are looked for in ``PABERKI_DATA`` (default ``../shared/data``).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from charset_model import data_directory, model_of_half
from decode_cases import Case, labelled_cases, own_cases, real_cases, sentence_cases

from paberki.decoding import decode, decode_as, resolve
from paberki.decoding.byte_tables import load_tables
from paberki.decoding.charset_model import guess
from paberki.decoding.letter_counts import write_counts

Method = Callable[[Case], str]
GROUPS = {
    "undeclared": ("page", "s1500", "s200", "s40", "sentence"),
    "wrongly declared": ("lie-meta", "lie-http", "lie-both"),
    "damaged utf-8": ("damaged",),
    "utf-16": ("utf-16",),
    "real pages": ("real",),
    "labelled pages": ("labelled",),
}
TARGET_LANGUAGES = ("hr", "sl", "cs", "sr-Latn", "sr-Cyrl", "ja", "de", "sv")
WARM_UP = 50
UNTIMED = ("real", "labelled", "sentence")
"""Cases that are left out where speed is measured: single sentences, and pages that not everybody has."""


def ours(model: Path) -> Method:
    """paberki with a model."""
    read = partial(decode, model=model)
    return lambda case: read(case.data, http_charset=case.http).text


def by_label(detect: Callable[[bytes], str | None]) -> Method:
    """A peer that names the encoding: its label is read as the web reads it."""

    def read(case: Case) -> str:
        label = detect(case.data)
        codec = resolve(label) or label or "utf-8"
        try:
            return decode_as(case.data, codec)
        except LookupError:
            return ""

    return read


def peers() -> dict[str, Method]:
    """Those that are installed; the extra ``bench`` brings all of them."""
    methods: dict[str, Method] = {}
    try:
        import chardetng_py

        methods["chardetng"] = by_label(lambda data: chardetng_py.detect(data, allow_utf8=True))
    except ImportError:
        print("chardetng_py is not installed")
    try:
        import chardet

        methods[f"chardet {chardet.__version__}"] = by_label(lambda data: chardet.detect(data)["encoding"])
    except ImportError:
        print("chardet is not installed")
    try:
        from charset_normalizer import from_bytes

        methods["charset_normalizer"] = by_label(lambda data: getattr(from_bytes(data).best(), "encoding", None))
    except ImportError:
        print("charset_normalizer is not installed")
    return methods


def run(name: str, method: Method, cases: Sequence[Case], *, errors: bool) -> float:
    """Shares of right cases and speed of one method; its CPU seconds on the cases that were made."""
    for case in cases[:WARM_UP]:
        method(case)
    wrong: Counter[str] = Counter()
    missed: list[Case] = []
    timed_cases = [case for case in cases if case.kind not in UNTIMED]
    began = time.process_time()
    texts = [method(case) for case in timed_cases]
    seconds = time.process_time() - began
    texts += [method(case) for case in cases if case.kind in UNTIMED]
    ordered = [*timed_cases, *(case for case in cases if case.kind in UNTIMED)]
    for case, text in zip(ordered, texts, strict=True):
        if text.removeprefix("\ufeff") != case.text:
            wrong[case.kind] += 1
            missed.append(case)
    total = Counter(case.kind for case in cases)
    print(f"\n{name}: {sum(len(case.data) for case in timed_cases) / seconds / 1e6:.1f} MB/s")
    for group, kinds in GROUPS.items():
        count, bad = sum(total[kind] for kind in kinds), sum(wrong[kind] for kind in kinds)
        if count:
            print(f"  {group:18} {1 - bad / count:.4f}  {bad} of {count} wrong")
    target = sum(case.language in TARGET_LANGUAGES and case.kind in GROUPS["undeclared"] for case in missed)
    print(f"  undeclared, wrong in {' '.join(TARGET_LANGUAGES)}: {target}")
    if errors:
        for case in missed:
            print(f"  {case.kind} {case.language} {case.codec} {case.data[:70]!r}")
    return seconds


def costs(cases: Sequence[Case], model: Path) -> None:
    """Mean costs per byte under the best candidate: what the limits in ``decoding/page_decoding.py`` were set by."""
    by_kind: dict[str, list[float]] = {}
    for case in cases:
        if not case.data.isascii() and case.codec not in ("utf-8", "iso2022_jp", "utf-16-le", "utf-16-be"):
            best = guess(case.data, load_tables(model))
            few = "few high bytes" if best.high_count < 20 else "many"
            by_kind.setdefault(f"{few}, {'real' if case.kind == 'real' else 'made'}", []).append(best.strangeness)
    for name, values in sorted(by_kind.items()):
        values.sort()
        quantiles = " ".join(f"{values[int(share * (len(values) - 1))]:.1f}" for share in (0.01, 0.5, 0.9, 0.99, 1.0))
        print(f"{name:24} 1 % 50 % 90 % 99 % 100 %: {quantiles}")


def main() -> None:
    """The table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--peers", action="store_true", help="run the peers too")
    options.add_argument("--errors", action="store_true", help="list what is wrong")
    options.add_argument("--costs", action="store_true", help="show mean costs of bytes instead")
    options.add_argument("--no-real", action="store_true", help="leave out pages of the web")
    options.add_argument(
        "--pages",
        type=Path,
        help="further pages of the web, in folders that begin with their encoding (tests of chardet)",
    )
    arguments = options.parse_args()
    data = data_directory()
    cases = own_cases(data) + sentence_cases(data) + ([] if arguments.no_real else real_cases(data))
    cases += labelled_cases(arguments.pages) if arguments.pages else []
    with tempfile.TemporaryDirectory() as place:
        model = Path(place) / "half.model"
        write_counts(model, model_of_half(data, 0))
        print(
            f"{len(cases):,} cases, {sum(len(case.data) for case in cases) / 1e6:.1f} MB; model {model.stat().st_size:,} bytes"
        )
        if arguments.costs:
            costs(cases, model)
            return
        seconds = run("paberki", ours(model), cases, errors=arguments.errors)
    for name, method in peers().items() if arguments.peers else ():
        print(f"  speed of paberki / {name}: {run(name, method, cases, errors=arguments.errors) / seconds:.1f}")


if __name__ == "__main__":
    main()
