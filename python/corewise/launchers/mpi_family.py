"""The MPI families: a program built with one can't use the library of another."""

from __future__ import annotations

import re

# Family -> regular expression for the shared library that its programs load. MPICH's is libmpich.so.12 in
# Debian and libmpi.so.12 elsewhere. Open MPI's has been libmpi.so.40 since 3.0. Programs for the standard ABI
# of MPI 5 run with any MPI that has it; the tracer treats them as a family.
STANDARD_ABI = "abi"
MPI_LIBRARIES = {
    STANDARD_ABI: r"\blibmpi_abi\.so\.\d+\b",
    "mpich": r"\blibmpi(ch)?\.so\.12\b",
    "openmpi": r"\blibmpi\.so\.40\b",
}


def family_name(family: str) -> str:
    """The family's name in sentences."""
    return "an MPI of the standard ABI" if family == STANDARD_ABI else family


def family_among(libraries: str) -> str | None:
    """The family whose library is in the output of ldd(1); None if there is none."""
    for family, library in MPI_LIBRARIES.items():
        if re.search(library, libraries):
            return family
    return None
