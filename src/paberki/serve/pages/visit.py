"""One request for a page: which corpus, which language of the interface, what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import brotli
from starlette.responses import HTMLResponse, Response

from paberki.serve.assets import accepts
from paberki.serve.pages.ask import Ask
from paberki.serve.pages.languages import LANGUAGES, language_of, translation

if TYPE_CHECKING:
    from paberki.serve.library import Edition
    from paberki.serve.service import Service, ServiceCall

__all__ = ["Visit"]

COOKIE = "paberki-language"
THEME_COOKIE = "paberki-theme"


@dataclass
class Visit:
    """A request as pages see it."""

    call: ServiceCall

    @property
    def service(self) -> Service:
        """What all requests share."""
        return self.call.service

    @property
    def path(self) -> str:
        """The path of the address."""
        return str(self.call.request.url.path)

    @property
    def values(self) -> dict[str, str]:
        """Parameters of the address."""
        return self.call.parameters

    def value(self, name: str, default: str = "") -> str:
        """One parameter of the address, never longer than a query may be."""
        return self.values.get(name, default)[:8000]

    def number(self, name: str, default: int, least: int = 0, most: int = 1_000_000_000) -> int:
        """A parameter that is a whole number; the default where it is not a number."""
        text = self.value(name)
        digits = text.removeprefix("-")
        number = int(text) if digits.isdecimal() and digits.isascii() and len(digits) < 12 else default
        return min(max(number, least), most)

    @property
    def is_part(self) -> bool:
        """Whether a script asks, which puts the content into a page that is there already."""
        headers = self.call.request.headers
        return headers.get("hx-request") == "true" and headers.get("hx-history-restore-request") != "true"

    @cached_property
    def edition(self) -> Edition:
        """The corpus in its state of now; links of other states are answered too, and say so."""
        return self.service.library.edition(self.values.get("corpus") or None)

    @cached_property
    def ask(self) -> Ask:
        """The question in the address."""
        return Ask.of_pairs(self.call.request.query_params.multi_items())

    @cached_property
    def language(self) -> str:
        """Language of the interface: of the address, of the cookie, of the browser."""
        request = self.call.request
        choice = self.values.get("ui") or request.cookies.get(COOKIE) or ""
        return choice if choice in LANGUAGES else language_of(request.headers.get("accept-language", ""))

    @property
    def theme(self) -> str | None:
        """Light or dark, if somebody has chosen; else the system decides. The page has it from its first paint on."""
        choice = self.call.request.cookies.get(THEME_COOKIE)
        return choice if choice in ("light", "dark") else None

    def say(self, text: str, **values: Any) -> str:
        """A text of the interface in the language of the visitor; ``{name}`` is replaced by a value."""
        sentence = translation(text, self.language, values.get("n"))
        for name, value in values.items():
            sentence = sentence.replace("{" + name + "}", self.count(value) if isinstance(value, int) else str(value))
        return sentence

    def count(self, number: int) -> str:
        """A number as this language groups its digits."""
        return f"{number:,}".replace(",", {"en": ",", "cs": "\u00a0"}.get(self.language, "."))

    def decimal(self, number: float, digits: int = 2) -> str:
        """A fraction as this language writes it."""
        text = f"{number:,.{digits}f}"
        if self.language == "en":
            return text
        group = "\u00a0" if self.language == "cs" else "."
        return text.replace(",", "\0").replace(".", ",").replace("\0", group)

    def here(self, path: str, **parameters: Any) -> str:
        """An address of this corpus."""
        pairs = {name: str(value) for name, value in parameters.items() if value not in (None, "", False)}
        if name := self.values.get("corpus"):
            pairs["corpus"] = name
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def answer(self, html: str, status: int = 200) -> Response:
        """A page; the choice of a language is remembered."""
        data, headers = html.encode("utf-8", "replace"), {"Vary": "HX-Request, Cookie, Accept-Language"}
        if accepts(self.call.request.headers, "br"):
            data, headers["Content-Encoding"] = brotli.compress(data, quality=5), "br"
            headers["Vary"] += ", Accept-Encoding"
        response = HTMLResponse(data, status, headers)
        if (choice := self.values.get("ui")) in LANGUAGES:
            response.set_cookie(COOKIE, str(choice), max_age=31_536_000, samesite="strict", httponly=True)
        return response
