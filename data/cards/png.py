"""The chunks of a PNG or APNG file (https://www.w3.org/TR/png-3/#5Chunk-layout). Pictures are never decoded."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import CardError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TEXTS = frozenset({b"tEXt", b"zTXt", b"iTXt"})
# What a picture needs to be shown; whatever else a file holds (texts, places, cameras) stays behind.
_PICTURE = frozenset({b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"acTL", b"fcTL", b"fdAT", b"gAMA", b"sRGB"})
_LARGEST_TEXT = 16 * 1024 * 1024
_AGAIN = "get the card again from where it comes from, as a PNG file that was not edited or compressed on the way"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk, and the byte of the file at which it begins."""

    kind: bytes
    body: bytes
    at: int


def chunks(data: bytes) -> Iterator[Chunk]:
    """Yield every chunk up to the end of the picture.

    Raises:
        CardError: the file is no PNG, is cut off, or a checksum is wrong.
    """
    if not data.startswith(SIGNATURE):
        raise CardError(f"is no PNG file; {_AGAIN}")
    at = len(SIGNATURE)
    while True:
        if at + 12 > len(data):
            raise CardError(f"is cut off at byte {len(data):,}, before the end of the picture; {_AGAIN}")
        (length,) = struct.unpack_from(">I", data, at)
        kind, end = data[at + 4 : at + 8], at + 8 + length
        if end + 4 > len(data):
            name = kind.decode("ascii", "replace")
            raise CardError(f"is cut off inside '{name}' at byte {at:,}, which should have {length:,} bytes; {_AGAIN}")
        body = data[at + 8 : end]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", data, end)[0]:
            name = kind.decode("ascii", "replace")
            raise CardError(f"is damaged: the checksum of '{name}' at byte {at:,} is wrong; {_AGAIN}")
        yield Chunk(kind, body, at)
        if kind == b"IEND":
            return
        at = end + 4


def texts(found: list[Chunk]) -> dict[str, bytes]:
    """Return the texts of a file by keyword, in small letters; the first of several counts."""
    kept: dict[str, bytes] = {}
    for chunk in found:
        if chunk.kind in _TEXTS:
            keyword, text = _text(chunk)
            kept.setdefault(keyword, text)
    return kept


def picture(found: list[Chunk]) -> bytes:
    """Return the file with nothing in it but the picture."""
    return SIGNATURE + b"".join(_written(chunk.kind, chunk.body) for chunk in found if chunk.kind in _PICTURE)


def with_texts(image: bytes, added: dict[str, bytes]) -> bytes:
    """Return a picture with texts (Latin-1) put in before its end."""
    bodies = [keyword.encode("latin-1") + b"\0" + text for keyword, text in added.items()]
    end = _written(b"IEND", b"")
    return image.removesuffix(end) + b"".join(_written(b"tEXt", body) for body in bodies) + end


def _written(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _text(chunk: Chunk) -> tuple[str, bytes]:
    keyword, _, rest = chunk.body.partition(b"\0")
    name = keyword.decode("latin-1").strip().lower()
    if chunk.kind == b"tEXt":
        return name, rest
    if chunk.kind == b"zTXt":
        return name, _unpacked(rest[1:], chunk)
    compressed, rest = rest[:1] == b"\x01", rest[2:]
    _language, _, rest = rest.partition(b"\0")
    _translated, _, text = rest.partition(b"\0")
    return name, _unpacked(text, chunk) if compressed else text


def _unpacked(packed: bytes, chunk: Chunk) -> bytes:
    where = f"the compressed text at byte {chunk.at:,}"
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(packed, _LARGEST_TEXT)
    except zlib.error as error:
        raise CardError(f"is damaged: {where} can't be unpacked; {_AGAIN}") from error
    if unpacking.unconsumed_tail:
        raise CardError(f"is refused: {where} unpacks to more than {_LARGEST_TEXT:,} bytes, which no card needs")
    return text
