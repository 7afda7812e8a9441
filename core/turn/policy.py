"""The bounds of a turn, as the operator set them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most that may be used in a day or a month; None where there is no bound.

    `cost_micros`: millionths of the currency.
    """

    tokens: int | None = None
    cost_micros: int | None = None

    @property
    def is_bounded(self) -> bool:
        """Whether there is any bound to look at."""
        return self.tokens is not None or self.cost_micros is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPolicy:
    """Bounds and waits. Times in seconds, sizes in tokens unless the name says otherwise."""

    debounce: float = 1.2
    longest_debounce: float = 6.0
    continuation_window: float = 120.0
    session_idle: float = 6 * 3600.0
    history_messages: int = 60
    history_tokens: int = 1500
    message_tokens: int = 2000
    lore_tokens: int = 400
    voice_tokens: int = 250
    reply_tokens: int = 500
    temperature: float = 0.7
    bot_exchanges: int = 3
    ambient_chance: float = 0.2
    messages_per_minute: int = 12
    user_budget: Budget = Budget()
    guild_budget: Budget = Budget()
    global_budget: Budget = Budget()
    user_month_budget: Budget = Budget()
    guild_month_budget: Budget = Budget()
    global_month_budget: Budget = Budget()
    budget_timezone: str = "UTC"
    archive: bool = True
    retention_days: int = 30
    summaries: bool = True
    summary_after_tokens: int = 500
    summary_chunk_tokens: int = 1500
    summary_tokens: int = 220
    summary_gap: float = 0.1
    catch_up_window: float = 300.0
    reserve: float = 7 * 86400.0
    conversations_in_memory: int = 500
