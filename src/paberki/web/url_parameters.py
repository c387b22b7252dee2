"""Removes session ids and tracking parameters from URLs.

They create endless URLs for one page. Parameters with unambiguous names are removed whatever their value; those with
ambiguous names (``sid``, ``s``) only when the value looks like a session id.
"""

from __future__ import annotations

import re

_PREFIXES = ("utm_", "pk_", "mtm_", "piwik_", "matomo_", "hsa_", "itm_", "stm_", "at_custom", "aspsessionid")
_NAMES = frozenset(
    [
        "fbclid",
        "fb_action_ids",
        "fb_action_types",
        "fb_source",
        "gclid",
        "gclsrc",
        "dclid",
        "gbraid",
        "wbraid",
        "gad_source",
        "gad_campaignid",
        "msclkid",
        "yclid",
        "ysclid",
        "twclid",
        "ttclid",
        "li_fat_id",
        "igshid",
        "igsh",
        "srsltid",
        "epik",
        "mc_cid",
        "mc_eid",
        "mkt_tok",
        "_hsenc",
        "_hsmi",
        "__hstc",
        "__hssc",
        "__hsfp",
        "hsctatracking",
        "vero_id",
        "vero_conv",
        "oly_enc_id",
        "oly_anon_id",
        "rb_clickid",
        "s_kwcid",
        "ef_id",
        "wickedid",
        "wt_mc",
        "wt.mc_id",
        "_openstat",
        "_ga",
        "_gl",
        "at_medium",
        "at_campaign",
        "__twitter_impression",
        "xtor",
        "guccounter",
        "guce_referrer",
        "guce_referrer_sig",
        "phpsessid",
        "phpsessionid",
        "jsessionid",
        "asp.net_sessionid",
        "cfid",
        "cftoken",
        "sessionid",
        "session_id",
        "sessid",
        "oscsid",
        "zenid",
        "xtcsid",
        "osadminid",
    ]
)
# Output of a random generator: letters and digits mixed, but not an object id of 24 hexadecimal digits.
_MIXED_CHARACTERS = r"(?=[a-z]*+[0-9])(?=[0-9]*+[a-z])(?![0-9a-f]{24}\Z)"
_SESSION_LIKE = re.compile(rf"{_MIXED_CHARACTERS}(?:[0-9a-f]{{8,}}|[0-9a-z]{{20,}})\Z", re.I)
_SURELY_RANDOM = re.compile(rf"{_MIXED_CHARACTERS}(?:[0-9a-f]{{32,}}|[0-9a-z]{{26,}})\Z", re.I)
_PERHAPS = {**dict.fromkeys(("sid", "ssid", "sess", "session"), _SESSION_LIKE), "s": _SURELY_RANDOM}
"""Ambiguous parameters, and the values that mark them as session ids."""
_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)(?:=|%3D)[^/?;]*", re.I)
_ASP = re.compile(r"/\((?:[A-Z]\([0-9A-Za-z_\-]{8,}\)){1,4}\)(?=/)")


def without_bookkeeping(url: str) -> str:
    """The normalised URL without session ids and tracking parameters; everything else stays in order."""
    path, mark, query = url.partition("?")
    if ";" in path:
        path = _IN_PATH.sub("", path)
    if "/(" in path:
        path = _ASP.sub("", path)
    query = _remaining_query(query) if mark else ""
    return f"{path}?{query}" if query else path


def _remaining_query(query: str) -> str:
    if ";" in query:
        query = _IN_PATH.sub("", query)
    separator = "&" if "&" in query or ";" not in query else ";"
    parts = query.split(separator)
    kept_parts = [part for part in parts if not _is_bookkeeping(part)]
    return query if len(kept_parts) == len(parts) else separator.join(kept_parts)


def _is_bookkeeping(part: str) -> bool:
    name, _, value = part.partition("=")
    name = name.lower()
    if name in _NAMES or name.startswith(_PREFIXES):
        return True
    return name in _PERHAPS and _PERHAPS[name].match(value) is not None
