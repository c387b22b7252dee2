"""What servers and advertisers write into URLs for their own use: session ids and tracking parameters.

They make endless spellings of one page. A name that means nothing else goes with any value; one that may mean
something (``sid``, ``s``) goes only when its value looks like a session id.
"""

from __future__ import annotations

import re

_TRACKING = r"""
    utm_[a-z0-9_\-]* | (?:pk|mtm|piwik|matomo)_[a-z]+ | hsa_[a-z]+ | itm_[a-z]+ | stm_[a-z]+
    | fbclid | fb_action_ids | fb_action_types | fb_source | gclid | gclsrc | dclid | gbraid | wbraid | gad_source
    | gad_campaignid | msclkid | yclid | ysclid | twclid | ttclid | li_fat_id | igshid | igsh | srsltid | epik
    | mc_cid | mc_eid | mkt_tok | _hsenc | _hsmi | __hstc | __hssc | __hsfp | hsctatracking | vero_id | vero_conv
    | oly_enc_id | oly_anon_id | rb_clickid | s_kwcid | ef_id | wickedid | wt_mc | wt\.mc_id | _openstat | _ga | _gl
    | at_medium | at_campaign | at_custom[0-9] | __twitter_impression | xtor | guccounter | guce_referrer
    | guce_referrer_sig
"""
_SESSION = r"""
    phpsessid | phpsessionid | jsessionid | aspsessionid[a-z]* | asp\.net_sessionid | cfid | cftoken | sessionid
    | session_id | sessid | oscsid | zenid | xtcsid | osadminid | viewstate_session
"""
# The value: what a random number generator writes, at least 64 bits in hexadecimal, not an object id of 24 digits.
_RANDOM = r"(?=[a-z]*+[0-9])(?=[0-9]*+[a-z])(?![0-9a-f]{24}\Z)(?:[0-9a-f]{16,}|[0-9a-z]{26,})"
_DROPPED = re.compile(rf"(?:{_TRACKING}|{_SESSION})(?:=.*)?\Z|(?:sid|sess|session|s)={_RANDOM}\Z", re.I | re.X | re.S)
_HINTS = re.compile(
    r"[?&;](?:utm_|pk_|mtm_|piwik_|matomo_|hsa_|itm_|stm_|fb|gcl|dcl|gbr|wbr|gad_|msc|ycl|yscl|twc|ttc|li_fat|igsh|srsl|epik"
    r"|mc_|mkt|_|vero|oly|rb_|s_k|ef_|wick|wt|at_|xtor|guc|phps|jses|asp|cf|sess|sid|s=|oscs|zeni|xtcs|osad|views)",
    re.I,
)
_JSESSION = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)(?:=|%3D)[^/?;]*", re.I)
_ASP = re.compile(r"/\((?:[A-Z]\([0-9A-Za-z_\-]{8,}\)){1,4}\)(?=/)")


def without_bookkeeping(url: str) -> str:
    """The normalised URL without session ids and tracking parameters; all else keeps its place."""
    path, mark, query = url.partition("?")
    if ";" in path:
        path = _JSESSION.sub("", path)
    if "/(" in path:
        path = _ASP.sub("", path)
    if not mark:
        return path
    if _HINTS.search(url, len(url) - len(query) - 1):
        query = _without_dropped(query)
    elif ";" in query:
        query = _JSESSION.sub("", query)
    return f"{path}?{query}" if query else path


def _without_dropped(query: str) -> str:
    query = _JSESSION.sub("", query) if ";" in query else query
    separator = "&" if "&" in query or ";" not in query else ";"
    return separator.join(part for part in query.split(separator) if not _DROPPED.match(part))
