"""Hosts that a crawl leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.errors import ConfigError
from paberki.store.taken_down.stopped_hosts import StoppedHosts, stop_host, stopped_hosts


def test_a_host_is_stopped_and_goes_on(tmp_path: Path) -> None:
    assert "http://a.hr/x" not in StoppedHosts(tmp_path)
    assert stop_host(tmp_path, "A.hr:8080") == ["a.hr:8080"]
    assert stop_host(tmp_path, "b.hr") == ["a.hr:8080", "b.hr"]
    hosts = StoppedHosts(tmp_path)
    assert "http://a.hr:8080/x" in hosts
    assert "http://a.hr/x" not in hosts
    assert "https://b.hr:444/" in hosts
    assert "https://www.b.hr/" not in hosts
    assert stop_host(tmp_path, "b.hr", stopped=False) == ["a.hr:8080"] == stopped_hosts(tmp_path)


def test_a_running_crawl_sees_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paberki.store.taken_down.stopped_hosts._LOOK_EVERY", 0.0)
    hosts = StoppedHosts(tmp_path)
    assert "http://a.hr/" not in hosts
    stop_host(tmp_path, "a.hr")
    assert "http://a.hr/" in hosts


@pytest.mark.parametrize("name", ["", "a b", "http://a.hr/", "#a", "a\nb", "x" * 300])
def test_what_is_no_host_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError):
        stop_host(tmp_path, name)
