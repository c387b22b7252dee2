"""An explanation in plain words, for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from paberki.amounts import number, several
from paberki.report.one_page.facts import SOURCES, beginning
from paberki.store.directory import TAKEN_DOWN
from paberki.store.selection.select import DUPLICATE, ERROR_REASON, NEAR_DUPLICATE

PATH = 40
SHOWN = 5
"""Values of a list."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""A page must not be able to move the cursor, colour the screen or turn the direction of writing."""
Facts = dict[str, Any]


def explanation_lines(facts: Facts) -> list[str]:
    """All sections, the verdict first, a blank line between them."""
    sections = [
        ("Verdict", verdict_lines(facts["verdict"], facts["duplicates"])),
        ("Page", _page(facts["page"])),
        ("Encoding", _encoding(facts["encoding"])),
        ("Extraction", _extraction(facts["extraction"])),
        ("Language", _language(facts["language"])),
        ("Scores", _scores(facts["scores"])),
        ("Annotation", _annotation(facts["annotation"])),
        ("Duplicates", _duplicates(facts["duplicates"])),
    ]
    lines: list[str] = []
    for title, inside in sections:
        lines += [title, *(f"  {clean(line)}" for line in inside), ""]
    return lines[:-1]


def clean(line: str) -> str:
    """The line with control characters made visible."""
    return _CONTROL.sub(" ", line)


def _page(page: Facts) -> Iterator[str]:
    yield f"{page['id']}  {page['url'] or '(no address)'}"
    if page.get("title"):
        yield f"title: {page['title']}"
    yield f"key {page['key']}"
    when = page["date"] or "at an unknown time"
    last_seen = page.get("last_seen")
    yield f"captured {when}{f', last seen unchanged {last_seen}' if last_seen and last_seen != page['date'] else ''}"
    status = f"HTTP status {page['status']}" if page["status"] is not None else f"a {page['record_type']} record"
    cut = ", cut short" if page["truncated"] else ""
    yield f"{status}, {page['mime'] or 'no media type'}, {several(page['payload_bytes'] or 0, 'byte')}{cut}"
    yield f"warc/{page['warc_file']}, {several(page['warc_length'], 'byte')} at offset {page['warc_offset']}"
    if page["sha224"]:
        yield f"sha224 {page['sha224']}"
    if page.get("capture"):
        later = "the latest" if page["latest"] else "a later one exists"
        yield f"capture number {page['capture']} of this address, {later}"
    for other in page["other_captures"]:
        yield f"other capture: {other['id']} of {other['date'] or 'an unknown time'}"


def _encoding(encoding: Facts) -> Iterator[str]:
    if not encoding["encoding"]:
        yield "not decoded: the page is not text, or a stage failed before"
        return
    yield f"read as {encoding['encoding']}"
    for item in encoding["evidence"]:
        prefix = f"{item['encoding']}, " if item["encoding"] else ""
        yield f"- {SOURCES.get(item['source'], item['source'])}: {prefix}{item['detail']}"
    count = encoding["replaced_count"]
    yield f"{number(count)} byte sequences could not be decoded" if count else "every byte could be decoded"


def _extraction(facts: Facts) -> Iterator[str]:
    yield f"by {facts['method'] or 'no stage'}: {several(facts['block_count'], 'block')}, {facts['kept_block_count']} kept"
    if facts["fallback"]:
        yield f"a second look, since the first gave next to no text: {facts['fallback']}"
    if facts["selected_char_count"] is not None:
        words = number(facts["selected_word_count"] or 0)
        yield f"{number(facts['selected_char_count'])} characters and {words} words in the kept blocks"
    for block in facts["blocks"]:
        yield _block(block)
        if block["text"] is not None:
            yield f"       {block['text']}"


def _block(block: Facts) -> str:
    verdict = "kept   " if block["kept"] else "dropped"
    score = f" {block['score']:.2f}" if block["score"] is not None else ""
    why = ", ".join(dict.fromkeys(one for one in (block["reason"], block["extraction_reason"]) if one))
    lang = f" {block['lang']}" if block["lang"] else ""
    place = f"bytes {block['start']}–{block['end']}"
    return (
        f"{block['number']:>4} {verdict} {block['label'] or '-'}{score}{lang}  {place}  {_path(block['path'])}  {why}"
    )


def _path(path: str | None) -> str:
    """The end of a path says most."""
    path = path or "-"
    return path if len(path) <= PATH else f"…{path[-PATH + 1 :]}"


def _language(facts: Facts) -> Iterator[str]:
    if facts["lang"] is None:
        yield "no language was identified"
    else:
        sure = f" with probability {facts['lang_p']:.2f}" if facts["lang_p"] is not None else ""
        yield f"{facts['lang']}{sure}"
    others = [f"{name} {share:.2f}" for name, share in facts["lang_probs"].items() if name != facts["lang"]]
    if others:
        yield f"or {', '.join(others)}"
    if facts["site_lang"] and facts["site_lang"] != facts["lang"]:
        yield f"its site as a whole is in {facts['site_lang']}"
    if len(facts["lang_shares"]) > 1:
        parts = ", ".join(f"{100 * share:.0f} % {name}" for name, share in facts["lang_shares"].items())
        yield f"of the kept characters {parts}"
    if facts["script"]:
        yield f"script {facts['script']}, {facts['cyrillic_perc'] or 0:.4g} % of the letters are Cyrillic"
    if facts["declared_language"]:
        yield f"the page declares {facts['declared_language']}"
    if facts["block_langs"]:
        yield "blocks: " + ", ".join(f"{count} {lang}" for lang, count in facts["block_langs"].items())


def _scores(scores: Facts) -> Iterator[str]:
    if scores["badness"] is None:
        yield "no badness: too little text, or no profile of its language"
    else:
        yield _badness(scores)
    for name, one in scores.get("more", {}).items():
        value = one["value"]
        if value not in ([], 0, False):
            text = listing(value) if isinstance(value, list) else value
            yield f"{name} {text}: {one['meaning']}"
    if (scores.get("more", {}).get("robots_allowed") or {}).get("value") is False:
        yield "the robots.txt of its host forbids it"


def listing(values: Sequence[Any]) -> str:
    """The first values; a page may link to a thousand others."""
    more = f" and {number(len(values) - SHOWN)} more" if len(values) > SHOWN else ""
    return ", ".join(map(str, values[:SHOWN])) + more


def _badness(scores: Facts) -> str:
    against = f", the limit is {scores['limit']:g}" if scores["limit"] is not None else ""
    return f"badness {scores['badness']:.2f}{against}: {'' if scores['connected'] else 'not '}connected text"


def _annotation(facts: Facts) -> Iterator[str]:
    if facts["annotated"] is None:
        yield "not annotated: no stage for it, no model of its language, too little text, or a copy of another page"
        return
    tokens = facts["token_count"]
    share = f", {100 * facts['oov_count'] / tokens:.1f} % of the tokens are in no lexicon" if tokens else ""
    yield f"by the model for {facts['annotated']}: {several(facts['sentence_count'], 'sentence')}, {several(tokens, 'token')}{share}"


def _duplicates(facts: Facts) -> Iterator[str]:
    yield from _near(facts)
    if not facts["looked_for"]:
        yield "not looked for: the recipe has no stage for it"
        return
    if not facts["group"]:
        yield "no copies in this corpus" if facts.get("elsewhere") else "no copies"
        return
    for column, key in facts["group"].items():
        yield f"in the group {key} ({column})"
    for copy in facts["copies"]:
        fate = "stays" if copy["keep"] else copy["reason"] or "not selected yet"
        yield f"- {copy['id']}  {copy['key']}  {copy['url']}  ({fate})"
    if facts["copy_count"] > len(facts["copies"]):
        yield f"- and {facts['copy_count'] - len(facts['copies'])} more"


def _near(facts: Facts) -> Iterator[str]:
    """What the stages that look for near-duplicates say."""
    if facts.get("similarity"):
        yield f"{facts['similarity']:.0%} of its runs of five words are those of the page most like it"
    if facts.get("share"):
        yield f"{facts['share']:.0%} of its words stand on earlier pages, in runs of words"
    if facts.get("elsewhere"):
        yield f"the corpus {facts['corpus']} has it, under the key {facts['elsewhere']}"
    for what, blocks in (("a near-duplicate of", facts.get("neardupe")), ("the same as", facts.get("repeated"))):
        for block, of in (blocks or {}).items():
            yield f"block {block} is {what} {f'block {of}' if of else 'others'} (page:block)"
    for one in facts.get("passages") or ():
        yield f"block {one['block']}: {one['words']} words from character {one['start']} on stand on page {one['of']} too"
    for one in facts.get("contaminated") or ():
        yield f"block {one['block']}: {one['words']} words stand in a test set ({one['of']}): {beginning(one['text'])}"


def verdict_lines(verdict: Facts, duplicates: Facts) -> Iterator[str]:
    """Kept or not, and why."""
    reason = verdict["reason"]
    if reason == TAKEN_DOWN:
        yield "not kept: taken down on request; its text is not shown"
    elif verdict["error"]:
        error = verdict["error"]
        yield f"not kept, {ERROR_REASON}: the stage {error['stage']} failed ({error['code']}): {error['detail']}"
        yield "try it again with: paberki build --retry-errors"
    elif verdict["kept"] is None:
        yield f"not decided yet: {', '.join(verdict['missing_layers'])} not built; run: paberki build"
    elif verdict["kept"]:
        yield f"kept: none of the {verdict['rule_count']} rules holds"
    elif reason in (DUPLICATE, NEAR_DUPLICATE) and duplicates["stays"]:
        yield f"not kept, {reason}: the copy with the key {duplicates['stays']} stays"
    elif verdict["condition"] is None:
        yield f"not kept, {reason}: a rule that is not in the recipe any more; run: paberki build"
    else:
        values = ", ".join(f"{name} = {_value(value)}" for name, value in verdict["values"].items())
        yield f"not kept, {reason}: {verdict['condition']}, and {values}"
        if not verdict["holds"]:
            yield "this does not hold any more: the recipe has changed since; run: paberki build"


def _value(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"({', '.join(str(one) for one in value)})"
    return str(value).lower() if isinstance(value, bool) else str(value)
