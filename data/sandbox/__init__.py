"""Where the drafts of the sandbox that come with the program lie."""

from pathlib import Path

FOLDER = Path(__file__).parent
