"""What is fetched of the files that people send."""

from dataclasses import dataclass

DISCORDS_HOSTS = frozenset({"cdn.discordapp.com", "media.discordapp.net"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """What is fetched: from which hosts, how many of a message's files, of how many bytes, in how many seconds.

    A host is a bare name, or a whole origin (`http://127.0.0.1:8080`) that an operator trusts as it stands.
    """

    hosts: frozenset[str] = DISCORDS_HOSTS
    images: int = 4
    image_bytes: int = 8 * 1024 * 1024
    texts: int = 4
    text_bytes: int = 1024 * 1024
    seconds: float = 20.0
