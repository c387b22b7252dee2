"""One small corpus for all tests of exports: they only read it."""

import json

import pytest

import paberki

PARAGRAPH = (
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje. Rekli su da se tu nalazi "
    "ono što traže već nekoliko godina. Ako je 5 &lt; 7 &amp; 3 &gt; 1, to je {number}. put u 12:30."
)


def html(number, title):
    paragraphs = "".join(f"<p>{PARAGRAPH.format(number=10 * number + place)}</p>" for place in range(3))
    return f"<html><title>{title}</title><body><div>{paragraphs}</div></body>"


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    root = tmp_path_factory.mktemp("exported")
    rows = [
        {"url": f"http://a{number % 3}.hr/?a=1&b={number}", "html": html(number, f"Članak {number}")}
        for number in range(12)
    ]
    rows[0] |= {"date": "2026-11-16T00:00:00Z", "html": html(99, '&lt;script>"x&#10;y&#1;" \u2028 &amp;')}
    rows.append({"url": "http://b.hr/kratko", "html": "<p>Kratko."})
    (root / "web.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    corpus = paberki.new(root / "c", lang="hr", name="Izvoz")
    with corpus.directory.recipe.open("a") as file:
        file.write('[[select.pages]]\nreason = "not-connected"\ndrop = ""\n')
    corpus.add([root / "web.jsonl"])
    corpus.build(jobs=1)
    return corpus
