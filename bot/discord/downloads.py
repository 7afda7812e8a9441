"""Files that people send, fetched from where Discord keeps them and from nowhere else.

What an address says is not trusted although Discord gave it: it has to name a known host by https, is not followed
elsewhere, leads to no machine of our own network, and is read for so many bytes and seconds only.
"""

import asyncio
import ipaddress
from dataclasses import dataclass

import aiohttp
import yarl
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from bot.discord.file_limits import FileLimits

_PIECE = 64 * 1024
_PORT = 443
_OK = 200


class DownloadError(Exception):
    """A file was not fetched; the text says by which rule, and holds nothing of its address."""


@dataclass(frozen=True, slots=True)
class Downloads:
    """Fetches files within limits."""

    limits: FileLimits

    async def fetch(self, address: str, *, most: int) -> bytes:
        """Return the content of a file of at most `most` bytes.

        Raises:
            DownloadError: it may not be fetched, is too large, or could not be fetched.
        """
        url, trusted = self._allowed(address)
        try:
            async with asyncio.timeout(self.limits.seconds), _session(trusted=trusted) as session:
                return await _read(session, url, most)
        except TimeoutError:
            raise DownloadError("timeout") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise DownloadError(type(error).__name__) from None

    def _allowed(self, address: str) -> tuple[yarl.URL, bool]:
        """Return the address, and whether an operator trusts its whole origin."""
        try:
            url = yarl.URL(address)
            origin = str(url.origin()) if url.host else ""
        except ValueError:
            raise DownloadError("address") from None
        if origin and origin in self.limits.hosts and url.user is None:
            return url, True
        if url.scheme != "https" or url.port != _PORT or url.user is not None or url.password is not None:
            raise DownloadError("address")
        if url.host not in self.limits.hosts or _is_number(url.host):
            raise DownloadError("host")
        return url, False


async def _read(session: aiohttp.ClientSession, url: yarl.URL, most: int) -> bytes:
    async with session.get(url, allow_redirects=False) as response:
        if response.status != _OK:
            raise DownloadError("redirected" if 300 <= response.status < 400 else f"status {response.status}")
        if response.content_length is not None and response.content_length > most:
            raise DownloadError("too large")
        content = bytearray()
        async for piece in response.content.iter_chunked(_PIECE):
            content += piece
            # A length may be left out or wrong: only what has arrived counts.
            if len(content) > most:
                raise DownloadError("too large")
        return bytes(content)


def _session(*, trusted: bool) -> aiohttp.ClientSession:
    """Return a session of one request: no cookies, no proxy, and nothing unpacked that could grow."""
    connector = aiohttp.TCPConnector(resolver=None if trusted else PublicResolver(), force_close=True)
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={"Accept-Encoding": "identity"},
        auto_decompress=False,
        trust_env=False,
    )


class PublicResolver(AbstractResolver):
    """Finds the addresses of a host, and leaves out those that only this machine or its network can reach."""

    def __init__(self, resolver: AbstractResolver | None = None) -> None:
        self._resolver = resolver or ThreadedResolver()

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        """Return the public addresses of a host.

        Raises:
            OSError: it has none.
        """
        found = await self._resolver.resolve(host, port, family)  # type: ignore[arg-type]
        public = [one for one in found if _is_public(one["host"])]
        if not public:
            raise OSError("the host has no public address")
        return public

    async def close(self) -> None:
        """Close what it asks."""
        await self._resolver.close()


def _is_public(address: str) -> bool:
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = getattr(number, "ipv4_mapped", None) or number
    return inner.is_global and not inner.is_multicast


def _is_number(host: str | None) -> bool:
    try:
        ipaddress.ip_address(host or "")
    except ValueError:
        return False
    return True
