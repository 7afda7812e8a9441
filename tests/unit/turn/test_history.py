from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.language_model.tokens import estimate_tokens
from core.turn.history import ConversationHistory
from core.values import Speaker, Surface, SurfaceKind, Utterance

AT = datetime(2026, 11, 30, tzinfo=UTC)
CHANNEL = Surface(kind=SurfaceKind.CHANNEL, channel_id=1, guild_id=2)
DM = Surface(kind=SurfaceKind.DM, channel_id=3)


def said(message_id: int, text: str = "text", *, author: int = 7, is_self: bool = False) -> Utterance:
    return Utterance(id=message_id, author=Speaker(id=author, name="a"), text=text, sent_at=AT, is_self=is_self)


def ids(utterances: Iterable[Utterance]) -> list[int]:
    return [utterance.id for utterance in utterances]


def filled(*messages: Utterance, surface: Surface = CHANNEL, limit: int = 100) -> ConversationHistory:
    history = ConversationHistory(surface, limit=limit)
    history.add(*messages)
    return history


def test_messages_stand_in_the_order_of_their_ids_whenever_they_came() -> None:
    history = filled(said(3), said(1))
    history.add(said(2))
    assert ids(history.window(before=9, without=(), tokens=100)) == [1, 2, 3]


def test_the_window_leaves_out_what_is_being_answered_and_what_came_later() -> None:
    history = filled(said(1), said(2), said(3), said(4))
    assert ids(history.window(before=4, without={2}, tokens=100)) == [1, 3]


def test_a_message_that_comes_twice_is_kept_once_with_its_newest_text() -> None:
    history = filled(said(1, "old"))
    history.add(said(1, "new"))
    assert [u.text for u in history.window(before=9, without=(), tokens=100)] == ["new"]


def test_an_edit_and_a_deletion_reach_the_window() -> None:
    history = filled(said(1, "a"), said(2, "b"))
    history.edit(1, "changed")
    history.delete({2})
    assert [u.text for u in history.window(before=9, without=(), tokens=100)] == ["changed"]


def test_the_start_of_the_window_moves_rarely_so_that_a_models_prefix_cache_holds() -> None:
    history = filled(limit=1000)
    starts = []
    for message_id in range(1, 200):
        history.add(said(message_id, "x" * 40))
        starts.append(history.window(before=message_id + 1, without=(), tokens=200)[0].id)
    moves = sum(earlier != later for earlier, later in pairwise(starts))
    assert moves < 30


def test_forgetting_a_person_in_private_forgets_the_characters_side_too() -> None:
    private = filled(said(1), said(2, is_self=True, author=0), surface=DM)
    private.delete_author(7)
    assert private.window(before=9, without=(), tokens=100) == ()


def test_forgetting_a_person_in_a_channel_leaves_what_others_said() -> None:
    history = filled(said(1), said(2, author=8))
    history.delete_author(7)
    assert ids(history.window(before=9, without=(), tokens=100)) == [2]


@given(st.lists(st.text(alphabet="あaい b", min_size=1, max_size=30), max_size=30), st.integers(0, 60))
def test_the_window_never_exceeds_its_tokens(texts: list[str], tokens: int) -> None:
    history = filled(*(said(number, text) for number, text in enumerate(texts, start=1)))
    window = history.window(before=1000, without=(), tokens=tokens)
    assert sum(estimate_tokens(utterance.text) for utterance in window) <= tokens
