"""The parts of one connected character, put together once its user id is known."""

import random
from dataclasses import dataclass

import discord

from bot.discord.absence import Absence
from bot.discord.catchup import CatchUp
from bot.discord.chains import Chains
from bot.discord.community.accounts import Accounts
from bot.discord.community.deeds import DiscordDeeds
from bot.discord.community.posts import DiscordPosts
from bot.discord.community.reading_posts import PostReading
from bot.discord.courier import ClosedChannels, Courier
from bot.discord.downloads import Downloads
from bot.discord.history import DiscordHistory
from bot.discord.inbound import Inbound
from bot.discord.messenger import DiscordMessenger
from bot.discord.outbound import Outbox
from bot.discord.partners import Partners
from bot.discord.places import Places
from bot.discord.reading import Reading
from bot.discord.reception import Reception
from bot.discord.seats import DiscordOptions, Seat
from core.clock import Clock
from core.ports import Stores
from core.sharding.shards import EVERYTHING, Shards
from core.sharding.tenure import Tenure
from core.turn.companion import Companion
from prompts.messages import Messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What all characters of a process share."""

    stores: Stores
    options: DiscordOptions
    messages: Messages
    clock: Clock
    rng: random.Random
    tenure: Tenure
    accounts: Accounts
    shards: Shards = EVERYTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """One character's parts."""

    companion: Companion
    reading: Reading
    inbound: Inbound
    reception: Reception
    places: Places
    catch_up: CatchUp
    writing: Courier
    messenger: DiscordMessenger
    posts: DiscordPosts
    deeds: DiscordDeeds


def build_kit(*, client: discord.Client, own_id: int, seat: Seat, shared: Surroundings) -> Kit:
    """Put the parts together; nothing is asked of Discord yet.

    Reading and writing have a courier each: that a history may not be read says nothing about writing there.
    """
    clock = shared.clock
    writing = Courier(clock=clock, rng=shared.rng, closed=ClosedChannels(clock=clock))
    asking = Courier(clock=clock, rng=shared.rng, closed=ClosedChannels(clock=clock))
    reading = Reading(own_id=own_id, fallback_locale=seat.character.locale, messages=shared.messages)
    places = Places(client=client, courier=asking)
    shared.accounts.know(own_id, seat.character.name)
    reading_posts = PostReading(reading=reading, accounts=shared.accounts)
    history = DiscordHistory(places=places, reading=reading, courier=asking)
    companion = seat.companion(history, shared.messages)
    inbound = Inbound(
        character=seat.character,
        reading=reading,
        chains=Chains(reading=reading, courier=asking),
        partners=Partners(clock=clock),
        downloads=Downloads(shared.options.files),
        accepts_images=seat.accepts_images,
        message_content=shared.options.message_content,
    )
    outbox = Outbox(courier=writing, messages=shared.messages, clock=clock)
    reception = Reception(companion=companion, inbound=inbound, reading=reading, outbox=outbox)
    catch_up = CatchUp(
        client=client,
        companion=companion,
        reception=reception,
        inbound=inbound,
        history=history,
        absence=Absence(companion=companion, inbound=inbound),
        traces=shared.stores.traces,
        window=shared.options.catch_up_window,
        shards=shared.shards,
        clock=clock,
    )
    return Kit(
        companion=companion,
        reading=reading,
        inbound=inbound,
        reception=reception,
        places=places,
        catch_up=catch_up,
        writing=writing,
        messenger=DiscordMessenger(client=client, places=places, courier=writing, clock=clock),
        posts=DiscordPosts(client=client, places=places, courier=asking, reading=reading_posts),
        deeds=DiscordDeeds(
            client=client,
            places=places,
            writing=writing,
            liking=Courier(clock=clock, rng=shared.rng, closed=ClosedChannels(clock=clock)),
            reading=reading_posts,
        ),
    )
