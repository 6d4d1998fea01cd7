"""Reads OpenMP's environment variables: the number of threads, and how they are bound."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Values that contain hardware threads by number. Sources: GCC's libgomp, the OpenMP standard (version 5.2,
# section 21.1.6), LLVM and Intel.
_NAMES_PUS = {
    "GOMP_CPU_AFFINITY": r"\d",
    "KMP_AFFINITY": r"(?i)proclist|explicit",
    "OMP_PLACES": r"^\s*!?[{\d]",
}


def fixed_thread_bindings(environment: Mapping[str, str]) -> list[str]:
    """The variables that bind threads to hardware threads by number, even outside a rank's mask.

    Abstract places (OMP_PLACES=cores, KMP_AFFINITY=compact) stay inside the mask and don't count.
    """
    return [name for name, names_pus in _NAMES_PUS.items() if re.search(names_pus, environment.get(name, ""))]


def n_threads_asked(environment: Mapping[str, str]) -> int | None:
    """The number of threads in OMP_NUM_THREADS for outermost parallel regions; None if unset."""
    number = re.match(r"\s*0*([1-9]\d{0,8})\s*(,|$)", environment.get("OMP_NUM_THREADS", ""))
    return int(number[1]) if number else None


def binds_threads(environment: Mapping[str, str]) -> str | None:
    """How threads are bound inside a rank's mask, as a value of OMP_PROC_BIND; None if they aren't.

    None for fixed_thread_bindings(). KMP_AFFINITY (Intel, LLVM) is translated.
    """
    if fixed_thread_bindings(environment):
        return None
    policy = environment.get("OMP_PROC_BIND", "").split(",")[0].strip().lower()
    if policy in ("true", "close", "spread", "master", "primary"):
        return "close" if policy == "true" else policy
    kind = re.search(r"(?i)\b(compact|scatter|balanced)\b", environment.get("KMP_AFFINITY", ""))
    if policy == "false" or kind is None:
        return None
    return "close" if kind[1].lower() == "compact" else "spread"
