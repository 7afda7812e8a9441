import pytest

from bot.discord.content import Names, readable

NAMES = Names(
    own=frozenset({1, 5}),
    user={2: "Aoi", 1: "ひなた"}.get,
    role={4: "mods", 5: "hinata"}.get,
    channel={3: "general"}.get,
)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<@1> おはよう", "おはよう"),
        ("<@!1>おはよう", "おはよう"),
        ("hey <@1> how are you", "hey how are you"),
        ("おはよう <@1>", "おはよう"),
        ("<@&5> hello", "hello"),
        ("<@1>", ""),
        ("<@1> <@2> と話して", "@Aoi と話して"),
        ("ask <@!2> in <#3>", "ask @Aoi in #general"),
        ("<@&4> please", "@mods please"),
        ("<@99> <#98>", "@99 #98"),
        ("<:smile:123456> <a:wave:9>", ":smile: :wave:"),
        ("use </about:12> there", "use /about there"),
        ("at <t:0:R>", "at 1970-01-01 00:00 UTC"),
        ("at <t:999999999999>", "at <t:999999999999>"),
        ("a < b and <@> c", "a < b and <@> c"),
        ("first\n<@1>\nsecond", "first\n \nsecond"),
    ],
)
def test_markup_reads_as_a_person_would_read_it(content: str, expected: str) -> None:
    assert readable(content, NAMES) == expected
