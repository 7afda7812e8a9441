"""Sessions of a process that stands still in the middle of what it was sending: nothing else ends them.

`idle_in_transaction_session_timeout` looks after transactions between two parcels. A process that is stopped within one
leaves its session active, waiting for the rest, with every lock it had: all others would wait for as long as it sleeps.
"""

from datetime import timedelta

import structlog
from psycopg import AsyncConnection, Error

from data.postgresql.values import PostgresRow

# Text that is copied in arrives bit by bit, and its statement began when it did.
_END_HUNG = b"""
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database()
    AND usename = current_user
    AND application_name = current_setting('application_name')
    AND pid <> pg_backend_pid()
    AND state = 'active'
    AND wait_event = 'ClientRead'
    AND query NOT ILIKE 'copy%%'
    AND state_change < clock_timestamp() - make_interval(secs => %(seconds)s)
"""

_log = structlog.get_logger(__name__)


async def end_hung_sessions(raw: AsyncConnection[PostgresRow], after: timedelta) -> None:
    """End the program's sessions whose process has sent nothing for so long in the middle of a parcel."""
    try:
        ended = await (await raw.execute(_END_HUNG, {"seconds": after.total_seconds()})).fetchall()
    except Error as error:
        _log.warning("storage.hung_sessions_not_looked_at", error=type(error).__name__)
        return
    if ended:
        _log.warning("storage.hung_sessions_ended", sessions=len(ended))
