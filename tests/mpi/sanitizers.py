"""Jobs with a sanitized preload library: `pytest --sanitized asan|tsan tests/mpi`.

Only tests with the mark `sanitized` run. A test also fails if the sanitizer reports an error in the library.
The sanitizer's run-time library is preloaded before ours; MPI and the program are unchanged.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUPPRESSIONS = Path(__file__).with_name("sanitizers.supp")


@dataclass(frozen=True)
class Sanitizer:
    """`runtime` is the library that is preloaded.

    `options` has variables and values, except those for reports.
    """

    runtime: str
    options: dict[str, str]


SANITIZERS = {
    # MPI leaks memory in each job. So leaks don't change the exit code, and reports() leaves out MPI's leaks.
    # A suppression file doesn't suffice: frames of unloaded plug-ins have no names.
    "asan": Sanitizer(
        "libasan.so",
        {
            "ASAN_OPTIONS": "detect_leaks=1",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "LSAN_OPTIONS": "exitcode=0",
        },
    ),
    # UCX would patch TSan's mmap() to intercept calls, and the process would crash.
    "tsan": Sanitizer(
        "libtsan.so",
        {"TSAN_OPTIONS": f"exitcode=0 suppressions={SUPPRESSIONS}", "UCX_MEM_MMAP_HOOK_MODE": "none"},
    ),
}
# The standard ABI has no sanitized library. With Open MPI 5, spawned processes don't end under ASan.
LEFT_OUT = {"abi", "openmpi5"}
WITH_LOG = ["ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"]

chosen: str | None = None  # set by pytest's option
folder = Path()  # for the reports of the current test


def is_for(item: pytest.Item) -> bool:
    """Whether the test runs with the chosen sanitizer, with one of its MPIs."""
    marks = item.iter_markers("sanitized")
    parameters = getattr(item, "callspec", None)
    mpis = [] if parameters is None else parameters.params.values()
    return LEFT_OUT.isdisjoint(str(value) for value in mpis) and any(
        chosen in (mark.args or SANITIZERS) for mark in marks
    )


@cache
def _runtime(name: str) -> str:
    argv = ["gcc", f"-print-file-name={SANITIZERS[name].runtime}"]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def library(family: str) -> Path:
    return ROOT / "build" / str(chosen) / "preload" / f"libcorewise_pmpi_{family}.so"


def environment(preload: str) -> dict[str, str]:
    """Variables that a rank needs for reports. `preload` names our library."""
    given = {"LD_PRELOAD": preload}
    if chosen is not None:
        given["LD_PRELOAD"] = f"{_runtime(chosen)}:{preload}"
        for name, value in SANITIZERS[chosen].options.items():
            given[name] = f"{value} log_path={folder / 'report'}" if name in WITH_LOG else value
    return given


def _is_ours(leak: str) -> bool:
    """Whether our library called the allocator, or a libc function that did.

    Frames of unloaded plug-ins have no function.
    """
    callers = [line for line in leak.splitlines()[2:] if not re.search(r"/libc\.so| libio/|/sysdeps/", line)]
    return bool(callers) and re.search(r" in \w+ .*/preload/", callers[0]) is not None


def reports() -> list[str]:
    """The sanitizer's reports about the jobs of this test, without leaks of MPI and the program."""
    texts = [path.read_text(errors="replace") for path in sorted(folder.glob("report.*"))]
    found = [text for text in texts if "ERROR: LeakSanitizer" not in text]
    for text in set(texts) - set(found):
        found += [part for part in text.split("\n\n") if "Direct leak" in part and _is_ours(part)]
    return found
