"""The lab's Slurm cluster: srun starts plain and MPI programs on four nodes, and nothing is left."""

from __future__ import annotations

from clusters import hosts
from mpis import mpi_named

FOUR_BY_TWO = ["n0", "n0", "n1", "n1", "n2", "n2", "n3", "n3"]


def test_srun_starts_programs_of_both_mpi_families_on_four_nodes(lab_folder):
    mpich, openmpi = mpi_named("mpich4"), mpi_named("openmpi4")
    lab_folder.lab("up", "slurm", "--slots", "2")

    def inside(*words: str) -> str:
        return lab_folder.lab("run", "slurm", "--", "timeout", "40", *words).stdout

    assert sorted(inside("srun", "-N4", "hostname").split()) == ["n0", "n1", "n2", "n3"]
    # By then the ranks have printed. MPICH 4's UCX may hang in MPI_Finalize if cores are scarce.
    assert hosts(inside("sh", "-c", f"timeout 20 srun -n8 {mpich.where} mpich; true")) == FOUR_BY_TWO
    assert hosts(inside("srun", "--mpi=pmix", "-n8", openmpi.where)) == FOUR_BY_TWO
    assert hosts(inside("salloc", "-n8", openmpi.mpirun, openmpi.where)) == FOUR_BY_TWO
    lab_folder.lab("down", "slurm")
    assert (lab_folder.clusters, lab_folder.processes()) == ([], [])
