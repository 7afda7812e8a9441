"""How many threads are worth running.

Arithmetic gains nothing from a core's second thread, and loses much by waiting for cores that a container may not use.
"""

import os
from pathlib import Path

_CPUS = Path("/sys/devices/system/cpu")
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(cpus: Path = _CPUS, quota: Path = _QUOTA) -> int:
    """Return the number of physical cores this process may use, at least 1.

    Where the system does not tell (not Linux), half of the logical cores from 4 on.
    """
    logical = _allowed()
    siblings = {text for cpu in logical if (text := _read(cpus / f"cpu{cpu}" / "topology" / "core_cpus_list"))}
    cores = len(siblings) or (len(logical) if len(logical) < 4 else len(logical) // 2)
    return max(1, min(cores, _quota_in_cores(quota, cores)))


def _allowed() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return set(os.sched_getaffinity(0))
    return set(range(os.cpu_count() or 1))


def _quota_in_cores(path: Path, otherwise: int) -> int:
    share, _, period = _read(path).partition(" ")
    if not share.isdigit() or not period.isdigit() or int(period) == 0:
        return otherwise
    return -(-int(share) // int(period))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
