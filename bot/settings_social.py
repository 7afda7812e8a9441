"""The settings of the social side: whether there is one, how often, and every bound of `core.social.bounds`."""

from pydantic import Field
from pydantic_settings import BaseSettings


class SocialSettings(BaseSettings):
    """What an operator can choose for characters as members of a community; all of it stands in `docs/community.md`."""

    social: bool = Field(default=False, examples=["true"])
    social_minutes: float = Field(default=60.0, gt=0, le=10_080, examples=["60"])
    social_digest_minutes: float = Field(default=2.0, gt=0, le=1440, examples=["2"])

    # Weights by which posts come to be read, and what they are multiplied with
    social_weight_followees: float = Field(default=1.0, ge=0, le=10, examples=["1"])
    social_weight_replies: float = Field(default=0.8, ge=0, le=10, examples=["0.8"])
    social_weight_recommended: float = Field(default=0.8, ge=0, le=10, examples=["0.8"])
    social_weight_mentions: float = Field(default=0.6, ge=0, le=10, examples=["0.6"])
    social_weight_newest: float = Field(default=0.5, ge=0, le=10, examples=["0.5"])
    social_weight_followers: float = Field(default=0.5, ge=0, le=10, examples=["0.5"])
    social_other_reply_weight: float = Field(default=0.5, ge=0, le=10, examples=["0.5"])
    social_same_language_weight: float = Field(default=1.0, ge=0, le=10, examples=["1"])
    social_english_weight: float = Field(default=0.5, ge=0, le=10, examples=["0.5"])
    social_other_language_weight: float = Field(default=0.3, ge=0, le=10, examples=["0.3"])
    social_contrast_gain: float = Field(default=5.0, gt=0, le=100, examples=["5"])
    social_contrast_middle: float = Field(default=0.75, ge=0, le=1, examples=["0.75"])
    social_random_floor: float = Field(default=0.2, ge=0, le=10, examples=["0.2"])

    # Reading
    social_fetch_posts: int = Field(default=30, ge=1, le=100, examples=["30"])
    social_compare_posts: int = Field(default=100, ge=1, le=10_000, examples=["100"])
    social_read_posts: int = Field(default=10, ge=0, le=100, examples=["10"])
    social_read_per_author: int = Field(default=2, ge=1, le=100, examples=["2"])
    social_reach_days: int = Field(default=30, ge=1, le=3650, examples=["30"])
    social_recommended_pool: int = Field(default=1000, ge=1, le=100_000, examples=["1000"])
    social_sampled_followers: int = Field(default=3, ge=0, le=100, examples=["3"])

    # Likes and replies
    social_like_rank: int = Field(default=2, ge=0, le=100, examples=["2"])
    social_like_similarity: float = Field(default=0.5, ge=-1, le=1, examples=["0.5"])
    social_reply_rank: int = Field(default=2, ge=0, le=100, examples=["2"])
    social_reply_similarity: float = Field(default=0.6, ge=-1, le=1, examples=["0.6"])
    social_bot_exchanges: int = Field(default=3, ge=0, le=50, examples=["3"])

    # What goes into a prompt, in pseudo-tokens
    social_chain_posts: int = Field(default=5, ge=0, le=50, examples=["5"])
    social_chain_tokens: int = Field(default=3000, ge=100, le=100_000, examples=["3000"])
    social_reply_posts: int = Field(default=5, ge=0, le=50, examples=["5"])
    social_reply_tokens: int = Field(default=1000, ge=100, le=100_000, examples=["1000"])
    social_post_tokens: int = Field(default=10_000, ge=100, le=100_000, examples=["10000"])
    social_summary_tokens: int = Field(default=50_000, ge=100, le=200_000, examples=["50000"])
    social_profile_tokens: int = Field(default=4000, ge=100, le=100_000, examples=["4000"])
    social_impression_tokens: int = Field(default=1000, ge=100, le=100_000, examples=["1000"])
    social_peer_posts: int = Field(default=10, ge=0, le=100, examples=["10"])

    # The interest
    social_interest_peers: int = Field(default=10, ge=0, le=100, examples=["10"])
    social_interest_posts: int = Field(default=10, ge=0, le=100, examples=["10"])
    social_hysteresis: float = Field(default=0.5, ge=0, le=10, examples=["0.5"])
    social_interest_history: int = Field(default=500, ge=1, le=100_000, examples=["500"])

    # New posts
    social_new_post_days: float = Field(default=1.0, ge=0, le=365, examples=["1"])
    social_own_posts: int = Field(default=5, ge=0, le=50, examples=["5"])
    social_own_context_posts: int = Field(default=2, ge=0, le=50, examples=["2"])
    social_own_context_tokens: int = Field(default=1000, ge=100, le=100_000, examples=["1000"])
    social_post_length: int = Field(default=2000, ge=100, le=20_000, examples=["2000"])
    social_reply_length: int = Field(default=1000, ge=50, le=20_000, examples=["1000"])
    social_chat_share: float = Field(default=0.2, gt=0, le=1, examples=["0.2"])
    social_length_ratio: float = Field(default=2.0, ge=1, le=10, examples=["2"])

    # Follows
    social_followees: int = Field(default=30, ge=0, le=1000, examples=["30"])
    social_followees_swap: int = Field(default=3, ge=0, le=100, examples=["3"])
    social_follow_similarity: float = Field(default=0.6, ge=-1, le=1, examples=["0.6"])
    social_keep_similarity: float = Field(default=0.4, ge=-1, le=1, examples=["0.4"])
    social_active_days: int = Field(default=30, ge=1, le=3650, examples=["30"])
    social_follow_posts: int = Field(default=10, ge=1, le=100, examples=["10"])

    # Answers, summaries, books
    social_tags: int = Field(default=10, ge=1, le=50, examples=["10"])
    social_tag_length: int = Field(default=50, ge=4, le=200, examples=["50"])
    social_digests_at_once: int = Field(default=10, ge=1, le=1000, examples=["10"])
    social_digest_attempts: int = Field(default=3, ge=1, le=100, examples=["3"])
    social_answer_tokens: int = Field(default=4000, ge=100, le=32_000, examples=["4000"])
    social_patience_seconds: float = Field(default=120.0, gt=0, le=1800, examples=["120"])
    social_cycles_kept: int = Field(default=200, ge=1, le=100_000, examples=["200"])
