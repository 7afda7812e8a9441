"""The whole tree of commands, whatever comes to it: everybody is answered in time, visibly and in a friendly way."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from core.values import Locale
from prompts.messages import Messages
from tests.acceptance.discord.stage import Stage, staged
from tests.discord_server.actors import Person
from tests.discord_server.flags import Permission
from tests.discord_server.model import Channel, Json

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

GROUPS, STRING, INTEGER, BOOLEAN, CHANNEL, ATTACHMENT = {1, 2}, 3, 4, 5, 7, 11
PUBLIC = {"about"}
REFUSALS = {Messages.load().text(f"command.{key}", Locale.EN) for key in ("not_allowed", "owners_only", "server_only")}
FAULTS = {Messages.load().text(f"command.{key}", Locale.EN) for key in ("failed", "outdated", "over")}
# What asks for a second step; its answer is no refusal, and nothing more is to happen here.
LAST = ("privacy opt-out", "privacy opt-in", "privacy forget-me")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(tmp_path_factory.mktemp("tree"), started=False) as stage:
        owner = stage.discord.add_user("owner")
        stage.people["owner"] = owner
        await stage.start(YORISOI_OWNER_IDS=str(owner.id), YORISOI_ENVIRONMENT="staging")
        yield stage


def garden(stage: Stage) -> tuple[Channel, dict[str, Person]]:
    """Return a channel with somebody of each kind in it."""
    people = {"member": stage.discord.add_user("alice"), "manager": stage.discord.add_user("boss"), **stage.people}
    guild = stage.discord.add_guild("Garden", stage.bot, people["member"], people["owner"])
    guild.join(people["manager"], guild.add_role("managers", Permission.MANAGE_GUILD))
    return guild.add_text_channel("general"), people


def commands(definitions: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    """Give every command with its options."""
    for one in definitions:
        options = one.get("options") or []
        nested = [option for option in options if option["type"] in GROUPS]
        if nested:
            yield from ((f"{one['name']} {name}", inner) for name, inner in commands(nested))
        else:
            yield one["name"], options


async def values(stage: Stage, who: Person, channel: Channel, path: str, options: list[Json]) -> dict[str, Any]:
    """Return something for each option but files; where values are offered, the first of them."""
    given: dict[str, Any] = {}
    for option in options:
        name = option["name"]
        if option.get("choices"):
            given[name] = option["choices"][0]["value"]
        elif option.get("autocomplete"):
            offered = await who.autocompletes(stage.bot, path, name, "", channel=channel, **given)
            if offered or option.get("required"):
                given[name] = offered[0]["value"] if offered else "1"
        elif option["type"] != ATTACHMENT:
            plain = {STRING: "9:00-10:00", INTEGER: option.get("min_value", 1), BOOLEAN: False, CHANNEL: channel}
            given[name] = plain[option["type"]]
    return given


async def answer_to(stage: Stage, who: Person, channel: Channel, path: str, given: dict[str, Any]) -> str:
    """Run a command; Discord's three seconds are kept by the loopback server."""
    interaction = await who.runs_command(stage.bot, path, given, channel=channel)
    answer = await interaction.answer()
    assert interaction.ephemeral is (path not in PUBLIC), path
    assert answer.content, path
    return answer.content


async def helped(stage: Stage, who: Person, channel: Channel, every: list[str], wanted: set[str]) -> set[str]:
    """Return which commands /help names to somebody, in as many messages as it takes to name those that are wanted."""
    interaction = await who.runs_command(stage.bot, "help", channel=channel)
    await interaction.answer()
    ids = {command["name"]: command["id"] for command in stage.bot.app.commands[None]}

    def named() -> set[str]:
        said = "\n".join(one.content for one in (interaction.original, *interaction.followups) if one is not None)
        return {path for path in every if f"</{path}:{ids[path.split(' ', maxsplit=1)[0]]}>" in said}

    await stage.discord.wait_for(lambda: named() >= wanted, what="the rest of /help")
    await (await who.runs_command(stage.bot, "stop", channel=channel)).answer()  # whatever else comes, comes before
    return named()


@pytest.mark.parametrize("kind", ["member", "manager", "owner"])
async def test_every_command_answers_and_help_names_those_that_the_person_may_use(stage: Stage, kind: str) -> None:
    channel, people = garden(stage)
    who = people[kind]
    tree = sorted(commands(stage.bot.app.commands[None]), key=lambda one: one[0] in LAST)
    allowed, told = set(), {}

    for path, options in tree:
        wanted = options if kind != "member" else [one for one in options if one.get("required")]
        given = await values(stage, who, channel, path, wanted)
        told[path] = await answer_to(stage, who, channel, path, given)
        if told[path] not in REFUSALS:
            allowed.add(path)

    assert {path: text for path, text in told.items() if text in FAULTS} == {}
    failed = [line for line in stage.log if '"command.failed"' in line]
    assert [line for line in failed if "ModelOutputError" not in line] == []  # the scripted model writes no drafts
    assert await helped(stage, who, channel, [path for path, _ in tree], allowed) == allowed
    if kind == "owner":
        assert allowed == {path for path, _ in tree}


async def test_in_direct_messages_what_needs_a_server_is_not_offered_or_says_so(stage: Stage) -> None:
    person = stage.discord.add_user("carol")
    somewhere, _ = garden(stage)
    assert somewhere.guild is not None
    somewhere.guild.join(person)
    told = {}
    for path, options in commands([one for one in stage.bot.app.commands[None] if 1 in one.get("contexts", [1])]):
        if path in LAST or any(one.get("required") for one in options):
            continue
        told[path] = await answer_to(stage, person, person.dm_channel(stage.bot), path, {})

    assert not FAULTS & set(told.values())
    assert "settings show" not in told
    assert "setup" not in told
