"""How fast hits are counted and the first ones found.

python benchmarks/query_search.py INDEX        an index of benchmarks/query_corpus.py, as benchmarks/query.py build makes it

Milliseconds of the processor, best of five, with nothing remembered between runs. The limits are for 100 million tokens.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from paberki.query import open_index, run
from paberki.query.matching import hit_search
from paberki.query.matching.automata import evaluator

ROWS = (
    ("rare word", '[word="Croatijina"]', 0.5),
    ("lemma", '[lemma="grad"]', 1),
    ("two tags", '[tag="A.*"] [tag="N.*"]', 700),
    ("gap within s", '[lemma="grad" & tag="N.*"] []{0,3} [word="u"] within s', 20),
    ("suffix", '[word=".*anje"]', 40),
    ("infix", '[word=".*vlad.*"%c]', 40),
    ("start of s", '<s> [tag="V.*"]', 45),
    ("repetition", '[tag="A.*"]+ [tag="N.*"]', None),
    ("negation", '[tag="S.*"] [tag!="N.*" & tag!="A.*"] [tag="V.*"]', None),
    ("words", '"da" "je" "u"', None),
    ("in documents", '[lemma="grad"] within <doc year="2010"/>', None),
    ("alternatives", '([lemma="grad"] | [lemma="biti"]) [tag="V.*"]', None),
    ("equal lemmas", '1:[tag="A.*"] 2:[tag="N.*"] & 1.lemma = 2.lemma', None),
    ("containing", '<s/> containing [lemma="grad"]', None),
    ("no end", '"u" []* "Croatijina"', None),
)


def best(work: Callable[[], object]) -> float:
    """The shortest of five runs in milliseconds, each from scratch."""
    times = []
    for _ in range(5):
        hit_search._tables.clear()
        hit_search._counts.clear()
        evaluator._sets.clear()
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index")
    index = open_index(parser.parse_args().index)
    print(f"{index.tokens} tokens\n{'':14}{'hits':>10}{'count':>10}{'limit':>8}{'first 50':>10}")
    for name, query, limit in ROWS:
        hits = run(index, query).count().value
        count = best(lambda query=query: run(index, query).count())
        first = best(lambda query=query: run(index, query).first(50))
        print(f"{name:14}{hits:10}{count:10.2f}{limit or '':>8}{first:10.2f}")


if __name__ == "__main__":
    main()
