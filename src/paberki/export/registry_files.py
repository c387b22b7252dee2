"""Registry files beside a vertical file: what Sketch Engine (Manatee) and CWB want to know about its columns and tags.

Manatee reads ``NAME.registry`` with ``compilecorp``; CWB reads ``NAME.cwb`` from its registry, after ``cwb-encode`` with the
options in its first lines. Names of attributes must begin with a letter in both; ``3graph`` is declared in Manatee's file,
which allows digits, and goes by ``ngram3`` in that of CWB.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from paberki.export.export_format import ExportedFile, ExportHead
from paberki.export.words.given_attributes import comment_attribute, more_attributes
from paberki.languages import english_name

_SETS: Final = frozenset(("feats",))
_UNPACKED: Final = {"": "cat", ".gz": "gzip -dc", ".zst": "zstd -dcq", ".xz": "xz -dc"}
"""Commands that print a file, by its ending."""
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*|\d{1,2}graph\w{0,20}", re.ASCII)
_OF_BLOCKS: Final = ("type",)
"""Attributes of paragraphs that are no columns."""


def registry_files(about: ExportHead, part: ExportedFile, columns: Sequence[str]) -> Mapping[str, bytes]:
    """Both files by what is added to the name of the vertical."""
    attributes = [name for _, name in about.attributes("page")] + (["schemes"] if len(about.schemes) > 1 else [])
    blocks = [*_OF_BLOCKS, *(name for _, name in about.attributes("block"))]
    imported = _imported_names(part.sides)
    structures = {
        name: [*own, *sorted(imported[name] - set(own))]
        for name, own in (("doc", attributes), ("p", blocks), ("s", ()))
    }
    return {
        ".registry": _manatee(about, part, columns, structures).encode(),
        ".cwb": _cwb(about, part, columns, structures).encode(),
    }


def names_of_imported(pages: pa.Table, columns: Mapping[str, Collection[str]]) -> bytes:
    """Attributes that imported files gave some pages, their paragraphs and sentences, for the files beside the export."""
    names: dict[str, set[str]] = {"doc": set(), "p": set(), "s": set()}
    for pairs in _values(pages, "attributes"):
        names["doc"].update(name for name, _ in more_attributes(pairs, columns["doc"]))
    for blocks in _values(pages, "block_attributes"):
        names["p"].update(name for pairs in blocks for name, _ in more_attributes(pairs, columns["p"]))
    for sentences in _values(pages, "sent_comments"):
        lines = {line for comments in sentences if comments for line in comments.split("\n")}
        names["s"].update(pair[0] for line in lines if (pair := comment_attribute(line)))
    lists = {key: sorted(own) for key, own in names.items() if own}
    return f"{json.dumps(lists)}\n".encode() if lists else b""


def _values(pages: pa.Table, column: str) -> Iterator[Any]:
    if column in pages.column_names and pages.column(column).null_count < len(pages):
        yield from (value for value in pages.column(column).to_pylist() if value)


def _imported_names(sides: Iterable[bytes]) -> dict[str, set[str]]:
    """Names that both programs allow; other attributes are in the vertical alone."""
    names: dict[str, set[str]] = {"doc": set(), "p": set(), "s": set()}
    for line in (line for side in sides for line in side.splitlines()):
        for key, own in json.loads(line).items():
            names[key].update(name for name in own if _NAME.fullmatch(name))
    return names


def _manatee(
    about: ExportHead, part: ExportedFile, columns: Sequence[str], structures: Mapping[str, Sequence[str]]
) -> str:
    numbers = {
        one.output_name for one in about.columns if pa.types.is_integer(one.type) or pa.types.is_floating(one.type)
    }
    lines = [
        f'NAME "{_quote(about.name)}"',
        f'PATH "manatee/{_identifier(part.name)}"',
        f'VERTICAL "{_quote(part.name if _is_plain(about, part) else f"| {_printing(about, part)}")}"',
    ]
    lines += ['ENCODING "UTF-8"', *_language(about), f'INFO "{part.counts["pages"]} pages"', 'DOCSTRUCTURE "doc"', ""]
    for name in columns:
        lines += [f"ATTRIBUTE {name}" + (' {\n\tMULTIVALUE "y"\n\tMULTISEP "|"\n}' if name in _SETS else "")]
    lines += ["", "STRUCTURE doc {", *(_manatee_attribute(one, one in numbers) for one in structures["doc"]), "}"]
    for name in ("p", "s"):
        own = [_manatee_attribute(one, False) for one in structures[name]]
        lines += [f"STRUCTURE {name} {{", *own, "}"] if own else [f"STRUCTURE {name}"]
    lines += ["STRUCTURE g {", '\tDISPLAYTAG "0"', '\tDISPLAYBEGIN "_EMPTY_"', "}", ""]
    return "\n".join(lines)


def _manatee_attribute(name: str, numeric: bool) -> str:
    return f"\tATTRIBUTE {name}" + (' {\n\t\tNUMERIC "y"\n\t}' if numeric else "")


def _language(about: ExportHead) -> list[str]:
    return [f'LANGUAGE "{english_name(about.lang[0])}"'] if about.lang else []


def _cwb(about: ExportHead, part: ExportedFile, columns: Sequence[str], structures: Mapping[str, Sequence[str]]) -> str:
    name = _identifier(part.name)
    positional = " ".join(f"-P {one}" for one in columns[1:])
    options = [f"-S {key}:0{''.join(f'+{cwb_name(one)}' for one in own)}" for key, own in structures.items()]
    is_plain = _is_plain(about, part)
    source, file = ("", f" -f {shlex.quote(part.name)}") if is_plain else (f"{_printing(about, part)} | ", "")
    lines = [
        f"## {source}cwb-encode -d data/{name}{file} -R registry/{name} -c utf8 -xsB {positional} {' '.join(options)} -0 g",
        f'NAME "{_quote(about.name)}"',
        f"ID   {name}",
        f"HOME data/{name}",
        "INFO .info",
        '##:: charset = "utf8"',
        *([f'##:: language = "{about.lang[0]}"'] if about.lang else []),
        *(f"ATTRIBUTE {one}" for one in columns),
        *(line for key, own in structures.items() for line in _cwb_structure(key, own)),
        "",
    ]
    return "\n".join(lines)


def _cwb_structure(key: str, attributes: Sequence[str]) -> list[str]:
    return [f"STRUCTURE {key}", *(f"STRUCTURE {key}_{cwb_name(one)} # [annotations]" for one in attributes)]


def _is_plain(about: ExportHead, part: ExportedFile) -> bool:
    """The vertical is one file that is not compressed."""
    return not about.ending and part.path != Path()


def _printing(about: ExportHead, part: ExportedFile) -> str:
    """The command that prints a vertical that is compressed or lies in several files."""
    name = shlex.quote(part.name)
    return f"{_UNPACKED[about.ending]} {name if part.path != Path() else f'{name}/part-*.vert{about.ending}'}"


def cwb_name(name: str) -> str:
    """A name that begins with a letter: ``3graph_cumul`` as ``ngram3_cumul``."""
    return re.sub(r"^(\d+)graph", r"ngram\1", name)


def _identifier(name: str) -> str:
    plain = re.sub(r"[^a-z0-9_-]+", "_", name.split(".")[0].lower()).strip("_-")
    return plain if plain[:1].isalpha() else f"c_{plain}"


def _quote(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
