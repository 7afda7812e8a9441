"""`yorisoi inspect`: what single parts of a turn make of an input."""

from typing import Literal

import typer

from bot.cli.common import JSON_HELP, configured, print_json
from bot.cli.moments import AT, moment_in
from core.values import Locale

_TIME_HELP = """Find what texts claim about the present, and tell whether it is true.

Reads JSON Lines on stdin and writes one JSON line for each, in order; a bad line gives {"line": N, "error": "..."}.

In: {"id", "now", "text"} and, if the clock is that of another zone than the offset of "now", "tz". Other keys are
left alone. "now" without an offset is the time on the clock.

Out: {"id", "claims": [{"kind", "value", "start", "end"}], "contradicts", "implicit_activity_claim"}.

Example: [bold]echo '{"id": 1, "now": "2026-11-30T16:08+09:00", "text": "Half past two already!"}' | yorisoi inspect time[/bold]
"""  # noqa: E501 - an example is one line
_CAPSULE_HELP = """Show the facts that the model is told in a private talk at a moment, word for word.

Example: [bold]yorisoi inspect capsule --character hinata --at 2026-11-30T16:08[/bold]
Example: [bold]yorisoi inspect capsule -c hinata --at 2026-11-30T16:08+09:00 --user-tz Europe/Rome --locale en --json[/bold]
"""  # noqa: E501
_SIGNAL_HELP = """Tell what kind of turn a text is: whether support is asked for, about what, and how much is at stake.

Reads JSON Lines on stdin and writes one JSON line for each, in order; a bad line gives {"line": N, "error": "..."}.

In: {"id", "text"} and, if something was said before, "history": [{"role": "user" or "assistant", "text"}].

Out: {"id", "mode", "domain", "stakes", "evidence_balance", "pushback", "sycophancy_risk", "overreliance_risk",
"crisis", "matched"}.

Example: [bold]echo '{"id": 1, "text": "Does she hate me?"}' | yorisoi inspect signal[/bold]
"""
_SESSION_HELP = """Tell what each turn of a talk is, what the session remembers after it, and how firm the stance is.

Reads JSON Lines on stdin and writes one JSON line for each, in order; a bad line gives {"line": N, "error": "..."}.

In: {"id", "turns": [{"role": "user" or "assistant", "text"}]}.

Out: {"id", "signals", "inertia", "firmness"}, signals and firmness one for each turn of the user.

Example: [bold]echo '{"id": 1, "turns": [{"role": "user", "text": "Should I quit?"}]}' | yorisoi inspect session[/bold]
"""
_VERIFY_HELP = """Tell what the stance gate says of a reply.

Reads JSON Lines on stdin and writes one JSON line for each, in order; a bad line gives {"line": N, "error": "..."}.

In: {"id", "user", "reply"}.

Out: {"id", "action", "findings": [{"rule", "severity", "start", "end"}]}; action is pass, repair or fallback.

Example: [bold]echo '{"id": 1, "user": "Does he like me?", "reply": "He loves you."}' | yorisoi inspect verify[/bold]
"""
_TAGS_HELP = """Tell which tags are kept of those a model gave: without numbers of the NDC, labels taken apart.

Reads JSON Lines on stdin and writes one JSON line for each, in order; a bad line gives {"line": N, "error": "..."}.

In: {"id", "tags": [...], "max"}. Out: {"id", "tags"}.

Example: [bold]echo '{"id": 1, "tags": ["326:刑事法", "法律"], "max": 5}' | yorisoi inspect tags[/bold]
"""
_FEATURES_HELP = """Do with vectors what the activity cycle does: store, read, compare, blend, raise the contrast.

Reads JSON Lines on stdin and writes one JSON line for each, in order; a bad line gives {"line": N, "error": "..."}.

In, each with an "id": {"op": "encode", "input"}, {"op": "decode", "encoded"}, {"op": "cosine", "a", "b"},
{"op": "contrast", "x", "gain", "mid"} or {"op": "blend", "new", "old" (may be null), "h"}.

Out: {"id"} with "encoded", "decoded", "cosine", "y" or "stored". A stored vector is 512 signed bytes.

Example: [bold]echo '{"id": 1, "op": "contrast", "x": 0.5, "gain": 5, "mid": 0.75}' | yorisoi inspect features[/bold]
"""
_CANDIDATE_HELP = """Tell whether a text may be said first, and what keeps it from that.

Reads JSON Lines on stdin and writes one JSON line for each, in order; a bad line gives {"line": N, "error": "..."}.

In: {"id", "kind", "text", "locale"}; kind is "neutral" or "schedule", locale "ja" or "en".

Out: {"id", "admissible", "findings": [{"claim", "start", "end"}]}.

Example: [bold]echo '{"id": 1, "kind": "neutral", "text": "Still awake?", "locale": "en"}' | yorisoi inspect candidate[/bold]
"""  # noqa: E501
_RECALL_HELP = """Tell what the search for something said before finds in an archive.

Reads JSON Lines on stdin and writes one JSON line for each, in order; a bad line gives {"line": N, "error": "..."}.

In: {"id", "archive": [{"mid", "author", "text"}] in the order of time (author "bot" is the character), "question"} and
"selected": [{"mid", "confidence"}], which stands for a model's answer; without it there is no model to ask.

Out: {"id", "recall_question", "literal": found by words, best first, "offered": what a model is shown (nothing, if words alone
settle it), "complete": nothing was left out of that, "outcome": found, not_found, unavailable or none, "evidence": what was found, best first,
then what stands beside it}, all of them mids.

Example: [bold]echo '{"id": 1, "archive": [{"mid": "a", "author": "user", "text": "our cat is called Momo"}], "question": "what is my cat called?"}' | yorisoi inspect recall[/bold]
"""  # noqa: E501
_WORDS_ONLY = typer.Option(False, "--words-only", help="Without the sentence encoder: quicker, somewhat less sure.")
_CHARACTER = typer.Option(None, "--character", "-c", help="Whose facts (a character's name).")
_USER_TZ = typer.Option(None, "--user-tz", help="The person's time zone (Europe/Rome); the character's if left out.")
_LOCALE = typer.Option(None, "--locale", "-l", help="The language; the character's own if left out.")


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Look at what single parts of a turn make of an input.")
    group.command(name="time", help=_TIME_HELP)(time)
    group.command(name="capsule", help=_CAPSULE_HELP)(capsule)
    group.command(name="candidate", help=_CANDIDATE_HELP)(candidate)
    group.command(name="signal", help=_SIGNAL_HELP)(signal)
    group.command(name="session", help=_SESSION_HELP)(session)
    group.command(name="verify", help=_VERIFY_HELP)(verify)
    group.command(name="recall", help=_RECALL_HELP)(recall)
    group.command(name="tags", help=_TAGS_HELP)(tags)
    group.command(name="features", help=_FEATURES_HELP)(features)
    app.add_typer(group, name="inspect")


def time() -> None:
    """Answer lines about claims."""
    from bot.cli.jsonl import answer_lines  # noqa: PLC0415
    from bot.cli.time_lines import TimeLine, inspect_line  # noqa: PLC0415

    answer_lines(TimeLine, inspect_line)


def candidate() -> None:
    """Answer lines about texts to be said first."""
    from functools import partial  # noqa: PLC0415

    from bot.cli.candidate_lines import CandidateLine, inspect_line  # noqa: PLC0415
    from bot.cli.jsonl import answer_lines  # noqa: PLC0415
    from bot.packs import second_opinion  # noqa: PLC0415

    answer_lines(CandidateLine, partial(inspect_line, opinion=second_opinion()))


def signal(words_only: bool = _WORDS_ONLY) -> None:
    """Answer lines about turns."""
    _answer_about_stance("signal", words_only=words_only)


def session(words_only: bool = _WORDS_ONLY) -> None:
    """Answer lines about whole talks."""
    _answer_about_stance("session", words_only=words_only)


def verify(words_only: bool = _WORDS_ONLY) -> None:
    """Answer lines about replies."""
    _answer_about_stance("verify", words_only=words_only)


def recall() -> None:
    """Answer lines about recall."""
    from bot.cli.recall_lines import answer_all  # noqa: PLC0415
    from bot.errands import open_scratch_recall  # noqa: PLC0415

    configured(quiet=True)
    answer_all(open_scratch_recall())


def tags() -> None:
    """Answer lines about tags."""
    from bot.cli.jsonl import answer_lines  # noqa: PLC0415
    from bot.cli.social_lines import TagsLine, tags_of  # noqa: PLC0415

    answer_lines(TagsLine, tags_of)


def features() -> None:
    """Answer lines about vectors."""
    from bot.cli.jsonl import answer_lines  # noqa: PLC0415
    from bot.cli.social_lines import FeaturesLine, features_of  # noqa: PLC0415

    answer_lines(FeaturesLine, features_of)


def _answer_about_stance(command: Literal["signal", "session", "verify"], *, words_only: bool) -> None:
    from bot.cli.stance_lines import answer  # noqa: PLC0415
    from bot.errands import shipped_places  # noqa: PLC0415

    configured(quiet=True)
    answer(command, places=shipped_places(), words_only=words_only)


def capsule(
    character: str | None = _CHARACTER,
    at: str | None = AT,
    user_tz: str | None = _USER_TZ,
    locale: Locale | None = _LOCALE,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Show a capsule."""
    from bot.packs import load_character  # noqa: PLC0415
    from core.facts.capsule.inspection import inspect_capsule  # noqa: PLC0415
    from core.facts.errors import FactsError  # noqa: PLC0415
    from prompts.loader import PromptLibrary  # noqa: PLC0415

    pack = load_character(configured(quiet=True).settings, character)
    moment = moment_in(pack.character.timezone, at)
    try:
        view = inspect_capsule(pack, PromptLibrary.load(), at=moment, user_timezone=user_tz, locale=locale)
    except FactsError as error:
        raise typer.BadParameter(f"--user-tz: {error}") from error
    if json:
        print_json(view.data)
    else:
        typer.echo(view.text)
