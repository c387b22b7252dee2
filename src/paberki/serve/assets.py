"""Styles and scripts: under an address that changes with their content, so that browsers keep them without asking again."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["STATIC", "Assets", "asset"]

STATIC: Final = Path(__file__).parent / "static"
_VERSION: Final = re.compile(r"([0-9a-f]{8})/(.*)", re.DOTALL)


@cache
def version() -> str:
    """A piece of the digest of all files; scripts name each other by relative addresses and are of one version."""
    digest = blake2b(digest_size=4)
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def asset(name: str) -> str:
    """The address of a file."""
    return f"/static/{version()}/{name}"


class Assets(StaticFiles):
    """The files, with or without a version in their address."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file; what has the version of now never changes."""
        match = _VERSION.fullmatch(path)
        response = await super().get_response(match[2] if match else path, scope)
        if match and match[1] == version():
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
