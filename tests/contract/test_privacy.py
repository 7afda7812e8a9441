"""`PrivacyStore`: everything about one person, and nothing about anybody else."""

import json

from core.proactive.types import Reason, Recipient, RecipientKind, SlotRecord, SlotState, Subscription, Wishes
from core.stance.types import StanceInertia
from core.values import Locale, UserProfile
from tests.contract.bundle import (
    AKI,
    AKI_DM,
    BEN,
    BEN_DM,
    CHANNEL,
    GUILD,
    HINATA,
    NOON,
    TODAY,
    AnyStores,
    after,
    call,
    key,
    message,
    summarise,
    trace,
)


async def fill(stores: AnyStores) -> None:
    """Two people talk, each in their own DM and both in a channel."""
    for user, dm in ((AKI, AKI_DM), (BEN, BEN_DM)):
        await stores.archive.add(
            [
                message(user * 10, f"dm of {user}", surface=dm, author=user),
                message(user * 10 + 1, f"answer to {user}", surface=dm, author=HINATA),
                message(user * 10 + 2, f"channel of {user}", author=user),
                message(user * 10 + 3, "answer to all", author=HINATA),
            ]
        )
        await stores.sessions.touch(key(dm), now=NOON, expires_at=after(60))
        await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
        for place in (dm, CHANNEL):
            pushed = StanceInertia(active_pushback_count=1, reflective_support_turn_count=1)
            await stores.sessions.set_inertia(key(place), user, pushed, now=NOON)
        await stores.users.set_locale(user, Locale.EN)
        for character in ("hinata", "mio"):
            await stores.users.seen(user, character=character, now=NOON, locale=None)
        await stores.kept_facts.add(user, f"fact of {user}", now=NOON)
        await let_speak_first(stores, user)
        await stores.consents.give(user, now=NOON)
        await summarise(stores, key(dm), user * 10, user * 10 + 1)
        await stores.usage.add(call(user=user))
        await stores.traces.add(trace(f"dm-{user}", surface=dm, user=user))
        await stores.traces.add(trace(f"channel-{user}", user=user))
    await summarise(stores, key(CHANNEL), 12, 13, 22, 23)


async def let_speak_first(stores: AnyStores, user: int) -> None:
    """They let the character speak first, in their DM and in a channel of theirs, and an occasion went by."""
    own = Recipient("hinata", RecipientKind.USER, user)
    channel = Recipient("hinata", RecipientKind.CHANNEL, user + 100)
    for who, guild, chooser in ((own, None, None), (channel, GUILD, user)):
        await stores.subscriptions.put(
            Subscription(
                recipient=who, enabled=True, wishes=Wishes(timezone="Asia/Tokyo"), guild_id=guild, chosen_by=chooser
            )
        )
    missed = SlotRecord(
        id=f"missed-{user}", recipient=own, slot_key="k", due_at=NOON, state=SlotState.SKIPPED, reason=Reason.MISSED
    )
    assert await stores.slots.decide(missed)


EVERYTHING = {
    "users": 1,
    "summaries": 2,
    "memory_consents": 1,
    "acquaintances": 2,
    "conversations": 1,
    "sessions": 1,
    "stance_inertia": 2,
    "archive": 3,
    "usage": 1,
    "usage_days": 1,
    "kept_facts": 1,
    "traces": 2,
    "proactive_subscriptions": 1,
    "proactive_channels": 1,
    "proactive_slots": 1,
    # Filled in where the social side is tested.
    "social_impressions": 0,
    "social_peers": 0,
    "social_follows": 0,
    "social_posts": 0,
}
NOTHING = dict.fromkeys(EVERYTHING, 0)


async def test_counts_are_of_one_person(stores: AnyStores) -> None:
    assert await stores.privacy.counts(AKI) == NOTHING

    await fill(stores)

    assert await stores.privacy.counts(AKI) == EVERYTHING


async def test_forgetting_deletes_the_person_and_only_them(stores: AnyStores) -> None:
    await fill(stores)

    assert await stores.privacy.forget(AKI) == EVERYTHING

    assert await stores.privacy.counts(AKI) == NOTHING
    assert await stores.privacy.counts(BEN) == {**EVERYTHING, "summaries": 1}
    assert await stores.summaries.get(key(CHANNEL)) is None
    assert await stores.consents.given_at(AKI) is None
    assert await stores.archive.recent(key(AKI_DM), limit=9) == []
    in_channel = [utterance.text for utterance in await stores.archive.recent(key(CHANNEL), limit=9)]
    assert in_channel == ["answer to all", "channel of 2", "answer to all"]
    assert (await stores.recall.search(key(CHANNEL), ["1"], limit=9)).hits == ()
    assert await stores.sessions.current(key(AKI_DM), now=NOON) is None
    assert await stores.sessions.inertia(key(CHANNEL), AKI, now=NOON) == StanceInertia()
    assert await stores.sessions.inertia(key(CHANNEL), BEN, now=NOON) != StanceInertia()
    assert await stores.traces.get("channel-1") is None
    assert await stores.users.get(AKI) == UserProfile(id=AKI)
    assert await stores.users.last_seen(AKI, character="hinata") is None
    assert await stores.users.last_seen(BEN, character="hinata") == NOON


async def test_a_channel_that_somebody_chose_stays_chosen_by_nobody(stores: AnyStores) -> None:
    await fill(stores)

    await stores.privacy.forget(AKI)

    channel = await stores.subscriptions.get(Recipient("hinata", RecipientKind.CHANNEL, AKI + 100))
    assert channel is not None
    assert (channel.enabled, channel.chosen_by) == (True, None)
    assert await stores.slots.find(f"missed-{AKI}") is None


async def test_forgetting_twice_deletes_nothing_more(stores: AnyStores) -> None:
    await fill(stores)
    await stores.privacy.forget(AKI)

    assert await stores.privacy.forget(AKI) == NOTHING


async def test_forgetting_does_not_give_back_the_days_budget(stores: AnyStores) -> None:
    await fill(stores)
    of_all, of_guild = await stores.usage.totals(TODAY), await stores.usage.totals(TODAY, guild_id=GUILD)

    await stores.privacy.forget(AKI)

    assert await stores.usage.totals(TODAY) == of_all
    assert await stores.usage.totals(TODAY, guild_id=GUILD) == of_guild
    assert (await stores.usage.totals(TODAY, user_id=AKI)).calls == 0


async def test_an_opt_out_survives_as_the_bare_fact(stores: AnyStores) -> None:
    await fill(stores)
    await stores.users.set_opted_out(AKI, True)

    assert (await stores.privacy.forget(AKI))["users"] == 1
    assert await stores.users.get(AKI) == UserProfile(id=AKI, opted_out=True)

    assert await stores.privacy.forget(AKI) == NOTHING
    assert await stores.users.get(AKI) == UserProfile(id=AKI, opted_out=True)
    assert await stores.users.last_seen(AKI, character="hinata") is None


async def test_somebody_who_was_forgotten_is_numbered_like_somebody_new(stores: AnyStores) -> None:
    await fill(stores)
    await stores.users.set_opted_out(AKI, True)
    await stores.privacy.forget(AKI)

    again = await stores.kept_facts.add(AKI, "again", now=NOON)
    assert again is not None
    assert again.number == 1


async def test_an_export_is_plain_json_grouped_by_table(stores: AnyStores) -> None:
    await fill(stores)

    export = await stores.privacy.export(AKI)

    assert json.loads(json.dumps(export)) == export
    assert {table: len(rows) for table, rows in export.items()} == EVERYTHING
    assert {row["character"] for row in export["acquaintances"]} == {"hinata", "mio"}
    texts = sorted(row["text"] for row in export["archive"])
    assert texts == ["answer to 1", "channel of 1", "dm of 1"]


async def test_the_export_of_somebody_unknown_is_empty(stores: AnyStores) -> None:
    assert await stores.privacy.export(AKI) == {table: [] for table in EVERYTHING}


async def test_a_private_conversation_belongs_to_its_person_after_its_messages_expired(stores: AnyStores) -> None:
    await fill(stores)

    await stores.archive.delete_older_than(after(10_000))

    assert (await stores.privacy.counts(AKI))["sessions"] == 1
