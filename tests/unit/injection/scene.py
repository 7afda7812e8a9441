"""A prompt in which one thing was chosen by somebody else, by the places where people can put something."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import yaml

from core.facts.capsule.compiling import compile_capsule
from core.facts.capsule.types import ClockOwner
from core.language_model.dialect import Dialect
from core.language_model.endpoint import Endpoint
from core.language_model.payload import request_body
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.lore.book import Lorebook, LoreEntry
from core.ports import ArchiveEntry
from core.recall.question import Asking, RecallQuestion
from core.recall.recollection import Outcome, Recollection
from core.recall.rendering import speaker_of
from core.stance.policy import StancePolicy
from core.turn.assembly import Assembly
from core.turn.fact_notes import CapsuleNote
from core.turn.pickup import Pickup, PickupDecision
from core.turn.policy import TurnPolicy
from core.turn.types import EnrichedTurn, Ingredient, Turn, TurnSnapshot
from core.values import (
    Address,
    Attachment,
    AttachmentKind,
    ConversationKey,
    InboundMessage,
    KeptFact,
    Locale,
    Speaker,
    Surface,
    UserProfile,
    Utterance,
)
from prompts.loader import PromptLibrary
from tests.fakes.surface import ALICE, BOB, CHARACTER, DM, GENERAL, START

PLAIN = "hello"
MALLORY = 66
HERE = Path(__file__).parent
Body = list[dict[str, Any]]


def cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file."""
    found: list[dict[str, Any]] = yaml.safe_load((HERE / name).read_text("utf-8"))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """Makes prompts in one language, as they go out to a server."""

    locale: Locale
    templates: PromptLibrary

    def assembled(self, surface: Surface, **parts: Any) -> Body:
        """Return the body of a turn with these parts."""
        assembly = Assembly(
            prompts=self.templates,
            stance=StancePolicy.off(),
            policy=TurnPolicy(),
            images_shown=True,
            facts=CapsuleNote(),
        )
        return wire(assembly.assemble(self._enriched(surface, **parts)).prompt)

    def summary(self, speaker: str, text: str) -> Body:
        """Return the body of a request for a summary."""
        name = CHARACTER.display_name[self.locale]
        said = [{"speaker": speaker, "text": text}, {"speaker": name, "text": "I see."}]
        return wire([ChatMessage(Role.USER, self.render("conversation-talk", earlier=text, messages=said))])

    def search(self, speaker: str, text: str) -> Body:
        """Return the body of a search of the record."""
        shown = [
            {"id": f"m{number}", "speaker": speaker_of(entry, CHARACTER.display_name[self.locale]), "text": entry.text}
            for number, entry in enumerate((stored(speaker, text), stored("Alice", "I have a cat.")), 1)
        ]
        return wire([ChatMessage(Role.USER, self.render("recall-list", messages=shown, question=text))])

    def render(self, prefix: str, **values: object) -> str:
        return self.templates.render(prefix, self.locale, **values)

    def _enriched(
        self,
        surface: Surface,
        *,
        text: str = PLAIN,
        by: Speaker = ALICE,
        quoted: Iterable[Utterance] = (),
        history: Iterable[Utterance] = (),
        files: Iterable[Attachment] = (),
        kept: str | None = None,
        lore: str | None = None,
        voice: str | None = None,
        earlier: Utterance | None = None,
        found: ArchiveEntry | None = None,
    ) -> EnrichedTurn:
        character = replace(
            CHARACTER,
            lore={} if lore is None else {self.locale: Lorebook(entries=(LoreEntry(text=lore, always=True),))},
            voice={} if voice is None else {self.locale: (voice,)},
        )
        capsule = compile_capsule(
            observed_at=START,
            timezone="Asia/Tokyo",
            clock=ClockOwner.USER,
            timetable=None,
            last_seen_at=None,
            private=surface.is_private,
            kept=() if kept is None else (KeptFact(number=1, text=kept, told_at=START - timedelta(days=3)),),
        )
        message = InboundMessage(
            id=900,
            author=by,
            surface=surface,
            text=text,
            sent_at=START,
            address=Address.MENTION,
            attachments=tuple(files),
        )
        turn = Turn(
            id="t",
            character=character,
            conversation=ConversationKey("mio", surface.channel_id),
            messages=(message,),
            pickup=PickupDecision(Pickup.DIRECT, "mention"),
            snapshot=TurnSnapshot(
                observed_at=START,
                timezone="Asia/Tokyo",
                locale=self.locale,
                seen_locale=None,
                user=UserProfile(id=by.id),
                guild=None,
                session=None,
                capsule=capsule,
            ),
            trace=(),
        )
        return EnrichedTurn(
            turn=turn,
            history=tuple(Ingredient(surface, one) for one in history),
            quoted=tuple(Ingredient(surface, one) for one in quoted),
            earlier=None if earlier is None else Ingredient(surface, earlier),
            recollection=Recollection()
            if found is None
            else Recollection(question=RecallQuestion(asking=Asking.OUTRIGHT), outcome=Outcome.FOUND, cited=(found,)),
            trace=(),
        )


def said(text: str, *, by: Speaker = BOB, own: bool = False) -> Utterance:
    return Utterance(id=5, author=by, text=text, sent_at=START - timedelta(hours=2), is_self=own)


def named(name: str) -> Speaker:
    return Speaker(id=MALLORY, name=name)


def stored(name: str, text: str) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=ConversationKey("mio", GENERAL.channel_id),
        surface=GENERAL,
        message_id=7,
        author_id=MALLORY,
        author_name=name,
        is_self=False,
        text=text,
        sent_at=START - timedelta(days=1),
    )


def text_file(name: str, text: str) -> Attachment:
    return Attachment(kind=AttachmentKind.TEXT, name=name, media_type="text/plain", size=9, text=text)


def image(name: str) -> Attachment:
    return Attachment(kind=AttachmentKind.IMAGE, name=name, media_type="image/png", size=9, data=b"\x89PNG")


Place = Callable[[Prompts, str], Body]
PLACES: dict[str, Place] = {
    "what is said in private": lambda prompts, text: prompts.assembled(DM, text=text),
    "what is said on a server": lambda prompts, text: prompts.assembled(GENERAL, text=text),
    "the name of who speaks": lambda prompts, text: prompts.assembled(GENERAL, by=named(text)),
    "what was said before": lambda prompts, text: prompts.assembled(GENERAL, history=[said(text)]),
    "the name of who spoke before": lambda prompts, text: prompts.assembled(
        GENERAL, history=[said("a", by=named(text))]
    ),
    "what the character was made to say": lambda prompts, text: prompts.assembled(DM, history=[said(text, own=True)]),
    "a message that is answered": lambda prompts, text: prompts.assembled(GENERAL, quoted=[said(text)]),
    "the name in a message that is answered": lambda prompts, text: prompts.assembled(
        GENERAL, quoted=[said("a", by=named(text))]
    ),
    "a text file": lambda prompts, text: prompts.assembled(DM, files=[text_file("a.txt", text)]),
    "the name of a text file": lambda prompts, text: prompts.assembled(DM, files=[text_file(text, "a")]),
    "the name of an image": lambda prompts, text: prompts.assembled(DM, files=[image(text)]),
    "a fact to be remembered": lambda prompts, text: prompts.assembled(DM, kept=text),
    "an entry of a card's lorebook": lambda prompts, text: prompts.assembled(DM, lore=text),
    "an example of a card's talk": lambda prompts, text: prompts.assembled(DM, voice=text),
    "a summary of talk": lambda prompts, text: prompts.assembled(DM, earlier=said(text)),
    "a message that was looked up": lambda prompts, text: prompts.assembled(GENERAL, found=stored("Alice", text)),
    "the name of who wrote that": lambda prompts, text: prompts.assembled(GENERAL, found=stored(text, "a")),
    "talk to be summed up": lambda prompts, text: prompts.summary("Alice", text),
    "the record that is searched": lambda prompts, text: prompts.search(text, text),
}
WHOLE_LINES = frozenset(
    {
        "what is said in private",
        "a text file",
        "an example of a card's talk",
        "a summary of talk",
        "what the character was made to say",
        "talk to be summed up",
        "the record that is searched",
    }
)
"""Where whole lines stand as they were written, with nobody else's words on lines beside them (or within a tag)."""


def wire(messages: Iterable[ChatMessage]) -> Body:
    """Return the messages as a server gets them."""
    body = request_body(
        ChatRequest(messages=tuple(messages), max_output_tokens=9), Endpoint(base_url="x", model="x"), Dialect()
    )
    assert not body.keys() & {"tools", "functions", "tool_choice"}
    found: Body = body["messages"]
    return found


def text_of(body: Body) -> str:
    """Return all text of a body."""
    return "\n".join(
        part["text"] if isinstance(part, dict) else part
        for message in body
        for part in (message["content"] if isinstance(message["content"], list) else [message["content"]])
        if isinstance(part, str) or "text" in part
    )


_LOOKS_LIKE = str.maketrans("аеοоcсіνԁ", "aeooccivd")
_TAG = re.compile(r"<\s*(/?)\s*(note|quoted|file|evidence|earlier|talk|lore|voice)\b")
_TURN_MARK = re.compile(
    r"<[|｜]|</?s>|\[\s*/?\s*inst\s*\]|<<\s*/?sys|<(?:start|end)_of_turn|</?(?:think|tool_call)>",
    re.IGNORECASE,
)


def skeleton(text: str) -> str:
    """Return text as a model may take it: compatibility forms folded, unseen characters gone, look-alikes replaced."""
    seen = "".join(char for char in text if unicodedata.category(char) != "Cf" and not 0xFE00 <= ord(char) <= 0xFE0F)
    return unicodedata.normalize("NFKC", seen).casefold().translate(_LOOKS_LIKE)


def tags(text: str) -> list[tuple[str, str]]:
    """Return the tags of a prompt, in order, as (slash, name)."""
    return _TAG.findall(skeleton(text))


def turn_marks(text: str) -> list[str]:
    """Return what a server could take for the end or the beginning of a turn."""
    return _TURN_MARK.findall(skeleton(text))


def unseen(text: str) -> str:
    """Return the characters of a text that show nothing, but for those that belong to an emoji or a kanji."""
    return "".join(
        char for char in text if unicodedata.category(char) in {"Cf", "Cc"} and char not in "\n\t\u200d\u200c"
    )
