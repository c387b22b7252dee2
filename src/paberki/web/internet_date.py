"""Dates as mail and HTTP write them (RFC 9110 §5.6.7)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_LONGEST_DATE: Final = 100


def internet_date(text: str) -> datetime | None:
    """Parse a date of mail or HTTP; None if it is invalid, such as the year 99999999999."""
    try:
        moment = parsedate_to_datetime(text[:_LONGEST_DATE])
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
