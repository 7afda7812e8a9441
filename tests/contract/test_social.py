"""What is kept of posts and of what characters make of them, and that it goes with what it rests on."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.social.types import (
    Action,
    AllowedChannel,
    CycleRecord,
    Digest,
    Interest,
    PeerImpression,
    PlaceKind,
    Post,
    PostImpression,
    ReadScope,
    Source,
    Trouble,
)
from core.values import Speaker, Surface, Tier
from tests.contract.bundle import (
    AKI,
    BEN,
    CHANNEL,
    GUILD,
    NOON,
    OTHER_GUILD,
    THREAD,
    AnyStores,
    after,
    message,
)

MIO, REN = "mio", "ren"
MIO_ACCOUNT, REN_ACCOUNT = 901, 902
MODEL = "hash"
SCOPE = ReadScope(character=MIO, channels=frozenset({CHANNEL.channel_id}), since=NOON)


def post(
    post_id: int,
    *,
    author: int = AKI,
    character: str | None = None,
    surface: Surface = CHANNEL,
    text: str = "The harbour is calm.",
    reply_to: int | None = None,
    answers: str | None = None,
    mentions: frozenset[str] = frozenset(),
) -> Post:
    return Post(
        id=post_id,
        author=Speaker(id=author, name=f"name-{author}", is_bot=character is not None),
        surface=surface,
        text=text,
        sent_at=after(post_id),
        character=character,
        language="en",
        reply_to=reply_to,
        answers=answers,
        mentions=mentions,
    )


def digest(number: int = 1, *, tags: tuple[str, ...] = ("Sea",)) -> Digest:
    return Digest(summary=f"summary {number}", tags=tags, features=bytes([number % 120]) * 512)


def impression(post_id: int, *, peer: int = AKI, seconds: float = 0.0) -> PostImpression:
    return PostImpression(
        post_id=post_id,
        peer_id=peer,
        text="calm",
        tags=("sea",),
        should_like=True,
        should_reply=False,
        at=after(seconds),
    )


def peer(peer_id: int = AKI, *, seconds: float = 0.0, text: str = "patient") -> PeerImpression:
    return PeerImpression(
        peer_id=peer_id, name=f"name-{peer_id}", text=text, tags=("sea",), should_follow=True, at=after(seconds)
    )


def interest(number: int) -> Interest:
    return Interest(text=f"interest {number}", tags=("sea",), features=bytes([number]) * 512, at=after(number))


async def keep(stores: AnyStores, *posts: Post) -> int:
    for author in {one.author.id for one in posts if one.character is None}:
        await stores.consents.give(author, now=NOON)
    return await stores.posts.add(posts)


async def summarise(stores: AnyStores, *posts: Post) -> None:
    for one in posts:
        assert await stores.post_summaries.put(one, digest(one.id), embedding_model=MODEL, now=NOON)


async def ids(stores: AnyStores, source: Source, *choice: int | str, scope: ReadScope = SCOPE) -> list[int]:
    return [known.post.id for known in await stores.posts.unread(scope, source, limit=9, choice=choice)]


async def recommendable(stores: AnyStores, *tags: str, scope: ReadScope = SCOPE) -> list[int]:
    return [post_id for post_id, _ in await stores.posts.recommendable(scope, tags=tags, limit=9)]


async def test_only_those_who_agreed_and_characters_are_kept(stores: AnyStores) -> None:
    await stores.consents.give(AKI, now=NOON)

    kept = await stores.posts.add([post(1), post(2, author=BEN), post(3, author=REN_ACCOUNT, character=REN), post(1)])

    assert kept == 2
    assert [known.post for known in await stores.posts.get([3, 2, 1])] == [
        post(1),
        post(3, author=REN_ACCOUNT, character=REN),
    ]
    assert await stores.posts.count() == 2


async def test_a_message_that_is_sensitive_in_the_archive_is_not_kept(stores: AnyStores) -> None:
    await stores.archive.add([message(1, None, sensitive=True)])

    assert await keep(stores, post(1), post(2)) == 1


async def test_each_way_finds_its_posts_newest_first_and_nothing_twice_read(stores: AnyStores) -> None:
    await keep(
        stores,
        post(1),
        post(2, author=BEN),
        post(3, author=MIO_ACCOUNT, character=MIO),
        post(4, author=BEN, reply_to=3, answers=MIO),
        post(5, mentions=frozenset({MIO, REN})),
        post(6, surface=OTHER_GUILD),
        post(7, surface=THREAD),
    )
    await stores.social.follow(MIO, [BEN], now=NOON)
    await stores.social.keep_post_impression(MIO, impression(5))

    assert await ids(stores, Source.NEWEST) == [7, 4, 2, 1]
    assert await ids(stores, Source.FOLLOWEES) == [4, 2]
    assert await ids(stores, Source.REPLIES) == [4]
    assert await ids(stores, Source.MENTIONS) == []
    assert await ids(stores, Source.MENTIONS, scope=replace(SCOPE, character=REN)) == [5]
    assert await ids(stores, Source.FOLLOWERS, AKI) == [7, 1]
    assert await ids(stores, Source.NEWEST, scope=replace(SCOPE, since=after(4))) == [7, 4]
    assert await stores.posts.followers(MIO, since=NOON, limit=9) == [AKI, BEN]
    assert await stores.posts.followers(MIO, since=after(5), limit=9) == [AKI]


async def test_recommended_posts_share_a_tag_and_have_a_digest(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2), post(3))
    await stores.post_summaries.put(post(1), digest(tags=("Sea", "Boats")), embedding_model=MODEL, now=NOON)
    await stores.post_summaries.put(post(2), digest(tags=("Bread",)), embedding_model=MODEL, now=NOON)

    assert await recommendable(stores, "sea", "BOATS") == [1]
    assert await recommendable(stores, "clouds") == []
    assert await recommendable(stores) == [2, 1]
    assert await stores.posts.recommendable(SCOPE, limit=1) == [(2, digest().features)]


async def test_what_was_read_is_elsewhere_or_too_old_is_not_recommended(stores: AnyStores) -> None:
    posts = [post(1), post(2), post(3, surface=OTHER_GUILD), post(4, author=MIO_ACCOUNT, character=MIO), post(5)]
    await keep(stores, *posts)
    await summarise(stores, *posts)
    await stores.social.keep_post_impression(MIO, impression(5))

    for tags in ((), ("sea",)):
        assert await recommendable(stores, *tags) == [2, 1]
        assert await recommendable(stores, *tags, scope=replace(SCOPE, since=after(2))) == [2]


async def test_of_many_followed_the_newest_posts_are_found(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2, author=BEN), post(3), post(4), post(5, surface=OTHER_GUILD), post(6))
    await stores.social.follow(MIO, [AKI, BEN], now=NOON)
    await stores.social.keep_post_impression(MIO, impression(6))

    found = await stores.posts.unread(SCOPE, Source.FOLLOWEES, limit=2)

    assert [known.post.id for known in found] == [4, 3]


async def test_it_is_told_when_people_posted_last_and_what_about(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2), post(3, author=BEN), post(4, surface=OTHER_GUILD), post(5))
    await summarise(stores, post(2))

    recent = await stores.posts.recent([AKI, BEN, 77], channels={CHANNEL.channel_id}, limit=2)

    assert {author: sorted(held) for author, held in recent.items()} == {
        AKI: [(after(2), digest(2).features), (after(5), None)],
        BEN: [(after(3), None)],
        77: [],
    }


async def test_a_conversation_is_followed_up_and_down(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2, reply_to=1), post(3, reply_to=2), post(4, reply_to=2), post(5, reply_to=99))

    async def above(post_id: int, limit: int) -> list[int]:
        return [known.post.id for known in await stores.posts.chain(post_id, limit=limit)]

    assert await above(3, 5) == [1, 2]
    assert await above(3, 1) == [2]
    assert await above(5, 5) == []
    assert [known.post.id for known in await stores.posts.replies(2, limit=5)] == [3, 4]
    assert [known.post.id for known in await stores.posts.replies(2, limit=1)] == [4]


async def test_what_a_character_wrote_is_counted_for_its_pace(stores: AnyStores) -> None:
    await keep(
        stores,
        post(1, author=MIO_ACCOUNT, character=MIO),
        post(2, author=MIO_ACCOUNT, character=MIO, reply_to=9),
        post(3, author=MIO_ACCOUNT, character=MIO, surface=OTHER_GUILD, reply_to=9),
    )

    assert await stores.posts.written_since(MIO, CHANNEL.channel_id, after(2)) == 1
    assert await stores.posts.last_new_post(MIO) == after(1)
    assert await stores.posts.last_new_post(REN) is None
    await stores.archive.delete_older_than(after(2))
    assert await stores.posts.last_new_post(MIO) == after(1)
    await stores.posts.note_new_post(MIO, after(5))
    await stores.posts.note_new_post(MIO, after(4))
    assert await stores.posts.last_new_post(MIO) == after(5)
    assert [known.post.id for known in await stores.posts.by_character(MIO, limit=2)] == [3, 2]
    assert await stores.posts.newest_id(CHANNEL.channel_id) == 2
    assert await stores.posts.newest_id(77) is None


async def test_somebodys_posts_are_found_in_the_channels_asked_for(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2, surface=OTHER_GUILD), post(3, author=BEN), post(4))

    found = await stores.posts.by_author(AKI, channels={CHANNEL.channel_id}, limit=9)

    assert [known.post.id for known in found] == [4, 1]


async def test_posts_without_a_digest_wait_until_attempts_run_out(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2), post(3))
    await summarise(stores, post(2))
    await stores.post_summaries.failed(3)

    assert [one.id for one in await stores.post_summaries.waiting(attempts=2, limit=9)] == [3, 1]
    assert [one.id for one in await stores.post_summaries.waiting(attempts=1, limit=9)] == [1]
    (known,) = await stores.posts.get([2])
    assert known.digest == digest(2)


async def test_an_edited_post_loses_its_digest_and_keeps_its_impression(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "The harbour is calm.")])
    await keep(stores, post(1))
    await summarise(stores, post(1))
    await stores.social.keep_post_impression(MIO, impression(1))

    await stores.archive.edit(1, "The harbour is loud.", after(9))

    (known,) = await stores.posts.get([1])
    assert (known.post.text, known.digest) == ("The harbour is loud.", None)
    assert await recommendable(stores, "sea") == []
    assert await ids(stores, Source.NEWEST) == []
    assert not await stores.post_summaries.put(post(1), digest(), embedding_model=MODEL, now=NOON)


async def test_a_post_that_becomes_sensitive_goes(stores: AnyStores) -> None:
    await keep(stores, post(1))
    await stores.social.keep_post_impression(MIO, impression(1))

    await stores.archive.edit(1, None, after(9))

    assert await stores.posts.get([1]) == []
    assert await stores.social.post_impressions(MIO, limit=9) == []


async def test_posts_go_with_their_messages_channels_servers_and_time(stores: AnyStores) -> None:
    elsewhere = Surface(kind=CHANNEL.kind, channel_id=15, guild_id=GUILD)
    await keep(
        stores, *(post(n) for n in (1, 2, 5)), post(3, surface=THREAD), post(4, surface=OTHER_GUILD),
        post(6, surface=elsewhere),
    )  # fmt: skip
    await stores.social.allow(AllowedChannel(channel_id=20, guild_id=71))

    await stores.archive.delete_older_than(after(2))
    await stores.archive.delete([5])
    await stores.guilds.delete(71)
    assert [known.post.id for known in await stores.posts.get(range(9))] == [2, 3, 6]
    assert await stores.social.channels(71) == []

    await stores.archive.delete_channel(CHANNEL.channel_id)
    assert [known.post.id for known in await stores.posts.get(range(9))] == [6]


async def test_a_character_that_leaves_a_server_forgets_what_it_thought_there(stores: AnyStores) -> None:
    await keep(stores, post(1))
    for character in (MIO, REN):
        await stores.social.keep_post_impression(character, impression(1))

    await stores.archive.delete_guild(GUILD, character=MIO)

    assert await stores.social.post_impressions(MIO, limit=9) == []
    assert len(await stores.social.post_impressions(REN, limit=9)) == 1


async def everything_about(stores: AnyStores, user: int) -> dict[str, int]:
    counts = await stores.privacy.counts(user)
    return {name: count for name, count in counts.items() if name.startswith("social_")}


async def fill(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2, author=BEN))
    await summarise(stores, post(1), post(2, author=BEN))
    for who, number in ((AKI, 1), (BEN, 2)):
        await stores.social.keep_post_impression(MIO, impression(number, peer=who))
        await stores.social.keep_peer_impression(MIO, peer(who))
        await stores.social.follow(MIO, [who], now=NOON)


@pytest.mark.parametrize("way", ["withdraws", "opts out", "is forgotten"])
async def test_nothing_about_somebody_is_left_and_others_stay(stores: AnyStores, way: str) -> None:
    await fill(stores)
    assert set((await everything_about(stores, AKI)).values()) == {1}

    if way == "withdraws":
        await stores.consents.withdraw(AKI)
    elif way == "opts out":
        await stores.users.set_opted_out(AKI, True)
    else:
        await stores.privacy.forget(AKI)

    assert set((await everything_about(stores, AKI)).values()) == {0}
    assert set((await everything_about(stores, BEN)).values()) == {1}
    assert await stores.social.following(MIO) == [BEN]


async def test_everything_about_somebody_is_exported(stores: AnyStores) -> None:
    await fill(stores)

    exported = await stores.privacy.export(AKI)

    assert [row["text"] for row in exported["social_posts"]] == ["The harbour is calm."]
    assert [row["impression"] for row in exported["social_impressions"]] == ["calm"]
    assert [row["impression"] for row in exported["social_peers"]] == ["patient"]
    assert [row["character"] for row in exported["social_follows"]] == [MIO]


async def test_an_impression_of_a_post_is_made_once(stores: AnyStores) -> None:
    await keep(stores, post(1))

    assert await stores.social.keep_post_impression(MIO, impression(1))
    assert not await stores.social.keep_post_impression(MIO, replace(impression(1), text="changed"))
    assert not await stores.social.keep_post_impression(MIO, impression(99))
    assert [held.text for held in await stores.social.post_impressions(MIO, limit=9)] == ["calm"]


async def test_impressions_come_in_pages(stores: AnyStores) -> None:
    await keep(stores, *(post(n) for n in (1, 2, 3)), post(4, author=BEN))
    for number in (1, 2, 3):
        await stores.social.keep_post_impression(MIO, impression(number, seconds=number))
    await stores.social.keep_post_impression(MIO, impression(4, peer=BEN, seconds=4))
    await stores.social.keep_peer_impression(MIO, peer(AKI, seconds=1))
    await stores.social.keep_peer_impression(MIO, peer(BEN, seconds=2))

    assert [held.post_id for held in await stores.social.post_impressions(MIO, limit=2, offset=1)] == [3, 2]
    assert [held.post_id for held in await stores.social.post_impressions(MIO, limit=9, peer_id=BEN)] == [4]
    assert [held.peer_id for held in await stores.social.peer_impressions(MIO, limit=1)] == [BEN]
    assert [held.peer_id for held in await stores.social.peer_impressions(MIO, limit=1, offset=1)] == [AKI]
    assert await stores.social.counts(MIO) == {"interests": 0, "people": 2, "posts": 4, "following": 0}


async def test_an_impression_of_somebody_is_replaced_and_needs_consent(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2, author=REN_ACCOUNT, character=REN))

    assert await stores.social.keep_peer_impression(MIO, peer())
    assert await stores.social.keep_peer_impression(MIO, peer(text="impatient", seconds=5))
    assert await stores.social.keep_peer_impression(MIO, peer(REN_ACCOUNT))
    assert not await stores.social.keep_peer_impression(MIO, peer(BEN))
    assert await stores.social.peer_impression(MIO, AKI) == peer(text="impatient", seconds=5)
    assert await stores.social.peer_impression(MIO, BEN) is None


async def test_only_who_agreed_is_followed_and_stays_where_they_are(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2, author=REN_ACCOUNT, character=REN))

    await stores.social.follow(MIO, [REN_ACCOUNT], now=after(1))
    await stores.social.follow(MIO, [AKI, BEN], now=after(2))
    await stores.social.follow(MIO, [REN_ACCOUNT], now=after(3))
    assert await stores.social.following(MIO) == [REN_ACCOUNT, AKI]

    await stores.social.unfollow(MIO, [REN_ACCOUNT, BEN])
    assert await stores.social.following(MIO) == [AKI]


async def test_interests_are_kept_up_to_a_bound(stores: AnyStores) -> None:
    for number in range(1, 5):
        await stores.social.keep_interest(MIO, interest(number), source="s", embedding_model=MODEL, history=3)

    assert await stores.social.interest(MIO) == interest(4)
    assert await stores.social.interest(REN) is None
    assert await stores.social.interest_history(MIO, limit=9) == [interest(4), interest(3), interest(2)]
    assert await stores.social.interest_history(MIO, limit=1, offset=1) == [interest(3)]


async def test_channels_are_opened_changed_and_closed_with_their_posts(stores: AnyStores) -> None:
    forum = AllowedChannel(channel_id=10, guild_id=GUILD, kind=PlaceKind.FORUM, per_hour=5, may_post=False)
    await stores.social.allow(AllowedChannel(channel_id=10, guild_id=GUILD))
    await stores.social.allow(forum)
    await stores.social.allow(AllowedChannel(channel_id=20, guild_id=71))
    await keep(stores, post(1), post(2, surface=THREAD), post(3, surface=OTHER_GUILD))

    assert await stores.social.channels(GUILD) == [forum]
    assert [channel.channel_id for channel in await stores.social.channels()] == [10, 20]
    assert await stores.social.disallow(10)
    assert not await stores.social.disallow(10)
    assert [known.post.id for known in await stores.posts.get([1, 2, 3])] == [3]


async def test_a_missing_permission_is_noted_once(stores: AnyStores) -> None:
    trouble = Trouble(character=MIO, channel_id=10, action=Action.LIKE, since=NOON)

    assert await stores.social.note_trouble(trouble)
    assert not await stores.social.note_trouble(replace(trouble, since=after(9)))
    assert await stores.social.troubles(MIO) == [trouble]
    assert await stores.social.clear_trouble(MIO, 10, Action.LIKE)
    assert not await stores.social.clear_trouble(MIO, 10, Action.LIKE)
    assert await stores.social.note_trouble(trouble)
    await stores.social.disallow(10)
    assert await stores.social.troubles(MIO) == []


async def test_cycles_are_kept_up_to_a_bound(stores: AnyStores) -> None:
    for number in range(4):
        record = CycleRecord(
            character=MIO,
            began_at=after(number),
            ended_at=after(number + 1),
            done={"read": number},
            failed={"interest": 1},
        )
        await stores.social.record_cycle(record, keep=2)

    kept = await stores.social.cycles(MIO, limit=9)
    assert [record.done for record in kept] == [{"read": 3}, {"read": 2}]
    assert kept[0].ended_at - kept[0].began_at == timedelta(seconds=1)
    assert await stores.social.cycles(REN, limit=9) == []


async def test_a_tier_is_chosen_and_given_back(stores: AnyStores) -> None:
    assert await stores.characters.tier(MIO) is None
    await stores.characters.set_tier(MIO, Tier.BASIC)
    await stores.characters.set_tier(MIO, Tier.ADVANCED)
    assert await stores.characters.tier(MIO) is Tier.ADVANCED
    await stores.characters.set_tier(MIO, None)
    assert await stores.characters.tier(MIO) is None


async def test_the_first_embedding_model_is_the_systems(stores: AnyStores) -> None:
    assert await stores.embeddings.model() is None
    assert await stores.embeddings.settle("old") == "old"
    assert await stores.embeddings.settle("new") == "old"
    assert await stores.embeddings.model() == "old"


async def test_vectors_are_renewed_bit_by_bit_before_the_model_is_switched(stores: AnyStores) -> None:
    await keep(stores, post(1), post(2))
    await stores.embeddings.settle(MODEL)
    await summarise(stores, post(1), post(2))
    await stores.social.keep_interest(MIO, interest(1), source="sea, boats", embedding_model=MODEL, history=3)

    assert await stores.embeddings.count_outdated("new") == 3
    first = await stores.embeddings.outdated("new", limit=2)
    await stores.embeddings.renew("new", [(of, b"\x07" * 512) for of in first])
    assert not await stores.embeddings.switch("new")

    rest = await stores.embeddings.outdated("new", limit=9)
    assert [of.text for of in rest] == ["sea, boats"]
    await stores.embeddings.renew("new", [(of, b"\x08" * 512) for of in rest])
    assert await stores.embeddings.switch("new")
    assert await stores.embeddings.model() == "new"
    held = await stores.social.interest(MIO)
    assert held is not None
    assert held.features == b"\x08" * 512
    assert {known.features for known in await stores.posts.get([1, 2])} == {b"\x07" * 512}
