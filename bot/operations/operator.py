"""Whom to tell of trouble."""

from dataclasses import dataclass

from bot.operations.notices import Notices
from core.values import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """Where to tell the operator of trouble, in which language, and what."""

    channel_id: int
    locale: Locale
    notices: Notices
