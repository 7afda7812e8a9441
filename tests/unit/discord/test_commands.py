import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import discord
import pytest
from discord import app_commands

from bot.discord.answers import Answers
from bot.discord.commands.desk import Desk, NotAllowedError
from bot.discord.commands.naming import CommandMentions
from bot.discord.commands.tree import CharacterTree, CommandCache, Translations
from bot.discord.consent import Consent
from bot.discord.seats import DiscordOptions
from bot.personal import Personal
from bot.stance_desk import StanceDesk
from core.characters.pack import ProactivePolicy
from core.clock import SimulatedClock
from core.errors import StorageError
from core.proactive.drafting import Drafting
from core.proactive.repertoire import Repertoire
from core.stance.caution import Caution
from core.turn.companion import Companion
from prompts.messages import Messages, commands_in
from tests.fakes.stores import InMemoryStores
from tests.unit.discord.test_inbound import HINATA

MESSAGES = Messages.load()
_COMMAND_NAME = 32
_DESCRIPTION = 100


class CountingTree(CharacterTree):
    """A tree that counts instead of asking Discord."""

    synced = 0

    async def sync(self, *, guild: discord.abc.Snowflake | None = None) -> list[app_commands.AppCommand]:
        self.synced += 1
        given = [cast("Any", discord.Object(100 + number)) for number, _ in enumerate(self.get_commands())]
        for command, own in zip(given, self.get_commands(), strict=True):
            command.name = own.name
        return given


async def tree_of(tmp_path: Path, **changes: Any) -> CountingTree:
    client = discord.Client(intents=discord.Intents.none())
    stores, clock = InMemoryStores(), SimulatedClock(datetime(2026, 11, 30, 7, 8, tzinfo=UTC))
    tree = CountingTree(client)
    personal = Personal(
        users=stores.users,
        kept_facts=stores.kept_facts,
        consents=stores.consents,
        caution=Caution(),
        messages=MESSAGES,
        clock=clock,
    )
    policy = ProactivePolicy()
    options: dict[str, Any] = {
        "character": HINATA,
        "companion": cast("Companion", None),
        "model_name": "model",
        "stores": stores,
        "options": DiscordOptions(
            command_cache=tmp_path / "commands.json", owner_ids=changes.get("owner_ids", frozenset())
        ),
        "answers": Answers(messages=changes.get("messages", MESSAGES), users=stores.users),
        "personal": personal,
        "repertoire": Repertoire(policy=policy, candidates={}, drafting=cast("Drafting", None)),
        "consent": Consent(policy=policy, stores=stores, personal=personal, clock=clock),
        "clock": clock,
        "report": changes.get("report"),
        "sandbox": changes.get("sandbox", NoDrafts()),
        "stance": StanceDesk(
            character=HINATA,
            traces=stores.traces,
            guilds=stores.guilds,
            allow_lists=stores.allow_lists,
            clock=SimulatedClock(datetime(2026, 11, 30, 7, 8, tzinfo=UTC)),
        ),
        "forget_in_memory": lambda _: asyncio.sleep(0),
    }
    tree.furnish(Desk(**options))
    await tree.set_translator(Translations(changes.get("messages", MESSAGES)))
    return tree


class NoDrafts:
    """A place to compare prompts in, without any."""

    drafts = ()


async def payload(tree: CountingTree) -> list[dict[str, Any]]:
    translator = tree.translator
    assert translator is not None
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


def parts(definition: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a definition with all that is in it."""
    found = [definition]
    for option in [*definition.get("options", []), *definition.get("choices", [])]:
        found += parts(option)
    return found


async def test_every_name_and_description_is_localised_and_within_discords_limits(tmp_path: Path) -> None:
    for command in await payload(await tree_of(tmp_path)):
        for part in parts(command):
            names = [part["name"], *part["name_localizations"].values()]
            assert set(part["name_localizations"]) == {"ja"}
            assert all(0 < len(name) <= _COMMAND_NAME for name in names) or "value" in part
            if "description" in part:
                described = [part["description"], *part["description_localizations"].values()]
                assert set(part["description_localizations"]) == {"ja"}
                assert all(0 < len(one) <= _DESCRIPTION for one in described)


async def test_commands_are_synced_once_per_definition_and_application(tmp_path: Path) -> None:
    path = tmp_path / "commands.json"
    tree, cache = await tree_of(tmp_path), CommandCache(path)

    assert (await cache.sync(tree, 1)).changed
    assert not (await cache.sync(tree, 1)).changed
    assert (await cache.sync(tree, 2)).changed
    assert not (await CommandCache(path).sync(tree, 1)).changed
    assert tree.synced == 2


async def test_discords_ids_of_the_commands_are_known_after_a_restart_too(tmp_path: Path) -> None:
    path = tmp_path / "commands.json"
    tree = await tree_of(tmp_path)

    given = (await CommandCache(path).sync(tree, 1)).ids

    assert set(given) == {command.name for command in tree.get_commands()}
    assert (await CommandCache(path).sync(tree, 1)).ids == given


async def test_a_changed_definition_is_synced_again(tmp_path: Path) -> None:
    cache = CommandCache(tmp_path / "commands.json")
    await cache.sync(await tree_of(tmp_path), 1)
    known = sorted(MESSAGES.keys())
    catalogues = {locale: {key: MESSAGES.entry(key, locale) for key in known} for locale in ("ja", "en")}
    catalogues["ja"]["command.help.description"] = "新しい説明"

    assert (await cache.sync(await tree_of(tmp_path, messages=Messages(catalogues)), 1)).changed


@pytest.mark.parametrize("content", ["", "not json", "[1]", '{"1": 5}', '{"1": "0123"}'])
async def test_a_damaged_file_only_costs_a_sync(tmp_path: Path, content: str) -> None:
    path = tmp_path / "commands.json"
    path.write_text(content, "utf-8")

    assert (await CommandCache(path).sync(await tree_of(tmp_path), 1)).changed
    assert list(json.loads(path.read_text("utf-8"))) == ["1"]


async def test_a_failed_sync_is_tried_again_the_next_time(tmp_path: Path) -> None:
    class FailingTree(CountingTree):
        async def sync(self, *, guild: discord.abc.Snowflake | None = None) -> list[app_commands.AppCommand]:
            raise discord.ClientException("down")

    cache, tree = CommandCache(tmp_path / "commands.json"), await tree_of(tmp_path)
    tree.__class__ = FailingTree
    with pytest.raises(discord.ClientException):
        await cache.sync(tree, 1)
    tree.__class__ = CountingTree

    assert (await cache.sync(tree, 1)).changed


def test_a_command_is_called_by_its_name_in_the_language_of_the_text_until_its_id_is_known() -> None:
    mentions = CommandMentions(MESSAGES)
    messages = MESSAGES.naming(mentions)

    assert messages.command("privacy forget-me", "ja") == "`/プライバシー すべて消す`"
    assert "`/覚えごと 忘れる`" in messages.text("memory.added", "ja", text="猫がいる")
    assert "`/memory forget`" in messages.text("memory.added", "en", text="I have a cat")

    mentions.know({"memory": 42})
    assert "</memory forget:42>" in messages.text("memory.added", "ja", text="猫がいる")
    assert messages.command("help", "en") == "`/help`"


async def test_every_command_that_a_text_names_can_be_used(tmp_path: Path) -> None:
    tree = await tree_of(tmp_path)
    usable = {command.qualified_name for command in tree.walk_commands() if isinstance(command, app_commands.Command)}
    named = {key: commands_in(str(MESSAGES.entry(key, "en"))) for key in MESSAGES.keys() - {"terminal.help"}}
    elsewhere = {"terminal.welcome": {"quit"}}
    assert {key: names - usable for key, names in named.items() if names - usable} == elsewhere


class FakeInteraction:
    """What an error handler looks at; `told` is what the person saw."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.user = discord.Object(7)
        self.locale = discord.Locale.japanese
        self.command = None
        self.response = self

    def is_done(self) -> bool:
        return False

    async def send_message(self, text: str, **_: Any) -> None:
        self.told.append(text)


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (NotAllowedError("command.owners_only"), "command.owners_only"),
        (app_commands.CommandNotFound("old", []), "command.outdated"),
        (app_commands.AppCommandError(), "command.failed"),
    ],
)
async def test_an_error_is_told_in_the_persons_language(
    tmp_path: Path, error: app_commands.AppCommandError, key: str
) -> None:
    tree, interaction = await tree_of(tmp_path), FakeInteraction()

    await tree.on_error(cast("discord.Interaction[Any]", interaction), error)

    assert interaction.told == [MESSAGES.text(key, "ja")]


async def test_a_store_that_fails_is_told_as_such(tmp_path: Path) -> None:
    async def callback(interaction: discord.Interaction[Any]) -> None: ...

    command: app_commands.Command[Any, ..., Any] = app_commands.Command(name="x", description="y", callback=callback)
    tree, interaction = await tree_of(tmp_path), FakeInteraction()
    error = app_commands.CommandInvokeError(command, StorageError("disk full"))

    await tree.on_error(cast("discord.Interaction[Any]", interaction), error)

    assert interaction.told == [MESSAGES.text("error.storage", "ja")]


async def test_the_sandbox_is_registered_in_staging_only(tmp_path: Path) -> None:
    staging, production = await tree_of(tmp_path), await tree_of(tmp_path, sandbox=None)
    names = [{command.name for command in tree.get_commands()} for tree in (staging, production)]
    assert names[0] - names[1] == {"sandbox"}
