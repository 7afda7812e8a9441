"""The community on Discord over real sockets: what a character reads, what it does, and what it leaves alone."""

import random
from datetime import UTC, datetime

import pytest

from bot.discord.community.accounts import Accounts
from bot.discord.community.deeds import DiscordDeeds
from bot.discord.community.posts import DiscordPosts
from bot.discord.community.reading_posts import PostReading
from bot.discord.courier import ClosedChannels, Courier
from bot.discord.places import Places
from bot.discord.reading import Reading
from core.clock import SystemClock
from core.errors import DeliveryError, UnreachableError
from core.social.types import Access, Action, AllowedChannel, NewPost, PlaceKind
from core.values import Locale, SurfaceKind
from prompts.messages import Messages
from tests.discord_server.flags import MessageFlag, Permission
from tests.discord_server.model import Channel
from tests.discord_server.routes import ADD_REACTION, HISTORY, SEND_MESSAGE, START_THREAD
from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import Client, running
from tests.integration.discord_server.scene import Scene

CLOCK = SystemClock()


class Member:
    """A character's ways to read and to act; Ren is another character on the same server."""

    def __init__(self, client: Client, scene: Scene, **others: int) -> None:
        self.scene = scene
        courier = Courier(clock=CLOCK, rng=random.Random(1), closed=ClosedChannels(clock=CLOCK))
        liking = Courier(clock=CLOCK, rng=random.Random(1), closed=ClosedChannels(clock=CLOCK))
        places, accounts = Places(client=client, courier=courier), Accounts()
        for name, user_id in {"hinata": scene.bot.user.id, **others}.items():
            accounts.know(user_id, name)
        own = Reading(own_id=scene.bot.user.id, fallback_locale=Locale.EN, messages=Messages.load())
        reading = PostReading(reading=own, accounts=accounts)
        self.source = DiscordPosts(client=client, places=places, courier=courier, reading=reading)
        self.deeds = DiscordDeeds(client=client, places=places, writing=courier, liking=liking, reading=reading)


def opened(channel: Channel, kind: PlaceKind = PlaceKind.CHAT) -> AllowedChannel:
    assert channel.guild is not None
    return AllowedChannel(channel_id=channel.id, guild_id=channel.guild.id, kind=kind)


async def test_what_members_said_in_a_channel_and_its_threads_is_read(server: DiscordServer, scene: Scene) -> None:
    ren = server.add_bot("Ren")
    scene.guild.join(ren)
    first = await scene.alice.says(scene.channel, "The sea is calm.")
    async with running(scene.bot) as client:
        member = Member(client, scene, ren=ren.user.id)
        thread = await scene.alice.starts_thread(scene.channel, "plans")
        there = await scene.alice.says(thread, "@Ren Shall we sail?")
        await client.heard()
        await client.heard()

        posts = await member.source.newest(opened(scene.channel), after=None, limit=30)
        later = await member.source.newest(opened(scene.channel), after=first.id, limit=30)

    assert [(post.id, post.text) for post in posts] == [(first.id, first.content), (there.id, "@Ren Shall we sail?")]
    assert posts[0].author.name == "alice"
    assert posts[0].sent_at.astimezone(UTC) <= datetime.now(UTC)
    assert posts[1].surface.kind is SurfaceKind.THREAD
    assert posts[1].place_id == scene.channel.id
    assert posts[1].mentions == {"ren"}
    assert [post.id for post in later] == [there.id]


async def test_a_forums_posts_have_titles_and_what_stands_below_answers_them(
    server: DiscordServer, scene: Scene
) -> None:
    forum = scene.guild.add_forum("ideas")
    bob = server.add_user("bob")
    scene.guild.join(bob)
    opening = await scene.alice.opens_post(forum, "A lighthouse", "What would it need?")
    below = await bob.says(opening.channel, "A lamp.")
    aside = await scene.alice.says(opening.channel, "Which one?", reply_to=below)
    async with running(scene.bot) as client:
        member = Member(client, scene)
        posts = await member.source.newest(opened(forum, PlaceKind.FORUM), after=None, limit=30)
        replies = await member.source.replies(posts[0], limit=5)
        chain = await member.source.chain(posts[2], limit=5)

    assert [(post.id, post.title, post.reply_to) for post in posts] == [
        (opening.id, "A lighthouse", None),
        (below.id, None, opening.id),
        (aside.id, None, below.id),
    ]
    assert {post.place_id for post in posts} == {forum.id}
    assert [post.id for post in replies] == [below.id]
    assert [post.id for post in chain] == [opening.id, below.id]


async def test_what_a_character_wrote_is_known_as_its_own(server: DiscordServer, scene: Scene) -> None:
    asked = await scene.alice.says(scene.channel, "The sea is calm.")
    async with running(scene.bot) as client:
        member = Member(client, scene)
        (post,) = await member.source.newest(opened(scene.channel), after=None, limit=30)
        written = await member.deeds.reply(post, "It never lies. @everyone")
        back = await scene.alice.says(scene.channel, "Does it?", reply_to=server.sent(scene.channel)[0])
        posts = await member.source.newest(opened(scene.channel), after=None, limit=30)
        (reply,) = await member.source.replies(post, limit=5)

    (message,) = server.sent(scene.channel)
    assert (message.reference_id, message.content) == (asked.id, "It never lies. @everyone")
    assert (message.mentions, message.mentions_everyone) == ([], False)
    assert message.flags & MessageFlag.SUPPRESS_EMBEDS
    assert (written.id, written.character, written.reply_to) == (message.id, "hinata", asked.id)
    assert reply.is_by("hinata")
    # Its own is not read as something new, and an answer to it is one to it.
    assert [(one.id, one.answers) for one in posts] == [(asked.id, None), (back.id, "hinata")]


async def test_a_like_is_a_reaction_and_stays_one(server: DiscordServer, scene: Scene) -> None:
    said = await scene.alice.says(scene.channel, "The sea is calm.")
    async with running(scene.bot) as client:
        member = Member(client, scene)
        (post,) = await member.source.newest(opened(scene.channel), after=None, limit=30)
        await member.deeds.like(post)
        await member.deeds.like(post)
    assert said.reactions == {"👍": [scene.bot.user]}


async def test_a_new_post_stands_in_the_channel_once_whatever_breaks(server: DiscordServer, scene: Scene) -> None:
    server.faults.next(SEND_MESSAGE).reset(stored=True)
    async with running(scene.bot) as client:
        written = await Member(client, scene).deeds.post(opened(scene.channel), NewPost(text="Salt keeps."))
    (message,) = server.sent(scene.channel)
    assert (message.id, message.content) == (written.id, "Salt keeps.")
    assert (written.reply_to, written.place_id) == (None, scene.channel.id)


async def test_a_long_post_in_a_forum_opens_a_thread_and_goes_on_in_it(server: DiscordServer, scene: Scene) -> None:
    forum = scene.guild.add_forum("ideas")
    text = "\n".join(["A sentence about salt and rust."] * 100)
    async with running(scene.bot) as client:
        new = NewPost(text=text, title="Rust", tags=("sea",))
        written = await Member(client, scene).deeds.post(opened(forum, PlaceKind.FORUM), new)
        thread = server.world.channels[written.id]
    assert (written.title, written.place_id, written.text) == ("Rust", forum.id, text)
    assert len(thread.messages) == 2
    assert all(len(message.content) <= 2000 for message in thread.messages.values())


async def test_a_thread_whose_fate_is_unknown_is_not_opened_again(server: DiscordServer, scene: Scene) -> None:
    forum = scene.guild.add_forum("ideas")
    server.faults.next(START_THREAD).reset(stored=True)
    async with running(scene.bot) as client:
        with pytest.raises(DeliveryError):
            await Member(client, scene).deeds.post(opened(forum), NewPost(text="Salt.", title="Salt"))
    assert len(server.requests(START_THREAD)) == 1


async def test_permissions_say_what_may_be_done_and_other_servers_are_left_out(
    server: DiscordServer, scene: Scene
) -> None:
    quiet, hidden = scene.guild.add_text_channel("quiet"), scene.guild.add_text_channel("hidden")
    quiet.deny(scene.bot, Permission.SEND_MESSAGES | Permission.ADD_REACTIONS)
    hidden.deny(scene.bot, Permission.VIEW_CHANNEL)
    elsewhere = server.add_guild("Elsewhere", scene.alice).add_text_channel("general")
    places = [opened(one) for one in (scene.channel, quiet, hidden, elsewhere)]
    async with running(scene.bot) as client:
        member = Member(client, scene)
        accesses = await member.source.access(places)
        with pytest.raises(UnreachableError) as refused:
            await member.source.newest(opened(hidden), after=None, limit=30)

    assert accesses == [
        Access(places[0]),
        Access(places[1], frozenset({Action.READ})),
        Access(places[2], frozenset()),
    ]
    assert refused.value.forbidden
    assert [request for request in server.requests(HISTORY) if request.params["channel_id"] == str(hidden.id)] == []


async def test_a_refusal_to_like_leaves_writing_alone(server: DiscordServer, scene: Scene) -> None:
    await scene.alice.says(scene.channel, "The sea is calm.")
    server.faults.next(ADD_REACTION, times=None).missing_permissions()
    async with running(scene.bot) as client:
        member = Member(client, scene)
        (post,) = await member.source.newest(opened(scene.channel), after=None, limit=30)
        with pytest.raises(UnreachableError) as refused:
            await member.deeds.like(post)
        await member.deeds.reply(post, "Indeed.")
    assert refused.value.forbidden
    assert len(server.sent(scene.channel)) == 1


async def test_a_post_that_is_gone_gets_no_answer(server: DiscordServer, scene: Scene) -> None:
    said = await scene.alice.says(scene.channel, "The sea is calm.")
    async with running(scene.bot) as client:
        member = Member(client, scene)
        (post,) = await member.source.newest(opened(scene.channel), after=None, limit=30)
        await scene.alice.deletes(said)
        for act in (member.deeds.like(post), member.deeds.reply(post, "Indeed.")):
            with pytest.raises(DeliveryError):
                await act
        assert await member.source.replies(post, limit=5) == []
    assert server.sent(scene.channel) == []
