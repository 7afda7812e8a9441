"""Step 3, response assembly: frame and personality, bounded history, then the newest message with what was recalled.

The order is what models keep cached best: what never changes first. What people wrote is data: it stands in user
messages, quotations and files in tags they can't close, and never in the system message.
"""

from dataclasses import dataclass, replace
from itertools import groupby

from core.facts.capsule.lengths import days_ago
from core.language_model.tokens import cut_to_tokens
from core.language_model.types import ChatMessage, Image, Role
from core.lore.selection import select
from core.lore.telling import render_lore, render_voice
from core.recall.rendering import render_recollection
from core.stance.policy import StancePolicy
from core.turn.fact_notes import FactNotes
from core.turn.pickup import Pickup
from core.turn.policy import TurnPolicy
from core.turn.trace import TraceStep
from core.turn.types import AssembledTurn, EnrichedTurn, Ingredient, Turn
from core.turn.verification import Verdict
from core.values import AttachmentKind, InboundMessage
from prompts.data_text import as_data, as_name, one_line
from prompts.loader import PromptLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """Writes prompts out of the templates."""

    prompts: PromptLibrary
    stance: StancePolicy
    policy: TurnPolicy
    images_shown: bool
    facts: FactNotes

    def assemble(self, enriched: EnrichedTurn) -> AssembledTurn:
        """Return the turn with its prompt."""
        turn = enriched.turn
        personality = turn.character.personality[turn.locale]
        posture = self.stance.posture(enriched.stance, turn.locale)
        system = self._system(turn, personality, posture)
        before = (*self._voice(turn), *self._earlier(enriched), *self._history(enriched))
        prompt = (ChatMessage(Role.SYSTEM, system), *before, self._newest(enriched))
        return AssembledTurn(
            enriched=self._traced(enriched, posture), prompt=_alternating(prompt), confidential=(system,)
        )

    def for_repair(self, assembled: AssembledTurn, draft: str, verdict: Verdict) -> AssembledTurn:
        """Return the turn with the prompt that asks for another try at `draft`, and with what was wrong with it.

        That request must not be repeated, either.
        """
        wrong = tuple(
            (found.about, one_line(draft[found.start : found.end])) for found in verdict.findings if found.about
        )
        request = self.prompts.render("chat-repair", assembled.turn.locale, reasons=verdict.rules, wrong=wrong)
        attempt = (ChatMessage(Role.ASSISTANT, draft),) if draft.strip() else ()
        return replace(
            assembled,
            prompt=_alternating((*assembled.prompt, *attempt, ChatMessage(Role.USER, request))),
            confidential=(*assembled.confidential, request),
        )

    def _traced(self, enriched: EnrichedTurn, posture: str | None) -> EnrichedTurn:
        if not self.stance.has_posture:
            return enriched
        step = TraceStep("stance.posture", "left_out" if posture is None else "added")
        return replace(enriched, trace=(*enriched.trace, step))

    def _system(self, turn: Turn, personality: str, posture: str | None) -> str:
        frame = self.prompts.lasting(
            "chat-frame",
            turn.locale,
            display_name=turn.character.display_name[turn.locale],
            personality=personality,
            group=not turn.surface.is_private,
        )
        ambient = turn.pickup.pickup is Pickup.AMBIENT
        unasked = self.prompts.render("chat-ambient", turn.locale) if ambient else None
        facts = self.facts.in_system(turn, self.prompts)
        return "\n\n".join(block for block in (frame, posture, unasked, facts) if block is not None)

    def _voice(self, turn: Turn) -> tuple[ChatMessage, ...]:
        note = render_voice(
            turn.character.voice.get(turn.locale, ()),
            self.prompts,
            turn.locale,
            name=turn.character.display_name[turn.locale],
            most_tokens=self.policy.voice_tokens,
        )
        return () if note is None else (ChatMessage(Role.USER, note),)

    def _lore(self, enriched: EnrichedTurn) -> tuple[str, ...]:
        """Return the background that is called for by what may be shown here: history, quotations, the new messages."""
        turn = enriched.turn
        book = turn.character.lore.get(turn.locale)
        if book is None:
            return ()
        said = [ingredient.utterance.text for ingredient in (*enriched.history, *enriched.quoted)]
        said += [message.text for message in turn.messages]
        told = select(book, said, most_tokens=self.policy.lore_tokens)
        name = turn.character.display_name[turn.locale]
        note = render_lore(told, self.prompts, turn.locale, name=name)
        return () if note is None else (note,)

    def _earlier(self, enriched: EnrichedTurn) -> tuple[ChatMessage, ...]:
        """Return the summary of what was said before, with how many days ago: a prompt's start has to stay the same."""
        if enriched.earlier is None:
            return ()
        turn, said = enriched.turn, enriched.earlier.utterance
        now = turn.snapshot.capsule.world.now
        days = max(0, (now.date() - said.sent_at.astimezone(now.tzinfo).date()).days)
        text = self.prompts.render("chat-earlier", turn.locale, text=said.text, ago=days_ago(days, turn.locale))
        return (ChatMessage(Role.USER, text),)

    def _history(self, enriched: EnrichedTurn) -> tuple[ChatMessage, ...]:
        return tuple(self._said(enriched.turn, ingredient) for ingredient in enriched.history)

    def _said(self, turn: Turn, ingredient: Ingredient) -> ChatMessage:
        utterance = ingredient.utterance
        text = cut_to_tokens(utterance.text, self.policy.message_tokens)
        if utterance.is_self:
            return ChatMessage(Role.ASSISTANT, as_data(text))
        return ChatMessage(Role.USER, _named(utterance.author.name, text, turn))

    def _newest(self, enriched: EnrichedTurn) -> ChatMessage:
        turn = enriched.turn
        quotation = (self._quotation(enriched),) if enriched.quoted else ()
        said = [part for message in turn.messages for part in self._parts(turn, message)]
        facts = self.facts.before_newest(turn, self.prompts)
        note = () if facts is None else (facts,)
        asked = said or [self.prompts.render("chat-wordless", turn.locale)]
        text = "\n\n".join((*quotation, *self._lore(enriched), *self._recalled(enriched), *note, *asked))
        return ChatMessage(Role.USER, text, images=_images(turn) if self.images_shown else ())

    def _parts(self, turn: Turn, message: InboundMessage) -> list[str]:
        text = cut_to_tokens(message.text, self.policy.message_tokens).strip()
        parts = [_named(message.author.name, text, turn)] if text else []
        return [*parts, self._files(turn, message)] if message.attachments else parts

    def _recalled(self, enriched: EnrichedTurn) -> tuple[str, ...]:
        turn = enriched.turn
        note = render_recollection(
            enriched.recollection,
            self.prompts,
            turn.locale,
            now=turn.snapshot.observed_at,
            name=turn.character.display_name[turn.locale],
        )
        return () if note is None else (note,)

    def _quotation(self, enriched: EnrichedTurn) -> str:
        turn = enriched.turn
        quoted = [i.utterance for i in enriched.quoted]
        return self.prompts.render(
            "chat-quoted",
            turn.locale,
            display_name=turn.character.display_name[turn.locale],
            messages=[replace(u, text=cut_to_tokens(u.text, self.policy.message_tokens)) for u in quoted],
        )

    def _files(self, turn: Turn, message: InboundMessage) -> str:
        shortened = [
            replace(file, text=cut, truncated=file.truncated or cut != file.text)
            for file in message.attachments
            for cut in [file.text and cut_to_tokens(file.text, self.policy.message_tokens)]
        ]
        return self.prompts.render(
            "chat-attachments", turn.locale, attachments=shortened, images_shown=self.images_shown
        )


def _named(name: str, text: str, turn: Turn) -> str:
    """Put the speaker's name before what was said where several people talk.

    Further lines are set in there: nobody can write a line that looks like another speaker's.
    """
    said = as_data(text)
    if turn.surface.is_private:
        return said
    own = turn.character.display_name[turn.locale]
    return f"{as_name(name, own)}: " + said.replace("\n", "\n  ")


def _images(turn: Turn) -> tuple[Image, ...]:
    return tuple(
        Image(attachment.media_type, attachment.data)
        for message in turn.messages
        for attachment in message.attachments
        if attachment.kind is AttachmentKind.IMAGE and attachment.data is not None
    )


def _alternating(messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """Join neighbours of the same role: many models take only strictly alternating turns."""
    joined: list[ChatMessage] = []
    for role, group in groupby(messages, key=lambda message: message.role):
        first, *others = group
        joined.append(_joined(role, (first, *others)) if others else first)
    return tuple(joined)


def _joined(role: Role, messages: tuple[ChatMessage, ...]) -> ChatMessage:
    images = tuple(image for message in messages for image in message.images)
    return ChatMessage(role, "\n\n".join(message.text for message in messages), images)
