"""Cases for test_checks.py, checks from a to k: a situation, the expected sentence and command."""

from __future__ import annotations

from check_cases import asked, plain, situation
from check_hosts import (
    HYBRID,
    IN_CPUSET,
    OFFLINE,
    OUTSIDE_STEP,
    SMT,
    UNDER_TASKSET,
    set_by,
)
from corewise.start.surroundings import SetParameter

# check, situation, expected sentence, corrected command
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
        "mpirun --cpu-set 0 --bind-to core -n 1 ./app",  # Open MPI numbers the cores inside the cgroup
    ),
    (
        "absent-pus",
        situation(OFFLINE, asked("srun", "LAUNCHER -n2 --cpu-bind=map_cpu:0,6 ./app")),
        "names hardware threads 6 (os_index), which are offline",
        "srun --cpu-bind=map_cpu:0,2 -n2 ./app",
    ),
    (
        "absent-pus",
        situation(plain(2), asked("srun", "LAUNCHER -n 2 --cpu-bind=verbose,mask_cpu:0x1,0x80 ./app")),
        "names hardware threads 7 (os_index), which are not there",
        "srun --cpu-bind=mask_cpu:0x1,0x2 -n 2 ./app",
    ),
    (
        "absent-pus",
        situation(plain(2), asked("srun", "LAUNCHER -n 1 ./app"), SLURM_CPU_BIND="quiet,map_cpu:3*2"),
        "'SLURM_CPU_BIND=quiet,map_cpu:3*2' names hardware threads 3 (os_index)",
        "srun --cpu-bind=map_cpu:0 -n 1 ./app",
    ),
    (
        "absent-pus",
        situation(
            plain(),
            asked("srun", "LAUNCHER -n 1 --cpu-bind=map_cpu:3 ./app", exit_code=1, printed=OUTSIDE_STEP),
        ),
        "which are outside the job's step on n0 (0-1 may be used)",
        "srun --cpu-bind=map_cpu:0 -n 1 ./app",
    ),
    (
        "absent-pus",
        situation(plain(2), asked("openmpi5", "LAUNCHER -n 1 ./one : -n 1 taskset 0x8 ./two")),
        "'taskset 0x8' names hardware threads 3 (os_index), which are not there",
        "mpirun --map-by pe-list=0,1:ordered --bind-to core -n 1 ./one : -n 1 ./two",
    ),
    (
        "cgroup-cpuset",
        situation(IN_CPUSET),
        "the cgroup leaves hardware threads 2-3 (os_index) of 0-7",
        "mpiexec -n 2 -bind-to user:2,3 APP",
    ),
    (
        "cores-not-given",
        situation(plain(), asked("openmpi4", "LAUNCHER -n 1 --map-by ppr:1:core:PE=2 ./app"), [{0}]),
        "'--map-by ppr:1:core:PE=2' asks for 2 cores a rank, and rank 0 has 1 on n0",
        "mpirun --map-by slot:PE=2 --bind-to core -n 1 ./app",
    ),
    (
        "cores-not-given",
        situation(
            plain(),
            asked(
                "openmpi5",
                "LAUNCHER -n 1 ./app",
                parameters=(set_by("rmaps_default_mapping_policy", "slot:PE=2"),),
            ),
            [{0}],
        ),
        "'rmaps_default_mapping_policy = slot:PE=2' asks for 2 cores a rank, and rank 0 has 1",
        "mpirun --map-by slot:PE=2 --bind-to core -n 1 ./app",
    ),
    (
        "cores-not-given",
        situation(SMT, asked("hydra", "LAUNCHER -n 1 -bind-to core:2 ./app"), [{0, 8}]),
        "'-bind-to core:2' asks for 2 cores a rank, and rank 0 has 1",
        "mpiexec -bind-to core:2 -n 1 ./app",
    ),
    (
        "cores-not-given",
        situation(plain(), asked("srun", "LAUNCHER -n 2 ./app"), [{0}, {1}], SLURM_CPUS_PER_TASK="2"),
        "'SLURM_CPUS_PER_TASK=2' asks for 2 hardware threads a rank, and ranks 0-1 have 1",
        "srun --cpus-per-task=2 --cpu-bind=cores -n 2 ./app",
    ),
    (
        "cores-not-given",
        situation(
            plain(),
            asked("openmpi4", "LAUNCHER -n 2 --bind-to cpu-list:ordered --cpu-list 3,1 ./app"),
            [{1}, {3}],
        ),
        "'--cpu-list 3,1' names cores for rank 0 that it doesn't have: it runs on 1 (logical) of n0",
        "mpirun -rf corewise.rankfile -n 2 ./app",
    ),
    (
        "cores-not-given",
        situation(
            plain(),
            asked("openmpi4", "LAUNCHER -np 1 --cpu-set 1 ./one : -np 1 --cpu-set 0 ./two"),
            [{1}, {1}],
        ),
        "'--cpu-set 0' names cores for rank 1 that it doesn't have: it runs on 1",
        "mpirun -rf corewise.rankfile -np 1 ./one : -np 1 ./two",
    ),
    (
        "cores-not-given",
        situation(plain(), asked("srun", "LAUNCHER -n 2 --cpu-bind=map_cpu:1,2 ./app"), [{0, 1, 2, 3}] * 2),
        "'--cpu-bind=map_cpu:1,2' names hardware threads for rank 0 that it doesn't have: it runs on 0-3",
        None,
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
        "fixed-threads",
        situation(plain(), asked("openmpi4", "LAUNCHER -n 1 ./one : -x OMP_PLACES={0},{1} -n 2 ./two")),
        "OMP_PLACES={0},{1} names hardware threads by number",
        "env -u OMP_PLACES mpirun -x OMP_PLACES=cores -x OMP_PROC_BIND=close -n 1 ./one : "
        "-x OMP_PLACES=cores -x OMP_PROC_BIND=close -n 2 ./two",
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
        "ignored-parameters",
        situation(
            plain(),
            asked(
                "openmpi5",
                "LAUNCHER -n 2 ./app",
                parameters=(set_by("hwloc_base_binding_policy", "none", "openmpi"),),
            ),
        ),
        "OMPI_MCA_hwloc_base_binding_policy=none is not read by mpirun of Open MPI 5: it is the name",
        "mpirun --bind-to none -n 2 ./app",
    ),
    (
        "ignored-parameters",
        situation(plain(), asked("openmpi5", "LAUNCHER -n 2 --mca rmaps_base_mapping_policy core ./app")),
        "'--mca rmaps_base_mapping_policy core' is not read",
        "mpirun --map-by core -n 2 ./app",
    ),
    (
        "ignored-parameters",
        situation(
            plain(),
            asked(
                "openmpi5",
                "LAUNCHER -n 2 ./app",
                parameters=(
                    SetParameter("hwloc_default_binding_policy", "none", "openmpi", "home/mca-params.conf"),
                ),
            ),
        ),
        "'hwloc_default_binding_policy = none' in home/mca-params.conf is not read by mpirun of Open MPI 5: "
        "it must be PRTE_MCA_hwloc_default_binding_policy",
        "mpirun --bind-to none -n 2 ./app",
    ),
    (
        "ignored-parameters",
        situation(plain(), asked("openmpi4", "LAUNCHER -n 2 --mca hwloc_default_binding_policy none ./app")),
        "is not read by mpirun of Open MPI 4: it is the name that version 5 reads",
        "mpirun --bind-to none -n 2 ./app",
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
]
