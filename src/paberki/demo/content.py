"""The middle of the page: the text in the manner of its template and of the host's HTML."""

from __future__ import annotations

import textwrap
from html import escape

from paberki.demo.prose import ProseBlock, Writer
from paberki.demo.site_furniture import SiteFurniture
from paberki.demo.site_model import ListingEntry, SitePage

_INLINE = ("em", "strong", "b", "a")


def content(page: SitePage, furniture: SiteFurniture) -> str:
    """Title, byline, text, lists and comments."""
    parts = [f"<h1>{escape(page.title)}</h1>", _byline(page, furniture), _body(page, furniture)]
    if page.rows:
        parts.append(_rows(page, furniture))
    if page.entries:
        parts.append(_entries(page, furniture))
    if page.filler:
        parts.append(_filler(page, furniture))
    if page.comments and not page.bare:
        parts.append(_comments(page, furniture))
    return "\n".join(filter(None, parts))


def _byline(page: SitePage, furniture: SiteFurniture) -> str:
    if not page.byline or not page.blocks or page.kind in {"thread", "product"}:
        return ""
    author = Writer(furniture.words, page.path).fill("{woman}")
    text = f"{furniture.label('written')}: {escape(author)}, {escape(page.byline)}"
    return f'<div class="{furniture.name("byline")}">{text}</div>'


def _body(page: SitePage, furniture: SiteFurniture) -> str:
    if not page.blocks:
        return ""
    if page.kind == "thread" and not page.bare:
        return _posts(page, furniture)
    if page.kind == "product":
        return _product(page, furniture)
    texts = [_inline(page, block, furniture) for block in page.blocks]
    if furniture.site.style.frame == "table":
        body = "\n".join(_old_markup(block, text) for block, text in zip(page.blocks, texts, strict=True))
        return f'<font face="Verdana" size="2">{body}</font>'
    body = "\n".join(_paragraph(block, text) for block, text in zip(page.blocks, texts, strict=True))
    return f'<div class="{furniture.name("text")}">\n{body}\n</div>'


def _inline(page: SitePage, block: ProseBlock, furniture: SiteFurniture) -> str:
    """Escape the text; now and then a word is emphasised or is a link, as in real articles."""
    rng = furniture.rng
    words = block.text.split(" ")
    if block.kind == "h2" or len(words) < 6 or rng.random() > 0.4:
        return _wrap(escape(block.text), page, furniture)
    place = rng.randrange(len(words))
    tag = rng.choice(_INLINE)
    opening = f'<a href="{furniture.href("/info/about")}">' if tag == "a" else f"<{tag}>"
    pieces = [escape(word) for word in words]
    pieces[place] = f"{opening}{pieces[place]}</{tag}>"
    return " ".join(pieces)


def _wrap(text: str, page: SitePage, furniture: SiteFurniture) -> str:
    """Older editors broke lines; Japanese has no spaces to break at."""
    if furniture.site.style.frame == "html5" or page.language == "ja":
        return text
    return textwrap.fill(text, 90, break_long_words=False, break_on_hyphens=False)


def _paragraph(block: ProseBlock, text: str) -> str:
    if block.kind == "h2":
        return f"<h2>{text}</h2>"
    if block.kind == "quote":
        return f"<blockquote><p>{text}</p></blockquote>"
    return f"<p>{text}</p>"


def _old_markup(block: ProseBlock, text: str) -> str:
    """Paragraphs as they were made in 2005."""
    return f"<b>{text}</b><br>" if block.kind == "h2" else f"{text}<br><br>"


def _posts(page: SitePage, furniture: SiteFurniture) -> str:
    rows = []
    for number, block in enumerate(page.blocks):
        writer = Writer(furniture.words, f"{page.path}/{number}")
        user = writer.fill("{tag}") + str(writer.rng.randint(60, 99))
        panel = f'<td width="120"><b>{escape(user)}</b><br>{writer.rng.randint(3, 2000)}</td>'
        reply = f'<a href="#reply{number}">{furniture.label("reply")}</a>'
        text = _inline(page, block, furniture)
        rows.append(f'<tr>{panel}<td><font size="1">#{number + 1} {reply}</font><br>{text}</td></tr>')
    return f'<table class="{furniture.name("posts")}" border="1">\n' + "\n".join(rows) + "\n</table>"


def _product(page: SitePage, furniture: SiteFurniture) -> str:
    writer = Writer(furniture.words, page.path + "/facts")
    price = f'<div class="{furniture.name("price")}">{writer.fill("{price}")} EUR</div>'
    button = f'<button class="{furniture.name("cart")}">{furniture.label("cart")}</button>'
    sizes = "".join(f"<option>{size}</option>" for size in ("S", "M", "L", "XL"))
    facts = "".join(f"<li>{writer.salad(1)}: {writer.rng.randint(10, 90)}</li>" for _ in range(5))
    text = "\n".join(_paragraph(block, _inline(page, block, furniture)) for block in page.blocks)
    return (
        f'{price}<select name="size">{sizes}</select>{button}\n'
        f'<div class="{furniture.name("description")}">{text}</div>\n<ul>{facts}</ul>'
    )


def _rows(page: SitePage, furniture: SiteFurniture) -> str:
    cells = "\n".join(f"<tr><td>{escape(a)}</td><td>{escape(b)}</td></tr>" for a, b in page.rows)
    return f'<table class="{furniture.name("rows")}">\n{cells}\n</table>'


def _entries(page: SitePage, furniture: SiteFurniture) -> str:
    lines = "\n".join(f"<li>{_teaser(entry, furniture)}</li>" for entry in page.entries)
    return f'<ul class="{furniture.name("list")}">\n{lines}\n</ul>'


def _teaser(entry: ListingEntry, furniture: SiteFurniture) -> str:
    if not entry.teaser:
        return furniture.anchor(entry)
    more = f'<a href="{furniture.href(entry.path)}">{furniture.label("more")}</a>'
    return f"{furniture.anchor(entry)}<br />{escape(entry.teaser)} {more}"


def _filler(page: SitePage, furniture: SiteFurniture) -> str:
    """Keyword salad, every third word a link to another page of the farm."""
    targets = [path for path, other in furniture.site.pages.items() if other.kind == "spam"]
    paragraphs = []
    for text in page.filler:
        words = [
            f'<a href="{furniture.href(furniture.rng.choice(targets))}">{escape(word)}</a>'
            if n % 3 == 0
            else escape(word)
            for n, word in enumerate(text.split())
        ]
        paragraphs.append(f"<p>{' '.join(words)}</p>")
    return "\n".join(paragraphs)


def _comments(page: SitePage, furniture: SiteFurniture) -> str:
    items = "\n".join(f'<div class="{furniture.name("comment")}"><p>{escape(c)}</p></div>' for c in page.comments)
    return f'<div id="{furniture.name("comments")}"><h3>{furniture.label("comments")}</h3>\n{items}\n</div>'
