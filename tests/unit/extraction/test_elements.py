"""Which tags end a paragraph is a setting, for the kernel and for the readable implementation alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.extraction import extract
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.page_objects import page_blocks
from paberki.extraction.html.elements import BREAKING, ELEMENTS, KINDS, ElementsConfig, kinds_for
from paberki.extraction.html.page_blocks import Block
from paberki.extraction.html.segmenter import segment

PAGE = (
    "<div>a<ul><li>b<li>c</ul><form>f<select><option>o</select></form><code>k</code> d<br>e"
    "<table><tr><td>x<td>y</table></div><button>z</button>"
)
CONFIGS = [
    ElementsConfig(),
    ElementsConfig(preset="texrex"),
    ElementsConfig(preset="www2sf"),
    ElementsConfig(breaking=("p", "span"), skipped=("ul", "b")),
    ElementsConfig(every_tag=True),
    ElementsConfig(preset="texrex", every_tag=True),
]
pieces = st.lists(
    st.sampled_from([f"<{name}>" for name in sorted(ELEMENTS - {"title", "plaintext"})] + ["</div>", "</p>", "</td>", "</form>", "</code>", "tekst ", "č", "&amp;"]),
    max_size=30,
)  # fmt: skip


def compiled(html: str, config: ElementsConfig) -> list[tuple]:
    harvest = Harvest(config)
    harvest.add_text(html)
    return [row(block) for block in page_blocks(harvest, 0)]


def readable(html: str, config: ElementsConfig) -> list[tuple]:
    return [row(block) for block in segment(html, config).blocks]


def row(block: Block) -> tuple:
    return block.text, block.path, block.tag, block.link_chars, block.tag_count, block.markup


@pytest.mark.parametrize(
    ("config", "texts"),
    list(zip(
        CONFIGS,
        [["a", "b", "c", "f", "k d", "e", "x", "y"], ["a", "b", "c", "d", "e", "x", "y", "z"],
         ["a", "b", "c", "f", "o", "k d", "e", "x", "y", "z"], ["a", "f o k d", "e x y z"],
         ["a", "b", "c", "f", "k", "d", "e", "x", "y"], ["a", "b", "c", "d", "e", "x", "y", "z"]],
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
    with pytest.raises(ValueError, match="'dvi' is no HTML element; did you mean 'div'"):
        ElementsConfig(breaking=("dvi",))


GLUED = (
    "<ul><li>Ime</li><li>Prezime</li></ul><table><tr><th>Ime</th><th>Prezime</th></tr><tr><td>Grad</td><td>Split</td></tr>"
    "</table><dl><dt>Ime</dt><dd>Prezime</dd></dl><select><option>Ime</option><option>Prezime</option></select>Ime<br>Prezime"
    "<pre>Ime</pre>Prezime<a href=/><table><tr><th>Ime</th><th>Prezime</th></tr></table></a>"
)


@pytest.mark.parametrize("config", [*CONFIGS, ElementsConfig(breaking=("p",), skipped=("script",))])
def test_a_block_level_tag_that_does_not_break_is_a_space(config):
    harvest = Harvest(config)
    harvest.add_text(GLUED)
    texts = [block.text for block in page_blocks(harvest, 0)] + [link.text for link in segment(GLUED, config).links]
    assert {word for text in texts for word in text.split()} <= {"Ime", "Prezime", "Grad", "Split"}
    assert compiled(GLUED, config) == readable(GLUED, config)


def test_victor_cuts_at_every_tag():
    pytest.importorskip("pycrfsuite")
    found = extract("<p>Hello <b>world</b>!", method="victor")
    assert [block.text for block in found.blocks] == ["Hello", "world", "!"]


@pytest.mark.parametrize("config", [one for one in CONFIGS if "b" not in one.skipped])
def test_markup_is_counted_in_characters(config):
    html = '<p>a <b title="ččč">b</b> c</p>\n<!-- x --><p class=t>d</p>'
    inside, between = len('<b title="ččč"></b>'), len("</p><!-- x --><p class=t>")
    blocks = segment(html, config).blocks
    if config.every_tag:
        assert sum(block.markup for block in blocks) == inside + between
    else:
        assert [block.markup for block in blocks] == [inside + between / 2, between / 2]
    assert compiled(html, config) == readable(html, config)
