"""Checks: each trap is found if it applies, with the corrected command, and only then."""

from __future__ import annotations

import shlex
from dataclasses import replace

import check_traps_a_to_k
import check_traps_l_to_z
import pytest
from check_cases import asked, plain, situation
from check_hosts import HYBRID, IN_CPUSET, MPICH, NESTED, OFFLINE, SMT, UNDER_TASKSET, rankfile, set_by
from corewise.checks import CHECKS, findings
from corewise.launchers import Launcher
from corewise.launchers.hosts import Host
from corewise.observe.host_cpus import HostCpus
from corewise.start.program_file import ProgramFile

TRAPS = [*check_traps_a_to_k.TRAPS, *check_traps_l_to_z.TRAPS]


@pytest.mark.parametrize(("name", "where", "sentence", "command"), TRAPS, ids=[row[0] for row in TRAPS])
def test_a_trap_is_found_with_the_corrected_command(name, where, sentence, command):
    [finding] = CHECKS[name].look(where)
    assert sentence in finding.found
    assert command is None or finding.command == command
    assert finding.why and finding.do


OF_COMMANDS = [row[:2] for row in TRAPS if row[1].asked]
OWN_WORDS = ("-bind-to", "--bind-to", "--cpu-bind", "--cpus-per-task", "--map-by", "-rf", "-genv", "-x")


@pytest.mark.parametrize(("name", "where"), OF_COMMANDS, ids=[row[0] for row in OF_COMMANDS])
def test_nothing_is_proposed_in_words_that_the_launcher_does_not_have(name, where):
    application = where.asked.application
    known = application.launcher
    bare = Launcher(known.name, known.sentence, known.families, known.plan, options=known.options)
    asked = replace(where.asked, application=replace(application, launcher=bare))
    for finding in CHECKS[name].look(replace(where, asked=asked)):
        for proposal in filter(None, (finding.command, *finding.otherwise)):
            own = [word for word in shlex.split(proposal) if word.startswith(OWN_WORDS)]
            assert set(own) <= set(application.argv), proposal


def test_a_trap_that_follows_from_another_is_left_out():
    pile = situation(
        plain(), asked("openmpi4", "LAUNCHER -np 1 --cpu-set 1 ./one : -np 1 --cpu-set 0 ./two"), [{1}] * 2
    )
    assert CHECKS["shared-cores"].look(pile)
    assert [check.name for check, _ in findings(pile)] == ["cores-not-given"]


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

# commands and machines without a trap
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
    "as many cores as asked for": situation(
        plain(), asked("openmpi4", "LAUNCHER -n 2 --map-by slot:PE=2 ./app"), [{0, 1}, {2, 3}]
    ),
    "more cores than asked for": situation(
        plain(), asked("srun", "LAUNCHER -n 2 -c 2 --cpu-bind=none ./app"), [{0, 1, 2, 3}] * 2
    ),
    "a list that is kept": situation(
        plain(), asked("openmpi4", "LAUNCHER -n 2 --cpu-list 1,3 --bind-to core ./app"), [{3}, {1}]
    ),
    "a parameter that is read": situation(
        plain(),
        asked("openmpi5", "LAUNCHER -n 2 --prtemca hwloc_default_binding_policy none ./app"),
        [{0, 1}] * 2,
    ),
    "an old parameter next to the new one": situation(
        plain(),
        asked(
            "openmpi5",
            "LAUNCHER -n 2 ./app",
            parameters=(
                set_by("hwloc_base_binding_policy", "none", "openmpi"),
                set_by("hwloc_default_binding_policy", "none"),
            ),
        ),
        [{0, 1, 2, 3}] * 2,
    ),
    "an old parameter that says nothing of placing": situation(
        plain(),
        asked(
            "openmpi5",
            "LAUNCHER -n 2 ./app",
            parameters=(set_by("rmaps_base_oversubscribe", "1", "openmpi"),),
        ),
        [{0}, {1}],
    ),
    "the new Open MPI's variable around the old one": situation(
        plain(),
        asked(
            "openmpi4", "LAUNCHER -n 2 ./app", parameters=(set_by("hwloc_default_binding_policy", "core"),)
        ),
        [{0}, {1}],
    ),
    "bound threads in their own masks": situation(
        plain(),
        asked("hydra", "LAUNCHER -n 2 -bind-to core:2 ./app"),
        [{0, 1}, {2, 3}],
        OMP_PROC_BIND="close",
    ),
    "bound threads that fill the host": situation(
        plain(),
        asked("hydra", "LAUNCHER -n 1 ./app"),
        [{0, 1, 2, 3}],
        OMP_PROC_BIND="close",
        OMP_NUM_THREADS="4",
    ),
    "threads that are not bound": situation(
        plain(),
        asked("hydra", "LAUNCHER -n 2 ./app"),
        [{0, 1, 2, 3}] * 2,
        OMP_PROC_BIND="false",
        KMP_AFFINITY="compact",
    ),
    "places of several cores": situation(
        plain(),
        asked("hydra", "LAUNCHER -n 2 ./app"),
        [{0, 1, 2, 3}] * 2,
        OMP_PROC_BIND="close",
        OMP_PLACES="sockets",
    ),
    "threads with a core each": situation(
        plain(),
        asked("openmpi4", "LAUNCHER -n 2 ./app", files=[ProgramFile("openmpi", threads="TBB")]),
        [{0, 1}, {2, 3}],
    ),
    "an Open MPI with Slurm's PMI-2": situation(
        plain(),
        asked("srun", "LAUNCHER -n 2 ./app", files=[ProgramFile("openmpi", speaks_pmi2=True)], pmi="pmi2"),
        [{0}, {1}],
    ),
    "MPICH under PMIx": situation(
        plain(), asked("srun", "LAUNCHER -n 2 --mpi=pmix ./app", files=[MPICH], pmi="pmix_v4"), [{0}, {1}]
    ),
    "programs with their own threads": situation(
        plain(),
        asked("openmpi4", "LAUNCHER -n 1 ./one : -n 1 -x OMP_NUM_THREADS=3 ./two"),
        [{0}, {1, 2, 3}],
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


def test_threads_that_only_the_file_of_a_program_shows_may_be_idle():
    # OMP_NUM_THREADS counts threads that compute. A program that starts threads itself may use them to write
    # files.
    def do(words: str, **of_file) -> str:
        where = situation(plain(), asked("openmpi5", words, files=[ProgramFile("openmpi", **of_file)]), [{0}])
        [(check, finding)] = findings(where)
        assert check.name == "one-core-for-threads"
        return finding.do

    assert "counts them by their CPU time" in do("LAUNCHER -n 1 ./app", threads="pthread_create")
    assert do("LAUNCHER -n 1 -x OMP_NUM_THREADS=2 ./app") == "bind each rank to a core for each thread"
