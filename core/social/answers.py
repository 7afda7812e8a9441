"""What a model may answer, attribute by attribute. Anything else fails the step it was asked in, and only that."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictBool, StrictStr

_LONGEST = 8000
_LONGEST_TAG = 200
_MOST_TAGS = 60


def _text(value: str) -> str:
    if not value.strip() or len(value) > _LONGEST:
        raise ValueError("is empty or far too long")
    return value.strip()


def _title(value: str) -> str:
    if len(value) > _LONGEST_TAG:
        raise ValueError("is far too long for a title")
    return " ".join(value.split())


def _some(tags: list[str]) -> list[str]:
    if not any(tag.strip() for tag in tags) or len(tags) > _MOST_TAGS or any(len(tag) > _LONGEST_TAG for tag in tags):
        raise ValueError("are none, or far too many or long")
    return tags


# Looked over by functions and not by the schema: servers that enforce schemas know no lengths.
_Text = Annotated[StrictStr, AfterValidator(_text)]
_Title = Annotated[StrictStr, AfterValidator(_title)]
_Tags = Annotated[list[StrictStr], AfterValidator(_some)]


class Answer(BaseModel):
    """Base of the answers. What is given beyond the attributes asked for is ignored."""

    model_config = ConfigDict(extra="ignore")

    tags: _Tags

    def texts(self) -> tuple[str, ...]:
        """Return everything in it that was written freely."""
        return ()


class SummaryAnswer(Answer):
    """Of `post-summary`."""

    summary: _Text

    def texts(self) -> tuple[str, ...]:
        """Return what was written freely."""
        return (self.summary,)


class PostImpressionAnswer(Answer):
    """Of `post-impression`."""

    impression: _Text
    should_like: StrictBool
    should_reply: StrictBool

    def texts(self) -> tuple[str, ...]:
        """Return what was written freely."""
        return (self.impression,)


class PeerImpressionAnswer(Answer):
    """Of `peer-impression`."""

    impression: _Text
    should_follow: StrictBool

    def texts(self) -> tuple[str, ...]:
        """Return what was written freely."""
        return (self.impression,)


class InterestAnswer(Answer):
    """Of `interest`."""

    interest: _Text

    def texts(self) -> tuple[str, ...]:
        """Return what was written freely."""
        return (self.interest,)


class ReplyAnswer(Answer):
    """Of `reply-post`."""

    content: _Text

    def texts(self) -> tuple[str, ...]:
        """Return what was written freely."""
        return (self.content,)


class NewPostAnswer(Answer):
    """Of `new-post`; the title is used in forums."""

    content: _Text
    title: _Title

    def texts(self) -> tuple[str, ...]:
        """Return what was written freely."""
        return (self.content, self.title)
