"""Lists that are counted from a whole corpus or a part: words, n-grams, keywords, sketches, values."""

from __future__ import annotations

import re

from starlette.responses import Response

from paberki.query.concordancer import Concordancer
from paberki.serve.api.address import PART, ROWS, Address
from paberki.serve.api.envelopes import envelope, list_envelope
from paberki.serve.api.results import AnswerRows, ValueList
from paberki.serve.json_answers import CountState, Refusal, json_answer
from paberki.serve.parameters import read
from paberki.serve.question import Question
from paberki.serve.service import ServiceCall

__all__ = ["ADDRESSES"]


def _part(call: ServiceCall) -> Concordancer:
    return Question(**read(call.parameters, PART)).part(call.edition)


def _attribute(call: ServiceCall, default: str = "lemma") -> str:
    values = read(call.parameters, ("by", "attr"))
    attributes = call.edition.index.attributes
    return values["by"] or values["attr"] or (default if default in attributes else call.edition.index.default)


def _limit(call: ServiceCall) -> int:
    page = read(call.parameters, ("from", "per_page"))
    return int(page["from"] + page["per_page"] + 1)


def words(call: ServiceCall) -> Response:
    """How often each value of an attribute occurs."""
    part, options = _part(call), read(call.parameters, ("prefix", "min"))
    regex = {"regex": re.escape(options["prefix"]) + ".*"} if options["prefix"] else {}
    table = part.wordlist(_attribute(call, call.edition.index.default), limit=_limit(call), min=options["min"], **regex)
    return json_answer(list_envelope(call, table, scope_name=part._scope().name))


def ngrams(call: ServiceCall) -> Response:
    """The most frequent runs of tokens."""
    part, options = _part(call), read(call.parameters, ("n", "min"))
    attribute = _attribute(call, call.edition.index.default)
    table = part.ngrams(attribute, options["n"], limit=_limit(call), min=options["min"])
    return json_answer(list_envelope(call, table, scope_name=part._scope().name))


def keywords(call: ServiceCall) -> Response:
    """What is typical of the pages for which a condition holds, against the rest."""
    options = read(call.parameters, ("where", "set", "cut", "measure", "min"))
    if not options["where"]:
        raise Refusal(400, "keywords: say of which pages: where=host = 'a.hr'; they are compared with the rest")
    part = _part(call)
    rest = Question(set=options["set"], cut=options["cut"]).part(call.edition).without(options["where"])
    measure = options["measure"] or "simplemaths"
    table = part.keywords(rest, _attribute(call), measure=measure, limit=_limit(call), min=options["min"])
    return json_answer(list_envelope(call, table, scope_name=part._scope().name))


def sketch(call: ServiceCall) -> Response:
    """With which words a lemma stands in which relations."""
    lemma, part = _lemma(call), _part(call)
    least = read(call.parameters, ("min",))["min"]
    table = part.sketch(lemma, min=least)
    return json_answer(list_envelope(call, table, scope_name=part._scope().name))


def similar(call: ServiceCall) -> Response:
    """Lemmas that stand in the same relations with the same words."""
    lemma, part = _lemma(call), _part(call)
    table = part.similar(lemma, limit=_limit(call), min=read(call.parameters, ("min",))["min"])
    return json_answer(list_envelope(call, table, scope_name=part._scope().name))


def _lemma(call: ServiceCall) -> str:
    lemma = str(read(call.parameters, ("lemma",))["lemma"]).strip()
    if not lemma:
        raise Refusal(400, "lemma: name one, for example lemma=grad")
    return lemma


def values(call: ServiceCall) -> Response:
    """Values of an attribute that begin with some letters, the most frequent first; ``doc.host`` counts pages."""
    from paberki.query.statistics.completion import values_beginning

    part, options = _part(call), read(call.parameters, ("prefix", "from", "per_page"))
    limit = _limit(call)
    pairs = values_beginning(part._scope(), _attribute(call, call.edition.index.default), options["prefix"], limit)
    shown_pairs = pairs[options["from"] : options["from"] + options["per_page"]]
    rows = [{"value": value, "hits": number} for value, number in shown_pairs]
    count = CountState(len(pairs), "done", 1.0)
    return json_answer(envelope(call, rows, count, scope_name=part._scope().name, more=len(pairs) == limit))


def attributes(call: ServiceCall) -> Response:
    """What tokens, pages and other structures have."""
    index = call.edition.index
    aliases = {name: [alias for alias, real in index.aliases.items() if real == name] for name in index.attributes}
    rows = [
        {
            "name": name,
            "level": "token",
            "aliases": aliases[name],
            "set": name in index.multi,
            "default": name == index.default,
        }
        for name in index.attributes
    ]
    for structure, names in index.structures.items():
        rows += [
            {"name": f"{structure}.{name}", "level": structure, "aliases": [], "set": False, "default": False}
            for name in names
        ]
    return json_answer(envelope(call, rows, CountState(len(rows), "done", 1.0)))


_LIST = (*PART, *ROWS, "by", "attr", "min")
ADDRESSES = (
    Address("/words", words, "how often values occur", (*_LIST, "prefix"), (), AnswerRows, slow=True),
    Address("/ngrams", ngrams, "frequent runs of tokens", (*_LIST, "n"), (), AnswerRows, slow=True),
    Address("/keywords", keywords, "what is typical of some pages", (*_LIST, "measure"), ("where",), AnswerRows, slow=True),
    Address("/sketch", sketch, "relations of a lemma", (*PART, *ROWS, "min", "lemma"), ("lemma",), AnswerRows, slow=True),
    Address("/similar", similar, "lemmas that behave alike", (*PART, *ROWS, "min", "lemma"), ("lemma",), AnswerRows, slow=True),
    Address("/values", values, "completion", (*PART, *ROWS, "by", "attr", "prefix"), (), ValueList),
    Address("/attributes", attributes, "what tokens and pages have", (), (), AnswerRows),
)  # fmt: skip
