"""The peer of corpus.py: trafilatura, py3langid and datasketch, glued by hand. Usage: corpus_peer.py WARC LANG

Prints a JSON line for each page that stays. Everything has its defaults: text and comments as trafilatura gives them, the
language as py3langid names it, MinHash of runs of five words with 128 permutations, copies from a resemblance of .8 on.
"""

import json
import logging
import sys

import datasketch
import py3langid
import trafilatura
from warcio.archiveiterator import ArchiveIterator

RUN = 5
ALIKE = 0.8


def pages(path):
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                yield record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()


def signature(text):
    words = text.lower().split()
    minhash = datasketch.MinHash(128)
    minhash.update_batch([" ".join(words[at : at + RUN]).encode() for at in range(max(1, len(words) - RUN + 1))])
    return minhash


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    index = datasketch.MinHashLSH(threshold=ALIKE, num_perm=128)
    for url, body in pages(sys.argv[1]):
        text = trafilatura.extract(body, url=url)
        if not text or py3langid.classify(text)[0] != sys.argv[2]:
            continue
        minhash = signature(text)
        if not index.query(minhash):
            index.insert(url, minhash)
            print(json.dumps({"url": url, "text": text}))
