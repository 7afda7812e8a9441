"""Who may come to see what: decided by code when texts are gathered, never by asking a model."""

from core.values import KeptFact, Surface


def may_enter(origin: Surface, target: Surface) -> bool:
    """Return whether a text from `origin` may enter a prompt whose answer is shown at `target`.

    Nothing from a private talk leaves it, and nothing crosses from one channel to another: who can read which
    channel changes at any time, so only the same place is certain to have the same readers. A thread may use the
    channel it hangs in, which everybody in the thread can read.
    """
    if origin.channel_id == target.channel_id:
        return True
    if origin.is_private or target.is_private:
        return False
    return origin.guild_id == target.guild_id and origin.channel_id == target.parent_id


def may_be_told(fact: KeptFact, target: Surface) -> bool:
    """Return whether what somebody told of themselves may enter a prompt that answers them at `target`.

    Told in private it stays there; told in a channel it is used in that very channel, and with them alone.
    """
    if target.is_private:
        return True
    return fact.source is not None and fact.source.guild_id is not None and fact.source.channel_id == target.channel_id
