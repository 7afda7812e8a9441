"""A process that is started without one of its streams has the null device in its place."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli import _fill_standard_streams

INPUT = 0


@pytest.fixture
def _without_input(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kept = os.dup(INPUT)
    monkeypatch.setattr(sys, "stdin", None)
    os.close(INPUT)
    yield
    os.dup2(kept, INPUT)
    os.close(kept)


@pytest.mark.usefixtures("_without_input")
def test_a_missing_input_is_an_empty_one_and_no_file_takes_its_place() -> None:
    _fill_standard_streams()

    assert os.path.samestat(os.fstat(INPUT), Path(os.devnull).stat())
    assert sys.stdin.read() == ""


def test_streams_that_are_there_stay_as_they_are() -> None:
    before = (sys.stdin, sys.stdout, sys.stderr)

    _fill_standard_streams()

    assert (sys.stdin, sys.stdout, sys.stderr) == before
