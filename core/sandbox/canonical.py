"""One spelling for equal values, so that equal drafts and equal snapshots have equal hashes."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Any


def plain(value: object) -> Any:  # noqa: ANN401, PLR0911 - JSON values, one case for each kind
    """Return a value as JSON values: NFC, plain ends of lines, moments in UTC, sets in order."""
    match value:
        case str():
            text = value.value if isinstance(value, Enum) else value
            return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case re.Pattern():
            return plain(value.pattern)
        case bytes():
            return hashlib.sha256(value).hexdigest()
        case Mapping():
            return {str(plain(key)): plain(one) for key, one in value.items()}
        case Set():
            return sorted((plain(one) for one in value), key=repr)
        case list() | tuple():
            return [plain(one) for one in value]
        case _ if is_dataclass(value):
            return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value


def digest(value: object) -> str:
    """Return the SHA-256 of a value in its one spelling, as 64 hexadecimal digits."""
    text = json.dumps(plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
