"""The embedded model's own process: runs llama.cpp's server until its stdin is closed.

Run as a script by `core.language_model.sidecar`, never imported. It reads one line of JSON from stdin
(`model`, `key`, `context`, `threads`), writes one line of JSON to stdout (`url`, or `error`), and ends when stdin
does: so it can't outlive the bot, even one that was killed. Nothing of ours is imported, nothing is logged but errors
of loading. The key comes over stdin, because arguments and environment can be read by others.
"""

import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xllamacpp

_PROMPT_CACHE_MIB = 512  # a handful of conversations; the default of 8 GiB is too much for a small machine
_BATCH = 256  # a request that was given up is noticed after each batch of prompt tokens


def serve() -> None:
    """Serve until stdin is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the bot's business, which then stops this process
    answers = _take_stdout()
    order = json.loads(sys.stdin.readline())
    try:
        server = _start(order)
    except Exception as error:  # noqa: BLE001 - whatever it is, the bot has to be told
        _tell(answers, {"error": f"{type(error).__name__}: {error}"})
        return
    _tell(answers, {"url": f"{server.listening_address}/v1"})
    sys.stdin.read()
    os._exit(0)  # the server's own way down waits for requests that nobody listens to any more


def _start(order: dict[str, Any]) -> "xllamacpp.Server":
    import xllamacpp  # noqa: PLC0415

    params = xllamacpp.CommonParams()
    params.model.path = order["model"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [order["key"]]
    params.n_ctx = order["context"]
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = _BATCH
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = order["threads"]
    params.cache_prompt = True
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.endpoint_slots = False
    params.ui = False
    params.offline = True
    params.verbosity = 1
    _set_sampling(params.sampling)
    return xllamacpp.Server(params)


def _set_sampling(sampling: "xllamacpp.CommonParamsSampling") -> None:
    """Set what requests leave open. Small models fall into loops without a penalty for repeating themselves."""
    sampling.penalty_repeat = 1.12
    sampling.penalty_last_n = 256
    sampling.top_k = 40
    sampling.top_p = 0.9
    sampling.min_p = 0.05


def _take_stdout() -> int:
    """Return a private copy of stdout, and send whatever else writes to it to stderr."""
    copy = os.dup(1)
    os.dup2(2, 1)
    return copy


def _tell(answers: int, line: dict[str, str]) -> None:
    os.write(answers, json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    serve()
