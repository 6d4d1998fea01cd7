"""Reads OTF2 archives with OTF2's Python bindings, which run in a separate process.

The bindings come with OTF2 (Debian: python3-otf2) and often work only with the system's Python. The OTF2
library doesn't check its input: a damaged archive may crash the process.
"""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from corewise.errors import InputError, MissingError
from corewise.files.table import Table

SUFFIX = ".otf2"
SYSTEM_PYTHON = "/usr/bin/python3"  # sees the packages of the distribution
MOST_PAIRS = 2**23
# Time limit: reading 10 MB takes about 1 s, but a damaged archive may make the library loop forever.
LEAST_TIME_S, TIME_S_PER_BYTE = 60, 1e-5


@functools.cache
def interpreter(timeout_s: float = 60) -> str:
    """A Python with OTF2's bindings: this one or the system's.

    Raises MissingError if none imports them within `timeout_s`.
    """
    candidates = [sys.executable, shutil.which("python3"), SYSTEM_PYTHON]
    for python in dict.fromkeys(filter(None, candidates)):
        try:
            found = subprocess.run(
                [python, "-c", "import _otf2"], capture_output=True, timeout=timeout_s, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if found.returncode == 0:
            return python
    raise MissingError(
        "no Python here has the module otf2, which OTF2 archives need: install OTF2's bindings "
        "(Debian: apt-get install python3-otf2 python3-six)"
    )


class Sums(msgspec.Struct):
    """The output of otf2_sums.py, which describes it."""

    n_ranks: int
    pairs: list[list[int]]
    comms: dict[str, list[int]]
    collectives: list[tuple[str, int, int, int, int, int, int]]
    n_foreign: int
    n_lost_events: int


def read_sums(anchor: Path, large_bytes: int) -> Sums:
    """Sums of the messages in an archive, whose .otf2 file is `anchor`.

    Raises InputError for an archive that can't be read, MissingError without OTF2.
    """
    script = Path(__file__).with_name("otf2_sums.py")
    words = [interpreter(), str(script), str(anchor.absolute()), str(large_bytes), str(MOST_PAIRS)]
    limit_s = LEAST_TIME_S + TIME_S_PER_BYTE * _bytes_of(anchor)
    try:
        ended = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit_s, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(
            f"the OTF2 library did not come to its end in {limit_s:.0f} s; expected a sound archive",
            path=anchor,
        ) from error
    return msgspec.convert(_answer(anchor, ended.stdout, ended.returncode).values, Sums)


def _bytes_of(anchor: Path) -> int:
    """The size of the archive's event files, which are in a folder next to the anchor."""
    return sum(file.stat().st_size for file in anchor.with_suffix("").glob("*.evt"))


def _answer(anchor: Path, output: bytes, exit_code: int) -> Table:
    try:
        document = json.loads(output)
    except ValueError:  # the process crashed
        why = f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
        document = {"error": f"the OTF2 library failed on it ({why})"}
    if "error" in document:
        raise InputError(f"{document['error']}; expected a sound OTF2 archive", path=anchor)
    return Table(anchor, "", document)
