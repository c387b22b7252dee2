"""Pages of the site that are made from the program itself: verbs, stages with their settings, columns, presets,
errors, functions of Python.

MkDocs calls these functions (``make docs``). Links to files outside the folder of documents become plain text, since
the site does not hold them; ARCHITECTURE.md, CONTRIBUTING.md and CHANGELOG.md are pages of the site.
"""

from __future__ import annotations

import inspect
import os
import re
from functools import cached_property
from pathlib import Path
from typing import Any

import typer
from mkdocs.structure.files import File

import paberki
from paberki import errors
from paberki.cli.app import app_of
from paberki.cli.help_page import page
from paberki.cli.verbs import GROUPS
from paberki.recipe.tables import presets
from paberki.stage import field_help, stages
from paberki.store.columns import BUILTIN

ROOT = Path(__file__).parents[2]
ALSO = {"architecture.md": "ARCHITECTURE.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
"""Documents of the project that are pages of the site too."""
LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)(#[^)]*)?\)")
os.environ["NO_COLOR"] = "1"


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages."""
    pages = {
        "reference/verbs.md": verbs_page(),
        "reference/stages.md": stages_page(),
        "reference/columns.md": columns_page(),
        "reference/presets.md": presets_page(),
        "reference/errors.md": errors_page(),
        "reference/python.md": python_page(),
        **{name: (ROOT / source).read_text("utf-8") for name, source in ALSO.items()},
    }
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Keep links inside the site."""
    here = Path(page.file.src_uri)
    known = {file.src_uri for file in files}

    def kept(match: re.Match[str]) -> str:
        label, target, anchor = match[1], match[2], match[3] or ""
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        folder = here.parent if here.name not in ALSO else Path("..")
        place = os.path.normpath(folder / target) if here.name not in ALSO else os.path.normpath(target)
        inside = place.removeprefix("docs/") if here.name in ALSO else place
        also = next((name for name, source in ALSO.items() if Path(place).name == source), None)
        if also:
            inside = also
        if inside not in known:
            return label
        return f"[{label}]({os.path.relpath(inside, here.parent)}{anchor})"

    return LINK.sub(kept, markdown)


def verbs_page() -> str:
    """The help of every verb."""
    parts = ["# Verbs", "What `paberki VERB --help` prints."]
    for title, names in GROUPS.items():
        parts.append(f"## {title.capitalize()}")
        for name in names:
            command: Any = typer.main.get_command(app_of(name))
            command = getattr(command, "commands", {}).get(name, command)
            parts += [f"### {name}", _code(page(command, f"paberki {name}"))]
            for inner, one in getattr(command, "commands", {}).items():
                parts += [f"#### {name} {inner}", _code(page(one, f"paberki {name} {inner}"))]
    return "\n\n".join(parts) + "\n"


def stages_page() -> str:
    """Every stage: what it is for, what it adds, its settings."""
    parts = ["# Stages and settings", "A recipe lists stages; the settings of a stage are in the table of its layer."]
    for stage in stages().values():
        purpose = " ".join(stage.doc.split("\n\n")[0].split())
        adds = ", ".join(f"`{column.name}`" for column in stage.adds) or "a model"
        parts += [f"## {stage.name}", _text(purpose), f"Kind: {stage.kind}. Layer: `{stage.layer}`. Adds: {adds}."]
        rows = [f"| `{name}` | {_cell(text)} |" for name, text in field_help(stage.config).items()]
        if rows:
            parts.append("\n".join(["| setting | meaning |", "|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def columns_page() -> str:
    """Every column."""
    rows = [
        f"| `{one.name}` | {one.layer} | {one.level} | {_cell(str(one.type))} | {_cell(one.meaning)} |"
        for one in BUILTIN
    ]
    head = ["# Columns", "", "| column | layer | level | type | meaning |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows]) + "\n"


def presets_page() -> str:
    """Every preset as it is."""
    parts = ["# Presets", "A preset is a recipe that comes with paberki; `corpus.toml` changes what it wants to."]
    for name, text in presets().items():
        parts += [f"## {name}", f"```toml\n{text.strip()}\n```"]
    return "\n\n".join(parts) + "\n"


def errors_page() -> str:
    """Every error, and every reason for which the error of a record may stand in its row."""
    parts = [
        "# Errors",
        _text((errors.__doc__ or "").partition("\n")[0]),
        _code((errors.__doc__ or "").partition("\n")[2]),
    ]
    for one in vars(errors).values():
        if isinstance(one, type) and issubclass(one, errors.PaberkiError):
            parts += [f"## {one.__name__}", f"{_text(inspect.getdoc(one) or '')}", f"Exit code {one.exit_code}."]
    return "\n\n".join(parts) + "\n"


def python_page() -> str:
    """What ``import paberki`` gives, and what a corpus can do; the examples are doctests."""
    parts = ["# Python", _text(inspect.getdoc(paberki) or "")]
    for name in paberki.__all__:
        one = getattr(paberki, name)
        if inspect.isfunction(one):
            parts += [f"## paberki.{name}", _code(f"paberki.{name}{inspect.signature(one)}"), _described(one)]
    parts += ["## paberki.Corpus", _described(paberki.Corpus)]
    for name, one in vars(paberki.Corpus).items():
        if not name.startswith("_") and inspect.isfunction(one):
            said = str(inspect.signature(one)).replace("(self, ", "(").replace("(self)", "()")
            parts += [f"### corpus.{name}", _code(f"corpus.{name}{said}"), _described(one)]
        elif not name.startswith("_") and isinstance(one, property | cached_property):
            parts += [f"### corpus.{name}", _described(one)]
    return "\n\n".join(parts) + "\n"


def _described(one: Any) -> str:
    """A docstring; its examples become code."""
    text, arrow, examples = (inspect.getdoc(one) or "").partition(">>> ")
    text = re.sub(r":(?:func|class|data|mod):`~?([^`]+)`", r"`\1`", text)
    return _text(text.strip()) + (f"\n\n```python\n{arrow}{examples.strip()}\n```" if arrow else "")


def _code(text: str) -> str:
    return f"```text\n{text.strip()}\n```"


def _text(text: str) -> str:
    return text.replace("``", "`").replace("<", "&lt;")


def _cell(text: str) -> str:
    return _text(" ".join(text.split())).replace("|", "\\|")
