"""The composition root: the one place that knows every part, and puts them together in order.

Settings, then the database, the packs, the models, the companions, the transports, the scheduler; shut down the
other way round.
"""

import asyncio
import random
import signal
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from bot import bench
from bot.cast import TokenHolder, choose, token_holders
from bot.doctor.examination import Probes, examine_all
from bot.doctor.finding import Finding
from bot.embedded import ensure_weights, has_weights, patient_timeouts, sidecar_options
from bot.policy import at_the_terminal, policy_of
from bot.settings import Configuration, Settings
from bot.terminal.start import ArchiveHistory, terminal_chat
from bot.tiers import endpoints_of
from core.analysis.japanese import JapaneseAnalyser
from core.clock import Clock, SystemClock
from core.errors import PackError
from core.language_model.chain import ModelChain
from core.language_model.client import OpenAIChatModel
from core.language_model.embedded import EmbeddedModel
from core.ports import ChatModel, HistorySource
from core.turn.checks.registry import all_checks
from core.turn.companion import Companion
from core.turn.factory import make_companion
from core.turn.policy import TurnPolicy
from core.values import Character, Locale, Tier
from data.health import look_at
from data.packs.loader import load_pack, load_packs, pack_folders
from data.stores import Stores, open_stores
from prompts.loader import PromptLibrary
from prompts.messages import Messages
from scheduler.housekeeping import Housekeeping
from scheduler.jobs import Jobs

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that is open while the program runs."""

    settings: Settings
    clock: Clock
    rng: random.Random
    messages: Messages
    prompts: PromptLibrary
    stores: Stores
    models: Mapping[Tier, ChatModel]

    def companion(self, character: Character, history: HistorySource, policy: TurnPolicy) -> Companion:
        """Return a companion for a character."""
        return make_companion(
            character=character,
            model=self.models[character.tier],
            stores=self.stores,
            history=history,
            checks=all_checks(),
            prompts=self.prompts,
            messages=self.messages,
            policy=policy,
            clock=self.clock,
            rng=self.rng,
        )


@asynccontextmanager
async def open_app(settings: Settings, characters: Sequence[Character]) -> AsyncIterator[App]:
    """Open what the characters need; close it in the reverse order, models first and the database last."""
    clock, rng = SystemClock(), random.Random()
    async with AsyncExitStack() as stack:
        analyser = JapaneseAnalyser()
        # The dictionary is large: it is read while the rest opens, so that hardly a first message waits for it.
        loading = asyncio.create_task(asyncio.to_thread(analyser.load))
        stack.push_async_callback(asyncio.wait, {loading})
        stores = await stack.enter_async_context(open_stores(settings.database_path, analyser.index_terms))
        # Not before the database is open: nobody should fetch a gigabyte to learn that it can't be.
        await _get_ready(settings, characters)
        await stack.enter_async_context(Jobs(clock=clock, housekeeping=_housekeeping(settings, stores)))
        tiers = frozenset(character.tier for character in characters)
        yield App(
            settings=settings,
            clock=clock,
            rng=rng,
            messages=Messages.load(),
            prompts=PromptLibrary.load(),
            stores=stores,
            models=await stack.enter_async_context(_open_models(settings, tiers, clock, rng)),
        )


async def talk_in_terminal(configuration: Configuration, *, character: str | None, locale: Locale | None) -> None:
    """Hold a chat in the terminal to its end.

    Raises:
        StartError: There is no such character, or no model to be had.
        StorageError: The database can't be used.
    """
    settings = configuration.settings
    chosen = _choose(settings, character)
    async with open_app(settings, [chosen]) as app:
        history = ArchiveHistory(app.stores.archive, chosen.name)
        companion = app.companion(chosen, history, at_the_terminal(policy_of(settings)))
        async with terminal_chat(
            companion=companion, stores=app.stores, messages=app.messages, clock=app.clock, locale=locale
        ) as chat:
            try:
                await chat.run()
            finally:
                await companion.close()


def has_tokens(configuration: Configuration) -> bool:
    """Return whether any character can go on Discord."""
    return bool(_holders(configuration))


async def serve_discord(configuration: Configuration) -> None:
    """Run on Discord until Ctrl-C or a kill, then finish what is under way.

    Raises:
        BotError: Nobody could be connected, or there is no model to be had.
        StorageError: The database can't be used.
    """
    from bot.discord.seats import DiscordOptions, Seat  # noqa: PLC0415 - discord.py takes half a second to import
    from bot.discord.service import DiscordService  # noqa: PLC0415

    settings, holders = configuration.settings, _holders(configuration)
    for found in load_packs(settings.characters_dir).problems:
        _log.error("pack.problem", problem=str(found))
    async with open_app(settings, [holder.character for holder in holders]) as app:
        policy = policy_of(settings)

        def seat(holder: TokenHolder) -> Seat:
            character, model = holder.character, app.models[holder.character.tier]
            return Seat(
                character=character,
                token=holder.token,
                token_variable=holder.variable,
                model_name=model.name,
                accepts_images=model.accepts_images,
                companion=lambda history: app.companion(character, history, policy),
            )

        service = DiscordService(
            seats=[seat(holder) for holder in holders],
            stores=app.stores,
            options=DiscordOptions(
                command_cache=settings.data_dir / "discord-commands.json",
                api_base=settings.discord_api_base,
                gateway=settings.discord_gateway,
                message_content=settings.message_content,
                owner_ids=settings.owner_ids,
                catch_up_window=timedelta(minutes=settings.catch_up_minutes),
                retention_days=settings.retention_days,
            ),
            messages=app.messages,
            clock=app.clock,
            rng=app.rng,
        )
        await service.run(_stop_event())


async def examine() -> list[Finding]:
    """Return what the doctor finds; never raises for what is wrong with the set-up."""
    probes = Probes(
        pack_folders=folders_of_packs,
        pack_problems=pack_problems,
        token_variables=known_token_variables,
        holders=_holders,
        database=look_at,
    )
    return await examine_all(probes, clock=SystemClock())


def known_token_variables(settings: Settings) -> frozenset[str]:
    """Return the variables that packs name for their tokens."""
    with suppress(PackError):
        packs = load_packs(settings.characters_dir).packs.values()
        return frozenset(pack.character.token_env for pack in packs if pack.character.token_env)
    return frozenset()


def folders_of_packs(settings: Settings) -> dict[str, Path]:
    """Return the folder of every pack, by name."""
    return dict(pack_folders(settings.characters_dir))


def pack_problems(folder: Path) -> tuple[str, ...]:
    """Return a line for everything that is wrong with a pack."""
    try:
        load_pack(folder)
    except PackError as error:
        return tuple(str(problem) for problem in error.problems)
    return ()


def pack_warnings(folder: Path) -> tuple[str, ...]:
    """Return a line for everything that a valid pack would be better without."""
    return tuple(str(found) for found in load_pack(folder).warnings)


def load_character(settings: Settings, name: str) -> Character:
    """Return a character by name."""
    return _choose(settings, name)


def model_status(settings: Settings) -> dict[str, list[dict[str, Any]]]:
    """Return the models of each tier in their order, without keys."""
    embedded = {"model": sidecar_options(settings).gguf.name, "at": "embedded", "ready": has_weights(settings)}
    return {
        tier.value: [{"model": endpoint.model, "at": endpoint.base_url} for endpoint in endpoints_of(settings, tier)]
        or [embedded]
        for tier in Tier
    }


async def install_weights(settings: Settings) -> Path:
    """Fetch the embedded model's weights, if they aren't there; return their path."""
    return await ensure_weights(settings)


async def export_user(settings: Settings, user_id: int) -> Mapping[str, Any]:
    """Return everything kept about a user."""
    async with open_stores(settings.database_path, JapaneseAnalyser().index_terms) as stores:
        return await stores.privacy.export(user_id)


async def forget_user(settings: Settings, user_id: int) -> Mapping[str, int]:
    """Delete everything kept about a user; return how many rows of each table went."""
    async with open_stores(settings.database_path, JapaneseAnalyser().index_terms) as stores:
        return await stores.privacy.forget(user_id)


async def bench_turns(turns: int) -> dict[str, float]:
    """Measure turns with the shipped character, in a database of their own."""
    character, clock = next(iter(load_packs().packs.values())).character, SystemClock()
    with tempfile.TemporaryDirectory() as folder:
        analyser = JapaneseAnalyser()
        analyser.load()
        async with open_stores(Path(folder) / "bench.db", analyser.index_terms) as stores:
            app = App(
                settings=Settings(_env_file=None),
                clock=clock,
                rng=random.Random(1),
                messages=Messages.load(),
                prompts=PromptLibrary.load(),
                stores=stores,
                models={character.tier: bench.StubModel()},
            )
            history = ArchiveHistory(stores.archive, character.name)
            companion = app.companion(character, history, at_the_terminal(TurnPolicy()))
            measured = await bench.measure(companion, turns=turns, clock=clock)
            await companion.close()
    return {**measured, **await bench.measure_start(clock)}


@asynccontextmanager
async def _open_models(
    settings: Settings, tiers: Iterable[Tier], clock: Clock, rng: random.Random
) -> AsyncIterator[dict[Tier, ChatModel]]:
    async with AsyncExitStack() as stack:
        opened: dict[Tier, ChatModel] = {}
        embedded: EmbeddedModel | None = None
        for tier in sorted(tiers):
            models: list[ChatModel] = []
            for endpoint in endpoints_of(settings, tier):
                model = OpenAIChatModel(endpoint, clock=clock)
                stack.push_async_callback(model.aclose)
                models.append(model)
            if not models:
                if embedded is None:
                    embedded = await stack.enter_async_context(_embedded(settings, clock))
                models.append(embedded)
            opened[tier] = ModelChain(tier=tier, models=models, clock=clock, rng=rng)
        yield opened


@asynccontextmanager
async def _embedded(settings: Settings, clock: Clock) -> AsyncIterator[EmbeddedModel]:
    """Open the embedded model, which loads while the first message is still being written."""
    model = EmbeddedModel(options=sidecar_options(settings), clock=clock, timeouts=patient_timeouts(settings))
    warming = asyncio.create_task(model.warm_up())
    try:
        yield model
    finally:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
        await model.aclose()


def _housekeeping(settings: Settings, stores: Stores) -> Housekeeping:
    retention = timedelta(days=settings.retention_days)
    return Housekeeping(
        archive=stores.archive,
        sessions=stores.sessions,
        traces=stores.traces,
        message_retention=retention,
        trace_retention=retention,
    )


async def _get_ready(settings: Settings, characters: Iterable[Character]) -> None:
    if any(not endpoints_of(settings, character.tier) for character in characters):
        await ensure_weights(settings)


def _choose(settings: Settings, name: str | None) -> Character:
    shipped, folders = pack_folders(), pack_folders(settings.characters_dir)
    own = [known for known, path in folders.items() if shipped.get(known) != path]
    return load_pack(folders[choose(folders, name or settings.character, own=own)]).character


def _holders(configuration: Configuration) -> list[TokenHolder]:
    settings = configuration.settings
    loaded = load_packs(settings.characters_dir)
    main = _choose(settings, None) if settings.discord_token is not None else None
    return token_holders(configuration, {name: pack.character for name, pack in loaded.packs.items()}, main)


def _stop_event() -> asyncio.Event:
    """Return an event that Ctrl-C and a kill set."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    return stop
