"""Pages of a private answer."""

from hypothesis import given
from hypothesis import strategies as st

from bot.discord.commands.pager import pages_of
from bot.discord.splitting import LIMIT

_LINES = st.lists(st.text(alphabet="abcあ", min_size=1, max_size=400), max_size=60)


@given(lines=_LINES, foot=st.sampled_from(["", "a note"]))
def test_every_page_fits_and_no_line_is_lost_or_moved(lines: list[str], foot: str) -> None:
    pages = pages_of("the head", lines, foot)

    assert all(len(page) < LIMIT for page in pages)
    assert all(page.startswith("the head") and page.endswith(foot) for page in pages)
    shown = [line for page in pages for line in page.removesuffix(foot).split("\n")[1:] if line]
    assert shown == lines


def test_without_lines_there_is_one_page() -> None:
    assert pages_of("the head", [], "") == ["the head"]
