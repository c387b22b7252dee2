"""HTML elements and tables; every value is escaped, and wide tables scroll."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from paberki.markup.svg import clean
from paberki.web.registered_domains import split_url


class Safe(str):
    """Markup of our own that is not escaped again."""

    __slots__ = ()


def safe(value: object) -> str:
    """Escaped, unless it is markup of our own."""
    return value if isinstance(value, Safe) else clean(value)


def element(name: str, /, *inside: object, **attributes: object) -> Safe:
    """``<name class="…">…</name>``; ``class_`` stands for class, ``data_value`` for data-value.

    An attribute that is None or False is left out, one that is True stands without a value.
    """
    return Safe(f"<{name}{_attribute_text(attributes)}>{''.join(safe(one) for one in inside)}</{name}>")


def void(name: str, /, **attributes: object) -> Safe:
    """An element that never holds anything: input, meta, link, br."""
    return Safe(f"<{name}{_attribute_text(attributes)}>")


def join_html(parts: Iterable[object]) -> Safe:
    """Pieces one after another, without an element around them."""
    return Safe("".join(safe(one) for one in parts))


def _attribute_text(attributes: Mapping[str, object]) -> str:
    attribute_text = ""
    for key, value in attributes.items():
        if value is not None and value is not False:
            name = _attribute_name(key)
            attribute_text += f" {name}" if value is True else f' {name}="{clean(value)}"'
    return attribute_text


@cache
def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def link(url: str, label: str) -> Safe:
    """A link for http and https addresses; for others only the label."""
    try:
        web = split_url(url).scheme in ("http", "https")
    except ValueError:
        web = False
    return element("a", label, href=url, rel="nofollow noreferrer") if web else Safe(clean(label))


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, words: int = 1, strong: Sequence[int] = ()) -> Safe:
    """The first ``words`` columns hold text, the others numbers; ``strong`` rows are set off."""
    columns = [
        element("th", name, class_="word" if at < words else "number", scope="col") for at, name in enumerate(head)
    ]
    lines = []
    for number, row in enumerate(rows):
        cells = [element("td", value, class_="word" if at < words else "number") for at, value in enumerate(row)]
        lines.append(element("tr", *cells, **({"class_": "strong"} if number in strong else {})))
    inside = element("table", element("thead", element("tr", *columns)), element("tbody", *lines))
    return element("div", inside, class_="table")
