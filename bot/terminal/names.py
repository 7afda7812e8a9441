"""What commands are called in the terminal: some are typed shorter there than on Discord."""

_SHORTER = {"memory add": "remember", "memory list": "memory", "privacy show": "privacy"}


def typed_name(command: str, _locale: str) -> str:
    """Return what to type for a command ("memory add"), in whatever language (`CommandNames`)."""
    return f"/{_SHORTER.get(command, command)}"
