"""What stands beside Parquet files in a directory: a card as Hugging Face reads it, and Croissant metadata."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from paberki.errors import ConfigError
from paberki.export.export_format import ExportedFile, ExportHead
from paberki.store.directory import Directory

_TYPES: Final = (
    (pa.types.is_boolean, "sc:Boolean"),
    (pa.types.is_integer, "sc:Integer"),
    (pa.types.is_floating, "sc:Float"),
    (pa.types.is_timestamp, "sc:DateTime"),
    (pa.types.is_date, "sc:Date"),
)
_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "equivalentProperty": "cr:equivalentProperty",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "samplingRate": "cr:samplingRate",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def dataset_files(about: ExportHead, parts: Sequence[ExportedFile]) -> Mapping[str, bytes]:
    """README.md, which is what ``paberki card`` writes, and croissant.json."""
    return {
        "README.md": _card(about).encode("utf-8", "replace"),
        "croissant.json": (json.dumps(croissant(about, parts), ensure_ascii=False, indent=1) + "\n").encode(),
    }


def _card(about: ExportHead) -> str:
    """The card of the corpus; a heading alone where its recipe cannot be read here."""
    from paberki.engine.plan import make_plan
    from paberki.recipe.corpus_recipe import load
    from paberki.release.card import card

    if about.root is None:
        return f"# {about.name}\n"
    directory = Directory(about.root)
    try:
        recipe = load(directory.recipe)
        return card(directory, make_plan(recipe.stages), recipe)
    except ConfigError:
        return f"# {about.name}\n"


def _meaning(name: str, columns: Mapping[str, Any]) -> str:
    if name not in columns:
        return "selected text of the page, one paragraph per line"
    return f"{columns[name].meaning}{f' ({columns[name].unit})' if columns[name].unit else ''}".replace("|", "\\|")


def croissant(about: ExportHead, parts: Sequence[ExportedFile]) -> dict[str, Any]:
    """Croissant 1.0: the files with their digests, and one record set with a field for each column."""
    files = [_file(part, index) for index, part in enumerate(parts)]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": about.name,
        "description": f"Web corpus {about.name}: one record for each page.",
        "inLanguage": list(about.lang),
        "license": "The texts belong to their authors; README.md says what they allow.",
        "citeAs": f"{about.name}. Web corpus, made with paberki.",
        "distribution": [*files, _file_set()],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "pages",
                "name": "pages",
                "field": [_field(field, about) for field in about.schema],
            }
        ],
    }


def _file(part: ExportedFile, number: int) -> dict[str, Any]:
    path = part.path if part.path.is_file() else Path(part.path).parent / "files" / part.name
    with open(path, "rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": f"file-{number}",
        "name": part.name,
        "contentUrl": part.name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": sha256,
    }


def _file_set() -> dict[str, Any]:
    """All files of the directory; where a set is contained in nothing, readers look beside the metadata."""
    return {
        "@type": "cr:FileSet",
        "@id": "parquet-files",
        "name": "parquet-files",
        "encodingFormat": "application/x-parquet",
        "includes": "part-*.parquet",
    }


def _field(field: pa.Field, about: ExportHead) -> dict[str, Any]:
    meanings = {column.name: column for column in about.columns}
    kind = field.type
    is_list = pa.types.is_list(kind)
    inner = kind.value_type if is_list else kind
    name = next((name for test, name in _TYPES if test(inner)), "sc:Text")
    return {
        "@type": "cr:Field",
        "@id": f"pages/{field.name}",
        "name": field.name,
        "description": _meaning(field.name, meanings),
        "dataType": name,
        **({"repeated": True} if is_list else {}),
        "source": {"fileSet": {"@id": "parquet-files"}, "extract": {"column": field.name}},
    }
