"""Turns what PostgreSQL says into a `StorageError` an operator can act on.

What the server itself says is not passed on: it may quote what was to be stored.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import psycopg_pool

from core.errors import StorageError
from data.postgresql.address import Address

# By SQLSTATE, or its first two characters (https://www.postgresql.org/docs/current/errcodes-appendix.html).
_EXPLANATIONS = {
    "28": "the server refuses the user or the password: correct YORISOI_DATABASE_URL, or the address you gave",
    "3D": (
        "the server has no such database: make it (`createdb`), or correct YORISOI_DATABASE_URL, or the address you "
        "gave"
    ),
    "3F": "there is no schema to make tables in: correct the user's search_path",
    "42501": "the user may not do that: make them the owner of the database, or grant CREATE on its schema",
    "42P01": "a table is missing: the database was changed by hand; restore a backup",
    "53100": "the server's disk is full: free some space; nothing that was stored before is lost",
    "53300": "the server has no connection to spare: raise its max_connections, or stop what else uses it",
    "55P03": "another process keeps what is needed locked: stop the other program that uses the database",
    "40": "two changes stood in each other's way, and this one was undone",
    "57014": "a statement was cancelled by the server: see its statement_timeout",
    "57P04": "the database was dropped: correct YORISOI_DATABASE_URL, or the address you gave",
    "57": "the server is being shut down or started: it is tried again with the next use",
    "58": "the server can't read or write its files: see its log",
    "XX": "the server found its data damaged: see its log, and restore a backup",
    "08": "the connection to the server was lost: it is tried again with the next use",
    "25006": "the server only lets read: use its primary, not a standby",
}

# Only of these is it certain that they speak of the statement alone and not of what was to be stored.
_ABOUT_SQL = "42"

# libpq gives no SQLSTATE where a connection could not be made; its texts are matched as far as they are known.
_AT_CONNECTING = (
    ("password authentication failed", _EXPLANATIONS["28"]),
    ("no password supplied", "the server asks for a password: put it into the address, or into ~/.pgpass"),
    ("no pg_hba.conf entry", "the server lets nobody in from here: see its pg_hba.conf"),
    ("peer authentication failed", _EXPLANATIONS["28"]),
    (
        '" does not exist',
        "the server has no such database or user: make it, or correct YORISOI_DATABASE_URL, or the address you gave",
    ),
    ("too many clients", _EXPLANATIONS["53300"]),
    ("too many connections", _EXPLANATIONS["53300"]),
    ("remaining connection slots", _EXPLANATIONS["53300"]),
    ("starting up", _EXPLANATIONS["57"]),
    ("shutting down", _EXPLANATIONS["57"]),
    ("permission denied", _EXPLANATIONS["42501"]),
    ("refused", "no server answers there: start it, or correct YORISOI_DATABASE_URL, or the address you gave"),
    ("no such file", "no server answers there: start it, or correct YORISOI_DATABASE_URL, or the address you gave"),
    ("could not translate host name", "there is no such host: correct YORISOI_DATABASE_URL, or the address you gave"),
    ("name or service not known", "there is no such host: correct YORISOI_DATABASE_URL, or the address you gave"),
    ("failed to resolve host", "there is no such host: correct YORISOI_DATABASE_URL, or the address you gave"),
    ("timeout", "the server does not answer in time: see that it runs and can be reached from here"),
    ("ssl", "the encrypted connection could not be made: see sslmode in the address"),
)


def explain(error: psycopg.Error, name: str) -> str:
    """Return what went wrong with a statement and what to do, without anything that was to be stored."""
    code = error.sqlstate or ""
    known = _EXPLANATIONS.get(code) or _EXPLANATIONS.get(code[:2])
    if known is None and not code and isinstance(error, psycopg.OperationalError):
        known = _EXPLANATIONS["08"]
    label = " ".join(part for part in (type(error).__name__, code, error.diag.constraint_name) if part)
    if code.startswith(_ABOUT_SQL) and known is None:
        label += f": {error.diag.message_primary}"
    return f"{name}: {known} ({label})" if known else f"{name}: the database refused a statement ({label})"


def explain_connecting(error: Exception, address: Address) -> str:
    """Return why a connection could not be made."""
    said = str(error).lower()
    reason = next((reason for text, reason in _AT_CONNECTING if text in said), None)
    if reason is None:
        # The server may speak any language; its first line is better than nothing.
        last = address.without_secrets(str(error).strip().splitlines()[-1] if str(error).strip() else "no reason given")
        reason = f"no connection ({last})"
    return f"{address.name}: {reason}"


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Raise `StorageError` from every error of PostgreSQL; let all others through.

    The cause is left out on purpose: its text may hold what was to be stored, or where.
    """
    try:
        yield
    except psycopg_pool.PoolTimeout:
        raise StorageError(f"{name}: no connection to the server was free or could be made in time") from None
    except psycopg_pool.PoolClosed:
        raise StorageError(f"{name}: the database was closed") from None
    except psycopg.Error as error:
        raise StorageError(explain(error, name)) from None
