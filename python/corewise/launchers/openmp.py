"""What OpenMP's environment variables ask for: how many threads, and hardware threads by number."""

from __future__ import annotations

import re
from collections.abc import Mapping

# GCC's libgomp, the OpenMP standard (version 5.2, section 21.1.6), LLVM and Intel.
_NAMES_PUS = {
    "GOMP_CPU_AFFINITY": r"\d",
    "KMP_AFFINITY": r"(?i)proclist|explicit",
    "OMP_PLACES": r"^\s*!?[{\d]",
}


def fixed_thread_bindings(environment: Mapping[str, str]) -> list[str]:
    """Names of the variables that give threads hardware threads by number, whatever a rank's mask is.

    Abstract places (OMP_PLACES=cores, KMP_AFFINITY=compact) stay inside the mask and are not among them.
    """
    return [name for name, names_pus in _NAMES_PUS.items() if re.search(names_pus, environment.get(name, ""))]


def n_threads_asked(environment: Mapping[str, str]) -> int | None:
    """Threads of the outermost parallel regions that OMP_NUM_THREADS asks for; None if it says nothing."""
    number = re.match(r"\s*0*([1-9]\d{0,8})\s*(,|$)", environment.get("OMP_NUM_THREADS", ""))
    return int(number[1]) if number else None


def binds_threads(environment: Mapping[str, str]) -> str | None:
    """How threads are bound to places inside a rank's mask, as OMP_PROC_BIND calls it; None if they aren't.

    Places by number are fixed_thread_bindings(). Intel's and LLVM's KMP_AFFINITY says it in other words.
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
