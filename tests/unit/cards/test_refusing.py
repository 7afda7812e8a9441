"""Cards that can't be used are refused with what, where and how to mend it, and nothing is written."""

import io
import itertools
import json
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import CardError
from data.cards.container import LARGEST_FILE, read_contents
from data.cards.importing import import_card
from tests.unit.cards.cards import SIGNATURE, chunk, encoded, file, png, text_chunk, v2

GOOD = png(text_chunk("chara", encoded(v2())))


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def bomb() -> bytes:
    return chunk(b"zTXt", b"chara\0\0" + zlib.compress(b" " * 20_000_000))


def read_or_refused(content: bytes) -> object:
    """Return the contents, or the words of the refusal; any other failure is a failure of the test."""
    try:
        return read_contents(content)
    except CardError as error:
        return str(error)


def charx(name: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (GOOD[:-20], "is cut off"),
        (GOOD[: len(GOOD) // 2], "is cut off"),
        (SIGNATURE, "is cut off at byte 8"),
        (flipped(GOOD, GOOD.index(b"chara") + 9), "the checksum of 'tEXt' at byte"),
        (png(), "no text 'chara' or 'ccv3'"),
        (png(text_chunk("chara", b"$$$not base64$$$")), "not valid base64"),
        (png(text_chunk("chara", b"AAA")), "not valid base64"),
        (png(text_chunk("chara", b"e30=")), "holds no card"),
        (png(text_chunk("chara", b"eyJhIjo=")), "not valid JSON at line 1"),
        (png(bomb()), "unpacks to more than"),
        (png(chunk(b"zTXt", b"chara\0\0nonsense")), "can't be unpacked"),
        (b"\xff\xd8\xff\xe0 a photo", "is a JPEG picture"),
        (b"{", "not valid JSON"),
        (b"\xfe\x00\x80", "is not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b"[1, 2]", "the JSON is no object"),
        (b'{"spec": "chara_card_v2"}', "has no 'data'"),
        (b'{"entries": {}}', "is a lorebook without a character"),
        (b'{"name": " ", "description": "x"}', "'name' is missing or empty"),
        (charx("other.txt", b"x"), "without card.json"),
        (charx("card.json", b" " * 20_000_000), "unpacks to 20,000,000 bytes"),
        (charx("card.json", b"{}")[:-30], "damaged or locked CHARX"),
    ],
    ids=itertools.count(),  # the contents are long, and an archive holds the time it was made
)
def test_a_file_that_is_no_good_card_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = file(tmp_path, "card.bin", content)

    with pytest.raises(CardError, match=r"^card\.bin: ") as caught:
        import_card(path, tmp_path / "packs", timezone="UTC", name=None, locale=None)

    assert said in str(caught.value)
    assert not (tmp_path / "packs").exists()


def test_a_file_that_is_too_large_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    with path.open("wb") as huge:
        huge.truncate(LARGEST_FILE + 1)

    with pytest.raises(CardError, match="is too large"):
        import_card(path, tmp_path, timezone="UTC", name=None, locale=None)


def test_a_pack_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "aqua").mkdir()

    with pytest.raises(CardError, match="is there already"):
        import_card(file(tmp_path, "a.json", v2()), tmp_path, timezone="UTC", name=None, locale=None)

    assert list((tmp_path / "aqua").iterdir()) == []


@pytest.mark.parametrize("name", ["../evil", "A", "", "a/b"])
def test_a_name_leads_to_no_other_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(CardError, match="--name must be"):
        import_card(file(tmp_path, "a.json", v2()), tmp_path, timezone="UTC", name=name, locale=None)


@settings(deadline=None)
@given(st.data())
def test_a_damaged_picture_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(GOOD) - 1))
    broken = data.draw(st.sampled_from([GOOD[:at], flipped(GOOD, at), GOOD[:at] + b"\0" * 9 + GOOD[at:]]))
    assert read_or_refused(broken)


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_without_a_traceback(content: bytes) -> None:
    assert read_or_refused(content)


def test_a_name_of_the_card_is_no_path_either(tmp_path: Path) -> None:
    path = file(tmp_path, "card.json", json.dumps(v2(name="../../etc/passwd")).encode())

    assert import_card(path, tmp_path / "p", timezone="UTC", name=None, locale=None).folder.parent == tmp_path / "p"
