"""The peer: datatrove reads the WARC, extracts with Trafilatura, writes JSONL. Usage: datatrove_peer.py FOLDER OUT."""

import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter

if __name__ == "__main__":
    folder, out = sys.argv[1:3]
    LocalPipelineExecutor(
        pipeline=[WarcReader(folder, glob_pattern="*.warc.gz"), Trafilatura(timeout=10), JsonlWriter(out)],
        tasks=1,
        logging_dir=f"{out}/logs",
    ).run()
