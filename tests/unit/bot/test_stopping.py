"""An end that hangs."""

import subprocess
import sys

from core.sharding.shards import Shards
from core.sharding.tenure import ShardsLostError

_HANGS = """
import threading
from bot.stopping import end_anyway
from core.sharding.shards import Shards
from core.sharding.tenure import ShardsLostError

end_anyway(ShardsLostError(Shards(0, 3, 16)), within=0.01)
threading.Event().wait()
"""


def test_an_end_that_hangs_after_the_shards_were_lost_is_brought_about_with_its_text_and_code() -> None:
    done = subprocess.run([sys.executable, "-c", _HANGS], check=False, capture_output=True, text=True, timeout=60)

    assert done.returncode == ShardsLostError.exit_code == 75
    assert done.stderr == f"{ShardsLostError(Shards(0, 3, 16))}\n"
