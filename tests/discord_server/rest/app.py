"""The REST API: the table of routes, and what happens to every request (record, fault, limit, answer)."""

from collections.abc import Callable
from typing import Any

from aiohttp import web

from core.clock import Clock
from tests.discord_server.connection import reset_transport
from tests.discord_server.errors import ApiError
from tests.discord_server.faults import Fault, Faults
from tests.discord_server.journal import UNKNOWN_ROUTE, Journal, Request
from tests.discord_server.limits import Limits
from tests.discord_server.model import App
from tests.discord_server.rest import accounts, channels, commands, messages, webhooks
from tests.discord_server.rest.call import Call, Context, Created, read_body

API = "/api/v10"
MAX_BODY = 30 * 1024 * 1024
VIA = {"Via": "1.1 loopback"}
Handler = Callable[[Context, Call], Any]

MESSAGE = "/channels/{channel_id}/messages/{message_id}"
REACTION = MESSAGE + "/reactions/{emoji}"
COMMANDS = "/applications/{application_id}/commands"
GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"
WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"

# Where two templates match, the first one counts.
ROUTES: dict[str, Handler] = {
    "GET /gateway": accounts.gateway,
    "GET /gateway/bot": accounts.gateway_bot,
    "GET /users/@me": accounts.me,
    "GET /users/@me/guilds": accounts.my_guilds,
    "DELETE /users/@me/guilds/{guild_id}": accounts.leave_guild,
    "POST /users/@me/channels": channels.open_dm,
    "GET /users/{user_id}": accounts.user,
    "GET /applications/@me": accounts.application,
    "GET /oauth2/applications/@me": accounts.application,
    "GET /guilds/{guild_id}": accounts.guild,
    "GET /guilds/{guild_id}/audit-logs": accounts.audit_log,
    "GET /guilds/{guild_id}/channels": accounts.guild_channels,
    "GET /guilds/{guild_id}/roles": accounts.guild_roles,
    "GET /guilds/{guild_id}/members": accounts.guild_members,
    "GET /guilds/{guild_id}/members/{user_id}": accounts.guild_member,
    "GET /guilds/{guild_id}/threads/active": channels.active_threads,
    "GET /channels/{channel_id}": channels.get,
    "PATCH /channels/{channel_id}": channels.modify,
    "DELETE /channels/{channel_id}": channels.delete,
    "POST /channels/{channel_id}/threads": channels.start_thread,
    "GET /channels/{channel_id}/threads/archived/public": channels.archived_threads,
    "GET /channels/{channel_id}/thread-members": channels.thread_members,
    "PUT /channels/{channel_id}/thread-members/@me": channels.join_thread,
    "DELETE /channels/{channel_id}/thread-members/@me": channels.leave_thread,
    "PUT /channels/{channel_id}/thread-members/{user_id}": channels.join_thread,
    "DELETE /channels/{channel_id}/thread-members/{user_id}": channels.leave_thread,
    "POST /channels/{channel_id}/typing": messages.typing,
    "GET /channels/{channel_id}/messages": messages.history,
    "POST /channels/{channel_id}/messages": messages.send,
    "POST /channels/{channel_id}/messages/bulk-delete": messages.delete_many,
    f"GET {MESSAGE}": messages.get,
    f"PATCH {MESSAGE}": messages.edit,
    f"DELETE {MESSAGE}": messages.delete,
    f"POST {MESSAGE}/threads": channels.start_thread_from_message,
    f"GET {REACTION}": messages.reactors,
    f"PUT {REACTION}/@me": messages.react,
    f"DELETE {REACTION}/@me": messages.unreact,
    f"DELETE {REACTION}/{{user_id}}": messages.unreact,
    f"GET {COMMANDS}": commands.get_all,
    f"PUT {COMMANDS}": commands.replace_all,
    f"POST {COMMANDS}": commands.create,
    f"GET {COMMANDS}/{{command_id}}": commands.get,
    f"DELETE {COMMANDS}/{{command_id}}": commands.delete,
    f"GET {GUILD_COMMANDS}": commands.get_all,
    f"PUT {GUILD_COMMANDS}": commands.replace_all,
    f"POST {GUILD_COMMANDS}": commands.create,
    f"GET {GUILD_COMMANDS}/{{command_id}}": commands.get,
    f"DELETE {GUILD_COMMANDS}/{{command_id}}": commands.delete,
    "POST /interactions/{interaction_id}/{interaction_token}/callback": webhooks.callback,
    f"POST {WEBHOOK}": webhooks.follow_up,
    f"GET {WEBHOOK}/messages/@original": webhooks.original,
    f"PATCH {WEBHOOK}/messages/@original": webhooks.edit_original,
    f"DELETE {WEBHOOK}/messages/@original": webhooks.delete_original,
    f"GET {WEBHOOK}/messages/{{message_id}}": webhooks.get_follow_up,
    f"PATCH {WEBHOOK}/messages/{{message_id}}": webhooks.edit_follow_up,
    f"DELETE {WEBHOOK}/messages/{{message_id}}": webhooks.delete_follow_up,
}


class RestApi:
    """Serves `ROUTES` under `/api/v10`."""

    def __init__(
        self, *, context: Callable[[], Context], faults: Faults, limits: Limits, journal: Journal, clock: Clock
    ) -> None:
        self._context = context
        self._faults = faults
        self._limits = limits
        self._journal = journal
        self._clock = clock

    def install(self, app: web.Application) -> None:
        """Add the routes to an application."""
        for route, handler in ROUTES.items():
            method, _, path = route.partition(" ")
            app.router.add_route(method, API + path, self._serving(route, handler))
        app.router.add_route("*", API + "/{rest:.*}", self._serving(UNKNOWN_ROUTE, _no_such_route))

    def _serving(self, route: str, handler: Handler) -> Callable[[web.Request], Any]:
        async def serve(request: web.Request) -> web.StreamResponse:
            return await self._serve(route, handler, request)

        return serve

    async def _serve(self, route: str, handler: Handler, request: web.Request) -> web.StreamResponse:
        context = self._context()
        try:
            body, uploads = await read_body(request)
        except ApiError as error:
            return _json(error.body(), error.status)
        call = Call(
            params=dict(request.match_info),
            query=dict(request.query),
            body=body,
            uploads=uploads,
            caller=_caller(context, request),
        )
        entry = Request(
            method=request.method,
            path=request.path,
            route=route,
            params=call.params,
            query=call.query,
            body=body,
            files=tuple(upload.filename for upload in uploads),
            app=call.caller,
            at=self._clock.now(),
        )
        self._journal.requests.append(entry)
        context.world.signal.notify()
        response = await self._answer(entry, handler, context, call, request)
        entry.status = response.status if response is not None else 0
        context.world.signal.notify()
        # After a reset nobody reads this any more; aiohttp wants a response all the same.
        return response or web.Response(status=500)

    async def _answer(
        self, entry: Request, handler: Handler, context: Context, call: Call, request: web.Request
    ) -> web.Response | None:
        fault = self._faults.take(entry)
        if not fault.stored:
            if fault.gate is not None:
                await fault.gate.passed()
            if fault.answers:
                return _faulty(fault, request)
        response = self._handle(entry, handler, context, call)
        if fault.stored:
            if fault.gate is not None:
                await fault.gate.passed()
            if fault.answers:
                return _faulty(fault, request)
        return response

    def _handle(self, entry: Request, handler: Handler, context: Context, call: Call) -> web.Response:
        verdict = self._limits.count(entry.route, call.params)
        if verdict.retry_after is not None:
            body = {"message": "You are being rate limited.", "retry_after": verdict.retry_after, "global": False}
            extra = {"Retry-After": str(verdict.retry_after), "X-RateLimit-Scope": "user"}
            return _json(body, 429, verdict.headers | extra)
        try:
            result = handler(context, call)
        except ApiError as error:
            return _json(error.body(), error.status, verdict.headers)
        except Exception as error:
            self._journal.crashes.append(error)
            raise
        if result is None:
            return web.Response(status=204, headers=VIA | verdict.headers)
        status = result.status if isinstance(result, Created) else 200
        entry.answer = result.body if isinstance(result, Created) else result
        return _json(entry.answer, status, verdict.headers)


def _caller(context: Context, request: web.Request) -> App | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return context.world.apps.get(token) if scheme == "Bot" else None


def _no_such_route(_: Context, __: Call) -> None:
    raise ApiError(404, 0, "404: Not Found")


def _json(body: Any, status: int, headers: dict[str, str] | None = None) -> web.Response:
    response = web.json_response(body, status=status, headers=VIA | (headers or {}))
    # discord.py reads a body as JSON only where this is the whole value; aiohttp would add a charset.
    response.headers["Content-Type"] = "application/json"
    return response


def _faulty(fault: Fault, request: web.Request) -> web.Response | None:
    if fault.reset:
        reset_transport(request.transport)
        return None
    headers = (VIA if fault.via else {}) | fault.headers
    if isinstance(fault.body, str):
        return web.Response(text=fault.body, status=fault.status or 500, headers=headers, content_type="text/html")
    response = _json(fault.body, fault.status or 500)
    response.headers.update(headers)
    return response
