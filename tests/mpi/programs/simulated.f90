! A ring in Fortran for the simulator's tests: every rank sends 1000 doubles to the next one.
program ring
  implicit none
  include "mpif.h"
  integer :: rank, n, error, status(MPI_STATUS_SIZE)
  double precision :: sent(1000), received(1000)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, n, error)
  sent = rank
  call MPI_Sendrecv(sent, 1000, MPI_DOUBLE_PRECISION, mod(rank + 1, n), 1, received, 1000, &
                    MPI_DOUBLE_PRECISION, mod(rank + n - 1, n), 1, MPI_COMM_WORLD, status, error)
  if (received(1) /= mod(rank + n - 1, n)) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Finalize(error)
end program
