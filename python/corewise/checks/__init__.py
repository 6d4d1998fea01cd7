"""The register of checks: one row for each trap, sorted by name; and the findings of a situation."""

from __future__ import annotations

from corewise.checks import cores, lists, masks, sharing, slots, starting, threads, variables
from corewise.checks.situation import Check, Finding, Situation

_ROWS = (
    Check(
        "absent-pus",
        "a list names hardware threads outside the cpuset, offline ones or none at all",
        "tried: Hydra 4.0.2 with user:0,5 on two cores bound rank 1 to 0-1; ompi#9647",
        of_command=lists.absent_pus,
        explains=frozenset({"cores-not-given", "launcher-refuses"}),
    ),
    Check(
        "cgroup-cpuset",
        "a container or batch system leaves some of the host's hardware threads alone",
        "ompi#7157, ompi#9647; tried: in cpuset {1} sched_setaffinity({0,1}) succeeds and yields {1}",
        of_host=masks.cgroup_cpuset,
    ),
    Check(
        "cores-not-given",
        "a rank has fewer cores than an option asks for (PE=2, -c 2), or others than a list names",
        "ompi#7717, ompi#6966; tried on Open MPI 4.1.4; srun(1), -c, since Slurm 22.05",
        of_command=cores.cores_not_given,
        explains=frozenset({"shared-cores", "smt-numbering"}),
    ),
    Check(
        "fixed-threads",
        "OMP_PLACES, GOMP_CPU_AFFINITY or KMP_AFFINITY names hardware threads by number",
        "ompi#7806; OpenMP 5.2, section 21.1.6; GCC's libgomp manual",
        of_command=threads.fixed_threads,
        of_host=threads.fixed_threads,
    ),
    Check(
        "hybrid-cores",
        "ranks are on performance and on efficiency cores, though the fast ones would do",
        "ompi#11345, likwid#114",
        of_command=masks.ranks_on_hybrid_cores,
        of_host=masks.hybrid_host,
    ),
    Check(
        "ignored-parameters",
        "an MCA parameter that maps or binds, in a name or a place that this Open MPI doesn't read",
        "ompi#9527; docs.open-mpi.org, 'MCA Parameter Changes Between Open MPI 4.x and 5.0.x'",
        of_command=variables.ignored_parameters,
    ),
    Check(
        "inherited-affinity",
        "the launcher is started inside a mask (taskset) that its ranks leave",
        "tried: Open MPI 4.1.4 and 5.0.11 and Hydra 4.0.2 under taskset; hwloc#511",
        of_command=masks.ranks_outside_the_mask,
        of_host=masks.narrowed_process,
    ),
    Check(
        "launcher-refuses",
        "the launcher can't start the command, whatever the program is",
        "its own words",
        of_command=starting.launcher_refuses,
    ),
    Check(
        "launcher-variables",
        "a launcher's variable binds by number (I_MPI_PIN_..., SLURM_CPU_BIND), or misleads hwloc",
        "each launcher's documentation of the variable",
        of_command=variables.launcher_variables,
        of_host=variables.launcher_variables,
    ),
    Check(
        "lists-per-host",
        "a list of cores for all ranks, which each host reads from its beginning",
        "tried: Slurm's map_cpu and Hydra's user: are per local rank, equal on every node",
        of_command=lists.lists_per_host,
    ),
    Check(
        "mpi-family",
        "the launcher is of another MPI than the program",
        "tried: Open MPI 4.1.4's mpirun and an MPICH program, and the other way round",
        of_command=starting.mpi_family,
    ),
    Check(
        "one-core-for-threads",
        "all threads of a rank are bound to its one core",
        "ompi#12967, ompi#7806, ompi#13009",
        of_command=threads.one_core_for_threads,
    ),
    Check(
        "oversubscription",
        "more ranks and threads on a host than it has hardware threads for",
        "measured here: LAMMPS with 4 ranks on 2 cores took 41.7 s, and 6.3 s where waiting ranks yield",
        of_command=threads.oversubscription,
    ),
    Check(
        "process-manager",
        "srun without the process manager interface that the program's MPI speaks",
        "srun(1), --mpi; tried on Slurm 22.05.8 with MPICH 4.0.2 and Open MPI 4.1.4 and 5.0.11",
        of_command=starting.process_manager,
    ),
    Check(
        "same-places",
        "OMP_PROC_BIND piles the threads of ranks up that share a mask",
        "kokkos#6180, ompi#7870; tried: GCC's libgomp 12 under Hydra 4.0.2; OpenMP 5.2, section 10.1.3",
        of_command=sharing.same_places,
    ),
    Check(
        "shared-cores",
        "ranks share a core while others idle: a wrapper (taskset, numactl) or a list binds them alike",
        "tried: taskset under Open MPI 4.1.4; Hydra 4.0.2 and Slurm 22.05.8 count a list's entries on each "
        "host again",
        of_command=sharing.shared_cores,
    ),
    Check(
        "smt-numbering",
        "numbers that look like cores are hardware threads of one core",
        "hwloc#610, ompi#13143",
        of_command=sharing.ranks_on_one_core,
        of_host=sharing.smt_host,
    ),
    Check(
        "srun-and-mpirun",
        "mpirun inside a step of srun, or srun of mpirun",
        "srun(1), 'MPI Support'; ompi#7806",
        of_command=starting.srun_and_mpirun,
        of_host=starting.inside_a_step,
    ),
    Check(
        "stale-rankfile",
        "a rankfile names cores, hosts or ranks that are not there",
        "mpirun(1), Rankfiles; ompi#13143: Open MPI 5 counts logical cores only",
        of_command=lists.stale_rankfile,
    ),
    Check(
        "too-few-slots",
        "more ranks than the host file, the host list or the allocation has slots for",
        "ompi#13292, ompi#6020, ompi#3133; mpirun(1), 'Definition of slot'; srun(1)",
        of_command=slots.too_few_slots,
        explains=frozenset({"launcher-refuses"}),
    ),
)
CHECKS: dict[str, Check] = {row.name: row for row in _ROWS}


def findings(situation: Situation) -> list[tuple[Check, Finding]]:
    """The findings of all checks in order, without findings that another one explains."""
    found = [(check, finding) for check in CHECKS.values() for finding in check.look(situation)]
    explained = frozenset(name for check, _ in found for name in check.explains)
    return [(check, finding) for check, finding in found if check.name not in explained]
