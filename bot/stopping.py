"""What ends a service: Ctrl-C or a kill, and an end that hangs."""

import asyncio
import os
import signal
import sys
import threading

from core.sharding.tenure import ShardsLostError

_PATIENCE = 10.0


def stop_event() -> asyncio.Event:
    """Return an event that Ctrl-C and a kill set."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    return stop


def end_anyway(error: ShardsLostError, *, within: float = _PATIENCE) -> None:
    """End the process after so many seconds by force, with the error's text and code, if it doesn't end by itself.

    What waits for an answer from a database that is out of reach can't be cancelled, and nobody needs it any more.
    """

    def end() -> None:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
        os._exit(error.exit_code)

    timer = threading.Timer(within, end)
    timer.daemon = True
    timer.start()
