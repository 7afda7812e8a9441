"""`MessageArchive`: what is stored is found by its own conversation only, and what is deleted by nobody."""

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.ports import ArchiveEntry
from core.values import ConversationKey, Speaker, Surface, SurfaceKind, Utterance
from tests.contract.bundle import (
    AKI,
    AKI_DM,
    BEN,
    CHANNEL,
    GUILD,
    HINATA,
    NOON,
    OTHER_GUILD,
    THREAD,
    AnyStores,
    after,
    key,
    message,
)
from tests.fakes.stores import casefolded_words

_channels = count(1000)
_any_text = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40, derandomize=True
)


def _texts(most: int) -> st.SearchStrategy[str]:
    """Whatever a database keeps as it is."""
    return st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=most)


def fresh_surface() -> Surface:
    """A channel no other example has used."""
    return Surface(kind=SurfaceKind.CHANNEL, channel_id=next(_channels), guild_id=GUILD)


async def found(stores: AnyStores, *terms: str, surface: Surface = CHANNEL, limit: int = 10) -> list[int]:
    return [entry.message_id for entry in await entries_with(stores, *terms, surface=surface)][:limit]


async def entries_with(
    stores: AnyStores, *terms: str, surface: Surface = CHANNEL, character: str = "hinata"
) -> list[ArchiveEntry]:
    """What holds all the terms, newest first."""
    result = await stores.recall.search(key(surface, character), terms, limit=100)
    ids = [hit.message.message_id for hit in result.hits if hit.terms >= set(terms)]
    return (await stores.recall.entries(key(surface, character), ids))[::-1]


async def remembered(stores: AnyStores, surface: Surface = CHANNEL) -> list[str]:
    return [utterance.text for utterance in await stores.archive.recent(key(surface), limit=50)]


async def test_recent_messages_come_oldest_first_and_are_the_newest(stores: AnyStores) -> None:
    await stores.archive.add([message(number, f"text {number}") for number in (3, 1, 2)])

    recent = await stores.archive.recent(key(CHANNEL), limit=2)

    speaker = Speaker(id=AKI, name="name-1")
    assert recent == [
        Utterance(id=2, author=speaker, text="text 2", sent_at=after(2)),
        Utterance(id=3, author=speaker, text="text 3", sent_at=after(3)),
    ]


async def test_of_the_newest_those_between_two_others_can_be_had_alone(stores: AnyStores) -> None:
    await stores.archive.add([message(number, f"text {number}") for number in range(1, 7)])

    found = await stores.archive.recent(key(CHANNEL), limit=4, after=2, before=5)
    looked_through = await stores.archive.recent(key(CHANNEL), limit=2, before=5)

    assert [utterance.id for utterance in found] == [3, 4]
    assert looked_through == []


async def test_the_characters_own_messages_are_marked(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "hello", author=HINATA)])

    (utterance,) = await stores.archive.recent(key(CHANNEL), limit=1)

    assert utterance.is_self


async def test_a_message_that_is_already_there_is_left_as_it_is(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "first")])

    await stores.archive.add([message(1, "second"), message(1, "third"), message(2, "new")])

    assert await remembered(stores) == ["first", "new"]
    assert await found(stores, "second") == []


async def test_many_messages_of_one_moment_are_all_kept_in_order(stores: AnyStores) -> None:
    await stores.archive.add([message(number, f"text {number}", sent_at=NOON) for number in range(30)])

    assert await remembered(stores) == [f"text {number}" for number in range(30)]
    assert await found(stores, "text", limit=2) == [29, 28]


async def test_adding_nothing_is_fine(stores: AnyStores) -> None:
    await stores.archive.add([])

    assert await remembered(stores) == []


async def test_search_tells_which_terms_a_message_holds(stores: AnyStores) -> None:
    await stores.archive.add(
        [message(2, "tea and rain"), message(3, "tea"), message(1, "rain tea"), message(4, "Tea in the RAIN")]
    )

    assert await found(stores, "tea", "rain") == [4, 2, 1]
    assert await found(stores, "tea", "rain", limit=1) == [4]


async def test_a_found_message_is_whole(stores: AnyStores) -> None:
    entry = message(1, "hello", surface=THREAD)
    await stores.archive.add([entry])

    assert await entries_with(stores, "hello", surface=THREAD) == [entry]


async def test_search_without_terms_finds_nothing(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "hello")])

    assert await found(stores) == []


async def test_search_stays_in_its_conversation(stores: AnyStores) -> None:
    await stores.archive.add(
        [
            message(1, "secret", surface=AKI_DM),
            message(2, "secret", surface=OTHER_GUILD),
            message(3, "secret", character="mio"),
        ]
    )

    assert await found(stores, "secret") == []


async def test_search_in_an_unknown_conversation_finds_nothing(stores: AnyStores) -> None:
    assert (await stores.recall.search(ConversationKey("nobody", 1), ["hello"], limit=5)).hits == ()


@pytest.mark.parametrize(
    "text", ['"', "a* OR b", "NOT x", "terms:hello", "^hello", "NEAR(a b)", "'; DROP TABLE users", "-"]
)
async def test_operators_of_the_search_language_are_only_text(stores: AnyStores, text: str) -> None:
    await stores.archive.add([message(1, text), message(2, "hello a b x")])

    assert await found(stores, *casefolded_words(text)) == [1]


@_any_text
@given(text=_texts(200))
async def test_any_text_is_stored_found_by_its_terms_and_deleted(stores: AnyStores, text: str) -> None:
    surface = fresh_surface()
    await stores.archive.add([message(1, text, surface=surface)])
    terms = casefolded_words(text)

    assert await remembered(stores, surface) == [text]
    assert await found(stores, *terms, surface=surface) == ([1] if terms else [])

    await stores.archive.delete_channel(surface.channel_id)
    assert await found(stores, *terms, surface=surface) == []


@_any_text
@given(before=_texts(50), later=_texts(50))
async def test_an_edited_text_is_found_by_its_new_terms_only(stores: AnyStores, before: str, later: str) -> None:
    surface = fresh_surface()
    message_id = surface.channel_id
    await stores.archive.add([message(message_id, before, surface=surface)])

    assert await stores.archive.edit(message_id, later, after(99_999))

    old, new = set(casefolded_words(before)), set(casefolded_words(later))
    assert await remembered(stores, surface) == [later]
    for term in old | new:
        assert await found(stores, term, surface=surface) == ([message_id] if term in new else [])


@_any_text
@given(terms=st.lists(_texts(20), max_size=5))
async def test_no_search_term_breaks_a_search(stores: AnyStores, terms: list[str]) -> None:
    await stores.archive.add([message(1, "hello")])

    assert await found(stores, *terms, "never-said") == []


async def test_a_nul_character_does_not_break_storing_or_searching(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "broken \0 text")])
    await stores.archive.edit(1, "mended \0 text", after(5))

    (text,) = await remembered(stores)

    assert text.startswith("mended ")
    assert await found(stores, "mended") == [1]
    assert await found(stores, "broken") == []


async def test_half_a_surrogate_pair_does_not_break_storing_or_searching(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "broken \ud83d text")])

    (text,) = await remembered(stores)

    assert text.encode("utf-8").startswith(b"broken ")
    assert await found(stores, "broken") == [1]
    assert await found(stores, "\ud83d") == []


async def test_a_sensitive_message_keeps_no_text(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "unspeakable", sensitive=True), message(2, "tea")])

    assert await remembered(stores) == ["tea"]
    assert await found(stores, "unspeakable") == []


async def test_a_sensitive_message_stays_empty_when_edited(stores: AnyStores) -> None:
    await stores.archive.add([message(1, None, sensitive=True)])

    assert await stores.archive.edit(1, "unspeakable", after(5))

    assert await remembered(stores) == []
    assert await found(stores, "unspeakable") == []


async def test_a_message_that_becomes_sensitive_loses_its_text_for_good(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "harmless tea")])

    assert await stores.archive.edit(1, None, after(5))
    assert await stores.archive.edit(1, "harmless again", after(6))

    assert await remembered(stores) == []
    assert await found(stores, "harmless") == []


async def test_a_message_without_text_gains_it_by_an_edit(stores: AnyStores) -> None:
    await stores.archive.add([message(1, None)])
    assert await remembered(stores) == []

    await stores.archive.edit(1, "hello", after(5))

    assert await remembered(stores) == ["hello"]
    (entry,) = await entries_with(stores, "hello")
    assert entry.edited_at == after(5)


async def test_an_edit_reaches_every_characters_copy(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "old"), message(1, "old", character="mio")])

    await stores.archive.edit(1, "new", after(5))

    for character in ("hinata", "mio"):
        (utterance,) = await stores.archive.recent(key(CHANNEL, character), limit=5)
        assert utterance.text == "new"


async def test_editing_an_unknown_message_says_so(stores: AnyStores) -> None:
    assert not await stores.archive.edit(1, "hello", NOON)


async def test_deleted_messages_are_gone_from_history_and_search(stores: AnyStores) -> None:
    await stores.archive.add(
        [message(1, "tea"), message(2, "tea"), message(3, "tea"), message(1, "tea", character="mio")]
    )

    assert await stores.archive.delete([1, 2, 99]) == 3

    assert await found(stores, "tea") == [3]
    assert await remembered(stores) == ["tea"]
    assert await stores.archive.delete([]) == 0


async def test_a_deleted_channel_takes_its_threads_sessions_and_traces_along(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea"), message(2, "tea", surface=THREAD), message(3, "tea", surface=AKI_DM)])
    await stores.sessions.touch(key(THREAD), now=NOON, expires_at=after(60))

    assert await stores.archive.delete_channel(CHANNEL.channel_id) == 2

    assert await found(stores, "tea") == []
    assert await found(stores, "tea", surface=THREAD) == []
    assert await stores.sessions.current(key(THREAD), now=NOON) is None
    assert await found(stores, "tea", surface=AKI_DM) == [3]


async def test_a_removed_guild_takes_all_its_channels_along_for_the_character_that_left(stores: AnyStores) -> None:
    await stores.archive.add(
        [
            message(1, "tea"),
            message(2, "tea", surface=THREAD),
            message(3, "tea", surface=OTHER_GUILD, author=BEN),
            message(4, "tea", character="sora"),
        ]
    )

    assert await stores.archive.delete_guild(GUILD, character="hinata") == 2

    staying = await entries_with(stores, "tea", character="sora")
    assert [entry.message_id for entry in staying] == [4]

    assert await found(stores, "tea") == []
    assert await found(stores, "tea", surface=OTHER_GUILD) == [3]


async def test_retention_deletes_what_was_sent_before_the_moment(stores: AnyStores) -> None:
    await stores.archive.add([message(number, "tea") for number in (1, 2, 3)] + [message(4, None, sensitive=True)])

    assert await stores.archive.delete_older_than(after(3)) == 2
    assert await found(stores, "tea") == [3]

    assert await stores.archive.delete_older_than(after(10)) == 2
    assert await stores.archive.delete_older_than(after(10)) == 0
