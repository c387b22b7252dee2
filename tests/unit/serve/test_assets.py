"""Styles and scripts as browsers get them."""

from __future__ import annotations

import re

from paberki.serve.assets import SCRIPTS, STATIC, asset_files, one_script


def test_modules_become_one_script_in_which_imports_are_calls() -> None:
    modules = {
        "main.js": 'import { one } from "./part.js";\nimport "./other.js";\none();\nimport("./part.js").then(({ two }) => two());\n',
        "part.js": "export const one = () => 1;\nexport async function two() { return 'export const three'; }\n",
        "other.js": 'import { one } from "./part.js";\none();\n',
    }
    script = one_script(modules, "main.js")
    assert 'const { one } = need("part.js");\nneed("other.js");' in script
    assert 'Promise.resolve(need("part.js"))' in script
    assert "async function two() { return 'export const three'; }\nreturn { one, two };" in script
    assert script.rstrip().endswith('need("main.js");\n})();')


def test_no_import_or_export_is_left_and_every_module_is_there() -> None:
    script = asset_files()[SCRIPTS].data.decode()
    assert not re.search(r"^(import|export)\b|\bimport\(", script, re.MULTILINE)
    for path in (STATIC / "js").glob("*.js"):
        assert f'"{path.name}"() {{' in script


def test_no_module_imports_itself_through_others() -> None:
    imports = {
        path.name: re.findall(r'^import .*"\./([\w-]+\.js)";', path.read_text("utf-8"), re.MULTILINE)
        for path in (STATIC / "js").glob("*.js")
    }

    def reached(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, (*path, name)
        for other in imports[name]:
            reached(other, (*path, name))

    for name in imports:
        reached(name, ())
