"""`/social`, `/memory interests|people|posts` and `/character tier`: who may, what is told, in which language."""

import io
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from discord import app_commands
from PIL import Image

from bot.discord.commands.desk import NotAllowedError
from bot.discord.commands.reasons import reason
from core.social.cycle import CycleReport
from core.social.types import Action, AllowedChannel, CycleRecord, Interest, PeerImpression, PlaceKind, Source, Trouble
from core.values import Locale, Tier
from prompts.messages import Messages
from tests.unit.discord.test_commands import tree_of
from tests.unit.discord.test_inbound import HINATA
from tests.unit.social.scene import GUILD, NOW, Scene, features, post

MESSAGES = Messages.load()
OWNER, MANAGER = 99, 9
HERE = AllowedChannel(channel_id=10, guild_id=GUILD, per_hour=2)


class Asked:
    """An interaction that remembers its answers."""

    def __init__(self, *, user_id: int = OWNER, guild_id: int | None = GUILD, locale: str = "en-US") -> None:
        self.user = SimpleNamespace(id=user_id)
        self.guild_id = guild_id
        self.locale = discord.Locale(locale)
        self.permissions = discord.Permissions(manage_guild=user_id in {OWNER, MANAGER})
        self.response = self
        self.followup = self
        self.type = discord.InteractionResponseType.deferred_channel_message
        self.told: list[str] = []
        self.files: list[discord.File] = []
        self.view: Any = None

    def is_done(self) -> bool:
        return True

    async def defer(self, *, ephemeral: bool, thinking: bool) -> None:
        assert ephemeral
        assert thinking

    async def edit_original_response(
        self, *, content: str, attachments: Any = (), view: Any = None, allowed_mentions: Any
    ) -> None:
        assert allowed_mentions.to_dict() == {"parse": []}
        self.told.append(content)
        self.files, self.view = list(attachments), view

    async def edit_message(self, *, content: str, view: Any) -> None:
        self.told.append(content)

    async def send(self, content: str, **_: Any) -> None:
        self.told.append(content)

    @property
    def text(self) -> str:
        return "\n".join(self.told)


class Place:
    """A channel as an option of a command is one."""

    def __init__(self, kind: discord.ChannelType = discord.ChannelType.text, guild_id: int = GUILD) -> None:
        self.id, self.type, self.guild_id = 10, kind, guild_id


class Community:
    """A community that takes part, and does what a real cycle of a scene does."""

    most_calls, minutes = 24, 60.0

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.ran: list[bool] = []

    def join(self, source: Any, actions: Any) -> None: ...

    def leave(self) -> None: ...

    async def run(self, *, rehearsal: bool) -> CycleReport | None:
        self.ran.append(rehearsal)
        return await self.scene.cycle(rehearsal=rehearsal).run()


class Room:
    """The commands of a character whose community is on, unless told otherwise."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        desk = tree._desk
        self.stores = desk.stores
        self.community = Community(Scene())
        options = replace(desk.options, owner_ids=frozenset({OWNER}))
        self.desk = replace(desk, options=options, community=self.community)
        self.furnish()

    def furnish(self, **changes: Any) -> None:
        self.desk = replace(self.desk, **changes)
        self.tree.clear_commands(guild=None)
        self.tree.furnish(self.desk)

    async def run(self, group: str, name: str, asked: Asked, **values: Any) -> Asked:
        command = cast("app_commands.Group", self.tree.get_command(group)).get_command(name)
        await cast("Any", command).callback(asked, **values)
        return asked


@pytest.fixture
async def room(tmp_path: Path) -> Room:
    return Room(await tree_of(tmp_path))


async def test_a_channel_is_opened_changed_and_closed_by_those_who_manage_the_server(room: Room) -> None:
    manager = Asked(user_id=MANAGER)
    await room.run("social", "channels", manager, channel=Place(), per_hour=5)
    assert await room.stores.social.channels(GUILD) == [replace(HERE, per_hour=5)]
    await room.run("social", "channels", manager, channel=Place(discord.ChannelType.forum), new_posts=False)
    changed = replace(HERE, kind=PlaceKind.FORUM, per_hour=5, may_post=False)
    assert await room.stores.social.channels(GUILD) == [changed]
    assert "answers only, up to 5 answers an hour" in manager.text
    await room.run("social", "channels", manager, channel=Place(), opened=False)
    assert await room.stores.social.channels(GUILD) == []
    assert "No channel of this server is open" in manager.text


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        (Asked(user_id=1), Place()),
        (Asked(user_id=MANAGER, guild_id=None), Place()),
        (Asked(user_id=MANAGER), Place(guild_id=71)),
        (Asked(user_id=MANAGER), Place(discord.ChannelType.voice)),
    ],
)
async def test_a_channel_is_opened_by_nobody_else_and_no_other_kind_of_channel(
    room: Room, asked: Asked, place: Place
) -> None:
    with pytest.raises(NotAllowedError):
        await room.run("social", "channels", asked, channel=place)
    assert await room.stores.social.channels() == []


STEPS = (
    "cycle", "fetch", "post_impression", "peer_impression", "like", "reply", "interest", "new_post", "follow",
    *(f"source.{source}" for source in Source),
)  # fmt: skip
"""Everything that may fail in a cycle by itself."""


async def test_the_status_tells_of_the_last_cycle_and_of_missing_permissions(room: Room) -> None:
    await room.stores.social.allow(HERE)
    for channel_id in (10, 77):
        trouble = Trouble(character=HINATA.name, channel_id=channel_id, action=Action.LIKE, since=NOW)
        await room.stores.social.note_trouble(trouble)
    record = CycleRecord(
        character=HINATA.name, began_at=NOW, ended_at=NOW, done={"read": 3, "like": 1}, failed=dict.fromkeys(STEPS, 2)
    )
    await room.stores.social.record_cycle(record, keep=9)

    english = await room.run("social", "status", Asked(user_id=MANAGER))
    japanese = await room.run("social", "status", Asked(user_id=MANAGER, locale="ja"))

    assert "a cycle every 60 min, with at most 24 model calls" in english.text
    assert (
        "Done: read 3, liked 1\nFailed: the cycle as a whole 2, fetching new posts 2, impressions of posts 2,"
        in english.text
    )
    assert "finding posts (new) 2" in english.text
    assert "失敗：活動全体 2, 新しい投稿の取得 2, 投稿の印象 2, 人の印象 2" in japanese.text
    assert "読む候補（新着） 2" in japanese.text
    assert "<#10>: not allowed to add reactions" in english.text
    assert "<#77>" not in english.text
    assert "リアクションをつける権限がありません" in japanese.text


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"community": None}, "switched off"),
        ({"options": None}, "message-content intent"),
    ],
)
async def test_the_status_says_why_it_stands_still(room: Room, changes: dict[str, Any], told: str) -> None:
    if "options" in changes:
        changes = {"options": replace(room.desk.options, message_content=False)}
    room.furnish(**changes)
    assert told in (await room.run("social", "status", Asked())).text
    with pytest.raises(NotAllowedError):
        await room.run("social", "run-once", Asked())
    assert room.community.ran == []


async def test_one_that_rests_says_so(room: Room) -> None:
    await room.stores.characters.set_frozen(HINATA.name, True)
    assert "resting" in (await room.run("social", "status", Asked())).text


@pytest.mark.parametrize(("name", "rehearsal"), [("dry-run", True), ("run-once", False)])
async def test_whoever_runs_it_has_a_cycle_run_and_sees_why(room: Room, name: str, rehearsal: bool) -> None:
    scene = room.community.scene
    await scene.open(post(1))
    await scene.care_about("sea")

    asked = await room.run("social", name, Asked())

    assert room.community.ran == [rehearsal]
    assert "👍 likes `1`: place 1 by interest, similarity" in asked.text
    assert "> Rust says otherwise." in asked.text
    assert len(scene.actions.done) == (0 if rehearsal else 3)
    with pytest.raises(NotAllowedError):
        await room.run("social", name, Asked(user_id=MANAGER))


async def test_every_reason_of_a_cycle_has_a_text(room: Room) -> None:
    scene = room.community.scene
    await scene.open(*(post(number, author=number) for number in range(1, 6)), post(9, reply_to=2))
    await scene.care_about("sea")
    report = await scene.cycle(rehearsal=True).run()
    for locale in Locale:
        told = [reason(MESSAGES, locale, one.why) for one in report.decisions]
        assert [one for one in told if one.startswith("`")] == []
    assert reason(MESSAGES, Locale.EN, "something new") == "`something new`"


async def test_interests_are_paged_with_a_picture_that_words_stand_for(room: Room) -> None:
    for number, topic in enumerate(("sea", "sea", "bread", "maps", "maps", "chess", "chess")):
        interest = Interest(
            text=f"Cares *about* {topic} {number}.",
            tags=(topic,),
            features=features(topic, noise=number + 1),
            at=NOW + timedelta(days=number),
        )
        await room.stores.social.keep_interest(HINATA.name, interest, source="", embedding_model="topics", history=99)

    asked = await room.run("memory", "interests", Asked())

    assert "7 in all" in asked.text
    assert "Cares \\*about\\* chess 6." in asked.text
    assert "sea 0" not in asked.text
    (picture,) = asked.files
    assert "7 versions from 2026-11-02 to 2026-11-08" in (picture.description or "")
    image = Image.open(io.BytesIO(picture.fp.read()))
    assert (image.format, image.size) == ("PNG", (1200, 520))
    await asked.view.turn(asked, 1)
    assert "sea 0" in asked.told[-1]
    assert "2 of 2" in asked.told[-1] or "2 / 2" in asked.told[-1]


async def test_people_and_posts_are_shown_to_whoever_runs_it_alone(room: Room) -> None:
    scene = room.community.scene
    room.furnish(stores=scene.stores, character=replace(HINATA, name="mio"))
    await scene.open(post(1))
    await scene.care_about("sea")
    await scene.cycle().run()
    people = await room.run("memory", "people", Asked())
    posts = await room.run("memory", "posts", Asked(locale="ja"))

    assert "<@1> (name-1, followed)" in people.text
    assert "Patient." in people.text
    assert "<https://discord.com/channels/70/10/1>" in posts.text
    assert "👍 イイネしたい" in posts.text
    for name in ("interests", "people", "posts"):
        with pytest.raises(NotAllowedError):
            await room.run("memory", name, Asked(user_id=MANAGER))


@pytest.mark.parametrize("name", ["interests", "people", "posts"])
async def test_where_there_is_nothing_that_is_said(room: Room, name: str) -> None:
    asked = await room.run("memory", name, Asked())
    assert asked.told
    assert asked.files == []


async def test_a_page_has_room_for_the_longest_entries(room: Room) -> None:
    for number in range(6):
        await room.stores.consents.give(number, now=NOW)
        impression = PeerImpression(
            peer_id=number, name="*" * 32, text="*" * 3000, tags=("_" * 50,) * 10, should_follow=False, at=NOW
        )
        await room.stores.social.keep_peer_impression(HINATA.name, impression)
    asked = await room.run("memory", "people", Asked())
    assert all(len(one) <= 2000 for one in asked.told)


async def test_a_tier_is_chosen_and_given_back_by_whoever_runs_it(room: Room) -> None:
    for value, tier in (("advanced", Tier.ADVANCED), ("pack", None)):
        choice = app_commands.Choice(name=value, value=value)
        await room.run("character", "tier", Asked(), chosen=choice)
        assert await room.stores.characters.tier(HINATA.name) is tier
        with pytest.raises(NotAllowedError):
            await room.run("character", "tier", Asked(user_id=MANAGER), chosen=choice)
