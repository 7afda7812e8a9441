"""`/candidates`: what a character may say first, and drafts of more. They are shared by servers: owners decide."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.utils import escape_markdown

from bot.discord.commands.desk import Desk
from core.proactive.drafting import MOST_DRAFTS, Drafted, RefusedDraft
from core.values import Locale

_PAGE = 10
_LONGEST_NAME = 100
_MOST_SUGGESTIONS = 25


def candidates(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.candidates.name"),
        description=desk.words("command.candidates.description"),
        default_permissions=discord.Permissions(manage_guild=True),
    )
    for build in (_list, _draft, _approve, _reject):
        group.add_command(build(desk))
    return group


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the list: an id or number, what kind it is, and the text. `cooldown_days` is the pack's."""

    id: str
    kind: str
    text: str
    cooldown_days: int | None = None


def _list(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(
        page=desk.words("command.candidates.list.page.name"), language=desk.words("command.language.choice.name")
    )
    @app_commands.describe(
        page=desk.words("command.candidates.list.page.description"),
        language=desk.words("command.candidates.language.description"),
    )
    @app_commands.choices(language=_languages(desk))
    async def show(
        interaction: discord.Interaction[Any],
        page: app_commands.Range[int, 1, 1000] = 1,
        language: app_commands.Choice[str] | None = None,
    ) -> None:
        if not desk.is_owner(interaction):
            desk.require_server(interaction)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        entries = [entry async for entry in _entries(desk, _language(desk, language, locale))]
        pages = max(1, -(-len(entries) // _PAGE))
        shown = entries[(min(page, pages) - 1) * _PAGE :][:_PAGE]
        head = desk.messages.text("candidates.page", locale, page=min(page, pages), pages=pages, count=len(entries))
        await desk.answers.say_at_length(interaction, "\n".join((head, *(_line(desk, one, locale) for one in shown))))

    return _command(desk, "list", show)


async def _entries(desk: Desk, language: Locale) -> Any:  # noqa: ANN401
    """Yield what waits for a decision first, then what may be said."""
    name = desk.character.name
    for kind, drafts in (
        ("waiting", await desk.stores.drafts.waiting(name)),
        ("approved", await desk.stores.drafts.approved(name)),
    ):
        for number, locale, text in drafts:
            if locale is language:
                yield _Entry(f"#{number}", kind, text)
    for candidate in desk.repertoire.candidates.get(language, ()):
        kind = "neutral" if candidate.window is None else "scheduled"
        yield _Entry(candidate.id, kind, candidate.text, candidate.cooldown_days)


def _line(desk: Desk, entry: _Entry, locale: Locale) -> str:
    kind = desk.messages.text(f"candidates.kind.{entry.kind}", locale)
    if entry.cooldown_days is not None:
        kind = desk.messages.text("candidates.cooldown", locale, kind=kind, count=entry.cooldown_days)
    return desk.messages.text("candidates.entry", locale, id=entry.id, kind=kind, text=escape_markdown(entry.text))


def _draft(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(
        count=desk.words("command.candidates.draft.count.name"), language=desk.words("command.language.choice.name")
    )
    @app_commands.describe(
        count=desk.words("command.candidates.draft.count.description"),
        language=desk.words("command.candidates.language.description"),
    )
    @app_commands.choices(language=_languages(desk))
    async def draft(
        interaction: discord.Interaction[Any],
        count: app_commands.Range[int, 1, MOST_DRAFTS] = 5,
        language: app_commands.Choice[str] | None = None,
    ) -> None:
        desk.require_owner(interaction)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        try:
            drafted = await desk.repertoire.drafting.draft(
                _language(desk, language, locale), count, asked_by=interaction.user.id
            )
        except TimeoutError:
            await desk.answers.tell(interaction, "error.model_unavailable")
            return
        await desk.answers.say_at_length(interaction, "\n".join(_outcome(desk, drafted, locale)))

    return _command(desk, "draft", draft)


def _outcome(desk: Desk, drafted: Drafted, locale: Locale) -> Iterator[str]:
    text = desk.messages.text
    yield text("candidates.drafted" if drafted.waiting else "candidates.drafted_none", locale)
    for number, draft in drafted.waiting:
        yield text("candidates.draft", locale, number=number, text=escape_markdown(draft))
    if drafted.refused:
        yield text("candidates.refused", locale)
    for refused in drafted.refused:
        yield text(
            "candidates.refused_entry",
            locale,
            text=escape_markdown(refused.text),
            reasons=_reasons(desk, refused, locale),
        )
    if drafted.known:
        yield text("candidates.known", locale, count=drafted.known)


def _reasons(desk: Desk, refused: RefusedDraft, locale: Locale) -> str:
    """Return the words that claim something, each with what it claims."""
    reasons = [
        desk.messages.text(
            "candidates.reason",
            locale,
            span=escape_markdown(refused.text[finding.start : finding.end]),
            claim=desk.messages.text(f"candidates.claim.{finding.claim}", locale),
        )
        for finding in refused.findings
    ]
    return ", ".join(reasons) or desk.messages.text("candidates.too_long", locale)


def _approve(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(number=desk.words("command.candidates.number.name"))
    @app_commands.describe(number=desk.words("command.candidates.number.description"))
    @app_commands.autocomplete(number=_numbers(desk, approved=False))
    async def approve(interaction: discord.Interaction[Any], number: app_commands.Range[int, 1]) -> None:
        desk.require_owner(interaction)
        await desk.answers.think(interaction)
        done = await desk.stores.drafts.approve(desk.character.name, number, now=desk.clock.now())
        await desk.answers.tell(interaction, "candidates.approved" if done else "candidates.no_such", number=number)

    return _command(desk, "approve", approve)


def _reject(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(number=desk.words("command.candidates.number.name"))
    @app_commands.describe(number=desk.words("command.candidates.number.description"))
    @app_commands.autocomplete(number=_numbers(desk, approved=True))
    async def reject(interaction: discord.Interaction[Any], number: app_commands.Range[int, 1]) -> None:
        desk.require_owner(interaction)
        await desk.answers.think(interaction)
        done = await desk.stores.drafts.reject(desk.character.name, number)
        await desk.answers.tell(interaction, "candidates.rejected" if done else "candidates.no_such", number=number)

    return _command(desk, "reject", reject)


def _numbers(desk: Desk, *, approved: bool) -> Any:  # noqa: ANN401 - discord.py reads its parameters
    """Return what offers drafts by their number and text, those that were approved too where wanted."""

    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        if not desk.is_owner(interaction):
            return []
        drafts = await desk.stores.drafts.waiting(desk.character.name)
        if approved:
            drafts += await desk.stores.drafts.approved(desk.character.name)
        named = [(f"{number}. {text}"[:_LONGEST_NAME], number) for number, _, text in drafts]
        fitting = [(name, number) for name, number in named if typed.casefold() in name.casefold()]
        return [app_commands.Choice(name=name, value=number) for name, number in fitting[:_MOST_SUGGESTIONS]]

    return suggest


def _languages(desk: Desk) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=desk.words(f"command.language.choice.{locale}"), value=locale.value)
        for locale in desk.character.locales
    ]


def _language(desk: Desk, chosen: app_commands.Choice[str] | None, locale: Locale) -> Locale:
    """Return the language asked for, else the person's own where the character speaks it."""
    if chosen is not None:
        return Locale(chosen.value)
    return locale if locale in desk.character.locales else desk.character.locale


def _command(desk: Desk, name: str, callback: Any) -> app_commands.Command[Any, ..., Any]:  # noqa: ANN401
    return app_commands.Command(
        name=desk.words(f"command.candidates.{name}.name"),
        description=desk.words(f"command.candidates.{name}.description"),
        callback=callback,
    )
