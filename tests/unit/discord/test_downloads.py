"""Files fetched over real sockets: from known places only, and no more of them than is allowed."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.test_utils import TestServer

from bot.discord.downloads import DownloadError, Downloads, PublicResolver
from bot.discord.file_limits import FileLimits

Handler = Callable[[web.Request], Any]
MOST = 1000


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """Serve every address by a handler; yield the origin."""
    app = web.Application()
    app.router.add_get("/{path:.*}", handler)
    async with TestServer(app) as server:
        yield str(server.make_url("")).rstrip("/")


def trusting(*origins: str, seconds: float = 5.0) -> Downloads:
    return Downloads(FileLimits(hosts=frozenset(origins), seconds=seconds))


def streamed(pieces: int) -> Handler:
    """Return a handler that sends pieces of 100 bytes without saying how many there will be."""

    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(pieces):
            await response.write(b"x" * 100)
        return response

    return handler


async def test_a_file_is_fetched_whole() -> None:
    async with serving(streamed(10)) as origin:
        assert await trusting(origin).fetch(f"{origin}/a?ex=1&is=2", most=MOST) == b"x" * MOST


async def test_one_byte_too_many_ends_it_wherever_it_shows() -> None:
    async def told(request: web.Request) -> web.Response:
        return web.Response(body=b"x" * (MOST + 1))

    for handler in (told, streamed(11)):
        async with serving(handler) as origin:
            with pytest.raises(DownloadError, match="too large"):
                await trusting(origin).fetch(f"{origin}/a", most=MOST)


async def test_what_never_ends_is_not_read_to_its_end() -> None:
    written = 0

    async def endless(request: web.Request) -> web.StreamResponse:
        nonlocal written
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"x" * 100_000)
            written += 100_000

    async with serving(endless) as origin:
        with pytest.raises(DownloadError, match="too large"):
            await trusting(origin).fetch(f"{origin}/a", most=MOST)
    assert written < 50_000_000


async def test_what_unpacks_to_more_is_not_unpacked() -> None:
    async def packed(request: web.Request) -> web.Response:
        response = web.Response(body=b"x" * 100 * MOST)
        response.enable_compression(web.ContentCoding.gzip)
        assert request.headers["Accept-Encoding"] == "identity"
        return response

    async with serving(packed) as origin:
        assert len(await trusting(origin).fetch(f"{origin}/a", most=MOST)) < MOST


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirection_is_not_followed(status: int) -> None:
    asked: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=status, headers={"Location": "/there"})

    async with serving(elsewhere) as origin:
        with pytest.raises(DownloadError, match="redirected"):
            await trusting(origin).fetch(f"{origin}/here", most=MOST)
    assert asked == ["/here"]


async def test_an_error_of_the_server_is_no_file() -> None:
    async def gone(request: web.Request) -> web.Response:
        return web.Response(status=404, text="x")

    async with serving(gone) as origin:
        with pytest.raises(DownloadError, match="status 404"):
            await trusting(origin).fetch(f"{origin}/a", most=MOST)


async def test_who_takes_too_long_is_not_waited_for() -> None:
    never = asyncio.Event()

    async def silent(request: web.Request) -> web.Response:
        await never.wait()
        return web.Response()

    async with serving(silent) as origin:
        with pytest.raises(DownloadError, match="timeout"):
            await trusting(origin, seconds=0.05).fetch(f"{origin}/a", most=MOST)
        never.set()


@pytest.mark.parametrize(
    "address",
    [
        "http://cdn.discordapp.com/a.png",
        "https://cdn.discordapp.com:8443/a.png",
        "https://user@cdn.discordapp.com/a.png",
        "https://cdn.discordapp.com@evil.example/a.png",
        "https://cdn.discordapp.com.evil.example/a.png",
        "https://evil.example/cdn.discordapp.com/a.png",
        "https://evil.example#cdn.discordapp.com",
        "https://discordapp.com/a.png",
        "https://xcdn.discordapp.com/a.png",
        "https://127.0.0.1/a.png",
        "https://[::1]/a.png",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/a.png",
        "file:///etc/passwd",
        "ftp://cdn.discordapp.com/a",
        "//cdn.discordapp.com/a",
        "https://",
        "",
        "https://[",
    ],
)
async def test_any_other_place_is_refused_without_being_asked(address: str) -> None:
    with pytest.raises(DownloadError, match=r"^(address|host)$"):
        await Downloads(FileLimits()).fetch(address, most=MOST)


async def test_a_trusted_origin_is_that_origin_alone() -> None:
    async with serving(streamed(1)) as origin:
        for address in (f"{origin}0/a", origin.replace("http:", "https:") + "/a", f"http://localhost:{origin[-4:]}/a"):
            with pytest.raises(DownloadError, match=r"^(address|host)$"):
                await trusting(origin).fetch(address, most=MOST)


class Listed(AbstractResolver):
    """Finds what it is told to."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host=one, port=port, family=family, proto=0, flags=0) for one in self.addresses
        ]

    async def close(self) -> None:
        pass


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.9", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "224.0.0.1", "::1", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "nothing"),
    ],
)
async def test_a_name_that_leads_into_our_own_network_leads_nowhere(address: str) -> None:
    with pytest.raises(OSError, match="no public address"):
        await PublicResolver(Listed(address)).resolve("cdn.discordapp.com", 443)


async def test_of_several_addresses_the_public_ones_are_taken() -> None:
    found = await PublicResolver(Listed("10.0.0.1", "162.159.133.233", "2606:4700::1")).resolve("cdn.discordapp.com")
    assert [one["host"] for one in found] == ["162.159.133.233", "2606:4700::1"]
