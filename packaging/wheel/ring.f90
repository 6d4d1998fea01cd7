! ring.c in Fortran: each rank sends 1,000 bytes to the next one, again and again for SECONDS (first argument).
program ring
  use mpi
  implicit none
  character :: out(1000) = "x", in(1000)
  character(len=16) :: argument
  integer :: rank, n, last, ierror
  double precision :: seconds, end
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  call get_command_argument(1, argument)
  read (argument, *) seconds
  end = MPI_Wtime() + seconds
  last = 0
  do while (last == 0)
    call MPI_Sendrecv(out, 1000, MPI_CHARACTER, mod(rank + 1, n), 0, in, 1000, MPI_CHARACTER, mod(rank + n - 1, n), 0, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    if (MPI_Wtime() > end) last = 1
    call MPI_Bcast(last, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  end do
  call MPI_Finalize(ierror)
end program ring
