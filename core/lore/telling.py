"""How background and the way a character talks get into a prompt: as data, in tags that nothing in them can close."""

from collections.abc import Sequence

from core.language_model.tokens import cut_to_tokens, estimate_tokens
from core.lore.book import LoreEntry
from core.lore.lasting import lasting
from core.values import Locale
from prompts.loader import PromptLibrary


def render_lore(entries: Sequence[LoreEntry], prompts: PromptLibrary, locale: Locale, *, name: str) -> str | None:
    """Return the note with background, None if there is nothing to tell; `name` is the character's."""
    texts = [text for entry in entries if (text := lasting(entry.text))]
    return prompts.render("chat-lore", locale, display_name=name, texts=texts) if texts else None


def render_voice(
    examples: Sequence[str], prompts: PromptLibrary, locale: Locale, *, name: str, most_tokens: int
) -> str | None:
    """Return the note with how a character talks, None without examples; those beyond `most_tokens` are left out."""
    texts = _bounded([text for example in examples if (text := lasting(example))], most_tokens)
    return prompts.render("chat-voice", locale, display_name=name, texts=texts) if texts else None


def _bounded(texts: Sequence[str], most_tokens: int) -> list[str]:
    kept, left = list[str](), most_tokens
    for text in texts:
        cut = text if kept else cut_to_tokens(text, left)  # the first is told in part rather than not at all
        if cut and estimate_tokens(cut) <= left:
            kept.append(cut)
            left -= estimate_tokens(cut)
    return kept
