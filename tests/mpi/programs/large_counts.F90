! Calls of mpi_f08 with counts of kind MPI_COUNT_KIND, by two ranks: the library's large-count forms.
program large_counts
  use mpi_f08
  implicit none
  integer :: out(8), in(8), rank
  integer(MPI_COUNT_KIND) :: one, n, counts(2)
  integer(MPI_ADDRESS_KIND) :: displacements(2)
  type(MPI_Request) :: request
  out = 0
  one = 1
  n = 3
  counts = 2
  displacements = [0, 2]
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Irecv(in, n, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request)
  call MPI_Send(out, n, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Bcast(out, n + one, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Alltoallv(out, counts, displacements, MPI_INTEGER, in, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD)
  call MPI_Finalize()
end program large_counts
