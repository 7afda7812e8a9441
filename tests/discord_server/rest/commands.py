"""Registered application commands, global and per server."""

import re
from typing import Any

from tests.discord_server.errors import ApiError, invalid_form, missing_access, unknown
from tests.discord_server.model import Json
from tests.discord_server.rest.call import Call, Context, Created

CHAT_INPUT = 1
NAME = re.compile(r"[-_'\w]{1,32}")
MAX_COMMANDS = 100


def get_all(_: Context, call: Call) -> list[Json]:
    """The commands registered in a scope."""
    return _scope(call)


def replace_all(context: Context, call: Call) -> list[Json]:
    """Replace a scope's commands as a whole; those with the same name and type keep their id."""
    if len(call.body) > MAX_COMMANDS:
        raise ApiError(400, 30032, "Maximum number of application commands reached (100)")
    before = {(one["type"], one["name"]): one["id"] for one in _scope(call)}
    after = [_registered(context, call, command, before) for command in call.body]
    if len({(one["type"], one["name"]) for one in after}) < len(after):
        raise invalid_form("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
    call.app.commands[_scope_key(call)] = after
    return after


def create(context: Context, call: Call) -> Created:
    """Register one command, replacing the one of the same name and type."""
    scope = _scope(call)
    before = {(one["type"], one["name"]): one["id"] for one in scope}
    command = _registered(context, call, call.body, before)
    kept = [one for one in scope if one["id"] != command["id"]]
    call.app.commands[_scope_key(call)] = [*kept, command]
    return Created(command)


def get(_: Context, call: Call) -> Json:
    """One command."""
    return _find(call)


def delete(_: Context, call: Call) -> None:
    """Remove one command."""
    command = _find(call)
    call.app.commands[_scope_key(call)] = [one for one in _scope(call) if one is not command]


def _scope_key(call: Call) -> int | None:
    if int(call.params["application_id"]) != call.app.id:
        raise missing_access()
    return int(call.params["guild_id"]) if "guild_id" in call.params else None


def _scope(call: Call) -> list[Json]:
    return call.app.commands.get(_scope_key(call), [])


def _find(call: Call) -> Json:
    for command in _scope(call):
        if command["id"] == call.params["command_id"]:
            return command
    raise unknown("application command")


def _registered(context: Context, call: Call, command: Json, before: dict[tuple[int, str], str]) -> Json:
    kind = command.get("type", CHAT_INPUT)
    _check(command, kind)
    scope = _scope_key(call)
    stored: Json = {
        "dm_permission": True,
        "default_member_permissions": None,
        "nsfw": False,
        "options": [],
        "description": "",
        **command,
        "type": kind,
        "id": before.get((kind, command["name"])) or str(context.world.new_id()),
        "application_id": str(call.app.id),
        "version": str(context.world.new_id()),
    }
    if scope is not None:
        stored["guild_id"] = str(scope)
    context.world.signal.notify()
    return stored


def _check(command: Json, kind: int) -> None:
    if kind != CHAT_INPUT:
        return
    _check_names(command)
    required = [bool(one.get("required")) for one in command.get("options") or []]
    if required != sorted(required, reverse=True):
        text = "Required options must be placed before non-required options"
        raise invalid_form("options", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
    for option in command.get("options") or []:
        _check(option, CHAT_INPUT)


def _check_names(command: Json) -> None:
    names: dict[str, Any] = {"": command["name"], **(command.get("name_localizations") or {})}
    for name in names.values():
        if not NAME.fullmatch(name) or name != name.lower():
            raise invalid_form("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    texts: dict[str, Any] = {"": command.get("description", ""), **(command.get("description_localizations") or {})}
    for text in texts.values():
        if not 1 <= len(text) <= 100:
            raise invalid_form("description", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
