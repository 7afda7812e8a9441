"""Names of days and of parts of the day, and what they stand for."""

from collections.abc import Mapping
from types import MappingProxyType

WEEKDAYS = MappingProxyType(
    dict(
        zip(
            "月火水木金土日",
            ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
            strict=True,
        )
    )
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NAMED_DAYS = (
    (r"大晦|大み|おおみ|eve$(?<=year eve)|year'?s? eve", "12-31"),
    (r"元[日旦]|year'?s? day", "01-01"),
    (r"イ[ブヴ]|(?:christmas|xmas) eve", "12-24"),
    (r"クリスマス|christmas|xmas", "12-25"),
    (r"boxing", "12-26"),
    (r"バレンタイン|valentine", "02-14"),
    (r"ホワイト|pi day", "03-14"),
    (r"[ひ雛]な?祭|ひなまつり", "03-03"),
    (r"節分", "02-03"),
    (r"文化", "11-03"),
    (r"勤労", "11-23"),
    (r"建国", "02-11"),
    (r"昭和", "04-29"),
    (r"憲法", "05-03"),
    (r"みどり", "05-04"),
    (r"山の日", "08-11"),
    (r"七五三", "11-15"),
    (r"猫の日", "02-22"),
    (r"肉の日", "11-29"),
    (r"エイプリル|april", "04-01"),
    (r"[こ子]ども", "05-05"),
    (r"七夕", "07-07"),
    (r"ハロウィン|halloween", "10-31"),
    (r"patrick", "03-17"),
    (r"bonfire|fawkes", "11-05"),
    (r"fourth of july", "07-04"),
    (r"leap", "02-29"),
    (r"ポッキー", "11-11"),
    (r"夫婦", "11-22"),
)
# By value: what a word in brackets after a time begins with.
PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "early_morning": ("早朝", "明け方", "未明", "early morning"),
        "morning": ("午前", "朝", "morning"),
        "noon": ("昼", "正午", "noon", "midday"),
        "afternoon": ("午後", "afternoon"),
        "evening": ("夕方", "evening", "early evening"),
        "night": ("夜", "晩", "night"),
        "late_night": ("深夜", "真夜中", "late"),
    }
)

# Names a weekday goes by.
WEEKDAY_ALIASES: Mapping[str, str] = MappingProxyType(
    {"花金": "friday", "華金": "friday", "tgif": "friday", "hump day": "wednesday"}
)
# What a part of the day said with a weekday (月曜の朝) spans; by how the word begins, the longer ones first.
PARTS_OF_DAYS: Mapping[str, str] = MappingProxyType(
    {"早朝": "early_morning", "明け方": "early_morning", "朝": "morning", "午前": "morning", "昼下がり": "afternoon"}
    | {"昼過ぎ": "afternoon", "午後": "afternoon", "昼": "11:00/16:30", "夕": "evening", "夜中": "late_night"}
    | {"夜更け": "late_night", "真夜中": "late_night", "深夜": "late_night", "夜": "night", "晩": "night"}
)
