"""The social side from the settings: its bounds, its embedding model, its parts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.settings import ModelEntry, Settings
from bot.tiers import timeouts_of
from core.clock import Clock
from core.embedding.encoder import SentenceEncoder
from core.embedding.remote import FirstDimensions
from core.language_model.client import OpenAIEmbedder
from core.language_model.endpoint import Endpoint
from core.ports import Embedder
from core.social.bounds import SocialBounds
from core.social.types import Source


def bounds_of(settings: Settings) -> SocialBounds:
    """Return the bounds of a cycle."""
    return SocialBounds(
        weights={
            Source.FOLLOWEES: settings.social_weight_followees,
            Source.REPLIES: settings.social_weight_replies,
            Source.RECOMMENDED: settings.social_weight_recommended,
            Source.MENTIONS: settings.social_weight_mentions,
            Source.NEWEST: settings.social_weight_newest,
            Source.FOLLOWERS: settings.social_weight_followers,
        },
        other_reply_weight=settings.social_other_reply_weight,
        same_language_weight=settings.social_same_language_weight,
        english_weight=settings.social_english_weight,
        other_language_weight=settings.social_other_language_weight,
        contrast_gain=settings.social_contrast_gain,
        contrast_middle=settings.social_contrast_middle,
        random_floor=settings.social_random_floor,
        fetch_posts=settings.social_fetch_posts,
        compare_posts=settings.social_compare_posts,
        read_posts=settings.social_read_posts,
        read_per_author=settings.social_read_per_author,
        reach_days=settings.social_reach_days,
        recommended_pool=settings.social_recommended_pool,
        sampled_followers=settings.social_sampled_followers,
        like_rank=settings.social_like_rank,
        like_similarity=settings.social_like_similarity,
        reply_rank=settings.social_reply_rank,
        reply_similarity=settings.social_reply_similarity,
        bot_exchanges=settings.social_bot_exchanges,
        chain_posts=settings.social_chain_posts,
        chain_tokens=settings.social_chain_tokens,
        reply_posts=settings.social_reply_posts,
        reply_tokens=settings.social_reply_tokens,
        post_tokens=settings.social_post_tokens,
        summary_tokens=settings.social_summary_tokens,
        profile_tokens=settings.social_profile_tokens,
        impression_tokens=settings.social_impression_tokens,
        peer_posts=settings.social_peer_posts,
        interest_peers=settings.social_interest_peers,
        interest_posts=settings.social_interest_posts,
        hysteresis=settings.social_hysteresis,
        interest_history=settings.social_interest_history,
        new_post_days=settings.social_new_post_days,
        own_posts=settings.social_own_posts,
        own_context_posts=settings.social_own_context_posts,
        own_context_tokens=settings.social_own_context_tokens,
        post_length=settings.social_post_length,
        reply_length=settings.social_reply_length,
        chat_share=settings.social_chat_share,
        length_ratio=settings.social_length_ratio,
        followees=settings.social_followees,
        followees_swap=settings.social_followees_swap,
        follow_similarity=settings.social_follow_similarity,
        keep_similarity=settings.social_keep_similarity,
        active_days=settings.social_active_days,
        follow_posts=settings.social_follow_posts,
        tags=settings.social_tags,
        tag_length=settings.social_tag_length,
        digests_at_once=settings.social_digests_at_once,
        digest_attempts=settings.social_digest_attempts,
        answer_tokens=settings.social_answer_tokens,
        patience_seconds=settings.social_patience_seconds,
        cycles_kept=settings.social_cycles_kept,
    )


@asynccontextmanager
async def open_embedder(settings: Settings, clock: Clock, local: SentenceEncoder) -> AsyncIterator[Embedder]:
    """Open the one embedding model of the system: the local encoder, or the operator's."""
    entry = settings.embedding_model
    if entry is None:
        yield local
        return
    remote = OpenAIEmbedder(_endpoint(settings, entry), clock=clock)
    try:
        yield FirstDimensions(remote)
    finally:
        await remote.aclose()


def _endpoint(settings: Settings, entry: ModelEntry) -> Endpoint:
    return Endpoint(
        base_url=entry.base_url,
        model=entry.model,
        api_key=entry.api_key.get_secret_value(),
        input_price=entry.input_price or 0.0,
        timeouts=timeouts_of(settings),
    )
