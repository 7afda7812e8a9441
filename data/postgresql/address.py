"""The address of a PostgreSQL server, and how it is shown: never with its password."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self
from urllib.parse import unquote

from core.errors import StorageError

_EXAMPLE = "postgresql://user:password@host:5432/database"

# The library takes more: words instead of an address, and a password with bare signs, of which it makes a host.
_FORM = re.compile(r"postgres(?:ql)?://(?:[^/@]*@)?+[^/@?]*(?:/[^@?]*)?(?:\?.*)?")
_PORTS = re.compile(r"[\d,]*")

# A server that is gone without a word (a cut line, a lost machine) is noticed after seconds, not after hours.
_LINK: Mapping[str, Any] = {
    "application_name": "yorisoi",
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
_UNHEARD = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Address:
    """An address that can be read; `name` shows it without its password."""

    url: str
    name: str
    password: str | None

    @classmethod
    def read(cls, url: str) -> Self:
        """Read an address as it stands in the settings.

        Raises:
            StorageError: It can't be read, or what is needed for PostgreSQL isn't installed.
        """
        try:
            from psycopg import ProgrammingError  # noqa: PLC0415 - needed where PostgreSQL is used only
            from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415
        except ImportError as error:
            raise StorageError(
                "PostgreSQL needs what isn't installed: `pip install 'yorisoi[postgres]'` (psycopg with its pool)"
            ) from error
        try:
            parts = conninfo_to_dict(url) if _FORM.fullmatch(url) else None
        except ProgrammingError:
            parts = None
        if parts is None or not _PORTS.fullmatch(_text(parts.get("port")) or ""):
            # Neither the address nor what the library says of it is told: any piece may be one of the password.
            raise StorageError(
                f"the address of the database can't be read: it is written {_EXAMPLE}, special characters of the "
                "password as in %40 for @"
            )
        return cls(url=url, name=_shown(parts), password=_text(parts.get("password")))

    def link(self, *, unheard: timedelta = _UNHEARD) -> dict[str, Any]:
        """Return how a connection notices that the server is gone, as far as the address leaves that open.

        `unheard`: after how long it is, where the server's machine doesn't confirm what was sent.
        """
        wanted = {**_LINK, "tcp_user_timeout": unheard // timedelta(milliseconds=1)}
        return {name: value for name, value in wanted.items() if f"{name}=" not in self.url}

    def without_secrets(self, text: str) -> str:
        """Return a text in which the password doesn't stand."""
        for secret in {self.password, unquote(self.password or "")} - {None, ""}:
            text = text.replace(str(secret), "***")
        return text


def _shown(parts: Mapping[str, object]) -> str:
    user, host, port = (_text(parts.get(name)) for name in ("user", "host", "port"))
    where = f"{user + '@' if user else ''}{host or 'localhost'}{':' + port if port else ''}"
    return f"postgresql://{where}/{_text(parts.get('dbname')) or user or ''}"


def _text(value: object) -> str | None:
    return None if value is None else str(value)
