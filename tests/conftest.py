"""What all tests share: a PostgreSQL that starts when the first test asks for it and stops with the session."""

import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests import postgresql_server
from tests.postgresql_server import Server


def pytest_configure(config: pytest.Config) -> None:
    os.environ["LC_ALL"] = "C.UTF-8"  # the command line speaks the language of whoever runs the tests
    # Only the session's first process: its workers inherit the name of the folder.
    if not hasattr(config, "workerinput"):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does; before anything imports NumPy
        postgresql_server.announce(postgresql_server.make_folder())


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and (folder := os.environ.pop(postgresql_server.FOLDER_VARIABLE, None)):
        server = Server(Path(folder))
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql() -> Server:
    """The session's server, running; without an installed one the test is skipped."""
    if not postgresql_server.installed():
        pytest.skip(postgresql_server.MISSING)
    server = Server(Path(os.environ[postgresql_server.FOLDER_VARIABLE]))
    server.start()
    return server


@pytest.fixture(scope="session")
def new_postgresql(postgresql: Server) -> Callable[[], str]:
    """Makes an empty database and returns its address."""
    worker, numbers = os.environ.get("PYTEST_XDIST_WORKER", "main"), count(1)
    return lambda: postgresql.create(f"{worker}_{next(numbers)}")


@pytest.fixture(scope="session")
def shared_postgresql(new_postgresql: Callable[[], str]) -> str:
    """The address of one database for all tests of a worker that clear it themselves."""
    return new_postgresql()
