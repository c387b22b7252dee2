"""One built corpus for all tests of reports: they only read it."""

import pytest
from report_pages import write_sources

import paberki


@pytest.fixture(scope="session")
def reported(tmp_path_factory):
    root = tmp_path_factory.mktemp("reported")
    corpus = paberki.new(root / "mreža", lang="hr", name="Mreža <b>&amp;")
    corpus.add(write_sources(root / "sources"))
    corpus.build(jobs=2, max_errors=1.0)
    return corpus


@pytest.fixture(scope="session")
def parts(reported):
    """Directory, plan and recipe."""
    return reported.directory, reported.plan(), reported.recipe
