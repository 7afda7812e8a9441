"""Opens what the talks of a run share: stance integrity with its sentence encoder, and a database for each variant."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from bot.evaluation.stage import Stage
from bot.settings import Settings
from core.analysis.japanese import JapaneseAnalyser
from core.characters.pack import CharacterPack
from core.embedding.remembering import RememberingEncoder
from core.facts.capsule.inspection import timetable_of
from core.ports import Stores
from core.stance.evaluation.variants import Variant
from core.stance.evaluation.workbench import Workbench
from prompts.loader import PromptLibrary
from prompts.messages import Messages

OpenStores = Callable[[str], AbstractAsyncContextManager[Stores]]
"""Opens stores of their own under a name."""


@asynccontextmanager
async def open_stage(
    settings: Settings, pack: CharacterPack, *, places: Path, analyser: JapaneseAnalyser, open_stores: OpenStores
) -> AsyncIterator[Stage]:
    """Open everything; the encoder and the lexicons are loaded beside the event loop.

    Raises:
        CoreError: A file can't be used; the text names it, the line and the reason.
    """
    prompts, encoder = PromptLibrary.load(), RememberingEncoder()
    load = partial(Workbench.load, resources=places, prompts=prompts, analyser=analyser, encoder=encoder)
    workbench, _ = await asyncio.gather(asyncio.to_thread(load), encoder.load())
    async with AsyncExitStack() as stack:
        stores = {variant: await stack.enter_async_context(open_stores(variant)) for variant in Variant}
        yield Stage(
            settings=settings,
            pack=pack,
            stores=stores,
            prompts=prompts,
            messages=Messages.load(),
            workbench=workbench,
            timetable=timetable_of(pack),
        )
