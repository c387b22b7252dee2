"""paberki release."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet, split_commas

if TYPE_CHECKING:
    from paberki.corpus import Corpus


def run(
    directory: Dir,
    version: Annotated[
        str | None, typer.Option("--version", metavar="V", help="Name of the new version, e.g. 1.0.")
    ] = None,
    formats: Annotated[
        list[str] | None, typer.Option("--formats", metavar="A,B", help="Formats to export; default: jsonl.")
    ] = None,
    mask: Annotated[bool, typer.Option("--mask", help="Put [email], [phone] … in the place of personal data.")] = False,
    doi: Annotated[str, typer.Option(metavar="DOI", help="DOI of this version, for CITATION.cff and the card.")] = "",
    author: Annotated[
        list[str] | None, typer.Option("--author", metavar="NAME", help="For CITATION.cff; repeat for several.")
    ] = None,
    verify: Annotated[str | None, typer.Option("--verify", metavar="V", help="Check the files of a release.")] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the releases.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Freeze a version of the corpus below DIR/releases: checksums, card, formats, what changed, citation.

    A release is a corpus of its own that can be opened and queried for ever.

    \b
    Examples:
      paberki release hr --version 1.0 --formats jsonl,vert
      paberki release hr --verify 1.0
      paberki query hr/releases/1.0 '[lemma="grad"]'
    """
    from paberki.corpus import Corpus
    from paberki.errors import ConfigError

    if (version is not None) + (verify is not None) + list_all != 1:
        raise ConfigError("give one of: --version V to make a release, --verify V to check one, --list")
    corpus = Corpus(directory)
    if verify is not None:
        _verify(corpus, verify, json=json, quiet=quiet)
    elif list_all:
        _list(corpus, json=json, quiet=quiet)
    else:
        assert version is not None
        names = split_commas(formats or ["jsonl"])
        release = corpus.release(
            version, names, mask=mask, doi=doi, authors=author or (), tell=None if quiet or json else show.say
        )
        facts = {"pages": release.pages, "files": release.files, "formats": list(names), "changes": release.changes}
        if json:
            show.as_json({"version": version, "path": str(release.path), **facts})
        else:
            show.say(
                f"{release.path}: {show.several(release.pages, 'page')}, {show.several(release.files, 'file')}",
                quiet=quiet,
            )
            changes = {name.replace("_", " "): value for name, value in release.changes.items() if name != "since"}
            show.say("; ".join(f"{name}: {value}" for name, value in changes.items()), quiet=quiet)


def _verify(corpus: Corpus, version: str, *, json: bool, quiet: bool) -> None:
    from paberki.release.versions import verify

    found_faults = verify(corpus.directory, version)
    if json:
        show.as_json(
            {"version": version, "fine": not found_faults, "faults": [{"file": a, "fault": b} for a, b in found_faults]}
        )
    elif found_faults:
        for name, fault in found_faults:
            show.err.print(
                f"paberki: releases/{version}/{name} {fault}; restore it from where the release was published",
                markup=False,
            )
    else:
        show.say(f"release {version}: all files are as they were released", quiet=quiet)
    if found_faults:
        raise typer.Exit(1)


def _list(corpus: Corpus, *, json: bool, quiet: bool) -> None:
    from paberki.release.versions import versions

    releases = versions(corpus.directory)
    if json:
        show.as_json({"releases": [dataclasses.asdict(one) for one in releases]})
    elif not quiet:
        show.table(
            ("version", "time", "formats"), [(one.version, one.time, ", ".join(one.formats)) for one in releases]
        )
