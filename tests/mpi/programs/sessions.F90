! A program of sessions alone, by mpi_f08: in a communicator of all ranks in reverse, its rank 0 sends its
! rank 1 seven bytes. Fortran fills up the tag with blanks.
program sessions
  use mpi_f08
  implicit none
  type(MPI_Session) :: session
  type(MPI_Group) :: all_ranks, reversed
  type(MPI_Comm) :: comm
  character(len=20) :: tag = "fortran"
  character :: bytes(7) = "x"
  integer :: n, rank, i
  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session)
  call MPI_Group_from_session_pset(session, "mpi://WORLD", all_ranks)
  call MPI_Group_size(all_ranks, n)
  call MPI_Group_incl(all_ranks, n, [(n - i, i = 1, n)], reversed)
  call MPI_Comm_create_from_group(reversed, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm)
  call MPI_Comm_rank(comm, rank)
  if (rank == 0) call MPI_Send(bytes, 7, MPI_CHARACTER, 1, 0, comm)
  if (rank == 1) call MPI_Recv(bytes, 7, MPI_CHARACTER, 0, 0, comm, MPI_STATUS_IGNORE)
  call MPI_Comm_free(comm)
  call MPI_Group_free(reversed)
  call MPI_Group_free(all_ranks)
  call MPI_Session_finalize(session)
end program
