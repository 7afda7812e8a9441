from core.turn.quota import UserPace


def test_a_pace_counts_the_last_minute_only() -> None:
    pace = UserPace(per_minute=2)
    assert [pace.admit(1, moment) for moment in (0.0, 1.0, 2.0, 60.5, 61.5)] == [True, True, False, True, True]


def test_every_user_has_a_pace_of_their_own() -> None:
    pace = UserPace(per_minute=1)
    assert pace.admit(1, 0.0)
    assert pace.admit(2, 0.0)
    assert not pace.admit(1, 0.0)


def test_a_user_is_told_once_a_minute() -> None:
    pace = UserPace(per_minute=1)
    assert [pace.should_tell(1, moment) for moment in (0.0, 30.0, 61.0)] == [True, False, True]


def test_the_pace_of_many_users_stays_bounded_in_memory() -> None:
    pace = UserPace(per_minute=1, users=10)
    for user in range(100):
        pace.admit(user, 0.0)
        pace.should_tell(user, 0.0)
    assert len(pace._moments) == len(pace._told) == 10
