"""Errors of the facts."""

from core.errors import CoreError


class FactsError(CoreError):
    """A fact was asked for by a name that means nothing: a time zone or a country that does not exist."""
