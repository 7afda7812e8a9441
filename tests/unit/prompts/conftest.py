from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate-golden", action="store_true", help="write the golden prompt renders again")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> "Golden":
    return Golden(rewrite=bool(request.config.getoption("--regenerate-golden", default=False)))


class Golden:
    """Compares a render with the file that was approved, or approves it."""

    folder = Path(__file__).parent / "golden"

    def __init__(self, *, rewrite: bool) -> None:
        self._rewrite = rewrite

    def check(self, name: str, text: str) -> None:
        file = self.folder / f"{name}.txt"
        if self._rewrite:
            file.write_text(text + "\n", "utf-8")
        assert file.exists(), f"no golden render {file.name}: look at it and run `make golden`"
        assert file.read_text("utf-8") == text + "\n", f"{file.name} differs: if that is meant, run `make golden`"
