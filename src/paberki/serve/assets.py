"""Styles and scripts: under an address that changes with their content, so that browsers keep them without asking again."""

from __future__ import annotations

import gzip
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import brotli
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

__all__ = ["SCRIPTS", "STATIC", "STYLES", "Assets", "accepts", "asset"]

STATIC: Final = Path(__file__).parent / "static"
STYLES: Final = "css/all.css"
"""All styles in one file: a page waits for them."""
_STYLE_ORDER: Final = ("css/base.css", "css/concordance.css", "css/pages.css")
SCRIPTS: Final = "js/all.js"
"""htmx and all modules in one file: one request instead of twenty."""
_SCRIPT_ORDER: Final = ("vendor/htmx-2.0.11.min.js", "js/main.js")
_IMPORT: Final = re.compile(r'^import (?:(\{[^}]*\}) from )?"\./([\w-]+\.js)";$', re.MULTILINE)
_IMPORT_LATER: Final = re.compile(r'import\("\./([\w-]+\.js)"\)')
_EXPORT: Final = re.compile(r"^export (?=(?:const|(?:async )?function) (\w+))", re.MULTILINE)
_VERSION: Final = re.compile(r"([0-9a-f]{8})/(.*)", re.DOTALL)
_TYPES: Final = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
_FOR_EVER: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class AssetFile:
    """A file as it is, and compressed in two ways."""

    type: str
    data: bytes
    br: bytes
    gzip: bytes


@cache
def asset_files() -> dict[str, AssetFile]:
    """All files by name; some hundred kilobytes, read and compressed once."""
    contents = {
        path.relative_to(STATIC).as_posix(): path.read_bytes() for path in sorted(STATIC.rglob("*")) if path.is_file()
    }
    contents[STYLES] = b"".join(contents[name] for name in _STYLE_ORDER)
    modules = {Path(name).name: data.decode() for name, data in contents.items() if name.startswith("js/")}
    library, start = _SCRIPT_ORDER
    contents[SCRIPTS] = contents[library] + b"\n" + one_script(modules, Path(start).name).encode()
    return {
        name: AssetFile(_type_of(name), data, brotli.compress(data), gzip.compress(data, 9, mtime=0))
        for name, data in contents.items()
    }


def one_script(modules: dict[str, str], start: str) -> str:
    """Modules as one plain script: each becomes a function that runs when another one imports it, and gives its exports."""
    makers = ",\n".join(f'"{name}"() {{\n{_maker(text)}}}' for name, text in modules.items())
    return (
        f'(() => {{\n"use strict";\nconst made = {{}};\nconst makers = {{\n{makers}\n}};\n'
        f'const need = (name) => (made[name] ??= makers[name]());\nneed("{start}");\n}})();\n'
    )


def _maker(text: str) -> str:
    """The body of the function that a module becomes."""
    names = ", ".join(_EXPORT.findall(text))
    text = _IMPORT.sub(lambda match: f'{f"const {match[1]} = " if match[1] else ""}need("{match[2]}");', text)
    text = _IMPORT_LATER.sub(r'Promise.resolve(need("\1"))', text)
    return f"{_EXPORT.sub('', text)}return {{ {names} }};\n"


def _type_of(name: str) -> str:
    return _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


@cache
def version() -> str:
    """A piece of the digest of all files; scripts name each other by relative addresses and are of one version."""
    digest = blake2b(digest_size=4)
    for content in asset_files().values():
        digest.update(content.data)
    return digest.hexdigest()


def asset(name: str) -> str:
    """The address of a file."""
    return f"/static/{version()}/{name}"


def accepts(headers: Headers, coding: str) -> bool:
    """Whether a browser reads this compression: browsers name what they read, and weigh nothing with zero."""
    return coding in {part.strip() for part in headers.get("accept-encoding", "").split(",")}


class Assets:
    """The files, with or without a version in their address; what has the version of now never changes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from memory, with few headers: a first visit asks for all of these files."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        path = str(scope["path"]).removeprefix(str(scope.get("root_path", ""))).lstrip("/")
        match = _VERSION.fullmatch(path)
        content = asset_files().get(match[2] if match else path)
        if content is None:
            raise HTTPException(404)
        headers = {"Content-Type": content.type, "Vary": "Accept-Encoding"}
        headers["Cache-Control"] = _FOR_EVER if match and match[1] == version() else "no-cache"
        data = content.data
        if coding := next((name for name in ("br", "gzip") if accepts(Headers(scope=scope), name)), None):
            headers["Content-Encoding"], data = coding, getattr(content, coding)
        await Response(b"" if scope["method"] == "HEAD" else data, 200, headers)(scope, receive, send)
