"""Times and days in other letters than the rules know, put into the usual ones.

「どようび」 becomes 「土曜日」, 「じゅうにじはん」 becomes 「12時半」, "it's fri" becomes "it's friday". What takes the
place of a word stands for the whole of it, so that a claim's place is that of the word as it was written.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from core.facts.time_claims.folding import Folded, replaced

_DAYS: Mapping[str, str] = MappingProxyType(
    {"げつ": "月", "か": "火", "すい": "水", "もく": "木", "きん": "金", "ど": "土", "にち": "日"}
)
_UNITS = ("", "いち", "に", "さん", "よん", "ご", "ろく", "なな", "はち", "きゅう")
_READINGS: Mapping[str, int] = MappingProxyType(
    {kana: value for value, kana in enumerate(_UNITS)}
    | {"よ": 4, "し": 4, "しち": 7, "く": 9, "いっ": 1, "ろっ": 6, "はっ": 8}
)
_TENS: Mapping[str, int] = MappingProxyType(
    {"じゅう": 10, "にじゅう": 20, "さんじゅう": 30, "よんじゅう": 40, "ごじゅう": 50}
    | {"じゅっ": 10, "にじゅっ": 20, "さんじゅっ": 30, "よんじゅっ": 40, "ごじゅっ": 50}
    | {"じっ": 10, "にじっ": 20, "さんじっ": 30, "よんじっ": 40, "ごじっ": 50}
)
# How soldiers and sailors spell the digits of a time: 「ヒトヨンマルマル」 is 14:00.
_SPELT: Mapping[str, str] = MappingProxyType(
    {"マル": "0", "ヒト": "1", "フタ": "2", "サン": "3", "ヨン": "4", "ゴー": "5", "ゴ": "5", "ロク": "6", "ナナ": "7"}
    | {"ハチ": "8", "キュウ": "9", "キュー": "9"}
)
_DIGIT = "|".join(_SPELT)
_UNIT = "いち|に|さん|よん|よ|しち|し|ご|ろく|なな|はち|きゅう|く"
_TEN = "(?:に|さん|よん|ご)?じゅう"
_MINUTE = (
    "(?:(?:に|さん|よん|ご)?じゅ?っ"
    "|(?:(?:に|さん|よん|ご)?じゅう)?(?:いっ|に|さん|よん|ご|ろっ|なな|はっ|きゅう))[ふぷ]ん"
)
# Short ones are also other words (くじ, a lot; にじ, a rainbow): times only behind a word for now or at the head.
_BEHIND_NOW = (
    r"(?:(?<![ぁ-んァ-ヶー一-龥])|(?<=もう)|(?<=いま)|(?<=今)|(?<=[今ま]は)|(?<=まだ)|(?<=ろそろ)|(?<=すぐ)|(?<=ちょうど)"
    r"|(?<=やっと)|(?<=ごご)|(?<=ぜん)|(?<=よる)|(?<=よるの)|(?<=あさ)|(?<=あさの)|(?<=[夜朝昼晩後前方])|(?<=[夜朝昼晩後前方中]の))"
)
_ENDS = (
    r"(?=だ|で[すー]|に(?:な|近|ち)|か[なも。、!?]|じゃ|や[でんね]|ね|よ|な[うの]|[。、!?ー\s]|$|まえ|前|ご?ろ|頃|くら|ぐら"
    r"|ちょ|ぴっ|半|はん|を?(?:すぎ|過ぎ|まわ|わ|回)|\()"
)
_JAPANESE = re.compile(
    r"(?=[げかすもきどに月火水木金土日])(?:(?P<day>げつ|か|すい|もく|きん|ど|にち|[月火水木金土日])よ[うー][び日]"
    r"|(?P<short>げつ|もく|きん)よう(?=だ|で|か|の|ね|[。、!]|$))"
    rf"|(?=[いにさよしごろなはきくじ])(?:(?P<half>ごぜん|ごご)(?:の)?(?=(?:{_UNIT}|{_TEN}|[0-9一二三四五六七八九十])(?:{_UNIT})?[じ時]))"
    rf"|(?=[いにさよしごろなはきくじ])(?:(?:(?P<ten>に?じゅう)(?P<unit>{_UNIT})?|{_BEHIND_NOW}(?P<only>{_UNIT}))"
    rf"(?:じ(?:(?P<minute>{_MINUTE})|{_ENDS})|(?P<month>がつ)(?![いきくけなかま])))"
    r"|(?<=[0-9一二三四五六七八九十])(?P<hour>じ)(?=だ|で[すー]|に(?:な|近)|か[な。、!?]|ね|半|はん|すぎ|過ぎ|ご?ろ|くら|ぐら|ちょ|[。、!?]|$)"
    r"|(?<=じ)(?P<thirty>はん)(?=だ|で|に|か|じゃ|や|ね|よ|す|く|ぐ|ご|[。、!?]|$)"
    r"|(?<=つ)(?P<first>ついたち)"
    r"|(?:(?<=今)|(?<=いま)|(?<=[今ま]は)|(?<=[今ま]、)|(?<=現在)|(?<=時刻は)|(?<=もう))"
    r"(?P<dotted>(?:[01]?[0-9]|2[0-3])\.[0-5][0-9])(?![0-9.%倍円点度割秒メキセポドm])"
    r"|(?:(?:^|(?<=[。!?\n]))(?!1234)(?P<four>(?:[01][0-9]|2[1-3])[0-5][0-9])(?<!1[6-9][1245]\d)(?<!1[6-9][03][1-9])(?=、|,|[。!](?!\d)|ちょうど|時報|現在)"
    r"|(?:^|(?<=[。!?\n今まは在]))(?:(?<=[今まは在])|(?!一二三四))(?P<kanji>(?:[〇零一][〇零一二三四五六七八九]|二[〇零一二三])[〇零一二三四五][〇零一二三四五六七八九])(?:時(?=[、。!だ]|です)|(?=[、。!だ]|です|ちょうど|現在|時報)))"
    rf"|(?=[マヒフ])(?<![ァ-ヶー])(?P<spelt>(?:マル|ヒト|フタ)(?:{_DIGIT}){{3}})時?(?![ァ-ヶー])"
)
# What one of those holds: a string that is looked for first, since that is quickest, and how it goes on.
_HAS_JAPANESE = (
    (
        "じ",
        re.compile(
            "じ(?<=[ちにんよごしくろなう0-9一二三四五六七八九十]じ)(?:[だでにかじやねよなまごろ頃くぐちすぴ過半はを前。、!?ー(\\s]|$)"
        ),
    ),
    ("よう", re.compile("よう(?<=[つかいくんどち月火水木金土日]よう)[び日だでかのね。、!]|よう(?<=[つくん]よう)$")),
    ("よー", re.compile("よー[び日]")),
    (".", re.compile(r"\.(?<=[今ま在は、う][0-9]\.)[0-5]|\.(?<=[今ま在は、う][0-9]{2}\.)[0-5]")),
    ("", re.compile(r"[012][0-9][0-5][0-9](?:[、,。!]|ちょう|時報|現在)")),
    ("", re.compile("[〇零一二][〇零一二三四五六七八九]{3}[、。!だでち現時]")),
    ("がつ", re.compile("がつ(?<=[ちにんしごくう]がつ)")),
    *(
        (digit, re.compile(f"{digit}(?:マル|ヒト|フタ|サン|ヨン|ゴ|ロク|ナナ|ハチ|キュ)"))
        for digit in ("マル", "ヒト", "フタ")
    ),
)
_WEEKDAY = "mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat|sun"
_NAMES: Mapping[str, str] = MappingProxyType(
    {"mo": "monday", "tu": "tuesday", "we": "wednesday", "th": "thursday", "fr": "friday", "sa": "saturday"}
    | {"su": "sunday"}
)
_ENGLISH = re.compile(
    rf"(?<=it's )(?P<after>{_WEEKDAY})(?=[,.!?]|$"
    r"| (?:already|and|night|morning|afternoon|evening|again|today|lol|right)\b)"
    r"|(?:^|(?<=[.!?] ))(?P<bare>tues|weds|thurs)(?=[.,!?]|$)"
    r"|\b(?P<alone>tues|weds|thurs|fri)(?= (?:night|morning|afternoon|evening|arvo|vibes|mood|already)\b)"
    r"|(?:^|(?<=[.!?,;:] )|(?<=happy )|(?<=this ))(?P<brief>mon|tue|wed|thur?|sat|sun)"
    r"(?= (?:night|morning|afternoon|evening|arvo|vibes|mood)\b)"
    r"|\b(?P<yay>fri-?yay)\b|\b(?P<end>wke?nds?)\b|\b(?P<part>morn|even)in(?:'|(?=[\s,.!]|$))"
    r"|(?<=\d )(?P<now>nao)\b|(?<=\d[ap]m )(?P<now2>nao)\b"
)
_LATIN = re.compile("[a-z]{2}")
# Likewise, with what may come next; nothing where that does not matter.
_HAS_ENGLISH = (
    ("it's ", ("mon", "tu", "wed", "th", "fri", "sat", "sun")),
    *((day, ()) for day in ("tues", "weds", "thurs", "fri ", "fri-y", "friy", " nao", "wkend", "wknd", "wekend")),
    *((f"{day} ", tuple("nmaev")) for day in ("mon", "tue", "wed", "thu", "thur", "sat", "sun")),
    *((end, ("'", *sign)) for end, sign in (("rnin", ()), ("enin", ()), ("mornin", " ,."), ("evenin", " ,"))),
)


def _has_japanese(text: str) -> bool:
    return any(part in text and goes_on.search(text) is not None for part, goes_on in _HAS_JAPANESE)


def _has_english(text: str) -> bool:
    return any(part in text and (not ends or any(part + end in text for end in ends)) for part, ends in _HAS_ENGLISH)


def unified(folded: Folded) -> Folded:
    """Return a folded text with its days and hours in the spelling that the rules know."""
    text = folded.text
    if not text.isascii() and _has_japanese(text):
        folded = replaced(folded, _JAPANESE, _japanese)
    if _LATIN.search(text) and _has_english(text):
        folded = replaced(folded, _ENGLISH, _english)
    return folded


def _japanese(match: re.Match[str]) -> str:
    if day := match["day"] or match["short"]:
        return f"{_DAYS.get(day, day)}曜日"
    if half := match["half"]:
        return "午前" if half == "ごぜん" else "午後"
    if match["ten"] or match["only"]:
        return _number(match)
    if figures := _figures(match):
        return figures
    return "時" if match["hour"] else "半" if match["thirty"] else "1日"


def _figures(match: re.Match[str]) -> str:
    """Return a time that is written as four digits of a kind, or with a dot; empty if it is none."""
    if dotted := match["dotted"]:
        return dotted.replace(".", ":")
    four = match["four"] or match["kanji"]
    if spelt := match["spelt"]:
        four = re.sub(_DIGIT, lambda digit: _SPELT[digit.group()], spelt)
    return f"{four[:2]}時{four[2:]}分" if four else ""


def _number(match: re.Match[str]) -> str:
    value = _TENS.get(match["ten"] or "", 0) + _READINGS[match["unit"] or match["only"] or ""]
    if match["month"]:
        return f"{value}月"
    return f"{value}時{_minutes(match['minute'])}"


def _minutes(written: str | None) -> str:
    """Return minutes as digits: 「じゅうごふん」 is 15分."""
    if not written:
        return ""
    kana = written[:-2]
    ten = next((ten for ten in sorted(_TENS, key=len, reverse=True) if kana.startswith(ten)), "")
    return f"{_TENS.get(ten, 0) + _READINGS[kana.removeprefix(ten)]}分"


def _english(match: re.Match[str]) -> str:
    if name := match["after"] or match["alone"] or match["bare"] or match["brief"]:
        return _NAMES[name[:2]]
    if part := match["part"]:
        return f"{part}ing"
    return "friday" if match["yay"] else "weekend" if match["end"] else "now"
