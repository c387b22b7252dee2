"""Write a rule of selection into a recipe and leave the rest of the file as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

from paberki.errors import ConfigError
from paberki.recipe.corpus_recipe import parse
from paberki.store.files import write_text
from paberki.store.selection.condition import parse as parse_condition

_HEADER = re.compile(r"\s*\[")
_RULE = re.compile(r"\s*\[\[\s*select\s*\.\s*pages\s*\]\]")
_REASON = re.compile(r"\s*reason\s*=\s*[\"'](.+?)[\"']\s*(?:#.*)?$")
_DROP = re.compile(r"(\s*drop\s*=\s*).*?(\s+#[^\"']*)?$")


def write_rule(recipe: Path, reason: str, keep: str) -> str:
    """Pages for which ``keep`` is false are left out under ``reason``; the condition that was written.

    A rule of the file with this reason is replaced where it stands, else one is added at the end.
    """
    parse_condition(keep)
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,60}", reason):
        raise ConfigError(f"a reason is a word such as low-quality, not {reason!r}")
    drop = f"not ({keep.strip()})"
    text = recipe.read_text("utf-8")
    new_text = _with_rule(text, reason, drop)
    parse(new_text, str(recipe))  # never write a recipe that cannot be read
    write_text(recipe, new_text)
    return drop


def _with_rule(text: str, reason: str, drop: str) -> str:
    lines = text.splitlines()
    for start, line in enumerate(lines):
        if not _RULE.match(line):
            continue
        end = next((at for at in range(start + 1, len(lines)) if _HEADER.match(lines[at])), len(lines))
        mine = any((match := _REASON.match(one)) and match[1] == reason for one in lines[start:end])
        where = next((at for at in range(start, end) if _DROP.match(lines[at])), None) if mine else None
        if where is not None:
            match = _DROP.match(lines[where])
            assert match is not None
            lines[where] = f"{match[1]}{_string(drop)}{match[2] or ''}"
            return "\n".join(lines) + "\n"
    rule = f"\n[[select.pages]]\nreason = {_string(reason)}\ndrop = {_string(drop)}\n"
    return text + ("" if text.endswith("\n") or not text else "\n") + rule


def _string(value: str) -> str:
    """A basic string of TOML; its escapes are those of JSON."""
    return json.dumps(value, ensure_ascii=False)
