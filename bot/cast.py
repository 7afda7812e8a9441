"""Who speaks: which of the loaded characters answers in the terminal, and which has a token for Discord."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from bot.errors import StartError
from bot.settings import Configuration
from core.characters.pack import CharacterPack
from core.values import Character

MAIN_TOKEN = "YORISOI_DISCORD_TOKEN"  # noqa: S105 - the name of a variable


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenHolder:
    """A character that can go on Discord, and the variable its token came from."""

    pack: CharacterPack
    variable: str
    token: str = field(repr=False)

    @property
    def character(self) -> Character:
        """The character."""
        return self.pack.character


def choose(names: Collection[str], wanted: str | None, *, own: Collection[str]) -> str:
    """Return the character that is asked for, else the operator's only one (`own`), else the only one there is.

    Raises:
        StartError: There is no such character, or there are several and none was named.
    """
    known = ", ".join(sorted(names)) or "none"
    if wanted is not None:
        if wanted not in names:
            raise StartError(f"There is no character '{wanted}'. There are: {known}.")
        return wanted
    candidates = sorted(own) or sorted(names)
    if len(candidates) != 1:
        advice = "Name one with YORISOI_CHARACTER or --character." if candidates else "See `yorisoi doctor`."
        raise StartError(f"Which character? There are: {known}. {advice}")
    return candidates[0]


def token_holders(
    configuration: Configuration, packs: Mapping[str, CharacterPack], main: CharacterPack | None
) -> list[TokenHolder]:
    """Return every character with a token: the one its pack names, or YORISOI_DISCORD_TOKEN for `main`."""
    holders = [
        TokenHolder(pack=pack, variable=variable, token=token)
        for pack in packs.values()
        if (variable := pack.character.token_env) is not None and (token := configuration.secret(variable)) is not None
    ]
    secret = configuration.settings.discord_token
    if secret is None or main is None or any(holder.character.name == main.character.name for holder in holders):
        return holders
    return [TokenHolder(pack=main, variable=MAIN_TOKEN, token=secret.get_secret_value()), *holders]
