"""What a server allows: who may ask, how much, for how long."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names under which a browser on this machine reaches a server on this machine."""


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """Settings of one server process."""

    edit: bool = False
    """Requests may write into corpora: rules, saved queries, codings."""
    read_token: str | None = None
    """Every request needs it as ``Authorization: Bearer …``."""
    hosts: frozenset[str] = LOCAL_HOSTS
    """Names that the Host header may have. Others are names that somebody else has pointed here (DNS rebinding)."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """Of this process: pages carry it, POST and DELETE must repeat it, pages of other sites cannot read it."""
    search_seconds: float = 30.0
    """A search that takes longer stops; the answer says how far it came."""
    search_memory_bytes: int = 256 << 20
    """For intermediate results of one search."""
    table_hits: int = 10_000_000
    """Hits that are kept to be sorted, sampled or counted in lists; more are counted and not kept."""
    jobs_memory_bytes: int = 256 << 20
    """For the hits of searches that are remembered."""
    jobs: int = 256
    """Searches that are remembered, so that a second page or a second tab need not search again."""
    running_jobs: int = 8
    """Searches that are counting at one time; others wait."""
    waiting_jobs: int = 256
    """Searches that are counting or waiting; one more is refused (429)."""
    workers: int = 32
    """Requests for first pages and the like that are worked on at one time."""
    slow_workers: int = 8
    """Requests for lists that are worked on at one time."""
    requests: int = 512
    """Requests that are worked on or wait; one more is refused (429)."""
    body_bytes: int = 1 << 20
    """A larger body is refused (413)."""
    address_bytes: int = 60 << 10
    """A longer path with its query is refused (414)."""
    requests_per_second: float = 2000.0
    """Of one client; more are refused (429)."""
    body_seconds: float = 10.0
    """A client that takes longer to send a body is not waited for."""
    streams: int = 1000
    """Event streams that are open at one time."""
    stop_seconds: float = 8.0
    """After SIGTERM, running answers have so long to end."""
