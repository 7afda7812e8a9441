from datetime import UTC, datetime

import pytest

from bot.cli.rehearsals import told
from core.social.cycle import CycleReport
from core.social.journal import Decision
from core.social.types import CycleRecord
from core.values import Locale

_NOW = datetime(2026, 11, 30, 16, 8, tzinfo=UTC)


def test_a_rehearsal_is_told_in_the_operators_language(monkeypatch: pytest.MonkeyPatch) -> None:
    record = CycleRecord(character="hinata", began_at=_NOW, ended_at=_NOW, failed={"source.mentions": 1})
    decisions = (
        Decision(what="read", target=7, done=True, why="rank 1, similarity 1.00"),
        Decision(what="reply", target=7, done=False, why="no wish to"),
        Decision(what="post", target=10, done=True, why="24 characters", text="Vectors"),
    )
    report = CycleReport(record=record, decisions=decisions, calls=5)
    assert list(told(report, Locale.EN)) == [
        "would read 7: rank 1, similarity 1.00",
        "would not answer 7: no wish to",
        "would post in 10: 24 characters",
        "    Vectors",
        "failed: source.mentions (1)",
        "Model calls: 5. They are counted; nothing was changed.",
    ]
    monkeypatch.setenv("YORISOI_OPERATOR_LANGUAGE", "ja")
    assert list(told(report, Locale.JA)) == [
        "📖 7 を読む：興味の近さで1位、類似度1.00",
        "💬 7 に返信しない：その気にならない",
        "📝 10 に投稿する：24文字",
        "    Vectors",
        "失敗：読む候補（自分へのメンション） 1",
        "モデルの呼び出し: 5回（使用量に数えました。何も変更していません）",
    ]
