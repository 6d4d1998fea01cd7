"""Finds SimGrid's smpirun, chooses its options, and runs a simulation with limits of time and memory."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from corewise.errors import option
from corewise.simulation.engine import SimulationFailed
from corewise.simulation.memory import memory_bytes
from corewise.simulation.smpi_platform import HOST_FLOPS, loopback
from corewise.start.process import TIMED_OUT, run_command
from corewise.start.programs import find_smpirun
from corewise.start.streams import Streams
from corewise.text.exit_codes import exit_text

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.simulation.engine import MpiLibrary

# Options that SimGrid 3.34 renamed; release 3.33 doesn't exist (src/simgrid/sg_config.cpp).
_RENAMED = {"surf/precision": "precision/timing"}
_RENAMED_SINCE = (3, 33)

# SimGrid's names for the libraries' rules that select collective algorithms.
_SELECTORS: dict[MpiLibrary, str] = {"mpich": "mpich", "openmpi": "ompi"}

# SMPI's default, if no level of the machine has an eager threshold.
DEFAULT_EAGER_BYTES = 65536
_STACK_BYTES = 8 << 20  # reserved address space for each simulated rank (contexts/stack-size)

_LIMITED = 'ulimit -v "$1" && shift && exec "$@"'
_TIME = re.compile(r"Simulated time: (\S+) seconds")
_BENCHED = re.compile(r"(\S+) seconds were actual computation of the application")
# Failures in which SimGrid still prints a time and exits with 0. Causes come before their consequences: 4.1
# reports a deadlock after an MPI_Abort.
_FAILURES = {
    "MPI_Abort was called": "the program called MPI_Abort",
    "Deadlock detected": "deadlock: ranks wait for messages that nobody sends",
    "Stalling SMPI instance": "a rank ended without MPI_Finalize",
}


@dataclass(frozen=True)
class SimGrid:
    """An smpirun and its version, such as (3, 32)."""

    smpirun: str
    version: tuple[int, ...]

    @classmethod
    def find(cls) -> SimGrid:
        """The smpirun on this machine; raises as find_smpirun() does."""
        return cls(*find_smpirun())

    @property
    def name(self) -> str:
        return f"SimGrid {'.'.join(map(str, self.version))}"

    def option(self, key: str, value: object) -> str:
        """`--cfg=key:value`, with this version's name for a key of 3.32."""
        name = _RENAMED.get(key, key) if self.version >= _RENAMED_SINCE else key
        return f"--cfg={name}:{value}"

    def options(self, machine: Machine, compute_factor: float, rules: MpiLibrary = "openmpi") -> list[str]:
        """Options so that SMPI follows the platform, and computing takes `compute_factor` times as long.

        * SMPI's own factors for bandwidth and latency are off, because they are for TCP and would apply
          within nodes too.
        * A probe for a message takes 0.1 us instead of 100.
        * Broadcasts are binomial trees, because SMPI's version of Open MPI's k-nomial tree
          (mvapich2_knomial_intra_node) corrupts the memory of replays in 3.32.
        * The precision of bandwidth shares is SimGrid's default. With 1e-9 bytes/s, which doubles can't
          represent at 1e9 bytes/s, long replays crashed.
        """
        latency_s, bandwidth = loopback(machine)
        eager = eager_bytes(machine)
        settings: dict[str, object] = {
            "smpi/bw-factor": "0:1",
            "smpi/lat-factor": "0:1",
            "network/crosstraffic": 0,
            "network/TCP-gamma": "1e15",
            "network/loopback-lat": f"{latency_s:.9g}",
            "network/loopback-bw": f"{bandwidth:.9g}",
            "surf/precision": "1e-9",
            "smpi/async-small-thresh": eager,
            "smpi/send-is-detached-thresh": eager,
            "smpi/coll-selector": _SELECTORS[rules],
            "smpi/bcast": "binomial_tree",
            "smpi/wtime": "1e-7",
            "smpi/iprobe": "1e-7",
            "smpi/test": "1e-7",
            "smpi/simulate-computation": "yes" if compute_factor else "no",
            "smpi/host-speed": f"{(compute_factor or 1) * HOST_FLOPS:.9g}f",
            "smpi/display-timing": "yes",
        }
        return [self.option(key, value) for key, value in settings.items()]


def eager_bytes(machine: Machine) -> int:
    """The longest message without a handshake; SMPI has only one threshold, so that of the top level."""
    known = [level.link.eager_bytes for level in machine.levels if level.link.eager_bytes is not None]
    return min(known[-1], 2**31 - 1) if known else DEFAULT_EAGER_BYTES


@dataclass(frozen=True)
class SmpiTimes:
    """SimGrid's times of a simulation that reached its end, s.

    `benched_s` is the measured computing time of all ranks together; 0 in a replay.
    """

    time_s: float
    benched_s: float


def run_smpirun(
    argv: list[str], place: Path, output: IO[Any] | None, timeout_s: float, n_ranks: int
) -> SmpiTimes:
    """Runs an smpirun command to its end, with its files in the folder `place`.

    Raises SimulationFailed after `timeout_s`, if it fails, or if it prints no time.
    """
    log = place / "simgrid.log"
    limit_kib = memory_bytes(n_ranks * _STACK_BYTES) // 1024
    with_log = [argv[0], f"--log=root.app:file:{log}", *argv[1:]]
    limited = ["sh", "-c", _LIMITED, "sh", str(limit_kib), *with_log]
    streams = Streams(stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    code, _ = run_command(limited, streams, timeout_s, _environment(place))
    said = log.read_text(errors="replace") if log.exists() else ""
    time_s, benched_s = _TIME.search(said), _BENCHED.search(said)
    if code == TIMED_OUT:
        limit = option("timeout", keyword="timeout_s")
        raise SimulationFailed(f"the simulation was ended after {timeout_s:g} s ({limit}); it has no time")
    failures = [why for sign, why in _FAILURES.items() if sign in said]
    if code != 0 or failures or not time_s:
        raise SimulationFailed(f"the simulation failed ({_reason(code, said, failures)}); it has no time")
    return SmpiTimes(float(time_s[1]), float(benched_s[1]) if benched_s else 0.0)


def _reason(code: int, said: str, failures: list[str]) -> str:
    """Why the simulation failed, by SimGrid's messages if there are any."""
    words = [line.rpartition("/CRITICAL] ")[2].strip() for line in said.splitlines() if "/CRITICAL]" in line]
    return next(iter([*failures, *words]), exit_text(code))


def _environment(place: Path) -> dict[str, str]:
    """Our environment with TMPDIR in `place`, because SMPI copies the program for each rank."""
    return os.environ | {"TMPDIR": str(place)}
