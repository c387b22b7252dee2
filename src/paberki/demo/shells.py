"""Whole documents in several dialects of HTML: HTML5, XHTML 1.0, table layout, and careless versions."""

from __future__ import annotations

import re
from html import escape

from paberki.demo.content import content
from paberki.demo.site_furniture import Locate, SiteFurniture
from paberki.demo.site_model import Site, SitePage

_SCRIPT = "var paberki = {visits: 0}; function track(id) { paberki.visits += 1; return id; }"
_STYLE = "body { margin: 0; font-family: serif } .wide { width: 60em } a:hover { color: #a00 }"
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)([^<>]*)>")
_UNCLOSED = re.compile(r"</(?:p|li|td|tr|option)>")
_ATTRIBUTE = re.compile(r'="([\w-]+)"')


def render(site: Site, page: SitePage, locate: Locate) -> str:
    """The HTML of a page as text; encoding it is the server's business."""
    if page.content_type == "text/plain":
        return "\n\n".join([page.title, *(block.text for block in page.blocks)]) + "\n"
    furniture = SiteFurniture(site, page, locate)
    shell = {"html5": _html5, "xhtml": _xhtml, "table": _table}[site.style.frame]
    text = _bare(page, furniture) if page.bare else shell(page, furniture)
    return _careless(text) if site.style.sloppy else text


def _language(page: SitePage) -> str:
    return page.language + ("-Cyrl" if page.script == "Cyrl" else "")


def _old_meta(page: SitePage) -> str:
    if not page.charset.meta:
        return ""
    return f'<meta http-equiv="Content-Type" content="text/html; charset={page.charset.meta}" />'


def _title(page: SitePage, furniture: SiteFurniture) -> str:
    return f"<title>{escape(page.title)} - {escape(furniture.site.name)}</title>"


def _html5(page: SitePage, f: SiteFurniture) -> str:
    meta = f'<meta charset="{page.charset.meta}">' if page.charset.meta else ""
    return f"""<!DOCTYPE html>
<html lang="{_language(page)}">
<head>{meta}
{_title(page, f)}
<meta name="viewport" content="width=device-width">
<style>{_STYLE}</style>
<script>{_SCRIPT}</script>
</head>
<body>
{f.cookie_bar()}
{f.noscript()}
<header class="{f.name("header")}">
<div class="{f.name("logo")}"><a href="{f.href("/")}">{escape(f.site.name)}</a></div>
<nav>{f.menu()}</nav>{f.search()}</header>
<div class="{f.name("outer")}"><div class="{f.name("inner")}">
{f.breadcrumb()}
<main><article id="{f.name("main")}">
{content(page, f)}
</article>
{f.share()}
{f.related()}
</main>
<aside class="{f.name("aside")}">{f.sidebar()}</aside>
</div></div>
{f.hidden_text()}
<footer>{f.login()}{f.footer()}</footer>
<script>track("{f.name("main")}");</script>
</body>
</html>
"""


def _xhtml(page: SitePage, f: SiteFurniture) -> str:
    prolog = f'<?xml version="1.0" encoding="{page.charset.meta}"?>\n' if page.charset.meta else ""
    return f"""{prolog}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="{_language(page)}" lang="{_language(page)}">
<head>
{_old_meta(page)}
{_title(page, f)}
<style type="text/css">{_STYLE}</style>
</head>
<body>
<div id="{f.name("page")}">
<div id="{f.name("top")}"><strong>{escape(f.site.name)}</strong>{f.search()}</div>
<div id="{f.name("left")}">{f.menu()}
{f.login()}</div>
<div id="{f.name("centre")}">
{f.breadcrumb()}
<div class="{f.name("box")}"><div class="{f.name("boxin")}">
{content(page, f)}
</div></div>
<p class="{f.name("print")}">{f.label("print")} | {f.label("back")}</p>
{f.related()}
</div>
<div id="{f.name("right")}">{f.sidebar()}</div>
{f.cookie_bar()}
{f.footer()}
</div>
<script type="text/javascript">{_SCRIPT}</script>
</body>
</html>
"""


def _table(page: SitePage, f: SiteFurniture) -> str:
    return f"""<html>
<head>
{_old_meta(page)}
{_title(page, f)}
<script language="JavaScript">{_SCRIPT}</script>
</head>
<body bgcolor="#ffffff" text="#000000" topmargin="0">
<table width="780" border="0" cellpadding="0" cellspacing="0" align="center">
<tr><td colspan="3" bgcolor="#003366"><font color="#ffffff" size="5">{escape(f.site.name)}</font>
{f.search()}</td></tr>
<tr><td width="150" valign="top" class="{f.name("menu")}"><font size="1">{f.menu()}</font>
{f.login()}</td>
<td valign="top"><table width="100%" cellpadding="4"><tr><td>{f.breadcrumb()}</td></tr>
<tr><td>
{content(page, f)}
</td></tr>
<tr><td><font size="1">{f.label("print")} | {f.label("back")}</font>{f.related()}</td></tr></table></td>
<td width="160" valign="top" bgcolor="#eeeeee"><font size="1">{f.sidebar()}</font></td></tr>
<tr><td colspan="3" align="center"><font size="1">{f.footer()}</font></td></tr>
</table>
{f.hidden_text()}
</body>
</html>
"""


def _bare(page: SitePage, f: SiteFurniture) -> str:
    home = f'<p><a href="{f.href("/")}">{escape(f.site.name)}</a></p>'
    head = f"<head>{_old_meta(page)}\n{_title(page, f)}</head>"
    return f"<html>\n{head}\n<body>\n{content(page, f)}\n{home}\n</body>\n</html>\n"


def _careless(text: str) -> str:
    """Upper-case tags, unquoted attributes, end tags left out: all of it legal or tolerated HTML."""
    return _TAG.sub(_shout, _UNCLOSED.sub("", text))


def _shout(match: re.Match[str]) -> str:
    slash, name, rest = match.groups()
    attributes = _ATTRIBUTE.sub(r"=\1", rest).removesuffix(" /")
    return f"<{slash}{name.upper()}{attributes}>"
