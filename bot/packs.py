"""Characters as files: what commands and the start read, check, make and write."""

from pathlib import Path
from typing import TYPE_CHECKING

from bot.cast import TokenHolder, choose, token_holders
from bot.errors import StartError
from bot.settings import Configuration, Settings
from core.characters.pack import CharacterPack
from core.embedding.encoder import SentenceEncoder
from core.errors import PackError
from core.proactive.opinion.opinion import BY_WORDS, SecondOpinion
from core.values import Locale
from data.packs.loader import Packs, load_pack, load_packs, pack_folders, token_variables

if TYPE_CHECKING:
    from data.cards.importing import Imported


def known_token_variables(settings: Settings) -> frozenset[str]:
    """Return the variables that packs name for their tokens."""
    return token_variables(settings.characters_dir)


def folders_of_packs(settings: Settings) -> dict[str, Path]:
    """Return the folder of every pack, by name."""
    return dict(pack_folders(settings.characters_dir))


def second_opinion() -> SecondOpinion:
    """Return who is asked, where time allows, whether a text may be said first; the encoder is loaded when needed."""
    return SecondOpinion(encoder=SentenceEncoder())


def pack_problems(folder: Path, opinion: SecondOpinion = BY_WORDS) -> tuple[str, ...]:
    """Return a line for everything that is wrong with a pack."""
    try:
        load_pack(folder, opinion=opinion)
    except PackError as error:
        return tuple(str(problem) for problem in error.problems)
    return ()


def pack_warnings(folder: Path) -> tuple[str, ...]:
    """Return a line for everything that a valid pack would be better without."""
    return tuple(str(found) for found in load_pack(folder).warnings)


def load_character(settings: Settings, name: str | None) -> CharacterPack:
    """Return the pack of a character by name, else of the one that speaks where none is named.

    Raises:
        StartError: There is no such character, or several and none was named.
        PackError: Its pack can't be used.
    """
    return load_pack(pack_folders(settings.characters_dir)[_chosen(settings, name)])


def _chosen(settings: Settings, name: str | None) -> str:
    shipped, folders = pack_folders(), pack_folders(settings.characters_dir)
    own = [known for known, path in folders.items() if shipped.get(known) != path]
    return choose(folders, name or settings.character, own=own)


def import_card(
    settings: Settings, file: Path, into: Path | None, *, name: str | None, locale: Locale | None
) -> "Imported":
    """Make a pack of a character card.

    Raises:
        StartError: nobody said where packs are kept.
        CardError: the card can't be used.
    """
    from data.cards.importing import import_card as make_pack  # noqa: PLC0415 - every start comes by here, few cards

    folder = into or settings.characters_dir
    if folder is None:
        raise StartError(
            "There is no folder for characters yet: set YORISOI_CHARACTERS_DIR, or name one with --into ./characters."
        )
    return make_pack(file, folder, timezone=settings.timezone, name=name, locale=locale)


def export_card(settings: Settings, name: str, to: Path, *, overwrite: bool) -> tuple[str, ...]:
    """Write a character as a card; return what is not in it.

    Raises:
        StartError: there is no such character.
        CardError: the card can't be written.
    """
    from data.cards.exporting import export_card as write_card  # noqa: PLC0415

    folders = pack_folders(settings.characters_dir)
    return write_card(folders[choose(folders, name, own=())], to, overwrite=overwrite)


def holders(configuration: Configuration) -> list[TokenHolder]:
    """Return who is to be on Discord, with what token."""
    return holders_among(load_packs(configuration.settings.characters_dir), configuration)


def holders_among(loaded: Packs, configuration: Configuration) -> list[TokenHolder]:
    """Return who of the packs that could be read is to be on Discord, with what token."""
    main = _main(loaded, configuration.settings) if configuration.settings.discord_token is not None else None
    return token_holders(configuration, loaded.packs, main)


def _main(loaded: Packs, settings: Settings) -> CharacterPack:
    """Return the pack of the one that speaks where none is named, with the errors of `load_character`."""
    name = _chosen(settings, None)
    return loaded.packs.get(name) or load_pack(pack_folders(settings.characters_dir)[name])
