"""Does a message call the character by its name? And how is the character spoken to, if at all?"""

import re
import unicodedata
from collections.abc import Iterable

from core.values import Address

_CODE_AND_QUOTES = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^>.*?$|https?://\S+", re.DOTALL | re.MULTILINE)

_HONORIFIC = r"(?:さん|ちゃん|くん|君|さま|様|たん|先生|先輩|せんぱい|っち)"
# What may stand before a name that is called out.
_CALL = (
    r"(?:ねえ|ねぇ|ねー|ね|なあ|なぁ|おい|おーい|あの|あのさ|あのね|やあ|やっほー|もしもし|はい|うん"
    r"|おはよう(?:ございます)?|おはよ|こんにちは|こんばんは|おやすみ(?:なさい)?|ただいま|おかえり|おつかれ(?:さま)?|お疲れ(?:様)?"
    r"|ありがとう(?:ございます)?|ありがと|ごめん(?:ね|なさい)?|よろしく(?:ね)?|はじめまして|教えて|助けて)"
)
_ENGLISH_CALL = (
    r"(?:hey|hi|hello|hiya|yo|oi|ok|okay|thanks|thank\ you|thx|please|sorry|good\ (?:morning|evening|night|afternoon)"
    r"|morning|night|welcome\ back|dear|so|and|but|well)"
)
_START = r"(?:^|(?<=[\n。、，,！!？?…~～・♪♡\s]))"
_PAUSE = r"(?:[\s、，,。.！!？?…~～・♪♡♥:：]|ー|$|(?![\w]))"
_QUESTION_LATER = r"(?=.*[？?])"
_PARTICLE = r"(?:って|とは|は|も|が|の|に|を|と|で|から|より|へ)"
# After a name these speak about somebody: "Hinata is", "Hinata's", "Hinata likes".
_TALK_ABOUT = (
    r"(?:['’]s|\s+(?:is|was|had|did|said|told|will|would|and|or|who|from)\b"
    r"|\s+(?!(?:this|as|us|yes|guess|thanks|miss|pass|press)\b)[a-z]+s\b(?!['’]))"
)


def is_called(text: str, names: Iterable[str]) -> bool:
    """Return whether one of `names` is called out in a text, rather than talked about or part of another word.

    In Japanese the name opens or closes a phrase (「ひなた、おはよう」「ねえひなたちゃん」), or opens the message
    with an honorific (「ひなたさんは何が好き？」); 「ひなたぼっこ」 calls nobody. In Latin script it opens or closes
    a phrase, too ("Hinata, are you there?", "thanks hinata!"); "I met Hinata" calls nobody.
    """
    plain = unicodedata.normalize("NFKC", _CODE_AND_QUOTES.sub(" ", text)).casefold().strip()
    wanted = [unicodedata.normalize("NFKC", name).casefold().strip() for name in names]
    return any(_calls(plain, name) for name in wanted if name)


def address_of(*, private: bool, mentioned: bool, answers_character: bool, text: str, names: Iterable[str]) -> Address:
    """Return how a message speaks to the character; the plainest way counts."""
    if private:
        return Address.DM
    if mentioned:
        return Address.MENTION
    if answers_character:
        return Address.REPLY
    return Address.NAME if is_called(text, names) else Address.NONE


def _calls(text: str, name: str) -> bool:
    patterns = _latin(name) if name.isascii() else _japanese(name)
    return any(re.search(pattern, text, re.MULTILINE) for pattern in patterns)


def _japanese(name: str) -> tuple[str, ...]:
    called = rf"{re.escape(name)}(?:{_HONORIFIC})?"
    honoured = rf"{re.escape(name)}{_HONORIFIC}"
    return (
        # Set off as a phrase of its own, maybe after a call or a greeting.
        rf"{_START}{_CALL}?[、,\s]*{called}{_PAUSE}",
        # At the beginning with an honorific and no particle: 「ひなたちゃん聞いて」.
        rf"\A{_CALL}?[、,\s]*{honoured}(?!{_PARTICLE})",
        # At the beginning with a particle, and a question follows: 「ひなたは何してるの？」.
        rf"\A{_CALL}?[、,\s]*{honoured}{_PARTICLE}{_QUESTION_LATER}",
        rf"\A{_CALL}?[、,\s]*{re.escape(name)}[はも](?![ぁ-ん]{{0,1}}$){_QUESTION_LATER}",
        # At the very end, right behind a greeting: 「おやすみひなた」.
        rf"{_CALL}{called}[\s。、！!？?…~～ー♪♡♥]*$",
    )


def _latin(name: str) -> tuple[str, ...]:
    word = rf"(?<![a-z0-9_@#]){re.escape(name)}(?:{_HONORIFIC}|[-\s]?(?:chan|san|kun))?(?![a-z0-9_-])"
    return (
        # Opens a sentence: "Hinata, look" or "hey Hinata what's up".
        rf"(?:^|(?<=[.!?\n]\s))(?:{_ENGLISH_CALL}[,!]?\s+)*{word}(?!{_TALK_ABOUT})",
        # "Hinata is it raining?" at the very beginning still asks her nothing; "is Hinata there?" does.
        rf"\A(?:are you there|is anyone there|you there|anyone)[,\s]+{word}",
        # Set off by a comma, or closing what is said: "what do you think, Hinata?".
        rf",\s*{word}\s*(?:[,.!?…~]|$)",
        rf"{_ENGLISH_CALL}[,!]?\s+{word}(?!{_TALK_ABOUT})",
        rf"{word}\s*\?+\s*$",
        # Within Japanese, where no spaces stand: 「ねえhinata」「hinataちゃん聞いて」.
        rf"\A{_CALL}[、,\s]*{word}",
    )
