"""The file a card comes in: what kind it is, the JSON in it, and its picture."""

import base64
import binascii
import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import CardError
from data.cards import png

LARGEST_FILE = 64 * 1024 * 1024
_LARGEST_JSON = 16 * 1024 * 1024
_KINDS = "a card is a PNG or APNG picture, a JSON file or a CHARX file"
_OTHER_PICTURES = {b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"RIFF": "WebP", b"BM": "BMP"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """A card as it was read: parsed JSON, the picture without anything else in it, and what is worth telling."""

    card: Any
    portrait: bytes | None = None
    notes: tuple[str, ...] = ()


def read_file(path: Path) -> Contents:
    """Read a card's file.

    Raises:
        CardError: it isn't there, is too large, broken, or holds no card.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise CardError(
                f"{path.name}: is too large ({size:,} bytes; at most {LARGEST_FILE:,}); make the picture smaller"
            )
        data = path.read_bytes()
    except OSError as error:
        raise CardError(f"{path}: can't be read ({error.strerror}); check the name and its permissions") from error
    try:
        return read_contents(data)
    except CardError as error:
        raise CardError(f"{path.name}: {error}") from error


def read_contents(data: bytes) -> Contents:
    """Return what is in a card's file."""
    if data.startswith(png.SIGNATURE):
        return _of_png(data)
    if data.startswith(b"PK\x03\x04"):
        return _of_charx(data)
    for start, name in _OTHER_PICTURES.items():
        if data.startswith(start):
            raise CardError(f"is a {name} picture, and these hold no card; {_KINDS}")
    if not data.strip():
        raise CardError(f"is empty; {_KINDS}")
    return Contents(card=_parsed(data, "the file"))


def _of_png(data: bytes) -> Contents:
    found = list(png.chunks(data))
    held = png.texts(found)
    if not held.keys() & {"ccv3", "chara"}:
        raise CardError(
            "is a picture without a card in it (no text 'chara' or 'ccv3'): many sites and chat programs take it out; "
            "download the original file"
        )
    notes: tuple[str, ...] = ()
    if "ccv3" in held and "chara" in held:
        try:
            return Contents(card=_embedded(held["ccv3"], "ccv3"), portrait=png.picture(found))
        except CardError as error:
            notes = (f"'ccv3' {error}; 'chara' was taken instead",)
            del held["ccv3"]
    keyword = "ccv3" if "ccv3" in held else "chara"
    return Contents(card=_embedded(held[keyword], keyword), portrait=png.picture(found), notes=notes)


def _embedded(text: bytes, keyword: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    bare = b"".join(text.split())
    if bare.startswith(b"{"):
        return _parsed(text, f"'{keyword}'")
    try:
        decoded = base64.b64decode(bare, validate=True)
    except binascii.Error as error:
        message = f"holds a card ('{keyword}') that is not valid base64 ({error}); export it again where it was made"
        raise CardError(message) from error
    return _parsed(decoded, f"'{keyword}'")


def _of_charx(data: bytes) -> Contents:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            info = archive.getinfo("card.json")
            if info.file_size > _LARGEST_JSON:
                raise CardError(f"is refused: its card.json unpacks to {info.file_size:,} bytes, which no card needs")
            with archive.open(info) as file:
                held = file.read(_LARGEST_JSON + 1)
    except KeyError as error:
        raise CardError("is a ZIP file without card.json, so no CHARX file; choose another") from error
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError, NotImplementedError) as error:
        raise CardError(f"is a damaged or locked CHARX file ({error}); get it again") from error
    except Exception as error:
        if type(error).__module__ in {"zlib", "lzma"}:
            raise CardError("is a damaged CHARX file: card.json can't be unpacked; get it again") from error
        raise
    return Contents(card=_parsed(held, "card.json"), notes=("pictures and other files of the CHARX stay behind",))


def _parsed(data: bytes, what: str) -> Any:  # noqa: ANN401
    if len(data) > _LARGEST_JSON:
        raise CardError(f"is refused: the JSON of {what} has {len(data):,} bytes; at most {_LARGEST_JSON:,}")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CardError(f"can't be read: {what} is not UTF-8 (byte {error.start:,}); save it again as UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, character {error.colno}"
        raise CardError(f"can't be read: {what} is not valid JSON at {where} ({error.msg}); {_KINDS}") from error
    except (ValueError, RecursionError) as error:
        raise CardError(f"can't be read: {what} is nested too deeply or holds an endless number; {_KINDS}") from error
