"""The peer: datatrove's MinHash pipeline with its defaults. Usage: datatrove_near_peer.py FOLDER; reads FOLDER/in/*.jsonl,
writes the ids of what stays to FOLDER/kept.txt.
"""

import gzip
import json
import sys
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import (
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupFilter,
    MinhashDedupSignature,
)
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

if __name__ == "__main__":
    place = sys.argv[1]
    config = MinhashConfig()
    signatures, buckets, clusters, out = (f"{place}/{name}" for name in ("signatures", "buckets", "clusters", "out"))
    source = f"{place}/in"
    steps = (
        [JsonlReader(source), MinhashDedupSignature(output_folder=signatures, config=config)],
        [MinhashDedupBuckets(input_folder=signatures, output_folder=buckets, config=config)],
        [MinhashDedupCluster(input_folder=buckets, output_folder=clusters, config=config)],
        [JsonlReader(source), MinhashDedupFilter(input_folder=clusters), JsonlWriter(out)],
    )
    for number, pipeline in enumerate(steps):
        tasks = config.num_buckets if number == 1 else 1
        LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=1, logging_dir=f"{place}/logs/{number}").run()
    with open(f"{place}/kept.txt", "w") as out_file:
        for file in Path(out).glob("*.jsonl.gz"):
            with gzip.open(file, "rt", encoding="utf-8") as rows:
                out_file.writelines(f"{json.loads(row)['id']}\n" for row in rows)
