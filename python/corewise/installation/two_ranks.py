"""The program for main_job.py: two ranks exchange messages.

    two_ranks.py FAMILY LIBRARY...

It loads the first LIBRARY that exists, so that wheels, which don't link MPI, can try every MPI.
"""

from __future__ import annotations

import ctypes
import sys

N_MESSAGES = 10
N_BYTES = 1024
STATUS_BYTES = 64  # enough: MPI_Status has 20 to 32 bytes


def main(family: str, *libraries: str) -> None:
    """Exits with code 1 and a sentence if no library can be loaded."""
    for path in libraries:
        try:
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
            break
        except OSError as error:
            missing = error
    else:
        sys.exit(f"the MPI library was not found: {missing}")
    mpi = ctypes.CDLL(None)  # the functions of a preloaded library come first
    world, byte = _handles(mpi, family)
    mpi.MPI_Init(None, None)
    rank, size = ctypes.c_int(), ctypes.c_int()
    mpi.MPI_Comm_rank(world, ctypes.byref(rank))
    mpi.MPI_Comm_size(world, ctypes.byref(size))
    sent, received = (ctypes.create_string_buffer(N_BYTES) for _ in range(2))
    to, source = ((rank.value + step) % size.value for step in (1, -1))
    status = ctypes.create_string_buffer(STATUS_BYTES)
    for _ in range(N_MESSAGES):
        mpi.MPI_Sendrecv(sent, N_BYTES, byte, to, 0, received, N_BYTES, byte, source, 0, world, status)
    mpi.MPI_Finalize()


def _handles(mpi: ctypes.CDLL, family: str) -> tuple[object, object]:
    """MPI_COMM_WORLD and MPI_BYTE, as defined in each family's mpi.h."""
    if family == "openmpi":
        world, byte = (ctypes.c_char.in_dll(mpi, f"ompi_mpi_{name}") for name in ("comm_world", "byte"))
        return ctypes.byref(world), ctypes.byref(byte)
    return ctypes.c_int(0x44000000), ctypes.c_int(0x4C00010D)


if __name__ == "__main__":
    main(*sys.argv[1:])
