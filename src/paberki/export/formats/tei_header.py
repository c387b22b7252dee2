"""The header of a TEI file, and the CMDI record beside it (OLAC terms, as CLARIN's catalogues harvest them)."""

from __future__ import annotations

from collections.abc import Mapping

from paberki.export.export_format import Counts, ExportedFile, ExportHead
from paberki.export.words.markup_text import attribute, escape, one_line
from paberki.languages import english_name

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="{lang}">
<teiHeader xml:lang="en">
<fileDesc>
<titleStmt><title>{name}</title></titleStmt>
<extent>
{measures}</extent>
<publicationStmt><p>Exported with paberki. Texts are those of web pages; rights are with their authors.</p></publicationStmt>
<sourceDesc><p>Pages of the World Wide Web. The address of each page is the note "url" of its division.</p></sourceDesc>
</fileDesc>
<encodingDesc>
<projectDesc><p>Web corpus {name}: boilerplate and duplicates were left out; tokens, sentences and annotation are automatic unless they were imported.</p></projectDesc>
<listPrefixDef>
<prefixDef ident="mte" matchPattern="(.+)" replacementPattern="http://nl.ijs.si/ME/V6/msd/tables/msd-fslib-{tags}.xml#$1">
<p>MULTEXT-East morphosyntactic descriptions, or the tag set of the corpus.</p>
</prefixDef>
<prefixDef ident="ud-syn" matchPattern="(.+)" replacementPattern="https://universaldependencies.org/u/dep/$1">
<p>Relations of Universal Dependencies.</p>
</prefixDef>
</listPrefixDef>
</encodingDesc>
<profileDesc><langUsage>{languages}</langUsage></profileDesc>
</teiHeader>
<text xml:lang="{lang}">
<body>
"""


def tei_head(about: ExportHead, counts: Counts) -> bytes:
    """Everything before the first page."""
    lang = about.lang[0] if about.lang else "und"
    measures = "".join(
        f'<measure unit="{unit}" quantity="{counts[unit]}">{counts[unit]:,} {unit}</measure>\n'
        for unit in _units(counts)
    )
    codes = about.lang or ("und",)
    languages = "".join(f'<language ident="{code}">{escape(_language(code))}</language>' for code in codes)
    name = escape(one_line(about.name))
    return _HEAD.format(lang=lang, name=name, measures=measures, tags=lang, languages=languages).encode(
        "utf-8", "replace"
    )


def _units(counts: Counts) -> list[str]:
    return [unit for unit in ("pages", "sentences", "tokens") if counts[unit] or unit == "pages"]


def _language(code: str) -> str:
    return "undetermined" if code == "und" else english_name(code)


def tei_foot(about: ExportHead, counts: Counts) -> bytes:
    """Everything after the last page; a body cannot be empty."""
    del about
    return ("" if counts["pages"] else "<p/>\n").encode() + b"</body>\n</text>\n</TEI>\n"


_CMDI = """<?xml version="1.0" encoding="UTF-8"?>
<cmd:CMD xmlns:cmd="http://www.clarin.eu/cmd/1" xmlns:cmdp="http://www.clarin.eu/cmd/1/profiles/clarin.eu:cr1:p_1288172614026" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.clarin.eu/cmd/1 https://infra.clarin.eu/CMDI/1.x/xsd/cmd-envelop.xsd http://www.clarin.eu/cmd/1/profiles/clarin.eu:cr1:p_1288172614026 https://catalog.clarin.eu/ds/ComponentRegistry/rest/registry/1.x/profiles/clarin.eu:cr1:p_1288172614026/xsd" CMDVersion="1.2">
<cmd:Header>
<cmd:MdProfile>clarin.eu:cr1:p_1288172614026</cmd:MdProfile>
</cmd:Header>
<cmd:Resources>
<cmd:ResourceProxyList>
<cmd:ResourceProxy id="corpus">
<cmd:ResourceType mimetype="application/tei+xml">Resource</cmd:ResourceType>
<cmd:ResourceRef>{file}</cmd:ResourceRef>
</cmd:ResourceProxy>
</cmd:ResourceProxyList>
<cmd:JournalFileProxyList/>
<cmd:ResourceRelationList/>
</cmd:Resources>
<cmd:Components>
<cmdp:OLAC-DcmiTerms>
<cmdp:description>Web corpus: {sizes}.</cmdp:description>
<cmdp:extent>{sizes}</cmdp:extent>
<cmdp:format>application/tei+xml</cmdp:format>
{languages}<cmdp:title>{name}</cmdp:title>
<cmdp:type>Text</cmdp:type>
</cmdp:OLAC-DcmiTerms>
</cmd:Components>
</cmd:CMD>
"""


def beside(about: ExportHead, part: ExportedFile) -> Mapping[str, bytes]:
    """The CMDI record."""
    sizes = ", ".join(f"{part.counts[unit]:,} {unit}" for unit in _units(part.counts))
    languages = "".join(f"<cmdp:language>{code}</cmdp:language>\n" for code in about.lang)
    record = _CMDI.format(
        file=attribute(part.name), name=escape(one_line(about.name)), sizes=sizes, languages=languages
    )
    return {".cmdi.xml": record.encode("utf-8", "replace")}
