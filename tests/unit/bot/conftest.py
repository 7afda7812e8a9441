import os
from pathlib import Path

import pytest


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder to stand in and no setting in the environment."""
    for name in list(os.environ):
        if name.startswith(("YORISOI_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path
