"""An external command that reads tokens on standard input and writes them annotated: CoNLL-U, or one token per line."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator

from paberki.annotation.adapters.aligned import fill, split
from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import Tree, TreeWord, parse
from paberki.errors import ConfigError, InputError

_SECONDS = 3600
"""Seconds that a command may take for one document."""


class Command:
    """A command that is started once for each document."""

    vertical = False

    def __init__(self, lang: str, command: str) -> None:
        self.lang = lang
        self.words = shlex.split(command)
        if not self.words:
            raise ConfigError("name the command: --tagger 'command:my-tagger --option'")

    def annotate(self, text: str) -> Document:
        """Our tokens, its layers."""
        document = split(text, self.lang)
        self.add_layers(document)
        return document

    def add_layers(self, document: Document) -> None:
        """All sentences through the pipe at once."""
        try:
            process = subprocess.run(  # noqa: S603 - the user's own command, run without a shell
                self.words, input=self.tool_input(document).encode(), capture_output=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(f"the command {self.words[0]} failed: {error}") from error
        if process.returncode:
            last = process.stderr.decode("utf-8", "replace").strip().splitlines()
            raise InputError(
                f"the command {self.words[0]} ended with {process.returncode}: {last[-1] if last else 'no message'}"
            )
        fill(document, list(self.read_output(process.stdout.decode("utf-8", "replace"))), self.words[0])

    def tool_input(self, document: Document) -> str:
        """What the command reads."""
        return document.to_conllu()

    def read_output(self, answer: str) -> Iterator[Tree]:
        """Sentences from what it writes."""
        return parse(answer.split("\n"), self.words[0])


class Vertical(Command):
    """The same with one token per line and a blank line after each sentence; the command returns form, tag and lemma."""

    def tool_input(self, document: Document) -> str:
        """Forms, one per line."""
        return "".join("\n".join(token.form for token in one) + "\n\n" for one in document.sentences)

    def read_output(self, answer: str) -> Iterator[Tree]:
        """Read form, tag and lemma, separated by tabs; lines of markup are skipped."""
        tree = Tree()
        for line in answer.split("\n"):
            cells = line.split("\t")
            if len(cells) >= 2:
                tree.words.append(TreeWord(cells[0], cells[2] if len(cells) > 2 and cells[2] else "_", xpos=cells[1]))
            elif not line.strip() and tree.words:
                yield tree
                tree = Tree()
        if tree.words:
            yield tree


def open_tool(lang: str, detail: str) -> Command:
    """The adapter."""
    return Command(lang, detail)
