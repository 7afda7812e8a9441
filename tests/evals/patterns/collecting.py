"""Which regular expressions the program compiles."""

import asyncio
import importlib
import pkgutil
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

_PARTS = ("core", "data", "prompts", "bot")


def compiled() -> list[re.Pattern[str]]:
    """Return every pattern over text that the modules compile, and what they compile before the first turn.

    Called in a process that has imported none of them yet: what is compiled already can't be seen.
    """
    with _recorded() as found:
        for part in _PARTS:
            package = importlib.import_module(part)
            for module in pkgutil.walk_packages(package.__path__, f"{part}."):
                importlib.import_module(module.name)
        asyncio.run(_warm_up())
    return [pattern for pattern in dict.fromkeys(found) if isinstance(pattern.pattern, str)]


@contextmanager
def _recorded() -> Iterator[list[re.Pattern[Any]]]:
    """Keep what is compiled by code of the project; libraries have their own makers."""
    found: list[re.Pattern[Any]] = []
    compile_ = re.compile

    def recording(pattern: Any, flags: int | re.RegexFlag = 0) -> re.Pattern[Any]:
        made = compile_(pattern, flags)
        found.append(made)
        return made

    with patch.object(re, "compile", recording):
        yield found


async def _warm_up() -> None:
    """Do what the program does once it is ready; see `bot.app`."""
    from bot.settings import Settings
    from bot.stance import load_stance
    from core.analysis.japanese import JapaneseAnalyser
    from core.embedding.encoder import SentenceEncoder
    from core.facts.time_claims import compile_patterns
    from core.recall.question import prepare as prepare_questions
    from core.turn.checks.registry import prepare as prepare_checks
    from data.places import places_file
    from prompts.loader import PromptLibrary

    with tempfile.TemporaryDirectory() as folder:
        stance = await load_stance(
            Settings(_env_file=None, data_dir=Path(folder)),
            places=places_file(),
            analyser=JapaneseAnalyser(),
            prompts=PromptLibrary.load(),
            encoder=SentenceEncoder(),
        )
        await stance.warm_up()
    prepare_questions()
    prepare_checks()
    await stance.compile_patterns()
    await compile_patterns()
