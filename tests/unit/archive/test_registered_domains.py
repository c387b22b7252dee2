"""Registered domains: the same answers as the package whose list we read."""

from __future__ import annotations

import subprocess
import sys

import pytest
import tldextract

from paberki.web.registered_domains import host_of, registered_domain

PEER = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


@pytest.mark.parametrize(
    "host",
    ["www.example.co.uk", "a.b.example.hr", "example.hr", "x.com.hr", "www.ck", "a.b.c.ck", "city.kawasaki.jp",
     "a.b.kawasaki.jp", "blog.blogspot.com", "www.gov.si", "xn--j1ay.xn--p1ai", "a.example.xn--90a3ac"],
)  # fmt: skip
def test_agrees_with_tldextract(host: str) -> None:
    expected = PEER.extract_str(host).top_domain_under_public_suffix
    assert registered_domain(host) == (expected or host)


def test_hosts_without_a_registered_domain_stay() -> None:
    for host in ("", "localhost", "127.64.1.2", "::1", "hr", "co.uk"):
        assert registered_domain(host) == host
    assert registered_domain("news.hr.test") == "hr.test"


def test_hosts_of_urls() -> None:
    assert host_of("https://WWW.Example.HR:8080/a") == "www.example.hr"
    assert host_of("file:///a/b") == ""
    assert host_of("http://[bad/") == ""


def test_the_package_is_not_imported() -> None:
    code = "import sys; from paberki.web.registered_domains import registered_domain as r; r('a.b.hr'); print('tldextract' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
