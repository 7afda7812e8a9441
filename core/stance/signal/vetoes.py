"""What takes a candidate back: the speaker tells of something else than their own present danger or question."""

from collections.abc import Callable

from core.stance.signal.reading import Reading

Veto = Callable[[Reading], bool]


def told_elsewhere(reading: Reading) -> bool:
    """Fiction, translation, study or code with a distressing payload: a task is asked for, nobody is told about."""
    elsewhere = reading.has("fiction", "study", "technical", "artefact")
    return elsewhere and reading.has("request", "how_to", "quantity")


def watched(reading: Reading) -> bool:
    """A film, a game or the news is talked about, without a word of the speaker's own distress."""
    return reading.has("fiction", "play", "study") and not reading.has("distress", "self_harm", "danger_present")


def denied(reading: Reading) -> bool:
    """The danger is put in words in order to be denied. It still raises the stakes: a denial may be a warning."""
    return reading.has("danger_denied")


def past(reading: Reading) -> bool:
    """The danger lies in the past, and nothing says that it is back."""
    return reading.has("danger_past") and not reading.has("danger_present")


def somebody_else(reading: Reading) -> bool:
    """Somebody else is in danger, or was: reported, quoted or found out."""
    return reading.has("somebody_elses_danger")


def figurative(reading: Reading) -> bool:
    """Hyperbole: dying of laughter, killing a process, a dead keyboard."""
    return reading.has("danger_figurative")


def light(reading: Reading) -> bool:
    """Laughter and jokes without any word of distress, and without a word that it is none."""
    return reading.has("laughter") and not reading.has("distress", "self_worth", "earnest")


def technical(reading: Reading) -> bool:
    """Code, tools or numbers are talked about."""
    return reading.has("technical")


def distressed(reading: Reading) -> bool:
    """Distress is said in words, or something grave is named."""
    return reading.has("distress", "grief", "violence", "self_harm", "wish_to_die", "preparation", "verdict")


def endangered(reading: Reading) -> bool:
    """Something is said that would be danger if it were meant."""
    return reading.has("wish_to_die", "means_at_hand", "preparation", "self_harm", "acute_illness", "violence_now")


def at_leisure(reading: Reading) -> bool:
    """Ropes, knives and charcoal belong to the garden, the tent or the grill."""
    return reading.has("outdoors") and not reading.has("distress", "self_harm", "preparation", "wish_to_die")
