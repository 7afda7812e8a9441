"""Plain words for what a library says of a value."""

from typing import Annotated

import pytest
from pydantic import BaseModel, Field, ValidationError

from core.complaints import complaint


class Shelf(BaseModel):
    """Something with bounds of every kind."""

    name: Annotated[str, Field(min_length=1)] = "moss"
    code: Annotated[str, Field(min_length=4)] = "0000"
    books: Annotated[list[int], Field(min_length=2, max_length=3)] = [1, 2]
    notes: Annotated[list[int], Field(min_length=1)] = [1]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"name": ""}, "is empty"),
        ({"notes": []}, "is empty"),
        ({"code": "12"}, "needs at least 4 characters"),
        ({"books": [1]}, "needs at least 2 entries"),
        ({"books": [1, 2, 3, 4]}, "has more than 3 entries"),
    ],
)
def test_what_is_too_short_is_told_by_how_much_is_needed(value: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Shelf.model_validate(value)

    assert [complaint(detail) for detail in caught.value.errors()] == [words]
