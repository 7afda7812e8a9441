"""Text files as people send them: UTF-8, UTF-16, and the encodings that Japanese text is still found in."""

import codecs
import re

# UTF-32's mark begins with UTF-16's, so it is looked for first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_JIS_ESCAPE = re.compile(rb"\x1b\$[@B]|\x1b\([BJI]")
_HALFWIDTH_KANA = re.compile("[\uff61-\uff9f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_BINARY_SHARE = 0.02


def decode_text(data: bytes) -> str | None:
    """Return the text of a file, or None if it is hardly text. Line ends become LF."""
    for encoding in _candidates(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _is_text(text):
            return text.replace("\r\n", "\n").replace("\r", "\n")
    return None


def _candidates(data: bytes) -> list[str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return [encoding]
    if _JIS_ESCAPE.search(data):
        return ["iso2022_jp_2004", "utf-8"]
    return ["utf-8", *_bare_utf16(data), *_japanese(data)]


def _bare_utf16(data: bytes) -> list[str]:
    """Guess UTF-16 without a mark from the zero bytes that Latin letters leave on one side."""
    sample = data[:4096]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) < len(sample) // 8 or not sample:
        return []
    return ["utf-16-le" if odd > even else "utf-16-be"]


def _japanese(data: bytes) -> list[str]:
    """Order the two old encodings: what is EUC reads as a soup of half-width kana in the other."""
    as_cp932 = data.decode("cp932", errors="replace")
    strange = len(_HALFWIDTH_KANA.findall(as_cp932)) + as_cp932.count("\ufffd")
    return ["euc_jp", "cp932"] if strange * 4 > len(as_cp932) else ["cp932", "euc_jp"]


def _is_text(text: str) -> bool:
    return len(_CONTROL.findall(text)) <= len(text) * _BINARY_SHARE
