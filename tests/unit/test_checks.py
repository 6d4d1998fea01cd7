"""Checks: each trap is found where it applies, with the corrected command, and not where it doesn't."""

from __future__ import annotations

from dataclasses import replace

import pytest
from check_cases import asked, fixture, plain, situation
from corewise.checks import CHECKS, findings
from corewise.execute.host_cpus import Cpuset, HostCpus
from corewise.launchers.hosts import Host

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


# (check, the situation, what the sentence says, the corrected command)
TRAPS = [
    (
        "absent-pus",
        situation(plain(2), asked("hydra", "LAUNCHER -n 2 -bind-to user:0,5 ./app"), [{0}, {0, 1}]),
        "'-bind-to user:0,5' names hardware threads 5 (os_index), which are not there on n0 (0-1",
        "mpiexec -bind-to user:0,1 -n 2 ./app",
    ),
    (
        "absent-pus",
        situation(IN_CPUSET, asked("hydra", "LAUNCHER -n 2 -bind-to user:0,1 ./app")),
        "which are outside the cpuset on n0 (2-3 may be used)",
        "mpiexec -bind-to user:2,3 -n 2 ./app",
    ),
    (
        "absent-pus",
        situation(IN_CPUSET, asked("openmpi4", "LAUNCHER -n 1 taskset -c 0 ./app")),
        "'taskset -c 0' names hardware threads 0 (os_index), which are outside the cpuset",
        "mpirun --cpu-set 0 --bind-to core -n 1 ./app",  # Open MPI counts cores inside the cgroup
    ),
    (
        "absent-pus",
        situation(OFFLINE, asked("srun", "LAUNCHER -n2 --cpu-bind=map_cpu:0,6 ./app")),
        "names hardware threads 6 (os_index), which are offline",
        "srun --cpu-bind=map_cpu:0,2 -n2 ./app",
    ),
    (
        "cgroup-cpuset",
        situation(IN_CPUSET),
        "the cgroup leaves hardware threads 2-3 (os_index) of 0-7",
        "mpiexec -n 2 -bind-to user:2,3 APP",
    ),
    (
        "fixed-threads",
        situation(plain(), GOMP_CPU_AFFINITY="0-3"),
        "GOMP_CPU_AFFINITY=0-3 names hardware threads by number",
        "unset GOMP_CPU_AFFINITY; export OMP_PLACES=cores OMP_PROC_BIND=close",
    ),
    (
        "fixed-threads",
        situation(
            plain(), asked("openmpi4", "LAUNCHER -x OMP_PLACES={0},{1} -n 2 ./app"), OMP_PLACES="{0},{1}"
        ),
        "OMP_PLACES={0},{1} names hardware threads by number",
        "env -u OMP_PLACES mpirun -x OMP_PLACES=cores -x OMP_PROC_BIND=close -n 2 ./app",
    ),
    (
        "fixed-threads",
        situation(plain(), asked("srun", "LAUNCHER -n 2 ./app"), OMP_PLACES="{0},{1}"),
        "OMP_PLACES={0},{1} names hardware threads by number",
        "env -u OMP_PLACES OMP_PLACES=cores OMP_PROC_BIND=close srun -n 2 ./app",
    ),
    (
        "hybrid-cores",
        situation(HYBRID),
        "slowest first (os_index): IntelAtom: 16,18,20,22; IntelCore: 0-1,8-9",
        "mpiexec -n 2 -bind-to user:0,8 APP",
    ),
    (
        "hybrid-cores",
        situation(HYBRID, asked("openmpi4", "LAUNCHER -n 2 ./app"), [{0, 1}, {16}]),
        "rank 1 may run on slower cores of n0, which has 2 fast ones for 2 ranks",
        "mpirun --cpu-set 0-1 --bind-to core -n 2 ./app",
    ),
    (
        "inherited-affinity",
        situation(UNDER_TASKSET),
        "this process may use hardware threads 1 (os_index) of 0-3",
        "taskset -cp 0-3 $$",
    ),
    (
        "inherited-affinity",
        situation(
            plain(), asked("openmpi5", "taskset -c 1 LAUNCHER -n 1 ./app", mask_before=frozenset({1})), [{0}]
        ),
        "starts on hardware threads 1 (os_index), and rank 0 runs outside of them, on 0",
        "mpirun --map-by pe-list=1:ordered --bind-to core -n 1 ./app",
    ),
    (
        "inherited-affinity",
        situation(
            IN_CPUSET,
            asked("openmpi5", "taskset -c 3 LAUNCHER -n 1 ./app", mask_before=frozenset({3})),
            [{2}],
        ),
        "starts on hardware threads 3 (os_index), and rank 0 runs outside of them, on 2",
        "mpirun --map-by pe-list=1:ordered --bind-to core -n 1 ./app",
    ),
    (
        "launcher-refuses",
        situation(
            plain(),
            asked(
                "openmpi4",
                "LAUNCHER -n 2 --map-by ppr:9:core ./app",
                exit_code=1,
                printed="-----\nno slots\n",
            ),
        ),
        "ended with exit code 1 before it started a rank; it printed: no slots",
        "mpirun -n 2 ./app",
    ),
    (
        "launcher-refuses",
        situation(
            plain(),
            asked("hydra", "LAUNCHER -n 2 -bind-to core ./app", exit_code=124, printed="x", timed_out=True),
        ),
        "the launcher started no rank in 60 s; can its hosts be reached?",
        None,
    ),
    (
        "launcher-variables",
        situation(plain(), I_MPI_PIN_PROCESSOR_LIST="0,3"),
        "I_MPI_PIN_PROCESSOR_LIST=0,3 is set",
        "unset I_MPI_PIN_PROCESSOR_LIST",
    ),
    (
        "launcher-variables",
        situation(plain(), asked("srun", "LAUNCHER -n 2 ./app"), SLURM_CPU_BIND="quiet,mask_cpu:0x1"),
        "SLURM_CPU_BIND=quiet,mask_cpu:0x1 is set",
        "env -u SLURM_CPU_BIND srun -n 2 ./app",
    ),
    (
        "lists-per-host",
        situation(
            plain(),
            asked("hydra", "LAUNCHER -hosts n0:2,n1:2 -n 4 -bind-to user:0,1,2,3 ./app", ["n0", "n1"]),
            [{0}, {1}, {0}, {1}],
            [0, 0, 1, 1],
        ),
        "has 4 entries, and a host has at most 2 ranks",
        "mpiexec -bind-to core:1 -hosts n0:2,n1:2 -n 4 ./app",
    ),
    (
        "mpi-family",
        situation(
            plain(),
            asked("openmpi4", "LAUNCHER -n 2 ./app", program_family="mpich", own_launcher="mpirun.mpich"),
        ),
        "'./app' was built with mpich, and the launcher is openmpi4",
        "mpirun.mpich -n 2 ./app",
    ),
    (
        "nested-cpuset",
        situation(NESTED),
        "cpusets stand inside each other: /job 0-3, /job/step 1 (os_index)",
        "taskset -cp $$  # 1",
    ),
    (
        "offline-pus",
        situation(OFFLINE),
        "hardware threads 6-7,14-15 (os_index) are offline",
        "mpiexec -n 6 -bind-to user:0,2,4,8,10,12 APP",
    ),
    (
        "one-core-for-threads",
        situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app"), [{0}, {1}], OMP_NUM_THREADS="2"),
        "OMP_NUM_THREADS asks for 2 threads, and ranks 0-1 are bound to 1 of 4 cores of n0",
        "mpirun --map-by slot:PE=2 --bind-to core -n 2 ./app",
    ),
    (
        "one-core-for-threads",
        situation(SMT, asked("srun", "LAUNCHER -n1 ./app"), [{0, 8}], OMP_NUM_THREADS="4"),
        "rank 0 is bound to 1 of 8 cores",
        "srun --cpus-per-task=4 --cpu-bind=cores -n1 ./app",
    ),
    (
        "oversubscription",
        situation(plain(2), asked("openmpi4", "LAUNCHER -n 4 ./app"), [{0, 1}] * 4),
        "4 ranks on a host where 2 hardware threads may be used",
        "mpirun -n 2 ./app",
    ),
    (
        "oversubscription",
        situation(plain(), asked("hydra", "LAUNCHER -n 2 ./app"), [{0, 1, 2, 3}] * 2, OMP_NUM_THREADS="4"),
        "2 ranks, each with 4 threads (OMP_NUM_THREADS), on a host where 4 hardware threads may be used",
        "env -u OMP_NUM_THREADS mpiexec -bind-to core:2 -genv OMP_NUM_THREADS=2 -n 2 ./app",
    ),
    (
        "oversubscription",
        situation(plain(2), asked("openmpi4", "LAUNCHER -n 1 ./app"), [{0}], OMP_NUM_THREADS="4"),
        "1 rank, each with 4 threads (OMP_NUM_THREADS), on a host where 2 hardware threads may be used",
        "env -u OMP_NUM_THREADS mpirun --map-by slot:PE=2 --bind-to core -x OMP_NUM_THREADS=2 -n 1 ./app",
    ),
    (
        "oversubscription",
        situation(plain(2), asked("srun", "LAUNCHER -n 4 ./app"), [{0, 1}] * 4, OMP_NUM_THREADS="4"),
        "4 ranks, each with 4 threads",
        "env -u OMP_NUM_THREADS OMP_NUM_THREADS=2 srun -n 1 --cpus-per-task=2 --cpu-bind=cores ./app",
    ),
    (
        "process-manager",
        situation(
            plain(), asked("srun", "LAUNCHER -n 2 --mpi=none ./app", program_family="mpich", pmi="none")
        ),
        "without a process manager interface (--mpi=none)",
        "srun --mpi=pmi2 -n 2 ./app",
    ),
    (
        "repeated-hosts",
        situation(
            plain(),
            asked(
                "hydra",
                "LAUNCHER -f hosts -n 3 -bind-to user:0 ./app",
                ["n0", "n1"],
                host_lines=(Host("n0", 1), Host("n1", 1), Host("n0", 1)),
            ),
        ),
        "host n0 comes 2 times in the list of hosts, with 'user:0' as binding",
        "mpiexec -hosts n0:2,n1:1 -n 3 -bind-to user:0 ./app",
    ),
    (
        "shared-cores",
        situation(plain(), asked("openmpi4", "LAUNCHER -n 2 taskset -c 0 ./app"), [{0}, {0}]),
        "ranks 0-1 are all on core 0 (logical) of n0, where 3 cores idle: 'taskset -c 0' binds every",
        "mpirun --map-by slot:PE=1 --bind-to core -n 2 ./app",
    ),
    (
        "shared-cores",
        situation(plain(), asked("hydra", "LAUNCHER -n 2 -bind-to user:0,0 ./app"), [{0}, {0}]),
        "so '-bind-to user:0,0' binds them",
        "mpiexec -bind-to core:1 -n 2 ./app",
    ),
    (
        "smt-numbering",
        situation(SMT),
        "8 of 8 cores have several hardware threads: 0,8 (os_index) are one core",
        "mpiexec -n 8 -bind-to user:0,1,2,3,4,5,6,7 APP",
    ),
    (
        "smt-numbering",
        situation(SMT, asked("hydra", "LAUNCHER -n 2 -bind-to user:0,8 ./app"), [{0}, {8}]),
        "ranks 0-1 are all on core 0 (logical) of n0, where 7 cores idle: they have different",
        "mpiexec -bind-to core:1 -n 2 ./app",
    ),
    (
        "srun-and-mpirun",
        situation(plain(), asked("srun", "LAUNCHER -n 4 mpirun -np 4 ./app")),
        "srun starts 'mpirun', which is a launcher too",
        "srun -n 4 ./app",
    ),
    (
        "srun-and-mpirun",
        situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app"), SLURM_STEP_ID="0"),
        "this runs inside a step of srun (SLURM_STEP_ID=0)",
        "srun --overlap -n 2 ./app",
    ),
    (
        "stale-rankfile",
        situation(plain(2), rankfile("rank 0=n0 slot=0\nrank 1=n0 slot=5\n")),
        "ranks.txt line 2: core 5 (logical) is not on n0, where 2 cores may be used",
        "mpirun --map-by slot:PE=1 --bind-to core -n 2 ./app",
    ),
    (
        "stale-rankfile",
        situation(plain(), rankfile("rank 0=gone slot=0\n")),
        "host gone is none of the",
        None,
    ),
    ("stale-rankfile", situation(plain(), rankfile("rank 0=n0 slot=0\n")), "no line for ranks 1 of 2", None),
    ("stale-rankfile", situation(plain(), rankfile("rank 0=n0 slot=0\n" * 2)), "names rank 0 twice", None),
    ("stale-rankfile", situation(plain(), rankfile("0 n0 0\n")), "line 1: found '0 n0 0'; expected", None),
]


@pytest.mark.parametrize(("name", "where", "sentence", "command"), TRAPS, ids=[row[0] for row in TRAPS])
def test_a_trap_is_found_with_the_corrected_command(name, where, sentence, command):
    [finding] = CHECKS[name].look(where)
    assert sentence in finding.found
    assert command is None or finding.command == command
    assert finding.why and finding.do


def test_a_launcher_s_long_text_keeps_its_beginning_and_its_end():
    printed = " ".join(f"word{i}" for i in range(200))
    where = situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app", exit_code=1, printed=printed))
    [finding] = CHECKS["launcher-refuses"].look(where)
    assert "printed: word0 word1 " in finding.found
    assert " word39 ... word160 " in finding.found
    assert finding.found.endswith(" word199")


def test_ranks_of_several_programs_are_not_counted_anew():
    where = situation(plain(2), asked("hydra", "LAUNCHER -n 3 ./one : -n 2 ./two"), [{0, 1}] * 5)
    [finding] = CHECKS["oversubscription"].look(where)
    assert finding.found.startswith("5 ranks on a host where 2 hardware threads")
    assert finding.command is None


@pytest.mark.parametrize(
    ("n_ranks", "n_threads", "who"), [(1, "4", "threads"), (4, "1", "a rank that waits")]
)
def test_oversubscription_says_who_takes_turns(n_ranks, n_threads, who):
    command = asked("openmpi4", f"LAUNCHER -n {n_ranks} ./app")
    where = situation(plain(2), command, [{0, 1}] * n_ranks, OMP_NUM_THREADS=n_threads)
    [finding] = CHECKS["oversubscription"].look(where)
    assert who in finding.why


def test_every_check_has_a_trap_here():
    assert sorted({row[0] for row in TRAPS}) == list(CHECKS)


HALF = [{0, 1}, {0, 1}, {2, 3}, {2, 3}]

# Commands and machines with which nothing is wrong.
CLEAN = {
    "no command": situation(plain()),
    "a core each": situation(plain(), asked("openmpi4", "LAUNCHER -n 4 ./app"), [{0}, {1}, {2}, {3}]),
    "unbound": situation(plain(), asked("hydra", "LAUNCHER -n 2 ./app"), [{0, 1, 2, 3}] * 2),
    "a half each": situation(plain(), asked("openmpi5", "LAUNCHER -n 4 --bind-to l3cache ./app"), HALF),
    "whole SMT cores": situation(SMT, asked("openmpi4", "LAUNCHER -n 2 ./app"), [{0, 8}, {1, 9}]),
    "threads fill the host": situation(
        SMT, asked("openmpi4", "LAUNCHER -n 8 ./app"), [{c, c + 8} for c in range(8)], OMP_NUM_THREADS="2"
    ),
    "both kinds needed": situation(
        HYBRID, asked("hydra", "LAUNCHER -n 6 ./app"), [{0, 1}, {8, 9}, {16}, {18}, {20}, {22}]
    ),
    "oversubscribed on purpose": situation(
        plain(2), asked("openmpi4", "LAUNCHER --oversubscribe -n 4 ./app"), [{0, 1}] * 4
    ),
    "one rank's own places": situation(
        plain(), asked("hydra", "LAUNCHER -n 1 ./app"), [{0, 1, 2, 3}], OMP_PLACES="{0},{1}"
    ),
    "abstract places": situation(plain(), asked("hydra", "LAUNCHER -n 2 ./app"), OMP_PLACES="cores"),
    "another launcher's variable": situation(
        plain(), asked("hydra", "LAUNCHER -n 2 ./app"), SLURM_CPU_BIND="mask_cpu:0x1"
    ),
    "a rankfile that fits": situation(plain(), rankfile("rank 0=n0 slot=0\nrank 1=+n0 slot=0:1 # two\n")),
    "a repeated host unbound": situation(
        plain(), asked("hydra", "LAUNCHER -n 2 ./app", host_lines=(Host("n0"), Host("n1"), Host("n0")))
    ),
    "lines of one host": situation(
        plain(),
        asked("hydra", "LAUNCHER -n 2 -bind-to core ./app", host_lines=(Host("n0", 1), Host("n0", 1))),
    ),
    "a list that repeats itself": situation(
        plain(),
        asked("hydra", "LAUNCHER -hosts n0:2,n1:2 -n 4 -bind-to user:0,1,0,1 ./app", ["n0", "n1"]),
        [{0}, {1}, {0}, {1}],
        [0, 0, 1, 1],
    ),
    "salloc's own step": situation(plain(), SLURM_STEP_ID="4294967290"),
    "inside a mask that the ranks keep": situation(
        UNDER_TASKSET, asked("hydra", "LAUNCHER -n 1 ./app"), [{1}]
    ),
    "in a cpuset, by its numbers": situation(
        IN_CPUSET, asked("hydra", "LAUNCHER -n 2 -bind-to user:2,3 ./app"), [{2}, {3}]
    ),
    "one cgroup around": situation(replace(NESTED, cpusets=NESTED.cpusets[:2])),
}


@pytest.mark.parametrize("case", CLEAN)
def test_there_is_no_false_alarm(case):
    assert [(check.name, finding.found) for check, finding in findings(CLEAN[case])] == []


def test_a_host_counts_its_cores_whatever_they_are_called():
    assert HYBRID.first_threads(HYBRID.allowed) == [0, 8, 16, 18, 20, 22]
    assert HYBRID.cores_of(frozenset({9, 18})) == [1, 3]
    assert isinstance(OFFLINE, HostCpus) and len(OFFLINE.online) == 12
