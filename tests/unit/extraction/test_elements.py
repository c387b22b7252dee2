"""Which tags end a paragraph is a setting, for the kernel and for the readable implementation alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from paberki.errors import ConfigError
from paberki.extraction.elements import BREAKING, ELEMENTS, KINDS, ElementsConfig, kinds_for
from paberki.extraction.fast import Harvest, page_blocks
from paberki.extraction.segment import segment

PAGE = (
    "<div>a<ul><li>b<li>c</ul><form>f<select><option>o</select></form><code>k</code> d<br>e"
    "<table><tr><td>x<td>y</table></div><button>z</button>"
)
CONFIGS = [
    ElementsConfig(),
    ElementsConfig(preset="texrex"),
    ElementsConfig(preset="www2sf"),
    ElementsConfig(breaking=("p", "span"), skipped=("ul", "b")),
]
pieces = st.lists(
    st.sampled_from([f"<{name}>" for name in sorted(ELEMENTS - {"title", "plaintext"})] + ["</div>", "</p>", "</td>", "</form>", "</code>", "tekst ", "č", "&amp;"]),
    max_size=30,
)  # fmt: skip


def compiled(html: str, config: ElementsConfig) -> list[tuple]:
    harvest = Harvest(config)
    harvest.add_text(html)
    return [(block.text, block.path, block.tag, block.link_chars, block.tag_count) for block in page_blocks(harvest, 0)]


def readable(html: str, config: ElementsConfig) -> list[tuple]:
    blocks = segment(html, config).blocks
    return [(block.text, block.path, block.tag, block.link_chars, block.tag_count) for block in blocks]


@pytest.mark.parametrize(
    ("config", "texts"),
    list(zip(
        CONFIGS,
        [["a", "b", "c", "f", "k d", "e", "x", "y"], ["a", "b", "c", "d", "e", "x", "y", "z"],
         ["a", "b", "c", "f", "o", "k d", "e", "x", "y", "z"], ["a", "fok d", "exyz"]],
        strict=True,
    )),
)  # fmt: skip
def test_presets_and_lists_of_ones_own(config, texts):
    assert [row[0] for row in readable(PAGE, config)] == texts
    assert compiled(PAGE, config) == readable(PAGE, config)


@settings(max_examples=150)
@given(pieces, st.sampled_from(CONFIGS))
def test_kernel_and_reference_agree_under_any_setting(parts, config):
    html = "".join(parts)
    assert compiled(html, config) == readable(html, config)


def test_the_default_is_unchanged():
    assert kinds_for(ElementsConfig()) is KINDS


def test_lists_are_those_of_the_tools():
    assert len(BREAKING["www2sf"].split()) == 41
    assert set(BREAKING["texrex"].split()) == {
        "div",
        "p",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "td",
        "article",
        "section",
    }


def test_unknown_elements_are_named():
    with pytest.raises(ConfigError, match="'dvi' is no HTML element"):
        kinds_for(ElementsConfig(breaking=("dvi",)))
