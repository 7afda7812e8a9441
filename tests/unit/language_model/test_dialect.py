import pytest

from core.language_model.dialect import Dialect, adapt


@pytest.mark.parametrize(
    ("complaint", "given_up"),
    [
        (
            "Unsupported parameter: 'max_tokens' is not supported here. Use 'max_completion_tokens' instead.",
            "limit_as_max_tokens",
        ),
        ("Unrecognized request argument supplied: stream_options", "usage_in_stream"),
        ("'response_format' of type 'json_schema' is not supported with this model", "json_schema"),
        ("Unsupported value: 'temperature' does not support 0.7 with this model", "temperature"),
        ("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
    ],
)
def test_refused_parameter_is_given_up(complaint: str, given_up: str) -> None:
    adapted = adapt(Dialect(), complaint)
    assert adapted is not None
    assert [habit for habit in Dialect.__slots__ if not getattr(adapted, habit)] == [given_up]


def test_json_is_asked_for_more_loosely_each_time() -> None:
    once = adapt(Dialect(), "response_format not supported")
    assert once == Dialect(json_schema=False)
    assert once is not None
    twice = adapt(once, "response_format not supported")
    assert twice == Dialect(json_schema=False, json_object=False)
    assert twice is not None
    assert adapt(twice, "response_format not supported") is None


def test_other_refusals_teach_nothing() -> None:
    assert adapt(Dialect(), "messages: the array is too long") is None
