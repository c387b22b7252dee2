"""What a crawl that brought nothing says."""

from __future__ import annotations

from collections import Counter

from paberki.crawl.stats import CrawlStats
from paberki.errors import FetchError


class NothingFetched(FetchError):
    """Raised when a crawl ended without a page because all its seeds failed."""

    exit_code = 1


def complain(stats: CrawlStats) -> None:
    """Raise NothingFetched if the crawl came to its end without ever having stored a page."""
    if stats.pages or stats.unchanged or not stats.finished:
        return
    # A run that found nothing to do failed for the same reasons as the ones before.
    causes = stats.failures - Counter(stats.failures_before) or stats.failures
    if not causes:
        return
    counts = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
    hint = "--allow-network CIDR allows a private network" if set(causes) == {"private address"} else "check the seeds"
    raise NothingFetched(f"no page could be fetched, all seeds failed: {counts}; {hint}")
