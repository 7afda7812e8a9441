"""Every bound and weight of the social side, with the numbers of seed 002 (「処理量の制限」 and before)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from core.social.types import PlaceKind, Source

_WEIGHTS: Mapping[Source, float] = MappingProxyType(
    {
        Source.FOLLOWEES: 1.0,
        Source.REPLIES: 0.8,
        Source.RECOMMENDED: 0.8,
        Source.MENTIONS: 0.6,
        Source.NEWEST: 0.5,
        Source.FOLLOWERS: 0.5,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialBounds:
    """What a cycle may do at most, and how posts are weighed. `_tokens` are pseudo-tokens (`core.social.tokens`).

    `chat_share`: what of `post_length` and `reply_length` (the seed's, for forums) is aimed at in chat channels.
    `bot_exchanges`: how many posts of characters may follow one another before nobody of them answers any more.
    `reach_days`: how far back posts are read. `sampled_followers`: how many of those who interact are drawn.
    `recommended_pool`: how many posts are compared with the interest for a recommendation, from each channel and tag.
    """

    weights: Mapping[Source, float] = field(default_factory=lambda: _WEIGHTS)
    other_reply_weight: float = 0.5
    same_language_weight: float = 1.0
    english_weight: float = 0.5
    other_language_weight: float = 0.3
    contrast_gain: float = 5.0
    contrast_middle: float = 0.75
    random_floor: float = 0.2

    fetch_posts: int = 30
    compare_posts: int = 100
    read_posts: int = 10
    read_per_author: int = 2
    reach_days: int = 30
    recommended_pool: int = 1000
    sampled_followers: int = 3

    like_rank: int = 2
    like_similarity: float = 0.5
    reply_rank: int = 2
    reply_similarity: float = 0.6
    bot_exchanges: int = 3

    chain_posts: int = 5
    chain_tokens: int = 3000
    reply_posts: int = 5
    reply_tokens: int = 1000
    post_tokens: int = 10_000
    summary_tokens: int = 50_000
    profile_tokens: int = 4000
    impression_tokens: int = 1000
    peer_posts: int = 10

    interest_peers: int = 10
    interest_posts: int = 10
    hysteresis: float = 0.5
    interest_history: int = 500

    new_post_days: float = 1.0
    own_posts: int = 5
    own_context_posts: int = 2
    own_context_tokens: int = 1000
    post_length: int = 2000
    reply_length: int = 1000
    chat_share: float = 0.2
    length_ratio: float = 2.0

    followees: int = 30
    followees_swap: int = 3
    follow_similarity: float = 0.6
    keep_similarity: float = 0.4
    active_days: int = 30
    follow_posts: int = 10

    tags: int = 10
    tag_length: int = 50
    digests_at_once: int = 10
    digest_attempts: int = 3
    answer_tokens: int = 4000
    patience_seconds: float = 120.0
    cycles_kept: int = 200

    @property
    def most_calls(self) -> int:
        """How many times a model is asked in one cycle at most; summaries are made apart from it."""
        impressions = self.read_posts
        peers = self.read_posts
        replies = min(self.reply_rank, self.read_posts)
        return impressions + peers + replies + 2

    def base_length(self, kind: PlaceKind, *, reply: bool) -> float:
        """Return how many characters a text is to have on average."""
        base = self.reply_length if reply else self.post_length
        return base if kind is PlaceKind.FORUM else base * self.chat_share
