"""Cases for test_checks.py, checks from l to z: a situation, the expected sentence and command."""

from __future__ import annotations

from check_cases import asked, plain, situation
from check_hosts import (
    MPICH,
    NESTED,
    NO_SLOTS,
    OFFLINE,
    OPENMPI,
    SMT,
    TOO_MANY,
    rankfile,
)
from corewise.launchers.hosts import Host
from corewise.start.program_file import ProgramFile

# check, situation, expected sentence, corrected command
TRAPS = [
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
        situation(plain(), asked("openmpi5", "LAUNCHER -n 1 --map-by ppr:1:core:PE=2 ./app", exit_code=213)),
        "it printed: nothing",
        "mpirun --map-by slot:PE=2 --bind-to core -n 1 ./app",
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
            asked("openmpi4", "LAUNCHER -n 2 ./app", files=[MPICH], own_launcher="mpirun.mpich"),
        ),
        "'./app' was built with mpich, and the launcher is openmpi4",
        "mpirun.mpich -n 2 ./app",
    ),
    (
        "mpi-family",
        situation(
            plain(),
            asked(
                "hydra",
                "LAUNCHER -n 2 ./one : -n 1 ./two x",
                files=[OPENMPI, OPENMPI],
                own_launcher="mpirun.openmpi",
            ),
        ),
        "'./one' was built with openmpi, and the launcher is hydra",
        "mpirun.openmpi -n 2 ./one : -n 1 ./two x",
    ),
    (
        "mpi-family",
        situation(plain(), asked("hydra", "LAUNCHER -n 2 ./one : -n 1 ./two", files=[MPICH, OPENMPI])),
        "'./two' was built with openmpi, and the launcher is hydra",
        None,
    ),
    (
        "nested-cpuset",
        situation(NESTED),
        "cpusets are nested: /job 0-3, /job/step 1 (os_index)",
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
        "one-core-for-threads",
        situation(
            plain(), asked("openmpi4", "LAUNCHER -n 1 ./one : -n 1 -x OMP_NUM_THREADS=2 ./two"), [{0}, {1}]
        ),
        "OMP_NUM_THREADS asks for 2 threads, and rank 1 is bound to 1 of 4 cores",
        "mpirun --map-by slot:PE=2 --bind-to core -n 1 ./one : -n 1 -x OMP_NUM_THREADS=2 ./two",
    ),
    (
        "one-core-for-threads",
        situation(
            plain(),
            asked("openmpi5", "LAUNCHER -n 2 ./app", files=[ProgramFile("openmpi", threads="TBB")]),
            [{0}, {1}],
        ),
        "'./app' starts threads (TBB), and ranks 0-1 are bound to 1 of 4 cores of n0",
        "mpirun --map-by slot:PE=2 --bind-to core -n 2 ./app",
    ),
    (
        "oversubscription",
        situation(
            plain(2), asked("openmpi4", "LAUNCHER -n 1 ./one : -n 1 -x OMP_NUM_THREADS=3 ./two"), [{0}, {1}]
        ),
        "2 ranks with 4 threads in all (OMP_NUM_THREADS) on a host where 2 hardware threads may be used",
        None,
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
        situation(plain(), asked("srun", "LAUNCHER -n 2 --mpi=none ./app", files=[MPICH], pmi="none")),
        "without a process manager interface (--mpi=none)",
        "srun --mpi=pmi2 -n 2 ./app",
    ),
    (
        "process-manager",
        situation(plain(), asked("srun", "LAUNCHER -n 2 ./app", files=[OPENMPI], pmi="pmi2")),
        "srun gives the program --mpi=pmi2, and './app' was built with openmpi",
        "srun --mpi=pmix -n 2 ./app",
    ),
    (
        "process-manager",
        situation(
            plain(),
            asked("srun", "LAUNCHER -n 1 --mpi=pmi2 ./one : -n 1 ./two", files=[MPICH, OPENMPI], pmi="pmi2"),
        ),
        "srun gives the program --mpi=pmi2, and './two' was built with openmpi",
        "srun --mpi=pmix -n 1 ./one : -n 1 ./two",
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
        "same-places",
        situation(plain(), asked("hydra", "LAUNCHER -n 2 ./app"), [{0, 1, 2, 3}] * 2, OMP_PROC_BIND="spread"),
        "OMP_PROC_BIND=spread binds the threads of ranks 0-1, which share a mask, to the same cores (0,",
        "mpiexec -bind-to core:1 -n 2 ./app",
    ),
    (
        "same-places",
        situation(
            SMT,
            asked("hydra", "LAUNCHER -n 2 -genv OMP_PROC_BIND close -genv OMP_NUM_THREADS 4 ./app"),
            [set(range(16))] * 2,
            OMP_PLACES="cores",
        ),
        "to the same cores (0-3, logical)",
        "mpiexec -bind-to core:4 -n 2 -genv OMP_PROC_BIND close -genv OMP_NUM_THREADS 4 ./app",
    ),
    (
        "same-places",
        situation(
            plain(),
            asked("openmpi4", "LAUNCHER -n 2 --bind-to none ./app"),
            [{0, 1, 2, 3}] * 2,
            KMP_AFFINITY="compact",
        ),
        "KMP_AFFINITY=compact binds the threads of ranks 0-1, which share a mask, to the same cores (0,",
        "mpirun --map-by slot:PE=1 --bind-to core -n 2 ./app",
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
    (
        "too-few-slots",
        situation(
            plain(),
            asked("openmpi5", "LAUNCHER --hostfile hf -n 3 --map-by core ./app", [Host("n0", 1)], **NO_SLOTS),
        ),
        "mpirun has 1 slot for 3 ranks: '--hostfile hf'",
        None,
    ),
    (
        "too-few-slots",
        situation(
            plain(),
            asked(
                "openmpi4",
                "LAUNCHER -H n0,n1 -n 3 ./app",
                ["n0", "n1"],
                host_lines=(Host("n0"), Host("n1")),
                **NO_SLOTS,
            ),
        ),
        "mpirun has 2 slots for 3 ranks: '-H n0,n1'",
        "mpirun -H n0:2,n1:1 -n 3 ./app",
    ),
    (
        "too-few-slots",
        situation(
            plain(),
            asked("openmpi4", "LAUNCHER -n 2 ./app", [Host("n0", 1)], hosts_from="allocation", **NO_SLOTS),
            SLURM_TASKS_PER_NODE="1",
            SLURM_CPUS_PER_TASK="2",
        ),
        "SLURM_TASKS_PER_NODE=1 (SLURM_CPUS_PER_TASK=2 gives a task more CPUs, and no more slots)",
        None,
    ),
    (
        "too-few-slots",
        situation(
            plain(),
            asked(
                "srun",
                "LAUNCHER -n 16 ./app",
                [Host("n0", 4), Host("n1", 4)],
                exit_code=1,
                printed=TOO_MANY,
            ),
        ),
        "the allocation has 8 CPUs on 2 nodes, and the command asks for 16 tasks of 1 CPU each",
        "srun -n 8 ./app",
    ),
    (
        "too-few-slots",
        situation(
            plain(),
            asked("srun", "LAUNCHER -n 8 -c 2 ./app", ["n0", "n1"], exit_code=1, printed=TOO_MANY),
            SLURM_JOB_CPUS_PER_NODE="4(x2)",
        ),
        "the allocation has 8 CPUs on 2 nodes, and the command asks for 8 tasks of 2 CPUs each",
        "srun -n 4 -c 2 ./app",
    ),
    (
        "too-few-slots",
        situation(
            plain(),
            asked(
                "srun",
                "LAUNCHER -N 3 -n 4 ./app",
                ["n0", "n1"],
                exit_code=1,
                printed="srun: error: Only allocated 2 nodes asked for 3",
            ),
        ),
        "srun ends with 'Only allocated 2 nodes asked for 3'",
        "srun -N 2 -n 4 ./app",
    ),
]
