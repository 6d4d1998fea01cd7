"""Hosts, programs and texts that the tests of checks share."""

from __future__ import annotations

from dataclasses import replace

from check_cases import asked, fixture, plain
from corewise.launchers.parameters import VARIABLE
from corewise.observe.host_cpus import Cpuset
from corewise.start.program_file import ProgramFile
from corewise.start.surroundings import SetParameter

MPICH, OPENMPI = ProgramFile("mpich"), ProgramFile("openmpi")
SMT = fixture("topologies/smt-interleaved.xml")  # core c has the hardware threads c and c + 8
HYBRID = fixture("topologies/core-kinds.xml")  # fast: {0,1}, {8,9}; slow: 16, 18, 20, 22
OFFLINE = fixture("affinity/offline.xml")  # 6, 7, 14 and 15 of 16 are offline
IN_CPUSET = replace(plain(8), allowed=frozenset({2, 3}), affinity=frozenset({2, 3}))
UNDER_TASKSET = replace(plain(), affinity=frozenset({1}))
NESTED = replace(
    plain(8),
    cpusets=tuple(
        Cpuset(path, frozenset(pus))
        for path, pus in (("/", range(8)), ("/job", range(4)), ("/job/step", [1]))
    ),
)


def rankfile(text: str):
    return asked("openmpi4", "LAUNCHER -n 2 -rf ranks.txt ./app", rankfile=("ranks.txt", text))


def set_by(name: str, value: str, project: str = "prte") -> SetParameter:
    return SetParameter(name, value, project, f"{VARIABLE[project]}{name}")


NO_SLOTS = {"exit_code": 1, "printed": "There are not enough slots available in the system to satisfy the 3"}
TOO_MANY = "Unable to create step for job 1: More processors requested than permitted"
OUTSIDE_STEP = "srun: error: CPU binding outside of job step allocation, allocated CPUs are: 0x3."
