"""Comments of readers: found, told apart by post, in the text only where asked for."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import paberki
from corpora import SENTENCES
from paberki.extraction.extract_stage import extract_learned
from paberki.extraction.learned.block_classifier import LearnedConfig
from paberki.extraction.method_stages import ExtractMethodConfig, extract_method_with_comments
from paberki.store.batch import Batch

TEXT = "".join(f"<p>{one} {other}</p>" for one, other in pairwise(SENTENCES))
POSTS = (
    ("Mislim da je to odlična vijest za sve nas u gradu.", "Jedva čekam!"),
    ("Ne slažem se s vama, jer nitko nije pitao stanovnike što misle."),
    ("Tko će to platiti, a da nas ne košta još više?",),
)
PAGE = f"""<html><head><title>Vijest</title></head><body><div class=nav><a href=/>Naslovnica</a></div>
<div class=article><h1>Vijest dana</h1>{TEXT}</div>
<div id=comments><h3>3 komentara za ovaj članak</h3><ol class=commentlist>
<li class=comment id=comment-11><div class=comment-meta>Ana 12. 3. 2012. u 8:15</div><div class=comment-body>
<p>{POSTS[0][0]}</p><p>{POSTS[0][1]}</p></div><a href=#r>Odgovori</a>
<ul class=children><li class=comment id=comment-12><div class=comment-body><p>{POSTS[1]}</p></div></li></ul></li>
<li class=comment id=comment-13><div class=comment-body><p>{POSTS[2][0]}</p></div></li></ol>
<div id=respond><form><p>Vaša adresa e-pošte neće biti objavljena na ovoj stranici.</p></form></div></div></body></html>"""
ONE_EACH = [POSTS[0][0], POSTS[1], POSTS[2][0]]
WRITTEN = [POSTS[0][0], POSTS[0][1], POSTS[1], POSTS[2][0]]


def batch() -> Batch:
    values = {
        "payload": [PAGE.encode()],
        "decoded": [PAGE],
        "decode.encoding": ["utf-8"],
        "archive.mime": ["text/html"],
        "archive.url": ["http://a.hr/vijest"],
    }
    return Batch(np.arange(1), {}, values=values)


def test_comments_are_labelled_and_left_out_unless_asked_for() -> None:
    page = paberki.extract(PAGE)
    comments = [block for block in page.blocks if block.reason == "comment of a reader"]
    assert [block.text for block in comments] == WRITTEN
    assert all(block.label == "comment" and not block.kept for block in comments)
    assert SENTENCES[0] in page.text
    assert WRITTEN[0] not in page.text
    with_comments = paberki.extract(PAGE, comments=True).text
    assert with_comments == "\n".join([page.text, *WRITTEN])


def test_a_page_whose_body_is_named_for_comments_keeps_its_text() -> None:
    page = (
        f"<html><head><title>Vijest dana</title></head><body><h1>Vijest dana</h1><div class=comments-open>{TEXT}</div>"
    )
    text = paberki.extract(page).text
    assert all(one in text for one in SENTENCES)


def test_bylines_forms_and_headings_are_no_text() -> None:
    page = paberki.extract(PAGE, comments=True)
    for words in ("komentara", "8:15", "Odgovori", "objavljena"):
        assert words not in page.text


def test_posts_are_told_apart() -> None:
    columns = extract_learned(batch(), LearnedConfig(comments=True))
    blocks, posts = columns["blocks"].to_pylist()[0], columns["comment_post"].to_pylist()[0]
    numbered = {block["text"]: post for block, post in zip(blocks, posts, strict=True) if post is not None}
    assert numbered == dict(zip(WRITTEN, [1, 1, 2, 3], strict=True))


def test_comments_that_another_method_keeps_are_labelled() -> None:
    columns = extract_method_with_comments(batch(), ExtractMethodConfig(method="whole"))
    blocks, posts = columns["blocks"].to_pylist()[0], columns["comment_post"].to_pylist()[0]
    labels = {block["text"]: (block["label"], block["kept"], post) for block, post in zip(blocks, posts, strict=True)}
    assert {labels[one][:2] for one in WRITTEN} == {("comment", True)}
    first, same, second, third = (labels[one][2] for one in WRITTEN)
    assert first == same
    assert len({first, second, third}) == 3
    assert labels["Vijest dana"] == ("text", True, None)
    assert [label for text, (label, _, _) in labels.items() if "objavljena" in text] == ["text"]


def test_comments_with_numbers_for_ids() -> None:
    posts = "".join(f'<div id="c11588{number}"><p>{one[0]}</p></div>' for number, one in enumerate(POSTS) if one[0])
    page = f"<html><body><div class=content><h1>Vijest dana</h1>{TEXT}{posts}</div></body></html>"
    result = paberki.extract(page)
    assert POSTS[0][0] not in result.text
    assert [block.label for block in result.blocks if block.text == POSTS[0][0]] == ["comment"]


def comments_of(posts: str) -> list[str]:
    page = f"<html><head><title>Vijest</title></head><body><div class=article><h1>Vijest dana</h1>{TEXT}</div>{posts}</body></html>"
    return [
        block.text for block in paberki.extract(page, comments=True).blocks if block.label == "comment" and block.kept
    ]


def test_posts_that_are_shown_only_when_asked_for_are_comments() -> None:
    posts = "".join(
        f'<li id=tree_{number} class="comment hidden"><div id=comment_body_{number}><p>{one}</p></div></li>'
        for number, one in enumerate(ONE_EACH, 1)
    )
    assert comments_of(f"<ul id=comments>{posts}</ul>") == ONE_EACH


def test_titles_of_posts_are_comments() -> None:
    titles = ("Napokon dobra vijest za grad", "Tko je koga pitao o tome", "A tko će sve to platiti")
    posts = "".join(
        f"<div class=comment><h5 class=comment_title id=comment_title_{number}><a href=#c{number}>{title}</a></h5>"
        f"<div class=comment_body><p>{one}</p></div></div>"
        for number, (title, one) in enumerate(zip(titles, ONE_EACH, strict=True))
    )
    written = comments_of(
        f"<div id=comments><h3 class=comment_title>Komentari čitatelja na ovu vijest</h3>{posts}</div>"
    )
    assert written == [line for title, one in zip(titles, ONE_EACH, strict=True) for line in (title, one)]


def test_comments_that_are_shown_twice_count_once() -> None:
    long = [f"{one} To sam već rekao i svojim susjedima, ali nitko ne sluša." for one in ONE_EACH]
    posts = "".join(f"<li class=comment><p>{one}</p></li>" for one in [*long, long[1]])
    assert comments_of(f"<ol class=commentlist>{posts}</ol>") == long


def test_the_posts_of_a_forum_are_its_text_whatever_they_are_called() -> None:
    page = paberki.extract(PAGE, url="http://www.forum.hr/viewtopic.php?t=1")
    assert page.page_type == "forum"
    assert not page.comments
    assert all(one in page.text for one in WRITTEN)


@pytest.mark.parametrize("mark", [' class="frame frame-type-text"', "><img src=/typo3temp/a.png"])
def test_content_elements_with_numbers_for_ids_are_no_comments(mark: str) -> None:
    elements = "".join(
        f'<div id="c1158{number}"{mark}><p>{one} {other}</p></div>'
        for number, (one, other) in enumerate(pairwise(SENTENCES))
    )
    html = f"<html><body><div class=content><h1>Vijest dana</h1><p>{SENTENCES[0]}</p>{elements}</div></body></html>"
    page = paberki.extract(html)
    assert not page.comments
    assert all(one in page.text for one in SENTENCES)


def test_opinions_are_filed_under_comments_and_are_text() -> None:
    others = "".join(f"<div class=intro><p>{one} {other}</p></div>" for one, other in pairwise(SENTENCES[4:]))
    article = f"<article class='post category-kommentar'>{TEXT}<div id=comments><div class=comment><p>{WRITTEN[0]}</p></div></div></article>"
    page = paberki.extract(f"<html><body><h1>Vijest dana</h1>{others}{article}</body></html>")
    assert all(page.text.count(one) >= 1 for one in SENTENCES[:4])
    assert page.comments == WRITTEN[0]
