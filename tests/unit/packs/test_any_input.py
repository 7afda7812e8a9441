"""Whatever stands in a pack's files, loading it ends with a pack or with a list of problems."""

import contextlib
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import PackError
from data.packs.loader import load_pack

WORDS = [
    '"sora"', '"en"', '"ja"', '"fr"', '"tea"', '"*"', '"mon"', '"09:00"', '"08:00-09:00"', '"after"', '"12-31"',
    "2027-03-21", "2027-03-21T00:00:00Z", "07:30:00", "0", "7", "-1", "99999999999999999999", "nan", "true", '""', "[]",
    "{}", "[[]]", '[{activity = "tea", start = "1:00", end = "2:00"}]', '["mon", "tue"]', '{en = "x", ja = "y"}',
    "{en = 1}",
]  # fmt: skip
KEYS = [
    "name", "display_name", "locale", "timezone", "introduction", "proactive", "enabled", "text", "activity", "days",
    "start", "end", "date", "cancel", "add", "id", "window", "within_minutes", "windows", "token_env", "call_names",
    "weekly", "neutral", "en", "ja",
]  # fmt: skip
HEADERS = [
    "[proactive]", "[display_name]", "[activity.tea]", "[activity.tea.text]", "[[weekly]]", "[[exception]]",
    "[[exception.add]]", "[[neutral]]", "[[scheduled]]", "[activity]",
]  # fmt: skip

lines = st.one_of(
    st.builds("{} = {}".format, st.sampled_from(KEYS), st.sampled_from(WORDS)),
    st.sampled_from(HEADERS),
)
files = st.lists(lines, max_size=14).map("\n".join)


# The first pack reads the rules for times, which takes longer than a deadline.
@settings(deadline=None)
@given(character=files, schedule=files, candidates=files, personality=st.binary(max_size=8))
def test_loading_ends_with_a_pack_or_a_list_of_problems(
    character: str, schedule: str, candidates: str, personality: bytes
) -> None:
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "sora"
        folder.mkdir()
        (folder / "character.toml").write_text(character, "utf-8")
        (folder / "schedule.toml").write_text(schedule, "utf-8")
        (folder / "candidates.en.toml").write_text(candidates, "utf-8")
        (folder / "personality.en.md").write_bytes(personality)

        with contextlib.suppress(PackError):
            load_pack(folder)


@settings(deadline=None)
@given(schedule=files, tail=files)
def test_every_problem_has_a_line_that_the_file_has(schedule: str, tail: str) -> None:
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "sora"
        folder.mkdir()
        text = f"{schedule}\n{tail}"
        (folder / "schedule.toml").write_text(text, "utf-8")

        try:
            load_pack(folder)
        except PackError as error:
            of_schedule = [problem for problem in error.problems if problem.file == "sora/schedule.toml"]
            assert all(problem.line and 1 <= problem.line <= text.count("\n") + 1 for problem in of_schedule)
