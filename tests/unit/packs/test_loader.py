from collections.abc import Callable
from datetime import time
from pathlib import Path

import pytest

from core.characters.pack import ActivityWindow, DatedException, Span, TimeRange, Weekday, WindowKind
from core.errors import PackError
from core.values import Locale, Tier
from data.packs.loader import load_pack, load_packs, pack_folders, token_variables
from tests.unit.packs.conftest import Found
from tests.unit.packs.files import append, replace, write

Problems = Callable[[Path], Found]


def test_smallest_pack_has_defaults(small: Path) -> None:
    pack = load_pack(small)

    assert pack.character.name == "sora"
    assert pack.character.display_name == {Locale.EN: "Sora"}
    assert pack.character.call_names == ("Sora",)
    assert pack.character.tier is Tier.BALANCED
    assert pack.character.personality == {Locale.EN: "Likes kites."}
    assert pack.character.token_env is None
    assert pack.schedule.weekly == ()
    assert pack.candidates == {}
    assert not pack.proactive.enabled


def test_schedule_candidates_and_policy_are_read(small: Path) -> None:
    write(
        small,
        "schedule.toml",
        '[activity.nap]\ntext.en = "a nap"\ntags = ["rest"]\n'
        '[[weekly]]\nactivity = "nap"\ndays = ["Mon", "sunday"]\nstart = "23:00"\nend = 01:15:00\npriority = 3\n'
        '[[exception]]\ndate = 2027-03-21\ncancel = ["*"]\n'
        '[[exception]]\ndate = "02-29"\nadd = [{activity = "nap", start = "8:05", end = "9:00"}]\n',
    )
    write(
        small,
        "candidates.en.toml",
        '[[neutral]]\nid = "kite"\ntext = "Ever flown a kite?"\ncooldown_days = 5\n'
        '[[scheduled]]\nid = "napped"\nactivity = "nap"\nwindow = "after"\nwithin_minutes = 10\ntext = "Good nap."\n',
    )
    append(small, "character.toml", '[proactive]\nenabled = true\nwindows = ["09:00-12:30"]\n')

    pack = load_pack(small)

    (entry,) = pack.schedule.weekly
    assert entry.days == {Weekday.MON, Weekday.SUN}
    assert entry.span == Span(activity="nap", start=time(23), end=time(1, 15), priority=3)
    assert entry.span.crosses_midnight
    assert pack.schedule.exceptions == (
        DatedException(year=2027, month=3, day=21, cancel=frozenset({"*"})),
        DatedException(year=None, month=2, day=29, add=(Span(activity="nap", start=time(8, 5), end=time(9)),)),
    )
    kite, napped = pack.candidates[Locale.EN]
    assert (kite.window, kite.cooldown_days) == (None, 5)
    assert napped.window == ActivityWindow(activity="nap", kind=WindowKind.AFTER, within_minutes=10)
    assert pack.proactive.windows == (TimeRange(start=time(9), end=time(12, 30)),)


def test_every_fault_of_a_broken_pack_is_told_at_once_with_its_line(pack: Path, problems: Problems) -> None:
    def broken(file: str, old: str, new: str, text: str, *, above: int = 0) -> tuple[str, int, str]:
        return file, replace(pack, file, old, new) - above, text

    lecture = 'text.en = "lectures at university"'
    # What is missing has the line of the table it is missing from, which stands above.
    expected = [
        broken("character.toml", "Asia/Tokyo", "Asia/Tokio", 'did you mean "Asia/Tokyo"'),
        broken("character.toml", "tier =", "teir =", "did you mean 'tier'"),
        broken("character.toml", 'en = "Hinata"', "", "'display_name' has 'ja' but not 'en'", above=2),
        broken("character.toml", "per_day = 2", 'per_day = "2"', "must be a whole number"),
        broken("schedule.toml", '"07:50"', '"25:00"', "must be a time"),
        broken("schedule.toml", lecture, "", "'activity.lecture.text' has 'ja' but not 'en'", above=1),
        broken("candidates.en.toml", '"swim"', '"swimming"', "[activity.swimming]"),
        broken("candidates.ja.toml", '"bread-crusts"', '"moss-roots"', "this id stands on line"),
        ("personality.en.md", 2, "is not UTF-8"),
    ]
    (pack / "personality.en.md").write_bytes(b"ok\nna\xefve\n")

    found = problems(pack)

    for file, line, text in expected:
        assert [text in message for name, where, message in found if (name, where) == (file, line)].count(True) == 1
    assert found == sorted(found, key=lambda problem: (problem[0], problem[1] or 0, problem[2]))


@pytest.mark.parametrize(
    ("toml", "line", "text"),
    [
        ('name = "sora\nlocale = "en"\n', 1, "not valid TOML at character 13: illegal character"),
        ('name = "sora"\nname = "x"\n', 2, "not valid TOML"),
        ("locale = ja\n", 1, "texts stand in quotes"),
        ('tags = ["a",\n"b"', 2, "not valid TOML at the end of the file"),
    ],
)
def test_syntax_error_has_its_line(small: Path, problems: Problems, toml: str, line: int, text: str) -> None:
    write(small, "character.toml", toml)

    ((file, found, message),) = problems(small)

    assert (file, found) == ("character.toml", line)
    assert text in message


@pytest.mark.parametrize(
    ("toml", "text"),
    [
        ("tier = 3", "'tier' must be one of 'advanced', 'balanced' or 'basic'"),
        ('tags = "kites"', "'tags' must be a list in square brackets"),
        ("tags = [1]", "'tags[1]' must be a text in quotes"),
        ('call_names = ["  "]', "'call_names[1]' must not be empty"),
        ('introduction.fr = "x"', "'introduction.fr' must be one of 'ja' or 'en'"),
        ("proactive = 1", "'proactive' must be a table"),
        ("proactive.enabled = 1", "'proactive.enabled' must be true or false"),
        ("proactive.per_day = 99", "'proactive.per_day' must be 10 or less"),
        ('proactive.quiet_hours = "22:00"', "must be a part of the day"),
        ('proactive.windows = ["09:00-09:00"]', "'proactive.windows[1]' begins and ends at the same time"),
        ("proactive.stop_after = 1", "'proactive' stops (1) before it slows (2)"),
        ('proactive.timezone = "Asia/Tokyo"', "belongs at the top of the file, before the first [table]"),
        ("proactive.enabled = true", "no candidates.en.toml"),
        ("colour = 1", "'colour' is not known; known here: name,"),
    ],
)
def test_wrong_value_is_told_with_what_would_be_right(small: Path, problems: Problems, toml: str, text: str) -> None:
    line = append(small, "character.toml", f"{toml}\n")

    assert [(file, found) for file, found, _ in problems(small)] == [("character.toml", line)]
    assert text in problems(small)[0][2]


def test_token_in_a_pack_is_refused_without_repeating_it(small: Path, problems: Problems) -> None:
    append(small, "character.toml", 'token_env = "MTk4NjIyNDgzNDcx.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"\n')

    ((_, _, message),) = problems(small)

    assert "environment variable" in message
    assert "MTk4" not in message


@pytest.mark.parametrize(
    ("toml", "line", "text"),
    [
        ('[[neutral]]\nid = "A b"\ntext = "x"', 2, "'neutral[1].id' must be at most 48 of a-z"),
        ('[[neutral]]\nid = "a"\ntext = "Hi {name}"', 3, "must not hold '{name}'"),
        ('[[neutral]]\nid = "a"\ntext = ""', 3, "must not be empty"),
        (
            '[[neutral]]\nid = "a"\ntext = "x"\n[[neutral]]\nid = "b"\ntext = "x"',
            6,
            "this text stands on line 3 already",
        ),
        ('[[neutral]]\nid = "a"\ntext = "x"\nwindow = "during"', 4, "'neutral[1].window' is not known"),
        ('[[scheduled]]\nid = "a"\nactivity = "x"\nwindow = "while"\ntext = "x"', 4, "'before', 'during' or 'after'"),
        ('[[scheduled]]\nid = "a"\nactivity = "x"\nwindow = "after"\ntext = "x"', 4, "needs 'within_minutes'"),
        (
            '[[scheduled]]\nid = "a"\nactivity = "x"\nwindow = "during"\ntext = "x"',
            3,
            "the pack has no schedule.toml or",
        ),
    ],
)
def test_fault_in_candidates_has_its_line(small: Path, problems: Problems, toml: str, line: int, text: str) -> None:
    write(small, "candidates.en.toml", f"{toml}\n")

    found = problems(small)

    assert any(where == line and text in message for _, where, message in found), found


def test_id_means_the_same_moment_in_every_language(pack: Path, problems: Problems) -> None:
    replace(pack, "candidates.en.toml", 'activity = "lecture"\nwindow = "after"', 'activity = "lab"\nwindow = "after"')

    ((file, _, message),) = problems(pack)

    assert file == "candidates.en.toml"
    assert "'lecture-over' is tied to another activity or window in hinata/candidates.ja.toml:" in message


def test_language_that_is_only_half_there_is_told_file_by_file(pack: Path, problems: Problems) -> None:
    (pack / "personality.en.md").unlink()
    (pack / "candidates.en.toml").unlink()

    assert [(file, line) for file, line, _ in problems(pack)] == [
        ("candidates.en.toml", None),
        ("personality.en.md", None),
    ]


def test_locale_nothing_is_written_in_is_refused(small: Path, problems: Problems) -> None:
    line = replace(small, "character.toml", 'locale = "en"', 'locale = "ja"')

    assert ("character.toml", line) in {(file, where) for file, where, _ in problems(small)}


def test_name_must_be_the_folders(small: Path, problems: Problems) -> None:
    replace(small, "character.toml", '"sora"', '"sara"')

    ((_, line, message),) = problems(small)

    assert line == 1
    assert "the folder is named 'sora'" in message


def test_a_clock_in_a_personality_is_told_with_its_line(small: Path) -> None:
    write(small, "personality.en.md", "\nLikes kites.\nIs up at 6:30 on most days, and loves summer evenings.\n")
    (warning,) = load_pack(small).warnings
    assert (warning.file, warning.line) == ("sora/personality.en.md", 3)
    assert warning.message.startswith("'6:30' is a time on the clock")


def test_personality_must_be_neither_empty_nor_endless(small: Path, problems: Problems) -> None:
    write(small, "personality.en.md", " \n")
    assert [message for _, _, message in problems(small)] == ["is empty; write who the character is"]

    write(small, "personality.en.md", "Likes kites. " * 1000)
    assert "is too long" in problems(small)[0][2]

    write(small, "personality.en.md", "Likes kites. " * 200)
    assert "embedded model" in load_pack(small).warnings[0].message


def test_file_with_an_unknown_locale_is_refused_and_a_stray_one_noted(small: Path, problems: Problems) -> None:
    write(small, "week.ics", "BEGIN:VCALENDAR")
    write(small, "README.md", "about sora")
    (small / ".DS_Store").touch()
    assert [(w.file, w.message) for w in load_pack(small).warnings] == [
        ("sora/week.ics", "is not used; a calendar is read from schedule.ics")
    ]

    write(small, "personality.fr.md", "Aime les cerfs-volants.")
    assert [file for file, _, _ in problems(small)] == ["personality.fr.md"]


def test_files_that_cannot_be_read_are_told(small: Path, problems: Problems) -> None:
    (small / "personality.en.md").unlink()
    (small / "personality.en.md").mkdir()
    (small / "character.toml").unlink()

    found = problems(small)

    assert {file for file, _, _ in found} == {"character.toml", "personality.en.md"}


def test_folder_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="is not a folder"):
        load_pack(tmp_path / "nobody")


def test_mark_of_byte_order_and_windows_line_ends_do_no_harm(small: Path) -> None:
    text = (small / "character.toml").read_text("utf-8")
    (small / "character.toml").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())

    assert load_pack(small).character.name == "sora"


def test_operators_pack_wins_over_a_shipped_one_and_adds_to_them(pack: Path, small: Path) -> None:
    replace(pack, "character.toml", 'ja = "ひなた"', 'ja = "ひなの"')
    assert pack.parent == small.parent

    loaded = load_packs(pack.parent)

    assert set(loaded.packs) == {"hinata", "sora"}
    assert loaded.packs["hinata"].character.display_name[Locale.JA] == "ひなの"
    assert pack_folders(pack.parent)["hinata"] == pack
    assert loaded.problems == ()


def test_broken_pack_keeps_no_other_from_being_used(small: Path) -> None:
    write(small, "character.toml", "x = 1")

    loaded = load_packs(small.parent)

    assert set(loaded.packs) == {"hinata"}
    assert {problem.file for problem in loaded.problems} == {"sora/character.toml"}


def test_the_variables_of_tokens_are_known_of_broken_packs_too(small: Path) -> None:
    append(small, "character.toml", 'token_env = "YORISOI_SORA_TOKEN"\nx = 1\n')
    assert token_variables(small.parent) == {"YORISOI_SORA_TOKEN"}


@pytest.mark.parametrize("broken", ["token_env = ", "token_env = 3", 'token_env = "MTk4NjIy.Cl2FMQ.ZnCj"', ""])
def test_what_names_no_variable_is_none(small: Path, broken: str) -> None:
    write(small, "character.toml", broken)
    assert token_variables(small.parent) == frozenset()
    assert token_variables(small / "nowhere") == frozenset()


def test_operators_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="YORISOI_CHARACTERS_DIR"):
        load_packs(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Good evening!", "'Good evening' fits a part of the day only; a neutral text must be true at any moment"),
        ("You've been quiet.", "'You've been quiet' claims that the reader was away, silent or is back"),
        ("お疲れさま。", "takes something about the reader's day for granted"),
    ],
)
def test_neutral_text_that_hides_a_claim_is_refused_with_the_words(
    small: Path, problems: Problems, text: str, reason: str
) -> None:
    write(small, "candidates.en.toml", f'[[neutral]]\nid = "a"\ntext = "{text}"\n')

    ((file, line, message),) = problems(small)

    assert (file, line) == ("candidates.en.toml", 3)
    assert reason in message


_NAP = (
    '[activity.nap]\ntext.en = "a nap"\n[[weekly]]\nactivity = "nap"\ndays = ["mon"]\nstart = "23:00"\nend = "01:00"\n'
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Good nap. It's half past two.", "names a time on the clock; a scheduled text may speak of its own activity"),
        ("Good nap. You must be tired, too.", "claims how the reader"),
        ("Good nap. I skipped lunch for it, I'm starving.", "claims another activity than its own"),
        ("Good {what}.", "'{what}' is nothing that the program can fill in; it knows {activity}, {ahead}, "),
    ],
)
def test_scheduled_text_may_claim_its_own_activity_only(
    small: Path, problems: Problems, text: str, reason: str
) -> None:
    write(small, "schedule.toml", _NAP)
    scheduled = '[[scheduled]]\nid = "a"\nactivity = "nap"\nwindow = "after"\nwithin_minutes = 30\n'
    write(small, "candidates.en.toml", f'{scheduled}text = "{text}"\n')

    found = problems(small)

    assert {(file, line) for file, line, _ in found} == {("candidates.en.toml", 6)}
    assert any(reason in message for _, _, message in found), found


def test_slots_of_a_scheduled_text_are_kept_to_be_filled(small: Path) -> None:
    write(small, "schedule.toml", _NAP)
    scheduled = '[[scheduled]]\nid = "a"\nactivity = "nap"\nwindow = "during"\n'
    write(small, "candidates.en.toml", f'{scheduled}text = "In the middle of {{activity}}, {{left}} to go."\n')

    (candidate,) = load_pack(small).candidates[Locale.EN]

    assert candidate.text == "In the middle of {activity}, {left} to go."


def test_background_is_read_and_what_would_not_be_told_is_warned_about(small: Path) -> None:
    write(
        small,
        "lore.en.toml",
        '[[entry]]\ntext = "Nobody asks."\n\n[[entry]]\nkeys = ["kite"]\ntext = "It is 14:30. Kites fly."\n',
    )
    write(small, "voice.en.toml", 'examples = ["Up it goes!"]\ngreetings = ["Hello."]\n')
    pack = load_pack(small)

    assert [entry.keys for entry in pack.character.lore[Locale.EN].entries] == [(), ("kite",)]
    assert pack.character.voice == {Locale.EN: ("Up it goes!", "Hello.")}
    assert [(problem.line, problem.message.split(";")[0][:30]) for problem in pack.warnings] == [
        (1, "is never told: give it 'keys',"),
        (6, "'It is 14:30.' names a time or"),
    ]


def test_a_fault_in_the_background_is_told_with_its_line(small: Path, problems: Callable[[Path], Found]) -> None:
    write(small, "lore.en.toml", '[[entry]]\nkeys = ["kite"]\ntxt = "Kites fly."\n')

    assert [(file, line) for file, line, _ in problems(small)] == [("lore.en.toml", 1), ("lore.en.toml", 3)]
