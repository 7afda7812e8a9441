"""The bounds of a turn, and of the Discord transport, from the settings."""

from dataclasses import replace
from datetime import timedelta

from bot.discord.file_limits import FileLimits
from bot.discord.seats import DiscordOptions
from bot.settings import Settings
from core.turn.policy import Budget, TurnPolicy

_MICROS = 1_000_000


def policy_of(settings: Settings) -> TurnPolicy:
    """Return the policy that holds everywhere but in the terminal."""
    return TurnPolicy(
        debounce=settings.debounce_seconds,
        longest_debounce=5 * settings.debounce_seconds,
        continuation_window=float(settings.continuation_seconds),
        session_idle=settings.session_hours * 3600,
        history_tokens=settings.history_tokens,
        lore_tokens=settings.lore_tokens,
        reply_tokens=settings.reply_max_tokens,
        bot_exchanges=settings.max_bot_exchanges,
        messages_per_minute=settings.messages_per_minute,
        user_budget=_budget(settings.user_daily_tokens, settings.user_daily_cost),
        guild_budget=_budget(settings.guild_daily_tokens, settings.guild_daily_cost),
        global_budget=_budget(settings.global_daily_tokens, settings.global_daily_cost),
        user_month_budget=_budget(settings.user_monthly_tokens, settings.user_monthly_cost),
        guild_month_budget=_budget(settings.guild_monthly_tokens, settings.guild_monthly_cost),
        global_month_budget=_budget(settings.global_monthly_tokens, settings.global_monthly_cost),
        budget_timezone=settings.timezone,
        archive=settings.archive_messages,
        summaries=settings.conversation_summaries,
        retention_days=settings.retention_days,
        catch_up_window=settings.catch_up_minutes * 60.0,
        reserve=settings.proactive_reserve_days * 86400.0,
    )


def at_the_terminal(policy: TurnPolicy) -> TurnPolicy:
    """Return the policy of the terminal: each line is a whole message, and a script may send many of them."""
    return replace(policy, debounce=0.0, longest_debounce=0.0, messages_per_minute=1_000_000)


def discord_options(settings: Settings) -> DiscordOptions:
    """Return what the operator chose for Discord."""
    return DiscordOptions(
        command_cache=settings.data_dir / "discord-commands.json",
        files=FileLimits(
            hosts=settings.attachment_hosts,
            images=settings.attachment_images,
            image_bytes=settings.attachment_image_kb * 1024,
            texts=settings.attachment_texts,
            text_bytes=settings.attachment_text_kb * 1024,
            seconds=settings.attachment_seconds,
        ),
        api_base=settings.discord_api_base,
        gateway=settings.discord_gateway,
        message_content=settings.message_content,
        owner_ids=settings.owner_ids,
        catch_up_window=timedelta(minutes=settings.catch_up_minutes),
        retention_days=settings.retention_days,
        budget_timezone=settings.timezone,
        currency=settings.currency,
        watch_seconds=settings.gateway_watch_minutes * 60.0,
        exit_seconds=settings.gateway_exit_minutes * 60.0,
        welcome=settings.welcome,
    )


def _budget(tokens: int, cost: float) -> Budget:
    return Budget(tokens=tokens or None, cost_micros=round(cost * _MICROS) or None)
