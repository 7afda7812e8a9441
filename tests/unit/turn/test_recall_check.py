"""The recall guard's eye: what denies, what claims a memory, and what only looks like it."""

import pytest

from core.analysis.text import fold
from core.turn.checks.recall import RecallPatterns, denies, invents, misquotation

PATTERNS = RecallPatterns.load()


@pytest.mark.parametrize(
    "sentence",
    [
        "そんな話は聞いてないよ。",
        "え、そんなこと聞いたことないけど？",
        "それは初耳だなあ。",
        "まだ教えてもらってないと思う。",
        "申し訳ありません、そのようなお話は伺っていません。",
        "ごめん、覚えてないや。",
        "その話、した覚えがないなあ。",
        "記録には残っていません。",
        "話してくれてないよね？",
        "一度も聞いてないよ。",
        "そういう会話はしてないはずだよ。",
        "聞いてへんで。",
        "I don't remember you saying that.",
        "I don’t recall that at all.",
        "You never told me about a cat.",
        "Hmm, you haven't mentioned that yet!",
        "I have no memory of that.",
        "There's no record of that conversation.",
        "That's news to me!",
        "First I've heard of it!",
        "I don't think you've told me that.",
        "We never talked about that.",
        "That never came up.",
        "I've never heard about your cat.",
    ],
)
def test_denials_are_found(sentence: str) -> None:
    assert denies(PATTERNS, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "いまはちょっと調べられないみたい。",
        "聞いてないって意味じゃないからね。",
        "聞いてないわけじゃないんだけど、いまは確かめられなくて。",
        "覚えてるよ、もちちゃんのことだよね。",
        "その部分だけ見つからなかった。",
        "お店の名前までは書いてなかったよ。",
        "音楽、聞いてないの？",
        "今日は誰とも話してないの？",
        "「そんな話は聞いてない」って言われたんだよね、つらかったね。",
        "最近あんまり寝てないよね。",
        "思い出せなくてごめんね。",
        "I can't look that up right now.",
        "That doesn't mean you never told me!",
        "I'm not saying you never mentioned it, I just can't look it up.",
        "You told me about Momo!",
        "You never gave up, and that's brave.",
        "I don't remember the exact words, but it was about Momo.",
        'She told you "you never told me", right?',
        "I can't find that part, sorry.",
        "You haven't slept, have you?",
        "Not sure whether you told me the colour.",
    ],
)
def test_what_is_no_denial_passes(sentence: str) -> None:
    assert not denies(PATTERNS, sentence)


IN_FRONT = "うちの猫の名前おぼえてる？ 昨日は病院に行った what's my cat called, do you remember? i saw the vet"


@pytest.mark.parametrize(
    "sentence",
    [
        "もちろん、茶トラのモモって言ってたよね！",
        "前に保護施設で出会ったって教えてくれたよね。",
        "覚えてるよ、白黒の子猫だよね。",
        "You told me she's called Princess Whiskers!",
        "I remember, you adopted her from a shelter in Leeds.",
        "You mentioned your ginger kitten a few weeks ago.",
    ],
)
def test_memories_with_words_from_nowhere_are_found(sentence: str) -> None:
    assert invents(PATTERNS, sentence, IN_FRONT)


@pytest.mark.parametrize(
    "sentence",
    [
        "ごめん、見つからなかった。もう一度教えてくれる？",
        "前に話してくれたことは、いまは見つけられなかったよ。",
        "昨日は病院に行ったって言ってたよね。",
        "もし教えてもらったことがあったらごめんね。",
        "覚えていたいから、猫の名前を教えてほしいな。",
        "猫ちゃん、かわいいんだろうなあ。",
        "I couldn't find it, sorry.",
        "If you told me about a ginger kitten, I can't find it.",
        "You told me you saw the vet.",
        "I wish I remembered what you told me about your kitten.",
        "Cats sleep sixteen hours a day!",
    ],
)
def test_what_claims_no_memory_of_its_own_passes(sentence: str) -> None:
    assert not invents(PATTERNS, sentence, IN_FRONT)


FRONT = fold("猫の名前はもちだよ\n駅前の喫茶店は木曜が休み\nmy sister lives at 12 Elm Road").casefold()


@pytest.mark.parametrize(
    "sentence",
    [
        "猫の名前は「ミカ」だったよね。",
        "『たま』って言ってたよ。",
        'You said she lives on "Ash Lane".',
        "It was “Biscuit”!",
    ],
)
def test_a_quotation_of_what_nobody_said_is_found(sentence: str) -> None:
    assert misquotation(sentence, FRONT) is not None


@pytest.mark.parametrize(
    "sentence",
    [
        "「もち」だよね。",
        "「もちちゃん」って呼んでた子だよね。",
        "猫の名前はミカだよね。",
        "「木曜が休み」って言ってたよ。",
        "「？」",
        "「もち」だね。「ふわふわ」って感じで好き。",
        "「大福」じゃなくて「もち」だよ。",
        "もちだよ。『吾輩は猫である』みたいだね。",
        'It was "Elm Road". Such a "cosy" name.',
        'You said "12 Elm Road".',
        'It\'s "living at Elm Road", if I read it right.',
        "You told me about your sister.",
    ],
)
def test_what_was_said_may_be_quoted(sentence: str) -> None:
    assert misquotation(sentence, FRONT) is None
