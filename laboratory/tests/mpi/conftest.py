"""Fixtures: the laboratory's MPI jobs start in the same way as those of the tool's tests."""

from mpi_fixtures import compiled, family, permit_root, two_cores  # noqa: F401
