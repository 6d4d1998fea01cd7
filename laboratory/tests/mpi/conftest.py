"""MPI jobs of the laboratory are started as those of the tool's tests are."""

from mpi_fixtures import compiled, family, permit_root, two_cores  # noqa: F401
