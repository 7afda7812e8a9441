"""Likes and replies: figure, rank, the model's wish and the place's leave must agree (seed 002, 「イイネと返信」)."""

from typing import Any

from core.errors import DeliveryError
from core.social.answers import ReplyAnswer
from core.social.context import as_told
from core.social.journal import StepError
from core.social.lengths import target_length, within_message
from core.social.ranking import by_interest
from core.social.stage import Read, Scene, Stage
from core.social.types import Access, Action
from core.values import Locale


async def react(stage: Stage, scene: Scene) -> None:
    """Like and answer what deserves it; each fails alone."""
    ranks = by_interest([read.candidate for read in scene.read])
    for read in sorted(scene.read, key=lambda one: ranks.get(one.post.id, len(ranks) + 1)):
        rank = ranks.get(read.post.id)
        if (refusal := _why_not_like(stage, scene, read, rank)) is None:
            async with stage.journal.step("like"):
                await _like(stage, scene, read, rank)
        else:
            stage.journal.note("like", read.post.id, done=False, why=refusal)
        async with stage.journal.step("reply"):
            refusal = await _why_not_reply(stage, scene, read, rank)
            if refusal is None:
                await _reply(stage, scene, read)
            else:
                stage.journal.note("reply", read.post.id, done=False, why=refusal)


def _why_not_like(stage: Stage, scene: Scene, read: Read, rank: int | None) -> str | None:
    bounds = stage.bounds
    if read.impression is None or not read.impression.should_like:
        return "no wish to"
    return _too_far(read, rank, bounds.like_rank, bounds.like_similarity) or _closed(scene, read, Action.LIKE)


async def _why_not_reply(stage: Stage, scene: Scene, read: Read, rank: int | None) -> str | None:
    bounds = stage.bounds
    if read.impression is None or not read.impression.should_reply:
        return "no wish to"
    refusal = _too_far(read, rank, bounds.reply_rank, bounds.reply_similarity) or _closed(scene, read, Action.REPLY)
    if refusal is not None:
        return refusal
    if read.post.answers_somebody_else(stage.name):
        return "it answers somebody else"
    return await _why_not_now(stage, scene, read)


async def _why_not_now(stage: Stage, scene: Scene, read: Read) -> str | None:
    if await stage.surroundings.has_answered(read.post):
        return "it has answered already"
    most = stage.bounds.bot_exchanges
    if await stage.surroundings.exchange_of_characters(read.post, most=most + 1) > most:
        return "characters among themselves have said enough"
    if not await stage.within_pace(scene.accesses[read.post.place_id], now=stage.clock.now()):
        return "the channel's pace"
    return None


def _too_far(read: Read, rank: int | None, most: int, least: float) -> str | None:
    similarity = read.candidate.similarity
    if rank is None or similarity is None:
        return "no interest to compare with"
    if rank > most:
        return f"rank {rank} is beyond {most}"
    return f"similarity {similarity:.2f} is below {least}" if similarity < least else None


def _closed(scene: Scene, read: Read, action: Action) -> str | None:
    access = scene.accesses.get(read.post.place_id)
    if access is None or not access.may(action):
        return "no permission"
    return None if action in read.post.open_to else "the post takes none"


async def _like(stage: Stage, scene: Scene, read: Read, rank: int | None) -> None:
    await stage.may_act()
    try:
        await stage.actions.like(read.post)
    except DeliveryError as error:
        await stage.missed(error, scene.accesses[read.post.place_id], Action.LIKE)
        raise
    stage.journal.note("like", read.post.id, done=True, why=_why(read, rank))


async def _reply(stage: Stage, scene: Scene, read: Read) -> None:
    access, locale = scene.accesses[read.post.place_id], _spoken(stage, read)
    text = await _written(stage, scene, read, access, locale)
    faults = await stage.review.faults(text, surface=read.post.surface, locale=locale, answers=read.post)
    if faults:
        stage.journal.note("reply", read.post.id, done=False, why=f"held back: {', '.join(faults)}", text=text)
        raise StepError("held_back")
    await stage.may_act()
    try:
        written = await stage.actions.reply(read.post, text)
    except DeliveryError as error:
        await stage.missed(error, access, Action.REPLY)
        raise
    stage.journal.note("reply", read.post.id, done=True, why=_why(read, None), text=text)
    await stage.posts.add([written])


async def _written(stage: Stage, scene: Scene, read: Read, access: Access, locale: Locale) -> str:
    bounds, post = stage.bounds, read.post
    peer = await stage.social.peer_impression(stage.name, post.author.id)
    data: dict[str, Any] = {
        "post": as_told(read.candidate.known, stage.name, tokens=bounds.post_tokens),
        "post_impression": None if read.impression is None else read.impression.text,
        "author_impression": None if peer is None else peer.text,
        "reply_chain": await stage.surroundings.chain(post, limit=bounds.chain_posts, tokens=bounds.chain_tokens),
        "existing_replies": await stage.surroundings.replies(
            post, limit=bounds.reply_posts, tokens=bounds.reply_tokens
        ),
    }
    length = target_length(bounds, access.channel.kind, reply=True, language=locale, rng=stage.rng)
    answer = await stage.asker.ask(
        "reply-post",
        ReplyAnswer,
        data,
        profile=stage.profile(scene.interest),
        locale=locale,
        guild_id=post.surface.guild_id,
        length=length,
    )
    return within_message(answer.content)


def _spoken(stage: Stage, read: Read) -> Locale:
    """Return the language to answer in: the post's, where the character speaks it."""
    spoken = (locale for locale in stage.character.locales if locale == read.post.language)
    return next(spoken, stage.character.locale)


def _why(read: Read, rank: int | None) -> str:
    similarity = read.candidate.similarity or 0.0
    place = "" if rank is None else f"rank {rank}, "
    return f"{place}similarity {similarity:.2f}"
