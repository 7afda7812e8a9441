import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.attachments import image_type, kind_of
from bot.discord.decoding import decode_text
from core.values import AttachmentKind

JAPANESE = "これは、文字コードを確かめるための文章です。\n漢字とかなとカナ、ABC 123。\n" * 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp932", "euc_jp", "iso2022_jp"])
def test_japanese_text_is_read_in_the_encodings_it_is_found_in(encoding: str) -> None:
    assert decode_text(JAPANESE.encode(encoding)) == JAPANESE


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_told_by_its_zero_bytes(encoding: str) -> None:
    assert decode_text("Hello, world.\nAgain.".encode(encoding)) == "Hello, world.\nAgain."


def test_line_ends_become_plain_ones() -> None:
    assert decode_text(b"a\r\nb\rc") == "a\nb\nc"


def test_an_empty_file_is_an_empty_text() -> None:
    assert decode_text(b"") == ""


def test_what_is_no_text_is_not_read() -> None:
    assert decode_text(bytes(range(256)) * 4) is None


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc"))))
def test_any_utf8_text_is_read_as_it_is(text: str) -> None:
    assert decode_text(text.encode()) == text.removeprefix("\ufeff")


@given(st.binary(max_size=300))
def test_no_file_is_too_strange_to_be_looked_at(data: bytes) -> None:
    decode_text(data)


@pytest.mark.parametrize(
    ("name", "media_type", "kind"),
    [
        ("a.png", "image/png", AttachmentKind.IMAGE),
        ("a", "image/webp", AttachmentKind.IMAGE),
        ("a.JPG", None, AttachmentKind.IMAGE),
        ("a.svg", "image/svg+xml", AttachmentKind.OTHER),
        ("a.txt", "text/plain; charset=utf-8", AttachmentKind.TEXT),
        ("a.json", "application/json", AttachmentKind.TEXT),
        ("a.py", "application/octet-stream", AttachmentKind.TEXT),
        ("a.rs", None, AttachmentKind.TEXT),
        ("a.mp4", "video/mp4", AttachmentKind.OTHER),
        ("a.ts", "video/mp2t", AttachmentKind.OTHER),
        ("a.zip", "application/zip", AttachmentKind.OTHER),
        ("Makefile", None, AttachmentKind.OTHER),
    ],
)
def test_a_files_kind_is_told_by_its_type_and_else_by_its_ending(
    name: str, media_type: str | None, kind: AttachmentKind
) -> None:
    assert kind_of(name, media_type) is kind


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"\xff\xd8\xff\xe0....", "image/jpeg"),
        (b"GIF89a....", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBP", "image/webp"),
        (b"RIFF\x00\x00\x00\x00WAVE", None),
        (b"<svg/>", None),
        (b"", None),
    ],
)
def test_an_images_type_is_told_by_its_first_bytes(data: bytes, media_type: str | None) -> None:
    assert image_type(data) == media_type
