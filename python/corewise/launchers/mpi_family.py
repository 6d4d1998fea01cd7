"""The MPI families: what is built with one can't load the library of another."""

from __future__ import annotations

import re

# Family -> the shared library that its programs load, a regular expression. MPICH's is libmpich.so.12 in
# Debian and libmpi.so.12 elsewhere; Open MPI's has been libmpi.so.40 since 3.0. Programs of the MPI 5
# standard ABI load any MPI's library of that ABI: to the tracer they are a family too.
STANDARD_ABI = "abi"
MPI_LIBRARIES = {
    STANDARD_ABI: r"\blibmpi_abi\.so\.\d+\b",
    "mpich": r"\blibmpi(ch)?\.so\.12\b",
    "openmpi": r"\blibmpi\.so\.40\b",
}


def family_name(family: str) -> str:
    """As sentences call it."""
    return "an MPI of the standard ABI" if family == STANDARD_ABI else family


def family_among(libraries: str) -> str | None:
    """The family whose library is in the text, as ldd(1) lists what a program loads; None without one."""
    for family, library in MPI_LIBRARIES.items():
        if re.search(library, libraries):
            return family
    return None
