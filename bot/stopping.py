"""What ends a service: Ctrl-C or a kill."""

import asyncio
import signal


def stop_event() -> asyncio.Event:
    """Return an event that Ctrl-C and a kill set."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    return stop
