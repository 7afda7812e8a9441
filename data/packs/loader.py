"""Loading packs: the shipped ones and the operator's."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.characters.pack import CharacterPack
from core.errors import PackError, Problem
from core.proactive.opinion.opinion import BY_WORDS, SecondOpinion
from data.packs.build import build_pack
from data.packs.check_candidates import check_candidates
from data.packs.check_locales import check_locales, check_name
from data.packs.check_lore import check_lore
from data.packs.check_schedule import check_schedule
from data.packs.fields import check_token_env
from data.packs.files import PackFolder
from data.packs.sources import CALENDAR_FILE, CHARACTER_FILE, SCHEDULE_FILE, Sources, read_sources

SHIPPED = Path(__file__).parent.parent / "characters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Packs:
    """What was loaded, by name, and what is wrong with the packs that could not be."""

    packs: Mapping[str, CharacterPack]
    problems: tuple[Problem, ...] = ()


def load_pack(path: Path, *, opinion: SecondOpinion = BY_WORDS) -> CharacterPack:
    """Read the folder of a character and check it as a whole.

    `opinion` is asked about what may be said first; by words alone where a start must not wait for the encoder.

    Raises:
        PackError: something is wrong; it holds every problem, in the order of files and lines.
    """
    path = path.resolve()
    if not path.is_dir():
        raise PackError((Problem(str(path), None, "is not a folder; a pack is a folder with a character.toml"),))
    folder = PackFolder(path)
    try:
        sources = read_sources(folder)
    except OSError as error:
        raise PackError((Problem(str(path), None, f"can't be read ({error.strerror})"),)) from error
    _check(folder, sources, opinion)
    if folder.problems or sources.character_table is None:
        raise PackError(tuple(sorted(folder.problems, key=_position)))
    return build_pack(sources.character_table, sources, tuple(sorted(folder.warnings, key=_position)))


def pack_folders(operator: Path | None = None) -> dict[str, Path]:
    """Return the folders of all packs by name, the operator's before a shipped one of the same name.

    Raises:
        PackError: the operator's folder can't be read.
    """
    found = {}
    for parent in (SHIPPED, operator):
        if parent is None:
            continue
        try:
            found.update({path.name: path for path in sorted(parent.iterdir()) if (path / CHARACTER_FILE).exists()})
        except OSError as error:
            message = f"the folder of characters can't be read ({error.strerror}); correct YORISOI_CHARACTERS_DIR"
            raise PackError((Problem(str(parent), None, message),)) from error
    return found


def load_packs(operator: Path | None = None) -> Packs:
    """Load every pack; one that is broken keeps no other from being used.

    Raises:
        PackError: the operator's folder can't be read.
    """
    packs: dict[str, CharacterPack] = {}
    problems: list[Problem] = []
    for name, path in pack_folders(operator).items():
        try:
            packs[name] = load_pack(path)
        except PackError as error:
            problems.extend(error.problems)
    return Packs(packs=packs, problems=tuple(problems))


def token_variables(operator: Path | None = None) -> frozenset[str]:
    """Return the variables that packs name for their tokens, those of broken packs too, without checking any pack.

    Every command asks, to keep what these variables hold out of its log.
    """
    try:
        folders = pack_folders(operator).values()
    except PackError:
        return frozenset()
    return frozenset(name for path in folders if (name := _token_variable(path / CHARACTER_FILE)) is not None)


def _token_variable(file: Path) -> str | None:
    try:
        return check_token_env(str(tomllib.loads(file.read_text("utf-8-sig"))["token_env"]))
    except (OSError, ValueError, KeyError):
        return None


def _check(folder: PackFolder, sources: Sources, opinion: SecondOpinion) -> None:
    folder.problems.extend(check_name(folder, sources))
    folder.problems.extend(check_locales(folder, sources))
    if sources.schedule:
        problems, warnings = check_schedule(sources.schedule)
        folder.problems.extend(problems)
        folder.warnings.extend(warnings)
    folder.warnings.extend(check_lore(sources))
    has_schedule = any(folder.has(file) for file in (SCHEDULE_FILE, CALENDAR_FILE))
    folder.problems.extend(check_candidates(sources, has_schedule=has_schedule, opinion=opinion))


def _position(problem: Problem) -> tuple[str, int, str]:
    return problem.file, problem.line or 0, problem.message
