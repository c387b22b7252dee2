"""CLASSLA: Stanza's descendant for South Slavic languages; takes tokens as text, one sentence per line."""

from __future__ import annotations

from typing import Any

from paberki.annotation.adapters.stanza import Stanza


class Classla(Stanza):
    """A pipeline of the package classla."""

    package = "classla"
    options: dict[str, Any] = {}  # noqa: RUF012 - as in Stanza

    def tool_input(self, sentences: list[list[str]]) -> Any:
        """Tokens divided by spaces; a space inside a token would make it two."""
        return "\n".join(" ".join(form.replace(" ", "\u00a0") for form in one) for one in sentences)


def open_tool(lang: str, detail: str) -> Classla:
    """The adapter."""
    return Classla(lang, detail)
