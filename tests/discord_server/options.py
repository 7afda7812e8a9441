"""The `data` of interactions, made from what a person types, picks and fills in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.discord_server import message_payloads, payloads
from tests.discord_server.message import Attachment, Upload
from tests.discord_server.model import App, Channel, Json, Member, Role, User
from tests.discord_server.world import World

SUB_COMMAND, SUB_COMMAND_GROUP, BOT_DM = 1, 2, 1
STRING_SELECT = 3
OBJECT_SELECTS = {5, 6, 7, 8}
TEXT_DISPLAY = 10


class OptionReader:
    """Turns typed values into options and collects the objects they refer to."""

    def __init__(self, world: World, channel: Channel) -> None:
        self._world = world
        self._channel = channel
        self.resolved: dict[str, dict[str, Json]] = {}

    def read(self, definition: Json, value: Any) -> Json:
        """Return one option, checked against its definition."""
        choices = [choice["value"] for choice in definition.get("choices") or []]
        if choices and value not in choices:
            raise AssertionError(f"{definition['name']} takes one of {choices}, not {value!r}")
        return {"name": definition["name"], "type": definition["type"], "value": self.value(value)}

    def value(self, value: Any) -> Any:
        """Return a value as JSON has it: plain ones as they are, the id of anything else."""
        if isinstance(value, str | int | float):
            return value
        if isinstance(value, Upload):
            return self._upload(value)
        thing = getattr(value, "user", value)
        self.refer_to(thing)
        return str(thing.id)

    def _upload(self, upload: Upload) -> str:
        file_id = self._world.new_id()
        url = f"{self._world.base_url}/attachments/{self._channel.id}/{file_id}/{upload.filename}"
        stored = Attachment(
            id=file_id, filename=upload.filename, content_type=upload.content_type, data=upload.data, url=url
        )
        self._world.loose_files[file_id] = stored
        self.resolved.setdefault("attachments", {})[str(file_id)] = message_payloads.attachment(stored)
        return str(file_id)

    def refer_to(self, thing: object) -> None:
        """Put a user, channel or role among the resolved objects."""
        if isinstance(thing, User):
            self.resolved.setdefault("users", {})[str(thing.id)] = payloads.user(thing)
            member = self._membership(thing)
            if member is not None:
                told = payloads.member(member, with_user=False)
                told["permissions"] = str(int(self._channel.permissions_of(thing)))
                self.resolved.setdefault("members", {})[str(thing.id)] = told
        elif isinstance(thing, Channel):
            told = payloads.channel(thing) | {"permissions": "0"}
            self.resolved.setdefault("channels", {})[str(thing.id)] = told
        elif isinstance(thing, Role):
            self.resolved.setdefault("roles", {})[str(thing.id)] = payloads.role(thing)
        else:
            raise TypeError(f"no option takes a {type(thing).__name__}")

    def _membership(self, user: User) -> Member | None:
        return self._channel.guild.members.get(user.id) if self._channel.guild else None


def find_command(app: App, channel: Channel, name: str, kind: int = 1) -> Json | None:
    """Return the registered command of that name, the server's own before the global one."""
    scopes = [channel.guild.id, None] if channel.guild else [None]
    for scope in scopes:
        for command in app.commands.get(scope, []):
            if command["name"] == name and command["type"] == kind and _offered(command, channel):
                return command
    return None


def command_data(world: World, channel: Channel, command: Json, path: list[str], values: Mapping[str, Any]) -> Json:
    """Return the data of a slash command; `path` has the names of groups and subcommands after the first word."""
    definition = _descend(command, path)
    reader = OptionReader(world, channel)
    options = _typed(definition, values, reader, check_required=True)
    return _wrapped(command, path, options) | ({"resolved": reader.resolved} if reader.resolved else {})


def autocomplete_data(
    world: World, channel: Channel, command: Json, path: list[str], values: Mapping[str, Any], focused: str
) -> Json:
    """Return the data while a person is still typing the option `focused`."""
    definition = _descend(command, path)
    options = _typed(definition, values, OptionReader(world, channel), check_required=False)
    for option in options:
        if option["name"] == focused:
            option["focused"] = True
    return _wrapped(command, path, options)


def components_in(tree: list[Json]) -> Iterator[Json]:
    """Walk all components, however deep."""
    for component in tree:
        yield component
        nested = [component[key] for key in ("component", "accessory") if component.get(key)]
        yield from components_in([*(component.get("components") or []), *nested])


def find_component(tree: list[Json], *, custom_id: str | None, label: str | None) -> Json:
    """Return the component with that id or label; raises AssertionError naming those there are."""
    named = [one for one in components_in(tree) if "custom_id" in one]
    for one in named:
        if one["custom_id"] == custom_id or (label is not None and one.get("label") == label):
            if one.get("disabled"):
                raise AssertionError(f"{custom_id or label} is disabled")
            return one
    raise AssertionError(f"no {custom_id or label} among {[(one['custom_id'], one.get('label')) for one in named]}")


def component_data(world: World, channel: Channel, component: Json, values: Sequence[Any]) -> Json:
    """Return the data of a click or selection; users, roles and channels among `values` are resolved."""
    data: Json = {
        "custom_id": component["custom_id"],
        "component_type": component["type"],
        "id": component.get("id", 1),
    }
    if component["type"] == STRING_SELECT:
        offered = [option["value"] for option in component["options"]]
        if not set(values) <= set(offered):
            raise AssertionError(f"{component['custom_id']} offers {offered}, not {list(values)}")
        data["values"] = list(values)
    elif component["type"] in OBJECT_SELECTS:
        reader = OptionReader(world, channel)
        data["values"] = [reader.value(one) for one in values]
        data["resolved"] = reader.resolved
    return data


def modal_data(modal: Json, values: Mapping[str, str | list[str] | bool]) -> Json:
    """Return the data of a submitted form; `values` by the fields' custom ids, empty where missing."""
    return {
        "custom_id": modal["custom_id"],
        "components": [_submitted(one, values) for one in modal["components"]],
        "resolved": {},
    }


def _submitted(component: Json, values: Mapping[str, str | list[str] | bool]) -> Json:
    body: Json = {"type": component["type"], "id": component.get("id", 1)}
    if "component" in component:
        return body | {"component": _submitted(component["component"], values)}
    if "components" in component:
        return body | {"components": [_submitted(one, values) for one in component["components"]]}
    if component["type"] == TEXT_DISPLAY:
        return body | {"content": component["content"]}
    value = values.get(component["custom_id"], "")
    return body | {"custom_id": component["custom_id"], "values" if isinstance(value, list) else "value": value}


def _descend(command: Json, path: list[str]) -> Json:
    definition = command
    for name in path:
        matching = [one for one in definition.get("options") or [] if one["name"] == name]
        if not matching:
            raise AssertionError(f"{definition['name']} has no subcommand {name}")
        definition = matching[0]
    return definition


def _typed(definition: Json, values: Mapping[str, Any], reader: OptionReader, *, check_required: bool) -> list[Json]:
    known = {one["name"]: one for one in definition.get("options") or []}
    if any(one["type"] in {SUB_COMMAND, SUB_COMMAND_GROUP} for one in known.values()):
        raise AssertionError(f"{definition['name']} needs one of its subcommands {list(known)}")
    if not values.keys() <= known.keys():
        raise AssertionError(f"{definition['name']} takes {list(known)}, not {list(values)}")
    missing = [name for name, one in known.items() if one.get("required") and name not in values]
    if check_required and missing:
        raise AssertionError(f"{definition['name']} needs {missing}")
    return [reader.read(known[name], value) for name, value in values.items()]


def _wrapped(command: Json, path: list[str], options: list[Json]) -> Json:
    for depth, name in enumerate(reversed(path)):
        options = [{"name": name, "type": SUB_COMMAND if depth == 0 else SUB_COMMAND_GROUP, "options": options}]
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"], "options": options}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    return data


def _offered(command: Json, channel: Channel) -> bool:
    if not channel.is_dm:
        contexts = command.get("contexts")
        return contexts is None or 0 in contexts
    contexts = command.get("contexts")
    return command.get("dm_permission") is not False if contexts is None else BOT_DM in contexts
