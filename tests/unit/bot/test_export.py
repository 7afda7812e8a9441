"""An export is a document that a person can read, in both languages."""

from pathlib import Path

import pytest

from bot.export import as_markdown
from core.values import FactSource, Locale
from data.privacy import TABLES
from data.stores import open_stores
from prompts.messages import Messages
from tests.contract.bundle import AKI, AKI_DM, NOON, message
from tests.contract.test_privacy import fill
from tests.contract.test_social import fill as fill_social
from tests.fakes.stores import casefolded_words

MESSAGES = Messages.load()


@pytest.mark.parametrize("locale", Locale)
async def test_everything_stands_under_a_heading_in_words(tmp_path: Path, locale: Locale) -> None:
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
        await fill(stores)
        await fill_social(stores)
        await stores.kept_facts.add(AKI, "two cats", now=NOON, source=FactSource.of(4, AKI_DM))
        await stores.archive.add([message(55, None, surface=AKI_DM, sensitive=True), message(56, "two\nlines")])
        export = await stores.privacy.export(AKI)

    document = as_markdown(export, MESSAGES, locale)

    for table in TABLES:
        assert f"## {MESSAGES.text(f'privacy.table.{table}', locale)} ({len(export[table])})" in document
    assert "- 2026-03-01 12:00 UTC" in document
    assert "name-1" in document
    assert "The harbour is calm." in document
    assert "patient" in document
    assert "2. two cats (2026-03-01 12:00 UTC)" in document.replace("（", " (").replace("）", ")")
    assert "two\n  lines" in document
    assert ("kept without its text" if locale is Locale.EN else "本文は保存していません") in document
    assert "None" not in document
    assert "{" not in document


@pytest.mark.parametrize("locale", Locale)
def test_of_somebody_unknown_it_says_that_there_is_nothing(locale: Locale) -> None:
    assert MESSAGES.text("privacy.nothing", locale) in as_markdown({table: [] for table in TABLES}, MESSAGES, locale)


def test_a_kind_without_words_of_its_own_is_shown_all_the_same() -> None:
    document = as_markdown({"novelties": [{"what": "a", "since": None, "on": True}]}, MESSAGES, Locale.EN)

    assert "## novelties (1)" in document
    assert "- what: a, since: -, on: yes" in document
