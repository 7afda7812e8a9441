"""Where the talks and the scripted replies of `yorisoi eval` lie."""

from pathlib import Path

FOLDER = Path(__file__).parent
