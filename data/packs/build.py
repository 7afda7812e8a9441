"""From valid tables to the values that core works with."""

from core.characters.pack import (
    Activity,
    ActivityWindow,
    Candidate,
    CharacterPack,
    DatedException,
    ProactivePolicy,
    Schedule,
    Span,
    WeeklyEntry,
)
from core.errors import Problem
from core.lore.book import Lorebook, LoreEntry
from core.values import Character, Locale
from data.packs.schema import (
    CandidatesTable,
    CharacterTable,
    LoreTable,
    ProactiveTable,
    ScheduledTable,
    ScheduleTable,
    SpanTable,
)
from data.packs.sources import Sources


def build_pack(table: CharacterTable, sources: Sources, warnings: tuple[Problem, ...]) -> CharacterPack:
    """Return a pack whose files were all found valid."""
    return CharacterPack(
        character=_character(table, sources),
        schedule=sources.calendar.schedule if sources.calendar else _schedule(sources.schedule_table),
        candidates={locale: _candidates(sources.candidate_tables[locale]) for locale in sources.candidate_tables},
        proactive=_policy(table.proactive),
        warnings=warnings,
    )


def _character(table: CharacterTable, sources: Sources) -> Character:
    def by_locale(texts: dict[Locale, str]) -> dict[Locale, str]:
        return {locale: texts[locale] for locale in sources.locales}

    return Character(
        name=table.name,
        display_name=by_locale(table.display_name),
        call_names=tuple(dict.fromkeys((*table.display_name.values(), *table.call_names))),
        locale=table.locale,
        timezone=table.timezone,
        tier=table.tier,
        introduction=by_locale(table.introduction),
        personality=by_locale(dict(sources.personality)),
        tags=table.tags,
        token_env=table.token_env,
        lore={locale: _lore(book) for locale, book in sources.lore_tables.items()},
        voice={locale: (*voice.examples, *voice.greetings) for locale, voice in sources.voice_tables.items()},
    )


def _lore(table: LoreTable) -> Lorebook:
    return Lorebook(
        entries=tuple(LoreEntry(**entry.model_dump()) for entry in table.entry),
        scan_depth=table.scan_depth,
        token_budget=table.token_budget,
        recursive=table.recursive,
    )


def _schedule(table: ScheduleTable | None) -> Schedule:
    if table is None:
        return Schedule()
    return Schedule(
        holidays=table.holidays,
        activities={
            name: Activity(id=name, text=dict(activity.text), tags=activity.tags)
            for name, activity in table.activity.items()
        },
        weekly=tuple(
            WeeklyEntry(days=frozenset(entry.days), span=_span(entry), on_holidays=entry.on_holidays)
            for entry in table.weekly
        ),
        exceptions=tuple(
            DatedException(
                year=entry.date[0],
                month=entry.date[1],
                day=entry.date[2],
                cancel=frozenset(entry.cancel),
                add=tuple(_span(span) for span in entry.add),
            )
            for entry in table.exception
        ),
    )


def _span(table: SpanTable) -> Span:
    return Span(activity=table.activity, start=table.start, end=table.end, priority=table.priority)


def _candidates(table: CandidatesTable) -> tuple[Candidate, ...]:
    neutral = (Candidate(id=item.id, text=item.text, cooldown_days=item.cooldown_days) for item in table.neutral)
    scheduled = (
        Candidate(id=item.id, text=item.text, cooldown_days=item.cooldown_days, window=_window(item))
        for item in table.scheduled
    )
    return (*neutral, *scheduled)


def _window(item: ScheduledTable) -> ActivityWindow:
    return ActivityWindow(activity=item.activity, kind=item.window, within_minutes=item.within_minutes)


def _policy(table: ProactiveTable) -> ProactivePolicy:
    return ProactivePolicy(
        enabled=table.enabled,
        per_day=table.per_day,
        minimum_gap_minutes=table.minimum_gap_minutes,
        windows=table.windows,
        quiet_hours=table.quiet_hours,
        slow_after=table.slow_after,
        stop_after=table.stop_after,
    )
