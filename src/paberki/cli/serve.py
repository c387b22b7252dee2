"""paberki serve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli.options import Json, Quiet

_Dirs = Annotated[list[Path], typer.Argument(metavar="DIR…", help="Directories of corpora or of indexes.")]
_Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen at.")]
_Port = Annotated[int, typer.Option("--port", "-p", metavar="N", min=0, max=65535, help="Port; 0 takes a free one.")]
_Token = Annotated[
    Path | None,
    typer.Option("--read-token", metavar="FILE", help="Every request needs the token in this file."),
]
_Edit = Annotated[bool, typer.Option("--edit", help="Let requests write: rules, saved queries, codings.")]
_Names = Annotated[
    list[str],
    typer.Option("--allow-host", metavar="NAME", help="Another name of this server; repeat for several."),
]


def run(
    directories: _Dirs,
    host: _Host = "127.0.0.1",
    port: _Port = 8765,
    read_token: _Token = None,
    edit: _Edit = False,
    allow_host: _Names = [],  # noqa: B006 - typer copies it
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Serve corpora to browsers and programs: concordances, documents, pages, JSON, TSUBAKI's API, CLARIN's search.

    Only this computer can ask unless you give another address; then a token is needed.

    \b
    Examples:
      paberki serve hr
      paberki serve hr sl bs --port 9000
      paberki serve hr --host 0.0.0.0 --allow-host corpus.example.org --read-token token.txt
    """
    from paberki.cli import show
    from paberki.errors import ConfigError
    from paberki.serve import running
    from paberki.serve.server_settings import LOCAL_HOSTS, ServerSettings

    if host not in LOCAL_HOSTS and read_token is None:
        raise ConfigError(f"--host {host}: others could read the corpus; give them a token with --read-token FILE")
    token = running.read_token(read_token) if read_token else None
    if token and len(token) < running.SAFE_TOKEN:
        typer.echo(f"--read-token: a token of {running.SAFE_TOKEN} characters or more is harder to guess", err=True)
    settings = ServerSettings(edit=edit, read_token=token, hosts=running.allowed_hosts(host, allow_host))
    listener = running.bind("127.0.0.1" if host == "localhost" else host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listener.getsockname()[1]}/"

    def tell() -> None:
        if json:
            show.as_json({"address": address, "corpora": [str(one) for one in directories]})
        else:
            show.say(f"serving at {address}; stop with ctrl-C", quiet=quiet)
        show.out.file.flush()

    running.serve(directories, listener, settings, tell)
