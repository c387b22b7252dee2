"""Pages made to hurt, through every extraction method: ``python benchmarks/hostile.py [--mb 50] [--methods learned]``.

A page of n megabytes may take 2 s and 1 s per 20 MB, and 300 MB and 12 times its size. Each is read in a process of its
own; CPU time and the peak of memory are those of that process, its imports included.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import time
from collections.abc import Callable

import paberki


def repeated(piece: bytes) -> Callable[[int], bytes]:
    """A page that says the same again and again."""
    return lambda size: (piece * (size // len(piece) + 1))[:size]


PAGES: dict[str, Callable[[int], bytes]] = {
    "nesting of 60,000": lambda _: b"<div>" * 60_000 + b"tekst" + b"</div>" * 60_000,
    "nesting without end": repeated(b"<div>"),
    "blocks": repeated(b"a<p>"),
    "cells": repeated(b"<tr><td>a"),
    "links": repeated(b"<a href=x>y</a>"),
    "distinct tags": lambda size: b"".join(b"<x%d>a" % number for number in range(size // 10)),
    "attributes": lambda size: b"<p " + repeated(b"a=b ")(size) + b">x",
    "comment without end": lambda size: b"x<!--" + repeated(b"- ")(size),
    "script without end": lambda size: b"<script>" + repeated(b"<!--<script></script>")(size),
    "entities": repeated(b"&nGt;"),
    "entities without end": repeated(b"&lt"),
    "ampersands": repeated(b"&"),
    "NUL": bytes,
    "NUL in the title": lambda size: b"<title>" + bytes(size) + b"</title>x",
    "random bytes": lambda size: random.Random(1).randbytes(size),
    "JSON without end": lambda size: b'<script type="application/ld+json">' + b"[" * size,
    "one line again and again": repeated(b"<p>isto isto isto isto</p>"),
}


def tried(page: bytes, method: str) -> bool:
    """Whether a page stays within its limits; prints what it took."""
    child = os.fork()
    if not child:
        began = time.process_time()
        result = paberki.extract(page, method=method)
        seconds, size = time.process_time() - began, len(page) / 1e6
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        fine = seconds <= 2 + size / 20 and memory <= 300 + 12 * size
        print(f"{method:11} {seconds:6.2f} s {memory:6.0f} MB, {len(result.blocks)} blocks", flush=True)
        os._exit(not fine)
    return os.waitpid(child, 0)[1] == 0


def main() -> None:
    """Every page, every method; ends with the pages that went over their limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=8.0)
    parser.add_argument("--methods", default="learned,tagpath,victor,perceptron,justext,bte")
    options = parser.parse_args()
    over = []
    for name, make in PAGES.items():
        page = make(int(options.mb * 1e6))
        for method in options.methods.split(","):
            print(f"{name:26}", end=" ", flush=True)
            if not tried(page, method):
                over.append(f"{name} ({method})")
    print(f"over their limits: {', '.join(over) or 'none'}")


if __name__ == "__main__":
    main()
