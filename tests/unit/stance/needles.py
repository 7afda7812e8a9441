"""Makes `core/stance/signal/needles.json` anew: `python -m tests.unit.stance.needles --write`.

To be run after a change of the shipped lexicons, or of how patterns are read; a test tells when it is due.
"""

import argparse
import json
from importlib.resources import files
from pathlib import Path

from core.stance.gate.lexicon import Lexicon as GateLexicon
from core.stance.signal.lexicon import Lexicon
from core.stance.signal.needles import mark, needles
from core.values import Locale

FILE = Path(str(files("core.stance.signal"))) / "needles.json"


def content() -> str:
    """Return the file as it has to be: a line for each pattern."""
    patterns = {
        *(pattern.pattern for locale in Locale for _, pattern in Lexicon.load(locale, str.split).patterns),
        *(pattern.match.pattern for locale in Locale for _, pattern in GateLexicon.load(locale).patterns),
    }
    found = {mark(pattern): needles(pattern) for pattern in patterns}
    lines = (f"{json.dumps(key)}: {json.dumps(found[key], ensure_ascii=False)}" for key in sorted(found))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", required=True)
    parser.parse_args()
    FILE.write_text(content(), "utf-8")


if __name__ == "__main__":
    main()
