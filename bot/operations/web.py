"""`/healthz` and `/metrics`, for programs on the same machine."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from bot.errors import StartError
from bot.operations.vitals import Vitals

_METRICS = "text/plain; version=0.0.4; charset=utf-8"


@asynccontextmanager
async def serve(vitals: Vitals, *, host: str, port: int) -> AsyncIterator[int]:
    """Answer until the end of the context; yields the port.

    Raises:
        StartError: The address can't be used.
    """
    runner = web.AppRunner(application(vitals), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as error:
            raise StartError(
                f"{host}:{port} can't be listened on ({error.strerror or type(error).__name__}): "
                "choose another YORISOI_HTTP_PORT, or 0 for none."
            ) from error
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


def application(vitals: Vitals) -> web.Application:
    """Return what answers. `/healthz` is 200 while every character is connected, else 503."""

    async def healthz(_request: web.Request) -> web.Response:
        status = vitals.status()
        gateways = {character: gateway.state.value for character, gateway in status.gateways.items()}
        body = {"well": status.is_well, "gateways": gateways, "backlog": status.backlog}
        return web.json_response(body, status=200 if status.is_well else 503)

    async def metrics(_request: web.Request) -> web.Response:
        return web.Response(body=vitals.metrics.text(), headers={"Content-Type": _METRICS})

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/metrics", metrics)])
    return app
