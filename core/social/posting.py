"""A new post, at most so often: from the interest and the character's own recent posts (seed 002, 「新規投稿」)."""

from datetime import timedelta
from typing import Any

from core.errors import DeliveryError
from core.social.answers import NewPostAnswer
from core.social.context import as_told
from core.social.journal import StepError
from core.social.lengths import target_length, within_message
from core.social.stage import Scene, Stage
from core.social.types import Access, Action, Interest, KnownPost, NewPost, PlaceKind
from core.values import Surface, SurfaceKind


async def maybe_post(stage: Stage, scene: Scene, interest: Interest | None) -> None:
    """Write a new post, if it is time for one and there is a place for it."""
    async with stage.journal.step("new_post"):
        refusal = await _why_not(stage, interest)
        access = None if refusal else await _place(stage, scene)
        if access is None or interest is None:
            why = refusal or "no channel takes one"
            stage.journal.note("post", None, done=False, why=why)
        else:
            await _post(stage, access, interest)


async def _why_not(stage: Stage, interest: Interest | None) -> str | None:
    if interest is None:
        return "no interest yet"
    last = await stage.posts.last_new_post(stage.name)
    if last is not None and stage.clock.now() - last < timedelta(days=stage.bounds.new_post_days):
        return f"the last one is less than {stage.bounds.new_post_days:g} days old"
    return None


async def _place(stage: Stage, scene: Scene) -> Access | None:
    """Return one of the channels where the character may post now, by chance."""
    now = stage.clock.now()
    open_ones = [
        access
        for _, access in sorted(scene.accesses.items())
        if access.channel.may_post and access.may(Action.POST) and await stage.within_pace(access, now=now)
    ]
    return stage.rng.choice(open_ones) if open_ones else None


async def _post(stage: Stage, access: Access, interest: Interest) -> None:
    channel, locale = access.channel, stage.character.locale
    forum = channel.kind is PlaceKind.FORUM
    answer = await stage.asker.ask(
        "new-post",
        NewPostAnswer,
        {"own_posts": await _own_posts(stage)},
        profile=stage.profile(interest),
        locale=locale,
        guild_id=channel.guild_id,
        length=target_length(stage.bounds, channel.kind, reply=False, language=locale, rng=stage.rng),
        forum=forum,
    )
    if forum and not answer.title:
        raise StepError("answer")
    text = answer.content if forum else within_message(answer.content)
    new = NewPost(text=text, tags=stage.asker.tags(answer, locale), title=answer.title[:100] if forum else None)
    await _put_out(stage, access, new)


async def _put_out(stage: Stage, access: Access, new: NewPost) -> None:
    channel = access.channel
    surface = Surface(kind=SurfaceKind.CHANNEL, channel_id=channel.channel_id, guild_id=channel.guild_id)
    whole = new.text if new.title is None else f"{new.title}\n{new.text}"
    faults = await stage.review.faults(whole, surface=surface, locale=stage.character.locale, answers=None)
    if faults:
        stage.journal.note("post", channel.channel_id, done=False, why=f"held back: {', '.join(faults)}", text=new.text)
        raise StepError("held_back")
    await stage.may_act()
    await stage.posts.note_new_post(stage.name, stage.clock.now())
    try:
        written = await stage.actions.post(channel, new)
    except DeliveryError as error:
        await stage.missed(error, access, Action.POST)
        raise
    stage.journal.note("post", channel.channel_id, done=True, why=f"{len(new.text)} characters", text=new.text)
    await stage.posts.add([written])


async def _own_posts(stage: Stage) -> list[dict[str, Any]]:
    own = await stage.posts.by_character(stage.name, limit=stage.bounds.own_posts)
    return [await _own_post(stage, known) for known in reversed(own)]


async def _own_post(stage: Stage, known: KnownPost) -> dict[str, Any]:
    """Return one of the character's own posts with a little of what is around it."""
    most, tokens = stage.bounds.own_context_posts, stage.bounds.own_context_tokens
    return as_told(known, stage.name, tokens=stage.bounds.post_tokens) | {
        "reply_chain": await stage.surroundings.chain(known.post, limit=most, tokens=tokens),
        "existing_replies": await stage.surroundings.replies(known.post, limit=most, tokens=tokens),
    }
