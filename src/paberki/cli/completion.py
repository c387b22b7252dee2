"""paberki completion."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from paberki.cli.options import Json, Quiet

_BASH: Final = """\
_paberki() {
  local IFS=$'\\n'
  COMPREPLY=($(paberki completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ ${#COMPREPLY[@]} -eq 0 ] && compopt -o default
}
complete -F _paberki paberki
"""
_ZSH: Final = """\
#compdef paberki
_paberki() {
  local -a found
  found=("${(@f)$(paberki completion words "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- "${found[@]}"; else _files; fi
}
compdef _paberki paberki
"""
_FISH: Final = """\
complete -c paberki -a '(paberki completion words (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
"""
_MANUAL: Final = "man"
SCRIPTS: Final = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def run(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish; man for the manual page.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print a script that completes verbs, options, corpora, columns, reasons, stages and formats, or the manual page.

    \b
    Examples:
      paberki completion bash > ~/.local/share/bash-completion/completions/paberki
      paberki completion zsh > ~/.zfunc/_paberki
      paberki completion fish > ~/.config/fish/completions/paberki.fish
      paberki completion man | man -l -
    """
    from paberki.errors import ConfigError

    if shell == _MANUAL:
        from paberki.cli.manual import manual

        text = manual()
    elif shell in SCRIPTS:
        text = SCRIPTS[shell]
    else:
        raise ConfigError(f"{shell!r}: there are {', '.join(SCRIPTS)} and {_MANUAL}")
    if json:
        from json import dumps

        sys.stdout.write(dumps({"shell": shell, "script": text}) + "\n")
    elif not quiet:
        sys.stdout.write(text)
