! Two ranks compute for SECONDS (first argument), and the second one waits for the first. At the end each
! prints whether MPI has MPI_THREAD_MULTIPLE: T or F.
program steered
  use mpi
  implicit none
  integer :: rank, level, ierror, last(1)
  double precision :: seconds, until, finish
  character(len=16) :: argument
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call get_command_argument(1, argument)
  read (argument, *) seconds
  finish = MPI_Wtime() + seconds
  last = 0
  do while (last(1) == 0)
    until = MPI_Wtime() + merge(0.001d0, 0.0001d0, rank == 0)
    do while (MPI_Wtime() < until)
    end do
    last = merge(1, 0, MPI_Wtime() > finish)
    if (rank == 0) then
      call MPI_Send(last, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierror)
    else
      call MPI_Recv(last, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end if
  end do
  call MPI_Query_thread(level, ierror)
  print *, level == MPI_THREAD_MULTIPLE
  call MPI_Finalize(ierror)
end program
