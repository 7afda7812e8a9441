"""Texts of a model that carry orders to a model: they come from somebody who tries to steer, and are not kept."""

import re
import unicodedata

_ORDERS = re.compile(
    "|".join(
        (
            (
                r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,20}\b(?:previous|prior|above|earlier|your)\b"
                r"[^.\n]{0,20}\b(?:instructions?|rules?|prompts?|guidelines?)\b"
            ),
            r"\b(?:system|developer) (?:prompt|message)\b",
            r"\byou (?:are|must act as) now (?:an?|the)\b[^.\n]{0,40}\b(?:assistant|model|bot)\b",
            r"\bnew instructions?\s*:",
            r"<\|[a-z_]+\|>|\[/?INST\]|^[^\S\n]*(?:system|assistant)[^\S\n]*:",
            (
                r"(?:これまで|以前|今まで|ここまで|上記|前)の(?:全て|すべて)?の?(?:指示|命令|ルール|規則|プロンプト|設定)"
                r"(?:を|は)?(?:すべて|全て|全部)?(?:無視|忘れ|破棄|上書き)"
            ),
            r"システムプロンプト",
            r"新しい(?:指示|命令)\s*:",
        )
    ),
    re.IGNORECASE | re.MULTILINE,
)


def carries_orders(text: str) -> bool:
    """Return whether a text speaks to a model instead of saying something."""
    return _ORDERS.search(unicodedata.normalize("NFKC", text)) is not None
