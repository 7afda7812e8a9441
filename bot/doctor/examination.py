"""The whole examination, in the order things are needed at a start."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot import settings as settings_module
from bot.cast import TokenHolder
from bot.doctor.community import CommunityState, check_community, check_embedder
from bot.doctor.discord_api import TokenToCheck, check_tokens
from bot.doctor.finding import Finding, ok, problem, warning
from bot.doctor.machine import check_data_dir, check_dependencies, check_disk, check_python, check_zone
from bot.doctor.models import check_embedded, check_tiers
from bot.embedded import has_weights
from bot.errors import BotError, SettingsError
from bot.settings import Configuration, Settings
from bot.tiers import endpoints_of, has_money_caps, unpriced
from core.clock import Clock
from core.errors import CoreError
from core.values import Tier


class DatabaseState(Protocol):
    """What is known of a database that could be opened."""

    @property
    def name(self) -> str:
        """Which it is, without secrets."""

    @property
    def size(self) -> int:
        """Bytes."""

    @property
    def schema(self) -> int:
        """The last migration of the database."""

    @property
    def newest(self) -> int:
        """The last migration of the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probes:
    """What the doctor looks with, where it may not look itself."""

    pack_folders: Callable[[Settings], Mapping[str, Path]]
    pack_problems: Callable[[Path], Sequence[str]]
    token_variables: Callable[[Settings], frozenset[str]]
    holders: Callable[[Configuration], Sequence[TokenHolder]]
    places_problems: Callable[[Settings], Sequence[str]]
    database: Callable[[Path | str], Awaitable[DatabaseState | None]]
    community: Callable[[Settings], Awaitable[CommunityState | None]]


async def examine_all(probes: Probes, *, clock: Clock) -> list[Finding]:
    """Return everything that was found; what is wrong with one part never hides another."""
    findings = [check_python(), check_dependencies()]
    try:
        configuration = settings_module.load()
    except SettingsError as error:
        fix = "Correct this line in .env or the environment."
        return [*findings, *(problem("settings", line, fix) for line in error.lines), *_misspelt(probes)]
    settings = configuration.settings
    weights_wanted = any(not endpoints_of(settings, tier) for tier in Tier)
    findings += _settings(configuration, probes)
    findings += [
        check_data_dir(settings.data_dir),
        await _database(settings, probes),
        check_disk(settings.data_dir, weights_wanted=weights_wanted and not has_weights(settings)),
        *_packs(settings, probes),
        *_places(settings, probes),
        check_zone(clock.now(), settings.timezone),
        *await _discord(configuration, probes, clock),
        *await check_tiers(settings, clock=clock),
    ]
    if weights_wanted:
        findings += await check_embedded(settings)
    if settings.social:
        findings += [await check_embedder(settings, clock=clock), *await _community(settings, probes, clock)]
    return findings


def _settings(configuration: Configuration, probes: Probes) -> list[Finding]:
    settings = configuration.settings
    return [
        ok("settings", "every value is good"),
        *_unknown(configuration, probes),
        ok("limits", _money(settings)),
        *_prices(settings),
        *_http(settings),
    ]


def _misspelt(probes: Probes) -> list[Finding]:
    """Warn of variables that mean nothing where values are bad as well: all of it is to be corrected at once."""
    try:
        return _unknown(settings_module.load_what_is_good(), probes)
    except SettingsError:
        return []  # .env can't be read, which was said already


def _unknown(configuration: Configuration, probes: Probes) -> list[Finding]:
    lines = configuration.warnings(also_known=probes.token_variables(configuration.settings))
    return [warning("settings", line, "Correct the name or remove the line.") for line in lines]


def _http(settings: Settings) -> list[Finding]:
    """Warn of figures that other machines can ask for."""
    if not settings.http_port or not settings.http_allow_remote:
        return []
    fix = "Keep the port from others by a firewall, or leave out YORISOI_HTTP_ALLOW_REMOTE."
    return [warning("http", f"{settings.http_host}:{settings.http_port} answers anybody who reaches it", fix)]


def _money(settings: Settings) -> str:
    if not has_money_caps(settings):
        return "no limit in money"

    def told(*costs: float) -> str:
        return ", ".join(f"{cost:g} {settings.currency}" if cost else "no limit" for cost in costs)

    day = told(settings.user_daily_cost, settings.guild_daily_cost, settings.global_daily_cost)
    month = told(settings.user_monthly_cost, settings.guild_monthly_cost, settings.global_monthly_cost)
    return f"money a day for a user, a server, all: {day}; money a month for a user, a server, all: {month}"


def _prices(settings: Settings) -> list[Finding]:
    """Warn of caps in money that some models can't reach."""
    if not has_money_caps(settings):
        return []
    fix = f"Give their prices in YORISOI_MODEL_PRICES (in {settings.currency} per million tokens), or ignore this."
    return [warning("limits", f"{model} has no price: no limit in money stops it", fix) for model in unpriced(settings)]


async def _database(settings: Settings, probes: Probes) -> Finding:
    try:
        state = await probes.database(settings.database)
    except CoreError as error:
        return problem("database", str(error), "See above; nothing was changed.")
    if state is None:
        return ok("database", f"{settings.database_path} will be made at the first start")
    text = f"{state.name} is sound ({state.size / 1e6:.1f} MB, schema {state.schema})"
    if state.schema < state.newest:
        text += f"; the next start brings it to schema {state.newest}"
    return ok("database", text)


def _packs(settings: Settings, probes: Probes) -> list[Finding]:
    try:
        folders = probes.pack_folders(settings)
    except CoreError as error:
        return [problem("character", str(error), "Correct YORISOI_CHARACTERS_DIR.")]
    findings = []
    for name, folder in folders.items():
        problems = probes.pack_problems(folder)
        fix = f"Correct the file, then `yorisoi character validate {name}`."
        findings += [problem(f"character ({name})", line, fix) for line in problems]
        if not problems:
            findings.append(ok(f"character ({name})", f"the pack in {folder} is complete"))
    return findings


def _places(settings: Settings, probes: Probes) -> list[Finding]:
    own = settings.resources_file
    try:
        faults = probes.places_problems(settings)
    except CoreError as error:
        return [problem("places", str(error), "Install the program again: the file comes with it.")]
    if own is None:
        return [ok("places", "the list of places to turn to that comes with the program")]
    fix = "Correct the file or YORISOI_RESOURCES_FILE; what is wrong is left out. docs/stance.md describes the file."
    return [warning("places", fault, fix) for fault in faults] or [ok("places", f"every entry of {own} is good")]


async def _community(settings: Settings, probes: Probes, clock: Clock) -> list[Finding]:
    """Look at the community in a database that is sound and up to date; what is wrong with it was said already."""
    try:
        found = await probes.database(settings.database)
        state = await probes.community(settings) if found is not None and found.schema == found.newest else None
    except CoreError:
        return []
    return check_community(settings, state, now=clock.now())


async def _discord(configuration: Configuration, probes: Probes, clock: Clock) -> list[Finding]:
    settings = configuration.settings
    try:
        holders = probes.holders(configuration)
    except CoreError:
        return []  # what is wrong with the characters was said already
    except BotError as error:
        return [problem("discord", str(error), "Name the character that the token belongs to, or correct its pack.")]
    entries = [
        TokenToCheck(character=holder.character.name, variable=holder.variable, token=holder.token)
        for holder in holders
    ]
    wanted = settings.message_content
    return await check_tokens(settings.discord_api_base, entries, clock=clock, wants_content=wanted)
