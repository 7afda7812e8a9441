"""One way of writing a text: what typing adds without meaning anything is taken away before any rule looks at it.

Width, composition and invisible characters leave no trace at all; stretched sounds, emoji, emoticons and doubled
punctuation leave none in nearly every case. Question marks and quotation marks stay: they carry meaning.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

LONGEST = 4000
"""Characters of a text that are looked at: its beginning and its end, half each."""

ENCODED = 400
"""Characters of a turn that are encoded: an encoder takes as long as a text is, and a long one blurs its vector."""
_SIGNS = 4096
"""Characters whose kind is remembered; a kind is asked for at every character of a text."""
_DROPPED = frozenset({"Cf", "Cs", "Cn", "Co"})
_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SELECTORS = ((0xFE00, 0xFE0F), (0x180B, 0x180F), (0xE0100, 0xE01EF))

_EMOTICON_LETTERS = re.compile(r"[0-9a-zぁ-ゖ一-鿿々]", re.IGNORECASE)
_BRACKETED = re.compile(r"[(（][^()（）\n]{1,14}[)）][ノシﾉ]?")
_CUSTOM_EMOJI = re.compile(r"<a?:\w{1,40}:\d{1,25}>|(?<![\w/]):[a-z][a-z0-9_+-]{1,30}:(?!\w)", re.IGNORECASE)
_EMOTICON = re.compile(
    r"(?<!\S)(?:[:;=8x][-'^o]?[)(dp/\\|3]|<3+|\^[_.]?\^|t[_.]t|;[_-]?;|o[_.]o|-[_.]-)(?!\S)", re.IGNORECASE
)
_SPACED_OUT = re.compile(r"(?<!\S)(?:\S {1,3}){2,}\S(?!\S)")

_COMMAND = re.compile(r"\A\s*[!?>$/]{1,2}(?=[a-z])")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "，": "、", "．": "。", "‼": "!", "⁇": "?"})
_LATIN_RUN = re.compile(r"([a-z])\1{2,}")
_KANA_RUN = re.compile(r"([ぁ-ゖァ-ヺ])\1{2,}")
_SMALL_VOWELS = re.compile(r"([ぁ-ゖ])[ぁぃぅぇぉ]+")
_AFTER_HIRAGANA = re.compile(r"(?<=[ぁ-ゖ一-鿿々])[ー〜~]+")
_AFTER_OTHERS = re.compile(r"[〜~]+|(?<![ァ-ヺa-z0-9])ー+|(?<=ー)ー+")
_KEPT_FULL = frozenset("まさな")
_FULL = str.maketrans("ぁぃぅぇぉ", "あいうえお")

_COMMAS = re.compile(r"(?<=[ぁ-ヿ一-鿿々])[,，]|[,，](?=[ぁ-ヿ一-鿿々])")
_QUESTIONS = re.compile(r"[ .。!！‥…]*\?(?![a-z0-9])[?!！.。 ]*")
_STOPS = re.compile(
    r"\s*(?:[.。!…‥]|・{2,}|、{2,}|,{2,})(?:[.。!…‥、,\s]|・{2,})*(?=[^\w]|$|[ぁ-ヿ一-鿿])|\s*[。!…‥]+\s*|\s*\n\s*"
)
_SPACES = re.compile(r"\s+")
_LONG_RUN = re.compile(r"[\s.。!?‥…・、,]{40,}")
_ONLY_KATAKANA = re.compile(r"[ァ-ヶー、. ?]{3,}")
_INFLECTED = re.compile(
    r"(?:タイ|ナイ|イヤ|ライ|シイ|ドイ|ムリ|レタ|キタ|ッタ|ダ|ヨ|ネ|ノ|カ|ヤ|デス|マス|ンヤ|ナ)\??\Z"
)
_SEVERAL_WORDS = re.compile(r"(?:[ァ-ヶー]+[ 、]){2}")
"""Katakana with spaces between its words: a sentence, however it ends."""
_TO_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_EDGES = " .。!、,・-―—"


def canonical(text: str) -> str:
    """Return the one way of writing `text`; "" when nothing but signs was in it. Takes any string at all."""
    return _canonical(shortened(text))


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return the beginning and the end of a text that is too long to be looked at whole."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n{text[-half:]}"


def for_encoder(text: str) -> str:
    """Return of a user's turn what the sentence encoder is shown, the same for everybody who asks about that turn."""
    return shortened(canonical(text), ENCODED)


@lru_cache(maxsize=64)
def _canonical(text: str) -> str:
    plain = _COMMAND.sub("/", visible(text).translate(_QUOTES).lower())
    plain = _CUSTOM_EMOJI.sub(" ", plain)
    plain = _EMOTICON.sub(" ", plain)
    plain = _LONG_RUN.sub(_abridged, _replaced(plain, _is_picture, " "))
    plain = _SPACED_OUT.sub(lambda found: found[0].replace(" ", ""), plain)
    return _punctuation(_sounds(plain))


def visible(text: str) -> str:
    """Return the text in NFKC without emoticons in brackets and without anything that can't be seen."""
    kept = _replaced(text, _is_invisible, "")
    kept = unicodedata.normalize("NFKC", _BRACKETED.sub(_without_emoticon, unicodedata.normalize("NFC", kept)))
    return _CONTROL.sub(" ", kept)


def _replaced(text: str, kind: Callable[[str], bool], by: str) -> str:
    """Put `by` in the place of every character of a kind; each is asked for once."""
    if text.isascii():
        return text
    found = {ord(sign): by for sign in set(text) if kind(sign)}
    return text.translate(found) if found else text


def _without_emoticon(found: re.Match[str]) -> str:
    inside = unicodedata.normalize("NFKC", found[0][1:-1])
    letters = len(_EMOTICON_LETTERS.findall(inside))
    return " " if letters <= 1 and not inside.strip().isalnum() else found[0]


@lru_cache(maxsize=_SIGNS)
def _is_invisible(sign: str) -> bool:
    if sign < "\u00ad":
        return False
    if unicodedata.category(sign) in _DROPPED or sign in _IGNORABLE:
        return True
    return any(first <= ord(sign) <= last for first, last in _SELECTORS)


@lru_cache(maxsize=_SIGNS)
def _is_picture(sign: str) -> bool:
    if sign < "\u00a6":
        return False
    return unicodedata.category(sign) == "So" or "\U0001f3fb" <= sign <= "\U0001f3ff" or sign == "\u20e3"


def _sounds(text: str) -> str:
    """Shorten what was stretched: つらーーい, ありがとぉぉ, soooo."""
    text = _AFTER_OTHERS.sub("", _AFTER_HIRAGANA.sub("", text))
    text = _KANA_RUN.sub(_kana_once, text)
    text = _SMALL_VOWELS.sub(_without_small_vowel, text)
    return _LATIN_RUN.sub(r"\1", text)


def _kana_once(found: re.Match[str]) -> str:
    before = found.string[found.start() - 1 : found.start()]
    alone = found[1] in "あいうえお" and not ("ぁ" <= before <= "ゖ" and before != "わ")
    return found[1] * (2 if alone else 1)


def _without_small_vowel(found: re.Match[str]) -> str:
    if found[1] in _KEPT_FULL:
        return found[1] + found[0][1].translate(_FULL)
    return found[1]


def _abridged(found: re.Match[str]) -> str:
    """Return the ends of a long run of signs, which patterns would look through from each of its places."""
    run = found[0]
    return run[:20] + ("\n" if "\n" in run else "") + run[-20:]


def _punctuation(text: str) -> str:
    text = _QUESTIONS.sub("? ", _COMMAS.sub("、", text))
    text = _STOPS.sub(". ", text)
    return _in_hiragana(_SPACES.sub(" ", text).strip(_EDGES))


def _in_hiragana(text: str) -> str:
    """Bring a sentence written in katakana alone (シニタイ) into hiragana; a loan word alone stays as it is."""
    if _ONLY_KATAKANA.fullmatch(text) and (_INFLECTED.search(text) or _SEVERAL_WORDS.search(text)):
        return text.translate(_TO_HIRAGANA).replace("ー", "")
    return text
