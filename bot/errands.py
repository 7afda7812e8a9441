"""What a command does and is done with: put together from what it needs, not from all that a running bot needs."""

import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from bot.doctor.community import embedding_model_of
from bot.doctor.examination import Probes, examine_all
from bot.doctor.finding import Finding
from bot.errors import StartError
from bot.evaluation.opening import open_stage
from bot.evaluation.stage import Stage
from bot.operations.disk import require_database
from bot.packs import folders_of_packs, holders, known_token_variables, pack_problems
from bot.settings import Settings
from bot.social import open_embedder
from bot.stance import places_problems
from bot.usage_report import UsageReport, month_until, usage_report
from core.analysis.japanese import JapaneseAnalyser
from core.characters.pack import CharacterPack
from core.clock import SystemClock
from core.embedding.encoder import SentenceEncoder
from core.embedding.remembering import RememberingEncoder
from core.ports import MessageArchive
from core.recall.search import Recall
from core.social.reembedding import Reembedding
from data.copying.copy import Copied, Progress, copy_over
from data.evaluation import FOLDER
from data.health import look_at
from data.migrations import schema_version
from data.places import places_file
from data.social.glance import CommunityState, look_at_community
from data.stores import Stores, open_stores


async def examine() -> list[Finding]:
    """Return what the doctor finds; never raises for what is wrong with the set-up."""
    probes = Probes(
        pack_folders=folders_of_packs,
        pack_problems=pack_problems,
        token_variables=known_token_variables,
        holders=holders,
        database=look_at,
        community=_community_state,
        places_problems=lambda settings: places_problems(settings, places=places_file()),
    )
    return await examine_all(probes, clock=SystemClock())


async def _community_state(settings: Settings) -> CommunityState | None:
    return await look_at_community(
        settings.database,
        folders_of_packs(settings),
        attempts=settings.social_digest_attempts,
        model=embedding_model_of(settings),
    )


def shipped_places() -> Path:
    """Return the file of places to turn to that comes with the program."""
    return places_file()


async def export_user(settings: Settings, user_id: int) -> Mapping[str, Any]:
    """Return everything kept about a user.

    Raises:
        StartError: There is no database.
    """
    async with _open_what_is_there(settings) as stores:
        return await stores.privacy.export(user_id)


async def usage_of_month(settings: Settings, days: tuple[date, date] | None) -> UsageReport:
    """Return what calls used from day to day, or this month until today where no days are given.

    Raises:
        StartError: There is no database.
    """
    first, last = days or month_until(SystemClock().now(), settings.timezone)
    async with _open_what_is_there(settings) as stores:
        return await usage_report(stores.usage, first, last)


async def forget_user(settings: Settings, user_id: int) -> tuple[Mapping[str, int], int]:
    """Delete everything kept about a user; return how many rows of each table went, and how many are left in all.

    Raises:
        StartError: There is no database.
    """
    async with _open_what_is_there(settings) as stores:
        gone = await stores.privacy.forget(user_id)
        return gone, sum((await stores.privacy.counts(user_id)).values())


@asynccontextmanager
async def _open_what_is_there(settings: Settings) -> AsyncIterator[Stores]:
    require_database(settings)
    async with open_stores(settings.database, JapaneseAnalyser().index_terms) as stores:
        yield stores


async def bring_up_to_date(settings: Settings) -> int:
    """Give the database in use the newest schema; return its number."""
    async with open_stores(settings.database, JapaneseAnalyser().index_terms) as stores:
        return await schema_version(stores.database)


def copy_database(settings: Settings, url: str, *, restart: bool, progress: Progress) -> Copied:
    """Copy the SQLite file to a PostgreSQL database.

    Raises:
        StartError: There is no such file.
        StorageError: Either side can't be used, or both don't agree in the end.
    """
    if not settings.database_path.exists():
        raise StartError(f"{settings.database_path}: there is no database to copy; YORISOI_DATA_DIR says where it is.")
    return copy_over(settings.database_path, url, restart=restart, progress=progress)


async def reembed(settings: Settings, progress: Callable[[int, int], None]) -> tuple[int, str]:
    """Make all vectors anew with the embedding model that is set; return how many, and its name.

    Raises:
        ModelError: The embedding model gave no answer; what was done stays done.
        StartError: There is no database.
        StorageError: The database can't be used.
    """
    clock = SystemClock()
    async with (
        _open_what_is_there(settings) as stores,
        open_embedder(settings, clock, SentenceEncoder()) as embedder,
    ):
        return await Reembedding(store=stores.embeddings, embedder=embedder).run(progress), embedder.name


@asynccontextmanager
async def open_evaluation(settings: Settings, pack: CharacterPack) -> AsyncIterator[Stage]:
    """Open what talks under evaluation need, with databases that are gone afterwards."""
    analyser = JapaneseAnalyser()
    with tempfile.TemporaryDirectory() as folder:
        scratch = partial(_scratch_stores, Path(folder), analyser)
        async with open_stage(settings, pack, places=places_file(), analyser=analyser, open_stores=scratch) as stage:
            yield stage


def _scratch_stores(folder: Path, analyser: JapaneseAnalyser, name: str) -> AbstractAsyncContextManager[Stores]:
    return open_stores(folder / f"{name}.db", analyser.index_terms)


def evaluation_files() -> Path:
    """Return the folder of the talks and the scripted replies that come with the program."""
    return FOLDER


@asynccontextmanager
async def open_scratch_recall() -> AsyncIterator[tuple[MessageArchive, Recall]]:
    """Open an empty archive and the search on it, in a database that is gone afterwards."""
    analyser = JapaneseAnalyser()
    with tempfile.TemporaryDirectory() as folder:
        async with open_stores(Path(folder) / "recall.db", analyser.index_terms) as stores:
            recall = Recall.on(stores.recall, analyser=analyser, embedder=RememberingEncoder())
            yield stores.archive, recall
            await recall.filler.close()
