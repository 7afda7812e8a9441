"""Nothing goes to Discord from a process that may have lost its shards."""

from types import SimpleNamespace

import aiohttp

from core.errors import DeliveryError
from core.sharding.tenure import Tenure


def refusing(tenure: Tenure) -> aiohttp.TraceConfig:
    """Return what looks at every request just before it is written to the network, and refuses it if need be.

    There is no earlier place: discord.py may hold a request back for a minute, and the process may stand still.
    """

    async def look(_session: aiohttp.ClientSession, _context: SimpleNamespace, _request: object) -> None:
        if not tenure.may_act:
            raise DeliveryError("this process has lost its shards, and sends nothing more")

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(look)
    trace.on_connection_create_end.append(look)
    trace.on_connection_reuseconn.append(look)
    return trace
