"""Is a corpus the same, byte for byte, before and after a change that must not change anything?

    python benchmarks/same_bytes.py record /tmp/same before.json      on the old checkout
    python benchmarks/same_bytes.py record /tmp/same after.json       on the new one, with the same folder
    python benchmarks/same_bytes.py compare before.json after.json

The folder keeps the input: a crawl of the demo web, made once, since its times and ports differ from crawl to crawl, and
a thousand pages (real ones where ``PABERKI_DATA`` has some). Each preset builds both; a digest of every file below
``layers/`` and ``models/``, and of the exports, is recorded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pages import write_warc

import paberki
from paberki.cli.demo import run as demo
from paberki.recipe.corpus_recipe import presets

_LANGUAGES = {"demo": "hr", "pages": "en"}
_OF_PRESET = {"tsubaki2008": "ja"}
_FORMATS = ("jsonl", "vert")


def make_input(folder: Path, pages: int) -> dict[str, list[Path]]:
    """Archives to build from, by name; made only if they are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    crawl, archive = folder / "demo", folder / "pages.warc.gz"
    if not crawl.exists():
        with tempfile.TemporaryDirectory() as scratch:
            demo(Path(scratch) / "corpus", quiet=True)
            shutil.copytree(Path(scratch) / "corpus" / "warc", crawl)
    if not archive.exists():
        write_warc(archive, pages)
    return {"demo": sorted(crawl.glob("*.warc*.gz")), "pages": [archive]}


def build(root: Path, preset: str, lang: str, archives: list[Path]) -> Iterator[tuple[str, str]]:
    """Names and digests of everything that a build with this preset writes."""
    corpus = paberki.new(root, lang=lang, preset=preset, name="same")
    corpus.add(archives, copy=True)
    corpus.build()
    for form in _FORMATS:
        corpus.export(form, root / f"export.{form}")
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        name = path.relative_to(root)
        if name.parts[0] in {"layers", "models"} or path.name.startswith("export."):
            yield str(name), hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def record(folder: Path, out: Path, pages: int, names: list[str]) -> None:
    """Build everything and write the digests."""
    digests: dict[str, str] = {}
    for name, archives in make_input(folder, pages).items():
        for preset in names:
            lang = _OF_PRESET.get(preset, _LANGUAGES[name])
            # The same path every time: paths of archives are part of what is recorded.
            root = folder / "building" / f"{name}-{preset}"
            shutil.rmtree(root, ignore_errors=True)
            root.parent.mkdir(exist_ok=True)
            own = dict(build(root, preset, lang, archives))
            digests |= {f"{name}/{preset}/{path}": digest for path, digest in own.items()}
            print(f"{name} {preset}: {len(own)} files", flush=True)
    out.write_text(json.dumps(digests, indent=1, sort_keys=True), "utf-8")


def compare(before: Path, after: Path) -> int:
    """Print what differs; the number of files that do."""
    old, new = (json.loads(path.read_text("utf-8")) for path in (before, after))
    names = [name for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)]
    for name in names:
        state = "only before" if name not in new else "only after" if name not in old else "differs"
        print(f"{state:12} {name}")
    print(f"{len(old)} files before, {len(new)} after, {len(names)} differ")
    return len(names)


def main() -> None:
    """Record or compare."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = options.add_subparsers(dest="verb", required=True)
    recording, comparing = verbs.add_parser("record"), verbs.add_parser("compare")
    recording.add_argument("folder", type=Path)
    recording.add_argument("out", type=Path)
    recording.add_argument("--pages", type=int, default=1000)
    recording.add_argument("--presets", nargs="+", default=sorted(presets()), choices=sorted(presets()))
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = options.parse_args()
    if arguments.verb == "compare":
        raise SystemExit(1 if compare(arguments.before, arguments.after) else 0)
    record(arguments.folder, arguments.out, arguments.pages, arguments.presets)


if __name__ == "__main__":
    main()
