"""The composition root: the one place that knows every part, and puts them together in order.

Settings, then the database, the packs, the models, the companions, the transports, the scheduler; shut down the
other way round.
"""

import asyncio
import os
import random
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bot.application import App
from bot.backups import backup_tick
from bot.cast import TokenHolder
from bot.errors import StartError
from bot.loading import loading, standing
from bot.membership import Membership
from bot.models import get_ready, open_models, tiers_of
from bot.operations.disk import make_data_dir, require_database
from bot.operations.operator import Operator
from bot.operations.vitals import Connection
from bot.operations.watching import Watch, watching
from bot.packs import holders_among, known_token_variables, load_character, second_opinion
from bot.policy import at_the_terminal, discord_options, policy_of
from bot.settings import Configuration, Settings
from bot.social import open_embedder
from bot.stance import load_stance
from bot.stopping import end_anyway, stop_event
from bot.terminal.names import typed_name
from bot.terminal.start import ArchiveHistory, terminal_chat
from bot.warming import Warming
from core.analysis.japanese import JapaneseAnalyser
from core.characters.pack import CharacterPack
from core.clock import Clock, SystemClock
from core.embedding.encoder import SentenceEncoder
from core.facts.capsule.inspection import timetable_of
from core.facts.schedule.timetable import Timetable
from core.facts.time_claims import compile_patterns
from core.ports import HistorySource, Messenger, Overseer, Unseen
from core.proactive.attempt import NobodyWatches, Witness
from core.proactive.drafting import Drafting
from core.proactive.factory import Outlets
from core.proactive.observing import LONGEST_COOLDOWN
from core.proactive.repertoire import Repertoire
from core.recall.search import Recall
from core.sharding.tenure import AllShards, LeasedShards, Tenure
from core.social.cycle import CycleReport
from core.social.factory import make_cycle
from core.social.reembedding import require_model
from core.turn.companion import Companion
from core.turn.policy import TurnPolicy
from core.values import Locale, Tier
from data.packs.live import LiveTimetable
from data.packs.loader import load_packs, pack_folders
from data.places import places_file
from data.stores import open_stores
from prompts.loader import PromptLibrary
from prompts.messages import Messages
from scheduler.housekeeping import Housekeeping
from scheduler.jobs import Jobs
from scheduler.proactive import ProactiveTick
from scheduler.social import CommunityTick, DigestTick

if TYPE_CHECKING:
    from bot.discord.seats import SandboxRoom

_BACKUPS_LOOKED_AT_SECONDS = 600

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def open_app(
    settings: Settings,
    packs: Sequence[CharacterPack],
    *,
    witness: Witness | None = None,
    overseer: Overseer | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[App]:
    """Open what the characters need; close it in the reverse order, models first and the database last.

    `witness` is told of the steps of speaking first, `overseer` of turns, calls and caps; nobody is by default. `clock`
    is the machine's by default.
    """
    clock, rng = clock or SystemClock(), random.Random()
    async with AsyncExitStack() as stack:
        analyser = JapaneseAnalyser()
        stores = await stack.enter_async_context(open_stores(settings.database, analyser.index_terms, clock=clock))
        tiers, prompts = frozenset(Tier) if packs else tiers_of(packs), PromptLibrary.load()
        encoder = SentenceEncoder()
        embedder = await stack.enter_async_context(open_embedder(settings, clock, encoder))
        await require_model(stores.embeddings, embedder.name)
        stance = await load_stance(settings, places=places_file(), analyser=analyser, prompts=prompts, encoder=encoder)
        recall = Recall.on(stores.recall, analyser=analyser, embedder=embedder, places=settings.recall_messages)
        stack.push_async_callback(recall.filler.close)
        looking = asyncio.create_task(stack.enter_context(standing()).keep_looking(SystemClock()))
        stack.callback(looking.cancel)
        # Not before all of this is open: nobody should fetch a gigabyte to learn that it can't be.
        await get_ready(settings, tiers)
        warming = Warming(stance.warm_up, encoder.load, stance.compile_patterns, compile_patterns)
        stack.push_async_callback(warming.close)
        yield App(
            settings=settings,
            clock=clock,
            rng=rng,
            messages=Messages.load(),
            prompts=prompts,
            stance=stance,
            recall=recall,
            stores=stores,
            models=await stack.enter_async_context(open_models(settings, tiers, clock, rng)),
            worker=f"{rng.getrandbits(64):016x}",
            witness=witness or NobodyWatches(),
            overseer=overseer or Unseen(),
            embedder=embedder,
            warming=warming,
        )


def community_of(app: App, policy: TurnPolicy, jobs: Jobs) -> Callable[[CharacterPack], Membership | None]:
    """Return what makes characters members of the community; of none where it is switched off.

    From now on it goes round, and posts are summarised.
    """
    settings = app.settings
    if not settings.social:
        return lambda _: None
    parts, community = app.social_parts(policy), CommunityTick()
    digests = DigestTick(lambda: parts.digesting(app.models[Tier.BASIC]))
    jobs.every("community", community.tick, seconds=settings.social_minutes * 60)
    jobs.every("digests", digests.tick, seconds=settings.social_digest_minutes * 60)
    return partial(Membership, app, parts, community)


async def talk_in_terminal(configuration: Configuration, *, character: str | None, locale: Locale | None) -> None:
    """Hold a chat in the terminal to its end.

    Raises:
        StartError: There is no such character, or no model to be had.
        StorageError: The database can't be used.
    """
    settings = configuration.settings
    chosen = load_character(settings, character)
    async with open_app(settings, [chosen]) as app, _jobs(app):
        history = ArchiveHistory(app.stores.archive, chosen.character.name)
        messages = app.messages.naming(typed_name)
        table = timetable_of(chosen)
        companion = app.companion(chosen, history, at_the_terminal(policy_of(settings)), messages, table)
        # While the first message is still being written.
        app.warm_up([(chosen, table)])
        async with terminal_chat(
            companion=companion, stores=app.stores, messages=messages, clock=app.clock, locale=locale
        ) as chat:
            try:
                await chat.run()
            finally:
                await companion.close()
            if chat.came_to_nothing:
                raise StartError("No model answered. `yorisoi doctor` says what is wrong and how to mend it.")


def has_tokens(configuration: Configuration) -> bool:
    """Return whether anybody is meant to go on Discord: there is a token, for whichever character."""
    settings = configuration.settings
    return settings.discord_token is not None or any(map(configuration.secret, known_token_variables(settings)))


async def serve_discord(
    configuration: Configuration,
    *,
    witness: Witness | None = None,
    clock: Clock | None = None,
    wait_for_shards: bool = False,
) -> None:
    """Run on Discord until Ctrl-C or a kill, then finish what is under way. `witness` and `clock`: see `open_app`.

    Where another process has the shards, it is waited for if `wait_for_shards` says so.

    Raises:
        BotError: Nobody could be connected, or there is no model to be had.
        StorageError: The database can't be used.
        ShardsHeldError: Another process has the shards, or some of them.
        ShardsLostError: Another process may have them by now.
    """
    with loading():
        from bot.discord.seats import Seat  # noqa: PLC0415 - discord.py takes half a second to import
        from bot.discord.service import DiscordService  # noqa: PLC0415
        from bot.reports import Reports  # noqa: PLC0415

    settings = configuration.settings
    make_data_dir(settings.data_dir)
    loaded = load_packs(settings.characters_dir)
    holders, folders = holders_among(loaded, configuration), pack_folders(settings.characters_dir)
    for found in loaded.problems:
        _log.error("pack.problem", problem=str(found))
    packs = [holder.pack for holder in holders]
    clock = clock or SystemClock()
    async with (
        watching(settings, clock) as watch,
        open_app(settings, packs, witness=witness, overseer=watch.vitals, clock=clock) as app,
        _tenure(app, packs, wait=wait_for_shards) as tenure,
        _jobs(app, ticked=watch.vitals.ticked, leads=lambda: tenure.leads) as jobs,
    ):
        policy = policy_of(settings)
        member = community_of(app, policy, jobs)
        if (backups := backup_tick(settings)) is not None:
            jobs.every("backups", backups.tick, seconds=_BACKUPS_LOOKED_AT_SECONDS)
        reports = Reports(settings=settings, clock=app.clock, messages=app.messages)
        sandbox = _sandbox(settings, app.clock) if settings.environment == "staging" else None

        timetables: dict[str, Timetable | None] = {}

        def connected(name: str, state: Connection) -> None:
            watch.vitals.connected(name, state)
            if state is Connection.READY:
                app.warm_up((pack, timetables.get(pack.character.name)) for pack in packs)

        def companion(pack: CharacterPack, history: HistorySource, messages: Messages) -> Companion:
            table = timetables[pack.character.name] = timetable_of(pack)
            made = app.companion(pack, history, policy, messages, table)
            watch.vitals.count_backlog(pack.character.name, lambda: made.backlog)
            return made

        def seat(holder: TokenHolder) -> Seat:
            character, model = holder.character, app.model_of(holder.pack)
            return Seat(
                character=character,
                token=holder.token,
                token_variable=holder.variable,
                model_name=model.name,
                accepts_images=model.accepts_images,
                companion=partial(companion, holder.pack),
                repertoire=_repertoire(app, holder.pack, policy),
                report=partial(reports.page, app.stores),
                sandbox=sandbox,
                community=member(holder.pack),
                model_names={tier: one.name for tier, one in app.models.items()},
                voice=_Voice(app=app, jobs=jobs, pack=holder.pack, folder=folders[character.name], policy=policy),
            )

        service = DiscordService(
            seats=[seat(holder) for holder in holders],
            stores=app.stores,
            options=discord_options(settings),
            messages=app.messages,
            clock=app.clock,
            rng=app.rng,
            connected=connected,
            operator=_operator(settings, watch),
            shards=settings.shards,
            tenure=tenure,
            last_resort=end_anyway,
        )
        await service.run(stop_event())


def _sandbox(settings: Settings, clock: Clock) -> "SandboxRoom":
    from bot.sandboxes import Sandbox  # noqa: PLC0415 - it comes back here for characters, and only staging has one

    return Sandbox.make(settings, clock)


def _operator(settings: Settings, watch: Watch) -> Operator | None:
    if settings.operator_channel is None or watch.notices is None:
        return None
    return Operator(channel_id=settings.operator_channel, locale=settings.operator_language, notices=watch.notices)


def _repertoire(app: App, pack: CharacterPack, policy: TurnPolicy) -> Repertoire:
    return Repertoire(
        policy=pack.proactive,
        candidates=pack.candidates,
        drafting=Drafting(
            character=pack.character,
            candidates=pack.candidates,
            model=app.model_of(pack),
            drafts=app.stores.drafts,
            prompts=app.prompts,
            book=app.book(policy),
            clock=app.clock,
            opinion=second_opinion(),
        ),
    )


async def rehearse_cycle(settings: Settings, character: str | None) -> CycleReport:
    """Rehearse one cycle of a character on the posts that are kept; nothing is changed.

    Raises:
        StartError: There is no database, no such character, or no model to be had.
        StorageError: The database can't be used.
    """
    require_database(settings)
    pack = load_character(settings, character)
    async with open_app(settings, [pack]) as app:
        parts = app.social_parts(policy_of(settings))
        return await make_cycle(parts, app.participant(pack), rehearsal=True).run()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Voice:
    """`bot.discord.seats.Voice`: a tick of the scheduler for as long as the character is connected."""

    app: App
    jobs: Jobs
    pack: CharacterPack
    folder: Path
    policy: TurnPolicy

    def begin(self, companion: Companion, messenger: Messenger) -> None:
        """Let it speak from now on, if its pack lets it at all."""
        if not self.pack.proactive.enabled:
            return
        settings, stores = self.app.settings, self.app.stores
        outlets = Outlets(messenger=messenger, keeper=companion.first_words, timetables=LiveTimetable(self.folder))
        tick = ProactiveTick(
            character=self.pack.character.name,
            occasions=self.app.occasions(self.pack, outlets, self.policy),
            subscriptions=stores.subscriptions,
            slots=stores.slots,
            concurrency=settings.proactive_at_once,
            shards=settings.shards,
        )
        self.jobs.speak_first(self.pack.character.name, tick, seconds=settings.proactive_look_seconds)

    async def let_go(self, user_id: int) -> None:
        """Stop what is under way for a person."""
        await self.jobs.let_go(self.pack.character.name, user_id)

    async def end(self) -> None:
        """Let it speak no more."""
        await self.jobs.fall_silent(self.pack.character.name)


@asynccontextmanager
async def _tenure(app: App, packs: Sequence[CharacterPack], *, wait: bool) -> AsyncIterator[Tenure]:
    """Take the shards and give them up at the end. A file belongs to one machine, and its claims are enough there."""
    settings = app.settings
    if settings.database_url is None:
        yield AllShards(app.clock)
        return
    tenure = LeasedShards(
        store=app.stores.leases,
        clock=app.clock,
        shards=settings.shards,
        names=[pack.character.name for pack in packs],
        token=app.worker,
        holder=f"{socket.gethostname()}:{os.getpid()}",
        seconds=settings.lease_seconds,
    )
    await tenure.begin(wait=wait)
    try:
        yield tenure
    finally:
        await tenure.end()


def _jobs(app: App, ticked: Callable[[], None] = lambda: None, leads: Callable[[], bool] = lambda: True) -> Jobs:
    retention = timedelta(days=app.settings.retention_days)
    housekeeping = Housekeeping(
        archive=app.stores.archive,
        sessions=app.stores.sessions,
        traces=app.stores.traces,
        slots=app.stores.slots,
        usage=app.stores.usage,
        message_retention=retention,
        trace_retention=retention,
        slot_retention=LONGEST_COOLDOWN,
    )
    return Jobs(clock=app.clock, housekeeping=housekeeping, ticked=ticked, leads=leads)
