"""The one hash of JSON data that digests and the seals of saves are."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any


def hashed(data: Any) -> str:
    """BLAKE2b, 16 bytes in hexadecimal digits, of JSON with sorted keys and no blanks.

    Raises TypeError, ValueError or RecursionError for what JSON does not have.
    """
    text = json.dumps(
        data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
    return blake2b(text.encode(), digest_size=16).hexdigest()
