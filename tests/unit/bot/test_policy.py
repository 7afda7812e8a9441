from pathlib import Path

import pytest

from bot.errors import StartError
from bot.operations.disk import make_data_dir
from bot.policy import at_the_terminal, policy_of
from bot.settings import load
from core.turn.policy import Budget, TurnPolicy


def test_every_bound_comes_from_its_setting(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "HISTORY_TOKENS": "11",
        "REPLY_MAX_TOKENS": "22",
        "DEBOUNCE_SECONDS": "0.5",
        "CONTINUATION_SECONDS": "33",
        "SESSION_HOURS": "2",
        "MAX_BOT_EXCHANGES": "4",
        "MESSAGES_PER_MINUTE": "5",
        "USER_DAILY_TOKENS": "100",
        "GUILD_DAILY_TOKENS": "0",
        "GLOBAL_DAILY_TOKENS": "300",
        "USER_DAILY_COST": "0.5",
        "GLOBAL_DAILY_COST": "2",
        "USER_MONTHLY_TOKENS": "400",
        "GUILD_MONTHLY_COST": "3",
        "GLOBAL_MONTHLY_TOKENS": "500",
        "TIMEZONE": "Asia/Tokyo",
        "ARCHIVE_MESSAGES": "false",
        "RETENTION_DAYS": "6",
        "CATCH_UP_MINUTES": "7",
        "PROACTIVE_RESERVE_DAYS": "3",
    }.items():
        monkeypatch.setenv(f"YORISOI_{name}", value)
    assert policy_of(load().settings) == TurnPolicy(
        history_tokens=11,
        reply_tokens=22,
        debounce=0.5,
        longest_debounce=2.5,
        continuation_window=33.0,
        session_idle=7200.0,
        bot_exchanges=4,
        messages_per_minute=5,
        user_budget=Budget(tokens=100, cost_micros=500_000),
        guild_budget=Budget(tokens=None, cost_micros=None),
        global_budget=Budget(tokens=300, cost_micros=2_000_000),
        user_month_budget=Budget(tokens=400),
        guild_month_budget=Budget(cost_micros=3_000_000),
        global_month_budget=Budget(tokens=500),
        budget_timezone="Asia/Tokyo",
        archive=False,
        retention_days=6,
        catch_up_window=420.0,
        reserve=3 * 86400.0,
    )


def test_the_terminal_does_not_wait_for_more_and_keeps_the_budgets(bare_environment: Path) -> None:
    policy = policy_of(load().settings)
    terminal = at_the_terminal(policy)
    assert terminal.debounce == 0.0
    assert terminal.user_budget == policy.user_budget


def test_the_folder_of_the_data_is_made_and_a_place_for_it_that_is_taken_is_named(tmp_path: Path) -> None:
    make_data_dir(tmp_path / "new" / "data")
    (tmp_path / "file").touch()

    assert (tmp_path / "new" / "data").stat().st_mode & 0o777 == 0o700
    with pytest.raises(StartError, match="YORISOI_DATA_DIR"):
        make_data_dir(tmp_path / "file")
