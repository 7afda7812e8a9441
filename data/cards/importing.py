"""A card's file becomes a pack: whole and valid, or nothing at all."""

import re
import shutil
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from core.errors import CardError, PackError
from core.values import Locale
from data.cards.container import Contents, read_file
from data.cards.deriving import derive, guess_locale
from data.cards.normal import Json, normalised
from data.packs.fields import check_pack_name
from data.packs.loader import load_pack
from data.packs.sources import PORTRAIT_FILE

_FOLDER_MODE = 0o700


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A pack that was made, and what of the card is not in it as it was."""

    folder: Path
    notes: tuple[str, ...]


def import_card(file: Path, into: Path, *, timezone: str, name: str | None, locale: Locale | None) -> Imported:
    """Make a pack of a card in a folder of packs; `name` and `locale` go by the card where they are None.

    Raises:
        CardError: the card can't be used, or there is such a pack already; nothing was written.
    """
    contents, notes = read_file(file), list[str]()
    try:
        data = normalised(contents.card, notes)
    except CardError as error:
        raise CardError(f"{file.name}: {error}") from error
    pack_name = _pack_name(name, data, file)
    folder = into / pack_name
    if folder.exists():
        raise CardError(f"{folder}: is there already and stays as it is; give the new one another name with --name")
    derived = derive(data, pack_name=pack_name, locale=locale or guess_locale(data), timezone=timezone)
    _write(folder, derived.files, contents)
    return Imported(folder=folder, notes=(*contents.notes, *notes, *derived.notes))


def _write(folder: Path, files: dict[str, str], contents: Contents) -> None:
    """Write beside the place, look whether it is a pack, and only then put it there."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".import-", dir=folder.parent) as scratch:
            made = Path(scratch) / folder.name
            made.mkdir(mode=_FOLDER_MODE)
            for name, text in files.items():
                (made / name).write_text(text, encoding="utf-8", newline="\n")
            if contents.portrait is not None:
                (made / PORTRAIT_FILE).write_bytes(contents.portrait)
            load_pack(made)
            shutil.move(made, folder)
    except PackError as error:
        raise CardError(f"{folder.name}: no valid pack came out of it: {error}") from error
    except OSError as error:
        raise CardError(f"{folder}: can't be written ({error.strerror}); choose another folder with --into") from error


def _pack_name(wished: str | None, data: Json, file: Path) -> str:
    if wished is not None:
        try:
            return check_pack_name(wished)
        except ValueError as error:
            raise CardError(f"--name {error}") from error
    return _slug(data["name"]) or _slug(file.stem) or "character"


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).lstrip("-0123456789")[:32].strip("-")
