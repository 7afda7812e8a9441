"""Every number that the judgement of a turn hangs on, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Probabilities of the learned layer from which on something follows, and how context shifts them.

    `reflective`: what the layer needs before a turn is taken for reflective support where no rule says so;
    `reflective_marked`: with a rule that says so; `reflective_contested`: with a rule that says casual or task.
    `crisis`: the layer's own evidence of a crisis times that of reflective support, never against a veto;
    `crisis_by_words` takes its place where no sentence vector was asked for.
    `sure`: the words suffice, no vector is asked for.
    `unlike`: below it, words are so far from reflective support that, where it is only asked whether a turn may be
    stored, no vector is asked for.
    `casual_share`: what the odds of small talk count for against those of a task; lines of small talk weigh more when
    the layer is fitted, which is meant to keep them from reflective support and not from tasks.
    `nothing`: the layer alone takes a turn of at most `nothing_length` characters for a back-channel.
    `leaning`: what may have been reflective support; the next turn's odds of it are multiplied by `staying_leaning`.
    `level`: what the layer needs to settle the evidence balance against the rules; `rule_support`: what a rule needs
    of the layer to set a level. `staying`: by how much the odds of the mode in force are multiplied while nothing
    says that the topic changes.
    `pressing`: by how much the odds of an active push are multiplied where support is sought and the character has
    answered: people press for another answer more often than they begin by pressing.
    """

    reflective: float = 0.62
    reflective_marked: float = 0.62
    reflective_contested: float = 0.85
    crisis: float = 0.16
    crisis_by_words: float = 0.50
    sure: float = 0.95
    unlike: float = 0.08
    casual_share: float = 0.5
    nothing: float = 0.45
    nothing_length: int = 25
    leaning: float = 0.30
    staying_leaning: float = 2.5
    staying: float = 10.0
    pressing: float = 3.0
    level: float = 0.50
    rule_support: float = 0.20


THRESHOLDS = Thresholds()
