"""Looks at every text of the shipped characters and writes down which are known to pass (`data/packs/passed.txt`).

python -m tests.evals.admission.passed      after a shipped text, a rule or a weight was changed
"""

from pathlib import Path
from unittest.mock import patch

from data.packs import passed
from data.packs.loader import SHIPPED, load_pack

FILE = Path(passed.__file__).with_name("passed.txt")


class Asked(set[str]):
    """Knows nothing, and keeps what it was asked for."""

    def __contains__(self, digest: object) -> bool:
        self.add(str(digest))
        return False


def looked_at() -> str:
    """Return what the file ought to hold.

    Raises:
        PackError: a text does not pass.
    """
    asked = Asked()
    with patch.object(passed, "known", return_value=asked):
        for folder in sorted(SHIPPED.iterdir()):
            if (folder / "character.toml").exists():
                load_pack(folder)
    return "\n".join((passed.rules_digest(), *sorted(asked), ""))


if __name__ == "__main__":
    FILE.write_text(looked_at(), "ascii")
