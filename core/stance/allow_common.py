"""What is in nearly every reply: an allow-list made of nothing but these would let everything pass."""

ENGLISH = frozenset(
    """
    a about all also always am an and any are aren't as at be because been being but by can can't could did didn't do
    does doesn't doing don't ever every everything for from get gets go going good got had has have he he'd he'll he's
    her here hers him his how i i'd i'll i'm i've if in is isn't it it's its just know like made make me mean more my
    never no not nothing now of off on one only or other our out people really right said say see she she'd she'll she's
    so some something such sure than that that's the their them then there they they'd they'll they're they've thing
    think this to too up us very want was wasn't we we'd we'll we're we've well were what when which who why will with
    won't would yes yet you you'd you'll you're you've your yours yourself
    """.split()
)
"""Words, as the gate folds them."""

JAPANESE = tuple(
    """
    あなた 貴方 きみ 君 あんた おまえ お前 彼女 彼 彼ら わたし 私 ぼく 僕 おれ 俺 自分 相手 ひと 人 みんな 誰 だれ 何 なに
    これ それ あれ どれ ここ そこ あそこ この その あの どの こう そう ああ どう こと 事 もの 物 とき 時 ところ 今 いま 今日
    という といって って とは には では ても でも だって から けど けれど ので のに まで より だけ ほど など くらい
    です でした でしょう ます ました ません だった だろう だよ だね だな だ ない なかった なく いる います いた いて
    ある あります あった する します した して しない なる なります なった なって 思う 思います 思った 言う 言った
    てる ている てて よね よ ね な か さ ぞ わ は が を に で も と へ や の て た さん ちゃん くん 様
    とても すごく すごい 本当 ほんとう ほんと もう まだ また もっと よく いい 良い
    """.split()
)
"""Pieces that sentences are held together with; a phrase that is put together of them alone says nothing of its own."""
