"""A PostgreSQL of the tests' own: made in a temporary folder when the first test asks for it, gone with the session.

One server for all workers of a session, one database for each. It listens on a socket in its folder alone.
"""

import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

FOLDER_VARIABLE = "YORISOI_TESTS_POSTGRESQL"
MISSING = "PostgreSQL 15 or newer is not installed (Debian: apt install postgresql)"
_PORT = 5432
_OLDEST = 15
_SETTINGS = (
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    "autovacuum=off",
    "max_connections=200",
    "shared_buffers=32MB",
    "listen_addresses=",
    "deadlock_timeout=100ms",
)


class Server:
    """The server in a folder, whether it runs or not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql:///{database}?host={self.folder}&port={_PORT}&user=yorisoi"

    def start(self) -> None:
        """Start it if it isn't running, making it first if there is none yet."""
        with self._alone():
            if not self._data.exists():
                self._run("initdb", "-D", self._data, "-U", "yorisoi", "-A", "trust", "-E", "UTF8", "--no-sync",
                          "--locale=C", "--locale-provider=icu", "--icu-locale=en-US")  # fmt: skip
            if not self.running:
                options = " ".join(
                    f"-c {setting}" for setting in (*_SETTINGS, f"unix_socket_directories={self.folder}")
                )
                self._run("pg_ctl", "-D", self._data, "-w", "-o", options, "-l", self.folder / "log", "start")

    def create(self, database: str) -> str:
        """Make an empty database; return its address."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{database}" TEMPLATE template0'.encode())
        return self.url(database)

    @contextmanager
    def asking_for_passwords(self) -> Iterator[str]:
        """Let the server ask for passwords meanwhile; give an address with holes for user and password."""
        rules = self._data / "pg_hba.conf"
        trusting = rules.read_text()
        rules.write_text(f"local postgres asked scram-sha-256\n{trusting}")
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("CREATE ROLE asked LOGIN PASSWORD 'right'")
            connection.execute("SELECT pg_reload_conf()")
        yield f"postgresql://asked:{{password}}@/postgres?host={self.folder}&port={_PORT}"
        rules.write_text(trusting)
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("DROP ROLE asked")
            connection.execute("SELECT pg_reload_conf()")

    def stop(self) -> None:
        """Stop it at once."""
        if self.running:
            self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    @property
    def socket(self) -> Path:
        """The socket it listens on."""
        return self.folder / f".s.PGSQL.{_PORT}"

    @property
    def running(self) -> bool:
        """Whether it was started and not stopped."""
        return (self._data / "postmaster.pid").exists()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _run(self, program: str, *arguments: str | Path) -> None:
        """Run a program of the server's as somebody who isn't root: it refuses root."""
        done = subprocess.run(
            [tools() / program, *arguments],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=(log := (self.folder / "setup.log").open("ab")),
            stderr=log,
            env={**os.environ, "LC_ALL": "C"},
            **_somebody(),
        )
        log.close()
        if done.returncode:
            raise RuntimeError(f"{program} failed: {(self.folder / 'setup.log').read_text(errors='replace')[-2000:]}")


def tools() -> Path:
    """The folder of the newest server's programs."""
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    if not folders and found is None:
        raise FileNotFoundError(MISSING)
    return folders[-1] if folders else Path(found or "").resolve().parent


def installed() -> bool:
    """Whether there is a server to start."""
    try:
        said = subprocess.run([tools() / "initdb", "--version"], check=True, capture_output=True, text=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        return False
    return int(said.split()[2].split(".")[0]) >= _OLDEST


def make_folder() -> Path:
    """A folder for a server."""
    folder = Path(tempfile.mkdtemp(prefix="yorisoi-pg-"))
    somebody = _somebody()
    if somebody:
        shutil.chown(folder, somebody["user"], somebody["group"])
    return folder


def announce(folder: Path) -> None:
    """Tell the session's processes of a folder, by the environment."""
    os.environ[FOLDER_VARIABLE] = str(folder)


def _somebody() -> dict[str, Any]:
    """Who runs the server: oneself, or for root the user Debian makes for it, else nobody."""
    if os.geteuid() != 0:
        return {}
    names = {user.pw_name: user for user in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    return {"user": user.pw_uid, "group": user.pw_gid}
