"""Keys: what a piece of work depends on, as a short digest."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def digest(*parts: Any) -> str:
    """Digest of JSON-able values; equal values give equal digests on every machine."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
