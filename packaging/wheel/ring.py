"""ring.c with mpi4py: each rank sends 1,000 bytes to the next one, for SECONDS (first argument)."""

import sys

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
received = bytearray(1000)
end = MPI.Wtime() + float(sys.argv[1])
last = False
while not last:
    comm.Sendrecv(bytes(1000), (rank + 1) % size, recvbuf=received, source=(rank - 1) % size)
    last = comm.bcast(MPI.Wtime() > end)
